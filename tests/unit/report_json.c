/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The JSON report, read back with jansson. With "--write KIND" the test is a program that prints a report, for
 * report_schema.py to hold against the published schema.
 */
#include <ctype.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "report/report.h"
#include "report_sample.h"

static char path[] = "/tmp/rdmaspec-json-XXXXXX";

static char *text_of(const struct sample *sample)
{
	struct report_target target = {.kind = REPORT_JSON, .path = path};
	AUTO_DIAG struct diag diag = {0};
	struct buf text = {0};
	FILE *file;
	int c;

	if (report_write(&target, &sample->result, NULL, &diag) < 0)
		fail_msg("%s", diag.text);
	file = fopen(path, "r");
	while ((c = getc(file)) != EOF)
		buf_putc(&text, (char)c);
	fclose(file);
	return buf_take(&text);
}

static json_t *report_of(const struct sample *sample)
{
	AUTO_FREE char *text = text_of(sample);
	json_error_t error;
	json_t *report = json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);

	if (!report)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	return report;
}

/* "scenarios.0.steps.1" */
static json_t *at(json_t *value, const char *where)
{
	AUTO_FREE char *words = xstrdup(where);
	char *rest = NULL;

	for (char *word = strtok_r(words, ".", &rest); word; word = strtok_r(NULL, ".", &rest))
		value = isdigit((unsigned char)*word) ? json_array_get(value, (size_t)atoi(word))
						      : json_object_get(value, word);
	return value;
}

static void holds(json_t *value, const char *where, const char *expected)
{
	json_t *found = at(value, where);

	if (!found)
		fail_msg("there is no %s", where);
	AUTO_FREE char *text = json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));

	assert_string_equal(text, expected);
}

static void test_head(void **state)
{
	struct sample sample;
	json_t *report;

	sample_everything(&sample);
	report = report_of(&sample);
	holds(report, "format", "\"rdmaspec.result\"");
	holds(report, "format_version", "1");
	holds(report, "host", "\"head-1\"");
	holds(report, "simulated", "\"rack.topo\"");
	holds(report, "started", "\"2027-01-15T08:00:00.000Z\""); /* date -u -d @1800000000 */
	holds(report, "seconds", "3.2");
	holds(report, "exit_status", "1");
	holds(report, "signal", "null");
	holds(report, "notes", "[\"node-02: plugin ib is 0.0.9, here 0.1.0\"]");
	/* passes: 3 of sm, 3 of ports, bw, waived, the other file's; fails: links, hostile, and the warning */
	holds(report, "counts",
	      "{\"passed\":9,\"failed\":3,\"errors\":1,\"skipped\":1,\"waived\":1,\"gating_judged\":11,"
	      "\"steps_not_selected\":0}");
	holds(report, "scenarios.0.files.1.path", "\"common/subnet.yaml\"");
	holds(report, "scenarios.0.files.1.bytes", "200");
	holds(report, "scenarios.1.files.0.sha256",
	      "\"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc\"");
	assert_int_equal(json_array_size(at(report, "scenarios.0.steps")), 9);
	assert_int_equal(json_array_size(at(report, "scenarios.1.steps")), 1);
	json_decref(report);
	sample_free(&sample);
}

static void test_cases(void **state)
{
	struct sample sample;
	json_t *report, *links, *bw;

	sample_everything(&sample);
	report = report_of(&sample);
	links = at(report, "scenarios.0.steps.1");
	holds(links, "id", "null");
	holds(links, "place", "{\"file\":\"rack12.yaml\",\"line\":11,\"column\":5}");
	holds(links, "cases.0.verdict", "\"fail\"");
	holds(links, "cases.0.attempts.0.rows_observed", "3");
	holds(links, "cases.0.attempts.0.rows_kept", "2");
	holds(links, "cases.0.attempts.0.findings.1",
	      "{\"verdict\":\"fail\",\"sentence\":\"leaf-3 port 18 → node-041: speed is QDR, expected HDR or NDR\","
	      "\"row\":\"leaf-3 port 18 → node-041\",\"row_number\":2,\"fact\":\"speed\",\"expected\":\"HDR or NDR\","
	      "\"observed\":\"QDR\",\"place\":{\"file\":\"rack12.yaml\",\"line\":24,\"column\":41}}");
	/* Only the rows that "where" kept, with their numbers in the table. */
	assert_int_equal(json_array_size(at(links, "cases.0.attempts.0.rows")), 2);
	holds(links, "cases.0.attempts.0.rows.0.row", "1");
	holds(links, "cases.0.attempts.0.rows.1.row", "2");

	bw = at(report, "scenarios.0.steps.3.cases.0");
	holds(bw, "run", "2");
	holds(bw, "attempts.0.verdict", "\"fail\"");
	holds(bw, "attempts.1.verdict", "\"pass\"");
	holds(bw, "attempts.1.sentence", "null");
	holds(report, "scenarios.0.steps.4.cases.0.attempts", "[]");
	holds(report, "scenarios.0.steps.4.cases.0.reason", "\"step 'links' did not pass\"");
	holds(report, "scenarios.0.steps.5.cases.0.verdict", "\"waived\"");
	holds(report, "scenarios.0.steps.5.cases.0.judged", "\"fail\"");
	holds(report, "scenarios.0.steps.6.severity", "\"warning\"");
	holds(report, "scenarios.0.steps.6.cases.0.gating", "false");
	holds(report, "scenarios.1.steps.0.observe_only", "true");
	json_decref(report);
	sample_free(&sample);
}

