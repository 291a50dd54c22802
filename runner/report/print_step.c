/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A step for people: a line with its verdict, then what the cases say that did not pass. Cases that say the same are
 * one line with their hosts folded.
 */
#include <string.h>

#include "report/grouping.h"
#include "report/print.h"

#define GROUPS_SHOWN 8 /* unless verbose */

static const struct {
	const char *word;
	enum colour colour;
} words[OUTCOMES] = {
	[OUTCOME_FAIL] = {"fail", COLOUR_RED},	     [OUTCOME_ERROR] = {"error", COLOUR_MAGENTA},
	[OUTCOME_WARNING] = {"warn", COLOUR_YELLOW}, [OUTCOME_WAIVED] = {"waived", COLOUR_YELLOW},
	[OUTCOME_SKIP] = {"skip", COLOUR_CYAN},	     [OUTCOME_PASS] = {"pass", COLOUR_GREEN},
};

/* "2 hosts", "node-01", "8 cases": what the step was judged on; nothing where it is the one implied host. */
static void print_extent(struct buf *out, const struct result_step *step)
{
	size_t cases = 0, hosts = 0;
	const struct result_case *only = NULL;

	for (size_t i = 0; i < step->ncases; i++) {
		if (step->cases[i].across)
			continue;
		only = &step->cases[i];
		cases++;
		hosts += !only->run && !strpbrk(only->label, " =") && !strstr(only->label, "→");
	}
	if (cases == 1)
		view_labels(out, &only, 1);
	else if (cases)
		buf_printf(out, hosts == cases ? "%zu hosts" : "%zu cases", cases);
}

/* Rows are worth a word where there is not just one for each host. */
static void print_rows(struct buf *out, const struct result_step *step)
{
	size_t rows = 0;
	bool worth = step->plan->step->probe.spec.observe_only;

	for (size_t i = 0; i < step->ncases; i++) {
		const struct result_attempt *last = view_last(&step->cases[i]);

		if (!last || !last->observation || last->observation->error || step->cases[i].across)
			continue;
		rows += last->judgement.rows_kept;
		worth |= last->judgement.rows_kept != 1;
	}
	if (worth && rows)
		buf_printf(out, "%s%zu row%s", out->length ? ", " : "", rows, plural(rows));
}

static void print_head(struct buf *out, const struct result_step *step, enum outcome outcome, bool colour)
{
	AUTO_BUF struct buf title = {0}, extent = {0};

	print_colour(out, colour, words[outcome].colour);
	buf_puts(out, words[outcome].word);
	print_colour(out, colour, COLOUR_NONE);
	buf_printf(out, "%*s", (int)(strlen(PRINT_INDENT) - strlen(words[outcome].word)), "");
	view_title(&title, step->plan->step);
	text_words(out, title.data);

	print_extent(&extent, step);
	print_rows(&extent, step);
	if (step->started > 0) {
		buf_puts(&extent, extent.length ? ", " : "");
		print_duration(&extent, step->seconds);
	}
	if (extent.length) {
		print_colour(out, colour, COLOUR_FAINT);
		buf_printf(out, "  (%s)", extent.data);
		print_colour(out, colour, COLOUR_NONE);
	}
	buf_putc(out, '\n');
}

/* The case of the one implied host has no label: who says the same as it says it of the step. */
static bool is_step_itself(const struct case_group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (!group->cases[i]->run && (!group->cases[i]->label || !*group->cases[i]->label))
			return true;
	return false;
}

/* Labels are said where the step has several cases, or where it went otherwise for some. */
static void print_group(struct buf *out, const struct case_group *group, bool alone, bool colour, bool verbose)
{
	AUTO_BUF struct buf labels = {0};

	if (!alone && !is_step_itself(group))
		view_labels(&labels, group->cases, group->count);
	if (group->said) {
		print_details(out, group->cases[0], labels.data, colour, verbose);
	} else {
		print_colour(out, colour, words[group->outcome].colour);
		buf_printf(out, PRINT_INDENT "%s", words[group->outcome].word);
		print_colour(out, colour, COLOUR_NONE);
		buf_printf(out, " for other reasons: %s\n", labels.data);
	}
}

/* What passed beside what did not: only who. */
static void print_passed(struct buf *out, const struct grouping *grouping, bool colour)
{
	struct case_group passed = {0};
	AUTO_BUF struct buf labels = {0};

	for (size_t i = 0; i < grouping->count; i++) {
		const struct case_group *group = &grouping->groups[i];

		for (size_t c = 0; group->outcome == OUTCOME_PASS && c < group->count; c++) {
			GROW(passed.cases, passed.count, passed.capacity);
			passed.cases[passed.count++] = group->cases[c];
		}
	}
	if (!passed.count)
		return;
	view_labels(&labels, passed.cases, passed.count);
	if (labels.length) {
		print_colour(out, colour, COLOUR_FAINT);
		buf_printf(out, PRINT_INDENT "passed: %s", labels.data);
		print_colour(out, colour, COLOUR_NONE);
		buf_putc(out, '\n');
	}
	free(passed.cases);
}

void print_step(struct buf *out, const struct result_step *step, bool colour, bool verbose)
{
	struct grouping grouping;
	enum outcome worst;
	size_t shown = 0, hidden = 0;

	grouping_make(&grouping, step);
	worst = grouping_worst(&grouping);
	print_head(out, step, worst, colour);
	for (enum outcome outcome = OUTCOME_FAIL; outcome <= OUTCOME_PASS; outcome++) {
		for (size_t i = 0; i < grouping.count; i++) {
			const struct case_group *group = &grouping.groups[i];

			if (group->outcome != outcome)
				continue;
			if (shown >= GROUPS_SHOWN && !verbose && outcome != OUTCOME_PASS)
				hidden += group->count;
			else
				print_group(out, group, step->ncases == 1, colour, verbose);
			shown += outcome != OUTCOME_PASS;
		}
	}
	if (hidden)
		buf_printf(out, PRINT_INDENT "… and %zu more case%s: the reports name them all\n", hidden,
			   plural(hidden));
	if (worst != OUTCOME_PASS)
		print_passed(out, &grouping, colour);
	grouping_free(&grouping);
}
