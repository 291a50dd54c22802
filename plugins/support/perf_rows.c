/* SPDX-License-Identifier: BSD-2-Clause */
/* From what perftest printed to rows of facts */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/link.h"
#include "support/perf_facts.h"
#include "support/perf_internal.h"
#include "support/perftest.h"

struct column {
	unsigned fact;
	enum perftest_column from;
	bool rate; /* in the unit of the header */
	bool zero_is_nothing;
};

static const struct column bandwidth[] = {
	{BW_PEAK, PERFTEST_BW_PEAK, .rate = true, .zero_is_nothing = true},
	{BW_AVERAGE, PERFTEST_BW_AVERAGE, .rate = true},
	{BW_MSG_RATE, PERFTEST_MSG_RATE},
	{BW_CPU_UTIL, PERFTEST_CPU_UTIL},
	{BW_FACTS},
};

static const struct column latency[] = {
	{LAT_T_MIN, PERFTEST_T_MIN}, {LAT_T_MAX, PERFTEST_T_MAX},     {LAT_T_TYPICAL, PERFTEST_T_TYPICAL},
	{LAT_T_AVG, PERFTEST_T_AVG}, {LAT_T_STDEV, PERFTEST_T_STDEV}, {LAT_P99, PERFTEST_P99},
	{LAT_P99_9, PERFTEST_P99_9}, {LAT_TPS, PERFTEST_TPS},	      {LAT_FACTS},
};

/*
 * "[MiB/sec]" as Gb/s without losing a digit: times 2^20 times 8 over 10^9. With at most 23 characters that fits 128
 * bits.
 */
static void convert(const char *figure, char text[64])
{
	unsigned __int128 value = 0;
	int decimals = 9, used = 0;
	bool point = false;
	char digits[48];

	for (; *figure; figure++) {
		if (*figure == '.') {
			point = true;
			continue;
		}
		value = value * 10 + (unsigned)(*figure - '0');
		decimals += point;
	}
	value *= 8388608;
	while (value || used <= decimals) {
		digits[used++] = (char)('0' + (int)(value % 10));
		value /= 10;
	}
	for (int i = used - 1; i >= 0; i--) {
		*text++ = digits[i];
		if (i == decimals)
			*text++ = '.';
	}
	*text = '\0';
}

static bool is_zero(const char *figure)
{
	return !figure[strspn(figure, "0.")];
}

static void set_cells(struct rs_ctx *ctx, const struct perftest_row *row, const struct column *columns, unsigned facts)
{
	for (; columns->fact != facts; columns++) {
		const char *figure = row->cell[columns->from];
		char converted[64];

		if (!*figure || (columns->zero_is_nothing && is_zero(figure)))
			continue;
		if (columns->rate && row->unit == PERFTEST_MIB) {
			convert(figure, converted);
			figure = converted;
		}
		rs_set_decimal(ctx, columns->fact, figure);
	}
}

static int choice_of(const char *const *choices, const char *text)
{
	for (int i = 0; choices[i]; i++)
		if (!strcmp(choices[i], text))
			return i;
	return -1;
}

static void set_choice(struct rs_ctx *ctx, unsigned fact, const char *const *choices, const char *text)
{
	int choice = choice_of(choices, text);

	if (choice >= 0)
		rs_set_enum(ctx, fact, choice);
	else if (*text)
		rs_set_unknown(ctx, fact, text);
}

/* The connection's facts stand in the same order in both tables */
static void set_connection(struct perf_run *run, const struct perftest_facts *facts, unsigned first)
{
	struct rs_ctx *ctx = run->ctx;

	rs_set_text(ctx, first, *facts->device ? facts->device : run->params->device);
	set_choice(ctx, first + BW_TRANSPORT - BW_DEVICE, perf_transports, facts->connection);
	if (*facts->link_type)
		rs_set_text(ctx, first + BW_LINK_TYPE - BW_DEVICE, facts->link_type);
	set_choice(ctx, first + BW_MTU - BW_DEVICE, link_mtus, facts->mtu);
	if (*facts->gid_index)
		rs_set_integer(ctx, first + BW_GID_INDEX - BW_DEVICE, strtoll(facts->gid_index, NULL, 10));
	else
		rs_set_none(ctx, first + BW_GID_INDEX - BW_DEVICE);
	if (*facts->qps)
		rs_set_integer(ctx, first + BW_QPS - BW_DEVICE, strtoll(facts->qps, NULL, 10));
	if (*facts->rdma_cm)
		rs_set_boolean(ctx, first + BW_RDMA_CM - BW_DEVICE, !strcmp(facts->rdma_cm, "ON"));
}

