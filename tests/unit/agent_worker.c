/* SPDX-License-Identifier: BSD-2-Clause */
/* Observations by a real agent: what a plugin says arrives, and whatever a worker does is an error of that one only. */
#include <poll.h>

#include "agent_lab.h"

static struct lab lab;

static int open_lab(void **state)
{
	lab_open(&lab, NULL, NULL);
	return 0;
}

static int close_lab(void **state)
{
	lab_assert_idle(&lab);
	lab_close(&lab);
	return 0;
}

static void assert_begins(const char *text, const char *beginning)
{
	if (!text || strncmp(text, beginning, strlen(beginning)) != 0)
		fail_msg("'%s' does not begin with '%s'", text ? text : "(nothing)", beginning);
}

/* ---- What a plugin says ---- */

static void test_types(void **state)
{
	/* The defaults that mock.pass declares, and what its facts say of them. */
	static const char *const first[][2] = {
		{"row", "1"},
		{"text", "hello"},
		{"integer", "-7"},
		{"unsigned", "18446744073709551615"},
		{"number", "2.5"},
		{"boolean", "true"},
		{"speed", "HDR"},
		{"guid", "0x0002c9030045f121"},
		{"gid", "fe80::2:c903:45:f121"},
		{"ip", "192.0.2.1"},
		{"size", "65536 B"},
		{"file", "none"},
		{"maybe", "none"},
		{"tags", "none"},
		{"ports", "none"},
		{"seen", "2001-09-09T01:46:41Z"},
		{"bandwidth", "179.9 Gb/s"},
		{"latency", "1.07 us"},
		{"vlan", "100"},
		{"code", "code 42"},
		{"missing", "not observed"},
	};
	const struct observation *observation = lab_observe(&lab, "mock.pass", "{}");

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		assert_string_equal(lab_cell(observation, 0, first[i][0]), first[i][1]);
	assert_string_equal(lab_cell(observation, 1, "integer"), "-6");
	assert_string_equal(lab_cell(observation, 1, "vlan"), "none");
	assert_string_equal(lab_cell(observation, 1, "bandwidth"), "179.8 Gb/s");
	assert_int_equal(observation->tables[0]->rows, 2);
	assert_string_equal(observation->host, "node-01");
	assert_true(observation->seconds > 0 && observation->seconds < 20);
	assert_true(observation->started > 1.7e9);
	assert_null(observation->log);
	assert_string_equal(observation->evidence[0].head.data, "what a tool would have printed\n");
}

static void test_params(void **state)
{
	const struct observation *observation =
		lab_observe(&lab, "mock.pass",
			    "{\"text\":\"\\u001b[31m \\\"quoted\\\" \\\\ "
			    "\xc3\xa9\",\"integer\":\"-1000\",\"unsigned\":\"0\",\"number\":\"-1e3\","
			    "\"boolean\":\"false\",\"speed\":\"NDR\",\"guid\":\"0xffffffffffffffff\",\"gid\":\"::\","
			    "\"ip\":\"2001:db8::1\","
			    "\"size\":\"3 B\",\"file\":\"line\\nline\\n\",\"maybe\":\"5\",\"tags\":[\"a\",\"b\"],"
			    "\"ports\":[{\"number\":\"3\",\"speed\":\"QDR\"},{\"number\":\"4\"}],\"rows\":\"1\"}");

	assert_string_equal(lab_cell(observation, 0, "text"), "\033[31m \"quoted\" \\ \xc3\xa9");
	assert_string_equal(lab_cell(observation, 0, "integer"), "-1000");
	assert_string_equal(lab_cell(observation, 0, "unsigned"), "0");
	assert_string_equal(lab_cell(observation, 0, "number"), "-1000");
	assert_string_equal(lab_cell(observation, 0, "boolean"), "false");
	assert_string_equal(lab_cell(observation, 0, "speed"), "NDR");
	assert_string_equal(lab_cell(observation, 0, "guid"), "0xffffffffffffffff");
	assert_string_equal(lab_cell(observation, 0, "gid"), "::");
	assert_string_equal(lab_cell(observation, 0, "ip"), "2001:db8::1");
	assert_string_equal(lab_cell(observation, 0, "size"), "3 B");
	assert_string_equal(lab_cell(observation, 0, "file"), "line\nline\n");
	assert_string_equal(lab_cell(observation, 0, "maybe"), "5");
	assert_string_equal(lab_cell(observation, 0, "tags"), "[a, b]");
	assert_string_equal(lab_cell(observation, 0, "ports"), "[3, 4]");
	assert_string_equal(lab_cell(observation, 0, "speeds"), "[QDR, HDR]");
}

