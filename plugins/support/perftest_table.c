/* SPDX-License-Identifier: BSD-2-Clause */
/* The header's names decide what a column is, never its place */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/perftest_internal.h"

#define HEADER_COLUMNS 32

/**
 * struct perftest_header - of the table that is being read
 * @columns: enum perftest_column, or PERFTEST_COLUMNS for one whose name means nothing here
 * @wrong: a bandwidth without a unit that is known: rows cannot be taken
 */
struct perftest_header {
	unsigned count;
	uint8_t columns[HEADER_COLUMNS];
	enum perftest_unit unit;
	bool wrong;
};

/* Longer names before those that they begin with. @unit: a bandwidth, its unit follows in brackets. */
static const struct name {
	const char *text;
	enum perftest_column column;
	bool unit;
} names[] = {
	{"#bytes", PERFTEST_BYTES, false},
	{"#iterations", PERFTEST_ITERATIONS, false},
	{"#sl", PERFTEST_SL, false},
	{"BW peak", PERFTEST_BW_PEAK, true},
	{"BW average", PERFTEST_BW_AVERAGE, true},
	{"BW Port1", PERFTEST_BW_PORT1, true},
	{"BW Port2", PERFTEST_BW_PORT2, true},
	{"MsgRate[Mpps]", PERFTEST_MSG_RATE, false},
	{"MsgRate Port1[Mpps]", PERFTEST_MSG_RATE_PORT1, false},
	{"MsgRate Port2[Mpps]", PERFTEST_MSG_RATE_PORT2, false},
	{"CPU_Util[%]", PERFTEST_CPU_UTIL, false},
	{"t_min[usec]", PERFTEST_T_MIN, false},
	{"t_max[usec]", PERFTEST_T_MAX, false},
	{"t_typical[usec]", PERFTEST_T_TYPICAL, false},
	{"t_avg[usec]", PERFTEST_T_AVG, false},
	{"t_stdev[usec]", PERFTEST_T_STDEV, false},
	{"99% percentile[usec]", PERFTEST_P99, false},
	{"99.9% percentile[usec]", PERFTEST_P99_9, false},
	{"tps average", PERFTEST_TPS, false},
};

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const struct name *name_at(const char *at, size_t length)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t size = strlen(names[i].text);

		if (size <= length && !memcmp(at, names[i].text, size))
			return &names[i];
	}
	return NULL;
}

/* "[Gb/sec]" at @at; returns its length, 0 where it is no unit that is known */
static size_t unit_at(const char *at, size_t length, enum perftest_unit *unit)
{
	static const struct {
		const char *text;
		enum perftest_unit unit;
	} units[] = {{"[MB/sec]", PERFTEST_MIB}, {"[MiB/sec]", PERFTEST_MIB}, {"[Gb/sec]", PERFTEST_GBIT}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t size = strlen(units[i].text);

		if (size <= length && !memcmp(at, units[i].text, size)) {
			*unit = units[i].unit;
			return size;
		}
	}
	return 0;
}

/* A name that means nothing here ends where a known one begins, or at two blanks or a tabulator */
static size_t unknown_at(const char *at, size_t length)
{
	size_t end = 1;

	while (end < length && at[end] != '\t' && !(blank(at[end]) && end + 1 < length && blank(at[end + 1])) &&
	       !(blank(at[end - 1]) && name_at(at + end, length - end)))
		end++;
	return end;
}

static size_t take_name(struct perftest_header *header, const char *at, size_t length)
{
	const struct name *name = name_at(at, length);
	enum perftest_unit unit = PERFTEST_NO_UNIT;
	size_t size, unit_size;

	header->columns[header->count++] = name ? name->column : PERFTEST_COLUMNS;
	if (!name)
		return unknown_at(at, length);
	size = strlen(name->text);
	if (!name->unit)
		return size;
	unit_size = unit_at(at + size, length - size, &unit);
	if (!unit_size || (header->unit && header->unit != unit))
		header->wrong = true;
	header->unit = unit;
	while (!unit_size && size < length && !blank(at[size]))
		size++; /* whatever stands in its place */
	return size + unit_size;
}

static bool has_twice(const struct perftest_header *header)
{
	bool seen[PERFTEST_COLUMNS + 1] = {false};

	for (unsigned i = 0; i < header->count; i++) {
		if (seen[header->columns[i]] && header->columns[i] != PERFTEST_COLUMNS)
			return true;
		seen[header->columns[i]] = true;
	}
	return false;
}

bool perftest_header_line(struct perftest *perftest, const char *line, size_t length)
{
	struct perftest_header header = {0};
	size_t at = 0;

	if (length < 6 || memcmp(line, "#bytes", 6))
		return false;
	while (at < length && header.count < HEADER_COLUMNS) {
		at += take_name(&header, line + at, length - at);
		while (at < length && blank(line[at]))
			at++;
	}
	if (at < length || has_twice(&header))
		header.wrong = true;
	if (header.wrong)
		perftest_say(&perftest->problems, perftest->line, "unknown header", line, length);
	if (!perftest->header)
		perftest->header = malloc(sizeof(header));
	if (perftest->header)
		*perftest->header = header;
	else
		perftest->out_of_memory = true;
	return true;
}

