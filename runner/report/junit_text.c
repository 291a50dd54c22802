/* SPDX-License-Identifier: BSD-2-Clause */
/* What a failure, an error or a skip says: the sentence first, then everything else that is known of it. */
#include <string.h>

#include "report/junit_tree.h"

static void add_finding(struct buf *out, const struct finding *finding)
{
	text_line(out, finding->sentence);
	if (finding->place.file) {
		AUTO_BUF struct buf place = {0};

		view_place(&place, finding->place);
		buf_puts(out, " (");
		text_line(out, place.data);
		buf_putc(out, ')');
	}
	buf_putc(out, '\n');
}

static void add_attempts(struct buf *out, const struct result_case *result)
{
	for (size_t i = 0; i + 1 < result->nattempts; i++) {
		const struct result_attempt *attempt = &result->attempts[i];

		buf_printf(out, "attempt %zu of %zu: %s (%.3f s): ", i + 1, result->nattempts,
			   verdict_name(attempt->judgement.verdict), attempt->seconds);
		text_line(out, view_attempt_sentence(attempt));
		buf_putc(out, '\n');
	}
}

static void add_observation(struct buf *out, const struct observation *observation)
{
	if (observation->incomplete) {
		buf_puts(out, "incomplete: ");
		text_line(out, observation->incomplete);
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i < observation->notes.count; i++) {
		buf_puts(out, "note: ");
		text_line(out, observation->notes.items[i]);
		buf_putc(out, '\n');
	}
	if (observation->log && *observation->log) {
		buf_puts(out, "last lines of the worker's stderr:\n");
		text_block(out, observation->log, strlen(observation->log));
		if (out->data[out->length - 1] != '\n')
			buf_putc(out, '\n');
	}
}

static void add_details(struct buf *out, const struct result_case *result)
{
	const struct result_attempt *last = view_last(result);
	const struct judgement *judgement = last ? &last->judgement : NULL;

	text_line(out, view_sentence(result));
	buf_putc(out, '\n');
	for (size_t i = 1; judgement && i < judgement->nfindings; i++)
		add_finding(out, &judgement->findings[i]);
	if (judgement && judgement->nfindings >= FINDINGS_KEPT && judgement->offending_rows > judgement->nfindings)
		buf_printf(out, "... %zu rows in all\n", judgement->offending_rows);
	if (last && last->observation)
		add_observation(out, last->observation);
	add_attempts(out, result);
	if (result->note) {
		buf_puts(out, "note: ");
		text_line(out, result->note);
		buf_putc(out, '\n');
	}
}

/* "waived: cable ordered": prose of the scenario, so its line ends are no more than blanks. */
static void add_reason(struct buf *out, const struct result_case *result, enum outcome outcome)
{
	const char *reason = result->reason;

	if (outcome == OUTCOME_WARNING)
		buf_puts(out, result->verdict == VERDICT_ERROR ? "warning, could not be judged: " : "warning: ");
	if (outcome == OUTCOME_WAIVED && (!reason || strncmp(reason, "waived", 6) != 0))
		buf_puts(out, reason ? "waived: " : "waived");
	if (outcome == OUTCOME_SKIP && !reason)
		reason = "skipped";
	if (outcome != OUTCOME_WARNING) {
		text_words(out, reason);
		buf_putc(out, '\n');
	}
}

static const char *type_of(const struct result_case *result)
{
	const struct result_attempt *last = view_last(result);

	if (result->verdict == VERDICT_FAIL)
		return "expectation";
	if (!last || !last->observation)
		return "not_observed";
	return last->observation->error ? view_reason(last->observation->reason) : "not_judged";
}

/* In the arena, cut to @max bytes of XML and to what all texts together may take. */
static const char *keep(struct junit_tree *tree, struct buf *text, size_t max)
{
	static const char mark[] = "\n[cut: the JSON report has the rest]";
	size_t left = tree->texts < JUNIT_TEXTS_MAX ? JUNIT_TEXTS_MAX - tree->texts : 0;
	size_t fit, cost;

	while (text->length && text->data[text->length - 1] == '\n')
		text->data[--text->length] = '\0';
	fit = junit_fit(text->data, text->length, left < max ? left : max);
	if (fit < text->length) {
		text->length = fit;
		buf_puts(text, mark);
	}
	cost = junit_cost(text->data, text->length);
	tree->texts += cost;
	tree->spent += cost;
	return arena_text(&tree->arena, text->data ? text->data : "", text->length);
}

static const char *message(struct junit_tree *tree, const struct result_case *result)
{
	AUTO_BUF struct buf line = {0};
	size_t fit;

	text_line(&line, view_sentence(result));
	fit = junit_fit(line.data, line.length, JUNIT_MESSAGE_MAX);
	if (fit < line.length) {
		line.length = fit;
		buf_puts(&line, "…");
	}
	tree->spent += junit_cost(line.data, line.length);
	return arena_text(&tree->arena, line.data, line.length);
}

void junit_outcome_of(struct junit_tree *tree, const struct result_case *result, struct junit_case *item)
{
	enum outcome outcome = view_outcome(result);
	AUTO_BUF struct buf text = {0};

	if (outcome == OUTCOME_PASS) {
		item->outcome = JUNIT_PASSED;
		return;
	}
	if (outcome == OUTCOME_FAIL || outcome == OUTCOME_ERROR) {
		item->outcome = outcome == OUTCOME_FAIL ? JUNIT_FAILURE : JUNIT_ERROR;
		item->type = type_of(result);
		item->message = message(tree, result);
		add_details(&text, result);
	} else {
		item->outcome = JUNIT_SKIPPED;
		add_reason(&text, result, outcome);
		if (outcome != OUTCOME_SKIP)
			add_details(&text, result);
	}
	item->text = keep(tree, &text, JUNIT_TEXT_MAX);
}
