/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the wire format: JSON messages, one a line
 *
 * What both ends share: cutting bytes into lines, writing and reading texts, the hello. The README of this room lists
 * every message. Neither end believes the other: lines and nesting are bounded, and every type is checked.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define WIRE_FORMAT 1
#define WIRE_LINE_MAX (1024 * 1024) /* bytes of a message, without its newline */
#define WIRE_DEPTH_MAX 8	    /* of nested arrays and objects */
#define WIRE_BATCH (64 * 1024)	    /* a batch of rows, or a chunk of text, is about this long */
#define WIRE_BANNER_MAX (64 * 1024) /* what may come ahead of an agent's hello (a login banner) */
#define WIRE_ID_MAX (INT64_C(1) << 53)

/** struct lines - bytes on their way to become lines; {0} is empty */
struct lines {
	char *data;
	size_t start;	/* of what was not taken yet */
	size_t scanned; /* no newline before this */
	size_t end;
	size_t capacity;
};

/** lines_room - where the next bytes go: at least 4 KiB; lines_filled - how many were put there */
char *lines_room(struct lines *lines, size_t *room);
void lines_filled(struct lines *lines, size_t length);

/**
 * lines_next - the next whole line, without its newline; it lives until the next lines_room()
 * Returns 1 with a line, 0 where there is none yet, -E2BIG where one is longer than WIRE_LINE_MAX.
 */
int lines_next(struct lines *lines, char **line, size_t *length);

/** lines_rest - bytes of a line that has not ended */
size_t lines_rest(const struct lines *lines);
void lines_free(struct lines *lines);

/** wire_text - append bytes as a JSON string, in the escape form of base/utf8.h: what wire_get_text() reads */
void wire_text(struct buf *out, const char *data, size_t length);
void wire_string(struct buf *out, const char *text);

/** wire_chunk - how many of @length bytes to send at once: at most @most, no character of UTF-8 cut in two */
size_t wire_chunk(const char *data, size_t length, size_t most);

/** wire_get_text - replace @out by the bytes of a JSON string; false: no string, or not in the escape form */
bool wire_get_text(const json_t *json, struct buf *out);

/** wire_get_string - the same as a C string of its own (a NUL in it becomes '?'); NULL where it is none */
char *wire_get_string(const json_t *json);

/** wire_parse - a line as a JSON object; NULL with *why an own text. Duplicate keys are refused. */
json_t *wire_parse(const char *line, size_t length, char **why);

/**
 * wire_message - parse a line and take it apart into the id and the one member beside it
 * @kind: its key, living as long as the message. Returns NULL with *why an own text where it is no such message.
 */
json_t *wire_message(const char *line, size_t length, uint64_t *id, const char **kind, json_t **body, char **why);

/**
 * wire_prefix - the id that a line is about, by its first bytes alone: {"id":ID,"KIND":
 * So that a line that is no JSON can still be laid at its worker's door. Returns the id, or 0.
 */
uint64_t wire_prefix(const char *line, size_t length, const char **kind, size_t *kind_length);

/** wire_begin - append {"id":ID,"KIND": ; wire_end - close it */
void wire_begin(struct buf *out, uint64_t id, const char *kind);
void wire_end(struct buf *out);

/** struct hello - what each end says first; {0} is an empty one */
struct hello {
	int64_t format;
	int64_t abi;
	char *version;
	struct strings plugins; /* names of those that are there */
	bool runner;		/* the runner's: an agent that says this sends back what it was sent */
};

void hello_write(struct buf *out, const struct strings *plugins, bool runner);
bool hello_is(const char *line, size_t length); /* whether it looks like one */
int hello_read(struct hello *hello, const char *line, size_t length, char **why);
void hello_free(struct hello *hello);
