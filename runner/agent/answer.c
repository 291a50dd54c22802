/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/answer.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/cell.h"
#include "agent/wire.h"
#include "base/cleanup.h"

#define NOTES_MAX 2000
#define CELLS_MAX 50000000 /* of a table: 800 MB */
#define EVIDENCE_MAX 256
#define INCOMPLETE_MAX 4096 /* bytes after which no further reason is added */

const char *const reason_names[] = {"failed", "unsupported", "denied", "absent", "timed out", "invalid", NULL};

void answer_begin(struct answer *answer, const struct rs_source *source, const struct rs_plugin *plugin,
		  uint32_t wanted, const char *host, const char *params)
{
	*answer = (struct answer){.plugin = plugin, .wanted = wanted};
	answer->observation = observation_new(source, host, params);
}

void answer_fail(struct answer *answer, char *why)
{
	if (answer->failure)
		free(why);
	else
		answer->failure = why;
}

static int fail(struct answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct answer *answer, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	answer_fail(answer, buf_take(&text));
	return -EPROTO;
}

static int malformed(struct answer *answer, const char *kind)
{
	return fail(answer, "the worker sent a malformed message '%s'", kind);
}

/* The number of a wanted probe of the source by its name, or -1 */
static int find_probe(const struct answer *answer, const char *name, size_t length)
{
	const struct rs_source *source = answer->observation->source;

	for (size_t i = 0; i < source->nprobes && i < 32; i++)
		if (answer->wanted & UINT32_C(1) << i && strlen(source->probes[i].name) == length &&
		    !memcmp(source->probes[i].name, name, length))
			return (int)i;
	return -1;
}

static int take_begin(struct answer *answer, const json_t *body)
{
	const char *plugin = json_string_value(json_object_get(body, "plugin"));

	if (answer->version || !plugin || json_object_size(body) != 2)
		return malformed(answer, "begin");
	if (answer->plugin && strcmp(answer->plugin->name, plugin) != 0)
		return fail(answer, "the worker loaded a plugin '%s' instead of '%s'", plugin, answer->plugin->name);
	answer->version = wire_get_string(json_object_get(body, "version"));
	return answer->version ? 0 : malformed(answer, "begin");
}

static int other_facts(struct answer *answer, const struct rs_probe *probe, const char *what)
{
	return fail(answer, "the worker's plugin (version %s, here %s) has other facts for %s: %s", answer->version,
		    answer->plugin ? answer->plugin->version : "unknown", probe->name, what);
}

/* The facts must be the same ones in the same order: what another version of the plugin means is not to be guessed. */
static int take_table(struct answer *answer, const json_t *body)
{
	const json_t *facts = json_object_get(body, "facts");
	const json_t *name = json_object_get(body, "probe");
	int number = name ? find_probe(answer, json_string_value(name), json_string_length(name)) : -1;
	const struct rs_probe *probe;
	size_t i;

	if (number < 0 || !json_is_array(facts) || json_object_size(body) != 2)
		return malformed(answer, "table");
	if (answer->tables & UINT32_C(1) << number)
		return fail(answer, "the worker sent the same table twice");
	probe = &answer->observation->source->probes[number];
	for (i = 0; i < json_array_size(facts); i++) {
		const char *fact = json_string_value(json_array_get(facts, i));

		if (!fact)
			return malformed(answer, "table");
		if (!probe->facts[i].name || strcmp(probe->facts[i].name, fact) != 0)
			return other_facts(answer, probe, fact);
	}
	if (probe->facts[i].name)
		return other_facts(answer, probe, probe->facts[i].name);
	answer->tables |= UINT32_C(1) << number;
	answer->observation->tables[number] = table_new(probe);
	return 0;
}

static int no_json(struct answer *answer, const char *kind)
{
	return fail(answer, "the worker sent a message that was refused: it is no valid JSON ('%s', byte %td)", kind,
		    answer->scan.at - answer->scan.start + 1);
}

static int wrong_length(struct answer *answer, const struct table *table)
{
	return fail(answer, "the worker sent a table that does not match its facts: row %zu of %s has not %u cells",
		    table->rows, table->probe->name, table->columns);
}

