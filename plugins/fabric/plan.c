/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/link.h"

static const char *copy(struct rs_ctx *ctx, const char *text, size_t length)
{
	char *out = rs_alloc(ctx, length + 1);

	memcpy(out, text, length);
	return out;
}

static int choice_of(const char *const *choices, const char *word, size_t length)
{
	for (int i = 0; choices[i]; i++)
		if (strlen(choices[i]) == length && !strncasecmp(choices[i], word, length))
			return i;
	return -1;
}

/* "0x0002c9030045f121", "0002:c903:0045:f121", 16 digits; 0: it is none */
static uint64_t read_guid(const char *text, size_t length)
{
	uint64_t guid = 0;
	unsigned digits = 0;
	bool marked = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	for (size_t i = marked ? 2 : 0; i < length; i++) {
		if (text[i] == ':' && digits)
			continue;
		if (!isxdigit((unsigned char)text[i]) || ++digits > 16)
			return 0;
		guid = guid << 4 |
		       (unsigned)(isdigit((unsigned char)text[i]) ? text[i] - '0' : (text[i] | 32) - 'a' + 10);
	}
	return marked || digits == 16 ? guid : 0;
}

static bool same_end(const struct plan_end *a, const struct plan_end *b)
{
	if (a->port != b->port)
		return false;
	return a->guid && b->guid ? a->guid == b->guid : !strcasecmp(a->name, b->name);
}

static void add(struct rs_ctx *ctx, struct plan *plan, const struct plan_link *link)
{
	if (plan->count == plan->capacity) {
		struct plan_link *larger;

		plan->capacity = plan->capacity ? plan->capacity * 2 : 64;
		larger = rs_alloc(ctx, plan->capacity * sizeof(*larger));
		if (plan->count)
			memcpy(larger, plan->links, plan->count * sizeof(*larger));
		plan->links = larger;
	}
	plan->links[plan->count++] = *link;
}

/* ---- CSV ---- */

#define FIELDS 8

struct field {
	const char *text;
	size_t length;
};

