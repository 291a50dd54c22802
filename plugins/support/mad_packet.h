/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the bytes of a MAD: common header, SMP header with its directed route */
#pragma once

#include "support/mad.h"

/** mad_packet_build - @request as 256 bytes at @mad, which holds zeros or an earlier packet of this function */
void mad_packet_build(uint8_t *mad, const struct mad_request *request, uint64_t m_key, uint32_t transaction);

void mad_packet_set_transaction(uint8_t *mad, uint32_t transaction);

/** mad_packet_transaction - the low half of the transaction ID; the high half is the kernel's */
uint32_t mad_packet_transaction(const uint8_t *mad);

/** mad_packet_status - without the direction bit of directed-route SMPs */
uint16_t mad_packet_status(const uint8_t *mad);

/** mad_packet_answers - is @mad an answer of the class and attribute that were asked? */
bool mad_packet_answers(const uint8_t *mad, const struct mad_request *request);

/** mad_packet_status_text - words for a status, of the specification's table 115; never NULL */
const char *mad_packet_status_text(uint16_t status);

static inline uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t get24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

static inline uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

static inline void put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static inline void put32(uint8_t *p, uint32_t value)
{
	put16(p, (uint16_t)(value >> 16));
	put16(p + 2, (uint16_t)value);
}

static inline void put64(uint8_t *p, uint64_t value)
{
	put32(p, (uint32_t)(value >> 32));
	put32(p + 4, (uint32_t)value);
}