static int take_row(struct answer *answer, struct table *table)
{
	struct value *row = table_add_row(table);
	const struct value *above = table->rows > 1 ? row - table->columns : NULL;
	struct scan *scan = &answer->scan;

	if (!scan_take(scan, '['))
		return scan_is_value(scan) ? wrong_length(answer, table) : no_json(answer, "rows");
	for (unsigned i = 0; i < table->columns; i++) {
		const struct rs_fact *fact = &table->probe->facts[i];
		AUTO_FREE char *why = NULL;

		if (i ? !scan_take(scan, ',') : scan_peek(scan) == ']')
			return scan_peek(scan) == ']' ? wrong_length(answer, table) : no_json(answer, "rows");
		if (cell_read(fact, scan, above ? &above[i] : NULL, &table->arena, &row[i], &why) == 0)
			continue;
		return why ? fail(answer,
				  "the worker sent a table that does not match its facts: in row %zu of %s, %s %s",
				  table->rows, table->probe->name, fact->name, why)
			   : no_json(answer, "rows");
	}
	if (scan_take(scan, ']'))
		return 0;
	return scan_peek(scan) == ',' ? wrong_length(answer, table) : no_json(answer, "rows");
}

/*
 * [PROBE, ROW, ...]}: most of what there is to read, so that it is read straight into the table. @body is what follows
 * the key. There is no nesting to be bounded: what is deeper than a list in a row is no cell.
 */
static int take_rows(struct answer *answer, const char *body, size_t length)
{
	struct scan *scan = &answer->scan;
	struct table *table = NULL;
	const char *name;
	size_t name_length;

	scan_begin(scan, body, length);
	if (scan_take(scan, '[') && scan_string(scan, &name, &name_length)) {
		int number = find_probe(answer, name, name_length);

		table = number < 0 ? NULL : answer->observation->tables[number];
	}
	if (!table)
		return fail(answer, "the worker sent rows of a table that it had not begun");
	if (table->rows * table->columns > CELLS_MAX)
		return fail(answer, "the worker sent a table of more than %d cells", CELLS_MAX);
	while (scan_take(scan, ',')) {
		int rc = take_row(answer, table);

		if (rc < 0)
			return rc;
	}
	if (!scan_take(scan, ']') || !scan_take(scan, '}') || scan_peek(scan) || scan->at != scan->end)
		return no_json(answer, "rows");
	return 0;
}

static int take_note(struct answer *answer, const json_t *body)
{
	AUTO_FREE char *text = wire_get_string(body);

	if (!text)
		return malformed(answer, "note");
	if (answer->observation->notes.count >= NOTES_MAX)
		return fail(answer, "the worker sent more than %d notes", NOTES_MAX);
	strings_add(&answer->observation->notes, text);
	return 0;
}

static int take_incomplete(struct answer *answer, const json_t *body)
{
	AUTO_FREE char *text = wire_get_string(body);
	char *both;

	if (!text)
		return malformed(answer, "incomplete");
	if (answer->observation->incomplete && strlen(answer->observation->incomplete) > INCOMPLETE_MAX)
		return 0;
	both = answer->observation->incomplete ? xasprintf("%s; %s", answer->observation->incomplete, text)
					       : xstrdup(text);
	free(answer->observation->incomplete);
	answer->observation->incomplete = both;
	return 0;
}

static struct evidence *find_evidence(const struct answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->observation->nevidence; i++)
		if (!strcmp(answer->observation->evidence[i].name, name))
			return &answer->observation->evidence[i];
	return NULL;
}

/* [NAME, TEXT]: more of it. [NAME, TEXT, LEFT_OUT]: what follows bytes that the worker did not keep. */
static int take_evidence(struct answer *answer, const json_t *body)
{
	AUTO_FREE char *name = wire_get_string(json_array_get(body, 0));
	const json_t *left_out = json_array_get(body, 2);
	struct evidence *evidence;
	struct buf *text = &answer->scratch;

	if (!name || !wire_get_text(json_array_get(body, 1), text) || json_array_size(body) > 3)
		return malformed(answer, "evidence");
	evidence = find_evidence(answer, name);
	if (!evidence && answer->observation->nevidence >= EVIDENCE_MAX)
		return fail(answer, "the worker sent more than %d pieces of evidence", EVIDENCE_MAX);
	if (!left_out) {
		observation_add_evidence(answer->observation, name, text->data, text->length);
		return 0;
	}
	if (!evidence || json_integer_value(left_out) < 1 || evidence->tail.length ||
	    evidence->head.length != EVIDENCE_KEPT || !text->length || text->length > EVIDENCE_KEPT)
		return malformed(answer, "evidence");
	evidence->total += (size_t)json_integer_value(left_out) + text->length;
	buf_add(&evidence->tail, text->data, text->length);
	return 0;
}

