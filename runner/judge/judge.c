/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "judge/judging.h"
#include "judge/words.h"

/* "where" on one row. Both answers are only given where every cell that could change them was judged. */
static enum match keeps(const struct judge_spec *spec, const struct value *cells, const struct expectation **unjudged)
{
	enum match all = MATCH_YES;

	for (size_t i = 0; i < spec->nwhere; i++) {
		switch (matcher_match(spec->where[i].matcher, &cells[spec->where[i].column], NULL)) {
		case MATCH_NO:
			return MATCH_NO;
		case MATCH_UNJUDGED:
			if (all == MATCH_YES)
				*unjudged = &spec->where[i];
			all = MATCH_UNJUDGED;
			break;
		case MATCH_YES:
			break;
		}
	}
	return all;
}

static void add_error(struct judging *judging, char *sentence)
{
	struct finding *finding = findings_add(&judging->findings, VERDICT_ERROR);

	if (!finding) {
		free(sentence);
		return;
	}
	finding->sentence = sentence;
	finding->place = judging->spec->place;
	judging->broken = true;
}

/* The table, or why there is none to judge. */
static void open_part(struct judging *judging, const struct judge_part *part, struct judgement *judgement)
{
	const struct observation *observation = part->observation;

	*judging = (struct judging){.part = part, .spec = part->spec, .judgement = judgement};
	*judgement = (struct judgement){0};
	if (!observation) {
		add_error(judging, xstrdup("it was not observed"));
		return;
	}
	if (observation->error) {
		add_error(judging, xstrdup(observation->error));
		return;
	}
	judging->table = observation_table(observation, part->spec->probe);
	if (!judging->table) {
		add_error(judging, xasprintf("the observation holds no %s", part->spec->probe->name));
		return;
	}
	if (observation->incomplete && !part->spec->allow_partial)
		add_error(judging, xasprintf("the observation is incomplete: %s", observation->incomplete));
	judgement->rows = judging->table->rows;
	judgement->kept = xcalloc((judgement->rows + 63) / 64, sizeof(*judgement->kept));
}

static void keep_rows(struct judging *judging)
{
	const struct table *table = judging->table;
	struct judgement *judgement = judging->judgement;
	const struct expectation *unjudged = NULL;

	for (size_t row = 0; row < table->rows; row++) {
		switch (keeps(judging->spec, table_row(table, row), &unjudged)) {
		case MATCH_YES:
			judgement->kept[row / 64] |= (uint64_t)1 << (row % 64);
			judgement->rows_kept++;
			break;
		case MATCH_UNJUDGED:
			judging->where_unjudged++;
			sentence_where(findings_add(&judging->findings, VERDICT_ERROR), table, row, unjudged);
			break;
		case MATCH_NO:
			break;
		}
	}
}

static void expect_of_row(struct judging *judging, size_t row, const struct medians *medians)
{
	const struct judge_spec *spec = judging->spec;
	const struct value *cells = table_row(judging->table, row);
	bool failed = false, unjudged = false;

	for (size_t i = 0; i < spec->nexpect; i++) {
		const struct expectation *expectation = &spec->expect[i];
		struct match_context context = medians->columns[expectation->column];
		enum verdict verdict;
		enum match match;

		if (matcher_needs_baseline(expectation->matcher))
			reference_find(&judging->reference, judging->table, row, expectation->column, &context);
		match = matcher_match(expectation->matcher, &cells[expectation->column], &context);
		verdict = match == MATCH_NO ? VERDICT_FAIL : VERDICT_ERROR;
		if (match == MATCH_YES)
			continue;
		failed |= match == MATCH_NO;
		unjudged |= match == MATCH_UNJUDGED;
		sentence_cell(findings_add(&judging->findings, verdict), judging->table, row, expectation, &context);
	}
	judging->failed += failed;
	judging->unjudged += unjudged && !failed;
}

static void expect_rows(struct judging *judging, const struct medians *medians)
{
	if (!judging->spec->nexpect)
		return;
	reference_open(&judging->reference, judging->part);
	for (size_t row = 0; row < judging->table->rows; row++)
		if (row_kept(judging->judgement, row))
			expect_of_row(judging, row, medians);
	reference_close(&judging->reference);
}

/*
 * How many rows there have to be. Where "where" left rows open, or rows are missing, the number is not known, and that
 * is an error already.
 */
