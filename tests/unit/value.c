/* SPDX-License-Identifier: BSD-2-Clause */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/value.h"

static const char *const speeds[] = {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR", NULL};

static const struct value_type TEXT = {.type = RS_TEXT};
static const struct value_type INTEGER = {.type = RS_INTEGER};
static const struct value_type UNSIGNED = {.type = RS_UNSIGNED};
static const struct value_type NUMBER = {.type = RS_NUMBER};
static const struct value_type BOOLEAN = {.type = RS_BOOLEAN};
static const struct value_type SPEED = {.type = RS_ENUM, .flags = RS_F_ORDERED, .choices = speeds};
static const struct value_type GUID = {.type = RS_GUID};
static const struct value_type GID = {.type = RS_GID};
static const struct value_type IP = {.type = RS_IP};
static const struct value_type RATE = {.type = RS_QUANTITY, .unit = "Gb/s"};
static const struct value_type LATENCY = {.type = RS_QUANTITY, .unit = "us"};
static const struct value_type SHARE = {.type = RS_QUANTITY, .unit = "%"};
static const struct value_type MOMENT = {.type = RS_TIME};

static struct arena arena;

static struct value good(struct value_type type, const char *text)
{
	struct value value = {0};
	char *why = NULL;

	if (value_parse(type, text, strlen(text), &arena, &value, &why))
		fail_msg("'%s' was refused: %s", text, why);
	assert_null(why);
	assert_int_equal(value.state, VALUE_SET);
	return value;
}

static void written(struct value_type type, const char *text, const char *expected)
{
	struct value value = good(type, text);
	AUTO_BUF struct buf out = {0};

	value_write(&out, type, &value);
	assert_string_equal(out.data ? out.data : "", expected);
}

static void refused(struct value_type type, const char *text, const char *expected)
{
	struct value value = {.state = 77};
	AUTO_FREE char *why = NULL;

	if (!value_parse(type, text, strlen(text), &arena, &value, &why))
		fail_msg("'%s' was taken", text);
	assert_int_equal(value.state, 77);
	assert_string_equal(why, expected);
}

static void test_text(void **state)
{
	written(TEXT, "", "");
	written(TEXT, " 0x10 ", " 0x10 ");
	written(TEXT, "none", "none");
}

static void test_integer(void **state)
{
	struct value_type hex = {.type = RS_INTEGER, .flags = RS_F_HEX};

	assert_int_equal(good(INTEGER, "0").integer, 0);
	assert_int_equal(good(INTEGER, "-0").integer, 0);
	assert_int_equal(good(INTEGER, "010").integer, 10); /* not octal */
	assert_int_equal(good(INTEGER, "0x1F").integer, 31);
	assert_int_equal(good(INTEGER, "-0x10").integer, -16);
	assert_int_equal(good(INTEGER, "9223372036854775807").integer, INT64_MAX);
	assert_true(good(INTEGER, "-9223372036854775808").integer == INT64_MIN);
	written(INTEGER, "-9223372036854775808", "-9223372036854775808");
	written(hex, "65535", "0xffff");
	written(hex, "-16", "-0x10");
	refused(INTEGER, "", "'' is not an integer");
	refused(INTEGER, "-", "'-' is not an integer");
	refused(INTEGER, "0x", "'0x' is not an integer");
	refused(INTEGER, "1:30", "'1:30' is not an integer");
	refused(INTEGER, "1_000", "'1_000' is not an integer");
	refused(INTEGER, "1.0", "'1.0' is not an integer");
	refused(INTEGER, " 1", "' 1' is not an integer");
	refused(INTEGER, "1 ", "'1 ' is not an integer");
	refused(INTEGER, "0xg", "'0xg' is not an integer");
	refused(INTEGER, "9223372036854775808", "'9223372036854775808' is too large: at most 9223372036854775807");
	refused(INTEGER, "-9223372036854775809", "'-9223372036854775809' is too small: at least -9223372036854775808");
	/* 2^64 * 10: wraps twice on its way */
	refused(INTEGER, "184467440737095516160", "'184467440737095516160' is too large: at most 9223372036854775807");
}

static void test_unsigned(void **state)
{
	struct value_type hex = {.type = RS_UNSIGNED, .flags = RS_F_HEX};

	assert_true(good(UNSIGNED, "18446744073709551615").number == UINT64_MAX);
	assert_true(good(UNSIGNED, "0xffffffffffffffff").number == UINT64_MAX);
	written(UNSIGNED, "0xffffffffffffffff", "18446744073709551615");
	written(hex, "18446744073709551615", "0xffffffffffffffff");
	refused(UNSIGNED, "18446744073709551616", "'18446744073709551616' is too large: at most 18446744073709551615");
	refused(UNSIGNED, "0x10000000000000000", "'0x10000000000000000' is too large: at most 18446744073709551615");
	refused(UNSIGNED, "-1", "'-1' is negative: at least 0");
	refused(UNSIGNED, "one", "'one' is not an integer");
}

static void test_number(void **state)
{
	struct value half = good(NUMBER, "0.5"), exponent = good(NUMBER, "5e-1");
	bool ordered = false;

	written(NUMBER, "1.50", "1.50"); /* digits as written */
	assert_int_equal(value_compare(NUMBER, &half, &exponent, &ordered), 0);
	assert_true(ordered);
	refused(NUMBER, "nan", "'nan' is not a number");
	refused(NUMBER, "inf", "'inf' is not a number");
	refused(NUMBER, "0x10", "'0x10' is not a number");
	refused(NUMBER, "1,5", "'1,5' is not a number");
}

static void test_boolean(void **state)
{
	assert_int_equal(good(BOOLEAN, "true").integer, 1);
	assert_int_equal(good(BOOLEAN, "Yes").integer, 1);
	assert_int_equal(good(BOOLEAN, "ON").integer, 1);
	assert_int_equal(good(BOOLEAN, "false").integer, 0);
	assert_int_equal(good(BOOLEAN, "no").integer, 0);
	assert_int_equal(good(BOOLEAN, "Off").integer, 0);
	written(BOOLEAN, "yes", "true");
	refused(BOOLEAN, "y", "'y' is neither true (yes, on) nor false (no, off)");
	refused(BOOLEAN, "1", "'1' is neither true (yes, on) nor false (no, off)");
	refused(BOOLEAN, "", "'' is neither true (yes, on) nor false (no, off)");
}

static void test_enum(void **state)
{
	static const char *const sides[] = {"None", "none", NULL};
	struct value_type twice = {.type = RS_ENUM, .choices = sides};

	assert_int_equal(good(SPEED, "HDR").integer, 6);
	assert_int_equal(good(SPEED, "fdr10").integer, 3);
	assert_int_equal(good(twice, "none").integer, 1); /* the exact one first */
	assert_int_equal(good(twice, "NONE").integer, 0);
	written(SPEED, "ndr", "NDR");
	refused(SPEED, "fdrr",
		"'fdrr' is not one of SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR; did you mean 'FDR'?");
	refused(SPEED, "warp speed", "'warp speed' is not one of SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR");
}

static void test_guid(void **state)
{
	assert_true(good(GUID, "0x0002c9030045f121").number == 0x0002c9030045f121);
	assert_true(good(GUID, "0X0002C9030045F121").number == 0x0002c9030045f121);
	assert_true(good(GUID, "0002c9030045f121").number == 0x0002c9030045f121);
	assert_true(good(GUID, "2c9030045f121").number == 0x0002c9030045f121); /* as ibnetdiscover prints it */
	assert_true(good(GUID, "0002:c903:0045:f121").number == 0x0002c9030045f121);
	assert_true(good(GUID, "2:c903:45:f121").number == 0x0002c9030045f121);
	assert_true(good(GUID, "00:02:c9:03:00:45:f1:21").number == 0x0002c9030045f121);
	assert_true(good(GUID, "ffffffffffffffff").number == UINT64_MAX);
	assert_true(good(GUID, "10").number == 0x10);
	written(GUID, "2c9030045f121", "0x0002c9030045f121");
	for (const char *const *bad =
		     (const char *const[]){"", "0x", "0x0002c9030045f1210", "0002:c903:0045", "0x2:3:4:5",
					   "0002:c903:0045:f121:", ":c903:0045:f121", "2::4:5", "00002:c903:0045:f121",
					   "002:02:c9:03:00:45:f1:21", "mlx5", " 2c9", "2c9 ", "-1", NULL};
	     *bad; bad++) {
		AUTO_FREE char *expected =
			xasprintf("'%s' is not a GUID (64 bits in hex, such as 0x0002c9030045f121)", *bad);

		refused(GUID, *bad, expected);
	}
}

static void test_addresses(void **state)
{
	static const uint8_t link_local[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0x45, 0xf1, 0x21};
	static const uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [13] = 0, [14] = 0, [15] = 1};
	struct value four = good(IP, "10.0.0.1"), six = good(IP, "::ffff:10.0.0.1");
	bool ordered = true;

	assert_memory_equal(good(GID, "fe80::2:c903:45:f121").address, link_local, 16);
	assert_memory_equal(good(GID, "fe80:0000:0000:0000:0002:c903:0045:f121").address, link_local, 16);
	assert_memory_equal(good(GID, "::ffff:10.0.0.1").address, mapped, 16);
	written(GID, "FE80:0:0:0:2:C903:45:F121", "fe80::2:c903:45:f121");
	assert_int_equal(four.length, 4);
	assert_int_equal(six.length, 16);
	assert_int_not_equal(value_compare(IP, &four, &six, &ordered), 0); /* two families are two addresses */
	assert_false(ordered);
	written(IP, "010.0.0.1" + 1, "10.0.0.1");
	refused(IP, "10.0.0.256", "'10.0.0.256' is not an IP address");
	refused(IP, "10.0.0.0/8", "'10.0.0.0/8' is not an IP address");
	refused(IP, "10.1", "'10.1' is not an IP address");
	refused(GID, "10.0.0.1", "'10.0.0.1' is not a GID (128 bits, such as fe80::2:c903:45:f121)");
}

