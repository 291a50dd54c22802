/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables taken out of a recording as they stand there, for a plugin that knows what they mean. */
#include "record/as_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "record/internal.h"

#define COLUMNS_MAX 16
#define FACTS_MAX 256
#define BEGINNING 4096

bool recording_is(const char *path)
{
	static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd}; /* RFC 8878, section 3.1.1 */
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char beginning[BEGINNING + 1];
	struct stat status;
	ssize_t length;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode))
		return false;
	length = read(fd, beginning, BEGINNING);
	if (length < (ssize_t)sizeof(zstd))
		return false;
	beginning[length] = '\0';
	return !memcmp(beginning, zstd, sizeof(zstd)) ||
	       (beginning[strspn(beginning, " \t\r\n")] == '{' && strstr(beginning, "\"rdmaspec.recording\""));
}

/** struct extract - a table on its way out; @facts, @rows: where they stand in the text; NULL: not found */
struct extract {
	const char *probe;
	size_t probe_length;
	struct strings columns;
	const char *facts, *rows;
	const struct recorded *from;
	int at[FACTS_MAX]; /* the column of each recorded fact; -1: none */
};

/* ---- Which table ---- */

static bool is_key(const char *key, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(name, key, length);
}

/* False: no table. *ours: it is the one that is looked for. */
static bool look_at_table(struct extract *extract, struct scan *scan, bool *ours)
{
	const char *key, *name, *facts = NULL, *rows = NULL;
	size_t length, name_length;

	*ours = false;
	if (!scan_take(scan, '{'))
		return false;
	do {
		if (!scan_string(scan, &key, &length) || !scan_take(scan, ':'))
			return false;
		scan_peek(scan);
		if (is_key(key, length, "probe")) {
			if (!scan_string(scan, &name, &name_length))
				return false;
			*ours = name_length == extract->probe_length && !memcmp(name, extract->probe, name_length);
			continue;
		}
		if (is_key(key, length, "facts"))
			facts = scan->at;
		else if (is_key(key, length, "rows"))
			rows = scan->at;
		if (!scan_skip(scan))
			return false;
	} while (scan_take(scan, ','));
	*ours = *ours && facts && rows;
	if (*ours) {
		extract->facts = facts;
		extract->rows = rows;
	}
	return scan_take(scan, '}');
}