static void test_bad_params(void **state)
{
	assert_begins(lab_observe(&lab, "mock.pass", "{\"integer\":\"1001\"}")->error, "the parameters of mock.pass: ");
	assert_begins(lab_observe(&lab, "mock.pass", "{\"nonsense\":\"1\"}")->error, "the parameters of mock.pass: ");
	assert_begins(lab_observe(&lab, "mock.pass", "{")->error, "the parameters of mock.pass: ");
}

static void test_long_params(void **state)
{
	AUTO_BUF struct buf params = {0};
	const struct observation *observation;

	buf_puts(&params, "{\"file\":\"");
	for (int i = 0; i < 900000; i++)
		buf_putc(&params, (char)('a' + i % 26));
	buf_puts(&params, "\",\"rows\":\"1\"}");
	observation = lab_observe(&lab, "mock.pass", params.data);
	assert_int_equal(strlen(lab_cell(observation, 0, "file")), 900000);
	assert_memory_equal(lab_cell(observation, 0, "file"), params.data + 9, 900000);
}

static void test_wanted(void **state)
{
	AUTO_FREE char *why = NULL;
	struct link_request request = {.params = "{}", .timeout_ms = 20000};
	const struct observation *ports, *both;

	request.source = registry_source(lab.registry, "mock.sweep", &why);
	request.wanted = 2;
	ports = lab_wait(&lab, lab_ask_for(&lab, &request));
	assert_null(ports->error);
	assert_null(ports->tables[0]);
	/* Three nodes, two ports each */
	assert_int_equal(ports->tables[1]->rows, 6);
	request.wanted = 3;
	both = lab_wait(&lab, lab_ask_for(&lab, &request));
	assert_int_equal(both->tables[0]->rows, 3);
	assert_int_equal(both->tables[1]->rows, 6);
	/* One worker filled both, and it was not the one of before. */
	assert_int_equal(table_row(both->tables[0], 0)[1].integer, table_row(both->tables[1], 0)[2].integer);
	assert_int_not_equal(table_row(both->tables[0], 0)[1].integer, table_row(ports->tables[1], 0)[2].integer);
}

static void test_no_rows(void **state)
{
	const struct observation *observation = lab_observe(&lab, "mock.table", "{}");

	assert_null(observation->error);
	assert_non_null(observation->tables[0]);
	assert_int_equal(observation->tables[0]->rows, 0);
}

static void test_plugin_errors(void **state)
{
	const struct observation *observation =
		lab_observe(&lab, "mock.error",
			    "{\"reason\":\"denied\",\"text\":\"no access to /dev/infiniband/umad0\","
			    "\"log\":\"one\\ntwo\\n\",\"rows\":\"5000\"}");

	assert_string_equal(observation->error, "no access to /dev/infiniband/umad0");
	assert_int_equal(observation->reason, RS_DENIED);
	assert_string_equal(observation->log, "one\ntwo");
	assert_null(observation->tables[0]);
}

