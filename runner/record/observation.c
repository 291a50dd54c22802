/* SPDX-License-Identifier: BSD-2-Clause */
/* One observation of a recording, with its tables, as a worker would have sent it. */
#include <string.h>

#include "agent/answer.h"
#include "agent/cell.h"
#include "base/cleanup.h"
#include "record/internal.h"

#define COLUMNS_MAX 64
#define CELLS_MAX 50000000 /* of a table, as of one that a worker sends: 800 MB */

/** struct restoring - an observation on its way out of the text */
struct restoring {
	struct scan scan;
	struct arena arena; /* of texts that the observation copies */
	struct observation *observation;
	uint32_t wanted;
	struct buf head, tail;
};

static bool take_text(struct restoring *restoring, char **text)
{
	const char *given;

	if (!arena_scan(&restoring->scan, &restoring->arena, &given))
		return false;
	free(*text);
	*text = given ? xstrdup(given) : NULL;
	return true;
}

static bool take_reason(struct restoring *restoring)
{
	const char *name;

	if (!arena_scan(&restoring->scan, &restoring->arena, &name) || !name)
		return false;
	for (int i = 0; reason_names[i]; i++)
		if (!strcmp(reason_names[i], name))
			restoring->observation->reason = RS_FAILED + i;
	return restoring->observation->reason != 0;
}

