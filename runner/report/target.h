/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: where a report goes, and what it takes to write one there. Private to the room. */
#pragma once

#include "report/junit.h"
#include "report/report.h"

/** module_is_there - report_junit.so can be read; false with @diag */
bool module_is_there(struct diag *diag);

/** module_load - report_junit.so, loaded once; NULL with @diag */
const struct junit_module *module_load(struct diag *diag);

/** json_write, html_write, tap_write, junit_write - the whole report; 0 or -errno, with @diag where that says more than
 * the errno
 */
int json_write(FILE *out, const struct result *result, struct registry *registry);
int html_write(FILE *out, const struct result *result, struct registry *registry);
int tap_write(FILE *out, const struct result *result);
int markdown_write(FILE *out, const struct result *result);
int prometheus_write(FILE *out, const struct result *result);
int junit_write(FILE *out, const struct result *result, struct registry *registry, bool positions, struct diag *diag);
