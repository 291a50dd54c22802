/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any table is one of cables whose facts are guid and remote_guid (and, where it has them, description, type and port
 * of both ends): what the words of a type mean is not known here but for "switch".
 */
#include <string.h>

#include "report/html_fabric.h"

static const char *const words[2][4] = {{"guid", "description", "type", "port"},
					{"remote_guid", "remote_description", "remote_type", "remote_port"}};

static const struct value *cell(const struct table *table, size_t row, const char *fact, enum rs_type type)
{
	int column = probe_fact(table->probe, fact);
	const struct value *value = column < 0 ? NULL : &table_row(table, row)[column];

	return value && table->probe->facts[column].type == type && value->state == VALUE_SET ? value : NULL;
}

static bool is_type(const struct rs_probe *probe, const char *fact, enum rs_type type)
{
	int column = probe_fact(probe, fact);

	return column >= 0 && probe->facts[column].type == type && !(probe->facts[column].flags & RS_F_LIST);
}

static int by_guid(const void *a, const void *b)
{
	uint64_t first = ((const struct fabric_node *)a)->guid, second = ((const struct fabric_node *)b)->guid;

	return (first > second) - (first < second);
}

static struct fabric_node *find(const struct fabric_picture *picture, uint64_t guid)
{
	struct fabric_node key = {.guid = guid};

	return bsearch(&key, picture->nodes, picture->nnodes, sizeof(key), by_guid);
}

static void read_nodes(struct fabric_picture *picture)
{
	const struct table *table = picture->table;
	size_t kept = 0;

	picture->nodes = xcalloc(2 * table->rows + 1, sizeof(*picture->nodes));
	for (size_t i = 0; i < 2 * table->rows; i++) {
		const struct value *guid = cell(table, i / 2, words[i % 2][0], RS_GUID);
		const struct value *name = cell(table, i / 2, words[i % 2][1], RS_TEXT);
		const struct value *type = cell(table, i / 2, words[i % 2][2], RS_ENUM);
		int column = probe_fact(table->probe, words[i % 2][2]);

		if (!guid)
			continue;
		picture->nodes[picture->nnodes++] = (struct fabric_node){
			.guid = guid->number,
			.name = name ? name->text : "?",
			.is_switch = type && !strcmp(table->probe->facts[column].choices[type->integer], "switch")};
	}
	if (picture->nnodes)
		qsort(picture->nodes, picture->nnodes, sizeof(*picture->nodes), by_guid);
	for (size_t i = 0; i < picture->nnodes; i++)
		if (!kept || picture->nodes[kept - 1].guid != picture->nodes[i].guid)
			picture->nodes[kept++] = picture->nodes[i];
	picture->nnodes = kept;
}

static void read_cables(struct fabric_picture *picture)
{
	const struct table *table = picture->table;

	picture->cables = xcalloc(table->rows + 1, sizeof(*picture->cables));
	for (size_t row = 0; row < table->rows; row++) {
		struct fabric_cable *cable = &picture->cables[picture->ncables];
		bool whole = true;

		for (int e = 0; e < 2; e++) {
			const struct value *guid = cell(table, row, words[e][0], RS_GUID);
			const struct value *port = cell(table, row, words[e][3], RS_INTEGER);

			whole &= guid != NULL;
			cable->ends[e] = guid ? (size_t)(find(picture, guid->number) - picture->nodes) : 0;
			cable->ports[e] = port ? port->integer : -1;
		}
		picture->ncables += whole;
	}
}

/* The cable that is named, else the node. */
static void mark(struct fabric_picture *picture, const struct table *table, size_t row)
{
	const struct value *guid = cell(table, row, "guid", RS_GUID), *port = cell(table, row, "port", RS_INTEGER);
	struct fabric_node *node = guid ? find(picture, guid->number) : NULL;
	bool found = false;

	for (size_t i = 0; node && port && i < picture->ncables; i++)
		for (int e = 0; e < 2; e++)
			if (&picture->nodes[picture->cables[i].ends[e]] == node &&
			    picture->cables[i].ports[e] == port->integer)
				found = picture->cables[i].wrong = true;
	if (node && !found)
		node->wrong = true;
}

