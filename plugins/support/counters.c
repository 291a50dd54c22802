/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "support/mad_packet.h"

#define NAME(id, fact, bits, file, standard) fact,
#define FILE_NAME(id, fact, bits, file, standard) file,
#define BITS(id, fact, bits, file, standard) bits,

static const char *const names[] = {PORT_ERRORS(NAME) PORT_TRAFFIC(NAME)};
static const char *const files[] = {PORT_ERRORS(FILE_NAME) PORT_TRAFFIC(FILE_NAME)};
static const uint8_t widths[] = {PORT_ERRORS(BITS) PORT_TRAFFIC(BITS)};

const char *counter_name(enum counter counter)
{
	return names[counter];
}

const char *counter_file(enum counter counter)
{
	return files[counter];
}

bool counter_pegged(const struct counters *counters, enum counter counter)
{
	unsigned bits = counters->wide >> counter & 1 ? 64 : widths[counter];

	return counters->value[counter] == (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
}

/* PortCounters: offsets from the start of the attribute, after one reserved byte and PortSelect */
void counters_port_counters(struct counters *counters, const uint8_t *data, bool has_wait)
{
	counter_put(counters, COUNTER_SYMBOL_ERROR, get16(data + 4));
	counter_put(counters, COUNTER_LINK_ERROR_RECOVERY, data[6]);
	counter_put(counters, COUNTER_LINK_DOWNED, data[7]);
	counter_put(counters, COUNTER_RCV_ERRORS, get16(data + 8));
	counter_put(counters, COUNTER_RCV_REMOTE, get16(data + 10));
	counter_put(counters, COUNTER_RCV_RELAY, get16(data + 12));
	counter_put(counters, COUNTER_XMIT_DISCARDS, get16(data + 14));
	counter_put(counters, COUNTER_XMIT_CONSTRAINT, data[16]);
	counter_put(counters, COUNTER_RCV_CONSTRAINT, data[17]);
	counter_put(counters, COUNTER_LOCAL_INTEGRITY, data[19] >> 4);
	counter_put(counters, COUNTER_BUFFER_OVERRUN, data[19] & 15);
	counter_put(counters, COUNTER_VL15_DROPPED, get16(data + 22));
	if (has_wait)
		counter_put(counters, COUNTER_XMIT_WAIT, get32(data + 40));
	for (int i = 0; i < 4; i++)
		if (!(counters->seen >> (COUNTER_XMIT_DATA + i) & 1))
			counter_put(counters, COUNTER_XMIT_DATA + i, get32(data + 24 + 4 * i));
}

/* PortCountersExtended: four counters of 64 bits, and four more where packets are told apart */
void counters_extended(struct counters *counters, const uint8_t *data, bool has_packets)
{
	for (int i = 0; i < (has_packets ? 8 : 4); i++) {
		counter_put(counters, COUNTER_XMIT_DATA + i, get64(data + 8 + 8 * i));
		counters->wide |= 1u << (COUNTER_XMIT_DATA + i);
	}
}

void counter_set_rise(struct rs_ctx *ctx, unsigned fact, uint64_t then, uint64_t now)
{
	char why[160];

	if (now >= then) {
		rs_set_unsigned(ctx, fact, now - then);
		return;
	}
	snprintf(why, sizeof(why),
		 "needs a counter that nothing else clears: it went down from %" PRIu64 " to %" PRIu64, then, now);
	rs_not_observed(ctx, fact, why);
}

static void set_one(struct rs_ctx *ctx, unsigned fact, enum counter counter, const struct counters *before,
		    const struct counters *now)
{
	uint64_t then = before ? before->value[counter] : 0, value = now->value[counter];
	char why[160];

	if (before && !(before->seen >> counter & 1))
		return;
	if (before && counter_pegged(now, counter)) {
		snprintf(why, sizeof(why), "needs a counter below its maximum: it stands at %" PRIu64, value);
		rs_not_observed(ctx, fact, why);
	} else {
		counter_set_rise(ctx, fact, then, value);
	}
}

void counters_set(struct rs_ctx *ctx, unsigned first, const struct counters *before, const struct counters *now)
{
	bool any = false;

	for (unsigned counter = 0; counter < COUNTERS; counter++)
		if (now->seen >> counter & 1)
			set_one(ctx, first + counter, counter, before, now);
	for (unsigned counter = 0; counter < COUNTERS; counter++) {
		if (now->seen >> counter & 1 && counter_pegged(now, counter)) {
			rs_set_text(ctx, first + COUNTERS, names[counter]);
			any = true;
		}
	}
	if (!any && now->seen)
		rs_set_none(ctx, first + COUNTERS);
}

/* The interval is what is measured over, so that waiting it out is the work itself */
void counters_let_pass(double seconds)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += (time_t)seconds;
	end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
}