static void test_log_is_bounded(void **state)
{
	AUTO_BUF struct buf params = {0}, expected = {0};

	buf_puts(&params, "{\"log\":\"");
	for (int i = 0; i < 5000; i++)
		buf_printf(&params, "line %d\\n", i);
	buf_puts(&params, "\"}");
	for (int i = 4980; i < 5000; i++)
		buf_printf(&expected, "%sline %d", i > 4980 ? "\n" : "", i);
	assert_string_equal(lab_observe(&lab, "mock.error", params.data)->log, expected.data);
}

static void test_partial(void **state)
{
	const struct observation *observation = lab_observe(&lab, "mock.partial", "{}");

	assert_null(observation->error);
	assert_string_equal(observation->incomplete, "2 of 3 nodes did not answer");
	assert_int_equal(observation->notes.count, 1);
	assert_string_equal(observation->notes.items[0], "node 2 did not answer");
	assert_int_equal(observation->tables[0]->rows, 1);
}

/* Line number N of mock.evidence is N * 16 in fifteen digits. */
static void assert_evidence(size_t size)
{
	AUTO_FREE char *params = xasprintf("{\"size\":\"%zu B\"}", size);
	const struct observation *observation = lab_observe(&lab, "mock.evidence", params);
	const struct evidence *evidence = observation->evidence;
	size_t kept = 2 * EVIDENCE_KEPT < size ? 2 * EVIDENCE_KEPT : size, at = 0;
	AUTO_BUF struct buf all = {0};

	assert_null(observation->error);
	assert_int_equal(observation->nevidence, 1);
	assert_int_equal(evidence->total, size);
	assert_int_equal(evidence->head.length + evidence->tail.length, kept);
	buf_add(&all, evidence->head.data, evidence->head.length);
	buf_add(&all, evidence->tail.data, evidence->tail.length);
	for (size_t i = 0; i < kept; i++) {
		char line[32];

		at = kept < size && i >= EVIDENCE_KEPT ? size - (kept - i) : i;
		snprintf(line, sizeof(line), "%015zu\n", at / 16 * 16);
		assert_int_equal(all.data[i], line[at % 16]);
	}
	assert_int_equal(at, size - 1);
}

static void test_evidence(void **state)
{
	static const size_t sizes[] = {1,
				       1000,
				       EVIDENCE_KEPT - 1,
				       EVIDENCE_KEPT,
				       EVIDENCE_KEPT + 1,
				       2 * EVIDENCE_KEPT,
				       2 * EVIDENCE_KEPT + 1,
				       3 * EVIDENCE_KEPT,
				       5 * EVIDENCE_KEPT + 7};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_evidence(sizes[i]);
}

static void test_hostile(void **state)
{
	/* As plugins/mock/texts.c sets them: not a byte is lost or changed. */
	static const struct {
		size_t row, length;
		const char *text;
	} texts[] = {
		{0, 12, "\033[31mred\033[0m"}, {7, 12, "before\0after"}, {8, 3, "]]>"}, {12, 3, "\xef\xbf\xbe"},
		{13, 3, "\xed\xa0\x80"},       {15, 7, "M\xfcnchen"},	 {22, 0, ""},
	};
	const struct observation *observation = lab_observe(&lab, "mock.hostile", "{}");

	assert_null(observation->error);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct value *cell = &table_row(observation->tables[0], texts[i].row)[1];

		assert_int_equal(cell->length, texts[i].length);
		assert_memory_equal(cell->text, texts[i].text, texts[i].length + 1);
	}
	assert_string_equal(observation->notes.items[0], "note: \033[31m]]><script>\xff");
	assert_memory_equal(observation->evidence[0].head.data, "\033[31mred\033[0m\n\033]0;owned\007\n", 23);
	assert_non_null(strstr(observation->log, "before?after"));
}

/* ---- Where it is ---- */

