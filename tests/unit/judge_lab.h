/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: scenarios' pieces as text, and tables written cell by cell */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/judge.h"
#include "judge/matcher.h"
#include "judge_probe.h"

/* Texts live as long as what was compiled of them: both end with the lab. */
struct lab {
	struct text text;
	struct arena arena;
	struct diags diags;
};

static inline void lab_free(struct lab *lab)
{
	text_free(&lab->text);
	arena_free(&lab->arena);
	diags_free(&lab->diags);
}

#define AUTO_LAB __attribute__((cleanup(lab_free)))

static inline const struct node *lab_parse(struct lab *lab, const char *yaml)
{
	const struct node *node = text_parse(&lab->text, "site.yaml", yaml, strlen(yaml), &lab->diags);

	if (!node)
		fail_msg("'%s' is no YAML: %s", yaml, lab->diags.count ? lab->diags.items[0].text : "?");
	return node;
}

static inline struct judge_spec lab_spec(struct lab *lab, const char *yaml)
{
	struct judge_spec spec;

	if (judge_compile(&lab->text, &lab->arena, &lab_source, &lab_probe, lab_parse(lab, yaml), &spec, &lab->diags))
		fail_msg("'%s': %s", yaml, lab->diags.items[0].text);
	return spec;
}

static inline struct value lab_scalar(const struct rs_fact *fact, const char *text, struct arena *arena)
{
	struct value_type type = value_type_of_fact(fact);
	AUTO_FREE char *why = NULL;
	struct value value = {0};

	type.flags &= ~(unsigned)RS_F_LIST;
	switch (*text) {
	case '?':
		return (struct value){.text = text[1] ? arena_text(arena, text + 1, strlen(text) - 1) : NULL};
	case '!':
		return (struct value){.state = VALUE_UNKNOWN, .text = arena_text(arena, text + 1, strlen(text) - 1)};
	case '=': /* digits just as they are, sense or not */
		return (struct value){.state = VALUE_SET,
				      .length = (uint32_t)strlen(text) - 1,
				      .text = arena_text(arena, text + 1, strlen(text) - 1)};
	case '#': /* a choice that the enum does not have */
		return (struct value){.state = VALUE_SET, .integer = atoi(text + 1)};
	default:
		break;
	}
	if (!strcmp(text, "none"))
		return (struct value){.state = VALUE_NONE};
	if (value_parse(type, text, strlen(text), arena, &value, &why))
		fail_msg("%s: %s", fact->name, why);
	return value;
}

/* A cell as "HDR", "none", "?why it was not observed", "!code 9", and for lists "[a b]". */
static inline struct value lab_cell(const struct rs_fact *fact, const char *text, struct arena *arena)
{
	struct value items[16], *copy;
	char words[256], *rest = words, *word;
	uint32_t count = 0;

	if (*text != '[')
		return lab_scalar(fact, text, arena);
	snprintf(words, sizeof(words), "%.*s", (int)strlen(text) - 2, text + 1);
	while ((word = strsep(&rest, " ")))
		if (*word)
			items[count++] = lab_scalar(fact, word, arena);
	copy = arena_alloc(arena, (count + 1) * sizeof(*copy));
	memcpy(copy, items, count * sizeof(*copy));
	return (struct value){.state = VALUE_SET, .length = count, .items = copy};
}

/* "device=mlx5_0|port=1|speed=HDR": what is left out is not observed. */
static inline void lab_row(struct table *table, const char *cells)
{
	struct value *row = table_add_row(table);
	AUTO_FREE char *copy = xstrdup(cells);
	char *rest = copy, *cell;

	while ((cell = strsep(&rest, "|"))) {
		char *value = strchr(cell, '=');
		int column;

		*value++ = 0;
		column = probe_fact(&lab_probe, cell);
		assert_true(column >= 0);
		row[column] = lab_cell(&lab_facts[column], value, &table->arena);
	}
}

/* Rows as a list that NULL ends. */
static inline struct observation *lab_observation(const char *const *rows)
{
	struct observation *observation = observation_new(&lab_source, "node-01", "{}");

	observation->tables[0] = table_new(&lab_probe);
	for (; *rows; rows++)
		lab_row(observation->tables[0], *rows);
	return observation;
}

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_ROWS ((const char *const[]){NULL})

/* One step over up to eight observations that share a spec. */
struct step {
	struct lab lab;
	struct judge_spec spec;
	struct judge_part parts[8];
	struct observation *observations[8];
	struct judgement judgements[8];
	struct judgement across;
	size_t count;
	bool means;
};

static inline void step_free(struct step *step)
{
	for (size_t i = 0; i < step->count; i++) {
		judgement_free(&step->judgements[i]);
		observation_unref(step->observations[i]);
	}
	judgement_free(&step->across);
	lab_free(&step->lab);
}

#define AUTO_STEP __attribute__((cleanup(step_free)))

static inline struct observation *step_add(struct step *step, const char *label, const char *const *rows)
{
	struct observation *observation = lab_observation(rows);

	step->observations[step->count] = observation;
	step->parts[step->count++] =
		(struct judge_part){.label = label, .observation = observation, .spec = &step->spec};
	return observation;
}

static inline void step_judge(struct step *step)
{
	step->means = judge_step(step->parts, step->count, step->judgements, &step->across);
}

static inline void said(const struct judgement *judgement, enum verdict verdict, const char *sentence)
{
	assert_string_equal(judgement->sentence ? judgement->sentence : "(nothing)", sentence ? sentence : "(nothing)");
	assert_string_equal(verdict_name(judgement->verdict), verdict_name(verdict));
}
