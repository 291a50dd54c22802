/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as what the other end says: a worker's answer, a request, a hello. Nothing is read past its end, and what
 * is taken for JSON is JSON to jansson as well, with the same values.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/answer.h"
#include "agent/request.h"
#include "agent/tail.h"
#include "agent/wire.h"
#include "base/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

static const char *const speeds[] = {"SDR", "DDR", NULL};
static const struct rs_fact facts[] = {
	{"a", RS_TEXT},
	{"b", RS_INTEGER},
	{"c", RS_UNSIGNED},
	{"d", RS_NUMBER},
	{"e", RS_BOOLEAN},
	{"f", RS_ENUM, .choices = speeds},
	{"g", RS_GUID},
	{"h", RS_GID},
	{"i", RS_IP},
	{"j", RS_TEXT, RS_F_LIST},
	{NULL},
};
static const struct rs_fact few[] = {{"a", RS_TEXT}, {"b", RS_INTEGER, RS_F_LIST}, {NULL}};
static const struct rs_probe probes[] = {{.name = "t.a", .facts = facts}, {.name = "t.b", .facts = few}};
static const struct rs_source source = {.name = "t.s", .probes = probes, .nprobes = 2};
static const struct rs_plugin plugin = {.name = "t", .version = "1"};

/* A copy of its own length, so that one byte too far is seen. */
static char *copy(const char *data, size_t length)
{
	return memcpy(malloc(length + !length), data, length);
}

static bool is_json(const char *line, size_t length)
{
	/* jansson would take a NUL for the end. */
	if (memchr(line, 0, length))
		return false;
	json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);

	json_decref(json);
	return json != NULL;
}

static void take_beginning(struct answer *answer)
{
	static const char *const lines[] = {
		"{\"id\":1,\"begin\":{\"plugin\":\"t\",\"version\":\"1\"}}",
		("{\"id\":1,\"table\":{\"probe\":\"t.a\",\"facts\":"
		 "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\"]}}"),
		"{\"id\":1,\"table\":{\"probe\":\"t.b\",\"facts\":[\"a\",\"b\"]}}",
	};

	for (size_t i = 0; i < 3; i++)
		CHECK(answer_take(answer, lines[i], strlen(lines[i])) == 0);
}

static void check_values(const struct table *table)
{
	for (size_t i = 0; i < table->rows * table->columns; i++) {
		AUTO_BUF struct buf out = {0};
		const struct rs_fact *fact = &table->probe->facts[i % table->columns];

		value_write(&out, value_type_of_fact(fact), &table->cells[i]);
	}
}

/* The first byte says whether the answer has begun already; each line goes to who would get it. */
static void as_answer(const char *data, size_t size)
{
	struct answer answer;
	struct observation *observation;
	struct lines lines = {0};
	size_t room, length;
	char *line;

	answer_begin(&answer, &source, &plugin, 3, "host", "{}");
	if (size && data[0] & 1)
		take_beginning(&answer);
	while (size) {
		char *to = lines_room(&lines, &room);
		size_t n = size < room ? size : room;

		memcpy(to, data, n);
		lines_filled(&lines, n);
		data += n;
		size -= n;
		while (lines_next(&lines, &line, &length) == 1) {
			AUTO_FREE char *exact = copy(line, length);

			if (answer_take(&answer, exact, length) == 0 && !answer.failure)
				CHECK(is_json(exact, length));
		}
	}
	lines_free(&lines);
	observation = answer_end(&answer, NULL);
	for (int i = 0; i < 2; i++)
		if (observation->tables[i])
			check_values(observation->tables[i]);
	CHECK(observation->error || (observation->tables[0] && observation->tables[1]));
	observation_unref(observation);
}

static void as_request(const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	struct request request = {0}, again = {0};
	uint64_t cancel;

	if (request_read(&request, line, length, &cancel, &why) == 1) {
		AUTO_BUF struct buf text = {0};
		AUTO_FREE char *other = NULL;

		request_write(&text, &request);
		CHECK(request_read(&again, text.data, text.length - 1, &cancel, &other) == 1);
		CHECK(!strcmp(again.source, request.source) && again.timeout_ms == request.timeout_ms);
		request_free(&again);
	}
	request_free(&request);
}

static void as_hello(const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	struct hello hello = {0};

	CHECK((hello_read(&hello, line, length, &why) == 0) == !why);
	hello_free(&hello);
}

/* One value by itself: the straight reading and jansson's agree. */
static void as_value(const char *data, size_t length)
{
	json_t *json = memchr(data, 0, length) ? NULL : json_loadb(data, length, JSON_DECODE_ANY, NULL);
	AUTO_BUF struct buf expected = {0};
	struct scan scan = {0};
	const char *text;
	size_t text_length;
	int64_t integer;

	scan_begin(&scan, data, length);
	if (scan_string(&scan, &text, &text_length) && !scan_peek(&scan) && scan.at == scan.end) {
		CHECK(json_is_string(json) && json_string_length(json) == text_length);
		CHECK(!memcmp(json_string_value(json), text, text_length));
		scan_begin(&scan, data, length);
		if (scan_text(&scan, &text, &text_length)) {
			CHECK(wire_get_text(json, &expected) && expected.length == text_length);
			CHECK(!memcmp(expected.data, text, text_length));
		} else {
			CHECK(!wire_get_text(json, &expected));
		}
	} else {
		CHECK(!json_is_string(json));
	}
	scan_begin(&scan, data, length);
	if (scan_integer(&scan, &integer) && !scan_peek(&scan) && scan.at == scan.end)
		CHECK(json_is_integer(json) && json_integer_value(json) == integer);
	else
		CHECK(!json_is_integer(json));
	json_decref(json);
	scan_free(&scan);
}

static void as_bytes(const char *data, size_t size)
{
	AUTO_BUF struct buf json = {0}, back = {0}, log = {0};
	struct tail tail = {0};
	json_t *value;

	wire_text(&json, data, size);
	value = json_loadb(json.data, json.length, JSON_DECODE_ANY, NULL);
	CHECK(value && wire_get_text(value, &back));
	CHECK(back.length == size && !memcmp(back.data, data, size));
	json_decref(value);
	tail_add(&tail, data, size);
	tail_write(&tail, &log);
	CHECK(log.length <= TAIL_KEPT);
	tail_free(&tail);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *exact = copy((const char *)data, size);
	const char *kind;
	size_t length;

	wire_prefix(exact, size, &kind, &length);
	as_answer(exact, size);
	as_request(exact, size);
	as_hello(exact, size);
	as_value(exact, size);
	as_bytes(exact, size);
	return 0;
}
