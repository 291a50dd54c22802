/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a result with every kind of verdict, made by hand, for the tests of the reports */
#pragma once

#include <arpa/inet.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/result.h"

static const char *const sample_speeds[] = {"SDR", "DDR", "QDR", "FDR", "EDR", "HDR", "NDR", NULL};

enum { F_FROM, F_PORT, F_TO, F_SPEED, F_RATE, F_ERRORS, F_GUID, F_GID, F_MASK, F_VLAN, F_ADDRESSES, F_UP, F_SEEN };

static const struct rs_fact sample_facts[] = {
	[F_FROM] = {.name = "from", .type = RS_TEXT, .flags = RS_F_KEY},
	[F_PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY},
	[F_TO] = {.name = "to", .type = RS_TEXT},
	[F_SPEED] = {.name = "speed", .type = RS_ENUM, .flags = RS_F_ORDERED | RS_F_HIGHER, .choices = sample_speeds},
	[F_RATE] = {.name = "rate", .type = RS_QUANTITY, .flags = RS_F_HIGHER, .unit = "Gb/s"},
	[F_ERRORS] = {.name = "errors", .type = RS_UNSIGNED, .flags = RS_F_LOWER | RS_F_VOLATILE},
	[F_GUID] = {.name = "guid", .type = RS_GUID},
	[F_GID] = {.name = "gid", .type = RS_GID},
	[F_MASK] = {.name = "mask", .type = RS_INTEGER, .flags = RS_F_HEX},
	[F_VLAN] = {.name = "vlan", .type = RS_INTEGER, .observed_by = "needs netlink"},
	[F_ADDRESSES] = {.name = "addresses", .type = RS_IP, .flags = RS_F_LIST},
	[F_UP] = {.name = "up", .type = RS_BOOLEAN},
	[F_SEEN] = {.name = "seen", .type = RS_TIME},
	{0},
};

static const struct rs_probe sample_probes[] = {
	{.name = "fabric.links", .row = "{from} port {port} → {to}", .facts = sample_facts},
};
static const struct rs_source sample_source = {.name = "fabric.sweep", .probes = sample_probes, .nprobes = 1};

/* struct sample - everything that the result points to */
struct sample {
	struct result result;
	struct plan plan;
	struct scenario scenarios[2];
	struct text_file files[3];
	struct plan_step plans[32];
	struct scenario_step steps[32];
	struct judge_spec specs[32];
	struct plan_part parts[32];
	struct expectation expect[1];
	struct result_step results[32];
	struct arena arena;
	size_t nsteps;
};

static struct result_step *sample_step(struct sample *sample, unsigned scenario, const char *id, const char *name)
{
	size_t i = sample->nsteps++;
	struct scenario_step *step = &sample->steps[i];

	sample->specs[i] = (struct judge_spec){.probe = sample_probes, .expect = sample->expect, .nexpect = 1};
	sample->parts[i] = (struct plan_part){.label = "", .spec = &sample->specs[i]};
	step->id = id;
	step->name = name;
	step->probe.source = &sample_source;
	step->probe.probe = sample_probes;
	step->probe.spec = sample->specs[i];
	step->place = (struct place){sample->files[scenario * 2].path, (uint32_t)(10 + i), 5};
	sample->plans[i] = (struct plan_step){
		.scenario = &sample->scenarios[scenario], .step = step, .parts = &sample->parts[i], .nparts = 1};
	sample->results[i] = (struct result_step){.plan = &sample->plans[i], .started = 1800000000.25, .seconds = 0.03};
	sample->result.nsteps = sample->nsteps;
	return &sample->results[i];
}

/* The next case, of one attempt and one observation. */
static struct result_case *sample_case(struct sample *sample, struct result_step *step, const char *label,
				       enum verdict verdict)
{
	struct observation *observation =
		observation_new(&sample_source, *label ? label : "node-01", "{\"port\":\"1\"}");
	const char *name = step->plan->step->id ? step->plan->step->id : step->plan->step->name;
	struct result_case *item;

