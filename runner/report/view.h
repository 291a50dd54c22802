/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the reports have in common: how the result tree is read, and texts made fit to be shown. Private to the
 * room. */
#pragma once

#include "base/cleanup.h"
#include "run/result.h"

/** enum outcome - what a case comes to for whoever reads the report, the worst first */
enum outcome {
	OUTCOME_FAIL,
	OUTCOME_ERROR,
	OUTCOME_WARNING, /* a fail or an error that does not gate */
	OUTCOME_WAIVED,
	OUTCOME_SKIP,
	OUTCOME_PASS,
};
#define OUTCOMES 6

enum outcome view_outcome(const struct result_case *item);

/** view_outcome_word - "fail", "error", "warning", "waived", "skip", "pass" */
const char *view_outcome_word(enum outcome outcome);

/** view_verdict - what the run came to: "passed", "could not be judged" */
const char *view_verdict(const struct result *result);

/**
 * view_run - what no case tells of the run and still keeps it from being green: that a signal ended it, that nothing
 * was judged, or that all that gates and is no pass was skipped. Appends a harmless sentence; returns one word for it,
 * or NULL (and appends nothing) where the cases tell all.
 */
const char *view_run(struct buf *out, const struct result *result);

/** view_last - the attempt that counts, or NULL where there was none */
const struct result_attempt *view_last(const struct result_case *item);

/** view_sentence - why a case failed or could not be judged; NULL on a pass; raw bytes, borrowed */
const char *view_sentence(const struct result_case *item);
const char *view_attempt_sentence(const struct result_attempt *attempt);

/** view_tabular - whether a finding is of one fact of a row: what it says fits the columns of a table */
static inline bool view_tabular(const struct finding *finding)
{
	return finding->row && finding->fact && finding->observed && finding->expected;
}

/** view_table - the table of the step's probe that an attempt judged, or NULL */
const struct table *view_table(const struct result_attempt *attempt, const struct rs_probe *probe);

static inline bool view_kept(const struct judgement *judgement, size_t row)
{
	return judgement->kept && (judgement->kept[row / 64] >> (row % 64) & 1);
}

/** view_title - "id — name", or what there is of the two; raw bytes */
void view_title(struct buf *out, const struct scenario_step *step);

/** view_place - "FILE:LINE:COLUMN"; nothing where there is no place */
void view_place(struct buf *out, struct place place);

/** view_reason - enum rs_reason as one word ("denied"); 0: the worker itself failed ("worker") */
const char *view_reason(int reason);

/** view_evidence - all of an evidence that was kept, with a line that says what was left out between head and tail */
void view_evidence(struct buf *out, const struct evidence *evidence);

/** view_signal - "SIGTERM", or "signal 99" */
void view_signal(struct buf *out, int number);

/* Texts. All take raw bytes; text NULL is "". */

/** text_line - one harmless line, everything kept visible */
void text_line(struct buf *out, const char *text);

/** text_words - one harmless line without blanks at its ends, every run of white space one blank (xs:token; a user's
 * own prose) */
void text_words(struct buf *out, const char *text);

/** text_block - harmless lines: newlines and tabs stay */
void text_block(struct buf *out, const char *text, size_t length);

/** text_width - columns on a terminal of a harmless line */
size_t text_width(const char *text, size_t length);

/** text_cut - the bytes of @text that fit in @columns */
size_t text_cut(const char *text, size_t length, size_t columns);

/** struct pointers - pointers numbered in the order they were added; {0} is an empty one */
struct pointers {
	const void **items;
	size_t count, capacity;
	size_t *slots; /* of the hash: index + 1, 0 free */
	size_t nslots;
};

/** pointers_add - the number of @pointer; *fresh (may be NULL) says whether it was new */
size_t pointers_add(struct pointers *pointers, const void *pointer, bool *fresh);
void pointers_free(struct pointers *pointers);