static void test_quantity(void **state)
{
	struct value a = good(RATE, "22.5 GB/s"), b = good(RATE, "180 Gbit/s"), zero = good(RATE, "0");
	bool ordered = false;

	assert_string_equal(a.text, "180"); /* 22.5 * 8 */
	assert_int_equal(value_compare(RATE, &a, &b, &ordered), 0);
	assert_true(ordered);
	assert_true(value_compare(RATE, &zero, &a, &ordered) < 0);
	assert_true(value_number(RATE, &a) == 180e9);
	written(RATE, "180Gbps", "180 Gb/s");
	written(LATENCY, "4200 ns", "4.2 us");
	written(LATENCY, "0.0000042 s", "4.2 us");
	written(SHARE, "95 %", "95 %");
	written(RATE, "0", "0 Gb/s");
	refused(RATE, "180",
		"'180': needs a unit (one of b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, "
		"GiB/s, TiB/s)");
	refused(LATENCY, "5 uss", "'5 uss': unknown unit (one of ns, us, ms, s, min, h, d); did you mean 'us'?");
	refused(LATENCY, "5 Gb/s", "'5 Gb/s': unit of another kind (one of ns, us, ms, s, min, h, d)");
	refused(LATENCY, "fast", "'fast': not a number (one of ns, us, ms, s, min, h, d)");
}

