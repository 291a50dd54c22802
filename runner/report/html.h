/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the HTML report: one file, complete in itself
 *
 * Written in one go, element by element. Markup of our own goes through html_put() and html_open(); whatever comes from
 * a scenario, a host or a tool through html_text() and its kin, or as the value of an attribute: all of these make it
 * harmless in one place (html_write.c). Private to the room.
 */
#pragma once

#include "report/grouping.h"
#include "report/view.h"

struct html {
	FILE *out;
	const struct result *result;
	struct registry *registry;
	struct html_sheet *sheet;
	struct buf scratch; /* of html_write.c */
};

/**
 * struct html_sheet - what is found out before the first line is written (html_sheet.c)
 * @outcomes: of each step, that of its worst case
 * @steps, @cases: how many there are of each outcome
 * @owners: observation by observation, the number of the step that shows its notes and evidence: the first one that did
 *	    not pass, else the first
 * @rows_passed, @rows_other: cells that the tables of one step may take
 * @evidence_left: bytes of evidence that the page still takes
 */
struct html_sheet {
	enum outcome *outcomes;
	size_t steps[OUTCOMES], cases[OUTCOMES];
	struct pointers observations;
	size_t *owners;
	size_t cells_passed, cells_other;
	size_t evidence_passed, evidence_other;
};

void html_sheet_make(struct html_sheet *sheet, const struct result *result);
void html_sheet_free(struct html_sheet *sheet);

extern const char html_style[], html_script[]; /* html/report.css and html/report.js */

/* ---- Writing (html_write.c) ---- */

/** html_put - markup that is ours: a literal, never a text that came from somewhere */
void html_put(struct html *html, const char *markup);

/** html_open - a start tag; pairs of names and values follow, ended by NULL. Values are raw bytes; those that are NULL
 * leave their attribute out. */
void html_open(struct html *html, const char *tag, ...) __attribute__((sentinel));
void html_close(struct html *html, const char *tag);

/** html_text - @text (raw bytes, NULL is "") as one line */
void html_text(struct html *html, const char *text);

/** html_words - a user's own prose: runs of white space become one blank */
void html_words(struct html *html, const char *text);

/** html_block - raw bytes as lines, for a <pre> */
void html_block(struct html *html, const char *text, size_t length);

/** html_printf - numbers and words of ours, as text */
void html_printf(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** html_draw - markup with numbers in it, for drawings: nothing is escaped, so there is no text among them */
void html_draw(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** html_element - <tag class="class">text</tag>; @class may be NULL */
void html_element(struct html *html, const char *tag, const char *class, const char *text);

/** html_time - a point in time; html_duration - how long something took. Both are <time> elements, and nothing else is
 * one: without them, reports of equal runs are equal. */
void html_time(struct html *html, double seconds);
void html_duration(struct html *html, double seconds);

/* ---- What is said in several places (html_words.c) ---- */

/** html_verdict - the word of an outcome behind its sign: never a colour alone */
void html_verdict(struct html *html, enum outcome outcome);
const char *html_outcome_sign(enum outcome outcome);

/** html_step_link - the title of step number @step, leading to it */
void html_step_link(struct html *html, size_t step);

/** html_place - "site.yaml:24:41" as <code>; nothing where there is no place */
void html_place(struct html *html, struct place place);

/** html_findings - what was expected and what was observed, a row each; the first @most of them */
void html_findings(struct html *html, const struct judgement *judgement, size_t most);

/** html_group_who - which cases a group is; @alone: the step has no other */
void html_group_who(struct html *html, const struct case_group *group, bool alone);

/** html_group - why they did not pass, or were skipped; @most: findings that are listed */
void html_group(struct html *html, const struct case_group *group, size_t most);

/* ---- The parts of the page, a file each ---- */

void html_verdict_words(struct buf *out, const struct result *result); /* "failed": what the run came to */
void html_summary(struct html *html);
void html_failures(struct html *html); /* what did not pass, on top */
void html_waivers(struct html *html);
void html_measures(struct html *html); /* what was measured, as pictures */
void html_fabric(struct html *html);   /* a table of cables, as a picture */
void html_steps(struct html *html);
void html_about(struct html *html); /* what was run, with what */

/** html_rows - the rows that the cases of a step kept, offending ones first; @cells: how many the table may have */
void html_rows(struct html *html, const struct result_step *step, size_t cells);

/** html_observations - notes, evidence and last words of what step number @step owns */
void html_observations(struct html *html, size_t step);

/* ---- What was measured ---- */

/** html_is_measured - whether @fact is a number of which more, or less, is better */
bool html_is_measured(const struct rs_fact *fact);

/** html_is_judged - whether the step expects something of it; then with the limits that it names, in the fact's unit */
bool html_is_judged(const struct plan_step *step, unsigned column, double *low, double *high);

/** html_number - a cell in its fact's unit; NAN where it was not observed or is no number */
double html_number(const struct rs_fact *fact, const struct value *value);

/** html_sort - numbers, the least first */
void html_sort(double *numbers, size_t count);

/** html_fact_name - "bw_average (Gb/s)" */
void html_fact_name(struct buf *out, const struct rs_fact *fact);

/* Each draws what there is of step number @step, and returns how many figures that was; with @html NULL only this. */
size_t html_sizes(struct html *html, const struct result *result, size_t step);
size_t html_matrix(struct html *html, const struct result *result, size_t step);

/** html_figure - begin a figure about step number @step; html_put(html, "</figure>\n") ends it */
void html_figure(struct html *html, size_t step, const char *caption);
