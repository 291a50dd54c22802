/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every folder of tests/data/bad-matcher: "input.yaml" holds the judging keys of a step on the probe of judge_lab.h,
 * "error" what is said about them. Folders called when-* are those of a step's "when".
 */
#include "judge_lab.h"

#include <dirent.h>
#include <errno.h>

static char *read_file(const char *folder, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s", folder, name);
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

static void check_case(void **state)
{
	const char *folder = *state;
	bool when = !strncmp(strrchr(folder, '/') + 1, "when-", 5);
	AUTO_FREE char *input = read_file(folder, "input.yaml"), *expected = read_file(folder, "error");
	AUTO_FREE char *said = NULL;
	AUTO_FCLOSE FILE *out = NULL;
	AUTO_LAB struct lab lab = {0};
	struct judge_spec spec;
	const struct node *map = text_parse(&lab.text, "input.yaml", input, strlen(input), &lab.diags);
	size_t size;
	int result;

	assert_non_null(map);
	result = (when ? judge_compile_when : judge_compile)(&lab.text, &lab.arena, &lab_whole, &lab_probe, map, &spec,
							     &lab.diags);
	assert_int_equal(result, lab.diags.errors ? -EINVAL : 0);
	out = open_memstream(&said, &size);
	diags_print(&lab.diags, out);
	fflush(out);
	assert_string_equal(said, expected);
}

static int is_case(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(void)
{
	AUTO_FREE char *root = xasprintf("%s/tests/data/bad-matcher", getenv("RDMASPEC_SOURCE"));
	struct dirent **entries;
	int count = scandir(root, &entries, is_case, alphasort), result;
	struct CMUnitTest *tests;

	if (count <= 0) {
		fprintf(stderr, "%s: no cases\n", root);
		return 1;
	}
	tests = xcalloc((size_t)count, sizeof(*tests));
	for (int i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){.name = entries[i]->d_name,
					       .test_func = check_case,
					       .initial_state = xasprintf("%s/%s", root, entries[i]->d_name)};
	result = _cmocka_run_group_tests("matcher_golden", tests, (size_t)count, NULL, NULL);
	for (int i = 0; i < count; i++) {
		free(tests[i].initial_state);
		free(entries[i]);
	}
	free(entries);
	free(tests);
	return result;
}
