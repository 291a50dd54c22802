/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

static char *vtext(const char *format, va_list args)
{
	struct buf buf = {0};

	buf_vprintf(&buf, format, args);
	return buf_take(&buf);
}

int diag_set(struct diag *diag, int error, struct place place, const char *format, ...)
{
	va_list args;

	if (!diag)
		return -error;
	free(diag->text);
	diag->level = DIAG_ERROR;
	diag->place = place;
	va_start(args, format);
	diag->text = vtext(format, args);
	va_end(args);
	return -error;
}

void diag_free(struct diag *diag)
{
	free(diag->text);
	*diag = (struct diag){0};
}

static void count_one(struct diags *diags, enum diag_level level)
{
	if (level == DIAG_ERROR)
		diags->errors++;
	else
		diags->warnings++;
}

static void add(struct diags *diags, enum diag_level level, struct place place, const char *format, va_list args)
{
	count_one(diags, level);
	if (diags->count == DIAGS_KEPT)
		return;
	GROW(diags->items, diags->count, diags->capacity);
	diags->items[diags->count++] = (struct diag){.level = level, .place = place, .text = vtext(format, args)};
}

void diags_error(struct diags *diags, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(diags, DIAG_ERROR, place, format, args);
	va_end(args);
}

void diags_warning(struct diags *diags, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(diags, DIAG_WARNING, place, format, args);
	va_end(args);
}

void diags_add(struct diags *diags, struct diag *diag)
{
	count_one(diags, diag->level);
	if (diags->count == DIAGS_KEPT) {
		diag_free(diag);
		return;
	}
	GROW(diags->items, diags->count, diags->capacity);
	diags->items[diags->count++] = *diag;
	*diag = (struct diag){0};
}

static bool same_file(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* One diagnostic in the order of printing: @rank is the first diagnostic of the same file. */
struct entry {
	size_t rank, index;
	const struct diag *diag;
};

static int compare_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_numbers(a->rank, b->rank);

	if (!order)
		order = compare_numbers(a->diag->place.line, b->diag->place.line);
	if (!order)
		order = compare_numbers(a->diag->place.column, b->diag->place.column);
	return order ? order : compare_numbers(a->index, b->index);
}

static void rank_entries(const struct diags *diags, struct entry *entries)
{
	for (size_t i = 0; i < diags->count; i++) {
		size_t first = 0;

		while (!same_file(diags->items[first].place.file, diags->items[i].place.file))
			first++;
		entries[i] = (struct entry){.rank = first, .index = i, .diag = &diags->items[i]};
	}
}

static bool same_diag(const struct diag *a, const struct diag *b)
{
	return a->level == b->level && a->place.line == b->place.line && a->place.column == b->place.column &&
	       same_file(a->place.file, b->place.file) && !strcmp(a->text ? a->text : "", b->text ? b->text : "");
}

static void format_diag(struct buf *line, const struct diag *diag)
{
	const struct place *place = &diag->place;

	if (place->file) {
		utf8_printable(line, place->file, strlen(place->file));
		if (place->line)
			buf_printf(line, ":%" PRIu32, place->line);
		if (place->line && place->column)
			buf_printf(line, ":%" PRIu32, place->column);
		buf_puts(line, ": ");
	}
	buf_puts(line, diag->level == DIAG_ERROR ? "error: " : "warning: ");
	if (diag->text)
		utf8_printable(line, diag->text, strlen(diag->text));
	buf_putc(line, '\n');
}

void diags_print(const struct diags *diags, FILE *out)
{
	AUTO_FREE struct entry *entries = xcalloc(diags->count, sizeof(*entries));
	size_t left_out = diags->errors + diags->warnings - diags->count;
	AUTO_BUF struct buf line = {0};

	rank_entries(diags, entries);
	qsort(entries, diags->count, sizeof(*entries), compare_entries);
	for (size_t i = 0; i < diags->count; i++) {
		if (i && same_diag(entries[i - 1].diag, entries[i].diag))
			continue;
		buf_clear(&line);
		format_diag(&line, entries[i].diag);
		fwrite(line.data, 1, line.length, out);
	}
	if (left_out)
		fprintf(out, "error: %zu more problems are not shown\n", left_out);
}

void diags_free(struct diags *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		free(diags->items[i].text);
	free(diags->items);
	*diags = (struct diags){0};
}
