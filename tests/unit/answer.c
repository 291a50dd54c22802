/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker says, checked against the tables of its source: every type, every lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/answer.h"
#include "agent/cell.h"
#include "agent/wire.h"
#include "base/cleanup.h"

static const char *const speeds[] = {"SDR", "DDR", "QDR", NULL};

static const struct rs_fact facts[] = {
	{"text", RS_TEXT},
	{"integer", RS_INTEGER},
	{"unsigned", RS_UNSIGNED},
	{"number", RS_NUMBER},
	{"boolean", RS_BOOLEAN},
	{"enum", RS_ENUM, RS_F_ORDERED, .choices = speeds},
	{"guid", RS_GUID},
	{"gid", RS_GID},
	{"ip", RS_IP},
	{"quantity", RS_QUANTITY, .unit = "Gb/s"},
	{"time", RS_TIME},
	{"texts", RS_TEXT, RS_F_LIST},
	{"enums", RS_ENUM, RS_F_LIST, .choices = speeds},
	{NULL},
};

static const struct rs_fact short_facts[] = {
	{"port", RS_INTEGER, RS_F_KEY},
	{"speed", RS_ENUM, .choices = speeds},
	{NULL},
};

static const struct rs_probe probes[] = {
	{.name = "test.links", .facts = short_facts},
	{.name = "test.nodes", .facts = short_facts},
};
static const struct rs_source source = {.name = "test.sweep", .probes = probes, .nprobes = 2};
static const struct rs_plugin plugin = {.name = "test", .version = "1.0"};

/* ---- Cells ---- */

static const struct rs_fact *fact_of(const char *name)
{
	const struct rs_fact *fact = facts;

	while (strcmp(fact->name, name))
		fact++;
	return fact;
}

/* The whole of @json is one cell; what follows it is for whoever reads the row. */
static int read_below(const char *name, const char *json, const struct value *above, struct arena *arena,
		      struct value *value, char **why)
{
	struct scan scan = {0};
	int rc;

	scan_begin(&scan, json, strlen(json));
	rc = cell_read(fact_of(name), &scan, above, arena, value, why);
	if (rc == 0)
		assert_ptr_equal(scan.at, scan.end);
	scan_free(&scan);
	return rc;
}

static int read_cell(const char *name, const char *json, struct arena *arena, struct value *value, char **why)
{
	return read_below(name, json, NULL, arena, value, why);
}

/* What a cell shares with the one above is told by its pointer; that it says what was sent, by what reports show. */
static void test_shared_cells(void **state)
{
	static const struct {
		const char *fact, *above, *json, *shown;
		bool shared;
	} cells[] = {
		{"text", "\"leaf-1\"", "\"leaf-1\"", "leaf-1", true},
		{"text", "\"leaf-1\"", "\"leaf-2\"", "leaf-2", false},
		{"text", "\"leaf-1\"", "\"leaf-\"", "leaf-", false},
		{"text", "null", "\"\"", "", false},
		{"text", "{\"unknown\":\"7\"}", "\"7\"", "7", false},
		{"quantity", "\"200\"", "\"200\"", "200 Gb/s", true},
		{"enums", "[\"SDR\",\"QDR\"]", "[\"SDR\",\"QDR\"]", "[SDR, QDR]", true},
		{"enums", "[\"SDR\",\"QDR\"]", "[\"QDR\",\"SDR\"]", "[QDR, SDR]", false},
		{"enums", "[\"SDR\",\"QDR\"]", "[\"SDR\"]", "[SDR]", false},
		{"enums", "[]", "[\"SDR\"]", "[SDR]", false},
		{"enums", "null", "[\"SDR\"]", "[SDR]", false},
		{"enums", "[{\"unknown\":\"code 64\"}]", "[{\"unknown\":\"code 64\"}]", "[code 64]", false},
		{"texts", "[\"a\"]", "[\"a\"]", "[a]", false},
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct value above, value;
		struct arena arena = {0};
		AUTO_BUF struct buf shown = {0};
		AUTO_FREE char *why = NULL;

		assert_int_equal(read_cell(cells[i].fact, cells[i].above, &arena, &above, &why), 0);
		assert_int_equal(read_below(cells[i].fact, cells[i].json, &above, &arena, &value, &why), 0);
		value_write(&shown, value_type_of_fact(fact_of(cells[i].fact)), &value);
		assert_string_equal(shown.data ? shown.data : "", cells[i].shown);
		assert_int_equal(value.text == above.text, cells[i].shared);
		arena_free(&arena);
	}
}