static bool take_notes(struct restoring *restoring)
{
	struct scan *scan = &restoring->scan;
	const char *note;

	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		if (!arena_scan(scan, &restoring->arena, &note) || !note)
			return false;
		strings_add(&restoring->observation->notes, note);
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

static bool is_key(const char *key, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(name, key, length);
}

/* As long as nothing was left out, all of it is in the head. */
static bool take_bytes(struct scan *scan, struct buf *out, size_t most)
{
	const char *text;
	size_t length;

	if (!scan_text(scan, &text, &length) || length > most)
		return false;
	buf_clear(out);
	buf_add(out, text, length);
	return true;
}

static bool take_one_evidence(struct restoring *restoring)
{
	struct observation *observation = restoring->observation;
	struct scan *scan = &restoring->scan;
	const char *key, *name = NULL;
	size_t before = observation->nevidence;
	int64_t bytes = -1;
	size_t length;

	buf_clear(&restoring->head);
	buf_clear(&restoring->tail);
	if (!scan_take(scan, '{'))
		return false;
	do {
		bool good;

		if (!scan_string(scan, &key, &length) || !scan_take(scan, ':'))
			return false;
		if (is_key(key, length, "name"))
			good = arena_scan(scan, &restoring->arena, &name);
		else if (is_key(key, length, "bytes"))
			good = scan_integer(scan, &bytes);
		else if (is_key(key, length, "head"))
			good = take_bytes(scan, &restoring->head, 2 * EVIDENCE_KEPT);
		else if (is_key(key, length, "tail"))
			good = take_bytes(scan, &restoring->tail, EVIDENCE_KEPT);
		else
			good = scan_skip(scan);
		if (!good)
			return false;
	} while (scan_take(scan, ','));
	if (!scan_take(scan, '}') || !name || bytes < (int64_t)(restoring->head.length + restoring->tail.length))
		return false;
	observation_add_evidence(observation, name, restoring->head.data ? restoring->head.data : "",
				 restoring->head.length);
	if (observation->nevidence == before) /* one of that name is there already */
		return false;
	observation->evidence[observation->nevidence - 1].total = (size_t)bytes;
	buf_add(&observation->evidence[observation->nevidence - 1].tail,
		restoring->tail.data ? restoring->tail.data : "", restoring->tail.length);
	return true;
}

static bool take_evidence(struct restoring *restoring)
{
	struct scan *scan = &restoring->scan;

	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		if (!take_one_evidence(restoring))
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

/* ---- Tables ---- */

/** struct columns - where the cells of a recorded row belong; -1: nowhere, the fact is not known here */
struct columns {
	int at[COLUMNS_MAX];
	unsigned count;
};

static void note_missing(struct observation *observation, const struct rs_probe *probe, const struct columns *columns)
{
	for (unsigned i = 0; probe->facts[i].name; i++) {
		AUTO_FREE char *note = NULL;
		bool found = false;

		for (unsigned j = 0; j < columns->count; j++)
			found |= columns->at[j] == (int)i;
		if (found)
			continue;
		note = xasprintf("%s: '%s' was not recorded", probe->name, probe->facts[i].name);
		strings_add(&observation->notes, note);
	}
}

static bool take_facts(struct restoring *restoring, const struct rs_probe *probe, struct columns *columns)
{
	struct scan *scan = &restoring->scan;

	*columns = (struct columns){0};
	if (!scan_take(scan, '['))
		return false;
	do {
		const char *name;

		if (columns->count == COLUMNS_MAX || !arena_scan(scan, &restoring->arena, &name) || !name)
			return false;
		columns->at[columns->count] = probe ? probe_fact(probe, name) : -1;
		if (probe && columns->at[columns->count] < 0) {
			AUTO_FREE char *note =
				xasprintf("%s: '%s' was recorded, and is no fact of it here", probe->name, name);

			strings_add(&restoring->observation->notes, note);
		}
		columns->count++;
	} while (scan_take(scan, ','));
	if (probe)
		note_missing(restoring->observation, probe, columns);
	return scan_take(scan, ']');
}

static bool take_row(struct restoring *restoring, struct table *table, const struct columns *columns)
{
	struct value *row = table_add_row(table);
	const struct value *above = table->rows > 1 ? row - table->columns : NULL;
	struct scan *scan = &restoring->scan;

	if (!scan_take(scan, '['))
		return false;
	for (unsigned i = 0; i < columns->count; i++) {
		int at = columns->at[i];
		AUTO_FREE char *why = NULL;

		if (i && !scan_take(scan, ','))
			return false;
		if (at < 0 ? !scan_skip(scan)
			   : cell_read(&table->probe->facts[at], scan, above ? &above[at] : NULL, &table->arena,
				       &row[at], &why) < 0)
			return false;
	}
	return scan_take(scan, ']');
}

static bool take_rows(struct restoring *restoring, struct table *table, const struct columns *columns)
{
	struct scan *scan = &restoring->scan;

	if (!table || !columns->count)
		return scan_skip(scan);
	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		if (table->rows * table->columns > CELLS_MAX || !take_row(restoring, table, columns))
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

static const struct rs_probe *find_probe(const struct restoring *restoring, const char *name, int *number)
{
	const struct rs_source *source = restoring->observation->source;

	for (*number = 0; (size_t)*number < source->nprobes && *number < 32; ++*number)
		if ((!restoring->wanted || restoring->wanted & UINT32_C(1) << *number) &&
		    !strcmp(source->probes[*number].name, name))
			return &source->probes[*number];
	return NULL;
}

/* "probe", then "facts", then "rows": they are read as they come, and sorted keys come in another order. */
static bool take_table(struct restoring *restoring)
{
	struct scan *scan = &restoring->scan, rows = {0};
	const struct rs_probe *probe = NULL;
	struct columns columns = {0};
	const char *key, *name, *facts = NULL;
	size_t length;
	int number = 0;

	if (!scan_take(scan, '{'))
		return false;
	do {
		if (!scan_string(scan, &key, &length) || !scan_take(scan, ':'))
			return false;
		scan_peek(scan);
		if (is_key(key, length, "probe")) {
			if (!arena_scan(scan, &restoring->arena, &name) || !name)
				return false;
			probe = find_probe(restoring, name, &number);
			continue;
		}
		if (is_key(key, length, "facts"))
			facts = scan->at;
		else if (is_key(key, length, "rows"))
			rows.at = scan->at;
		if (!scan_skip(scan))
			return false;
	} while (scan_take(scan, ','));
	if (!scan_take(scan, '}') || !facts || !rows.at)
		return false;
	if (!probe || restoring->observation->tables[number])
		return !probe;
	key = scan->at;
	scan->at = facts;
	restoring->observation->tables[number] = table_new(probe);
	if (!take_facts(restoring, probe, &columns))
		return false;
	scan->at = rows.at;
	if (!take_rows(restoring, restoring->observation->tables[number], &columns))
		return false;
	scan->at = key;
	return true;
}

static bool take_tables(struct restoring *restoring)
{
	struct scan *scan = &restoring->scan;

	if (!scan_take(scan, '['))
		return false;
	if (scan_take(scan, ']'))
		return true;
	do {
		if (!take_table(restoring))
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

/* ---- The whole ---- */

static bool take_all(struct restoring *restoring)
{
	struct observation *observation = restoring->observation;
	struct scan *scan = &restoring->scan;
	const char *key;
	size_t length;

	scan_take(scan, '{');
	do {
		bool good;

		if (!scan_string(scan, &key, &length) || !scan_take(scan, ':'))
			return false;
		if (is_key(key, length, "error"))
			good = take_text(restoring, &observation->error);
		else if (is_key(key, length, "reason"))
			good = take_reason(restoring);
		else if (is_key(key, length, "incomplete"))
			good = take_text(restoring, &observation->incomplete);
		else if (is_key(key, length, "log"))
			good = take_text(restoring, &observation->log);
		else if (is_key(key, length, "notes"))
			good = take_notes(restoring);
		else if (is_key(key, length, "evidence"))
			good = take_evidence(restoring);
		else if (is_key(key, length, "tables"))
			good = take_tables(restoring);
		else
			good = scan_skip(scan);
		if (!good)
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, '}');
}

static void fail(struct observation *observation, char *why)
{
	for (size_t i = 0; i < sizeof(observation->tables) / sizeof(observation->tables[0]); i++) {
		table_free(observation->tables[i]);
		observation->tables[i] = NULL;
	}
	free(observation->error);
	observation->error = why;
	observation->reason = 0;
}

static void check_wanted(struct restoring *restoring, const struct recording *recording)
{
	struct observation *observation = restoring->observation;
	const struct rs_source *source = observation->source;

	for (size_t i = 0; !observation->error && i < source->nprobes && i < 32; i++)
		if (restoring->wanted & UINT32_C(1) << i && !observation->tables[i])
			fail(observation,
			     xasprintf("%s was not recorded in '%s'", source->probes[i].name, recording->about.path));
}

struct observation *recorded_observation(const struct recording *recording, const struct recorded *recorded,
					 const struct rs_source *source, uint32_t wanted)
{
	struct restoring restoring = {.wanted = wanted};

	restoring.observation = observation_new(source, recorded->host, recorded->params);
	restoring.observation->server = recorded->server ? xstrdup(recorded->server) : NULL;
	restoring.observation->started = recorded->started;
	restoring.observation->seconds = recorded->seconds;
	scan_begin(&restoring.scan, recording->text.data + recorded->at, recorded->length);
	if (!take_all(&restoring))
		fail(restoring.observation,
		     xasprintf("what was recorded of %s on %s in '%s' does not match its facts, or was changed",
			       source->name, recorded->host, recording->about.path));
	check_wanted(&restoring, recording);
	scan_free(&restoring.scan);
	buf_free(&restoring.head);
	buf_free(&restoring.tail);
	arena_free(&restoring.arena);
	return restoring.observation;
}