static bool look_at_tables(struct extract *extract, struct scan *scan, bool *found)
{
	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		bool ours;

		if (!look_at_table(extract, scan, &ours))
			return false;
		*found |= ours;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

/* Whether the table is in that observation; what was changed has none. */
static bool is_in(struct extract *extract, const struct recording *recording, const struct recorded *recorded)
{
	struct scan scan = {0};
	bool found = false;

	scan_begin(&scan, recording->text.data + recorded->at, recorded->length);
	scan_take(&scan, '{');
	do {
		const char *key;
		size_t length;
		bool tables;

		if (!scan_string(&scan, &key, &length))
			break;
		tables = is_key(key, length, "tables");
		if (!scan_take(&scan, ':') || !(tables ? look_at_tables(extract, &scan, &found) : scan_skip(&scan)))
			break;
	} while (scan_take(&scan, ','));
	scan_free(&scan);
	return found;
}

static bool is_same(const struct recorded *a, const struct recorded *b)
{
	return !strcmp(a->host, b->host) && !strcmp(a->source, b->source) && !strcmp(a->params, b->params);
}

/* The last one; but two that are not the same question are two plans. */
static int find(struct extract *extract, const struct recording *recording, char **why)
{
	for (size_t i = 0; i < recording->count; i++) {
		const struct recorded *recorded = &recording->items[i];

		if (!is_in(extract, recording, recorded))
			continue;
		if (extract->from && !is_same(extract->from, recorded)) {
			*why = xasprintf("holds more than one %.*s: on %s with %s, and on %s with %s",
					 (int)extract->probe_length, extract->probe, extract->from->host,
					 extract->from->params, recorded->host, recorded->params);
			return -EINVAL;
		}
		extract->from = recorded;
	}
	if (extract->from)
		return 0;
	*why = xasprintf("is a recorded run without %.*s", (int)extract->probe_length, extract->probe);
	return -EINVAL;
}

/* ---- Its cells ---- */

static bool read_facts(struct extract *extract, struct scan *scan, size_t *count)
{
	*count = 0;
	if (!scan_take(scan, '['))
		return false;
	do {
		const char *name;
		size_t length;

		if (*count == FACTS_MAX || !scan_string(scan, &name, &length))
			return false;
		extract->at[*count] = -1;
		for (size_t i = 0; i < extract->columns.count; i++)
			if (is_key(name, length, extract->columns.items[i]))
				extract->at[*count] = (int)i;
		++*count;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

/* A text or a whole number; anything else leaves it empty. */
static bool read_cell(struct scan *scan, struct buf *cell)
{
	const char *text;
	size_t length;
	int64_t number;

	buf_clear(cell);
	if (scan_peek(scan) == '"') {
		if (!scan_text(scan, &text, &length))
			return false;
		utf8_printable(cell, text, length);
		return true;
	}
	if (scan_integer(scan, &number)) {
		buf_printf(cell, "%lld", (long long)number);
		return true;
	}
	return scan_skip(scan);
}

static void write_cell(struct buf *out, const struct buf *cell)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < cell->length; i++) {
		if (cell->data[i] == '"')
			buf_putc(out, '"');
		buf_putc(out, cell->data[i]);
	}
	buf_putc(out, '"');
}

static bool read_row(const struct extract *extract, struct scan *scan, size_t count, struct buf *cells)
{
	if (!scan_take(scan, '['))
		return false;
	for (size_t i = 0; i < extract->columns.count; i++)
		buf_clear(&cells[i]);
	for (size_t i = 0; i < count; i++) {
		if (i && !scan_take(scan, ','))
			return false;
		if (extract->at[i] < 0 ? !scan_skip(scan) : !read_cell(scan, &cells[extract->at[i]]))
			return false;
	}
	return scan_take(scan, ']');
}

static bool write_rows(const struct extract *extract, struct scan *scan, size_t count, struct buf *cells,
		       struct buf *out)
{
	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		if (!read_row(extract, scan, count, cells))
			return false;
		for (size_t i = 0; i < extract->columns.count; i++) {
			if (i)
				buf_putc(out, ',');
			write_cell(out, &cells[i]);
		}
		buf_putc(out, '\n');
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

static bool write_table(struct extract *extract, const struct recording *recording, struct buf *out)
{
	const char *end = recording->text.data + recording->text.length;
	struct buf cells[COLUMNS_MAX] = {{0}};
	struct scan scan = {0};
	size_t count;
	bool good;

	for (size_t i = 0; i < extract->columns.count; i++)
		buf_printf(out, "%s%s", i ? "," : "", extract->columns.items[i]);
	buf_putc(out, '\n');
	scan_begin(&scan, extract->facts, (size_t)(end - extract->facts));
	good = read_facts(extract, &scan, &count);
	scan_begin(&scan, extract->rows, (size_t)(end - extract->rows));
	good = good && write_rows(extract, &scan, count, cells, out);
	scan_free(&scan);
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		buf_free(&cells[i]);
	return good;
}

static void read_wanted(struct extract *extract, const char *table)
{
	extract->probe = table;
	extract->probe_length = strcspn(table, " ");
	for (table += extract->probe_length; *table; table += strcspn(table, " ")) {
		AUTO_FREE char *name = NULL;

		table += strspn(table, " ");
		name = xasprintf("%.*s", (int)strcspn(table, " "), table);
		if (*name && extract->columns.count < COLUMNS_MAX)
			strings_add(&extract->columns, name);
	}
}

int recording_as_csv(const char *path, const char *table, struct buf *out, char **why)
{
	AUTO_DIAG struct diag diag = {0};
	struct recording *recording = recording_load(path, &diag);
	struct extract extract = {0};
	int error;

	if (!recording) {
		*why = xasprintf("cannot be read: %s", diag.text);
		return -EINVAL;
	}
	read_wanted(&extract, table);
	error = find(&extract, recording, why);
	if (!error && !write_table(&extract, recording, out)) {
		*why = xasprintf("is a recorded run whose %.*s does not match its facts, or was changed",
				 (int)extract.probe_length, extract.probe);
		error = -EINVAL;
	}
	strings_free(&extract.columns);
	recording_free(recording);
	return error;
}