static void test_cells(void **state)
{
	/* Each as reports show it: value_write() is of another room, and has tests of its own. */
	static const struct {
		const char *fact, *json, *shown;
	} cells[] = {
		{"text", "\"a b\"", "a b"},
		{"text", "\"a\\\\\\\\b\\\\xff\"", "a\\b\xff"},
		{"text", "\"\"", ""},
		{"text", "[]", "none"},
		{"text", "null", "not observed"},
		{"text", "{\"unknown\":\"code 7\"}", "code 7"},
		{"integer", "-9223372036854775808", "-9223372036854775808"},
		{"integer", "9223372036854775807", "9223372036854775807"},
		{"unsigned", "\"18446744073709551615\"", "18446744073709551615"},
		{"unsigned", "\"0\"", "0"},
		{"number", "\"-0.5e3\"", "-0.5e3"},
		{"boolean", "true", "true"},
		{"boolean", "false", "false"},
		{"enum", "\"QDR\"", "QDR"},
		{"guid", "\"0x0002c9030045f121\"", "0x0002c9030045f121"},
		{"gid", "\"fe80:0:0:0:2:c903:45:f121\"", "fe80::2:c903:45:f121"},
		{"ip", "\"192.0.2.1\"", "192.0.2.1"},
		{"ip", "\"::1\"", "::1"},
		{"quantity", "\"179.930\"", "179.930 Gb/s"},
		{"time", "0", "1970-01-01T00:00:00Z"},
		{"texts", "[\"a\",\"b\"]", "[a, b]"},
		{"texts", "[]", "none"},
		{"texts", "[\"a\",{\"unknown\":\"b\"}]", "[a, b]"},
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		AUTO_ARENA struct arena arena = {0};
		AUTO_BUF struct buf shown = {0};
		AUTO_FREE char *why = NULL;
		struct value value;

		assert_int_equal(read_cell(cells[i].fact, cells[i].json, &arena, &value, &why), 0);
		value_write(&shown, value_type_of_fact(fact_of(cells[i].fact)), &value);
		buf_puts(&shown, "");
		assert_string_equal(shown.data, cells[i].shown);
	}
}

static void test_cell_reason(void **state)
{
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;
	struct value value;

	assert_int_equal(read_cell("integer", "{\"why\":\"no umad\"}", &arena, &value, &why), 0);
	assert_int_equal(value.state, VALUE_NOT_OBSERVED);
	assert_string_equal(value.text, "no umad");
	assert_int_equal(read_cell("integer", "null", &arena, &value, &why), 0);
	assert_int_equal(value.state, VALUE_NOT_OBSERVED);
	assert_null(value.text);
}