/* An observation that several cases judged is written once. */
static void test_observations(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct result_case *first, *second;
	json_t *report;

	sample_open(&sample);
	step = sample_step(&sample, 0, "a", NULL);
	first = sample_case(&sample, step, "node-01", VERDICT_ERROR);
	sample_observation(first)->error = xstrdup("no permission");
	sample_observation(first)->reason = RS_DENIED;
	sample_observation(first)->log = xstrdup("last words");
	observation_add_evidence(sample_observation(first), "stdout", "abc", 3);
	strings_add(&sample_observation(first)->notes, "a note");
	second = sample_case(&sample, sample_step(&sample, 0, "b", NULL), "node-01", VERDICT_ERROR);
	observation_unref(second->attempts[0].observation);
	second->attempts[0].observation = observation_ref(sample_observation(&step->cases[0]));
	sample_count(&sample);
	report = report_of(&sample);
	holds(report, "scenarios.0.steps.0.cases.0.attempts.0.observation", "0");
	holds(report, "scenarios.0.steps.1.cases.0.attempts.0.observation", "0");
	holds(report, "scenarios.0.steps.1.cases.0.attempts.0.sentence", "\"no permission\"");
	holds(report, "observations",
	      "[{\"host\":\"node-01\",\"server\":null,\"source\":\"fabric.sweep\",\"parameters\":{\"port\":\"1\"},"
	      "\"started\":\"2027-01-15T08:00:00.250Z\",\"seconds\":0.01,"
	      "\"error\":{\"reason\":\"denied\",\"text\":\"no permission\"},\"incomplete\":null,\"notes\":[\"a note\"],"
	      "\"evidence\":[{\"name\":\"stdout\",\"bytes\":3,\"head\":\"abc\"}],\"log\":\"last words\"}]");
	holds(report, "exit_status", "2");
	json_decref(report);
	sample_free(&sample);
}

static void test_evidence_cut(void **state)
{
	AUTO_FREE char *bytes = xmalloc(3 * EVIDENCE_KEPT);
	struct sample sample;
	struct result_case *item;
	json_t *report;

	memset(bytes, 'h', 2 * EVIDENCE_KEPT);
	memset(bytes + 2 * EVIDENCE_KEPT, 't', EVIDENCE_KEPT);
	sample_open(&sample);
	item = sample_case(&sample, sample_step(&sample, 0, "a", NULL), "", VERDICT_PASS);
	observation_add_evidence(sample_observation(item), "stdout", bytes, 3 * EVIDENCE_KEPT);
	sample_count(&sample);
	report = report_of(&sample);
	holds(report, "observations.0.evidence.0.bytes", "786432"); /* 3 * 256 * 1024 */
	assert_int_equal(json_string_length(at(report, "observations.0.evidence.0.head")), EVIDENCE_KEPT);
	assert_int_equal(json_string_length(at(report, "observations.0.evidence.0.tail")), EVIDENCE_KEPT);
	assert_int_equal(*json_string_value(at(report, "observations.0.evidence.0.tail")), 't');
	json_decref(report);
	sample_free(&sample);
}

