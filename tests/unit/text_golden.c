/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every folder of tests/data/bad-yaml: "input.yaml" (and what it includes), and in "error" what is said about it.
 * Places in them were counted in an editor.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "text/text.h"

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

/* What a step could see: the host's keys come later. */
static void resolve_all(struct text *text, struct diags *diags)
{
	static const struct variable later[] = {{.name = "host"}, {.name = "address"}, {.name = "device"}};
	const struct scope host = {.items = later, .count = 3, .outer = &text->vars};

	for (size_t i = 0; i < text->ndocuments; i++)
		text_resolve(text, NULL, text->documents[i], &host, diags);
}

/* In the folder, so that messages do not hang on where it is. */
static void check_case(void **state)
{
	AUTO_FREE char *expected = NULL, *said = NULL;
	struct diags diags = {0};
	struct text text = {0};
	size_t size = 0;
	FILE *out;
	int result;

	assert_int_equal(chdir(*state), 0);
	expected = read_file("error");
	out = open_memstream(&said, &size);
	result = text_load(&text, "input.yaml", NULL, &diags);
	assert_int_equal(result != 0, diags.errors != 0);
	resolve_all(&text, &diags);
	diags_print(&diags, out);
	fclose(out);
	assert_string_equal(said, expected);
	assert_int_equal(diags.errors != 0, strstr(expected, ": error: ") != NULL);
	diags_free(&diags);
	text_free(&text);
}

static int is_case(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(void)
{
	AUTO_FREE char *root = xasprintf("%s/tests/data/bad-yaml", getenv("RDMASPEC_SOURCE"));
	struct dirent **entries;
	int count = scandir(root, &entries, is_case, alphasort), result;
	struct CMUnitTest *tests;

	if (count <= 0) {
		fprintf(stderr, "%s: no cases\n", root);
		return 1;
	}
	unsetenv("RDMASPEC_TEST_UNSET");
	tests = xcalloc((size_t)count, sizeof(*tests));
	for (int i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){.name = entries[i]->d_name,
					       .test_func = check_case,
					       .initial_state = xasprintf("%s/%s", root, entries[i]->d_name)};
	result = _cmocka_run_group_tests("text_golden", tests, (size_t)count, NULL, NULL);
	for (int i = 0; i < count; i++) {
		free(tests[i].initial_state);
		free(entries[i]);
	}
	free(entries);
	free(tests);
	return result;
}
