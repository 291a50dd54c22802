/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: reports: one result tree, rendered in several forms. No report knows a plugin. */
#pragma once

#include <jansson.h>

#include "run/result.h"
#include "run/run.h"

enum report_kind { REPORT_JUNIT, REPORT_JSON };

struct report_target {
	enum report_kind kind;
	const char *path; /* "-": stdout */
	bool positions;   /* JUnit: file and line attributes on cases (junit+file=PATH) */
};

/** report_target_parse - "junit=PATH"; -EINVAL with @diag ("did you mean") */
int report_target_parse(const char *argument, struct report_target *target, struct diag *diag);

/** report_check - before the run: can the file be made there? */
int report_check(const struct report_target *target, struct diag *diag);

/** report_write - to a temporary file, flushed, renamed; an old report stays whole where this fails */
int report_write(const struct report_target *target, const struct result *result, struct registry *registry, struct diag *diag);

/** The console: for people. Progress line and colour only on a terminal; text sanitised. */
struct console;
struct console *console_new(FILE *out, bool verbose);
void console_step(struct console *console, const struct result *result, const struct result_step *step);
void console_progress(struct console *console, const struct run_progress *progress);
void console_end(struct console *console, const struct result *result);
int console_free(struct console *console); /* -errno where the output could not be written */

/** report_table - one table for people (rdmaspec observe) */
void report_table(FILE *out, const struct table *table);
json_t *report_table_json(const struct table *table);
