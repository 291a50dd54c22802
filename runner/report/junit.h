/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the JUnit report's tree, and the module that writes it
 *
 * libxml2 takes longer to load than a trivial run, so only report_junit.so links it, and only a run that was asked for
 * a JUnit report loads that. The tree is all that the two have in common: plain texts that hold XML 1.0 characters
 * only; markup is the module's business.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#define JUNIT_SYMBOL report_junit_v1
#define JUNIT_SYMBOL_NAME "report_junit_v1"

enum junit_outcome { JUNIT_PASSED, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED };

struct junit_property {
	const char *name;
	const char *value;
};

/**
 * struct junit_case - @type, @message and @text are NULL for a pass; a skipped one has only @text
 * @file: NULL: no positions
 */
struct junit_case {
	const char *classname;
	const char *name;
	double seconds;
	enum junit_outcome outcome;
	const char *type;
	const char *message;
	const char *text;
	const char *file;
	unsigned line;
};

struct junit_suite {
	const char *name;
	const char *package;
	const char *hostname;
	const char *timestamp; /* YYYY-MM-DDThh:mm:ss, UTC */
	double seconds;
	const struct junit_property *properties; /* at least one */
	size_t nproperties;
	struct junit_case *cases;
	size_t ncases;
	const char *output; /* system-out; "" where there is nothing */
	const char *errors; /* system-err */
};

/**
 * struct junit_module - the one symbol that the module exports
 * @version: of rdmaspec; another one is refused
 * @write: the whole document; 0 or -errno
 */
struct junit_module {
	const char *version;
	int (*write)(FILE *out, const struct junit_suite *suites, size_t count);
};
