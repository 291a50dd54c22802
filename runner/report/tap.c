/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TAP version 13, the newest that every consumer reads: a test point a case, and behind those that did not pass a YAML
 * block. Waived cases and warnings are TODO, which a consumer shows and does not count.
 */
#include <errno.h>
#include <string.h>

#include "report/print.h"
#include "report/target.h"

/* @text is a harmless line; what follows an unescaped # could be a directive. */
static void escape(FILE *out, const struct buf *line)
{
	for (size_t i = 0; i < line->length; i++) {
		if (line->data[i] == '#' || line->data[i] == '\\')
			putc_unlocked('\\', out);
		putc_unlocked(line->data[i], out);
	}
}

static void put_words(FILE *out, const char *text)
{
	AUTO_BUF struct buf line = {0};

	text_words(&line, text);
	escape(out, &line);
}

/* A value of the YAML block is always quoted: no text of a plugin is taken for anything else. */
static void put_quoted(FILE *out, const char *text)
{
	AUTO_BUF struct buf line = {0};

	text_line(&line, text);
	putc('"', out);
	for (size_t i = 0; i < line.length; i++) {
		if (line.data[i] == '"' || line.data[i] == '\\')
			putc_unlocked('\\', out);
		putc_unlocked(line.data[i], out);
	}
	fputs("\"\n", out);
}

static void put_member(FILE *out, const char *lead, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(out, "%s%s: ", lead, key);
	put_quoted(out, text);
}

static void put_place(FILE *out, const char *lead, struct place place)
{
	AUTO_BUF struct buf text = {0};

	view_place(&text, place);
	put_member(out, lead, "place", text.data);
}

static void put_finding(FILE *out, const struct finding *finding)
{
	put_member(out, "    - ", "sentence", finding->sentence);
	put_member(out, "      ", "row", finding->row);
	put_member(out, "      ", "fact", finding->fact);
	put_member(out, "      ", "expected", finding->expected);
	put_member(out, "      ", "observed", finding->observed);
	if (finding->place.file)
		put_place(out, "      ", finding->place);
}

static void put_findings(FILE *out, const struct judgement *judgement)
{
	if (!judgement->nfindings)
		return;
	fputs("  findings:\n", out);
	for (size_t i = 0; i < judgement->nfindings; i++)
		put_finding(out, &judgement->findings[i]);
	if (judgement->offending_rows)
		fprintf(out, "  rows_offending: %zu\n  rows_kept: %zu\n", judgement->offending_rows,
			judgement->rows_kept);
}

static void put_notes(FILE *out, const struct observation *observation)
{
	if (!observation || !observation->notes.count)
		return;
	fputs("  notes:\n", out);
	for (size_t i = 0; i < observation->notes.count; i++) {
		fputs("    - ", out);
		put_quoted(out, observation->notes.items[i]);
	}
}

static void put_block(FILE *out, const struct result_step *step, const struct result_case *item)
{
	const struct result_attempt *last = view_last(item);

	fputs("  ---\n", out);
	put_member(out, "  ", "message", view_sentence(item));
	put_member(out, "  ", "severity", view_outcome_word(view_outcome(item)));
	put_member(out, "  ", "probe", step->plan->step->probe.probe->name);
	put_place(out, "  ", step->plan->step->place);
	fprintf(out, "  duration_ms: %.3f\n", item->seconds > 0 ? item->seconds * 1e3 : 0.0);
	if (item->nattempts > 1)
		fprintf(out, "  attempts: %zu\n", item->nattempts);
	if (last) {
		put_findings(out, &last->judgement);
		put_notes(out, last->observation);
	}
	fputs("  ...\n", out);
}

/* A waiver that nothing needs any more is a TODO that passed, which consumers report. */
static const char *directive(const struct result_step *step, const struct result_case *item)
{
	switch (view_outcome(item)) {
	case OUTCOME_SKIP:
		return " # SKIP ";
	case OUTCOME_WAIVED:
		return " # TODO waived: ";
	case OUTCOME_WARNING:
		return " # TODO a warning: ";
	case OUTCOME_PASS:
		return step->plan->step->waive && item->note ? " # TODO " : NULL;
	default:
		return NULL;
	}
}

static const char *reason_of(const struct result_case *item)
{
	switch (view_outcome(item)) {
	case OUTCOME_PASS:
		return item->note;
	case OUTCOME_WARNING:
		return view_sentence(item);
	default:
		return item->reason;
	}
}

static void put_point(FILE *out, size_t number, const struct result_step *step, const struct result_case *item,
		      bool alone)
{
	enum outcome outcome = view_outcome(item);
	const char *todo = directive(step, item);

	fprintf(out, "%sok %zu - ", outcome < OUTCOME_SKIP ? "not " : "", number);
	if (!alone) {
		put_words(out, step->plan->scenario->name);
		fputs(": ", out);
	}
	put_words(out, item->name);
	if (todo) {
		fputs(todo, out);
		put_words(out, reason_of(item));
	}
	putc('\n', out);
	if (outcome < OUTCOME_SKIP)
		put_block(out, step, item);
	if (item->note && !todo) {
		fputs("# note: ", out);
		put_words(out, item->note);
		putc('\n', out);
	}
}

static bool is_alone(const struct result *result)
{
	for (size_t i = 1; i < result->nsteps; i++)
		if (result->steps[i].plan->scenario != result->steps[0].plan->scenario)
			return false;
	return true;
}

static void put_notes_of_run(FILE *out, const struct result *result)
{
	AUTO_BUF struct buf summary = {0};

	for (size_t i = 0; i < result->notes.count; i++) {
		fputs("# note: ", out);
		put_words(out, result->notes.items[i]);
		putc('\n', out);
	}
	print_summary(&summary, result, false);
	fprintf(out, "# %s", summary.data);
}

int tap_write(FILE *out, const struct result *result)
{
	AUTO_BUF struct buf run = {0};
	bool told = !view_run(&run, result), alone = is_alone(result);
	size_t number = 0, count = !told;

	for (size_t i = 0; i < result->nsteps; i++)
		count += result->steps[i].ncases;
	errno = 0;
	fprintf(out, "TAP version 13\n1..%zu\n", count);
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t c = 0; c < result->steps[i].ncases; c++)
			put_point(out, ++number, &result->steps[i], &result->steps[i].cases[c], alone);
	if (!told)
		fprintf(out, "not ok %zu - the run as a whole\n# %s\n", ++number, run.data);
	put_notes_of_run(out, result);
	if (result->signal)
		fprintf(out, "Bail out! %s\n", run.data);
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
