/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: judging: what a step expects, held against what was observed
 *
 * A spec is compiled from the judging keys of a step's probe map (where, expect, count, unique, same, observe_only,
 * allow_partial). Judging never fails: whatever cannot be judged is an error verdict with a sentence.
 */
#pragma once

#include "base/diag.h"
#include "judge/table.h"
#include "text/text.h"

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_ERROR, VERDICT_SKIP, VERDICT_WAIVED };
const char *verdict_name(enum verdict verdict);

struct matcher; /* judge/matcher.h */

struct expectation {
	unsigned column;
	const struct matcher *matcher;
	struct place place; /* of the matcher */
};

struct fact_list {
	uint8_t columns[64]; /* a byte each: there is one of these a step, of 100,000 steps */
	unsigned count;
	struct place place; /* of the key */
};

/** struct judge_spec - lives in the arena it was compiled into */
struct judge_spec {
	const struct rs_probe *probe;
	const struct expectation *where;
	size_t nwhere;
	const struct expectation *expect;
	size_t nexpect;
	const struct matcher *count; /* NULL: at least one row */
	struct place count_place;
	struct fact_list unique, same;
	bool observe_only, allow_partial;
	struct place place; /* of the probe's map */
};

/** judge_keys - the judging keys, ended by NULL, for the schema's unknown-key check */
extern const char *const judge_keys[];

/**
 * judge_compile - check and compile the judging keys of @map (other keys are passed over)
 * Adds what is wrong to @diags and returns -EINVAL. Scalars marked NODE_LATER are not checked: a spec compiled from
 * such a map only serves the check, and is compiled again per host.
 */
int judge_compile(struct text *text, struct arena *arena, const struct rs_source *source, const struct rs_probe *probe,
		  const struct node *map, struct judge_spec *spec, struct diags *diags);

/**
 * judge_compile_when - the same for a step's "when": of the judging keys it takes where and allow_partial
 */
int judge_compile_when(struct text *text, struct arena *arena, const struct rs_source *source,
		       const struct rs_probe *probe, const struct node *map, struct judge_spec *spec,
		       struct diags *diags);

/**
 * struct judge_part - one observation of a step: of one host (or pair), "each" value and run
 * @reference: the same one of a recorded run, for "of: baseline"; NULL: it has none
 */
struct judge_part {
	const char *label; /* "node-01", "node-01→node-02"; with the each value where there is one */
	const struct observation *observation;
	const struct observation *reference;
	const struct judge_spec *spec;
};

/** struct finding - one reason of a fail or an error */
struct finding {
	enum verdict verdict; /* VERDICT_FAIL or VERDICT_ERROR */
	char *row;	      /* what the row is called; NULL where it is about no single row */
	size_t row_number;    /* in the table; SIZE_MAX where it is about none */
	const char *fact;     /* NULL where it is about none */
	char *expected;
	char *observed;
	char *sentence; /* "leaf-3 port 17 → node-041: speed is QDR, expected HDR or NDR": no place, raw bytes */
	struct place place;
};

#define FINDINGS_KEPT 100

/**
 * struct judgement - the verdict on one part, or on all of them together
 * @sentence: the first finding's, with place and share: "... (site.yaml:24:41); 2 of 128 rows"; NULL on a pass
 * @kept: a bit a row of the table, set where "where" kept it; NULL where there is no table
 */
struct judgement {
	enum verdict verdict;
	char *sentence;
	struct finding *findings;
	size_t nfindings;      /* kept: at most FINDINGS_KEPT */
	size_t offending_rows; /* all */
	size_t rows, rows_kept;
	uint64_t *kept;
};

void judgement_free(struct judgement *judgement);

/**
 * judge_step - all observations of a step: each by itself, then same and unique over all of them
 * @parts, @judgements: @count of both
 * @across: the case of its own; its verdict is VERDICT_PASS with rows 0 where the step has neither same nor unique
 * Returns true where @across means something.
 */
bool judge_step(const struct judge_part *parts, size_t count, struct judgement *judgements, struct judgement *across);

/** judge_needs_baseline - the place of the first matcher that compares with a recorded run, or NULL */
const struct place *judge_needs_baseline(const struct judge_spec *spec);

/** judge_keeps_rows - whether "where" of @spec keeps a row (the rule of "when"); 1, 0, or -1 with *why an own text */
int judge_keeps_rows(const struct judge_spec *spec, const struct observation *observation, char **why);
