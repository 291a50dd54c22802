/* SPDX-License-Identifier: BSD-2-Clause */
/* Every matcher against every kind of cell, as a truth table. */
#include "judge_lab.h"

#include "judge/glob.h"
#include "judge/pattern.h"

static const struct rs_fact *fact_named(const char *name)
{
	int column = probe_fact(&lab_probe, name);

	assert_true(column >= 0);
	return &lab_facts[column];
}

static const struct matcher *compiled(struct lab *lab, const char *fact, const char *yaml)
{
	AUTO_FREE char *map = xasprintf("m: %s\n", yaml);
	const struct matcher *matcher = matcher_compile(&lab->text, &lab->arena, fact_named(fact),
							node_get(lab_parse(lab, map), "m"), &lab->diags);

	if (!matcher)
		fail_msg("%s: %s: %s", fact, yaml, lab->diags.items[0].text);
	return matcher;
}

struct cell_case {
	const char *cell;
	char expected; /* y, n, or u where it cannot be judged */
};

static void check(const char *fact, const char *yaml, const struct match_context *context,
		  const struct cell_case *cases, size_t count)
{
	AUTO_LAB struct lab lab = {0};
	const struct matcher *matcher = compiled(&lab, fact, yaml);

	for (size_t i = 0; i < count; i++) {
		struct value cell = lab_cell(fact_named(fact), cases[i].cell, &lab.arena);
		char got = "nyu"[matcher_match(matcher, &cell, context)];

		if (got != cases[i].expected)
			fail_msg("%s: %s against %s: %c, expected %c", fact, yaml, cases[i].cell, got,
				 cases[i].expected);
	}
}

#define CHECK(fact, yaml, ...)                                                                                         \
	check(fact, yaml, NULL, (const struct cell_case[]){__VA_ARGS__},                                               \
	      sizeof((const struct cell_case[]){__VA_ARGS__}) / sizeof(struct cell_case))

