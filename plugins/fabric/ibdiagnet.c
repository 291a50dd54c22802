/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.ibdiagnet: one row a stage of ibdiagnet's status report */
#include "fabric/ibdiagnet.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "support/process.h"

enum { STAGE, ERRORS, WARNINGS, FACTS };

const struct rs_fact fabric_ibdiagnet_facts[] = {
	[STAGE] = {.name = "stage",
		   .type = RS_TEXT,
		   .flags = RS_F_KEY,
		   .doc = "name of the stage, as ibdiagnet prints it: \"Link State Active Check\""},
	[ERRORS] = {.name = "errors", .type = RS_INTEGER, .flags = RS_F_LOWER, .doc = "errors that the stage found"},
	[WARNINGS] = {.name = "warnings",
		      .type = RS_INTEGER,
		      .flags = RS_F_LOWER,
		      .doc = "warnings that the stage gave"},
	[FACTS] = {0},
};

/* "-I- ", "-W- ", "-E- " and blanks before a line's own text */
static const char *skip_mark(const char *line)
{
	while (isblank((unsigned char)*line))
		line++;
	if (line[0] == '-' && isupper((unsigned char)line[1]) && line[2] == '-')
		line += 3;
	while (isblank((unsigned char)*line))
		line++;
	return line;
}

/*
 * The table's head: "STAGE Errors Warnings" in ibdiagnet 1, "Stage Warnings Errors Comment" in ibdiagnet 2. Returns 1
 * where errors come first, 2 where warnings do, 0 where this is no head.
 */
static int read_head(const char *line)
{
	const char *errors, *warnings;

	line = skip_mark(line);
	if (strncasecmp(line, "stage", 5) || !isblank((unsigned char)line[5]))
		return 0;
	errors = strcasestr(line, "errors");
	warnings = strcasestr(line, "warnings");
	if (!errors || !warnings)
		return 0;
	return errors < warnings ? 1 : 2;
}

/* A stage's name has blanks and may have digits: it ends before the first two numbers that follow each other */
static bool read_stage(const char *line, char name[128], long numbers[2])
{
	const char *start = skip_mark(line);

	for (const char *at = start; *at; at++) {
		char *first, *second;

		if (!isdigit((unsigned char)*at) || at == start || !isblank((unsigned char)at[-1]))
			continue;
		numbers[0] = strtol(at, &first, 10);
		if (!isblank((unsigned char)*first))
			continue;
		numbers[1] = strtol(first, &second, 10);
		if (second == first || (*second && !isspace((unsigned char)*second)))
			continue;
		while (at > start && isblank((unsigned char)at[-1]))
			at--;
		snprintf(name, 128, "%.*s", (int)(at - start), start);
		return at > start;
	}
	return false;
}

unsigned ibdiagnet_rows(struct rs_ctx *ctx, const char *text)
{
	unsigned rows = 0;
	int order = 0;

	for (const char *line = text; *line;) {
		const char *end = strchrnul(line, '\n');
		char copy[512], name[128];
		long numbers[2];

		snprintf(copy, sizeof(copy), "%.*s", (int)(end - line), line);
		line = *end ? end + 1 : end;
		if (!order) {
			order = read_head(copy);
			continue;
		}
		if (!read_stage(copy, name, numbers)) {
			if (rows)
				break; /* the table has ended */
			continue;
		}
		rs_row_begin(ctx, 0);
		rs_set_text(ctx, STAGE, name);
		rs_set_integer(ctx, ERRORS, numbers[order == 1 ? 0 : 1]);
		rs_set_integer(ctx, WARNINGS, numbers[order == 1 ? 1 : 0]);
		rows++;
	}
	return rows;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *walk)
{
	return remove(path);
}

/* It ends with 0 when it could not even be loaded, and with others when it found something: the table is what counts */
static int report(struct rs_ctx *ctx, const struct process *process)
{
	char said[200];

	process_evidence(ctx, process, "ibdiagnet");
	if (process->signal)
		return rs_error(ctx, RS_FAILED, "ibdiagnet died of signal %d (%s)", process->signal,
				strsignal(process->signal));
	if (!process->out[PROCESS_STDOUT].data || !ibdiagnet_rows(ctx, process->out[PROCESS_STDOUT].data))
		return rs_error(ctx, RS_FAILED, "ibdiagnet printed no table of stages (exit status %d): %s",
				process->status, process_said(process, said, sizeof(said)));
	return 0;
}

int fabric_ibdiagnet_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	char directory[] = "/tmp/rdmaspec-ibdiagnet-XXXXXX", path[512];
	const char *argv[] = {path, "-o", directory, NULL};
	struct process process;
	int started, error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "a recorded tree has files only: ibdiagnet cannot run on it");
	if (!process_find("ibdiagnet", path, sizeof(path)))
		return rs_error(ctx, RS_UNSUPPORTED,
				"ibdiagnet is not installed (package ibutils, or ibutils2 of MLNX_OFED and DOCA)");
	if (!mkdtemp(directory))
		return rs_error(ctx, RS_FAILED, "no folder for ibdiagnet's files: %s", strerror(errno));
	started = process_run(ctx, &process, argv, 0);
	if (started == -ETIMEDOUT)
		error = rs_error(ctx, RS_TIMED_OUT, "ibdiagnet did not end in time");
	else if (started)
		error = rs_error(ctx, RS_FAILED, "ibdiagnet cannot be started: %s", strerror(-started));
	else
		error = report(ctx, &process);
	if (!started || started == -ETIMEDOUT)
		process_free(&process);
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return error;
}
