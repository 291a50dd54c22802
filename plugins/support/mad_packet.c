/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/mad_packet.h"

#include <string.h>

/* Offsets of the common MAD header (13.4.2) and of the SMP formats (14.2.1) */
enum {
	AT_BASE_VERSION = 0,
	AT_CLASS = 1,
	AT_CLASS_VERSION = 2,
	AT_METHOD = 3,
	AT_STATUS = 4,
	AT_HOP_POINTER = 6,
	AT_HOP_COUNT = 7,
	AT_TRANSACTION = 8,
	AT_ATTRIBUTE = 16,
	AT_MODIFIER = 20,
	AT_M_KEY = 24,
	AT_DR_SLID = 32,
	AT_DR_DLID = 34,
	AT_PATH = 128,
};

#define PERMISSIVE_LID 0xffff

void mad_packet_build(uint8_t *mad, const struct mad_request *request, uint64_t m_key, uint32_t transaction)
{
	bool smp = request->klass == MAD_CLASS_SMI || request->klass == MAD_CLASS_SMI_DIRECT;

	memset(mad, 0, MAD_BYTES);
	mad[AT_BASE_VERSION] = 1;
	mad[AT_CLASS] = request->klass;
	mad[AT_CLASS_VERSION] = request->klass == MAD_CLASS_SA ? 2 : 1;
	mad[AT_METHOD] = request->method ? request->method : MAD_GET;
	mad_packet_set_transaction(mad, transaction);
	put16(mad + AT_ATTRIBUTE, request->attribute);
	put32(mad + AT_MODIFIER, request->modifier);
	if (smp)
		put64(mad + AT_M_KEY, m_key);
	if (request->klass == MAD_CLASS_SMI_DIRECT) {
		mad[AT_HOP_COUNT] = request->hops;
		put16(mad + AT_DR_SLID, PERMISSIVE_LID);
		put16(mad + AT_DR_DLID, PERMISSIVE_LID);
		memcpy(mad + AT_PATH + 1, request->path + 1, request->hops);
	}
	if (request->data && request->data_offset >= AT_M_KEY &&
	    request->data_offset + request->data_length <= MAD_BYTES)
		memcpy(mad + request->data_offset, request->data, request->data_length);
}

void mad_packet_set_transaction(uint8_t *mad, uint32_t transaction)
{
	put32(mad + AT_TRANSACTION + 4, transaction);
}

uint32_t mad_packet_transaction(const uint8_t *mad)
{
	return get32(mad + AT_TRANSACTION + 4);
}

uint16_t mad_packet_status(const uint8_t *mad)
{
	uint16_t status = get16(mad + AT_STATUS);

	return mad[AT_CLASS] == MAD_CLASS_SMI_DIRECT ? status & 0x7fff : status;
}

bool mad_packet_answers(const uint8_t *mad, const struct mad_request *request)
{
	return mad[AT_METHOD] & MAD_RESPONSE && mad[AT_CLASS] == request->klass &&
	       get16(mad + AT_ATTRIBUTE) == request->attribute;
}

const char *mad_packet_status_text(uint16_t status)
{
	switch (status & 0x1c) {
	case 0x04:
		return "class or version not supported";
	case 0x08:
		return "method not supported";
	case 0x0c:
		return "attribute not supported with this method";
	case 0x1c:
		return "invalid value in the attribute or its modifier";
	}
	if (status & 1)
		return "busy";
	if (status & 2)
		return "redirection required";
	switch (status) {
	case 0x0100:
		return "no resources";
	case 0x0200:
		return "invalid request";
	case 0x0300:
		return "no records";
	case 0x0400:
		return "too many records";
	case 0x0500:
		return "invalid GID";
	case 0x0600:
		return "insufficient components";
	case 0x0700:
		return "request denied";
	}
	return "unknown status";
}
