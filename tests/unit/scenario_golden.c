/* SPDX-License-Identifier: BSD-2-Clause */
/* Every folder of tests/data/bad-scenario: "input.yaml", and in "error" what is said about it. */
#include <dirent.h>
#include <sys/stat.h>

#include "lab/lab.h"

static char *read_file(const char *path)
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

/* In the folder, so that messages do not hang on where it is. */
static void check_case(void **state)
{
	const char *folder = *state;
	AUTO_LAB struct lab lab = {.registry = lab_registry()};
	AUTO_FREE char *expected = NULL;

	assert_int_equal(chdir(folder), 0);
	expected = read_file("error");
	lab.list[lab.count] = &lab.scenarios[lab.count];
	if (!scenario_load(&lab.scenarios[lab.count++], "input.yaml", &lab.set, lab.registry, &lab.diags))
		plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags);
	assert_string_equal(lab_said(&lab), expected);
}

static int is_case(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(void)
{
	AUTO_FREE char *root = xasprintf("%s/tests/data/bad-scenario", getenv("RDMASPEC_SOURCE"));
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
	result = _cmocka_run_group_tests("scenario_golden", tests, (size_t)count, NULL, NULL);
	for (int i = 0; i < count; i++) {
		free(tests[i].initial_state);
		free(entries[i]);
	}
	free(entries);
	free(tests);
	return result;
}