static void assert_worker(const struct observation *observation, const char *directory, const char *variable)
{
	AUTO_FREE char *pid = xstrdup(lab_cell(observation, 0, "pid"));
	AUTO_FREE char *agent = xasprintf("%d", (int)lab.link->pid);

	assert_string_equal(lab_cell(observation, 0, "session"), pid);
	assert_string_equal(lab_cell(observation, 0, "group"), pid);
	assert_string_equal(lab_cell(observation, 0, "parent"), agent);
	assert_string_equal(lab_cell(observation, 0, "directory"), directory);
	assert_string_equal(lab_cell(observation, 0, "variable"), variable);
	assert_string_equal(lab_cell(observation, 0, "descriptors"), "[0, 1, 2, 3]");
	assert_string_equal(lab_cell(observation, 0, "stdin"), "/dev/null");
	assert_string_equal(lab_cell(observation, 0, "sysfs"), "/sys");
	assert_string_equal(lab_cell(observation, 0, "recorded"), "false");
}

static void test_places(void **state)
{
	const char *const environment[] = {"SIM_HOST=node \"2\"", "OTHER=", NULL}, *const none[] = {NULL};
	AUTO_FREE char *why = NULL, *here = getcwd(NULL, 0);
	struct link_request request = {.wanted = 1, .params = "{}", .timeout_ms = 20000};

	request.source = registry_source(lab.registry, "mock.worker", &why);
	assert_worker(lab_wait(&lab, lab_ask_for(&lab, &request)), here, "none");
	request.directory = "/usr";
	assert_worker(lab_wait(&lab, lab_ask_for(&lab, &request)), "/usr", "none");
	request.environment = environment;
	assert_worker(lab_wait(&lab, lab_ask_for(&lab, &request)), "/usr", "node \"2\"");
	request.directory = NULL;
	request.environment = none;
	assert_worker(lab_wait(&lab, lab_ask_for(&lab, &request)), here, "none");
	request.directory = "/nowhere";
	assert_string_equal(lab_wait(&lab, lab_ask_for(&lab, &request))->error,
			    "the worker cannot change to its directory: No such file or directory");
}

static void test_executed(void **state)
{
	const char *const environment[] = {"SIM_HOST=x", NULL};
	AUTO_FREE char *why = NULL;
	struct link_request request = {.wanted = 1, .timeout_ms = 400, .environment = environment};
	AUTO_BUF struct buf params = {0};

	/* An exec'd worker goes the same ways: long parameters, a crash, a hang. */
	buf_puts(&params, "{\"file\":\"");
	for (int i = 0; i < 300000; i++)
		buf_putc(&params, 'x');
	buf_puts(&params, "\"}");
	request.source = registry_source(lab.registry, "mock.pass", &why);
	request.params = params.data;
	request.timeout_ms = 20000;
	assert_int_equal(strlen(lab_cell(lab_wait(&lab, lab_ask_for(&lab, &request)), 0, "file")), 300000);
	request.params = "{}";
	request.source = registry_source(lab.registry, "mock.crash", &why);
	assert_string_equal(lab_wait(&lab, lab_ask_for(&lab, &request))->error,
			    "the worker was killed by signal 11 (Segmentation fault)");
	request.timeout_ms = 400;
	request.source = registry_source(lab.registry, "mock.hang", &why);
	assert_string_equal(lab_wait(&lab, lab_ask_for(&lab, &request))->error,
			    "the worker did not answer within 400 ms");
}

static void test_time_left(void **state)
{
	uint64_t id = lab_ask(&lab, "mock.slow", "{\"seconds\":\"0 s\"}", 7000);
	long left = atol(lab_cell(lab_wait(&lab, id), 0, "time_left"));

	assert_in_range(left, 5000, 7000);
}

/* ---- What it must not do ---- */

