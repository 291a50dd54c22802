/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire format without processes: lines, texts, hellos, requests, and everything that is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/request.h"
#include "agent/tail.h"
#include "agent/wire.h"
#include "base/cleanup.h"

/* ---- Lines ---- */

static void feed(struct lines *lines, const char *data, size_t length)
{
	while (length) {
		size_t room, n;
		char *at = lines_room(lines, &room);

		assert_true(room > 0);
		n = length < room ? length : room;
		memcpy(at, data, n);
		lines_filled(lines, n);
		data += n;
		length -= n;
	}
}

static void test_lines(void **state)
{
	static const char text[] = "one\n\nthree\nrest";
	static const char *const expected[] = {"one", "", "three"};

	/* However the bytes arrive, the same lines come out. */
	for (size_t step = 1; step <= sizeof(text) - 1; step++) {
		struct lines lines = {0};
		size_t count = 0, length;
		char *line;

		for (size_t at = 0; at < sizeof(text) - 1; at += step) {
			size_t left = sizeof(text) - 1 - at;

			feed(&lines, text + at, left < step ? left : step);
			while (lines_next(&lines, &line, &length) == 1) {
				assert_true(count < 3);
				assert_int_equal(length, strlen(expected[count]));
				assert_memory_equal(line, expected[count], length);
				count++;
			}
		}
		assert_int_equal(count, 3);
		assert_int_equal(lines_rest(&lines), 4);
		lines_free(&lines);
	}
}

static void test_line_bound(void **state)
{
	AUTO_FREE char *text = malloc(WIRE_LINE_MAX + 2);
	struct lines lines = {0};
	size_t length;
	char *line;

	memset(text, 'x', WIRE_LINE_MAX + 2);
	feed(&lines, text, WIRE_LINE_MAX);
	assert_int_equal(lines_next(&lines, &line, &length), 0);
	feed(&lines, "\n", 1);
	assert_int_equal(lines_next(&lines, &line, &length), 1);
	assert_int_equal(length, WIRE_LINE_MAX);
	/* One byte more: known without waiting for its end, and with it. */
	feed(&lines, text, WIRE_LINE_MAX + 1);
	assert_int_equal(lines_next(&lines, &line, &length), -E2BIG);
	lines_free(&lines);
	text[WIRE_LINE_MAX + 1] = '\n';
	feed(&lines, text, WIRE_LINE_MAX + 2);
	assert_int_equal(lines_next(&lines, &line, &length), -E2BIG);
	lines_free(&lines);
}

static void test_many_lines(void **state)
{
	struct lines lines = {0};
	size_t count = 0, length;
	char text[32], *line;

	/* Taken late, so that the buffer has to grow and to move. */
	for (int i = 0; i < 100000; i++) {
		feed(&lines, text, (size_t)snprintf(text, sizeof(text), "%d\n", i));
		while (i % 1000 == 999 && lines_next(&lines, &line, &length) == 1) {
			snprintf(text, sizeof(text), "%zu", count++);
			assert_int_equal(length, strlen(text));
			assert_memory_equal(line, text, length);
		}
	}
	assert_int_equal(count, 100000);
	assert_true(lines.capacity < 64 * 1024);
	lines_free(&lines);
}

/* ---- Texts ---- */

static void test_text_form(void **state)
{
	static const struct {
		const char *raw;
		size_t length;
		const char *json;
	} texts[] = {
		{"", 0, "\"\""},
		{"plain", 5, "\"plain\""},
		{"a\"b", 3, "\"a\\\"b\""},
		/* Doubled for the escape form, and each of the two for JSON. */
		{"a\\b", 3, "\"a\\\\\\\\b\""},
		{"\n", 1, "\"\\u000a\""},
		{"\033[0m", 4, "\"\\u001b[0m\""},
		{"\0x", 2, "\"\\\\x00x\""},
		{"M\xfcnchen", 7, "\"M\\\\xfcnchen\""},
		{"\xc3\xa9", 2, "\"\xc3\xa9\""},
		{"\xef\xbf\xbe", 3, "\"\xef\xbf\xbe\""},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		AUTO_BUF struct buf out = {0};

		wire_text(&out, texts[i].raw, texts[i].length);
		assert_string_equal(out.data, texts[i].json);
	}
}