static void test_time(void **state)
{
	/* date -u -d 2026-05-31T12:00:00Z +%s */
	assert_int_equal(good(MOMENT, "2026-05-31T12:00:00Z").integer, 1780228800);
	assert_int_equal(good(MOMENT, "2026-05-31 12:00:00").integer, 1780228800);
	assert_int_equal(good(MOMENT, "2026-05-31").integer, 1780228800 - 12 * 3600);
	written(MOMENT, "2026-05-31", "2026-05-31T00:00:00Z");
	refused(MOMENT, "2026-02-30", "'2026-02-30' is not a time (UTC, such as 2026-05-31 or 2026-05-31T12:00:00Z)");
	refused(MOMENT, "2026-05-31Z", "'2026-05-31Z' is not a time (UTC, such as 2026-05-31 or 2026-05-31T12:00:00Z)");
	refused(MOMENT, "today", "'today' is not a time (UTC, such as 2026-05-31 or 2026-05-31T12:00:00Z)");
}

static void test_long_text_is_cut_between_characters(void **state)
{
	char text[200], expected[200];

	/* 59 bytes, then two-byte characters: the 60th byte is the first of one, so 59 are shown. */
	memset(text, 'x', 59);
	for (int i = 59; i < 199; i += 2)
		memcpy(text + i, "\303\244", 2);
	text[199] = 0;
	snprintf(expected, sizeof(expected), "'%.59s...' is not an integer", text);
	refused(INTEGER, text, expected);
}

