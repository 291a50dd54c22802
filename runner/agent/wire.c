/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <rdmaspec/plugin.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define LINES_ROOM 4096

/* Small at first, since most answers are; it doubles while lines do not fit. */
char *lines_room(struct lines *lines, size_t *room)
{
	if (lines->start == lines->end)
		lines->start = lines->end = lines->scanned = 0;
	if (lines->capacity - lines->end < LINES_ROOM && lines->start) {
		memmove(lines->data, lines->data + lines->start, lines->end - lines->start);
		lines->end -= lines->start;
		lines->scanned -= lines->start;
		lines->start = 0;
	}
	if (lines->capacity - lines->end < LINES_ROOM) {
		lines->capacity = lines->capacity ? lines->capacity * 2 : 2 * LINES_ROOM;
		lines->data = xrealloc(lines->data, lines->capacity, 1);
	}
	*room = lines->capacity - lines->end;
	return lines->data + lines->end;
}

void lines_filled(struct lines *lines, size_t length)
{
	lines->end += length;
}

int lines_next(struct lines *lines, char **line, size_t *length)
{
	char *newline = NULL;

	if (lines->scanned < lines->end)
		newline = memchr(lines->data + lines->scanned, '\n', lines->end - lines->scanned);
	if (!newline) {
		lines->scanned = lines->end;
		return lines->end - lines->start > WIRE_LINE_MAX ? -E2BIG : 0;
	}
	*line = lines->data + lines->start;
	*length = (size_t)(newline - *line);
	if (*length > WIRE_LINE_MAX)
		return -E2BIG;
	lines->start = lines->scanned = (size_t)(newline - lines->data) + 1;
	return 1;
}

size_t lines_rest(const struct lines *lines)
{
	return lines->end - lines->start;
}

void lines_free(struct lines *lines)
{
	free(lines->data);
	*lines = (struct lines){0};
}

/* A character that stands for itself in JSON and in the escape form. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void add_json(struct buf *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\') {
			buf_putc(out, '\\');
			buf_putc(out, (char)c);
		} else if (c < 0x20) {
			buf_printf(out, "\\u%04x", c);
		} else {
			buf_putc(out, (char)c);
		}
	}
}

void wire_text(struct buf *out, const char *data, size_t length)
{
	AUTO_BUF struct buf escaped = {0};
	size_t plain = 0;

	while (plain < length && is_plain((unsigned char)data[plain]))
		plain++;
	buf_putc(out, '"');
	buf_add(out, data, plain);
	if (plain < length) {
		utf8_escape(&escaped, data + plain, length - plain);
		add_json(out, escaped.data, escaped.length);
	}
	buf_putc(out, '"');
}

void wire_string(struct buf *out, const char *text)
{
	wire_text(out, text, strlen(text));
}

size_t wire_chunk(const char *data, size_t length, size_t most)
{
	size_t cut = most;

	if (length <= most)
		return length;
	/* A character has at most three bytes after its first; where there are more, it is no UTF-8 anyway. */
	while (cut > most - 3 && ((unsigned char)data[cut] & 0xc0) == 0x80)
		cut--;
	return cut;
}

bool wire_get_text(const json_t *json, struct buf *out)
{
	const char *text = json_string_value(json);
	size_t length = json_string_length(json);

	buf_clear(out);
	if (!text)
		return false;
	if (!memchr(text, '\\', length)) {
		buf_add(out, text, length);
		return true;
	}
	return utf8_unescape(out, text, length);
}

char *wire_get_string(const json_t *json)
{
	AUTO_BUF struct buf text = {0};

	if (!wire_get_text(json, &text))
		return NULL;
	for (size_t i = 0; i < text.length; i++)
		if (!text.data[i])
			text.data[i] = '?';
	return buf_take(&text);
}

static bool too_deep(const char *line, size_t length)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		char c = line[i];

		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
		} else if (c == '"') {
			quoted = true;
		} else if (c == '[' || c == '{') {
			if (++depth > WIRE_DEPTH_MAX)
				return true;
		} else if (c == ']' || c == '}') {
			depth--;
		}
	}
	return false;
}

json_t *wire_parse(const char *line, size_t length, char **why)
{
	json_error_t error;
	json_t *message;

	/* jansson takes a NUL for the end, and does not look at what follows. */
	if (memchr(line, 0, length)) {
		*why = xstrdup("it is no valid JSON: there is a NUL in it");
		return NULL;
	}
	if (too_deep(line, length)) {
		*why = xasprintf("it is nested deeper than %d levels", WIRE_DEPTH_MAX);
		return NULL;
	}
	message = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	if (!message) {
		*why = xasprintf("it is no valid JSON: %s (byte %d)", error.text, error.position);
		return NULL;
	}
	if (!json_is_object(message)) {
		*why = xstrdup("it is no JSON object");
		json_decref(message);
		return NULL;
	}
	return message;
}