static void test_crash(void **state)
{
	static const struct {
		const char *params, *error;
	} crashes[] = {
		{"{\"signal\":\"11\"}", "the worker was killed by signal 11 (Segmentation fault)"},
		{"{\"signal\":\"6\"}", "the worker was killed by signal 6 (Aborted)"},
		{"{\"signal\":\"9\"}", "the worker was killed by signal 9 (Killed)"},
		{"{\"signal\":\"15\"}", "the worker was killed by signal 15 (Terminated)"},
	};

	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
		uint64_t id = lab_ask(&lab, "mock.crash", crashes[i].params, 20000);
		const struct observation *observation = lab_wait(&lab, id);

		assert_string_equal(observation->error, crashes[i].error);
		assert_int_equal(observation->reason, 0);
		assert_begins(observation->log, "about to die by signal ");
		assert_true(lab.workers[id] > 0);
		lab_assert_idle(&lab);
	}
}

static void test_exit(void **state)
{
	const struct observation *observation = lab_observe(&lab, "mock.exit", "{}");

	assert_string_equal(observation->error, "the worker exited with status 3 before it had answered");
	assert_string_equal(observation->log, "about to exit");
	assert_string_equal(lab_observe(&lab, "mock.exit", "{\"status\":\"0\"}")->error,
			    "the worker exited with status 0 before it had answered");
	assert_int_equal(lab.workers[1], 0);
}

static void test_hang(void **state)
{
	uint64_t hang = lab_ask(&lab, "mock.hang", "{}", 300), family, pass;
	uint64_t began = uv_hrtime();

	family = lab_ask(&lab, "mock.hang", "{\"children\":\"true\"}", 300);
	pass = lab_ask(&lab, "mock.pass", "{}", 5000);
	/* The others run on meanwhile. */
	assert_null(lab_wait(&lab, pass)->error);
	assert_null(lab.observations[hang]);
	assert_string_equal(lab_wait(&lab, hang)->error, "the worker did not answer within 300 ms");
	assert_string_equal(lab_wait(&lab, family)->error, "the worker did not answer within 300 ms");
	assert_string_equal(lab.observations[hang]->log, "about to hang");
	assert_true(lab.workers[hang] > 0);
	assert_in_range(uv_hrtime() - began, UINT64_C(300000000), UINT64_C(20000000000));
	lab_assert_idle(&lab);
}

static void test_leak(void **state)
{
	static const char *const params[] = {"{}", "{\"stay\":\"false\"}", "{\"children\":\"30\",\"stay\":\"false\"}"};

	for (size_t i = 0; i < 3; i++) {
		const struct observation *observation = lab_observe(&lab, "mock.leak", params[i]);

		assert_begins(observation->error, "the plugin left processes behind: rdmaspec-worker (");
		assert_begins(observation->log, "left ");
		lab_assert_idle(&lab);
	}
}

static void test_leaks_are_told_apart(void **state)
{
	/* While one worker with daemons of its own lives on, another's are ended, and a third is left alone. */
	uint64_t slow = lab_ask(&lab, "mock.slow", "{\"seconds\":\"0.6 s\"}", 5000);
	uint64_t busy = lab_ask(&lab, "mock.leak", "{\"children\":\"5\",\"stay\":\"false\",\"pause\":\"1500\"}", 5000);
	uint64_t quick = lab_ask(&lab, "mock.leak", "{\"children\":\"4\",\"stay\":\"false\"}", 5000);

	lab_wait(&lab, quick);
	assert_null(lab.observations[busy]);
	/* The agent, two workers (or one, where the slow one has ended), and the five of the one that lives: soon. */
	for (int i = 0; i < 100 && lab_processes(&lab) < 7; i++)
		poll(NULL, 0, 10);
	assert_in_range(lab_processes(&lab), 7, 8);
	assert_begins(lab_wait(&lab, busy)->error, "the plugin left processes behind: ");
	assert_null(lab_wait(&lab, slow)->error);
}

static size_t under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}