static void test_cells(void **state)
{
	static const uint8_t gid[16] = {0xfe, 0x80, [8] = 0, 0x02, 0xc9, 0x03, 0, 0x45, 0xf1, 0x21},
			     ip[4] = {192, 0, 2, 1};
	static const struct value addresses[] = {{.state = VALUE_SET, .length = 4, .address = ip},
						 {.state = VALUE_SET, .length = 16, .address = gid},
						 {.state = VALUE_UNKNOWN, .text = "family 9"}};
	struct sample sample;
	struct result_case *item;
	struct value *row;
	json_t *report, *facts, *table;

	sample_open(&sample);
	item = sample_case(&sample, sample_step(&sample, 0, "a", NULL), "", VERDICT_PASS);
	row = sample_row(item, "leaf", -1, "spine", 5, "53.125000");
	row[F_ERRORS] = (struct value){.state = VALUE_SET, .number = UINT64_MAX};
	row[F_GUID] = (struct value){.state = VALUE_SET, .number = UINT64_C(0x0002c9030045f121)};
	row[F_GID] = (struct value){.state = VALUE_SET, .length = 16, .address = gid};
	row[F_MASK] = (struct value){.state = VALUE_SET, .integer = 255};
	row[F_VLAN] = (struct value){.state = VALUE_NONE};
	row[F_ADDRESSES] = (struct value){.state = VALUE_SET, .length = 3, .items = addresses};
	row[F_UP] = (struct value){.state = VALUE_SET, .integer = 1};
	row[F_SEEN] = (struct value){.state = VALUE_SET, .integer = 1800000000};
	row = sample_row(item, "leaf", 2, "spine", 0, "1");
	row[F_SPEED] = (struct value){.state = VALUE_UNKNOWN, .text = "code 99"};
	row[F_ADDRESSES] = (struct value){.state = VALUE_NONE};
	row[F_UP] = (struct value){.text = "no answer"};
	sample_count(&sample);
	report = report_of(&sample);
	facts = at(report, "scenarios.0.steps.0.cases.0.attempts.0.rows");
	holds(facts, "0",
	      "{\"row\":0,\"facts\":{\"from\":\"leaf\",\"port\":-1,\"to\":\"spine\",\"speed\":\"HDR\","
	      "\"rate\":\"53.125000\",\"errors\":\"18446744073709551615\",\"guid\":\"0x0002c9030045f121\","
	      "\"gid\":\"fe80::2:c903:45:f121\",\"mask\":255,\"vlan\":null,"
	      "\"addresses\":[\"192.0.2.1\",\"fe80::2:c903:45:f121\",\"family 9\"],\"up\":true,\"seen\":1800000000},"
	      "\"unknown\":[\"addresses\"]}");
	holds(facts, "1",
	      "{\"row\":1,\"facts\":{\"from\":\"leaf\",\"port\":2,\"to\":\"spine\",\"speed\":\"code "
	      "99\",\"rate\":\"1\","
	      "\"addresses\":[]},\"unknown\":[\"speed\"],\"not_observed\":{\"errors\":null,\"guid\":null,\"gid\":null,"
	      "\"mask\":null,\"vlan\":\"needs netlink\",\"up\":\"no answer\",\"seen\":null}}");
	holds(report, "probes.0.facts.4",
	      "{\"name\":\"rate\",\"type\":\"quantity\",\"unit\":\"Gb/s\",\"better\":\"higher\"}");

	table = report_table_json(sample_observation(item)->tables[0]);
	holds(table, "probe", "\"fabric.links\"");
	assert_int_equal(json_array_size(at(table, "rows")), 2);
	holds(table, "rows.1.facts.port", "2");
	json_decref(table);
	json_decref(report);
	sample_free(&sample);
}

/* Nothing that a terminal or a page would act on; and the bytes can be had back. */
static void test_hostile(void **state)
{
	static const char original[] = SAMPLE_HOSTILE;
	AUTO_BUF struct buf bytes = {0};
	AUTO_FREE char *text = NULL;
	struct sample sample;
	json_t *report, *from;

	sample_everything(&sample);
	text = text_of(&sample);
	for (const char *c = text; *c; c++)
		assert_true((unsigned char)*c >= 0x20 || *c == '\n');
	assert_null(strpbrk(text, "<>\x7f"));
	assert_null(strstr(text, "\xef\xbf\xbe"));
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_true(utf8_valid(text, strlen(text)));
	assert_non_null(strstr(text, "→")); /* what is harmless stays */

	report = report_of(&sample);
	from = at(report, "scenarios.0.steps.7.cases.0.attempts.0.rows.0.facts.from");
	assert_true(utf8_unescape(&bytes, json_string_value(from), json_string_length(from)));
	assert_int_equal(bytes.length, sizeof(original)); /* the fact holds the NUL too */
	assert_memory_equal(bytes.data, original, sizeof(original));
	json_decref(report);
	sample_free(&sample);
}

static void test_deterministic(void **state)
{
	struct sample sample;
	AUTO_FREE char *first = NULL, *second = NULL;

	sample_everything(&sample);
	first = text_of(&sample);
	second = text_of(&sample);
	assert_string_equal(first, second);
	sample_free(&sample);
}

static void test_interrupted(void **state)
{
	struct sample sample;
	json_t *report;

	sample_open(&sample);
	sample.result.signal = SIGINT;
	sample.plan.filtered = 4;
	report = report_of(&sample);
	holds(report, "signal", "\"SIGINT\"");
	holds(report, "exit_status", "130"); /* 128 + 2 */
	holds(report, "scenarios", "[]");
	holds(report, "counts.steps_not_selected", "4");
	json_decref(report);
	sample_free(&sample);
}

static int print_sample(const char *kind)
{
	struct report_target target = {.kind = REPORT_JSON, .path = "-"};
	struct sample sample;
	int error;

	if (!strcmp(kind, "everything"))
		sample_everything(&sample);
	else
		sample_open(&sample);
	sample.result.signal = !strcmp(kind, "interrupted") ? SIGTERM : 0;
	error = report_write(&target, &sample.result, NULL, NULL);
	sample_free(&sample);
	return error ? 1 : 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),	      cmocka_unit_test(test_cases),
		cmocka_unit_test(test_observations),  cmocka_unit_test(test_evidence_cut),
		cmocka_unit_test(test_cells),	      cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_deterministic), cmocka_unit_test(test_interrupted),
	};
	int fd, failed;

	if (argc == 3 && !strcmp(argv[1], "--write"))
		return print_sample(argv[2]);
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