static void test_text_round_trip(void **state)
{
	unsigned seed = 1;

	for (int round = 0; round < 2000; round++) {
		AUTO_BUF struct buf json = {0}, back = {0};
		char raw[64];
		size_t length = (size_t)rand_r(&seed) % sizeof(raw);
		json_t *value;

		for (size_t i = 0; i < length; i++)
			raw[i] = (char)(round < 1000 ? rand_r(&seed) >> 4 : "\\x0a\"\n\xc3\xa9\0"[rand_r(&seed) % 9]);
		wire_text(&json, raw, length);
		assert_null(memchr(json.data, '\n', json.length));
		value = json_loadb(json.data, json.length, JSON_DECODE_ANY, NULL);
		assert_non_null(value);
		assert_true(wire_get_text(value, &back));
		assert_int_equal(back.length, length);
		assert_memory_equal(back.data, raw, length);
		json_decref(value);
	}
}

static void test_text_refused(void **state)
{
	static const char *const bad[] = {"1", "null", "[\"a\"]", "\"\\\\y\"", "\"\\\\x0\"", "\"\\\\\"", "\"\\\\xzz\""};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *value = json_loads(bad[i], JSON_DECODE_ANY, NULL);
		AUTO_BUF struct buf out = {0};

		assert_non_null(value);
		assert_false(wire_get_text(value, &out));
		assert_null(wire_get_string(value));
		json_decref(value);
	}
}

static void test_chunk(void **state)
{
	/* Three bytes each; 10 bytes end inside the fourth. */
	static const char euros[] = "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac";

	assert_int_equal(wire_chunk(euros, 15, 20), 15);
	assert_int_equal(wire_chunk(euros, 15, 15), 15);
	assert_int_equal(wire_chunk(euros, 15, 9), 9);
	assert_int_equal(wire_chunk(euros, 15, 10), 9);
	assert_int_equal(wire_chunk(euros, 15, 11), 9);
	/* No UTF-8 at all: cut somewhere, but ahead all the same. */
	assert_in_range(wire_chunk("\x80\x80\x80\x80\x80\x80\x80\x80\x80", 9, 8), 5, 8);
}

/* ---- Messages ---- */

static void test_message(void **state)
{
	static const char good[] = "{\"id\":7,\"note\":\"a\"}";
	static const char *const bad[] = {
		"",
		"7",
		"[]",
		"\"id\"",
		"{}",
		"{\"id\":7}",
		"{\"note\":\"a\"}",
		"{\"id\":\"7\",\"note\":\"a\"}",
		"{\"id\":0,\"note\":\"a\"}",
		"{\"id\":-7,\"note\":\"a\"}",
		"{\"id\":7.0,\"note\":\"a\"}",
		"{\"id\":9007199254740993,\"note\":\"a\"}", /* 2^53 + 1 */
		"{\"id\":99999999999999999999,\"note\":\"a\"}",
		"{\"id\":7,\"note\":\"a\",\"more\":1}",
		"{\"id\":7,\"id\":7}",
		"{\"id\":7,\"note\":\"a\",\"note\":\"b\"}",
		"{\"id\":7,\"note\":\"a\"} ]",
		"{\"id\":7,\"note\":\"\xff\"}",
		"{\"id\":7,\"note\":\"\xed\xa0\x80\"}",
		"{\"id\":7,\"note\":\"\\ud800\"}",
		"{\"id\":7,\"note\":\"\\u0000\"}",
		"{\"id\":7,\"note\":nan}",
		"{'id':7,'note':1}",
	};
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(good, strlen(good), &id, &kind, &body, &why);

	assert_non_null(message);
	assert_null(why);
	assert_int_equal(id, 7);
	assert_string_equal(kind, "note");
	assert_string_equal(json_string_value(body), "a");
	json_decref(message);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		AUTO_FREE char *said = NULL;

		assert_null(wire_message(bad[i], strlen(bad[i]), &id, &kind, &body, &said));
		assert_non_null(said);
	}
}

static void test_nul(void **state)
{
	static const char line[] = "{\"id\":7,\"note\":\"a\"}\0 and more";
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body;

	assert_null(wire_message(line, sizeof(line) - 1, &id, &kind, &body, &why));
	assert_string_equal(why, "it is no valid JSON: there is a NUL in it");
}

