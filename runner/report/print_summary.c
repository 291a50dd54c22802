/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/print.h"

static void add_count(struct buf *out, bool colour, enum colour as, size_t count, const char *words)
{
	if (!count)
		return;
	buf_puts(out, out->length ? ", " : "");
	print_colour(out, colour, as);
	buf_printf(out, "%zu %s", count, words);
	print_colour(out, colour, COLOUR_NONE);
}

/* "19 observed, 6 could not be observed in 0.93 s": what a survey came to. */
static void print_survey(struct buf *out, const struct result *result, bool colour)
{
	AUTO_BUF struct buf line = {0};

	add_count(&line, colour, COLOUR_GREEN, result->passed, "observed");
	add_count(&line, colour, COLOUR_YELLOW, result->errors, "could not be observed");
	add_count(&line, colour, COLOUR_CYAN, result->skipped, "skipped");
	if (!line.length)
		buf_puts(&line, "nothing was asked for");
	buf_printf(out, "%s in ", line.data);
	print_duration(out, result->seconds);
	if (result->signal) {
		buf_puts(out, "; ended by ");
		view_signal(out, result->signal);
	}
	buf_putc(out, '\n');
}

/* "12 passed, 1 failed, 1 could not be judged, 2 skipped in 3.21 s (exit 1)" */
void print_summary(struct buf *out, const struct result *result, bool colour)
{
	size_t counts[OUTCOMES] = {0};
	AUTO_BUF struct buf line = {0};
	int status = result_exit_status(result);

	if (result->survey) {
		print_survey(out, result, colour);
		return;
	}
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t c = 0; c < result->steps[i].ncases; c++)
			counts[view_outcome(&result->steps[i].cases[c])]++;
	add_count(&line, colour, COLOUR_GREEN, counts[OUTCOME_PASS], "passed");
	add_count(&line, colour, COLOUR_RED, counts[OUTCOME_FAIL], "failed");
	add_count(&line, colour, COLOUR_MAGENTA, counts[OUTCOME_ERROR], "could not be judged");
	add_count(&line, colour, COLOUR_YELLOW, counts[OUTCOME_WARNING],
		  counts[OUTCOME_WARNING] == 1 ? "warning" : "warnings");
	add_count(&line, colour, COLOUR_YELLOW, counts[OUTCOME_WAIVED], "waived");
	add_count(&line, colour, COLOUR_CYAN, counts[OUTCOME_SKIP], "skipped");
	if (!line.length)
		buf_puts(&line, "no step was selected");
	buf_puts(&line, " in ");
	print_duration(&line, result->seconds);
	if (result->signal) {
		buf_puts(&line, "; ended by ");
		view_signal(&line, result->signal);
	} else if (status == 3) {
		buf_puts(&line, "; nothing that gates was judged");
	}
	buf_printf(out, "%s (exit %d)\n", line.data, status);
}