/* Digits with at most one point; a sign before them is let through for the check of values */
static bool is_figure(const char *text, size_t length)
{
	size_t digits = 0, points = 0, at = length && (*text == '-' || *text == '+');

	for (; at < length; at++) {
		digits += isdigit((unsigned char)text[at]) != 0;
		points += text[at] == '.';
		if (!isdigit((unsigned char)text[at]) && text[at] != '.')
			return false;
	}
	return digits && points <= 1;
}

static bool same_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !strncasecmp(text, word, length);
}

static bool is_no_number(const char *text, size_t length)
{
	if (length && (*text == '-' || *text == '+')) {
		text++;
		length--;
	}
	return same_word(text, length, "nan") || same_word(text, length, "inf") || same_word(text, length, "infinity");
}

/* What a figure may be mistaken for: "23,09", "1e5", "nan" */
static bool is_like_figure(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]) && !strchr("+-.,eE%", text[i]))
			return is_no_number(text, length);
	return length > 0;
}

static bool is_zero(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] != '0' && text[i] != '.')
			return false;
	return true;
}

/*
 * Zeroes that say something: a peak that was not measured, a deviation of nothing, a rate below its last digit, an idle
 * CPU, the service level 0, a port without traffic. In any other column nothing was measured.
 */
static bool may_be_zero(enum perftest_column column)
{
	switch (column) {
	case PERFTEST_SL:
	case PERFTEST_BW_PEAK:
	case PERFTEST_MSG_RATE:
	case PERFTEST_BW_PORT1:
	case PERFTEST_MSG_RATE_PORT1:
	case PERFTEST_BW_PORT2:
	case PERFTEST_MSG_RATE_PORT2:
	case PERFTEST_CPU_UTIL:
	case PERFTEST_T_STDEV:
	case PERFTEST_COLUMNS:
		return true;
	default:
		return false;
	}
}

static const char *wrong_with(enum perftest_column column, const char *text, size_t length)
{
	if (is_no_number(text, length))
		return "a figure that is no number";
	if (!is_figure(text, length) || length >= PERFTEST_FIGURE)
		return "a figure that is not written with digits and a point";
	if (*text == '-')
		return "a negative figure";
	if (!may_be_zero(column) && is_zero(text, length))
		return "a zero where something was to be measured";
	return NULL;
}

struct word {
	const char *text;
	size_t length;
};

static unsigned split(const char *line, size_t length, struct word words[HEADER_COLUMNS + 1])
{
	unsigned count = 0;
	size_t at = 0;

	while (at < length && count <= HEADER_COLUMNS) {
		size_t start = at;

		while (at < length && !blank(line[at]))
			at++;
		words[count++] = (struct word){line + start, at - start};
		while (at < length && blank(line[at]))
			at++;
	}
	return count;
}

static bool all_digits(const struct word *word)
{
	for (size_t i = 0; i < word->length; i++)
		if (!isdigit((unsigned char)word->text[i]))
			return false;
	return word->length > 0;
}

static struct perftest_row *new_row(struct perftest *perftest)
{
	if (perftest->nrows == perftest->capacity) {
		size_t capacity = perftest->capacity ? 2 * perftest->capacity : 8;
		struct perftest_row *larger = realloc(perftest->rows, capacity * sizeof(*larger));

		if (!larger) {
			perftest->out_of_memory = true;
			return NULL;
		}
		perftest->rows = larger;
		perftest->capacity = capacity;
	}
	perftest->rows[perftest->nrows] = (struct perftest_row){.line = perftest->line, .unit = perftest->header->unit};
	return &perftest->rows[perftest->nrows++];
}

static void take_row(struct perftest *perftest, const struct word *words)
{
	const struct perftest_header *header = perftest->header;
	struct perftest_row *row = new_row(perftest);

	for (unsigned i = 0; row && i < header->count; i++)
		if (header->columns[i] < PERFTEST_COLUMNS)
			memcpy(row->cell[header->columns[i]], words[i].text, words[i].length);
}

bool perftest_row_line(struct perftest *perftest, const char *line, size_t length, bool whole)
{
	const struct perftest_header *header = perftest->header;
	struct word words[HEADER_COLUMNS + 1];
	const char *wrong = NULL;
	unsigned count;

	if (!header || !isdigit((unsigned char)*line))
		return false;
	count = split(line, length, words);
	if (!all_digits(&words[0]))
		return false;
	for (unsigned i = 1; i < count; i++)
		if (!is_like_figure(words[i].text, words[i].length))
			return false; /* words: a remark that begins with a number */
	if (!whole)
		wrong = "the output ends in the middle of a row";
	else if (header->wrong)
		return true; /* was said of the header */
	else if (count != header->count)
		wrong = "a row with more or fewer figures than its header has names";
	else if (perftest->nrows == PERFTEST_ROWS)
		wrong = "more rows than are taken";
	for (unsigned i = 0; i < count && !wrong; i++)
		wrong = wrong_with(header->columns[i], words[i].text, words[i].length);
	if (wrong)
		perftest_say(&perftest->problems, perftest->line, wrong, line, length);
	else
		take_row(perftest, words);
	return true;
}
