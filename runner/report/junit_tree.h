/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: from the result to the JUnit tree. Private to the room. */
#pragma once

#include "report/junit.h"
#include "report/labels.h"
#include "report/view.h"

/*
 * GitLab takes no JUnit file of 30 MB, and XML parsers by default no text of 10,000,000 bytes (libxml2's
 * XML_MAX_TEXT_LENGTH): what is cut says so, and that the JSON report has it.
 */
#define JUNIT_FILE_MAX 29000000
#define JUNIT_OUTPUT_MAX 9000000
#define JUNIT_TEXTS_MAX 8000000	  /* failures and errors together */
#define JUNIT_TEXT_MAX 65536	  /* one of them */
#define JUNIT_MESSAGE_MAX 2000	  /* the attribute */
#define JUNIT_PROPERTIES_MAX 2000 /* metrics of one suite */

/** struct junit_tree - a suite a scenario; @spent: bytes that the file takes so far, about */
struct junit_tree {
	struct arena arena;
	struct labels labels;
	struct junit_suite *suites;
	size_t nsuites;
	size_t spent;
	size_t texts;
};

/** struct junit_part - the steps of one scenario, and the XML names of their cases one after the other */
struct junit_part {
	const struct result *result;
	const struct scenario *scenario;
	const struct result_step **steps;
	size_t nsteps;
	const struct junit_case *cases;
};

/** junit_cost - the bytes that a harmless text takes in XML */
size_t junit_cost(const char *text, size_t length);

/** junit_fit - how many bytes of @text (ending on a whole character) cost at most @left */
size_t junit_fit(const char *text, size_t length, size_t left);

/** junit_outcome_of - fill outcome, type, message and text of @item */
void junit_outcome_of(struct junit_tree *tree, const struct result_case *result, struct junit_case *item);

/** junit_properties - of one suite: versions, scenario, metrics */
void junit_properties(struct junit_tree *tree, const struct junit_part *part, struct registry *registry,
		      struct junit_suite *suite);

/** junit_output - system-out (remarks, evidence) and system-err (what workers said) of one suite within @budget bytes
 */
void junit_output(struct junit_tree *tree, const struct junit_part *part, struct junit_suite *suite, size_t budget);
