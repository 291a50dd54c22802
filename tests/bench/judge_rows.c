/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging 1,000,000 rows of 10 facts: once with "where" and "expect" as a site writes them on the links of a fabric,
 * once with "unique", "same" and a median beside it. Prints seconds, the peak of the process (table and judgement
 * together) and what was promised.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory.h"
#include "judge/judge.h"

#define ROWS 1000000

enum { NAME, GUID, PORT, PEER, STATE, PHYSICAL, WIDTH, SPEED, RATE, ERRORS };

static const char *const states[] = {"Down", "Init", "Armed", "Active", NULL};
static const char *const physical[] = {"Sleep", "Polling", "Disabled", "LinkUp", NULL};
static const char *const widths[] = {"1X", "2X", "4X", "8X", "12X", NULL};
static const char *const speeds[] = {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", NULL};

static const struct rs_fact facts[] = {
	[NAME] = {.name = "description", .type = RS_TEXT},
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY},
	[PEER] = {.name = "peer_guid", .type = RS_GUID},
	[STATE] = {.name = "state", .type = RS_ENUM, .choices = states},
	[PHYSICAL] = {.name = "physical_state", .type = RS_ENUM, .choices = physical},
	[WIDTH] = {.name = "width", .type = RS_ENUM, .flags = RS_F_ORDERED, .choices = widths},
	[SPEED] = {.name = "speed", .type = RS_ENUM, .flags = RS_F_ORDERED, .choices = speeds},
	[RATE] = {.name = "rate", .type = RS_QUANTITY, .flags = RS_F_HIGHER, .unit = "Gb/s"},
	[ERRORS] = {.name = "symbol_error", .type = RS_UNSIGNED, .flags = RS_F_LOWER},
	[ERRORS + 1] = {.name = NULL},
};
static const struct rs_probe probe = {.name = "bench.links", .row = "{description} port {port}", .facts = facts};
static const struct rs_source source = {.name = "bench.links", .probes = &probe, .nprobes = 1};

static const char expect[] = "where: {physical_state: LinkUp, description: 'leaf-*'}\n"
			     "expect:\n"
			     "  state: Active\n"
			     "  width: 4X\n"
			     "  speed: [HDR, NDR]\n"
			     "  rate: {min: 200 Gb/s}\n"
			     "  symbol_error: {max: 10}\n"
			     "  guid: {not: 0}\n"
			     "  peer_guid: {not: 0}\n"
			     "  port: {min: 1, max: 64}\n"
			     "count: {min: 128}\n";
static const char compare[] = "where: {physical_state: LinkUp}\n"
			      "expect: {rate: {within: 5 %, of: median}}\n"
			      "unique: [guid, port]\n"
			      "same: [width]\n";

static struct value text_cell(struct table *table, const char *text)
{
	size_t length = strlen(text);

	return (struct value){
		.state = VALUE_SET, .length = (uint32_t)length, .text = arena_text(&table->arena, text, length)};
}

static struct value number_cell(uint64_t number)
{
	return (struct value){.state = VALUE_SET, .number = number};
}

static void fill(struct table *table)
{
	char name[32];

	for (uint64_t i = 0; i < ROWS; i++) {
		struct value *row = table_add_row(table);
		bool up = i % 10 != 0;

		snprintf(name, sizeof(name), "leaf-%" PRIu64, i / 64);
		row[NAME] = text_cell(table, name);
		row[GUID] = number_cell(0x0002c90300000000 + i / 64);
		row[PORT] = number_cell(i % 64 + 1);
		row[PEER] = number_cell(0x0002c90400000000 + i);
		row[STATE] = number_cell(up ? 3 : 0);
		row[PHYSICAL] = number_cell(up ? 3 : 1);
		if (!up)
			continue; /* the rest is not observed on a port that is down */
		row[WIDTH] = number_cell(2);
		row[SPEED] = number_cell(6);
		row[RATE] = text_cell(table, "212.5");
		row[ERRORS] = number_cell(i % 7);
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static int judge(const char *title, const char *yaml, struct observation *observation)
{
	struct text text = {0};
	struct arena arena = {0};
	struct diags diags = {0};
	struct judge_spec spec;
	struct judge_part part = {.label = "node-01", .observation = observation, .spec = &spec};
	struct judgement judgement, across;
	const struct node *map = text_parse(&text, "bench.yaml", yaml, strlen(yaml), &diags);
	double start, seconds;

	if (!map || judge_compile(&text, &arena, &source, &probe, map, &spec, &diags)) {
		diags_print(&diags, stderr);
		return 1;
	}
	start = now();
	judge_step(&part, 1, &judgement, &across);
	seconds = now() - start;
	printf("  %-28s %10.1f ms   %8.1f MiB\n", title, seconds * 1000, peak());
	printf("  time: %.2f s, promised at most 1 s: %s\n", seconds, seconds <= 1 ? "kept" : "NOT KEPT");
	printf("  memory: %.0f MB, promised at most 500 MB: %s\n", peak() * 1.048576,
	       peak() * 1.048576 <= 500 ? "kept" : "NOT KEPT");
	if (judgement.verdict != VERDICT_PASS || across.verdict != VERDICT_PASS ||
	    judgement.rows_kept != ROWS * 9 / 10) {
		fprintf(stderr, "judge_rows: %s\n", judgement.sentence ? judgement.sentence : across.sentence);
		return 1;
	}
	judgement_free(&judgement);
	judgement_free(&across);
	arena_free(&arena);
	text_free(&text);
	diags_free(&diags);
	return 0;
}

int main(void)
{
	struct observation *observation = observation_new(&source, "node-01", "{}");
	int result;

	observation->tables[0] = table_new(&probe);
	fill(observation->tables[0]);
	result = judge("where and expect", expect, observation);
	result |= judge("unique, same and a median", compare, observation);
	observation_unref(observation);
	return result;
}
