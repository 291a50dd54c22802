/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"

static char *printed(const struct diags *diags)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	diags_print(diags, out);
	fclose(out);
	return text;
}

static struct place at(const char *file, uint32_t line, uint32_t column)
{
	return (struct place){.file = file, .line = line, .column = column};
}

static void test_diag_set(void **state)
{
	AUTO_DIAG struct diag diag = {0};

	assert_int_equal(diag_set(&diag, EINVAL, at("f", 1, 2), "no %s", "way"), -EINVAL);
	assert_string_equal(diag.text, "no way");
	assert_int_equal(diag_set(&diag, ENOENT, NO_PLACE, "again"), -ENOENT);
	assert_string_equal(diag.text, "again");
	assert_int_equal(diag_set(NULL, EIO, NO_PLACE, "unheard"), -EIO);
}

static void test_order(void **state)
{
	struct diags diags = {0};
	AUTO_FREE char *text = NULL;
	char again[] = "b.yaml"; /* the same name at another address */

	diags_error(&diags, at("b.yaml", 10, 2), "third");
	diags_error(&diags, at("a.yaml", 1, 1), "fifth");
	diags_warning(&diags, at(again, 9, 30), "first");
	diags_error(&diags, at("b.yaml", 10, 1), "second");
	diags_error(&diags, at("b.yaml", 10, 2), "fourth");
	text = printed(&diags);
	assert_string_equal(text, "b.yaml:9:30: warning: first\n"
				  "b.yaml:10:1: error: second\n"
				  "b.yaml:10:2: error: third\n"
				  "b.yaml:10:2: error: fourth\n"
				  "a.yaml:1:1: error: fifth\n");
	assert_int_equal(diags.errors, 4);
	assert_int_equal(diags.warnings, 1);
	diags_free(&diags);
}

static void test_places(void **state)
{
	struct diags diags = {0};
	struct diag one = {0};
	AUTO_FREE char *text = NULL;

	diags_error(&diags, NO_PLACE, "nowhere");
	diags_error(&diags, at("f", 0, 0), "whole file");
	diags_error(&diags, at("f", 3, 0), "whole line");
	diag_set(&one, EINVAL, at("f", 4, 5), "spot");
	diags_add(&diags, &one);
	assert_null(one.text);
	text = printed(&diags);
	assert_string_equal(text, "error: nowhere\nf: error: whole file\nf:3: error: whole line\nf:4:5: error: spot\n");
	diags_free(&diags);
}

static void test_hostile(void **state)
{
	struct diags diags = {0};
	AUTO_FREE char *text = NULL;

	diags_error(&diags, at("a\nb", 1, 1), "got '%s'", "\x1b]0;title\a\nfake.yaml:1:1: error: x\xff");
	text = printed(&diags);
	assert_string_equal(text, "a\\x0ab:1:1: error: got '\\x1b]0;title\\x07\\x0afake.yaml:1:1: error: x\\xff'\n");
	diags_free(&diags);
}

static void test_said_twice(void **state)
{
	struct diags diags = {0};
	AUTO_FREE char *text = NULL;

	for (int i = 0; i < 3; i++)
		diags_error(&diags, at("f", 1, 1), "the same");
	diags_warning(&diags, at("f", 1, 1), "the same");
	text = printed(&diags);
	assert_string_equal(text, "f:1:1: error: the same\nf:1:1: warning: the same\n");
	diags_free(&diags);
}

static void test_bounded(void **state)
{
	struct diags diags = {0};
	AUTO_FREE char *text = NULL;

	for (uint32_t i = 0; i < DIAGS_KEPT + 234; i++)
		diags_error(&diags, at("f", i + 1, 1), "x");
	assert_int_equal(diags.errors, DIAGS_KEPT + 234);
	assert_int_equal(diags.count, DIAGS_KEPT);
	text = printed(&diags);
	assert_non_null(strstr(text, "\nerror: 234 more problems are not shown\n"));
	diags_free(&diags);
}

static void expect_suggestion(const char *text, const char *expected)
{
	static const char *const names[] = {"state",	    "physical_state", "width",	  "speed", "lid",
					    "lmc",	    "sm_lid",	      "ib.ports", "ib.sm", "roce.bandwidth",
					    "ib.bandwidth", "fabric.links",   "HDR"};
	const char *got = suggest(text, names, sizeof(names) / sizeof(names[0]));

	if (expected)
		assert_string_equal(got, expected);
	else
		assert_null(got);
}

static void test_suggest(void **state)
{
	expect_suggestion("sate", "state");   /* a letter missing */
	expect_suggestion("statte", "state"); /* one too many */
	expect_suggestion("stote", "state");  /* another one */
	expect_suggestion("satte", "state");  /* two swapped */
	expect_suggestion("STATE", "state");  /* case */
	expect_suggestion("hdr", "HDR");
	expect_suggestion("physical-state", "physical_state"); /* the other dash */
	expect_suggestion("fysical_stat", "physical_state");   /* three edits in twelve letters */
	expect_suggestion("ib.port", "ib.ports");
	expect_suggestion("links", "fabric.links");	/* the last word, where one candidate has it */
	expect_suggestion("bandwidth", "ib.bandwidth"); /* three letters missing of nine; five would be too many */
	expect_suggestion("temperature", NULL);
	expect_suggestion("x", NULL);
	expect_suggestion("", NULL);
	expect_suggestion("lix", "lid"); /* the first of equally near ones would be lid, too */
	assert_null(suggest("anything", NULL, 0));
	assert_null(suggest("links", (const char *const[]){"fabric.links", "planned.links"}, 2)); /* which? */
}

static void test_suggest_long(void **state)
{
	char text[5000];
	const char *names[] = {text, NULL, "state"};

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_null(suggest(text, names, 1));
	assert_string_equal(suggest("stata", names, 3), "state");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diag_set), cmocka_unit_test(test_order),	      cmocka_unit_test(test_places),
		cmocka_unit_test(test_hostile),	 cmocka_unit_test(test_said_twice),   cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_suggest),	 cmocka_unit_test(test_suggest_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