static void test_enum(void **state)
{
	CHECK("speed", "HDR", {"HDR", 'y'}, {"NDR", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!code 9", 'u'}, {"#8", 'u'},
	      {"#-1", 'u'});
	CHECK("speed", "hdr", {"HDR", 'y'}, {"NDR", 'n'});
	CHECK("speed", "[HDR, NDR]", {"HDR", 'y'}, {"NDR", 'y'}, {"EDR", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'},
	      {"#64", 'u'});
	CHECK("speed", "{is: HDR}", {"HDR", 'y'}, {"NDR", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("speed", "{min: EDR}", {"FDR", 'n'}, {"EDR", 'y'}, {"NDR", 'y'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("speed", "{max: EDR}", {"FDR", 'y'}, {"EDR", 'y'}, {"NDR", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("speed", "{min: FDR, max: HDR}", {"FDR10", 'n'}, {"FDR", 'y'}, {"HDR", 'y'}, {"NDR", 'n'});
	CHECK("speed", "{min: SDR}", {"SDR", 'y'}, {"NDR", 'y'}, {"#8", 'u'});
	CHECK("speed", "{not: HDR}", {"HDR", 'n'}, {"NDR", 'y'}, {"none", 'y'}, {"?", 'u'}, {"!x", 'u'}, {"#8", 'u'});
	CHECK("speed", "{not: [HDR, NDR]}", {"HDR", 'n'}, {"NDR", 'n'}, {"EDR", 'y'}, {"?", 'u'});
	CHECK("speed", "{not: {not: HDR}}", {"HDR", 'y'}, {"NDR", 'n'}, {"?", 'u'});
	CHECK("state", "Active", {"Active", 'y'}, {"Down", 'n'});
	/* A choice that is called none, and none itself. */
	CHECK("mode", "none", {"none", 'y'}, {"on", 'n'}, {"#0", 'y'}, {"?", 'u'});
	CHECK("mode", "{is: none}", {"none", 'n'}, {"#0", 'y'}, {"#1", 'n'});
}

static void test_none(void **state)
{
	CHECK("gateway", "none", {"none", 'y'}, {"10.0.0.1", 'n'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("gateway", "{not: none}", {"none", 'n'}, {"10.0.0.1", 'y'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("gateway", "[none, 10.0.0.1]", {"none", 'y'}, {"10.0.0.1", 'y'}, {"10.0.0.2", 'n'}, {"?", 'u'});
	CHECK("description", "none", {"none", 'y'}, {"=none", 'n'}, {"=", 'n'});
	CHECK("description", "{is: none}", {"none", 'n'}, {"=none", 'y'});
	CHECK("description", "'none'", {"none", 'y'}, {"=none", 'n'});
	CHECK("lid", "none", {"none", 'y'}, {"0", 'n'});
	CHECK("lid", "{not: 5}", {"none", 'y'}, {"5", 'n'}, {"6", 'y'});
}

/* Kleene's strong three-valued logic, with exists to tell what was not observed from what was. */
static void test_exists(void **state)
{
	CHECK("speed", "{exists: true}", {"HDR", 'y'}, {"none", 'y'}, {"!x", 'y'}, {"?", 'n'});
	CHECK("speed", "{exists: no}", {"HDR", 'n'}, {"none", 'n'}, {"!x", 'n'}, {"?", 'y'});
	CHECK("speed", "[HDR, {exists: false}]", {"HDR", 'y'}, {"NDR", 'n'}, {"none", 'n'}, {"?", 'y'}, {"!x", 'u'});
	CHECK("speed", "[{exists: false}, HDR]", {"HDR", 'y'}, {"NDR", 'n'}, {"none", 'n'}, {"?", 'y'}, {"!x", 'u'});
	CHECK("speed", "[HDR, {exists: true}]", {"HDR", 'y'}, {"NDR", 'y'}, {"?", 'u'}, {"!x", 'y'});
	CHECK("speed", "{exists: true, min: HDR}", {"HDR", 'y'}, {"EDR", 'n'}, {"?", 'n'}, {"!x", 'u'});
	CHECK("speed", "{not: {exists: true}}", {"HDR", 'n'}, {"?", 'y'});
	CHECK("speed", "{not: [HDR, {exists: false}]}", {"HDR", 'n'}, {"NDR", 'y'}, {"?", 'n'}, {"!x", 'u'});
	CHECK("addresses", "{exists: true}", {"[10.0.0.1]", 'y'}, {"none", 'y'}, {"[]", 'y'}, {"?", 'n'});
}

static void test_integers(void **state)
{
	CHECK("lid", "5", {"5", 'y'}, {"6", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'});
	CHECK("lid", "0x10", {"16", 'y'}, {"10", 'n'});
	CHECK("lid", "{min: -3, max: 3}", {"-4", 'n'}, {"-3", 'y'}, {"3", 'y'}, {"4", 'n'}, {"none", 'n'});
	CHECK("lid", "{min: 9223372036854775807}", {"9223372036854775806", 'n'}, {"9223372036854775807", 'y'});
	CHECK("lid", "{max: -9223372036854775808}", {"-9223372036854775808", 'y'}, {"-9223372036854775807", 'n'});
	/* Neighbours that are the same double. */
	CHECK("errors", "{max: 18446744073709551614}", {"18446744073709551614", 'y'}, {"18446744073709551615", 'n'});
	CHECK("errors", "9007199254740993", {"9007199254740993", 'y'}, {"9007199254740992", 'n'});
	CHECK("errors", "{max: 0}", {"0", 'y'}, {"1", 'n'}, {"none", 'n'}, {"?no PMA", 'u'});
	CHECK("enabled", "yes", {"true", 'y'}, {"false", 'n'}, {"none", 'n'}, {"?", 'u'});
	CHECK("enabled", "{not: on}", {"true", 'n'}, {"false", 'y'});
	CHECK("since", "{min: 2026-05-31}", {"2026-05-31", 'y'}, {"2026-05-30T23:59:59Z", 'n'});
}

static void test_quantities(void **state)
{
	CHECK("bandwidth", "{min: 180 Gb/s}", {"180 Gb/s", 'y'}, {"=179.99", 'n'}, {"=180.0", 'y'}, {"=1.8e2", 'y'});
	CHECK("bandwidth", "{min: 22.5 GB/s}", {"=180", 'y'}, {"=179.999999999", 'n'});
	CHECK("latency", "4200 ns", {"=4.2", 'y'}, {"=4.20", 'y'}, {"=4.21", 'n'});
	CHECK("latency", "{max: 4.2 us}", {"=4.2", 'y'}, {"=4.200000000000001", 'n'}, {"none", 'n'}, {"?", 'u'});
	/* No number satisfies or violates anything. */
	CHECK("latency", "{max: 4.2 us}", {"=nan", 'u'}, {"=-nan", 'u'}, {"=inf", 'u'}, {"=-inf", 'u'}, {"=", 'u'},
	      {"=4.2 us", 'u'}, {"=1e999", 'u'});
	CHECK("latency", "{min: 0}", {"=nan", 'u'}, {"=inf", 'u'}, {"=0", 'y'}, {"=-0", 'y'});
	CHECK("latency", "{not: 5 us}", {"=nan", 'u'}, {"=5", 'n'}, {"=6", 'y'});
	CHECK("power", "1.5", {"=1.50", 'y'}, {"=15e-1", 'y'}, {"=1.51", 'n'});
}

static void test_addresses(void **state)
{
	CHECK("guid", "0002:c903:0045:f121", {"0x2c9030045f121", 'y'}, {"0x2c9030045f122", 'n'}, {"none", 'n'},
	      {"?", 'u'});
	CHECK("gid", "'fe80:0:0:0:2:c903:45:f121'", {"fe80::2:c903:45:f121", 'y'}, {"fe80::2:c903:45:f122", 'n'},
	      {"none", 'n'});
	CHECK("gateway", "10.0.0.1", {"10.0.0.1", 'y'}, {"::ffff:10.0.0.1", 'n'}, {"10.0.0.2", 'n'});
	CHECK("gateway", "{not: 10.0.0.1}", {"10.0.0.1", 'n'}, {"none", 'y'});
}

static void test_text(void **state)
{
	CHECK("description", "leaf-3", {"=leaf-3", 'y'}, {"=leaf-30", 'n'}, {"=Leaf-3", 'n'}, {"none", 'n'},
	      {"?", 'u'});
	CHECK("description", "leaf-*", {"=leaf-3", 'y'}, {"=leaf-", 'y'}, {"=leaf", 'n'}, {"none", 'n'}, {"?", 'u'});
	CHECK("description", "'*'", {"=", 'y'}, {"=x", 'y'}, {"none", 'n'}, {"?", 'u'});
	CHECK("description", "''", {"=", 'y'}, {"=x", 'n'}, {"none", 'n'});
	CHECK("description", "{is: 'leaf-*'}", {"=leaf-*", 'y'}, {"=leaf-3", 'n'});
	CHECK("description", "{is: 'sw[1]'}", {"=sw[1]", 'y'}, {"=sw1", 'n'});
	CHECK("description", "'sw[1]'", {"=sw[1]", 'n'}, {"=sw1", 'y'});
	CHECK("description", "{matches: '^leaf-[0-9]+$'}", {"=leaf-30", 'y'}, {"=leaf-", 'n'}, {"=a leaf-3", 'n'},
	      {"none", 'n'}, {"?", 'u'});
	CHECK("description", "{matches: eaf, not: 'leaf-3'}", {"=leaf-3", 'n'}, {"=leaf-4", 'y'}, {"none", 'n'});
	CHECK("description", "[spine-*, {matches: '^leaf'}]", {"=spine-1", 'y'}, {"=leafy", 'y'}, {"=core", 'n'});
}

static void test_text_with_nul(void **state)
{
	AUTO_LAB struct lab lab = {0};
	struct value cell = {.state = VALUE_SET, .length = 3, .text = "a\0b"};

	assert_int_equal(matcher_match(compiled(&lab, "description", "a"), &cell, NULL), MATCH_NO);
	assert_int_equal(matcher_match(compiled(&lab, "description", "a?b"), &cell, NULL), MATCH_YES);
	assert_int_equal(matcher_match(compiled(&lab, "description", "{matches: 'b$'}"), &cell, NULL), MATCH_YES);
	assert_int_equal(matcher_match(compiled(&lab, "description", "{matches: 'a$'}"), &cell, NULL), MATCH_NO);
}

static void test_lists(void **state)
{
	CHECK("addresses", "10.0.0.1", {"[10.0.0.1 10.0.0.2]", 'y'}, {"[10.0.0.2 10.0.0.1]", 'y'}, {"[10.0.0.2]", 'n'},
	      {"[]", 'n'}, {"none", 'n'}, {"?", 'u'}, {"!x", 'u'}, {"[10.0.0.2 !x]", 'u'}, {"[!x 10.0.0.1]", 'y'});
	CHECK("addresses", "none", {"none", 'y'}, {"[]", 'y'}, {"[10.0.0.1]", 'n'}, {"?", 'u'});
	CHECK("addresses", "{not: 10.0.0.1}", {"[10.0.0.1 10.0.0.2]", 'n'}, {"[10.0.0.2]", 'y'}, {"[]", 'y'},
	      {"?", 'u'}, {"[10.0.0.2 !x]", 'u'}, {"[10.0.0.1 !x]", 'n'});
	CHECK("mtus", "{all: {min: 4096}}", {"[4096 8192]", 'y'}, {"[4096 2048]", 'n'}, {"[]", 'n'}, {"none", 'n'},
	      {"?", 'u'}, {"[4096 !x]", 'u'}, {"[2048 !x]", 'n'});
	CHECK("mtus", "{all: [2048, 4096]}", {"[4096 2048]", 'y'}, {"[4096 1024]", 'n'});
	CHECK("mtus", "[none, {all: 4096}]", {"[]", 'y'}, {"[4096]", 'y'}, {"[2048]", 'n'});
	/* One element has to lie between both. */
	CHECK("mtus", "{min: 2000, max: 3000}", {"[1024 4096]", 'n'}, {"[1024 2048 4096]", 'y'});
	CHECK("mtus", "{min: 2000, not: 4096}", {"[2048]", 'y'}, {"[2048 4096]", 'n'});
	CHECK("mtus", "{all: {min: 1000}, max: 2000}", {"[1024 4096]", 'y'}, {"[512 1024]", 'n'}, {"[4096]", 'n'});
	CHECK("mtus", "{is: 1024}", {"[1024 2048]", 'y'}, {"[2048]", 'n'});
}

static void test_within(void **state)
{
	/* 5 % of 200 are 10: from 190 on; more bandwidth is better. */
	CHECK("bandwidth", "{within: 5 %, of: 200 Gb/s}", {"=190", 'y'}, {"=189.999", 'n'}, {"=300", 'y'},
	      {"none", 'n'}, {"?", 'u'}, {"=nan", 'u'}, {"!x", 'u'});
	CHECK("bandwidth", "{within: 10 Gb/s, of: 25 GB/s}", {"=190", 'y'}, {"=189.999", 'n'}, {"=1000", 'y'});
	/* 4.2 us + 5 % = 4.41 us, none of which is a double; less latency is better. */
	CHECK("latency", "{within: 5 %, of: 4.2 us}", {"=4.41", 'y'}, {"=4.4100000001", 'n'}, {"=0.1", 'y'});
	CHECK("latency", "{within: 0.3 us, of: 0.6 us}", {"=0.9", 'y'}, {"=0.90000001", 'n'});
	CHECK("errors", "{within: 2, of: 10}", {"12", 'y'}, {"13", 'n'}, {"0", 'y'});
	/* Neither side is better. */
	CHECK("power", "{within: 10 %, of: 50}", {"=45", 'y'}, {"=55", 'y'}, {"=44.9", 'n'}, {"=55.1", 'n'});
	CHECK("power", "{within: 10 %, of: -50}", {"=-45", 'y'}, {"=-55", 'y'}, {"=-44.9", 'n'}, {"=-55.1", 'n'});
	CHECK("lid", "{within: 0, of: 7}", {"7", 'y'}, {"8", 'n'});
	CHECK("since", "{within: 1 min, of: '2026-05-31'}", {"2026-05-31T00:01:00Z", 'y'},
	      {"2026-05-31T00:01:01Z", 'n'}, {"2026-05-30T23:59:00Z", 'y'});
	CHECK("mtus", "{within: 24, of: 1000}", {"[4096 1024]", 'y'}, {"[4096]", 'n'});
}

static void test_median(void **state)
{
	struct match_context context = {.median = 200e9, .has_median = true};
	const struct cell_case cases[] = {{"=190", 'y'}, {"=189", 'n'}, {"=250", 'y'},
					  {"none", 'n'}, {"?", 'u'},	{"=nan", 'u'}};
	const struct cell_case without[] = {{"=190", 'u'}, {"none", 'n'}, {"?", 'u'}};
	const struct cell_case passing[] = {{"=190", 'y'}, {"none", 'n'}, {"?", 'u'}, {"=nan", 'u'}};
	struct match_context none = {0};

	check("bandwidth", "{within: 5 %, of: median}", &context, cases, 6);
	check("bandwidth", "{within: 10 Gb/s, of: median}", &context, cases, 6);
	check("bandwidth", "{within: 5 %, of: median}", NULL, without, 3);
	check("bandwidth", "{within: 5 %, of: median, missing: error}", &none, without, 3);
	check("bandwidth", "{within: 5 %, of: median, missing: pass}", &none, passing, 4);
}

static void test_needs_median(void **state)
{
	AUTO_LAB struct lab lab = {0};

	assert_false(matcher_needs_median(compiled(&lab, "bandwidth", "{within: 5 %, of: 1 Gb/s}")));
	assert_true(matcher_needs_median(compiled(&lab, "bandwidth", "{within: 5 %, of: median}")));
	assert_true(
		matcher_needs_median(compiled(&lab, "bandwidth", "[none, {not: {min: 0, within: 5 %, of: median}}]")));
}

static void test_count(void **state)
{
	static const struct {
		const char *yaml;
		uint64_t rows;
		enum match expected;
	} cases[] = {
		{"0", 0, MATCH_YES},
		{"0", 1, MATCH_NO},
		{"128", 128, MATCH_YES},
		{"{min: 128}", 127, MATCH_NO},
		{"{min: 2, max: 3}", 3, MATCH_YES},
		{"{min: 2, max: 3}", 4, MATCH_NO},
		{"{not: 0}", 0, MATCH_NO},
		{"[2, 4]", 4, MATCH_YES},
		{"[2, 4]", 3, MATCH_NO},
		{"{within: 10 %, of: 100}", 110, MATCH_YES},
		{"{within: 10 %, of: 100}", 111, MATCH_NO},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_LAB struct lab lab = {0};
		AUTO_FREE char *map = xasprintf("m: %s\n", cases[i].yaml);
		struct value rows = {.state = VALUE_SET, .number = cases[i].rows};
		const struct matcher *matcher =
			matcher_compile_count(&lab.text, &lab.arena, node_get(lab_parse(&lab, map), "m"), &lab.diags);

		assert_non_null(matcher);
		assert_int_equal(matcher_match(matcher, &rows, NULL), cases[i].expected);
	}
}

static void test_write(void **state)
{
	static const struct {
		const char *fact, *yaml, *expected;
	} cases[] = {
		{"speed", "hdr", "HDR"},
		{"speed", "[HDR, NDR]", "HDR or NDR"},
		{"speed", "[NDR, EDR, HDR]", "NDR, EDR or HDR"},
		{"speed", "{min: HDR}", "at least HDR"},
		{"speed", "{min: EDR, max: HDR}", "at least EDR and at most HDR"},
		{"speed", "[none, {min: EDR, max: HDR}]", "none or (at least EDR and at most HDR)"},
		{"speed", "{not: HDR}", "not HDR"},
		{"speed", "{not: [HDR, NDR]}", "neither HDR nor NDR"},
		{"speed", "{not: [SDR, DDR, QDR]}", "neither SDR, DDR nor QDR"},
		{"speed", "{not: {min: EDR, max: HDR}}", "not (at least EDR and at most HDR)"},
		{"speed", "{not: {exists: true}}", "not observed"},
		{"speed", "[HDR, {exists: false}]", "HDR or not observed"},
		{"speed", "{exists: true, not: SDR}", "observed and not SDR"},
		{"bandwidth", "{min: 22.5 GB/s}", "at least 180 Gb/s"},
		{"bandwidth", "{within: 5 %, of: 180 Gb/s}", "within 5 % of 180 Gb/s or higher"},
		{"latency", "{within: 0.5 us, of: 4 us}", "within 0.5 us of 4 us or lower"},
		{"power", "{within: 5 %, of: median}", "within 5 % of the median"},
		{"description", "leaf-*", "leaf-*"},
		{"description", "'the leaf'", "'the leaf'"},
		{"description", "''", "''"},
		{"description", "{is: none}", "'none'"},
		{"description", "none", "none"},
		{"description", "{matches: '^leaf'}", "a match of '^leaf'"},
		{"addresses", "10.0.0.1", "10.0.0.1"},
		{"addresses", "{not: [10.0.0.1, 10.0.0.2]}", "neither 10.0.0.1 nor 10.0.0.2"},
		{"mtus", "{all: {min: 4096}}", "in every element at least 4096"},
		{"mtus", "{all: [2048, 4096]}", "in every element (2048 or 4096)"},
		{"lid", "[1,2,3,4,5,6,7,8,9,10,11,12]", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 12"},
		{"lid", "[1,2,3,4,5,6,7,8,9,10,11,12,13]", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 2 others"},
		{"guid", "2c9030045f121", "0x0002c9030045f121"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_LAB struct lab lab = {0};
		AUTO_BUF struct buf out = {0};

		matcher_write(&out, compiled(&lab, cases[i].fact, cases[i].yaml), NULL);
		assert_string_equal(out.data, cases[i].expected);
	}
}

static void test_write_median(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf out = {0};
	struct match_context context = {.median = 181.5e9, .has_median = true};

	matcher_write(&out, compiled(&lab, "bandwidth", "{within: 5 %, of: median}"), &context);
	assert_string_equal(out.data, "within 5 % of the median 181.5 Gb/s or higher");

	/* Beyond what an integer holds. */
	buf_clear(&out);
	context.median = 1e27;
	matcher_write(&out, compiled(&lab, "power", "{within: 5 %, of: median}"), &context);
	assert_string_equal(out.data, "within 5 % of the median 1e+27");
	buf_clear(&out);
	context.median = 0x1p63; /* 9223372036854775808: sixteen digits read back as it */
	matcher_write(&out, compiled(&lab, "since", "{within: 5 s, of: median}"), &context);
	assert_string_equal(out.data, "within 5 s of the median 9223372036854776000");
}

/* POSIX.1-2017, XCU 2.13: what fnmatch() in the C locale says of these, and of UTF-8 what XBD 9.3.5 says of characters.
 */
static void test_glob(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool expected;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"*", "", true},
		{"**", "abc", true},
		{"a*", "abc", true},
		{"*c", "abc", true},
		{"*b", "abc", false},
		{"a*c*e", "abcde", true},
		{"a*c*e", "abcdef", false},
		{"*ab", "aab", true},
		{"*aab*", "aaab", true},
		{"?", "a", true},
		{"?", "", false},
		{"??", "a", false},
		{"?", "\303\244", true},
		{"??", "\303\244", false},
		{"?", "\344", true},
		{"[abc]", "b", true},
		{"[abc]", "d", false},
		{"[a-c]x", "bx", true},
		{"[!a-c]", "b", false},
		{"[!a-c]", "d", true},
		{"[^a]", "b", true},
		{"[]]", "]", true},
		{"[!]]", "]", false},
		{"[]a]", "a", true},
		{"[a-]", "-", true},
		{"[-a]", "-", true},
		{"[\\]]", "]", true},
		{"[\303\240-\303\266]", "\303\244", true},
		{"[abc", "[abc", true},
		{"[abc", "a", false},
		{"[", "[", true},
		{"\\*", "*", true},
		{"\\*", "a", false},
		{"a\\", "a\\", true},
		{"\\a", "a", true},
		{"A", "a", false},
		{"*[0-9]", "leaf-3", true},
		{"*[0-9]", "leaf-", false},
		{"*?", "", false},
		{"*?a*", "xa", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (glob_match(cases[i].pattern, strlen(cases[i].pattern), cases[i].text, strlen(cases[i].text)) !=
		    cases[i].expected)
			fail_msg("'%s' on '%s': expected %d", cases[i].pattern, cases[i].text, cases[i].expected);
	assert_false(glob_special("leaf-3[", 7));
	assert_true(glob_special("leaf-[3]", 8));
}

/* 2,000 stars over 20,000 letters that never match: with one retry a star this would not end. */
static void test_glob_takes_no_exponential_time(void **state)
{
	static char pattern[4001], text[20000];

	for (size_t i = 0; i < 4000; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[4000] = 'b';
	memset(text, 'a', sizeof(text));
	assert_false(glob_match(pattern, sizeof(pattern), text, sizeof(text)));
}

static void test_pattern_limits(void **state)
{
	static const struct {
		const char *pattern, *why;
	} cases[] = {
		{"((((a{100}){100}){100}){100})", "is too large"},
		{"(a{200}){200}", "is too large"},
		{"(((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+", "is too large"},
		{"(a)\\1", "has a back-reference, which extended regular expressions do not have"},
		{"a{100}b{100}", NULL},
		{"[{]{9}[[:digit:]{9}]", NULL},
		{"(^| )leaf-[0-9]{1,3}(/[0-9]+)?$", NULL},
	};
	char deep[2 * (PATTERN_DEEPEST + 1) + 1];
	AUTO_FREE char *deep_why = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *why = NULL;

		assert_int_equal(pattern_check(cases[i].pattern, &why), !cases[i].why);
		if (cases[i].why)
			assert_string_equal(why, cases[i].why);
	}
	memset(deep, '(', PATTERN_DEEPEST + 1);
	memset(deep + PATTERN_DEEPEST + 1, ')', PATTERN_DEEPEST + 1);
	deep[sizeof(deep) - 1] = 0;
	assert_false(pattern_check(deep, &deep_why));
	assert_string_equal(deep_why, "is nested too deeply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enum),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_exists),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_quantities),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_with_nul),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_needs_median),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_write_median),
		cmocka_unit_test(test_glob),
		cmocka_unit_test(test_glob_takes_no_exponential_time),
		cmocka_unit_test(test_pattern_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