json_t *wire_message(const char *line, size_t length, uint64_t *id, const char **kind, json_t **body, char **why)
{
	json_t *message = wire_parse(line, length, why);
	json_t *number, *value;
	const char *key;

	if (!message)
		return NULL;
	number = json_object_get(message, "id");
	*kind = NULL;
	json_object_foreach(message, key, value) if (value != number)
	{
		*kind = key;
		*body = value;
	}
	if (!json_is_integer(number) || json_integer_value(number) < 1 || json_integer_value(number) > WIRE_ID_MAX ||
	    json_object_size(message) != 2 || !*kind) {
		*why = xstrdup("it does not consist of an id and one thing about it");
		json_decref(message);
		return NULL;
	}
	*id = (uint64_t)json_integer_value(number);
	return message;
}

uint64_t wire_prefix(const char *line, size_t length, const char **kind, size_t *kind_length)
{
	static const char start[] = "{\"id\":";
	const char *at = line + sizeof(start) - 1, *end = line + length, *quote;
	uint64_t id = 0;

	if (length < sizeof(start) || memcmp(line, start, sizeof(start) - 1) != 0 || *at == '0')
		return 0;
	for (; at < end && *at >= '0' && *at <= '9' && id <= (uint64_t)WIRE_ID_MAX; at++)
		id = id * 10 + (uint64_t)(*at - '0');
	if (!id || id > (uint64_t)WIRE_ID_MAX || end - at < 3 || at[0] != ',' || at[1] != '"')
		return 0;
	at += 2;
	quote = memchr(at, '"', (size_t)(end - at));
	if (!quote || end - quote < 2 || quote[1] != ':')
		return 0;
	*kind = at;
	*kind_length = (size_t)(quote - at);
	return id;
}

void wire_begin(struct buf *out, uint64_t id, const char *kind)
{
	char start[96];
	int length = snprintf(start, sizeof(start), "{\"id\":%" PRIu64 ",\"%s\":", id, kind);

	buf_add(out, start, (size_t)length);
}

void wire_end(struct buf *out)
{
	buf_add(out, "}\n", 2);
}

void hello_write(struct buf *out, const struct strings *plugins, bool runner)
{
	buf_printf(out, "{\"rdmaspec\":%d,\"version\":", WIRE_FORMAT);
	wire_string(out, VERSION);
	buf_printf(out, ",\"abi\":%d,\"plugins\":[", RS_ABI);
	for (size_t i = 0; i < plugins->count; i++) {
		if (i)
			buf_putc(out, ',');
		wire_string(out, plugins->items[i]);
	}
	buf_printf(out, "]%s}\n", runner ? ",\"runner\":true" : "");
}

bool hello_is(const char *line, size_t length)
{
	static const char start[] = "{\"rdmaspec\":";

	return length >= sizeof(start) - 1 && !memcmp(line, start, sizeof(start) - 1);
}

static int read_plugins(struct hello *hello, const json_t *plugins)
{
	json_t *name;
	size_t i;

	if (!json_is_array(plugins))
		return -EPROTO;
	json_array_foreach(plugins, i, name)
	{
		AUTO_FREE char *text = wire_get_string(name);

		if (!text)
			return -EPROTO;
		strings_add(&hello->plugins, text);
	}
	return 0;
}

int hello_read(struct hello *hello, const char *line, size_t length, char **why)
{
	json_t *message = wire_parse(line, length, why);
	const json_t *format, *abi;
	int rc = 0;

	if (!message)
		return -EPROTO;
	format = json_object_get(message, "rdmaspec");
	abi = json_object_get(message, "abi");
	hello->format = json_integer_value(format);
	hello->abi = json_integer_value(abi);
	/* Of another format nothing else is known, not even whether there is a version in it. */
	if (json_is_integer(format) && hello->format != WIRE_FORMAT) {
		*why = xasprintf("it speaks version %" PRId64 " of the wire format, and version %d is spoken here",
				 hello->format, WIRE_FORMAT);
		rc = -EPROTONOSUPPORT;
	} else {
		hello->version = wire_get_string(json_object_get(message, "version"));
		hello->runner = json_is_true(json_object_get(message, "runner"));
		if (!json_is_integer(format) || !json_is_integer(abi) || !hello->version ||
		    json_object_size(message) != (hello->runner ? 5 : 4) ||
		    read_plugins(hello, json_object_get(message, "plugins")) < 0) {
			*why = xstrdup("its hello is malformed");
			rc = -EPROTO;
		}
	}
	json_decref(message);
	return rc;
}

void hello_free(struct hello *hello)
{
	free(hello->version);
	strings_free(&hello->plugins);
	*hello = (struct hello){0};
}