static void test_cells_refused(void **state)
{
	static const struct {
		const char *fact, *json, *why;
	} cells[] = {
		{"text", "1", "is not a string"},
		{"text", "[\"a\"]", "is not a single value"},
		{"text", "\"\\\\q\"", "is not a text in the escape form"},
		{"text", "{\"unknown\":1}", "is not a cell of the wire format"},
		{"text", "{\"unknown\":\"a\",\"why\":\"b\"}", "is not a cell of the wire format"},
		{"text", "{}", "is not a cell of the wire format"},
		{"integer", "\"1\"", "is not a whole number"},
		{"integer", "1.0", "is not a whole number"},
		{"integer", "true", "is not a whole number"},
		{"unsigned", "1", "is not a string"},
		{"unsigned", "\"18446744073709551616\"",
		 "is '18446744073709551616', which is no unsigned 64-bit number"},
		{"unsigned", "\"-1\"", "is '-1', which is no unsigned 64-bit number"},
		{"unsigned", "\"\"", "is '', which is no unsigned 64-bit number"},
		{"unsigned", "\"007\"", "is '007', which is no unsigned 64-bit number"},
		{"number", "2.5", "is not a string"},
		{"number", "\"nan\"", "is 'nan', which is no decimal number"},
		{"number", "\"inf\"", "is 'inf', which is no decimal number"},
		{"number", "\"1 \"", "is '1 ', which is no decimal number"},
		{"number", "\"0x10\"", "is '0x10', which is no decimal number"},
		{"number", "\"1\\\\x00\"", NULL},
		{"boolean", "1", "is not a boolean"},
		{"boolean", "\"true\"", "is not a boolean"},
		{"enum", "\"qdr\"", "is 'qdr', which is none of SDR, DDR, QDR"},
		{"enum", "2", "is not a string"},
		{"enum", "\"QDR\\\\x00\"", NULL},
		{"guid", "\"0x0002c903\"", "is '0x0002c903', which is no GUID"},
		{"guid", "\"0x0002C9030045F121\"", "is '0x0002C9030045F121', which is no GUID"},
		{"guid", "\"0002:c903:0045:f121\"", "is '0002:c903:0045:f121', which is no GUID"},
		{"gid", "\"192.0.2.1\"", "is '192.0.2.1', which is no GID"},
		{"gid", "\"fe80::1\\\\x00\"", NULL},
		{"ip", "\"192.0.2\"", "is '192.0.2', which is no IP address"},
		{"ip", "\"localhost\"", "is 'localhost', which is no IP address"},
		{"quantity", "\"180 Gb/s\"", "is '180 Gb/s', which is no decimal number"},
		{"time", "\"2026-01-01\"", "is not a whole number"},
		{"texts", "\"a\"", "is not a list"},
		{"texts", "[\"a\",1]", "is not a string"},
		{"texts", "[[\"a\"]]", "is not a string"},
		{"texts", "[null]", "is not a string"},
		{"texts", "[{\"why\":\"a\"}]", "is not a cell of the wire format"},
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		AUTO_ARENA struct arena arena = {0};
		AUTO_FREE char *why = NULL;
		struct value value;

		assert_true(read_cell(cells[i].fact, cells[i].json, &arena, &value, &why) < 0);
		assert_non_null(why);
		if (cells[i].why)
			assert_string_equal(why, cells[i].why);
	}
}

/* ---- Conversations ---- */

/* What follows the id, one message a string; the observation that comes of it. */
static struct observation *converse(const char *const *words, const char *cause)
{
	struct answer answer;

	answer_begin(&answer, &source, &plugin, 1, "node-01", "{}");
	for (; *words; words++) {
		AUTO_FREE char *line = xasprintf("{\"id\":1,%s}", *words);

		answer_take(&answer, line, strlen(line));
	}
	return answer_end(&answer, cause);
}

#define BEGIN "\"begin\":{\"plugin\":\"test\",\"version\":\"1.0\"}"
#define TABLE "\"table\":{\"probe\":\"test.links\",\"facts\":[\"port\",\"speed\"]}"

static void test_answer(void **state)
{
	static const char *const words[] = {
		BEGIN,
		TABLE,
		"\"rows\":[\"test.links\",[1,\"SDR\"],[2,[]]]",
		"\"note\":\"a note\"",
		"\"rows\":[\"test.links\",[3,null]]",
		"\"rows\":[\"test.links\"]",
		"\"incomplete\":\"2 of 3 answered\"",
		"\"evidence\":[\"tool\",\"half a \"]",
		"\"evidence\":[\"tool\",\"line\\u000a\"]",
		"\"end\":{\"test.links\":3}",
		NULL,
	};
	struct observation *observation = converse(words, NULL);
	const struct table *table = observation->tables[0];

	assert_null(observation->error);
	assert_string_equal(observation->host, "node-01");
	assert_non_null(table);
	assert_null(observation->tables[1]);
	assert_int_equal(table->rows, 3);
	assert_int_equal(table_row(table, 1)[0].integer, 2);
	assert_int_equal(table_row(table, 0)[1].integer, 0);
	assert_int_equal(table_row(table, 1)[1].state, VALUE_NONE);
	assert_int_equal(table_row(table, 2)[1].state, VALUE_NOT_OBSERVED);
	assert_int_equal(observation->notes.count, 1);
	assert_string_equal(observation->incomplete, "2 of 3 answered");
	assert_int_equal(observation->nevidence, 1);
	assert_string_equal(observation->evidence[0].head.data, "half a line\n");
	observation_unref(observation);
}

