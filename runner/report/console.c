/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "report/grouping.h"
#include "report/print.h"
#include "report/waivers.h"

#define WAIVERS_SHOWN 10

struct console {
	FILE *out;
	bool terminal; /* that can move its cursor */
	bool colour, verbose;
	bool progress; /* a progress line stands there */
	int error;     /* the first; 0 or -errno */
	bool *judged;  /* by step: it is, and was printed or waits for those before it */
	size_t njudged;
	size_t next; /* the first step that was not printed, where they are printed in their order */
	struct timespec started;
	struct buf text;
};

struct console *console_new(FILE *out, bool verbose)
{
	struct console *console = xcalloc(1, sizeof(*console));
	const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");

	console->out = out;
	console->verbose = verbose;
	console->terminal = print_columns(out) && term && *term && strcmp(term, "dumb") != 0;
	console->colour = console->terminal && !(no_colour && *no_colour);
	clock_gettime(CLOCK_MONOTONIC, &console->started);
	return console;
}

/* After each step: who reads a log sees what was done, and a full disk is noticed while it still can be told. */
static void flush(struct console *console)
{
	errno = 0;
	if ((fflush(console->out) != 0 || ferror(console->out)) && !console->error)
		console->error = errno ? -errno : -EIO;
}

static void emit(struct console *console)
{
	errno = 0;
	if (console->text.length &&
	    fwrite(console->text.data, 1, console->text.length, console->out) != console->text.length &&
	    !console->error)
		console->error = errno ? -errno : -EIO;
	buf_clear(&console->text);
}

static void erase_progress(struct console *console)
{
	if (console->progress)
		buf_puts(&console->text, "\r\033[K");
	console->progress = false;
}

static void remember(struct console *console, size_t step)
{
	if (step >= console->njudged) {
		console->judged = xrealloc(console->judged, step + 1, sizeof(*console->judged));
		memset(console->judged + console->njudged, 0, step + 1 - console->njudged);
		console->njudged = step + 1;
	}
	console->judged[step] = true;
}

static bool is_judged(const struct console *console, size_t step)
{
	return step < console->njudged && console->judged[step];
}

static void print_tables(struct console *console, const struct result_step *step)
{
	for (size_t i = 0; i < step->ncases; i++) {
		const struct result_case *item = &step->cases[i];
		const struct result_attempt *last = view_last(item);
		const struct table *table = view_table(last, step->plan->step->probe.probe);

		if (!table || item->across)
			continue;
		if (item->label && *item->label) {
			buf_puts(&console->text, PRINT_INDENT);
			view_labels(&console->text, &item, 1);
			buf_puts(&console->text, ":\n");
			emit(console);
		}
		print_table(console->out, table, last->judgement.kept, PRINT_INDENT "  ", print_columns(console->out));
	}
}

static void print_one(struct console *console, const struct result_step *step)
{
	erase_progress(console);
	print_step(&console->text, step, console->colour, console->verbose);
	emit(console);
	if (console->verbose)
		print_tables(console, step);
	flush(console);
}

/* A person sees each step as it ends; a log has them in the scenario's order, so that two of them can be compared. */
void console_step(struct console *console, const struct result *result, const struct result_step *step)
{
	remember(console, (size_t)(step - result->steps));
	if (console->terminal)
		print_one(console, step);
	else
		while (is_judged(console, console->next))
			print_one(console, &result->steps[console->next++]);
}

static void print_elapsed(struct buf *out, const struct timespec *since)
{
	struct timespec now;
	long seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (long)(now.tv_sec - since->tv_sec) - (now.tv_nsec < since->tv_nsec);
	buf_printf(out, "%ld:%02ld  ", seconds / 60, seconds % 60);
}

static void print_left(struct buf *out, double seconds)
{
	long rounded = (long)(seconds + 0.5);

	buf_printf(out, ", about %ld:%02ld left", rounded / 60, rounded % 60);
}

void console_progress(struct console *console, const struct run_progress *progress)
{
	AUTO_BUF struct buf line = {0};
	size_t columns = console->terminal ? print_columns(console->out) : 0;

	if (columns < 2 || console->error)
		return;
	print_elapsed(&line, &console->started);
	if (progress->hosts_connected < progress->hosts)
		buf_printf(&line, "%zu of %zu hosts connected, ", progress->hosts_connected, progress->hosts);
	if (progress->hosts_lost)
		buf_printf(&line, "%zu lost, ", progress->hosts_lost);
	buf_printf(&line, "%zu of %zu done, %zu running", progress->done, progress->cases, progress->running);
	if (progress->failed)
		buf_printf(&line, ", %zu failed", progress->failed);
	if (progress->left > 0)
		print_left(&line, progress->left);
	erase_progress(console);
	/* The last column stays free: a cursor behind it would be on the next line. */
	print_colour(&console->text, console->colour, COLOUR_FAINT);
	buf_add(&console->text, line.data, text_cut(line.data, line.length, columns - 1));
	print_colour(&console->text, console->colour, COLOUR_NONE);
	console->progress = true;
	emit(console);
	flush(console);
}

static void print_notes(struct console *console, const struct result *result)
{
	for (size_t i = 0; i < result->notes.count; i++) {
		buf_puts(&console->text, "note    ");
		text_line(&console->text, result->notes.items[i]);
		buf_putc(&console->text, '\n');
	}
}

static void print_waiver(struct buf *out, const struct waiver_use *use)
{
	AUTO_BUF struct buf title = {0};

	view_title(&title, use->step->plan->step);
	buf_puts(out, "waiver  ");
	waiver_days(out, use);
	buf_printf(out, " (%s): ", use->waiver->until);
	text_words(out, title.data);
	buf_puts(out, ": ");
	text_words(out, use->waiver->reason);
	buf_putc(out, '\n');
}

/* Those that end soon: who asked for one has to do something about it. */
static void print_waivers(struct console *console, const struct result *result)
{
	AUTO_FREE struct waiver_use *list = NULL;
	size_t count = waivers_of(result, &list), soon = 0;

	while (soon < count && waiver_is_soon(&list[soon]))
		soon++;
	for (size_t i = 0; i < soon && i < WAIVERS_SHOWN; i++)
		print_waiver(&console->text, &list[i]);
	if (soon > WAIVERS_SHOWN)
		buf_printf(&console->text, "waiver  … and %zu more that end within %d days\n", soon - WAIVERS_SHOWN,
			   WAIVERS_SOON);
}

void console_end(struct console *console, const struct result *result)
{
	for (size_t i = console->next; i < result->nsteps; i++)
		if (!console->terminal || !is_judged(console, i))
			print_one(console, &result->steps[i]);
	erase_progress(console);
	print_notes(console, result);
	print_waivers(console, result);
	print_summary(&console->text, result, console->colour);
	emit(console);
	flush(console);
}

int console_free(struct console *console)
{
	int error;

	erase_progress(console);
	emit(console);
	flush(console);
	error = console->error;
	buf_free(&console->text);
	free(console->judged);
	free(console);
	return error;
}
