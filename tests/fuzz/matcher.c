/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging keys as YAML, then a NUL, then bytes that become cells. Whatever compiles is held against the rows. Beside
 * what the sanitizers see: a verdict is a pass exactly where nothing was found, and "not" of a matcher is its opposite.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/judge_probe.h"
#include "base/memory.h"
#include "judge/judge.h"
#include "judge/matcher.h"

struct bytes {
	const uint8_t *data;
	size_t length;
};

static uint8_t next(struct bytes *bytes)
{
	if (!bytes->length)
		return 0;
	bytes->length--;
	return *bytes->data++;
}

static const void *take(struct bytes *bytes, struct arena *arena, uint32_t *length)
{
	size_t wanted = next(bytes) % 24;
	const char *copy;

	if (wanted > bytes->length)
		wanted = bytes->length;
	copy = arena_text(arena, (const char *)bytes->data, wanted);
	bytes->data += wanted;
	bytes->length -= wanted;
	*length = (uint32_t)wanted;
	return copy;
}

static struct value scalar(const struct rs_fact *fact, struct bytes *bytes, struct arena *arena)
{
	struct value value = {.state = VALUE_SET};
	uint8_t *address;
	uint32_t length;

	switch (next(bytes) % 8) {
	case 0:
		return (struct value){.state = VALUE_NONE};
	case 1:
		return (struct value){.state = VALUE_UNKNOWN, .text = take(bytes, arena, &length)};
	case 2:
		return (struct value){0};
	case 3:
		return (struct value){.text = take(bytes, arena, &length)};
	default:
		break;
	}
	switch (fact->type) {
	case RS_TEXT:
	case RS_NUMBER:
	case RS_QUANTITY:
		value.text = take(bytes, arena, &value.length);
		break;
	case RS_GID:
	case RS_IP:
		address = arena_alloc(arena, 16);
		for (int i = 0; i < 16; i++)
			address[i] = next(bytes);
		value.address = address;
		value.length = fact->type == RS_IP && next(bytes) & 1 ? 4 : 16;
		break;
	case RS_ENUM:
		value.integer = (int8_t)next(bytes);
		break;
	default:
		for (int i = 0; i < 8; i++)
			value.number = value.number << 8 | next(bytes);
		break;
	}
	return value;
}

static struct value cell(const struct rs_fact *fact, struct bytes *bytes, struct arena *arena)
{
	uint32_t count = next(bytes) % 4;
	struct value *items;

	if (!(fact->flags & RS_F_LIST))
		return scalar(fact, bytes, arena);
	if (!count) /* all but VALUE_UNKNOWN's text: an empty list, none, not observed */
		return (struct value){.state = next(bytes) % 4};
	items = arena_alloc(arena, count * sizeof(*items));
	for (uint32_t i = 0; i < count; i++)
		items[i] = scalar(fact, bytes, arena);
	return (struct value){.state = VALUE_SET, .length = count, .items = items};
}

static struct observation *observe(struct bytes *bytes)
{
	struct observation *observation = observation_new(&lab_source, "node-01", "{}");
	struct table *table = table_new(&lab_probe);

	observation->tables[0] = table;
	while (bytes->length && table->rows < 20) {
		struct value *row = table_add_row(table);

		for (unsigned i = 0; i < table->columns; i++)
			row[i] = cell(&lab_facts[i], bytes, &table->arena);
	}
	return observation;
}

static void demand(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "matcher: %s\n", what);
	abort();
}

static void check(const struct judgement *judgement)
{
	demand((judgement->verdict == VERDICT_PASS) == !judgement->nfindings,
	       "a pass with findings, or a fail without");
	demand((judgement->verdict == VERDICT_PASS) == !judgement->sentence,
	       "a pass with a sentence, or a fail without");
	demand(judgement->offending_rows <= judgement->rows, "more offending rows than rows");
	for (size_t i = 0; i < judgement->nfindings; i++)
		demand(judgement->findings[i].sentence != NULL, "a finding without a sentence");
}

static void judge(const struct judge_spec *spec, struct bytes bytes)
{
	struct bytes half = {bytes.data, bytes.length / 2};
	struct bytes rest = {bytes.data + bytes.length / 2, bytes.length - bytes.length / 2};
	struct observation *observations[] = {observe(&half), observe(&rest)};
	struct judge_part parts[] = {{"node-01", observations[0], spec}, {"node-02", observations[1], spec}};
	struct judgement judgements[2], across;
	char *why = NULL;

	if (judge_step(parts, 2, judgements, &across))
		check(&across);
	for (int i = 0; i < 2; i++) {
		check(&judgements[i]);
		demand((judge_keeps_rows(spec, observations[i], &why) < 0) == (why != NULL), "no reason");
		free(why);
		why = NULL;
		judgement_free(&judgements[i]);
		observation_unref(observations[i]);
	}
	judgement_free(&across);
}

/* {not: M} beside M, on the same cells. */
static void opposites(struct text *text, struct arena *arena, const struct node *map, struct bytes bytes)
{
	struct node not_key = {.kind = NODE_SCALAR, .length = 3, .text = "not"};
	struct diags diags = {0};

	NODE_PAIRS (key, value, map) {
		int column = key->kind == NODE_SCALAR ? probe_fact(&lab_probe, key->text) : -1;
		struct node inner = *value, not_map = {.kind = NODE_MAP, .length = 2, .first = &not_key};
		const struct matcher *matcher, *opposite;
		struct bytes cells = bytes;

		if (column < 0)
			continue;
		not_key.next = &inner;
		inner.next = NULL;
		matcher = matcher_compile(text, arena, &lab_facts[column], value, &diags);
		opposite = matcher_compile(text, arena, &lab_facts[column], &not_map, &diags);
		demand(!matcher == !opposite, "'not' compiles otherwise");
		while (matcher && cells.length) {
			struct value one = cell(&lab_facts[column], &cells, arena);
			enum match a = matcher_match(matcher, &one, NULL), b = matcher_match(opposite, &one, NULL);

			demand(a == MATCH_UNJUDGED ? b == a : a != b && b != MATCH_UNJUDGED, "'not' is no opposite");
		}
	}
	diags_free(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t length = nul ? (size_t)(nul - data) : size;
	struct bytes bytes = {data + length, size - length};
	struct text text = {0};
	struct arena arena = {0};
	struct diags diags = {0};
	struct judge_spec spec;
	const struct node *map = text_parse(&text, "input", (const char *)data, length, &diags);

	if (map && map->kind == NODE_MAP) {
		if (!judge_compile(&text, &arena, &lab_source, &lab_probe, map, &spec, &diags))
			judge(&spec, bytes);
		if (node_get(map, "expect") && node_get(map, "expect")->kind == NODE_MAP)
			opposites(&text, &arena, node_get(map, "expect"), bytes);
	}
	diags_free(&diags);
	arena_free(&arena);
	text_free(&text);
	return 0;
}