static struct field trim(const char *text, size_t length)
{
	while (length && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return (struct field){text, length};
}

/* One field, in double quotes (doubled inside) or bare; returns what follows it */
static const char *read_field(struct rs_ctx *ctx, const char *at, const char *end, struct field *field)
{
	const char *stop = at;
	char *out;
	size_t length = 0;

	while (at < end && isblank((unsigned char)*at))
		at++;
	if (at == end || *at != '"') {
		stop = memchr(at, ',', (size_t)(end - at));
		stop = stop ? stop : end;
		*field = trim(at, (size_t)(stop - at));
		return stop;
	}
	out = rs_alloc(ctx, (size_t)(end - at) + 1);
	for (at++; at < end; at++) {
		if (*at == '"' && (at + 1 == end || at[1] != '"'))
			break;
		at += *at == '"';
		out[length++] = *at;
	}
	*field = (struct field){out, length};
	stop = memchr(at, ',', (size_t)(end - at));
	return stop ? stop : end;
}

static bool read_number(const struct field *field, unsigned *number)
{
	char *end;
	unsigned long value = field->length ? strtoul(field->text, &end, 10) : 0;

	*number = (unsigned)value;
	return field->length && isdigit((unsigned char)*field->text) && end == field->text + field->length &&
	       value < 256;
}

static int read_csv_line(struct rs_ctx *ctx, const char *line, size_t length, unsigned number, struct plan *plan)
{
	struct plan_link link = {.width = -1, .speed = -1, .line = number};
	struct field fields[FIELDS] = {{0}};
	const char *at = line, *end = line + length;
	unsigned count = 0;

	while (at <= end && count < FIELDS) {
		at = read_field(ctx, at, end, &fields[count++]) + 1;
	}
	/* Of a recorded run: a cable whose other end was not known is no plan for one. */
	if (count == FIELDS && !fields[3].length && !fields[7].length)
		return 0;
	if (count < 4)
		return rs_error(ctx, RS_INVALID, "the plan's line %u is not \"node, port, node, port\"", number);
	for (int i = 0; i < 2; i++) {
		const struct field *node = &fields[2 * i], *guid = &fields[6 + i];

		if (!read_number(&fields[2 * i + 1], &link.ends[i].port)) {
			if (!plan->count)
				return 0; /* column names */
			return rs_error(ctx, RS_INVALID, "the plan's line %u has no port number after node %.*s",
					number, (int)node->length, node->text);
		}
		if (!node->length)
			node = guid;
		link.ends[i].name = copy(ctx, node->text, node->length);
		link.ends[i].guid =
			guid->length ? read_guid(guid->text, guid->length) : read_guid(node->text, node->length);
	}
	if (fields[4].length)
		link.width = choice_of(link_widths, fields[4].text, fields[4].length);
	if (fields[5].length)
		link.speed = choice_of(link_speeds, fields[5].text, fields[5].length);
	if ((fields[4].length && link.width < 0) || (fields[5].length && link.speed < 0))
		return rs_error(ctx, RS_INVALID, "the plan's line %u has an unknown width or speed", number);
	add(ctx, plan, &link);
	return 0;
}

/* ---- ibnetdiscover and ibsim ---- */

/* A node's id there: 'S-0002c90300000001' is a GUID; else it is a name unless a description follows */
struct topology_node {
	const char *id;
	const char *name;
};

struct topology {
	struct topology_node *nodes;
	unsigned count, capacity;
};

static bool is_header(const char *line)
{
	static const char *const words[] = {"Switch", "Ca", "Hca", "Rt"};

	for (unsigned i = 0; i < 4; i++)
		if (!strncmp(line, words[i], strlen(words[i])) && isspace((unsigned char)line[strlen(words[i])]))
			return true;
	return false;
}

static const char *quoted(struct rs_ctx *ctx, const char *from, const char *end, const char **after)
{
	const char *open = memchr(from, '"', (size_t)(end - from));
	const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;

	if (!close)
		return NULL;
	*after = close + 1;
	return copy(ctx, open + 1, (size_t)(close - open - 1));
}

/* The description may have quotes itself: in ibnetdiscover's notation it ends before what follows, or at the line's end
 */
static const char *header_name(struct rs_ctx *ctx, const char *at, const char *end, const char *id)
{
	const char *hash = memchr(at, '#', (size_t)(end - at)), *stop;
	struct field field;

	if (!hash)
		return id;
	field = trim(hash + 1, (size_t)(end - hash - 1));
	if (!field.length)
		return id;
	if (*field.text != '"')
		return copy(ctx, field.text, field.length);
	stop = memrchr(field.text + 1, '"', field.length - 1);
	if (!stop)
		return copy(ctx, field.text, field.length);
	return copy(ctx, field.text + 1, (size_t)(stop - field.text - 1));
}

static void add_node(struct rs_ctx *ctx, struct topology *topology, const char *line, const char *end)
{
	const char *after, *id = quoted(ctx, line, end, &after);

	if (!id)
		return;
	if (topology->count == topology->capacity) {
		struct topology_node *larger;

		topology->capacity = topology->capacity ? topology->capacity * 2 : 64;
		larger = rs_alloc(ctx, topology->capacity * sizeof(*larger));
		if (topology->count)
			memcpy(larger, topology->nodes, topology->count * sizeof(*larger));
		topology->nodes = larger;
	}
	topology->nodes[topology->count++] = (struct topology_node){id, header_name(ctx, after, end, id)};
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct topology_node *)a)->id, ((const struct topology_node *)b)->id);
}

static struct plan_end end_of(const struct topology *topology, const char *id, unsigned port)
{
	const struct topology_node key = {.id = id};
	const struct topology_node *node = bsearch(&key, topology->nodes, topology->count, sizeof(key), by_id);
	bool typed = strlen(id) == 18 && strchr("SHR", id[0]) && id[1] == '-';

	return (struct plan_end){
		.guid = typed ? read_guid(id + 2, 16) : 0, .name = node ? node->name : id, .port = port};
}

/* "4xHDR" at the end of ibnetdiscover's lines */
static void read_rate(const char *line, const char *end, struct plan_link *link)
{
	const char *word = end;
	const char *x;

	while (word > line && !isspace((unsigned char)word[-1]))
		word--;
	x = memchr(word, 'x', (size_t)(end - word));
	if (!x || !isdigit((unsigned char)*word))
		return;
	link->width = choice_of(link_widths, word, (size_t)(x - word) + 1);
	link->speed = choice_of(link_speeds, x + 1, (size_t)(end - x - 1));
}