static void mark_all(struct fabric_picture *picture, const struct result *result)
{
	for (size_t s = 0; s < result->nsteps; s++) {
		const struct rs_probe *probe = result->steps[s].plan->step->probe.probe;

		for (size_t c = 0; is_type(probe, "guid", RS_GUID) && c < result->steps[s].ncases; c++) {
			const struct result_case *item = &result->steps[s].cases[c];
			const struct result_attempt *last = view_last(item);
			const struct table *table = item->across ? NULL : view_table(last, probe);

			for (size_t i = 0; table && view_outcome(item) < OUTCOME_SKIP && i < last->judgement.nfindings;
			     i++)
				if (last->judgement.findings[i].row_number < table->rows)
					mark(picture, table, last->judgement.findings[i].row_number);
		}
	}
}

/* A leaf has hosts, and not just the one or two that a spine may have; the others rise from there. */
static void rise(struct fabric_picture *picture)
{
	size_t most = 0;
	bool changed = true;

	for (size_t i = 0; i < picture->ncables; i++)
		for (int e = 0; e < 2; e++)
			picture->nodes[picture->cables[i].ends[e]].ends +=
				!picture->nodes[picture->cables[i].ends[!e]].is_switch;
	for (size_t i = 0; i < picture->nnodes; i++)
		if (picture->nodes[i].is_switch && picture->nodes[i].ends > most)
			most = picture->nodes[i].ends;
	for (size_t i = 0; i < picture->nnodes; i++)
		if (picture->nodes[i].is_switch && (!most || picture->nodes[i].ends * 4 >= most))
			picture->nodes[i].level = 1;
	for (unsigned level = 1; changed && level < 8; level++) {
		changed = false;
		for (size_t i = 0; i < picture->ncables; i++) {
			for (int e = 0; e < 2; e++) {
				struct fabric_node *node = &picture->nodes[picture->cables[i].ends[e]];

				if (!node->is_switch || node->level ||
				    picture->nodes[picture->cables[i].ends[!e]].level != level)
					continue;
				node->level = level + 1;
				changed = true;
			}
		}
	}
	for (size_t i = 0; i < picture->nnodes; i++) {
		if (picture->nodes[i].is_switch && !picture->nodes[i].level)
			picture->nodes[i].level = 1;
		if (picture->nodes[i].level >= picture->levels)
			picture->levels = picture->nodes[i].level + 1;
	}
}

bool fabric_read(struct fabric_picture *picture, const struct html *html, const struct table *table)
{
	*picture = (struct fabric_picture){.table = table};
	if (!is_type(table->probe, "guid", RS_GUID) || !is_type(table->probe, "remote_guid", RS_GUID))
		return false;
	read_nodes(picture);
	read_cables(picture);
	mark_all(picture, html->result);
	rise(picture);
	return picture->ncables > 0;
}

void fabric_free(struct fabric_picture *picture)
{
	free(picture->nodes);
	free(picture->cables);
	free(picture->boxes);
}

void html_fabric(struct html *html)
{
	const struct table *best = NULL;
	struct fabric_picture picture;

	for (size_t i = 0; i < html->sheet->observations.count; i++) {
		const struct observation *observation = html->sheet->observations.items[i];

		for (size_t p = 0; !observation->error && p < observation->source->nprobes; p++) {
			const struct table *table = observation->tables[p];

			if (table && is_type(table->probe, "guid", RS_GUID) &&
			    is_type(table->probe, "remote_guid", RS_GUID) && (!best || table->rows > best->rows))
				best = table;
		}
	}
	if (!best)
		return;
	if (fabric_read(&picture, html, best))
		fabric_draw(html, &picture);
	fabric_free(&picture);
}