	step->cases = xrealloc(step->cases, step->ncases + 1, sizeof(*step->cases));
	item = &step->cases[step->ncases++];
	observation->started = 1800000000.25;
	observation->seconds = 0.01;
	*item = (struct result_case){
		.name = *label ? arena_printf(&sample->arena, "%s [%s]", name, label) : name,
		.label = label,
		.verdict = verdict,
		.raw = verdict,
		.gating = true,
		.seconds = 0.0125,
	};
	item->attempts = xcalloc(4, sizeof(*item->attempts));
	item->nattempts = 1;
	item->attempts[0].observation = observation;
	item->attempts[0].judgement.verdict = verdict;
	item->attempts[0].seconds = 0.0125;
	return item;
}

static struct judgement *sample_judgement(struct result_case *item)
{
	return &item->attempts[item->nattempts - 1].judgement;
}

static struct observation *sample_observation(struct result_case *item)
{
	return item->attempts[item->nattempts - 1].observation;
}

/* A row; kept by "where". */
static struct value *sample_row(struct result_case *item, const char *from, int port, const char *to, int speed,
				const char *rate)
{
	struct judgement *judgement = sample_judgement(item);
	struct observation *observation = sample_observation(item);
	struct table *table = observation->tables[0] ? observation->tables[0] : table_new(sample_probes);
	struct value *row = table_add_row(table);

	observation->tables[0] = table;
	row[F_FROM] = (struct value){.state = VALUE_SET, .length = (uint32_t)strlen(from), .text = from};
	row[F_PORT] = (struct value){.state = VALUE_SET, .integer = port};
	row[F_TO] = (struct value){.state = VALUE_SET, .length = (uint32_t)strlen(to), .text = to};
	row[F_SPEED] = (struct value){.state = VALUE_SET, .integer = speed};
	row[F_RATE] = (struct value){.state = VALUE_SET, .length = (uint32_t)strlen(rate), .text = rate};
	if (!judgement->kept)
		judgement->kept = xcalloc(64, sizeof(*judgement->kept));
	judgement->kept[(table->rows - 1) / 64] |= UINT64_C(1) << ((table->rows - 1) % 64);
	judgement->rows = table->rows;
	judgement->rows_kept++;
	return row;
}

static void sample_finding(struct result_case *item, size_t row, const char *name, const char *observed,
			   const char *expected)
{
	struct judgement *judgement = sample_judgement(item);
	struct finding *finding;

	judgement->findings = xrealloc(judgement->findings, judgement->nfindings + 1, sizeof(*judgement->findings));
	finding = &judgement->findings[judgement->nfindings++];
	*finding = (struct finding){
		.verdict = VERDICT_FAIL,
		.row = xstrdup(name),
		.row_number = row,
		.fact = "speed",
		.expected = xstrdup(expected),
		.observed = xstrdup(observed),
		.sentence = xasprintf("%s: speed is %s, expected %s", name, observed, expected),
		.place = {"rack12.yaml", 24, 41},
	};
	judgement->offending_rows++;
	if (judgement->nfindings == 1)
		judgement->sentence = xasprintf("%s (rack12.yaml:24:41)", finding->sentence);
}

static void sample_not_run(struct result_case *item, const char *reason)
{
	observation_unref(item->attempts[0].observation);
	item->attempts[0].observation = NULL;
	item->nattempts = 0;
	item->reason = xstrdup(reason);
}

static void sample_open(struct sample *sample)
{
	*sample = (struct sample){0};
	sample->files[0] = (struct text_file){.path = "rack12.yaml", .size = 1000};
	sample->files[1] = (struct text_file){.path = "common/subnet.yaml", .size = 200};
	sample->files[2] = (struct text_file){.path = "other.yaml", .size = 300};
	for (int i = 0; i < 3; i++)
		memset(sample->files[i].sha256, 'a' + i, 64);
	sample->scenarios[0].name = "rack 12  acceptance";
	sample->scenarios[0].text.files = sample->files;
	sample->scenarios[0].text.nfiles = 2;
	sample->scenarios[1].name = "rack 12 acceptance";
	sample->scenarios[1].text.files = &sample->files[2];
	sample->scenarios[1].text.nfiles = 1;
	sample->expect[0] = (struct expectation){.column = F_SPEED, .place = {"rack12.yaml", 24, 41}};
	sample->result.plan = &sample->plan;
	sample->result.steps = sample->results;
	sample->result.hostname = arena_text(&sample->arena, "head-1", 6);
	sample->result.started = 1800000000.0;
	sample->result.seconds = 3.2;
}

