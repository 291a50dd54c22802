/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings that somebody else wrote: what is read of them, what is refused, and that neither takes for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "record/recording.h"

static const struct rs_fact facts[] = {
	{.name = "name", .type = RS_TEXT, .flags = RS_F_KEY}, {.name = "number", .type = RS_INTEGER}, {NULL}};
static const struct rs_probe probes[] = {{.name = "t.a", .facts = facts}, {.name = "t.b", .facts = facts}};
static const struct rs_source source = {.name = "t.s", .probes = probes, .nprobes = 2};

#define HEAD "{\"format\":\"rdmaspec.recording\",\"format_version\":1,\"observations\":["
#define KEY "{\"host\":\"h\",\"source\":\"t.s\",\"params\":{},\"attempt\":1,\"run\":1"

static struct recording *load(const char *data, size_t length, struct diag *diag)
{
	char path[] = "/tmp/rdmaspec-recording-XXXXXX";
	int fd = mkstemp(path);
	struct recording *recording;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, length), (ssize_t)length);
	close(fd);
	recording = recording_load(path, diag);
	unlink(path);
	return recording;
}

static struct recording *load_text(const char *text)
{
	AUTO_DIAG struct diag diag = {0};
	struct recording *recording = load(text, strlen(text), &diag);

	if (!recording)
		print_message("%s\n", diag.text);
	assert_non_null(recording);
	return recording;
}

static struct observation *only(const struct recording *recording, uint32_t wanted)
{
	size_t count;
	const struct recorded *list = recording_observations(recording, &count);

	assert_int_equal(count, 1);
	return recorded_observation(recording, &list[0], &source, wanted);
}

/* Evidence is cut beyond 512 KiB: what is shorter stands in the head as a whole. */
static void test_long_evidence(void **state)
{
	size_t length = 400 * 1024;
	AUTO_BUF struct buf text = {0};
	struct recording *recording;
	struct observation *observation;

	buf_printf(&text, HEAD KEY ",\"evidence\":[{\"name\":\"tool\",\"bytes\":%zu,\"head\":\"", length);
	for (size_t i = 0; i < length; i++)
		buf_putc(&text, 'x');
	buf_puts(&text,
		 "\"}],\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[[\"a\",1]]}]}]}");
	recording = load_text(text.data);
	observation = only(recording, 1);
	assert_null(observation->error);
	assert_int_equal(observation->nevidence, 1);
	assert_int_equal(observation->evidence[0].head.length, length);
	assert_int_equal(observation->tables[0]->rows, 1);
	observation_unref(observation);
	recording_free(recording);
}

static void test_evidence_twice(void **state)
{
	struct recording *recording =
		load_text(HEAD KEY ",\"evidence\":[{\"name\":\"a\",\"bytes\":1,\"head\":\"x\"},"
				   "{\"name\":\"b\",\"bytes\":1,\"head\":\"x\"},"
				   "{\"name\":\"a\",\"bytes\":1,\"head\":\"x\"}],\"tables\":[]}]}");
	struct observation *observation = only(recording, 0);

	assert_non_null(observation->error);
	observation_unref(observation);
	recording_free(recording);
}

/* 200,000 of one key: a walk to the last one for each of them would be 20,000,000,000 steps. */
static void test_many_of_one_key(void **state)
{
	size_t many = 200000, count, followers = 0;
	AUTO_BUF struct buf text = {0};
	struct recording *recording;
	const struct recorded *list;

	buf_puts(&text, HEAD);
	for (size_t i = 0; i < many; i++)
		buf_printf(&text, "%s{\"host\":\"h\",\"source\":\"t.s\",\"params\":{},\"attempt\":%zu}", i ? "," : "",
			   i + 1);
	buf_puts(&text, "]}");
	recording = load_text(text.data);
	list = recording_observations(recording, &count);
	assert_int_equal(count, many);
	for (size_t i = 0; i != SIZE_MAX; i = list[i].next)
		assert_int_equal(list[i].attempt, ++followers);
	assert_int_equal(followers, many);
	recording_free(recording);
}