static void test_flood(void **state)
{
	static const struct {
		const char *params, *error;
	} floods[] = {
		{"{\"stream\":\"stdout\"}", "the worker flooded its standard output: more than 1 MiB"},
		{"{\"stream\":\"stderr\"}", "the worker flooded its standard error: more than 16 MiB"},
		{"{\"stream\":\"notes\"}", "the worker sent more than 2000 notes"},
		{"{\"stream\":\"rows\"}", "the worker sent more than 512 MiB"},
	};

	/* The last takes valgrind minutes. */
	for (size_t i = 0; i < sizeof(floods) / sizeof(floods[0]) - under_valgrind(); i++) {
		const struct observation *observation = lab_observe(&lab, "mock.flood", floods[i].params);

		assert_string_equal(observation->error, floods[i].error);
		assert_true(!observation->log || strlen(observation->log) < 20000);
		lab_assert_idle(&lab);
	}
	/* Talkative is not yet flooding. */
	assert_null(lab_observe(&lab, "mock.flood", "{\"stream\":\"stderr\",\"mebibytes\":\"2\"}")->error);
}

static void test_garbage(void **state)
{
#define REFUSED "the worker sent a message that was refused: "
#define MISMATCH "the worker sent a table that does not match its facts: in row "
	static const char *const lies[][2] = {
		{"half", "the worker's last message was cut short; it exited with status 0"},
		{"half_and_crash", "the worker was killed by signal 6 (Aborted)"},
		{"json", REFUSED "it is no valid JSON"},
		{"utf8", REFUSED "it is no valid JSON"},
		{"escape", "the worker sent a malformed message 'note'"},
		{"nul", REFUSED "it is no valid JSON"},
		{"duplicate", REFUSED "it is no valid JSON"},
		{"extra", REFUSED "it does not consist of an id and one thing about it"},
		{"deep", REFUSED "it is nested deeper than 8 levels"},
		{"unknown", "the worker sent an unknown message 'verdict'"},
		{"done", "the worker sent an unknown message 'done'"},
		{"started", "the worker sent an unknown message 'started'"},
		{"type", MISMATCH "2 of mock.garbage, port is not a whole number"},
		{"choice", MISMATCH "1 of mock.garbage, speed is 'fastt', which is none of SDR, DDR"},
		{"guid", MISMATCH "1 of mock.garbage, guid is '0x123', which is no GUID"},
		{"decimal", MISMATCH "1 of mock.garbage, rate is 'nan', which is no decimal number"},
		{"list", MISMATCH "1 of mock.garbage, list is not a list"},
		{"element",
		 MISMATCH "1 of mock.garbage, list is '18446744073709551616', which is no unsigned 64-bit number"},
		{"object", MISMATCH "1 of mock.garbage, text is not a cell of the wire format"},
		{"length",
		 "the worker sent a table that does not match its facts: row 1 of mock.garbage has not 6 cells"},
		{"no_table", "the worker sent rows of a table that it had not begun"},
		{"facts", "the worker sent the same table twice"},
		{"begin", "the worker sent a malformed message 'begin'"},
		{"count", "the worker sent 0 of 7 rows of mock.garbage"},
		{"late", "the worker went on after the end of its answer"},
		{"status", "the worker answered, but exited with status 5"},
		{"reason", "the worker sent a malformed message 'error'"},
		{"evidence", "the worker sent a malformed message 'evidence'"},
		{"plain", "the worker sent something that is no message of the wire format"},
		{"id", "the worker sent something that is no message of the wire format"},
		{"huge", "the worker sent a message of more than 1048576 bytes"},
		{"endless", "the worker sent a message of more than 1048576 bytes"},
		{"binary", "the worker sent something that is no message of the wire format"},
		{"closed", "the worker exited with status 0 before it had answered"},
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		AUTO_FREE char *params = xasprintf("{\"kind\":\"%s\"}", lies[i][0]);
		uint64_t lie = lab_ask(&lab, "mock.garbage", params, 20000), honest;
		const struct observation *observation;

		/* An honest one beside it is not touched. */
		honest = lab_ask(&lab, "mock.pass", "{}", 20000);
		observation = lab_wait(&lab, lie);
		assert_begins(observation->error, lies[i][1]);
		assert_null(observation->tables[0]);
		assert_string_equal(observation->log, "about to lie");
		assert_null(lab_wait(&lab, honest)->error);
	}
}