static void nested(struct buf *out, int depth)
{
	buf_puts(out, "{\"id\":1,\"rows\":");
	for (int i = 1; i < depth; i++)
		buf_putc(out, '[');
	/* Brackets inside a text do not count. */
	buf_puts(out, "\"[[[[[[[[[[{{{{{{{\\\"[[[[[\"");
	for (int i = 1; i < depth; i++)
		buf_putc(out, ']');
	buf_putc(out, '}');
}

static void test_depth(void **state)
{
	AUTO_BUF struct buf allowed = {0}, deep = {0}, bomb = {0};
	AUTO_FREE char *why = NULL, *why_bomb = NULL;
	json_t *message;

	nested(&allowed, WIRE_DEPTH_MAX);
	message = wire_parse(allowed.data, allowed.length, &why);
	assert_non_null(message);
	json_decref(message);
	nested(&deep, WIRE_DEPTH_MAX + 1);
	assert_null(wire_parse(deep.data, deep.length, &why));
	assert_string_equal(why, "it is nested deeper than 8 levels");
	nested(&bomb, 400000);
	assert_null(wire_parse(bomb.data, bomb.length, &why_bomb));
}

static void test_prefix(void **state)
{
	static const struct {
		const char *line;
		uint64_t id;
		const char *kind;
	} lines[] = {
		{"{\"id\":7,\"rows\":[", 7, "rows"},
		{"{\"id\":9007199254740992,\"x\":1", UINT64_C(9007199254740992), "x"}, /* 2^53 */
		{"{\"id\":1,\"\":", 1, ""},
		{"{\"id\":9007199254740993,\"x\":1", 0, NULL},
		{"{\"id\":99999999999999999999999,\"x\":1", 0, NULL},
		{"{\"id\":0,\"x\":1", 0, NULL},
		{"{\"id\":07,\"x\":1", 0, NULL},
		{"{\"id\":-7,\"x\":1", 0, NULL},
		{"{\"id\": 7,\"x\":1", 0, NULL},
		{"{\"id\":7, \"x\":1", 0, NULL},
		{"{\"id\":7,\"x\"", 0, NULL},
		{"{\"id\":7,\"x", 0, NULL},
		{"{\"id\":7,\"", 0, NULL},
		{"{\"id\":7,", 0, NULL},
		{"{\"id\":7", 0, NULL},
		{"{\"id\":", 0, NULL},
		{"{\"id\"", 0, NULL},
		{"", 0, NULL},
		{"Segmentation fault", 0, NULL},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		/* In memory of its own length, so that a look beyond is seen by ASan. */
		size_t length = strlen(lines[i].line), kind_length;
		AUTO_FREE char *copy = malloc(length + 1);
		const char *kind;

		memcpy(copy, lines[i].line, length);
		assert_int_equal(wire_prefix(copy, length, &kind, &kind_length), lines[i].id);
		if (lines[i].kind) {
			assert_int_equal(kind_length, strlen(lines[i].kind));
			assert_memory_equal(kind, lines[i].kind, kind_length);
		}
	}
}

/* ---- Hello ---- */

static void test_hello(void **state)
{
	AUTO_STRINGS struct strings plugins = {0};
	AUTO_BUF struct buf line = {0};
	AUTO_FREE char *why = NULL;
	struct hello hello = {0};

	strings_add(&plugins, "ib");
	strings_add(&plugins, "mock");
	hello_write(&line, &plugins, false);
	assert_int_equal(line.data[line.length - 1], '\n');
	assert_true(hello_is(line.data, line.length - 1));
	assert_int_equal(hello_read(&hello, line.data, line.length - 1, &why), 0);
	assert_int_equal(hello.format, WIRE_FORMAT);
	assert_int_equal(hello.plugins.count, 2);
	assert_string_equal(hello.plugins.items[1], "mock");
	assert_false(hello.runner);
	hello_free(&hello);
	buf_clear(&line);
	hello_write(&line, &plugins, true);
	assert_int_equal(hello_read(&hello, line.data, line.length - 1, &why), 0);
	assert_true(hello.runner);
	hello_free(&hello);
}