/* Facts in another order, one of a later version, one that is missing. */
static void test_other_facts(void **state)
{
	struct recording *recording = load_text(
		HEAD KEY
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"later\",\"name\"],\"rows\":[[{\"x\":[1]},\"a\"]]}]}]}");
	struct observation *observation = only(recording, 1);
	const struct value *row;

	assert_null(observation->error);
	row = table_row(observation->tables[0], 0);
	assert_string_equal(row[0].text, "a");
	assert_int_equal(row[1].state, VALUE_NOT_OBSERVED);
	assert_int_equal(observation->notes.count, 2);
	observation_unref(observation);
	recording_free(recording);
}

static void test_not_wanted(void **state)
{
	struct recording *recording =
		load_text(HEAD KEY ",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[]}]}]}");
	struct observation *observation = only(recording, 1);

	assert_null(observation->error);
	assert_int_equal(observation->tables[0]->rows, 0);
	observation_unref(observation);
	observation = only(recording, 2);
	assert_non_null(strstr(observation->error, "t.b was not recorded"));
	observation_unref(observation);
	recording_free(recording);
}

static void test_bad_observations(void **state)
{
	static const char *const bad[] = {
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[[\"a\",\"b\"]]}]",
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[[\"a\"]]}]",
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[[\"a\",1,2]]}]",
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"],\"rows\":[{}]}]",
		",\"tables\":[{\"probe\":\"t.a\",\"facts\":[\"name\",\"number\"]}]",
		",\"tables\":{}",
		",\"error\":\"x\",\"reason\":\"whim\"",
		",\"notes\":[1]",
		",\"log\":1",
		",\"evidence\":[{\"name\":\"a\",\"bytes\":1,\"head\":\"xx\"}],\"tables\":[]",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		AUTO_FREE char *text = xasprintf("%s%s%s}]}", HEAD, KEY, bad[i]);
		struct recording *recording = load_text(text);
		struct observation *observation = only(recording, 1);

		assert_non_null(observation->error);
		for (size_t j = 0; j < 2; j++)
			assert_null(observation->tables[j]);
		observation_unref(observation);
		recording_free(recording);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "no recording"},
		{"[]", "no recording"},
		{"{}", "it has no 'format'"},
		{"{\"format\":\"rdmaspec.result\"}", "'format'"},
		{"{\"format\":\"rdmaspec.recording\",\"format_version\":1}", "it has no 'observations'"},
		{"{\"format\":\"rdmaspec.recording\",\"format_version\":2}", "its format is version 2"},
		{HEAD "]} x", "something follows"},
		{HEAD "{\"host\":\"h\"}]}", "without 'source'"},
		{HEAD "{\"host\":\"h\",\"source\":\"s\",\"params\":{\"a\":1,\"a\":2}}]}", "'params'"},
		{HEAD "{\"host\":\"h\",\"source\":\"s\",\"params\":{},\"run\":-1}]}", "'run'"},
		{HEAD "{\"host\":\"h\",\"source\":\"s\",\"params\":{},\"phase\":\"ever\"}]}", "'phase'"},
		{HEAD "{\"host\":\"h\\u0000\",\"source\":\"s\",\"params\":{}}]}", "'host'"},
		/* No double holds it: what is made of it later (a date) would be undefined. */
		{"{\"format\":\"rdmaspec.recording\",\"format_version\":1,\"started\":1e999,\"observations\":[]}",
		 "'started'"},
		{HEAD, "'observations'"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		AUTO_DIAG struct diag diag = {0};

		assert_null(load(bad[i].text, strlen(bad[i].text), &diag));
		if (!strstr(diag.text, bad[i].why))
			print_message("%s\n", diag.text);
		assert_non_null(strstr(diag.text, bad[i].why));
	}
}

static void test_nested(void **state)
{
	AUTO_BUF struct buf text = {0};
	AUTO_DIAG struct diag diag = {0};

	buf_puts(&text, "{\"deep\":");
	for (int i = 0; i < 100000; i++)
		buf_putc(&text, '[');
	assert_null(load(text.data, text.length, &diag));
	assert_non_null(strstr(diag.text, "'deep'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_evidence),	cmocka_unit_test(test_evidence_twice),
		cmocka_unit_test(test_many_of_one_key), cmocka_unit_test(test_other_facts),
		cmocka_unit_test(test_not_wanted),	cmocka_unit_test(test_bad_observations),
		cmocka_unit_test(test_refused),		cmocka_unit_test(test_nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
