/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case says: the sentence first, then a small table of what else was found, earlier attempts, last words. */
#include <string.h>

#include "report/print.h"

#define FINDINGS_SHOWN 5 /* unless verbose */
#define CELL_MAX 48	 /* columns of a cell in the table of findings */
#define LOG_SHOWN 8	 /* lines */
#define NOTES_SHOWN 5	 /* unless verbose */
#define LINE_SHOWN 400	 /* columns of a line that a plugin or a tool wrote, unless verbose */
#define EVIDENCE_SHOWN 40

static void begin_line(struct buf *out, const char *labels, const char *word)
{
	buf_puts(out, PRINT_INDENT);
	if (labels && *labels)
		buf_printf(out, "%s: ", labels);
	buf_puts(out, word);
}

static void add_line(struct buf *out, const char *labels, const char *word, const char *text)
{
	begin_line(out, labels, word);
	text_line(out, text);
	buf_putc(out, '\n');
}

/* A harmless line as it is, or its beginning. */
static void add_cut(struct buf *out, const struct buf *line, bool verbose)
{
	size_t length = verbose ? line->length : text_cut(line->data, line->length, LINE_SHOWN);

	buf_add(out, line->data, length);
	buf_puts(out, length < line->length ? "…\n" : "\n");
}

static bool is_tabular(const struct finding *finding)
{
	return finding->row && finding->fact && finding->observed && finding->expected;
}

/* All findings, where the sentence that was printed was only the first of them. */
static void print_findings(struct buf *out, const struct judgement *judgement, bool verbose)
{
	size_t most = verbose ? FINDINGS_KEPT : FINDINGS_SHOWN, shown = 0;
	struct grid grid = {.columns = 4};

	if (judgement->nfindings < 2)
		return;
	grid_add(&grid, "row");
	grid_add(&grid, "fact");
	grid_add(&grid, "observed");
	grid_add(&grid, "expected");
	for (; shown < judgement->nfindings && shown < most; shown++) {
		const struct finding *finding = &judgement->findings[shown];

		if (!is_tabular(finding)) {
			if (shown)
				add_line(out, NULL, "  ", finding->sentence);
			continue;
		}
		grid_add(&grid, finding->row);
		grid_add(&grid, finding->fact);
		grid_add(&grid, finding->observed);
		grid_add(&grid, finding->expected);
	}
	if (grid.cells.count > 4)
		grid_print(out, &grid, PRINT_INDENT "  ", CELL_MAX);
	grid_free(&grid);
	if (shown < judgement->nfindings)
		buf_printf(out, PRINT_INDENT "  … and %zu%s more\n", judgement->nfindings - shown,
			   judgement->nfindings == FINDINGS_KEPT ? " or" : "");
}

static void print_attempts(struct buf *out, const struct result_case *item, const char *labels)
{
	for (size_t i = 0; i + 1 < item->nattempts; i++) {
		AUTO_BUF struct buf word = {0};

		buf_printf(&word, "attempt %zu of %zu: ", i + 1, item->nattempts);
		add_line(out, item->verdict == VERDICT_PASS ? labels : NULL, word.data,
			 view_attempt_sentence(&item->attempts[i]));
	}
}

/* The last @most lines of a text that may be anything. */
static void print_quoted(struct buf *out, const char *text, size_t length, size_t most, bool verbose)
{
	size_t lines = 0, at = length;

	while (at && text[at - 1] == '\n')
		at--;
	length = at;
	while (at && lines < most)
		if (text[--at] == '\n')
			lines++;
	if (at || lines == most)
		at++;
	while (at < length) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t line = end ? (size_t)(end - text) - at : length - at;
		AUTO_BUF struct buf harmless = {0};

		text_block(&harmless, text + at, line);
		buf_puts(out, PRINT_INDENT "  | ");
		add_cut(out, &harmless, verbose);
		at += line + 1;
	}
}

static void print_evidence(struct buf *out, const struct observation *observation)
{
	for (size_t i = 0; i < observation->nevidence; i++) {
		AUTO_BUF struct buf text = {0};

		view_evidence(&text, &observation->evidence[i]);
		buf_puts(out, PRINT_INDENT "evidence: ");
		text_line(out, observation->evidence[i].name);
		buf_printf(out, " (%zu bytes)\n", observation->evidence[i].total);
		if (text.length)
			print_quoted(out, text.data, text.length, EVIDENCE_SHOWN, true);
	}
}

static void print_notes(struct buf *out, const struct strings *notes, const char *labels, bool verbose)
{
	size_t shown = verbose || notes->count <= NOTES_SHOWN ? notes->count : NOTES_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		AUTO_BUF struct buf line = {0};

		text_line(&line, notes->items[i]);
		begin_line(out, labels, "note: ");
		add_cut(out, &line, verbose);
	}
	if (shown < notes->count)
		buf_printf(out, PRINT_INDENT "… and %zu more notes\n", notes->count - shown);
}

static void print_observation(struct buf *out, const struct result_case *item, const char *labels, bool verbose)
{
	const struct result_attempt *last = view_last(item);
	const struct observation *observation = last ? last->observation : NULL;
	bool passed = view_outcome(item) == OUTCOME_PASS;

	if (!observation)
		return;
	if (verbose || !passed)
		print_notes(out, &observation->notes, passed ? labels : NULL, verbose);
	if (observation->log && *observation->log && observation->error)
		print_quoted(out, observation->log, strlen(observation->log), LOG_SHOWN, verbose);
	if (verbose)
		print_evidence(out, observation);
}

void print_details(struct buf *out, const struct result_case *item, const char *labels, bool colour, bool verbose)
{
	const struct result_attempt *last = view_last(item);
	enum outcome outcome = view_outcome(item);

	if ((outcome == OUTCOME_SKIP || outcome == OUTCOME_WAIVED) && item->reason) {
		AUTO_BUF struct buf reason = {0};

		text_words(&reason, item->reason);
		add_line(out, labels, "", reason.data);
		labels = NULL;
	}
	if (outcome != OUTCOME_SKIP && outcome != OUTCOME_PASS) {
		add_line(out, labels, "", view_sentence(item));
		if (last)
			print_findings(out, &last->judgement, verbose);
	}
	print_attempts(out, item, labels);
	print_observation(out, item, labels, verbose);
	if (item->note) {
		print_colour(out, colour, COLOUR_YELLOW);
		add_line(out, outcome == OUTCOME_PASS ? labels : NULL, "note: ", item->note);
		print_colour(out, colour, COLOUR_NONE);
	}
}