static void test_plugin_error(void **state)
{
	static const struct {
		const char *name;
		int reason;
	} reasons[] = {{"failed", RS_FAILED}, {"unsupported", RS_UNSUPPORTED}, {"denied", RS_DENIED},
		       {"absent", RS_ABSENT}, {"timed out", RS_TIMED_OUT},     {"invalid", RS_INVALID}};

	for (size_t i = 0; i < 6; i++) {
		AUTO_FREE char *error = xasprintf("\"error\":[\"%s\",\"no such device\"]", reasons[i].name);
		const char *const words[] = {BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"]]", error, NULL};
		struct observation *observation = converse(words, NULL);

		assert_string_equal(observation->error, "no such device");
		assert_int_equal(observation->reason, reasons[i].reason);
		assert_null(observation->tables[0]);
		observation_unref(observation);
	}
}

#define NO_JSON(byte) "the worker sent a message that was refused: it is no valid JSON ('rows', byte " byte ")"

static void test_lies(void **state)
{
	static const struct {
		const char *words[6];
		const char *error;
	} lies[] = {
		{{NULL}, "the worker ended without an answer"},
		{{BEGIN, TABLE}, "the worker ended without an answer"},
		{{TABLE}, "the worker sent 'table' ahead of its beginning"},
		{{BEGIN, BEGIN}, "the worker sent a malformed message 'begin'"},
		{{"\"begin\":{\"plugin\":\"other\",\"version\":\"1\"}"},
		 "the worker loaded a plugin 'other' instead of 'test'"},
		{{BEGIN, TABLE, TABLE}, "the worker sent the same table twice"},
		{{BEGIN, "\"table\":{\"probe\":\"test.nodes\",\"facts\":[\"port\",\"speed\"]}"},
		 "the worker sent a malformed message 'table'"},
		{{BEGIN, "\"table\":{\"probe\":\"test.links\",\"facts\":[\"port\"]}"},
		 "the worker's plugin (version 1.0, here 1.0) has other facts for test.links: speed"},
		{{BEGIN, "\"table\":{\"probe\":\"test.links\",\"facts\":[\"speed\",\"port\"]}"},
		 "the worker's plugin (version 1.0, here 1.0) has other facts for test.links: speed"},
		{{BEGIN, "\"table\":{\"probe\":\"test.links\",\"facts\":[\"port\",\"speed\",\"lid\"]}"},
		 "the worker's plugin (version 1.0, here 1.0) has other facts for test.links: lid"},
		{{BEGIN, "\"rows\":[\"test.links\",[1,\"SDR\"]]"},
		 "the worker sent rows of a table that it had not begun"},
		{{BEGIN, TABLE, "\"rows\":[\"test.nodes\",[1,\"SDR\"]]"},
		 "the worker sent rows of a table that it had not begun"},
		{{BEGIN, TABLE, "\"rows\":[]"}, "the worker sent rows of a table that it had not begun"},
		{{BEGIN, TABLE, "\"rows\":{}"}, "the worker sent rows of a table that it had not begun"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"],[2]]"},
		 "the worker sent a table that does not match its facts: row 2 of test.links has not 2 cells"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"],{}]"},
		 "the worker sent a table that does not match its facts: row 2 of test.links has not 2 cells"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"],[2,\"fastt\"]]"},
		 "the worker sent a table that does not match its facts: in row 2 of test.links, speed is 'fastt', "
		 "which is none of SDR, DDR, QDR"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\",3]]"},
		 "the worker sent a table that does not match its facts: row 1 of test.links has not 2 cells"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[]]"},
		 "the worker sent a table that does not match its facts: row 1 of test.links has not 2 cells"},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"],]"}, NO_JSON("25")},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1 \"SDR\"]]"}, NO_JSON("18")},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"]"}, NO_JSON("24")},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[1,\"SDR\"]]]"}, NO_JSON("25")},
		{{BEGIN, TABLE, "\"rows\":[\"test.links\",[01,\"SDR\"]]"},
		 "the worker sent a table that does not match its facts: in row 1 of test.links, port is not a whole "
		 "number"},
		{{BEGIN, TABLE, "\"end\":{\"test.links\":1}"}, "the worker sent 0 of 1 rows of test.links"},
		{{BEGIN, TABLE, "\"end\":{}"}, "the worker sent a malformed message 'end'"},
		{{BEGIN, TABLE, "\"end\":{\"test.links\":0,\"test.nodes\":0}"},
		 "the worker sent a malformed message 'end'"},
		{{BEGIN, TABLE, "\"end\":{\"test.nodes\":0}"}, "the worker sent a malformed message 'end'"},
		{{BEGIN, "\"end\":{\"test.links\":0}"}, "the worker sent a malformed message 'end'"},
		{{BEGIN, TABLE, "\"end\":{\"test.links\":0}", "\"note\":\"late\""},
		 "the worker went on after the end of its answer"},
		{{BEGIN, TABLE, "\"end\":{\"test.links\":0}", "\"end\":{\"test.links\":0}"},
		 "the worker went on after the end of its answer"},
		{{BEGIN, "\"error\":[\"bored\",\"a\"]"}, "the worker sent a malformed message 'error'"},
		{{BEGIN, "\"error\":\"a\""}, "the worker sent a malformed message 'error'"},
		{{BEGIN, "\"note\":7"}, "the worker sent a malformed message 'note'"},
		{{BEGIN, "\"evidence\":[\"tool\"]"}, "the worker sent a malformed message 'evidence'"},
		{{BEGIN, "\"evidence\":[\"tool\",\"a\",5]"}, "the worker sent a malformed message 'evidence'"},
		{{BEGIN, "\"evidence\":[\"tool\",\"a\"]", "\"evidence\":[\"tool\",\"a\",5]"},
		 "the worker sent a malformed message 'evidence'"},
		{{BEGIN, "\"evidence\":[\"tool\",\"a\"]", "\"evidence\":[\"tool\",\"a\",-5]"},
		 "the worker sent a malformed message 'evidence'"},
		{{BEGIN, "\"verdict\":\"pass\""}, "the worker sent an unknown message 'verdict'"},
		{{"\"failed\":\"there is no plugin 'test'\""}, "there is no plugin 'test'"},
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct observation *observation = converse(lies[i].words, NULL);

		assert_non_null(observation->error);
		assert_string_equal(observation->error, lies[i].error);
		assert_int_equal(observation->reason, 0);
		assert_null(observation->tables[0]);
		observation_unref(observation);
	}
}