/* The counts, as run/ fills them in. */
static void sample_count(struct sample *sample)
{
	struct result *result = &sample->result;

	for (size_t i = 0; i < sample->nsteps; i++) {
		for (size_t c = 0; c < sample->results[i].ncases; c++) {
			const struct result_case *item = &sample->results[i].cases[c];

			result->passed += item->verdict == VERDICT_PASS;
			result->failed += item->verdict == VERDICT_FAIL;
			result->errors += item->verdict == VERDICT_ERROR;
			result->skipped += item->verdict == VERDICT_SKIP;
			result->waived += item->verdict == VERDICT_WAIVED;
			result->gating_judged +=
				item->gating && (item->verdict == VERDICT_PASS || item->verdict == VERDICT_FAIL);
		}
	}
}

static void sample_free(struct sample *sample)
{
	for (size_t i = 0; i < sample->nsteps; i++) {
		for (size_t c = 0; c < sample->results[i].ncases; c++) {
			struct result_case *item = &sample->results[i].cases[c];

			for (size_t a = 0; a < item->nattempts; a++) {
				observation_unref(item->attempts[a].observation);
				judgement_free(&item->attempts[a].judgement);
			}
			free(item->attempts);
			free(item->reason);
			free(item->note);
		}
		free(sample->results[i].cases);
	}
	strings_free(&sample->result.notes);
	arena_free(&sample->arena);
}

/* Before the first JUnit report: where the build has its module. */
static inline void sample_find_module(void)
{
	const char *build = getenv("RDMASPEC_BUILD");
	AUTO_FREE char *directory = xasprintf("%s/runner", build ? build : ".");

	setenv("RDMASPEC_PLUGIN_DIR", directory, 1);
}

/* Bytes that terminals, XML, HTML and JSON stumble over; and a NUL behind them where a length says so. */
#define SAMPLE_HOSTILE "\033[31mred\a ]]> <script>&\"' \xef\xbf\xbe \xff\xc0\xaf \xe2\x80\xae back\\slash"

/* The sample's run begins on 2027-01-15 (1800000000 is 08:00 UTC of that day). */
static const struct scenario_waiver sample_waiver = {"cable ordered (ticket 1234)", "2027-01-31"};

