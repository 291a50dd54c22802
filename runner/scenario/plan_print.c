/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan for a person to read: what would be observed where, and what waits for what. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "base/utf8.h"
#include "scenario/plan_print.h"

#define EACH_SHOWN 4 /* of the values that advance together */

struct printer {
	const struct plan *plan;
	FILE *out;
	size_t *first; /* of each observation: the number of the step that makes it, from 1; 0: none yet */
	size_t made, saved;
};

void plan_put(FILE *out, const char *text)
{
	AUTO_BUF struct buf line = {0};

	utf8_printable(&line, text, strlen(text));
	if (line.length)
		fwrite(line.data, 1, line.length, out);
}

void plan_put_folded(FILE *out, const char *const *names, size_t count)
{
	AUTO_BUF struct buf folded = {0};

	nodeset_fold(&folded, names, count);
	plan_put(out, folded.length ? folded.data : "");
}

/* Repeats and what is exclusive (a measurement) are observed anew each time; so is what says "fresh". */
static size_t times(const struct plan *plan, const struct scenario_step *step, size_t observe, bool when)
{
	bool anew = step->fresh || plan->observes[observe].source->flags & RS_EXCLUSIVE;

	if (!when && step->repeat > 1)
		return step->repeat;
	return anew ? 1 : 0;
}

struct count {
	size_t made;
	size_t saved;
	size_t with; /* the first step that made one of those saved, from 1 */
};

static void count_one(struct printer *printer, size_t number, const struct plan_step *step, size_t observe, bool when,
		      struct count *count)
{
	size_t anew = times(printer->plan, step->step, observe, when);
	size_t *first = &printer->first[observe];

	if (anew) {
		count->made += anew;
	} else if (!*first) {
		*first = number;
		count->made++;
	} else {
		count->saved++;
		if (*first != number && (!count->with || *first < count->with))
			count->with = *first;
	}
}

static void print_counts(struct printer *printer, size_t number, const struct plan_step *step)
{
	struct count count = {0};

	for (size_t i = 0; i < step->nparts; i++) {
		count_one(printer, number, step, step->parts[i].observe, false, &count);
		if (step->parts[i].when != SIZE_MAX)
			count_one(printer, number, step, step->parts[i].when, true, &count);
	}
	printer->made += count.made;
	printer->saved += count.saved;
	if (count.made || !count.saved)
		fprintf(printer->out, ": %zu observation%s", count.made, plural(count.made));
	if (count.saved)
		fprintf(printer->out, "%s %zu shared", count.made ? "," : ":", count.saved);
	if (count.with)
		fprintf(printer->out, " with step %zu", count.with);
	fputc('\n', printer->out);
}

/* The hosts of the parts; those of one host follow each other. */
static void print_hosts(const struct printer *printer, const struct plan_step *step)
{
	AUTO_FREE const char **names = xcalloc(step->nparts, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < step->nparts; i++) {
		const struct plan_observe *observe = &printer->plan->observes[step->parts[i].observe];
		const char *name = printer->plan->hosts[observe->host].host->name;

		if (!count || strcmp(names[count - 1], name))
			names[count++] = name;
	}
	fputs(" on ", printer->out);
	plan_put_folded(printer->out, names, count);
}

static void print_list(FILE *out, const char *word, const char *const *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ", " : word, out);
		plan_put(out, items[i]);
	}
	if (count)
		fputc('\n', out);
}

static void print_steps(FILE *out, const char *word, const size_t *steps, size_t count)
{
	if (count)
		fprintf(out, "    %s step%s ", word, plural(count));
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu", i ? ", " : "", steps[i] + 1);
	if (count)
		fputc('\n', out);
}

/* Several that advance together are shown together: folded one by one they would read as every combination. */
static void print_each_together(FILE *out, const struct scenario_step *step)
{
	size_t count = step->each[0].count;

	fprintf(out, "    for each of %zu:", count);
	for (size_t v = 0; v < count && v < EACH_SHOWN; v++) {
		fputs(v ? "," : "", out);
		for (size_t i = 0; i < step->neach; i++) {
			fputc(' ', out);
			plan_put(out, step->each[i].name);
			fputc('=', out);
			plan_put(out, step->each[i].values[v]);
		}
	}
	fputs(count > EACH_SHOWN ? ", ...\n" : "\n", out);
}

static void print_each(FILE *out, const struct scenario_step *step)
{
	if (step->neach > 1)
		print_each_together(out, step);
	if (step->neach != 1)
		return;
	fputs("    for each ", out);
	plan_put(out, step->each[0].name);
	fputs(" of ", out);
	plan_put_folded(out, step->each[0].values, step->each[0].count);
	fputc('\n', out);
}

static void print_conduct(FILE *out, const struct scenario_step *step)
{
	if (step->repeat > 1)
		fprintf(out, "    repeated %u times\n", step->repeat);
	if (step->retries)
		fprintf(out, "    retried %u time%s, %.10g s apart\n", step->retries, plural(step->retries),
			(double)step->delay_ms / 1000);
	if (step->when) {
		fputs("    when ", out);
		plan_put(out, step->when->probe->name);
		fputs(" has such a row\n", out);
	}
	if (step->warning)
		fputs("    a fail is a warning\n", out);
	if (step->waive) {
		fputs("    a fail is waived", out);
		if (step->waive->until)
			fputs(" until ", out), plan_put(out, step->waive->until);
		fputs(": ", out);
		plan_put(out, step->waive->reason);
		fputc('\n', out);
	}
}

static void print_step(struct printer *printer, size_t number, const struct plan_step *step)
{
	FILE *out = printer->out;

	fprintf(out, "%3zu ", number);
	plan_put(out, step->step->name);
	if (step->step->id && strcmp(step->step->id, step->step->name)) {
		fputs(" [", out);
		plan_put(out, step->step->id);
		fputc(']', out);
	}
	fprintf(out, "%s\n    ", step->pulled ? " (not selected, but needed)" : "");
	plan_put(out, step->step->probe.probe->name);
	if (step->step->between)
		plan_put_pairs(printer->plan, step, out);
	else
		print_hosts(printer, step);
	print_counts(printer, number, step);
	plan_put_rounds(printer->plan, step, out);
	print_each(out, step->step);
	print_steps(out, "after", step->needs, step->nneeds);
	print_steps(out, "counters around", step->around, step->naround);
	print_list(out, "    tags: ", step->step->tags, step->step->ntags);
	print_conduct(out, step->step);
}

void plan_print(const struct plan *plan, FILE *out)
{
	AUTO_FREE size_t *first = xcalloc(plan->nobserves, sizeof(*first));
	struct printer printer = {.plan = plan, .out = out, .first = first};

	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct scenario *scenario = plan->steps[i].scenario;

		if (!i || plan->steps[i - 1].scenario != scenario) {
			fputs(i ? "\n" : "", out);
			plan_put(out, scenario->name);
			fputs(" (", out);
			plan_put(out, scenario->text.files[0].path);
			fputs(")\n", out);
		}
		print_step(&printer, i + 1, &plan->steps[i]);
	}
	fprintf(out, "%s%zu step%s on %zu host%s: %zu observation%s", plan->nsteps ? "\n" : "", plan->nsteps,
		plural(plan->nsteps), plan->nhosts, plural(plan->nhosts), printer.made, plural(printer.made));
	if (printer.saved)
		fprintf(out, ", %zu shared", printer.saved);
	if (plan->filtered)
		fprintf(out, "; %zu step%s left out", plan->filtered, plural(plan->filtered));
	fputc('\n', out);
}