static void test_hello_refused(void **state)
{
	static const struct {
		const char *line;
		int rc;
	} lines[] = {
		{"{\"rdmaspec\":2,\"anything\":\"else\"}", -EPROTONOSUPPORT},
		{"{\"rdmaspec\":1}", -EPROTO},
		{"{\"rdmaspec\":\"1\",\"version\":\"1\",\"abi\":1,\"plugins\":[]}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":1,\"abi\":1,\"plugins\":[]}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":\"1\",\"abi\":\"1\",\"plugins\":[]}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":\"1\",\"abi\":1,\"plugins\":{}}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":\"1\",\"abi\":1,\"plugins\":[1]}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":\"1\",\"abi\":1,\"plugins\":[],\"more\":1}", -EPROTO},
		{"{\"rdmaspec\":1,\"version\":\"1\",\"abi\":1,\"plugins\":[],\"runner\":1}", -EPROTO},
		{"{\"rdmaspec\":", -EPROTO},
		{"Welcome to node-01", -EPROTO},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		AUTO_FREE char *why = NULL;
		struct hello hello = {0};

		assert_int_equal(hello_read(&hello, lines[i].line, strlen(lines[i].line), &why), lines[i].rc);
		assert_non_null(why);
		hello_free(&hello);
	}
}

/* ---- Requests ---- */

static int read_all(struct request *request, const struct buf *text, size_t *lines, char **why)
{
	const char *at = text->data, *end = text->data + text->length;
	uint64_t cancel;
	int rc = 0;

	for (*lines = 0; at < end && rc == 0; ++*lines) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		assert_non_null(newline);
		assert_true(newline - at <= WIRE_LINE_MAX);
		rc = request_read(request, at, (size_t)(newline - at), &cancel, why);
		at = newline + 1;
	}
	assert_ptr_equal(at, end);
	return rc;
}

static void test_request(void **state)
{
	struct request request = {.id = 9, .source = strdup("fabric.sweep"), .timeout_ms = 30000, .exec = true},
		       back = {0};
	AUTO_BUF struct buf text = {0};
	AUTO_FREE char *why = NULL;
	size_t lines;

	strings_add(&request.wanted, "fabric.nodes");
	strings_add(&request.wanted, "fabric.links");
	strings_add(&request.environment, "SIM_HOST=node \"1\"\n");
	strings_add(&request.environment, "EMPTY=");
	request.directory = strdup("/tmp/b\xff");
	/* 200,000 characters of two bytes: at 65,536 bytes a chunk these are 7 (6 * 65,536 = 393,216). */
	for (int i = 0; i < 200000; i++)
		buf_puts(&request.params, "\xc3\xa9");
	request_write(&text, &request);
	assert_int_equal(read_all(&back, &text, &lines, &why), 1);
	assert_int_equal(lines, 8);
	assert_int_equal(back.id, 9);
	assert_string_equal(back.source, "fabric.sweep");
	assert_int_equal(back.wanted.count, 2);
	assert_string_equal(back.wanted.items[1], "fabric.links");
	assert_int_equal(back.timeout_ms, 30000);
	assert_int_equal(back.params.length, 400000);
	assert_string_equal(back.params.data, request.params.data);
	assert_true(back.exec);
	assert_int_equal(back.environment.count, 2);
	assert_string_equal(back.environment.items[0], "SIM_HOST=node \"1\"\n");
	assert_string_equal(back.directory, "/tmp/b\xff");
	request_free(&request);
	request_free(&back);
}

static void test_request_refused(void **state)
{
	static const char *const bad[] = {
		"{\"id\":1,\"observe\":{}}",
		"{\"id\":1,\"observe\":[]}",
		"{\"id\":1,\"observe\":{\"source\":1,\"wanted\":[],\"timeout\":1}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":\"a.b\",\"timeout\":1}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[1],\"timeout\":1}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":\"1\"}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":0}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":-5}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":1e3}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":99999999999999}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":1,\"shell\":\"rm\"}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":1,\"environment\":[\"A\"]}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":1,\"environment\":[\"=A\"]}}",
		"{\"id\":1,\"observe\":{\"source\":\"a.b\",\"wanted\":[],\"timeout\":1,\"directory\":7}}",
		"{\"id\":1,\"params\":{}}",
		"{\"id\":1,\"cancel\":false}",
		"{\"id\":1,\"exec\":\"/bin/sh\"}",
		"hello",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		AUTO_FREE char *why = NULL;
		struct request request = {0};
		uint64_t cancel;

		assert_int_equal(request_read(&request, bad[i], strlen(bad[i]), &cancel, &why), -EPROTO);
		assert_non_null(why);
		request_free(&request);
	}
}