static void test_bugs(void **state)
{
#define BUG "a bug of the plugin: "
	static const char *const bugs[][2] = {
		{"type", BUG "rs_set_guid() for fact text of mock.bug, which is of another type"},
		{"fact", BUG "rs_set_integer() for fact number 4000000000, and mock.bug has 6"},
		{"probe", BUG "rs_row_begin() for probe number 32, and mock.bug has 1"},
		{"row", BUG "rs_set_integer() ahead of rs_row_begin()"},
		{"enum", BUG "rs_set_enum() of 2 for fact speed of mock.bug, which has no such choice"},
		{"decimal", BUG "rs_set_decimal() of '12 apples' for fact number 4"},
		{"nan", BUG "rs_set_decimal() of 'nan' for fact number 4"},
		{"null", BUG "rs_set_text() of NULL for fact number 2"},
		{"bytes", BUG "rs_set_bytes() of NULL for fact number 2"},
		{"ip", BUG "rs_set_ip() of address family 999 for fact number 2"},
		{"time", BUG "rs_set_time() for fact port of mock.bug, which is of another type"},
		{"return", BUG "observe() of mock.bug returned -5 without rs_error()"},
		{"reason", BUG "rs_error() with reason 99"},
		{"partial", BUG "rs_incomplete() by mock.bug, which is not marked RS_PARTIAL"},
		{"huge", BUG "a row of mock.bug takes more than 1 MiB"},
		{"list", BUG "rs_set_integer() for fact list of mock.bug, which is of another type"},
		{"evidence", BUG "rs_evidence() without a name or without data"},
	};

	for (size_t i = 0; i < sizeof(bugs) / sizeof(bugs[0]); i++) {
		AUTO_FREE char *params = xasprintf("{\"kind\":\"%s\"}", bugs[i][0]);
		const struct observation *observation = lab_observe(&lab, "mock.bug", params);

		/* "return" breaks another rule besides, but only after: the first counts. */
		if (strcmp(bugs[i][0], "return") != 0)
			assert_string_equal(observation->error, bugs[i][1]);
		else
			assert_begins(observation->error, BUG);
	}
}

static void test_no_plugin(void **state)
{
	static const struct rs_probe probe = {.name = "nosuch.probe"}, other = {.name = "mock.other"};
	static const struct rs_source source = {.name = "nosuch.probe", .probes = &probe, .nprobes = 1};
	static const struct rs_source renamed = {.name = "mock.other", .probes = &other, .nprobes = 1};
	static const struct rs_source moved = {.name = "mock.pass", .probes = &other, .nprobes = 1};
	struct link_request request = {.source = &source, .wanted = 1, .params = "{}", .timeout_ms = 20000};

	assert_begins(lab_wait(&lab, lab_ask_for(&lab, &request))->error, "there is no plugin 'nosuch'");
	request.source = &renamed;
	assert_string_equal(lab_wait(&lab, lab_ask_for(&lab, &request))->error,
			    "plugin 'mock' has no source 'mock.other'");
	request.source = &moved;
	assert_string_equal(lab_wait(&lab, lab_ask_for(&lab, &request))->error,
			    "the plugin's mock.pass has no probe 'mock.other'");
}

/* ---- Many ---- */

static void ask_on(struct lab *one, uint64_t id)
{
	if (one->asked < 1000)
		lab_ask(one, "mock.counter", "{}", 20000);
}

