/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: scenarios from texts, over the plugin "lab" */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "scenario/plan.h"

/* One test's scenarios, plan and diagnostics. */
struct lab {
	struct registry *registry;
	struct scenario scenarios[4];
	struct scenario *list[4];
	size_t count;
	struct plan plan;
	struct diags diags;
	struct strings set;
	char *said; /* by lab_said() */
};

static inline struct registry *lab_registry(void)
{
	AUTO_FREE char *directory = xasprintf("%s/tests/unit", getenv("RDMASPEC_BUILD"));

	return registry_new(directory);
}

/* Reads @yaml as a file of its own, called as its template says, in the working directory. Returns scenario_load()'s
 * word. */
static inline int lab_load(struct lab *lab, const char *yaml)
{
	char path[] = "lab-XXXXXX";
	int fd = mkstemp(path), result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, yaml, strlen(yaml)), (long)strlen(yaml));
	close(fd);
	if (!lab->registry)
		lab->registry = lab_registry();
	assert_true(lab->count < 4);
	lab->list[lab->count] = &lab->scenarios[lab->count];
	result = scenario_load(&lab->scenarios[lab->count++], path, &lab->set, lab->registry, &lab->diags);
	unlink(path);
	return result;
}

/* All diagnostics so far, as they are printed. */
static inline const char *lab_said(struct lab *lab)
{
	size_t size;
	FILE *out;

	free(lab->said);
	out = open_memstream(&lab->said, &size);
	diags_print(&lab->diags, out);
	fclose(out);
	return lab->said;
}

/* A scenario without a mistake. */
static inline const struct scenario *lab_good(struct lab *lab, const char *yaml)
{
	if (lab_load(lab, yaml) < 0)
		fail_msg("%s", lab_said(lab));
	return lab->list[lab->count - 1];
}

static inline const struct plan *lab_plan(struct lab *lab, const struct plan_filter *filter)
{
	if (plan_build(&lab->plan, lab->list, lab->count, filter, &lab->diags) < 0)
		fail_msg("%s", lab_said(lab));
	return &lab->plan;
}

static inline void lab_free(struct lab *lab)
{
	plan_free(&lab->plan);
	for (size_t i = 0; i < lab->count; i++)
		scenario_free(&lab->scenarios[i]);
	if (lab->registry)
		registry_free(lab->registry);
	diags_free(&lab->diags);
	strings_free(&lab->set);
	free(lab->said);
}

#define AUTO_LAB __attribute__((cleanup(lab_free)))