static void test_request_order(void **state)
{
	static const char first[] = "{\"id\":1,\"params\":\"{\"}", other[] = "{\"id\":2,\"params\":\"{\"}";
	static const char cancel[] = "{\"id\":5,\"cancel\":true}";
	AUTO_FREE char *why = NULL;
	struct request request = {0};
	uint64_t id = 0;

	assert_int_equal(request_read(&request, first, strlen(first), &id, &why), 0);
	/* A cancel may come in between, another request may not. */
	assert_int_equal(request_read(&request, cancel, strlen(cancel), &id, &why), 2);
	assert_int_equal(id, 5);
	assert_int_equal(request_read(&request, first, strlen(first), &id, &why), 0);
	assert_int_equal(request_read(&request, other, strlen(other), &id, &why), -EPROTO);
	assert_int_equal(request.params.length, 2);
	request_free(&request);
}

static void test_request_params_bound(void **state)
{
	struct request request = {0};
	AUTO_BUF struct buf line = {0};
	AUTO_FREE char *why = NULL;
	uint64_t cancel;
	size_t taken = 0;
	int rc = 0;

	buf_puts(&line, "{\"id\":1,\"params\":\"");
	for (int i = 0; i < 1000000; i++)
		buf_putc(&line, 'x');
	buf_puts(&line, "\"}");
	while ((rc = request_read(&request, line.data, line.length, &cancel, &why)) == 0)
		taken += 1000000;
	assert_int_equal(rc, -EPROTO);
	/* 64 MiB are 67,108,864 bytes: 67 chunks of a million fit. */
	assert_int_equal(taken, 67000000);
	request_free(&request);
}

/* ---- Tail ---- */

static void test_tail(void **state)
{
	struct tail tail = {0};
	AUTO_BUF struct buf none = {0}, few = {0}, all = {0}, expected = {0};
	char line[32];

	tail_write(&tail, &none);
	assert_int_equal(none.length, 0);
	tail_add(&tail, "one\ntwo\n\n", 9);
	tail_write(&tail, &few);
	assert_string_equal(few.data, "one\ntwo");
	for (int i = 0; i < 100000; i++)
		tail_add(&tail, line, (size_t)snprintf(line, sizeof(line), "line %d\n", i));
	tail_write(&tail, &all);
	for (int i = 100000 - TAIL_LINES; i < 100000; i++)
		buf_printf(&expected, "%sline %d", expected.length ? "\n" : "", i);
	assert_string_equal(all.data, expected.data);
	assert_true(tail.kept.capacity < 10 * TAIL_KEPT);
	tail_free(&tail);
}

static void test_tail_without_lines(void **state)
{
	AUTO_FREE char *text = malloc(100000);
	AUTO_BUF struct buf out = {0};
	struct tail tail = {0};

	for (size_t i = 0; i < 100000; i++)
		text[i] = (char)('a' + i % 26);
	for (size_t i = 0; i < 100000; i += 1000)
		tail_add(&tail, text + i, 1000);
	tail_add(&tail, text, 100000);
	tail_write(&tail, &out);
	assert_int_equal(tail.total, 200000);
	assert_int_equal(out.length, TAIL_KEPT);
	assert_memory_equal(out.data, text + 100000 - TAIL_KEPT, TAIL_KEPT);
	tail_free(&tail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_line_bound),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_text_form),
		cmocka_unit_test(test_text_round_trip),
		cmocka_unit_test(test_text_refused),
		cmocka_unit_test(test_chunk),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_hello),
		cmocka_unit_test(test_hello_refused),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_request_refused),
		cmocka_unit_test(test_request_order),
		cmocka_unit_test(test_request_params_bound),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_tail_without_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
