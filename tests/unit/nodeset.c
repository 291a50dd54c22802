/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expected: what `scontrol show hostnames` (Slurm) and `nodeset -e` (ClusterShell) print for the same text, and for
 * folding what `nodeset -f` prints.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/nodeset.h"

static void expect(const char *text, const char *expected)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_BUF struct buf all = {0};
	AUTO_FREE char *why = NULL;

	if (nodeset_expand(text, &names, &why))
		fail_msg("'%s': %s", text, why);
	for (size_t i = 0; i < names.count; i++)
		buf_printf(&all, "%s%s", i ? " " : "", names.items[i]);
	assert_string_equal(all.data, expected);
}

static void refuse(const char *text, const char *expected)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_FREE char *why = NULL;

	strings_add(&names, "before");
	assert_int_not_equal(nodeset_expand(text, &names, &why), 0);
	assert_string_equal(why, expected);
	assert_int_equal(names.count, 1);
}

static void test_expand(void **state)
{
	expect("login", "login");
	expect("a,b,c", "a b c");
	expect("node-[01-03,7],login", "node-01 node-02 node-03 node-7 login");
	expect("node-[08-11]", "node-08 node-09 node-10 node-11");
	expect("n[8-11]", "n8 n9 n10 n11");
	expect("n[098-101]", "n098 n099 n100 n101");
}

static void test_expand_more(void **state)
{
	expect("n[01-100/33]", "n01 n34 n67 n100");
	expect("n[0-10/5]", "n0 n5 n10");
	expect("n[1-2]-ib[0-1]", "n1-ib0 n1-ib1 n2-ib0 n2-ib1");
	expect("[1-2]", "1 2");
	expect("rack[1-2]n[3,5].site", "rack1n3.site rack1n5.site rack2n3.site rack2n5.site");
	expect("mlx5_[0-3]", "mlx5_0 mlx5_1 mlx5_2 mlx5_3");
	expect(" a , b[1, 2] ", "a b1 b2");
	expect("b,a,b", "b a b");
	expect("n[3]", "n3");
	expect("n[0]", "n0");
	expect("n[00-01]", "n00 n01");
	expect("n[999999999999999998-999999999999999999]", "n999999999999999998 n999999999999999999");
}

static void test_refused(void **state)
{
	refuse("", "a name is empty");
	refuse("a,,b", "a name is empty");
	refuse("a,", "a name is empty");
	refuse("n[9-1]", "range [9-1] runs backwards");
	refuse("n[1-2", "'[' without ']' in 'n[1-2'");
	refuse("n1]", "']' without '[' in 'n1]'");
	refuse("n[]", "'' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[a-c]", "'a-c' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1-]", "'1-' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[-3]", "'-3' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1-3/0]", "'1-3/0' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1-3/]", "'1-3/' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1-016]", "'1-016' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1,]", "'' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[[1]]", "'[1' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("n[1234567890123456789]", "'1234567890123456789' is no range of numbers such as 7, 1-16 or 01-16");
	refuse("a b", "a blank in 'a b': names are separated by commas");
	refuse("@rack", "'@' in '@rack': only names, brackets and commas are understood");
	refuse("n[1-9]!n3", "'!' in '!n3': only names, brackets and commas are understood");
}

static void test_bounded(void **state)
{
	static const char too_many[] = "more than 1000000 names, or names longer than 1024 bytes";
	AUTO_STRINGS struct strings names = {0};
	AUTO_BUF struct buf text = {0};
	AUTO_FREE char *why = NULL;

	refuse("n[1-1000001]", too_many);
	refuse("n[0-999999999999999999]", too_many);
	refuse("n[1-1000]x[1-1001]", too_many);
	refuse("n[1-600000],m[1-600000]", too_many);
	refuse("n[1-1000000]x[1-1000000]y[1-1000000]z[1-1000000]", too_many);
	for (int i = 0; i < 17; i++)
		buf_puts(&text, "[1]");
	refuse(text.data, "more than 16 brackets in one name");
	buf_clear(&text);
	for (int i = 0; i < 1025; i++)
		buf_putc(&text, 'x');
	refuse(text.data, too_many);
	assert_int_equal(nodeset_expand("n[1-1000000]", &names, &why), 0);
	assert_int_equal(names.count, 1000000);
	assert_string_equal(names.items[999999], "n1000000");
}

static void expect_folded(const char *expected, const char *names)
{
	AUTO_STRINGS struct strings list = {0};
	AUTO_FREE char *copy = xstrdup(names);
	AUTO_BUF struct buf out = {0};
	char *save = NULL;

	for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save))
		strings_add(&list, name);
	nodeset_fold(&out, (const char *const *)list.items, list.count);
	assert_string_equal(out.data ? out.data : "", expected);
}

static void test_fold(void **state)
{
	expect_folded("", "");
	expect_folded("login", "login");
	expect_folded("node-01", "node-01");
	expect_folded("node-[01-03]", "node-03 node-01 node-02");
	expect_folded("node-[01-02,07],login", "node-01 login node-02 node-07");
	expect_folded("n[8-11]", "n8 n9 n10 n11");
	expect_folded("n[08-11]", "n08 n09 n10 n11");
	expect_folded("n[01-02]", "n01 n02 n01");
	expect_folded("n[1-2]-ib[0-1]", "n1-ib0 n1-ib1 n2-ib0 n2-ib1");
	expect_folded("n1-ib[0-1],n2-ib0", "n1-ib0 n1-ib1 n2-ib0");
	expect_folded("r[1-2]n[3-4].site", "r2n4.site r2n3.site r1n4.site r1n3.site");
	expect_folded("a,b,c", "a b c");
	expect_folded("n12345678901234567890,n12345678901234567891", "n12345678901234567890 n12345678901234567891");
}

/* Expanding what was folded gives the same names. */
static void test_fold_and_back(void **state)
{
	static const char *const sets[] = {"node-[01-16]",	    "n[1-3,5-9,12]", "r[1-3]n[01-40]-ib[0-1]",
					   "n[08-12],m[098-102],x", "n[1-9,01-09]",  "a[0-3]b[0-3]c[0-3]d[0-3]"};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		AUTO_STRINGS struct strings names = {0}, again = {0};
		AUTO_BUF struct buf folded = {0};
		AUTO_FREE char *why = NULL;

		assert_int_equal(nodeset_expand(sets[i], &names, &why), 0);
		nodeset_fold(&folded, (const char *const *)names.items, names.count);
		assert_int_equal(nodeset_expand(folded.data, &again, &why), 0);
		assert_int_equal(again.count, names.count);
		for (size_t j = 0; j < names.count; j++)
			assert_true(strings_have(&again, names.items[j]));
	}
}

static void test_fold_many(void **state)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_BUF struct buf folded = {0};
	AUTO_FREE char *why = NULL;

	assert_int_equal(nodeset_expand("r[001-100]n[01-99]", &names, &why), 0);
	nodeset_fold(&folded, (const char *const *)names.items, names.count);
	assert_string_equal(folded.data, "r[001-100]n[01-99]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expand),	  cmocka_unit_test(test_expand_more),
		cmocka_unit_test(test_refused),	  cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_fold),	  cmocka_unit_test(test_fold_and_back),
		cmocka_unit_test(test_fold_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