/* Every kind of verdict, and texts that are hostile. */
static void sample_everything(struct sample *sample)
{
	struct result_step *step;
	struct result_case *item;
	struct value *row;

	sample_open(sample);
	sample->result.simulated = arena_text(&sample->arena, "rack.topo", 9);
	strings_add(&sample->result.notes, "node-02: plugin ib is 0.0.9, here 0.1.0");

	step = sample_step(sample, 0, "sm", "both ends are managed by one master SM");
	for (int i = 0; i < 2; i++) {
		item = sample_case(sample, step, i ? "node-02" : "node-01", VERDICT_PASS);
		sample_row(item, "leaf-1", 1, "spine-1", 5, "200.00");
	}
	item = sample_case(sample, step, "all hosts", VERDICT_PASS);
	observation_unref(item->attempts[0].observation);
	item->attempts[0].observation = NULL;
	item->across = true;

	step = sample_step(sample, 0, NULL, "every link runs at HDR or NDR");
	item = sample_case(sample, step, "", VERDICT_FAIL);
	for (int i = 0; i < 3; i++)
		sample_row(item, "leaf-3", 16 + i, i ? "node-041" : "node-040", i ? 2 : 6, i ? "40" : "400");
	sample_judgement(item)->kept[0] = 6; /* the first row was not kept */
	sample_judgement(item)->rows_kept = 2;
	sample_finding(item, 1, "leaf-3 port 17 → node-041", "QDR", "HDR or NDR");
	sample_finding(item, 2, "leaf-3 port 18 → node-041", "QDR", "HDR or NDR");

	step = sample_step(sample, 0, "ports", "every port is up");
	for (int i = 1; i <= 4; i++) {
		item = sample_case(sample, step, arena_printf(&sample->arena, "node-%02d", i),
				   i == 3 ? VERDICT_ERROR : VERDICT_PASS);
		if (i != 3) {
			sample_row(item, "leaf-1", i, "spine-1", 5, "200");
			continue;
		}
		sample_observation(item)->error = xstrdup("the worker was ended by SIGSEGV");
		sample_observation(item)->log = xstrdup("ib.so: assertion failed\nlast words " SAMPLE_HOSTILE "\n");
		sample_judgement(item)->sentence = xstrdup("the worker was ended by SIGSEGV");
	}

	step = sample_step(sample, 0, "bw", "bandwidth");
	item = sample_case(sample, step, "node-01→node-02", VERDICT_FAIL);
	item->run = 2;
	sample_row(item, "node-01", 1, "node-02", 2, "40");
	sample_finding(item, 0, "node-01 port 1 → node-02", "QDR", "HDR or NDR");
	item->nattempts = 2;
	item->verdict = item->raw = VERDICT_PASS;
	item->attempts[1] = (struct result_attempt){.observation = observation_new(&sample_source, "node-01", "{}"),
						    .judgement.verdict = VERDICT_PASS,
						    .seconds = 1};
	row = sample_row(item, "node-01", 1, "node-02", 6, "389.5");
	row[F_ERRORS] = (struct value){.state = VALUE_SET, .number = UINT64_MAX};
	strings_add(&sample_observation(item)->notes, "perftest warned");

	step = sample_step(sample, 0, NULL, "depends on links");
	item = sample_case(sample, step, "", VERDICT_SKIP);
	sample_not_run(item, "step 'links' did not pass");
	step->started = 0;

	step = sample_step(sample, 0, "errors", "no symbol errors");
	item = sample_case(sample, step, "node-01", VERDICT_WAIVED);
	item->raw = VERDICT_FAIL;
	item->gating = false;
	sample_judgement(item)->verdict = VERDICT_FAIL;
	item->reason = xstrdup("cable ordered (ticket 1234), until 2027-01-31");
	sample->steps[sample->nsteps - 1].waive = &sample_waiver;
	sample_row(item, "leaf-1", 3, "node-01", 2, "40");
	sample_finding(item, 0, "leaf-1 port 3 → node-01", "QDR", "HDR or NDR");

	step = sample_step(sample, 0, "tuned", "power saving is off");
	sample->steps[sample->nsteps - 1].warning = true;
	item = sample_case(sample, step, "node-01", VERDICT_FAIL);
	item->gating = false;
	sample_row(item, "leaf-1", 4, "node-01", 2, "40");
	sample_finding(item, 0, "leaf-1 port 4 → node-01", "QDR", "HDR or NDR");

	step = sample_step(sample, 0, "hostile", "names " SAMPLE_HOSTILE);
	item = sample_case(sample, step, "", VERDICT_FAIL);
	row = sample_row(item, SAMPLE_HOSTILE, 1, "", 2, "40");
	row[F_FROM].length++; /* the NUL too */
	sample_finding(item, 0, SAMPLE_HOSTILE, "QDR", "HDR or NDR");
	observation_add_evidence(sample_observation(item), "ibnetdiscover " SAMPLE_HOSTILE,
				 SAMPLE_HOSTILE "\0\r\n\ttab", sizeof(SAMPLE_HOSTILE) + 6);

	step = sample_step(sample, 0, "waived", "a waiver that can go");
	item = sample_case(sample, step, "", VERDICT_PASS);
	item->note = xstrdup("the waiver can go: the step passes");
	sample_row(item, "leaf-1", 1, "spine-1", 5, "200");

	step = sample_step(sample, 1, "sm", "the same names in another file");
	sample->steps[sample->nsteps - 1].probe.spec.observe_only = true;
	item = sample_case(sample, step, "node-01", VERDICT_PASS);
	row = sample_row(item, "leaf-1", 1, "spine-1", 5, "200.00");
	row[F_VLAN] = (struct value){.state = VALUE_NONE};
	sample_count(sample);
}
