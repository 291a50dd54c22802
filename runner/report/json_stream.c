/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "report/json.h"
#include "report/report.h"

/* Next member: a comma after the one before, a line of its own, its key. */
static void begin(struct json_stream *stream, const char *key)
{
	if (!stream->depth)
		return;
	fputs(stream->empty ? "\n" : ",\n", stream->out);
	stream->empty = false;
	for (unsigned i = 0; i < stream->depth; i++)
		fputs("  ", stream->out);
	if (key)
		fprintf(stream->out, "\"%s\": ", key);
}

void json_open(struct json_stream *stream, const char *key, char bracket)
{
	begin(stream, key);
	putc(bracket, stream->out);
	stream->depth++;
	stream->empty = true;
}

void json_close(struct json_stream *stream, char bracket)
{
	stream->depth--;
	if (!stream->empty) {
		putc('\n', stream->out);
		for (unsigned i = 0; i < stream->depth; i++)
			fputs("  ", stream->out);
	}
	putc(bracket, stream->out);
	stream->empty = false;
	if (!stream->depth)
		putc('\n', stream->out);
}

/* As JSON escapes it; beyond the 16-bit plane as a surrogate pair (RFC 8259, section 7). */
static void add_escape(struct buf *out, uint32_t character)
{
	if (character >= 0x10000) {
		character -= 0x10000;
		buf_printf(out, "\\u%04x\\u%04x", 0xd800 + (character >> 10), 0xdc00 + (character & 0x3ff));
	} else {
		buf_printf(out, "\\u%04x", character);
	}
}

/* Whether base/utf8.h calls it harmless: it passes as it is. */
static bool is_printable(const char *text, size_t length)
{
	AUTO_BUF struct buf out = {0};

	utf8_printable(&out, text, length);
	return out.length == length;
}

/*
 * What jansson dumped is JSON already; < and > and characters beyond ASCII stand in its strings only, so they can be
 * escaped here, whatever they are part of.
 */
static int dump_safe(const char *data, size_t length, void *user)
{
	struct json_stream *stream = user;
	struct buf *out = &stream->scratch;
	size_t plain = 0, at = 0;

	buf_clear(out);
	while (at < length) {
		unsigned char c = (unsigned char)data[at];
		uint32_t character = c;
		size_t bytes = 1;

		if (c < 0x7f && c != '<' && c != '>') {
			at++;
			continue;
		}
		if (c >= 0x80)
			bytes = utf8_next(data + at, length - at, &character);
		if (!bytes)
			bytes = 1;
		if (c < 0x80 || !is_printable(data + at, bytes)) {
			buf_add(out, data + plain, at - plain);
			add_escape(out, character);
			plain = at + bytes;
		}
		at += bytes;
	}
	if (!out->length)
		return fwrite(data, 1, length, stream->out) == length ? 0 : -1;
	buf_add(out, data + plain, length - plain);
	return fwrite(out->data, 1, out->length, stream->out) == out->length ? 0 : -1;
}

/* 15 digits: every decimal that was rounded to microseconds comes out as it was. */
#define DUMP_FLAGS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

void json_dump_safe(struct json_stream *stream, const json_t *value)
{
	json_dump_callback(value, dump_safe, stream, DUMP_FLAGS);
}

void report_json_dump(FILE *out, const json_t *value)
{
	struct json_stream stream = {.out = out};

	json_dump_callback(value, dump_safe, &stream, DUMP_FLAGS | JSON_INDENT(2));
	putc('\n', out);
	buf_free(&stream.scratch);
}

void json_member(struct json_stream *stream, const char *key, json_t *value)
{
	begin(stream, key);
	if (value)
		json_dump_safe(stream, value);
	else
		fputs("null", stream->out);
	json_decref(value);
}

static bool is_plain(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] >= 0x80 || text[i] == '\\' || !text[i])
			return false;
	return true;
}

json_t *json_raw_length(const char *text, size_t length)
{
	AUTO_BUF struct buf out = {0};

	if (is_plain(text, length))
		return json_stringn_nocheck(text, length);
	utf8_escape(&out, text, length);
	return json_stringn_nocheck(out.data, out.length);
}

json_t *json_raw(const char *text)
{
	return text ? json_raw_length(text, strlen(text)) : json_null();
}

json_t *json_raw_list(const char *const *items, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_raw(items[i]));
	return list;
}

json_t *json_seconds(double seconds)
{
	return json_real(seconds > 0 && isfinite(seconds) ? round(seconds * 1e6) / 1e6 : 0.0);
}

json_t *json_time(double seconds)
{
	time_t time = (time_t)floor(seconds);
	int milliseconds = (int)floor((seconds - (double)time) * 1e3);
	struct tm tm;
	char text[40], whole[64];

	if (!(seconds > 0) || !gmtime_r(&time, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		return json_null();
	snprintf(whole, sizeof(whole), "%s.%03dZ", text, milliseconds);
	return json_string(whole);
}

json_t *json_place(struct place place)
{
	if (!place.file)
		return json_null();
	return json_pack("{s:o, s:I, s:I}", "file", json_raw(place.file), "line", (json_int_t)place.line, "column",
			 (json_int_t)place.column);
}
