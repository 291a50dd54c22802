/* SPDX-License-Identifier: BSD-2-Clause */
/* host.command: runs what the scenario says, without a shell; one row a metric, and one for the exit status */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/command.h"
#include "host/host.h"
#include "support/process.h"

enum { METRIC, OCCURRENCE, VALUE, TEXT, UNIT, FACTS };

#define EXIT_STATUS "exit_status"
#define OCCURRENCES 10000

static const struct rs_fact facts[] = {
	[METRIC] = {.name = "metric",
		    .type = RS_TEXT,
		    .flags = RS_F_KEY,
		    .doc = "exit_status, or the name of one of the step's metrics"},
	[OCCURRENCE] = {.name = "occurrence",
			.type = RS_INTEGER,
			.flags = RS_F_KEY,
			.doc = "1 for the first place where the pattern matches, and so on: one row each"},
	[VALUE] = {.name = "value",
		   .type = RS_NUMBER,
		   .doc = "what the pattern's group matched, as a number; the command's exit status",
		   .observed_by = "needs a match whose group is a decimal number"},
	[TEXT] = {.name = "text",
		  .type = RS_TEXT,
		  .doc = "what the pattern's group matched, as it was printed",
		  .observed_by = "needs a match in what the command prints"},
	[UNIT] = {.name = "unit", .type = RS_TEXT, .doc = "as the step gives it; none where it gives none"},
	[FACTS] = {0},
};

/* Digits, perhaps with sign, point and exponent, and nothing else: what rs_set_decimal() takes */
static bool is_number(const char *text)
{
	char *end;

	if (!*text || strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	strtod(text, &end);
	return !*end;
}

static void begin_row(struct rs_ctx *ctx, const char *metric, const char *unit, int occurrence)
{
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, METRIC, metric);
	rs_set_integer(ctx, OCCURRENCE, occurrence);
	if (unit)
		rs_set_text(ctx, UNIT, unit);
	else
		rs_set_none(ctx, UNIT);
}

static void set_match(struct rs_ctx *ctx, const char *start, size_t length)
{
	char number[128];

	rs_set_bytes(ctx, TEXT, start, length);
	snprintf(number, sizeof(number), "%.*s", (int)(length < 100 ? length : 100), start);
	if (length < 100 && is_number(number))
		rs_set_decimal(ctx, VALUE, *number == '+' ? number + 1 : number);
	else
		rs_not_observed(ctx, VALUE, "what the pattern matched is not a decimal number");
}

/* All matches in one stream; returns how many there are in all */
static int add_matches(struct rs_ctx *ctx, const struct command_metric *metric, const regex_t *pattern,
		       const struct process_text *text, int count)
{
	regmatch_t places[2];
	size_t at = 0, end = SIZE_MAX;

	while (at <= text->length && text->data && count < OCCURRENCES) {
		int flags = REG_STARTEND | (at && text->data[at - 1] != '\n' ? REG_NOTBOL : 0);
		regmatch_t *whole = &places[0], *group = &places[1];

		places[0] = (regmatch_t){(regoff_t)at, (regoff_t)text->length};
		if (regexec(pattern, text->data, 2, places, flags))
			break;
		/* an empty match right behind another is none, as grep sees it */
		if (group->rm_so >= 0 && (whole->rm_eo > whole->rm_so || (size_t)whole->rm_so != end)) {
			begin_row(ctx, metric->name, metric->unit, ++count);
			set_match(ctx, text->data + group->rm_so, (size_t)(group->rm_eo - group->rm_so));
		}
		end = (size_t)whole->rm_eo;
		at = end + (whole->rm_eo == whole->rm_so);
	}
	return count;
}

static void add_metric(struct rs_ctx *ctx, const struct command_metric *metric, const regex_t *pattern,
		       const struct process *process)
{
	int count = add_matches(ctx, metric, pattern, &process->out[PROCESS_STDOUT], 0);

	count = add_matches(ctx, metric, pattern, &process->out[PROCESS_STDERR], count);
	if (count == OCCURRENCES)
		rs_incomplete(ctx, "%s: only the first %d matches were taken", metric->name, OCCURRENCES);
	if (count)
		return;
	begin_row(ctx, metric->name, metric->unit, 1);
	rs_not_observed(ctx, VALUE, "the pattern matches nothing that the command printed");
	rs_not_observed(ctx, TEXT, "the pattern matches nothing that the command printed");
}

static void add_status(struct rs_ctx *ctx, const struct process *process)
{
	char text[64];

	begin_row(ctx, EXIT_STATUS, NULL, 1);
	if (process->signal) {
		snprintf(text, sizeof(text), "it was ended by signal %d (%s)", process->signal,
			 strsignal(process->signal));
		rs_not_observed(ctx, VALUE, text);
		rs_not_observed(ctx, TEXT, text);
		return;
	}
	snprintf(text, sizeof(text), "%d", process->status);
	rs_set_decimal(ctx, VALUE, text);
	rs_set_text(ctx, TEXT, text);
}

