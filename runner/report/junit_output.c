/* SPDX-License-Identifier: BSD-2-Clause */
/* system-out: remarks and evidence, that of failures first. system-err: what the workers said. Both within a budget. */
#include <string.h>

#include "report/junit_tree.h"

#define CUT_COST 100 /* what the line about a cut takes at most */

/* struct sheet - a text that grows up to a limit, counted in bytes of XML */
struct sheet {
	struct buf text;
	struct buf scratch;
	size_t left;
	size_t left_out; /* items that did not fit, or not whole */
};

/* @text is harmless already. Whole, or its beginning and how much of it is missing. */
static void sheet_add(struct sheet *sheet, const char *title, const char *text, size_t length)
{
	size_t head = junit_cost(title, strlen(title)) + 1;
	size_t cost = head + junit_cost(text, length) + 1;
	size_t fit = length;

	if (cost > sheet->left) {
		sheet->left_out++;
		if (sheet->left < head + 2 * CUT_COST)
			return;
		fit = junit_fit(text, length, sheet->left - head - 2 * CUT_COST);
	}
	buf_puts(&sheet->text, title);
	buf_putc(&sheet->text, '\n');
	buf_add(&sheet->text, text, fit);
	if (fit && sheet->text.data[sheet->text.length - 1] != '\n')
		buf_putc(&sheet->text, '\n');
	if (fit < length) {
		buf_printf(&sheet->text, "[cut here: %zu bytes left out]\n", length - fit);
		sheet->left = CUT_COST;
	} else {
		sheet->left -= cost < sheet->left ? cost : sheet->left;
	}
}

static const char *sheet_end(struct sheet *sheet, struct junit_tree *tree)
{
	const char *text;

	if (sheet->left_out)
		buf_printf(&sheet->text, "[%zu texts cut or left out: the JSON report has them]\n", sheet->left_out);
	tree->spent += junit_cost(sheet->text.data, sheet->text.length);
	text = arena_text(&tree->arena, sheet->text.data ? sheet->text.data : "", sheet->text.length);
	buf_free(&sheet->text);
	buf_free(&sheet->scratch);
	return text;
}

static void add_run_notes(struct sheet *sheet, const struct strings *notes)
{
	if (!notes->count)
		return;
	buf_clear(&sheet->scratch);
	for (size_t i = 0; i < notes->count; i++) {
		text_line(&sheet->scratch, notes->items[i]);
		buf_putc(&sheet->scratch, '\n');
	}
	sheet_add(sheet, "--- the run", sheet->scratch.data, sheet->scratch.length);
}

/* A pass has no place of its own for what there is to be said of it. */
static void add_remarks(struct sheet *sheet, const struct result_case *result, const char *name)
{
	const struct result_attempt *last = view_last(result);
	AUTO_BUF struct buf title = {0};
	struct buf *out = &sheet->scratch;

	if (view_outcome(result) != OUTCOME_PASS)
		return;
	buf_clear(out);
	if (result->note) {
		text_line(out, result->note);
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i + 1 < result->nattempts; i++) {
		buf_printf(out, "attempt %zu of %zu: %s: ", i + 1, result->nattempts,
			   verdict_name(result->attempts[i].judgement.verdict));
		text_line(out, view_attempt_sentence(&result->attempts[i]));
		buf_putc(out, '\n');
	}
	for (size_t i = 0; last && last->observation && i < last->observation->notes.count; i++) {
		buf_puts(out, "note: ");
		text_line(out, last->observation->notes.items[i]);
		buf_putc(out, '\n');
	}
	if (!out->length)
		return;
	buf_printf(&title, "--- %s", name);
	sheet_add(sheet, title.data, out->data, out->length);
}

static void add_evidence(struct sheet *sheet, const struct observation *observation)
{
	AUTO_BUF struct buf title = {0}, raw = {0}, kept = {0};

	for (size_t i = 0; i < observation->nevidence; i++) {
		const struct evidence *evidence = &observation->evidence[i];

		if (sheet->left < 2 * CUT_COST) {
			sheet->left_out++;
			continue;
		}
		buf_clear(&title);
		buf_clear(&raw);
		buf_clear(&kept);
		buf_puts(&title, "--- ");
		if (observation->host && *observation->host) {
			text_line(&title, observation->host);
			buf_puts(&title, ": ");
		}
		buf_printf(&title, "%s: ", observation->source->name);
		text_line(&title, evidence->name);
		buf_printf(&title, " (%zu bytes)", evidence->total);
		view_evidence(&raw, evidence);
		text_block(&kept, raw.data, raw.length);
		sheet_add(sheet, title.data, kept.data ? kept.data : "", kept.length);
	}
}

static void add_log(struct sheet *sheet, const struct observation *observation)
{
	AUTO_BUF struct buf title = {0};

	if (!observation->log || !*observation->log)
		return;
	buf_puts(&title, "--- ");
	if (observation->host && *observation->host) {
		text_line(&title, observation->host);
		buf_puts(&title, ": ");
	}
	buf_puts(&title, observation->source->name);
	buf_clear(&sheet->scratch);
	text_block(&sheet->scratch, observation->log, strlen(observation->log));
	sheet_add(sheet, title.data, sheet->scratch.data, sheet->scratch.length);
}

/* Every observation once, those of cases that did not pass first. */
static void collect(struct pointers *observations, const struct junit_part *part, bool passed)
{
	for (size_t i = 0; i < part->nsteps; i++) {
		for (size_t c = 0; c < part->steps[i]->ncases; c++) {
			const struct result_case *result = &part->steps[i]->cases[c];

			if ((view_outcome(result) == OUTCOME_PASS) != passed)
				continue;
			for (size_t a = 0; a < result->nattempts; a++)
				if (result->attempts[a].observation)
					pointers_add(observations, result->attempts[a].observation, NULL);
		}
	}
}

void junit_output(struct junit_tree *tree, const struct junit_part *part, struct junit_suite *suite, size_t budget)
{
	struct pointers observations = {0};
	struct sheet out = {0}, errors = {0};
	const struct junit_case *item = part->cases;

	collect(&observations, part, false);
	collect(&observations, part, true);

	errors.left = budget / 4 < JUNIT_OUTPUT_MAX ? budget / 4 : JUNIT_OUTPUT_MAX;
	for (size_t i = 0; i < observations.count; i++)
		add_log(&errors, observations.items[i]);
	suite->errors = sheet_end(&errors, tree);

	out.left = budget - budget / 4 < JUNIT_OUTPUT_MAX ? budget - budget / 4 : JUNIT_OUTPUT_MAX;
	add_run_notes(&out, &part->result->notes);
	for (size_t i = 0; i < part->nsteps; i++)
		for (size_t c = 0; c < part->steps[i]->ncases; c++, item++)
			add_remarks(&out, &part->steps[i]->cases[c], item->name);
	for (size_t i = 0; i < observations.count; i++)
		add_evidence(&out, observations.items[i]);
	suite->output = sheet_end(&out, tree);
	pointers_free(&observations);
}
