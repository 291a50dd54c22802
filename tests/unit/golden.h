/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: golden folders: tests/data/NAME/CASE with "input.yaml", and in "error" what is said about it */
#pragma once

#include <dirent.h>

#include "sample.h"

static inline char *golden_read(const char *path)
{
	AUTO_FCLOSE FILE *file = fopen(path, "r");
	struct buf buf = {0};
	char block[4096];
	size_t got;

	if (!file)
		fail_msg("%s: %m", path);
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		buf_add(&buf, block, got);
	return buf_take(&buf);
}

static inline int golden_is_case(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* @check gets the case's folder as its initial state. */
static inline int golden_run(const char *name, CMUnitTestFunction check)
{
	AUTO_FREE char *root = xasprintf("%s/tests/data/%s", getenv("RDMASPEC_SOURCE"), name);
	struct dirent **entries;
	int count = scandir(root, &entries, golden_is_case, alphasort), result;
	struct CMUnitTest *tests;

	if (count <= 0) {
		fprintf(stderr, "%s: no cases\n", root);
		return 1;
	}
	tests = xcalloc((size_t)count, sizeof(*tests));
	for (int i = 0; i < count; i++) {
		tests[i].name = entries[i]->d_name;
		tests[i].test_func = check;
		tests[i].initial_state = xasprintf("%s/%s", root, entries[i]->d_name);
	}
	result = _cmocka_run_group_tests(name, tests, (size_t)count, NULL, NULL);
	for (int i = 0; i < count; i++) {
		free(tests[i].initial_state);
		free(entries[i]);
	}
	free(entries);
	free(tests);
	return result;
}
