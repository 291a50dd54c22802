/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a step while it is being judged; only inside this room */
#pragma once

#include "judge/judge.h"
#include "judge/matcher.h"
#include "judge/row_index.h"

/** struct findings - the first FINDINGS_KEPT of each kind: a fail must not be crowded out by errors */
struct findings {
	struct finding *fails, *errors;
	size_t nfails, nerrors; /* kept */
	size_t fails_capacity, errors_capacity;
};

/** findings_add - the next one, empty but for its verdict; NULL where so many are kept that it is only to be counted */
struct finding *findings_add(struct findings *findings, enum verdict verdict);

/**
 * struct reference - the table that "of: baseline" compares with
 * @why: why there is none; NULL: there is one
 */
struct reference {
	const struct table *table;
	struct row_index rows;
	char *why;
};

/** reference_open - where an expectation of @part asks for it; reference_close - in any case */
void reference_open(struct reference *reference, const struct judge_part *part);
void reference_close(struct reference *reference);

/** reference_find - what cell @column of row @row of @table is held against */
void reference_find(const struct reference *reference, const struct table *table, size_t row, unsigned column,
		    struct match_context *context);

/**
 * struct judging - one part
 * @table: NULL where nothing was observed
 * @broken: not observed, or incomplete: an error whatever the rows say
 * @where_unjudged: rows of which "where" cannot tell whether it keeps them
 * @failed, @unjudged: rows that were kept and fail, or do not fail and could not be judged
 */
struct judging {
	const struct judge_part *part;
	const struct judge_spec *spec;
	const struct table *table;
	struct judgement *judgement;
	struct findings findings;
	struct reference reference;
	bool broken;
	size_t where_unjudged, failed, unjudged;
};

/** judging_end - verdict, findings and sentence of @judgement; @share: "2 of 128 rows", or NULL; frees @findings */
void judging_end(struct judgement *judgement, struct findings *findings, bool broken, char *share);

static inline bool row_kept(const struct judgement *judgement, size_t row)
{
	return judgement->kept[row / 64] >> (row % 64) & 1;
}

/** struct medians - by column */
struct medians {
	struct match_context columns[64];
};

/** medians_find - of the kept rows of all parts, for the columns where an expectation asks after it */
void medians_find(struct medians *medians, const struct judging *parts, size_t count);

/** across_judge - same and unique over all parts; false where the step has neither */
bool across_judge(struct judging *parts, size_t count, struct judgement *across);

/** finding_text - what a finding keeps of observed bytes, as a C string; frees @raw */
char *finding_text(struct buf *raw, size_t longest);

/* ---- Sentences (sentence.c). Each fills a finding, which may be NULL: then nothing is written. ---- */

/** sentence_cell - "ROW: FACT is V, expected E", or why it cannot be judged */
void sentence_cell(struct finding *finding, const struct table *table, size_t row,
		   const struct expectation *expectation, const struct match_context *context);
void sentence_where(struct finding *finding, const struct table *table, size_t row,
		    const struct expectation *expectation);

/** sentence_count - "3 rows where ..., expected at least 128"; sentence_no_row - "no row where ..." */
void sentence_count(struct finding *finding, const struct judge_spec *spec, size_t kept);
void sentence_no_row(struct finding *finding, const struct judge_spec *spec, size_t rows);

/** sentence_incomparable - why a cell cannot take part in same or unique; @row: what the row is called */
void sentence_incomparable(struct finding *finding, const char *row, const struct rs_fact *fact,
			   const struct value *cell, const char *expected);