static void test_thousand(void **state)
{
	size_t ours = lab_descriptors(getpid()), agents;
	uint64_t began;
	double ms;

	lab_observe(&lab, "mock.counter", "{}");
	agents = lab_descriptors(lab.link->pid);
	lab.on_done = ask_on;
	began = uv_hrtime();
	for (int i = 0; i < 8; i++)
		lab_ask(&lab, "mock.counter", "{}", 20000);
	LAB_UNTIL(&lab, lab.done == 1000);
	ms = (double)(uv_hrtime() - began) / 1e6;
	printf("# 1,000 observations, 8 at once: %.0f ms, %.3f ms each\n", ms, ms / 999);
	for (size_t i = 1; i <= 1000; i++)
		assert_null(lab.observations[i]->error);
	/* Neither end keeps a descriptor of what is over; the loops' own are there from the start. */
	assert_int_equal(lab_descriptors(lab.link->pid), agents);
	assert_int_equal(lab_descriptors(getpid()), ours);
}

static void test_many_at_once(void **state)
{
	uint64_t began = uv_hrtime();

	for (int i = 0; i < 200; i++)
		lab_ask(&lab, "mock.slow", "{\"seconds\":\"0.5 s\"}", 30000);
	LAB_UNTIL(&lab, lab.done == 200);
	/* Side by side: one after the other they would take 100 s. */
	assert_true(uv_hrtime() - began < UINT64_C(50000000000));
	for (size_t i = 1; i <= 200; i++)
		assert_null(lab.observations[i]->error);
}

static void test_many_rows(void **state)
{
	uint64_t began = uv_hrtime();
	const struct observation *observation = lab_observe(&lab, "mock.rows", "{\"rows\":\"100000\"}");
	const struct table *table = observation->tables[0];

	printf("# 100,000 rows of 10 facts: %.0f ms\n", (double)(uv_hrtime() - began) / 1e6);
	assert_null(observation->error);
	assert_int_equal(table->rows, 100000);
	for (size_t i = 0; i < table->rows; i++) {
		assert_int_equal(table_row(table, i)[0].integer, i + 1);
		assert_int_equal(table_row(table, i)[9].number, (UINT64_C(1) << 63) + i);
	}
}

static long resident_kib(pid_t pid)
{
	AUTO_FREE char *path = xasprintf("/proc/%d/statm", (int)pid);
	AUTO_FCLOSE FILE *file = fopen(path, "r");
	long size = 0, resident = 0;

	assert_int_equal(fscanf(file, "%ld %ld", &size, &resident), 2);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void test_slow_runner(void **state)
{
	/* About 60 MB of rows, and a deadline that passes while nobody reads them: the clock stands still meanwhile. */
	uint64_t id = lab_ask(&lab, "mock.rows", "{\"rows\":\"300000\"}", 15000);
	long before, after;

	LAB_UNTIL(&lab, lab.ready);
	before = resident_kib(lab.link->pid);
	LAB_UNTIL(&lab, lab.link->pending->answer.observation->tables[0]);
	usleep(1500000);
	after = resident_kib(lab.link->pid);
	/* It keeps some hundred KiB for the runner, not the table. */
	assert_in_range(after, 0, before + 4096);
	assert_int_equal(lab_wait(&lab, id)->tables[0]->rows, 300000);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		TEST(test_types),
		TEST(test_params),
		TEST(test_bad_params),
		TEST(test_long_params),
		TEST(test_wanted),
		TEST(test_no_rows),
		TEST(test_plugin_errors),
		TEST(test_log_is_bounded),
		TEST(test_partial),
		TEST(test_evidence),
		TEST(test_hostile),
		TEST(test_places),
		TEST(test_executed),
		TEST(test_time_left),
		TEST(test_crash),
		TEST(test_exit),
		TEST(test_hang),
		TEST(test_leak),
		TEST(test_leaks_are_told_apart),
		TEST(test_flood),
		TEST(test_garbage),
		TEST(test_bugs),
		TEST(test_no_plugin),
		TEST(test_thousand),
		TEST(test_many_at_once),
		TEST(test_many_rows),
		TEST(test_slow_runner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
