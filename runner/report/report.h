/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: reports: one result tree, rendered in several forms. No report knows a plugin. */
#pragma once

#include <jansson.h>

#include "run/result.h"
#include "run/run.h"

enum report_kind {
	REPORT_JUNIT,
	REPORT_JSON,
	REPORT_HTML,
	REPORT_TAP,
	REPORT_PROMETHEUS,
	REPORT_MARKDOWN,
	REPORT_RECORDING,
	REPORT_SCENARIO
};

/**
 * struct report_target - one report that was asked for
 * @positions: JUnit with file and line attributes on its cases ("junit+positions=PATH"). Some consumers show them; no
 *             published JUnit schema allows them, so they are never written unasked.
 */
struct report_target {
	enum report_kind kind;
	const char *path; /* "-": stdout; part of the argument that was parsed */
	bool positions;
};

/** report_target_parse - "KIND=PATH", as report_kinds() lists them; -EINVAL with @diag ("did you mean") */
int report_target_parse(const char *argument, struct report_target *target, struct diag *diag);

/** report_kinds - "junit=PATH, ... and json=PATH", for messages and the help */
void report_kinds(struct buf *out);

/**
 * report_check - before the run: can the report be made there?
 * Cheap: what takes a while to load is only looked for.
 */
int report_check(const struct report_target *target, struct diag *diag);

/** report_load - load what the reports take; a good moment is while something else is waited for. -errno with @diag */
int report_load(const struct report_target *targets, size_t count, struct diag *diag);

/** report_goes_to - whether the report would take the place of that file */
bool report_goes_to(const struct report_target *target, const char *path);

/** report_check_all - report_check() of each, and that no two of them go to the same place */
int report_check_all(const struct report_target *targets, size_t count, struct diag *diag);

/**
 * report_write - to a temporary file beside the target, flushed to the disk, renamed; an old report stays whole where
 * this fails A symbolic link stays, the file that it leads to is replaced. What is no regular file (a device, a FIFO)
 * is written to directly. @registry: for the versions of the plugins; NULL: none are named. SIGPIPE must be ignored.
 */
int report_write(const struct report_target *target, const struct result *result, struct registry *registry,
		 struct diag *diag);

/**
 * The console: for people. Progress line and colour only on a terminal, none where TERM is dumb, no colour where
 * NO_COLOR is set; text sanitised. Every step is flushed. @verbose: also the rows that were kept, notes and evidence.
 */
struct console;
struct console *console_new(FILE *out, bool verbose);
void console_step(struct console *console, const struct result *result, const struct result_step *step);
void console_progress(struct console *console, const struct run_progress *progress);

/** console_end - steps that console_step() never got, what is to be said of the run, and the summary line */
void console_end(struct console *console, const struct result *result);
int console_free(struct console *console); /* -errno where the output could not be written */

/**
 * report_table - one table for people (rdmaspec observe); "-" is none, "?" not observed, and why follows the table
 * On a terminal that is too narrow for it, a row is a paragraph.
 */
void report_table(FILE *out, const struct table *table);

/** report_table_json - {"probe", "facts", "rows"}, in the form of the JSON report; a new reference */
json_t *report_table_json(const struct table *table);

/** report_json_dump - @value over several lines, with everything escaped that a terminal or an HTML page would not take
 * as text */
void report_json_dump(FILE *out, const json_t *value);