/* [1] "leaf-1"[17] w=1        [1](2c903004a0bd1) "S-…"[3] # lid 2 lmc 0 "…" lid 1 4xQDR */
static void add_port(struct rs_ctx *ctx, const struct topology *topology, const char *owner, const char *line,
		     const char *end, unsigned number, struct plan *plan)
{
	struct plan_link link = {.width = -1, .speed = -1, .line = number};
	const char *after, *peer = quoted(ctx, line, end, &after);

	if (!peer || !owner)
		return;
	link.ends[0] = end_of(topology, owner, (unsigned)atoi(line + 1));
	link.ends[1] = end_of(topology, peer, after < end && *after == '[' ? (unsigned)atoi(after + 1) : 1);
	read_rate(line, end, &link);
	add(ctx, plan, &link);
}

typedef int line_fn(struct rs_ctx *ctx, const char *line, const char *end, unsigned number, void *user);

static int each_line(struct rs_ctx *ctx, const char *text, line_fn *visit, void *user)
{
	unsigned number = 1;

	for (const char *line = text; *line; number++) {
		const char *end = strchrnul(line, '\n');
		const char *trimmed = end;
		int error;

		while (trimmed > line && isspace((unsigned char)trimmed[-1]))
			trimmed--;
		error = trimmed > line && *line != '#' ? visit(ctx, line, trimmed, number, user) : 0;
		if (error)
			return error;
		line = *end ? end + 1 : end;
	}
	return 0;
}

struct reader {
	struct plan *plan;
	struct topology topology;
	const char *owner;
};

static int visit_csv(struct rs_ctx *ctx, const char *line, const char *end, unsigned number, void *user)
{
	return read_csv_line(ctx, line, (size_t)(end - line), number, ((struct reader *)user)->plan);
}

static int visit_headers(struct rs_ctx *ctx, const char *line, const char *end, unsigned number, void *user)
{
	if (is_header(line))
		add_node(ctx, &((struct reader *)user)->topology, line, end);
	return 0;
}

static int visit_ports(struct rs_ctx *ctx, const char *line, const char *end, unsigned number, void *user)
{
	struct reader *reader = user;
	const char *after;

	if (is_header(line))
		reader->owner = quoted(ctx, line, end, &after);
	else if (*line == '[')
		add_port(ctx, &reader->topology, reader->owner, line, end, number, reader->plan);
	return 0;
}

static uint64_t hash_end(const struct plan_end *end)
{
	uint64_t hash = end->port + UINT64_C(14695981039346656037);

	for (const char *c = end->name; *c; c++)
		hash = (hash ^ (uint64_t)tolower((unsigned char)*c)) * UINT64_C(1099511628211);
	return hash;
}

/* A topology tells each cable from both of its ends: the second is dropped, its rate kept if the first gave none */
static void drop_repeats(struct rs_ctx *ctx, struct plan *plan)
{
	unsigned size = 64, kept = 0, *table;

	while (size < plan->count * 4)
		size *= 2;
	table = rs_alloc(ctx, size * sizeof(*table));
	for (unsigned i = 0; i < plan->count; i++) {
		struct plan_link *link = &plan->links[i];
		uint64_t hash = hash_end(&link->ends[0]) + hash_end(&link->ends[1]); /* the same from either side */
		unsigned at = (unsigned)(hash >> 20) & (size - 1);

		for (; table[at]; at = (at + 1) & (size - 1)) {
			const struct plan_link *other = &plan->links[table[at] - 1];

			if (same_end(&other->ends[0], &link->ends[1]) && same_end(&other->ends[1], &link->ends[0]))
				break;
		}
		if (table[at])
			continue;
		plan->links[kept] = *link;
		table[at] = ++kept;
	}
	plan->count = kept;
}

int plan_read(struct rs_ctx *ctx, const char *text, struct plan *plan)
{
	struct reader reader = {.plan = plan};
	int error;

	*plan = (struct plan){0};
	each_line(ctx, text, visit_headers, &reader);
	if (reader.topology.count) {
		qsort(reader.topology.nodes, reader.topology.count, sizeof(*reader.topology.nodes), by_id);
		error = each_line(ctx, text, visit_ports, &reader);
		drop_repeats(ctx, plan);
	} else {
		error = each_line(ctx, text, visit_csv, &reader);
	}
	if (!error && !plan->count)
		return rs_error(ctx, RS_INVALID, "the plan has no cable in it");
	return error;
}
