/* SPDX-License-Identifier: BSD-2-Clause */
/* Expected: table 3-7 of the Unicode Standard (well-formed byte sequences), and its examples of ill-formed ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/utf8.h"

static void expect_next(const char *bytes, size_t length, size_t step, uint32_t expected)
{
	uint32_t character = 0;

	assert_int_equal(utf8_next(bytes, length, &character), step);
	assert_int_equal(character, expected);
}

static void test_well_formed(void **state)
{
	expect_next("", 1, 1, 0);
	expect_next("A", 1, 1, 'A');
	expect_next("\x7f", 1, 1, 0x7f);
	expect_next("\xc2\x80", 2, 2, 0x80);
	expect_next("\xdf\xbf", 2, 2, 0x7ff);
	expect_next("\xe0\xa0\x80", 3, 3, 0x800);
	expect_next("\xed\x9f\xbf", 3, 3, 0xd7ff);
	expect_next("\xee\x80\x80", 3, 3, 0xe000);
	expect_next("\xef\xbf\xbf", 3, 3, 0xffff);
	expect_next("\xf0\x90\x80\x80", 4, 4, 0x10000);
	expect_next("\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff);
	expect_next("\xe2\x82\xac rest", 8, 3, 0x20ac);
}

static void test_ill_formed(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x9f\xbf",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xc2",
		"\xe2\x82",
		"\xf0\x90\x80",
		"\xc2\x41",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xfe",
		"\xff",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		expect_next(bad[i], strlen(bad[i]), 0, 0);
		assert_false(utf8_valid(bad[i], strlen(bad[i])));
	}
	expect_next("A", 0, 0, 0);
}

/* Every code point, encoded by the definition, comes back; surrogates do not. */
static void test_all_code_points(void **state)
{
	for (uint32_t c = 0; c <= 0x110000; c++) {
		char bytes[4];
		size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		uint32_t character = 0;
		bool good = (c < 0xd800 || c > 0xdfff) && c < 0x110000;

		if (length == 1)
			bytes[0] = (char)c;
		for (size_t i = 1; length > 1 && i < length; i++)
			bytes[i] = (char)(0x80 | (c >> 6 * (length - 1 - i) & 0x3f));
		if (length > 1)
			bytes[0] = (char)((0xf00 >> length & 0xff) | c >> 6 * (length - 1));
		assert_int_equal(utf8_next(bytes, length, &character), good ? length : 0);
		if (good)
			assert_int_equal(character, c);
	}
}

static void test_valid_in_any_place(void **state)
{
	char text[40];

	for (size_t at = 0; at < sizeof(text); at++) {
		memset(text, 'a', sizeof(text));
		assert_true(utf8_valid(text, sizeof(text)));
		text[at] = '\xff';
		assert_false(utf8_valid(text, sizeof(text)));
	}
	assert_true(utf8_valid("", 0));
	assert_true(utf8_valid("h\xc3\xbcgel \xe2\x82\xac \xf0\x9f\x98\x80", 15));
	assert_false(utf8_valid("12345678\xe2\x82", 10));
}

static void expect_printable(const char *text, size_t length, const char *expected)
{
	AUTO_BUF struct buf out = {0};

	utf8_printable(&out, text, length);
	assert_string_equal(out.data ? out.data : "", expected);
}

static void test_printable(void **state)
{
	expect_printable("", 0, "");
	expect_printable("plain \\ text \"<&>\"", 18, "plain \\ text \"<&>\"");
	expect_printable("h\xc3\xbcgel \xe2\x86\x92 \xf0\x9f\x98\x80", 15,
			 "h\xc3\xbcgel \xe2\x86\x92 \xf0\x9f\x98\x80");
	expect_printable("\x1b[31mred\x1b[0m", 12, "\\x1b[31mred\\x1b[0m");
	expect_printable("a\nb\r\tc\0d\x7f", 9, "a\\x0ab\\x0d\\x09c\\x00d\\x7f");
	expect_printable("\xc2\x9b"
			 "31m",
			 5, "\\xc2\\x9b31m"); /* CSI as C1 */
	expect_printable("\xe2\x80\xae"
			 "cba",
			 6, "\\xe2\\x80\\xaecba"); /* right-to-left override */
	expect_printable("\xe2\x81\xa6x\xe2\x81\xa9", 7, "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9"); /* isolates */
	expect_printable("\xe2\x80\xa8", 3, "\\xe2\\x80\\xa8");				     /* line separator */
	expect_printable("\xef\xbb\xbf", 3, "\\xef\\xbb\\xbf");				     /* BOM */
	expect_printable("\xef\xbf\xbe", 3, "\\xef\\xbf\\xbe");				     /* U+FFFE */
	expect_printable("\xf0\x9f\xbf\xbf", 4, "\\xf0\\x9f\\xbf\\xbf");		     /* U+1FFFF */
	expect_printable("\xef\xb7\x90", 3, "\\xef\\xb7\\x90");				     /* U+FDD0 */
	expect_printable("\xf3\xa0\x81\x81", 4, "\\xf3\\xa0\\x81\\x81");		     /* tag letter a */
	expect_printable("\xef\xbf\xbd", 3, "\xef\xbf\xbd");				     /* U+FFFD itself is fine */
	expect_printable("caf\xe9 \xc3", 6, "caf\\xe9 \\xc3");
}

static void expect_round(const char *bytes, size_t length, const char *escaped)
{
	AUTO_BUF struct buf out = {0}, back = {0};

	utf8_escape(&out, bytes, length);
	assert_string_equal(out.data ? out.data : "", escaped);
	assert_true(utf8_valid(out.data, out.length));
	assert_true(utf8_unescape(&back, out.data, out.length));
	assert_int_equal(back.length, length);
	if (length)
		assert_memory_equal(back.data, bytes, length);
}

static void test_escape_and_back(void **state)
{
	char all[256];
	AUTO_BUF struct buf out = {0}, back = {0};

	expect_round("", 0, "");
	expect_round("a\\b", 3, "a\\\\b");
	expect_round("caf\xe9", 4, "caf\\xe9");
	expect_round("a\0b", 3, "a\\x00b");
	expect_round("\xe2\x82\xac\x1b\n", 5, "\xe2\x82\xac\x1b\n");
	expect_round("\\xff", 4, "\\\\xff");
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	utf8_escape(&out, all, sizeof(all));
	assert_true(utf8_unescape(&back, out.data, out.length));
	assert_int_equal(back.length, sizeof(all));
	assert_memory_equal(back.data, all, sizeof(all));
}

static void test_unescape_refuses(void **state)
{
	static const char *const bad[] = {"\\", "a\\", "\\x", "\\x1", "\\xg0", "\\n", "\\X41", "\xff", "\\x4\xc3\xbc"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		AUTO_BUF struct buf out = {0};

		assert_false(utf8_unescape(&out, bad[i], strlen(bad[i])));
	}
	{
		AUTO_BUF struct buf out = {0};

		assert_false(utf8_unescape(&out, "a\0b", 3));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_well_formed),	 cmocka_unit_test(test_ill_formed),
		cmocka_unit_test(test_all_code_points),	 cmocka_unit_test(test_valid_in_any_place),
		cmocka_unit_test(test_printable),	 cmocka_unit_test(test_escape_and_back),
		cmocka_unit_test(test_unescape_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