static void test_cause(void **state)
{
	static const char *const words[] = {BEGIN, TABLE, "\"note\":\"kept\"", "\"end\":{\"test.links\":0}", NULL};
	struct observation *observation = converse(words, "the worker was killed by signal 11 (Segmentation fault)");

	/* However good its answer looked. What it noted on the way may help. */
	assert_string_equal(observation->error, "the worker was killed by signal 11 (Segmentation fault)");
	assert_null(observation->tables[0]);
	assert_int_equal(observation->notes.count, 1);
	observation_unref(observation);
}

static void test_other_version(void **state)
{
	static const char *const words[] = {"\"begin\":{\"plugin\":\"test\",\"version\":\"2.0\"}",
					    "\"table\":{\"probe\":\"test.links\",\"facts\":[\"port\",\"lid\"]}", NULL};
	struct observation *observation = converse(words, NULL);

	assert_string_equal(observation->error,
			    "the worker's plugin (version 2.0, here 1.0) has other facts for test.links: lid");
	observation_unref(observation);
}

static void test_left_out_evidence(void **state)
{
	AUTO_BUF struct buf head = {0};
	struct observation *observation;

	buf_puts(&head, "\"evidence\":[\"tool\",\"");
	for (int i = 0; i < EVIDENCE_KEPT; i++)
		buf_putc(&head, 'h');
	buf_puts(&head, "\"]");
	const char *const words[] = {
		BEGIN,
		TABLE,
		head.data,
		"\"evidence\":[\"tool\",\"ta\",1000]",
		"\"evidence\":[\"tool\",\"il\"]",
		"\"end\":{\"test.links\":0}",
		NULL,
	};
	observation = converse(words, NULL);
	assert_null(observation->error);
	assert_int_equal(observation->evidence[0].head.length, EVIDENCE_KEPT);
	assert_string_equal(observation->evidence[0].tail.data, "tail");
	assert_int_equal(observation->evidence[0].total, EVIDENCE_KEPT + 1000 + 4);
	observation_unref(observation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),	      cmocka_unit_test(test_shared_cells),
		cmocka_unit_test(test_cell_reason),   cmocka_unit_test(test_cells_refused),
		cmocka_unit_test(test_answer),	      cmocka_unit_test(test_plugin_error),
		cmocka_unit_test(test_lies),	      cmocka_unit_test(test_cause),
		cmocka_unit_test(test_other_version), cmocka_unit_test(test_left_out_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