static void set_row(struct perf_run *run, const struct perftest *perftest, const struct perftest_row *row)
{
	bool is_bandwidth = run->measure == PERF_BANDWIDTH;
	struct rs_ctx *ctx = run->ctx;

	rs_row_begin(ctx, 0);
	rs_set_decimal(ctx, BW_SIZE, row->cell[PERFTEST_BYTES]);
	rs_set_integer(ctx, BW_ITERATIONS, strtoll(row->cell[PERFTEST_ITERATIONS], NULL, 10));
	if (is_bandwidth)
		set_cells(ctx, row, bandwidth, BW_FACTS);
	else
		set_cells(ctx, row, latency, LAT_FACTS);
	set_connection(run, &perftest->facts, is_bandwidth ? BW_DEVICE : LAT_DEVICE);
}

static void note_latency(struct perf_run *run, const struct perftest_row *row)
{
	long long iterations = strtoll(row->cell[PERFTEST_ITERATIONS], NULL, 10);
	const char *deviation = row->cell[PERFTEST_T_STDEV];

	if (*row->cell[PERFTEST_P99] && iterations < 1000)
		rs_note(run->ctx, "p99 of %lld iterations says little: 1,000 are the least", iterations);
	if (*deviation && !strchr(deviation, '.'))
		rs_note(run->ctx, "this perftest cuts the fraction of t_stdev off: it is not to be gated on");
}

/* perftest goes on with the active MTU where it is asked for a larger one, and only says so. */
static int check_mtu(const struct perf_run *run, const struct perftest_facts *facts)
{
	const char *asked = run->params->mtu ? link_mtus[*run->params->mtu] : facts->mtu;

	if (!*facts->mtu || !strcmp(asked, facts->mtu))
		return 0;
	return rs_error(run->ctx, RS_INVALID, "%s measured with an MTU of %s instead of %s: the active MTU is lower",
			run->tool, facts->mtu, asked);
}

static int take(struct perf_run *run, const struct perftest *perftest)
{
	enum perftest_column figure = run->measure == PERF_BANDWIDTH ? PERFTEST_BW_AVERAGE : PERFTEST_T_AVG;
	int error;

	for (uint64_t i = 0; i < perftest->notes.count && i < PERFTEST_NOTES; i++)
		rs_note(run->ctx, "%s: %s", run->tool, perftest->notes.text[i]);
	if (perftest->problems.count)
		return rs_error(run->ctx, RS_INVALID, "the output of %s is no measurement: %s", run->tool,
				perftest->problems.text[0]);
	if (!perftest->nrows)
		return rs_error(run->ctx, RS_INVALID, "%s ended as if all were well, and printed no result", run->tool);
	for (size_t i = 0; i < perftest->nrows; i++)
		if (!*perftest->rows[i].cell[figure] || !*perftest->rows[i].cell[PERFTEST_BYTES] ||
		    !*perftest->rows[i].cell[PERFTEST_ITERATIONS])
			return rs_error(run->ctx, RS_INVALID, "the table of %s lacks a column that it always has",
					run->tool);
	error = check_mtu(run, &perftest->facts);
	if (error)
		return error;
	for (size_t i = 0; i < perftest->nrows; i++)
		set_row(run, perftest, &perftest->rows[i]);
	if (run->measure == PERF_LATENCY)
		note_latency(run, &perftest->rows[0]);
	return 0;
}

int perf_rows(struct perf_run *run)
{
	const struct process_text *out = &run->process.out[PROCESS_STDOUT];
	struct perftest perftest = {0};
	int error;

	if (out->total > out->length)
		return rs_error(run->ctx, RS_INVALID, "%s printed more than is read", run->tool);
	if (out->length)
		perftest_feed(&perftest, out->data, out->length);
	perftest_finish(&perftest);
	error = take(run, &perftest);
	perftest_free(&perftest);
	return error;
}