static int take_error(struct answer *answer, const json_t *body)
{
	const char *name = json_string_value(json_array_get(body, 0));
	char *text = wire_get_string(json_array_get(body, 1));
	int reason = 0;

	while (name && reason_names[reason] && strcmp(reason_names[reason], name) != 0)
		reason++;
	if (!name || !text || !reason_names[reason] || json_array_size(body) != 2) {
		free(text);
		return malformed(answer, "error");
	}
	answer->ended = true;
	answer->observation->error = text;
	answer->observation->reason = reason + RS_FAILED;
	return 0;
}

/* Not the plugin's word, but that of rdmaspec around it: no plugin, a bug of the plugin, processes left behind. */
static int take_failed(struct answer *answer, const json_t *body)
{
	char *text = wire_get_string(body);

	if (!text)
		return malformed(answer, "failed");
	answer->ended = true;
	answer->observation->error = text;
	return 0;
}

/* {PROBE: ROWS, ...}: how many rows there were, so that none was lost on the way. */
static int take_end(struct answer *answer, const json_t *body)
{
	const struct rs_source *source = answer->observation->source;

	if (!json_is_object(body) || json_object_size(body) != (size_t)__builtin_popcount(answer->wanted))
		return malformed(answer, "end");
	for (size_t i = 0; i < source->nprobes && i < 32; i++) {
		const struct table *table = answer->observation->tables[i];
		const json_t *rows = json_object_get(body, source->probes[i].name);

		if (!(answer->wanted & UINT32_C(1) << i))
			continue;
		if (!table || !json_is_integer(rows))
			return malformed(answer, "end");
		if ((uint64_t)json_integer_value(rows) != table->rows)
			return fail(answer, "the worker sent %zu of %" JSON_INTEGER_FORMAT " rows of %s", table->rows,
				    json_integer_value(rows), source->probes[i].name);
	}
	answer->ended = true;
	return 0;
}

static const struct {
	const char *kind;
	int (*take)(struct answer *answer, const json_t *body);
	bool unbegun; /* may come without a begin */
} kinds[] = {
	{"begin", take_begin, true},	    {"table", take_table, false},
	{"note", take_note, true},	    {"incomplete", take_incomplete, false},
	{"evidence", take_evidence, false}, {"error", take_error, false},
	{"failed", take_failed, true},	    {"end", take_end, false},
};

static int take_message(struct answer *answer, const char *kind, const json_t *body)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].kind, kind) != 0)
			continue;
		if (!answer->version && !kinds[i].unbegun)
			return fail(answer, "the worker sent '%s' ahead of its beginning", kind);
		return kinds[i].take(answer, body);
	}
	return fail(answer, "the worker sent an unknown message '%s'", kind);
}

int answer_take(struct answer *answer, const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	json_t *message, *body;
	const char *kind;
	size_t kind_length;
	uint64_t id;
	int rc;

	if (answer->failure)
		return 0;
	if (answer->ended)
		return fail(answer, "the worker went on after the end of its answer");
	if (wire_prefix(line, length, &kind, &kind_length) && kind_length == 4 && !memcmp(kind, "rows", 4)) {
		const char *rows = kind + sizeof("rows\":") - 1;

		return take_rows(answer, rows, length - (size_t)(rows - line));
	}
	message = wire_message(line, length, &id, &kind, &body, &why);
	if (!message)
		return fail(answer, "the worker sent a message that was refused: %s", why);
	rc = take_message(answer, kind, body);
	json_decref(message);
	return rc;
}

static void drop_tables(struct observation *observation)
{
	for (size_t i = 0; i < sizeof(observation->tables) / sizeof(observation->tables[0]); i++) {
		table_free(observation->tables[i]);
		observation->tables[i] = NULL;
	}
}

struct observation *answer_end(struct answer *answer, const char *cause)
{
	struct observation *observation = answer->observation;
	const char *why = cause ? cause : answer->failure;

	if (!why && !answer->ended)
		why = "the worker ended without an answer";
	if (why) {
		free(observation->error);
		observation->error = xstrdup(why);
		observation->reason = 0;
	}
	if (observation->error)
		drop_tables(observation);
	answer->observation = NULL;
	answer_free(answer);
	return observation;
}

void answer_free(struct answer *answer)
{
	observation_unref(answer->observation);
	free(answer->version);
	free(answer->failure);
	scan_free(&answer->scan);
	buf_free(&answer->scratch);
	*answer = (struct answer){0};
}