static void expect_count(struct judging *judging)
{
	const struct judge_spec *spec = judging->spec;
	struct value kept = {.state = VALUE_SET, .number = judging->judgement->rows_kept};

	if (judging->where_unjudged || judging->broken)
		return;
	if (spec->count) {
		if (matcher_match(spec->count, &kept, NULL) != MATCH_YES)
			sentence_count(findings_add(&judging->findings, VERDICT_FAIL), spec, kept.number);
	} else if (!kept.number && !spec->observe_only) {
		sentence_no_row(findings_add(&judging->findings, VERDICT_FAIL), spec, judging->judgement->rows);
	}
}

/* How many rows are like the one that the sentence names; NULL where it names none, or there is only one. */
static char *share(const struct judging *judging)
{
	const struct findings *findings = &judging->findings;
	bool fails = findings->nfails && !judging->broken;
	const struct finding *first = fails ? findings->fails : findings->errors;
	size_t of = judging->judgement->rows_kept;
	struct buf out = {0};

	if (!findings->nfails && !findings->nerrors)
		return NULL;
	if (!fails && judging->where_unjudged)
		of = judging->judgement->rows;
	if (!first || !first->row || of < 2)
		return NULL;
	if (!fails && judging->where_unjudged) {
		buf_printf(&out, "%zu of ", judging->where_unjudged);
		words_rows(&out, of);
		return buf_take(&out);
	}
	buf_printf(&out, "%zu of ", fails ? judging->failed : judging->unjudged);
	words_rows(&out, of);
	if (fails && judging->unjudged + judging->where_unjudged)
		buf_printf(&out, ", and %zu could not be judged", judging->unjudged + judging->where_unjudged);
	return buf_take(&out);
}

static void close_part(struct judging *judging)
{
	judging->judgement->offending_rows = judging->failed + judging->unjudged + judging->where_unjudged;
	judging_end(judging->judgement, &judging->findings, judging->broken, share(judging));
}

bool judge_step(const struct judge_part *parts, size_t count, struct judgement *judgements, struct judgement *across)
{
	struct judging *judging = xcalloc(count, sizeof(*judging));
	struct medians *medians = xcalloc(1, sizeof(*medians));
	bool means;

	for (size_t i = 0; i < count; i++) {
		open_part(&judging[i], &parts[i], &judgements[i]);
		if (judging[i].table)
			keep_rows(&judging[i]);
	}
	medians_find(medians, judging, count);
	for (size_t i = 0; i < count; i++) {
		if (!judging[i].table)
			continue;
		expect_rows(&judging[i], medians);
		expect_count(&judging[i]);
	}
	means = across_judge(judging, count, across);
	for (size_t i = 0; i < count; i++)
		close_part(&judging[i]);
	free(medians);
	free(judging);
	return means;
}

static char *when_unjudged(const struct judge_spec *spec, const struct table *table, size_t row,
			   const struct expectation *unjudged)
{
	struct finding finding = {.verdict = VERDICT_ERROR};
	struct judgement judgement = {.findings = xcalloc(1, sizeof(finding)), .nfindings = 1};
	char *sentence;

	sentence_where(&finding, table, row, unjudged);
	sentence = finding.sentence;
	finding.sentence = NULL;
	judgement.findings[0] = finding;
	judgement_free(&judgement);
	return sentence;
}

int judge_keeps_rows(const struct judge_spec *spec, const struct observation *observation, char **why)
{
	const struct expectation *unjudged = NULL;
	const struct table *table;
	size_t open_row = SIZE_MAX;

	if (!observation || observation->error) {
		*why = xstrdup(observation ? observation->error : "it was not observed");
		return -1;
	}
	table = observation_table(observation, spec->probe);
	if (!table) {
		*why = xasprintf("the observation holds no %s", spec->probe->name);
		return -1;
	}
	for (size_t row = 0; row < table->rows; row++) {
		const struct expectation *open = NULL;
		enum match match = keeps(spec, table_row(table, row), &open);

		if (match == MATCH_YES)
			return 1;
		if (match == MATCH_UNJUDGED && open_row == SIZE_MAX) {
			open_row = row;
			unjudged = open;
		}
	}
	if (open_row != SIZE_MAX) {
		*why = when_unjudged(spec, table, open_row, unjudged);
		return -1;
	}
	if (observation->incomplete && !spec->allow_partial) {
		*why = xasprintf("the observation is incomplete: %s", observation->incomplete);
		return -1;
	}
	return 0;
}