/* A pattern that is wrong is said before the command has run */
static int compile(struct rs_ctx *ctx, const struct command_metric *metric, regex_t *pattern)
{
	char why[128];
	int error;

	if (!strcmp(metric->name, EXIT_STATUS))
		return rs_error(ctx, RS_INVALID, "\"%s\" is the name of the command's exit status", EXIT_STATUS);
	error = regcomp(pattern, metric->pattern, REG_EXTENDED | REG_NEWLINE);
	if (error) {
		regerror(error, pattern, why, sizeof(why));
		return rs_error(ctx, RS_INVALID, "%s: the pattern \"%s\": %s", metric->name, metric->pattern, why);
	}
	if (pattern->re_nsub != 1) {
		size_t groups = pattern->re_nsub;

		regfree(pattern);
		return rs_error(ctx, RS_INVALID, "%s: the pattern \"%s\" has %zu groups, and needs one: the value",
				metric->name, metric->pattern, groups);
	}
	return 0;
}

static int compile_all(struct rs_ctx *ctx, const struct command_params *params, regex_t *patterns)
{
	for (unsigned i = 0; i < params->nmetrics; i++) {
		int error = compile(ctx, &params->metrics[i], &patterns[i]);

		if (!error)
			continue;
		while (i)
			regfree(&patterns[--i]);
		return error;
	}
	return 0;
}

static const char *const *argv_of(struct rs_ctx *ctx, const struct command_params *params)
{
	const char **argv = rs_alloc(ctx, (params->argc + 1) * sizeof(*argv));

	for (unsigned i = 0; i < params->argc; i++)
		argv[i] = params->argv[i];
	return argv;
}

static int run(struct rs_ctx *ctx, const struct command_params *params, const regex_t *patterns)
{
	const char *const *argv = argv_of(ctx, params);
	struct process process;
	char line[256];
	int error = process_run(ctx, &process, argv, 0);

	if (error && error != -ETIMEDOUT)
		return rs_error(ctx,
				error == -ENOENT   ? RS_ABSENT
				: error == -EACCES ? RS_DENIED
						   : RS_FAILED,
				"cannot run %s: %s", argv[0], strerror(-error));
	process_evidence(ctx, &process, "");
	if (error) {
		process_said(&process, line, sizeof(line));
		error = rs_error(ctx, RS_TIMED_OUT, "%s was still running at the deadline, and was ended%s%s", argv[0],
				 *line ? "; it said: " : "", line);
	} else {
		add_status(ctx, &process);
		for (unsigned i = 0; i < params->nmetrics; i++)
			add_metric(ctx, &params->metrics[i], &patterns[i], &process);
	}
	process_free(&process);
	return error;
}

int host_command_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct command_params *params = data;
	regex_t *patterns = rs_alloc(ctx, (params->nmetrics + 1) * sizeof(*patterns));
	int error;

	if (!params->argc || !*params->argv[0])
		return rs_error(ctx, RS_INVALID, "argv names no program");
	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "a recorded tree runs no commands");
	error = compile_all(ctx, params, patterns);
	if (error)
		return error;
	error = run(ctx, params, patterns);
	for (unsigned i = 0; i < params->nmetrics; i++)
		regfree(&patterns[i]);
	return error;
}

static const struct rs_param metric_fields[] = {
	{.key = "name",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .min = 1,
	 .max = 128,
	 .offset = offsetof(struct command_metric, name),
	 .doc = "what the fact \"metric\" says"},
	{.key = "pattern",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .min = 1,
	 .max = 4096,
	 .offset = offsetof(struct command_metric, pattern),
	 .doc = "POSIX extended regular expression with one group, the value; ^ and $ are a line's ends"},
	{.key = "unit",
	 .type = RS_TEXT,
	 .offset = offsetof(struct command_metric, unit),
	 .doc = "what the fact \"unit\" says"},
	{0},
};

const struct rs_param host_command_params[] = {
	{.key = "argv",
	 .type = RS_TEXT,
	 .flags = RS_LIST | RS_REQUIRED,
	 .offset = offsetof(struct command_params, argv),
	 .count_offset = offsetof(struct command_params, argc),
	 .doc = "the program and its arguments, run as they are: no shell, LC_ALL=C, nothing on its input"},
	{.key = "metrics",
	 .type = RS_STRUCT,
	 .flags = RS_LIST,
	 .offset = offsetof(struct command_params, metrics),
	 .count_offset = offsetof(struct command_params, nmetrics),
	 .fields = metric_fields,
	 .fields_size = sizeof(struct command_metric),
	 .doc = "what to read out of its standard output, then its standard error"},
	{0},
};

const struct rs_probe host_command_probe = {
	.name = "host.command",
	.summary = "exit status of a command, and metrics out of what it prints",
	.row = "{metric}",
	.facts = facts,
};
