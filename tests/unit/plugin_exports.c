/* SPDX-License-Identifier: BSD-2-Clause */
/* Every plugin of ours exports one symbol, as nm tells it: whatever else it exported could meet another plugin's. */
#include "sample.h"

#include <glob.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/* The output of "nm -D --defined-only FILE" */
static char *nm(const char *file)
{
	char *argv[] = {(char[]){"nm"}, (char[]){"-D"}, (char[]){"--defined-only"}, xstrdup(file), NULL};
	posix_spawn_file_actions_t actions;
	struct buf out = {0};
	char block[4096];
	int ends[2], status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	assert_int_equal(posix_spawnp(&pid, "nm", &actions, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while ((got = read(ends[0], block, sizeof(block))) > 0)
		buf_add(&out, block, (size_t)got);
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	free(argv[3]);
	return buf_take(&out);
}

/* The names in "ADDRESS TYPE NAME" lines; those that a sanitizer adds to a build are not the plugin's. */
static void symbols(const char *file, struct strings *names)
{
	AUTO_FREE char *text = nm(file);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		const char *name = strrchr(line, ' ');

		if (name && strncmp(name + 1, "__odr_asan", strlen("__odr_asan")))
			strings_add(names, name + 1);
	}
}

static void test_ours(void **state)
{
	AUTO_FREE char *pattern = xasprintf("%s/plugins/*/*.so", getenv("RDMASPEC_BUILD"));
	glob_t found;

	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		AUTO_STRINGS struct strings names = {0};

		symbols(found.gl_pathv[i], &names);
		if (names.count != 1 || strcmp(names.items[0], RS_PLUGIN_SYMBOL))
			fail_msg("%s exports %zu symbols, the first is %s", found.gl_pathv[i], names.count,
				 names.count ? names.items[0] : "none");
	}
	globfree(&found);
}

/* The test would see it. */
static void test_extra(void **state)
{
	AUTO_FREE char *file = xasprintf("%s/tests/unit/plugins/extra.so", getenv("RDMASPEC_BUILD"));
	AUTO_STRINGS struct strings names = {0};

	symbols(file, &names);
	assert_int_equal(names.count, 2);
	assert_true(strings_have(&names, "leaked_symbol"));
	assert_true(strings_have(&names, RS_PLUGIN_SYMBOL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ours),
		cmocka_unit_test(test_extra),
	};

	return cmocka_run_group_tests_name("plugin_exports", tests, NULL, NULL);
}