static void test_nul_is_refused(void **state)
{
	struct value value;
	AUTO_FREE char *why = NULL;

	assert_int_equal(value_parse(INTEGER, "1\0002", 3, &arena, &value, &why), -EINVAL);
	assert_string_equal(why, "a NUL byte is in it");
	assert_int_equal(value_parse(TEXT, "a\0b", 3, &arena, &value, NULL), 0);
	assert_int_equal(value.length, 3);
	assert_memory_equal(value.text, "a\0b", 4);
}

static void shown(struct value_type type, struct value value, const char *expected)
{
	AUTO_BUF struct buf out = {0};

	value_write(&out, type, &value);
	assert_string_equal(out.data, expected);
}

static void test_write_states(void **state)
{
	struct value_type list = {.type = RS_ENUM, .flags = RS_F_LIST, .choices = speeds};
	struct value items[] = {{.state = VALUE_SET, .integer = 6}, {.state = VALUE_UNKNOWN, .text = "code 12"}};

	shown(SPEED, (struct value){.state = VALUE_NOT_OBSERVED}, "not observed");
	shown(SPEED, (struct value){.state = VALUE_NOT_OBSERVED, .text = "port is down"}, "not observed");
	shown(SPEED, (struct value){.state = VALUE_NONE}, "none");
	shown(SPEED, (struct value){.state = VALUE_UNKNOWN, .text = "code 12"}, "code 12");
	shown(SPEED, (struct value){.state = VALUE_UNKNOWN}, "unknown");
	shown(SPEED, (struct value){.state = VALUE_SET, .integer = 99}, "choice 99"); /* the plugin's mistake */
	shown(list, (struct value){.state = VALUE_SET, .length = 2, .items = items}, "[HDR, code 12]");
	shown(list, (struct value){.state = VALUE_SET}, "[]");
	shown(RATE, (struct value){.state = VALUE_SET, .text = "179.93", .length = 6}, "179.93 Gb/s");
}

static void test_compare(void **state)
{
	struct value hdr = good(SPEED, "HDR"), ndr = good(SPEED, "NDR");
	struct value_type plain = {.type = RS_ENUM, .choices = speeds};
	struct value a = good(TEXT, "ab"), b = good(TEXT, "abc");
	struct value large = good(UNSIGNED, "18446744073709551615"), less = good(UNSIGNED, "18446744073709551614");
	struct value nan = {.state = VALUE_SET, .text = "nan", .length = 3};
	bool ordered;

	assert_true(value_compare(SPEED, &hdr, &ndr, &ordered) < 0);
	assert_true(ordered);
	value_compare(plain, &hdr, &ndr, &ordered);
	assert_false(ordered);
	assert_true(value_compare(TEXT, &a, &b, &ordered) < 0);
	assert_false(ordered);
	/* One apart, and the same double. */
	assert_true(value_compare(UNSIGNED, &large, &less, &ordered) > 0);
	assert_int_not_equal(value_compare(RATE, &nan, &nan, &ordered), 0);
	assert_true(isnan(value_number(RATE, &nan)));
	assert_true(isnan(value_number(TEXT, &a)));
}

static int end(void **state)
{
	arena_free(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_integer),
		cmocka_unit_test(test_unsigned),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_boolean),
		cmocka_unit_test(test_enum),
		cmocka_unit_test(test_guid),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_quantity),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_long_text_is_cut_between_characters),
		cmocka_unit_test(test_nul_is_refused),
		cmocka_unit_test(test_write_states),
		cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
