/* SPDX-License-Identifier: BSD-2-Clause */
/* The envelope's check and readers, over tables of the test's own. */
#include "sample.h"

#include <errno.h>

static const char *const colours[] = {"red", "green", NULL};

static const struct schema_key inner_schema[] = {
	{.name = "reason", .kind = SCHEMA_TEXT, .required = true, .min = 2, .max = 5},
	{.name = "until", .kind = SCHEMA_DATE},
	{0},
};

static const struct schema_key item_schema[] = {
	{.name = "id", .kind = SCHEMA_NAME},
	{0},
};

static const struct schema_key map_schema[] = {
	{.name = "text", .kind = SCHEMA_TEXT},
	{.name = "name", .kind = SCHEMA_NAME},
	{.name = "count", .kind = SCHEMA_INTEGER, .min = 0, .max = 10},
	{.name = "any", .kind = SCHEMA_INTEGER},
	{.name = "flag", .kind = SCHEMA_BOOLEAN},
	{.name = "colour", .kind = SCHEMA_CHOICE, .choices = colours},
	{.name = "wait", .kind = SCHEMA_DURATION, .min = 1000, .max = 60000},
	{.name = "day", .kind = SCHEMA_DATE},
	{.name = "hosts", .kind = SCHEMA_NODESET},
	{.name = "tags", .kind = SCHEMA_NAMES},
	{.name = "argv", .kind = SCHEMA_TEXTS, .required = false},
	{.name = "waive", .kind = SCHEMA_MAP, .keys = inner_schema},
	{.name = "steps", .kind = SCHEMA_LIST, .keys = item_schema, .probes = true},
	{.name = "vars", .kind = SCHEMA_FREE},
	{.name = "connect", .kind = SCHEMA_OTHER},
	{.name = "between", .kind = SCHEMA_OTHER, .later = "'between' is not supported by this version"},
	{0},
};

/* A map that is written in one of two ways. */
static const struct schema_key forms_schema[] = {
	{.name = "from", .kind = SCHEMA_TEXT, .required = true, .form = 1},
	{.name = "to", .kind = SCHEMA_TEXT, .required = true, .form = 1},
	{.name = "set", .kind = SCHEMA_TEXT, .required = true, .form = 2},
	{.name = "seed", .kind = SCHEMA_INTEGER, .form = 2},
	{.name = "any", .kind = SCHEMA_INTEGER},
	{0},
};

/* What is said about @yaml, which is called "a". */
static void said_with(const struct schema_key *keys, const char *yaml, bool probes, const char *expected)
{
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map = text_parse(&text, "a", yaml, strlen(yaml), &diags);
	AUTO_FREE char *said = NULL;
	int result;

	assert_non_null(map);
	result = schema_check_map(&text, keys, map, probes, &diags);
	said = sample_said(&diags);
	assert_string_equal(said, expected);
	assert_int_equal(result, *expected ? -EINVAL : 0);
	diags_free(&diags);
	text_free(&text);
}

static void said(const char *yaml, const char *expected)
{
	said_with(map_schema, yaml, false, expected);
}

static void test_good(void **state)
{
	said("text: no\nname: a-1.B_2\ncount: 10\nany: -0x10\nflag: off\ncolour: red\nwait: 1 s\nday: 2028-02-29\n"
	     "hosts: node-[1-3]\ntags: a\nargv: [a, '']\nwaive: {reason: abcde, until: 2000-02-29}\n"
	     "steps: [{id: x, ib.ports: {}}, {}]\nvars: {a: 1, b: [1, 2]}\nconnect: [{}]\n",
	     "");
	said("tags: [a, b]\nargv: []\nwait: 1 min\ncount: 0\n", "");
	said("{}", "");
}

static void test_unknown(void **state)
{
	said("txt: 1\n", "a:1:1: error: unknown key 'txt'; did you mean 'text'?\n");
	/* More keys than a line can list, and none alike. */
	said("{a: 1, qqqqqq: 2}", "a:1:2: error: unknown key 'a'\na:1:8: error: unknown key 'qqqqqq'\n");
	said("waive: {reason: abc, zzz: 1}", "a:1:22: error: unknown key 'zzz'; there are: reason, until\n");
	/* What is not supported is not suggested. */
	said("betwen: 1", "a:1:1: error: unknown key 'betwen'\n");
	said("between: {}", "a:1:1: error: 'between' is not supported by this version\n");
}

static void test_probes(void **state)
{
	said("ib.ports: {}", "a:1:1: error: unknown key 'ib.ports'\n");
	said_with(map_schema, "ib.ports: {}", true, "");
	said("steps: [{ib.ports: 1, idd: 2}]", "a:1:23: error: unknown key 'idd'; did you mean 'id'?\n");
	said("waive: {reason: abc, ib.ports: {}}", "a:1:22: error: unknown key 'ib.ports'; there are: reason, until\n");
}

static void test_forms(void **state)
{
	said("text: [a]", "a:1:7: error: 'text' takes one value, not a list\n");
	said("text: {a: b}", "a:1:7: error: 'text' takes one value, not a map\n");
	said("text:\n", "a:1:6: error: 'text' has no value\n");
	said("text: ''\n", "");
	said("name: a b", "a:1:7: error: 'name' takes a name of letters, digits, '_', '-' and '.', not 'a b'\n");
	said("name: ''", "a:1:7: error: 'name' takes a name of letters, digits, '_', '-' and '.', not ''\n");
	said("tags: [a, b c, [d]]",
	     "a:1:11: error: 'tags' takes a name of letters, digits, '_', '-' and '.', not 'b c'\n"
	     "a:1:16: error: 'tags' takes one value, not a list\n");
	said("argv: a", "a:1:7: error: 'argv' takes a list, not one value\n");
	said("argv: [a, {}]", "a:1:11: error: 'argv' takes one value, not a map\n");
	said("waive: x", "a:1:8: error: 'waive' takes a map, not one value\n");
	said("waive: {until: 2027-01-01}", "a:1:8: error: missing key 'reason'\n");
	said("steps: {}", "a:1:8: error: 'steps' takes a list of maps, not a map\n");
	said("steps: [a, [b]]", "a:1:9: error: 'steps' takes a list of maps; this is one value\n"
				"a:1:12: error: 'steps' takes a list of maps; this is a list\n");
	said("vars: [a]", "a:1:7: error: 'vars' takes a map of names and values, not a list\n");
	said("vars: {a b: 1, c: {}, d: [1, [2]], e: }",
	     "a:1:8: error: 'a b' is no name: it takes letters, digits, '_', '-' and '.'\n"
	     "a:1:19: error: 'c' takes a value or a list, not a map\n"
	     "a:1:30: error: 'd' takes a list of values; this is a list\n"
	     "a:1:39: error: 'e' has no value\n");
	said("[a]", "a:1:1: error: a map is needed here, not a list\n");
}

static void test_values(void **state)
{
	said("count: 11", "a:1:8: error: 'count' must be between 0 and 10, not 11\n");
	said("count: 1.0", "a:1:8: error: count: '1.0' is not an integer\n");
	said("any: 9223372036854775808", "a:1:6: error: any: '9223372036854775808' is too large: at most "
					 "9223372036854775807\n");
	said("flag: flase", "a:1:7: error: flag: 'flase' is neither true (yes, on) nor false (no, off)\n");
	said("colour: gren", "a:1:9: error: colour: 'gren' is not one of red, green; did you mean 'green'?\n");
	said("colour: Red", "a:1:9: error: colour: 'Red' is not one of red, green; did you mean 'red'?\n");
	said("wait: 30", "a:1:7: error: wait: '30': needs a unit (one of ns, us, ms, s, min, h, d)\n");
	said("wait: 0.5 s", "a:1:7: error: 'wait' must be between 1 s and 60 s, not 0.5 s\n");
	said("wait: 1 h", "a:1:7: error: 'wait' must be between 1 s and 60 s, not 1 h\n");
	said("waive: {reason: a}", "a:1:17: error: 'reason' must have at least 2 bytes\n");
	/* Six bytes in three characters. */
	said("waive: {reason: \303\244\303\266\303\274}",
	     "a:1:17: error: 'reason' must have at most 5 bytes; it has 6\n");
}

static void test_dates(void **state)
{
	static const char *const wrong[] = {"2027-02-29", "2100-02-29", "2027-13-01",  "2027-00-10", "2027-04-31",
					    "2027-1-1",	  "27-01-01",	"2027-01-01 ", "2027/01/01", "tomorrow"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		AUTO_FREE char *yaml = xasprintf("day: '%s'", wrong[i]);
		AUTO_FREE char *error =
			xasprintf("a:1:6: error: 'day' takes a day as YYYY-MM-DD, not '%s'\n", wrong[i]);

		said(yaml, error);
	}
}

/* What is only known later is not looked at, and reads as the fallback; a text comes as it is. */
static void test_later(void **state)
{
	static const struct variable host = {.name = "host"};
	const struct scope scope = {.items = &host, .count = 1};
	static const char yaml[] = "{count: $(host), wait: $(host), flag: $(host), colour: $(host), text: at $(host)}";
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map = text_parse(&text, "a", yaml, strlen(yaml), &diags);

	map = text_resolve(&text, NULL, map, &scope, &diags);
	assert_int_equal(schema_check_map(&text, map_schema, map, false, &diags), 0);
	assert_int_equal(schema_integer(map, "count", 3), 3);
	assert_int_equal(schema_milliseconds(map, "wait", 4), 4);
	assert_true(schema_boolean(map, "flag", true));
	assert_string_equal(schema_text(map, "text", NULL), "at $(host)");
	diags_free(&diags);
	text_free(&text);
}

static void test_readers(void **state)
{
	static const char yaml[] = "{count: 0x0a, wait: 1.5 s, flag: Yes, text: no, argv: [a]}";
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map = text_parse(&text, "a", yaml, strlen(yaml), &diags);

	assert_int_equal(schema_integer(map, "count", 0), 10);
	assert_int_equal(schema_integer(map, "none", -7), -7);
	assert_int_equal(schema_milliseconds(map, "wait", 0), 1500);
	assert_int_equal(schema_milliseconds(map, "none", 9), 9);
	assert_true(schema_boolean(map, "flag", false));
	assert_false(schema_boolean(map, "none", false));
	assert_string_equal(schema_text(map, "text", NULL), "no");
	assert_null(schema_text(map, "argv", NULL));
	assert_string_equal(schema_text(map, "none", "x"), "x");
	text_free(&text);
}

static void test_ways(void **state)
{
	said_with(forms_schema, "{from: a, to: b, any: 1}", false, "");
	said_with(forms_schema, "{seed: 1, set: b}", false, "");
	said_with(forms_schema, "{any: 1}", false, "a:1:1: error: missing keys: 'from' and 'to', or 'set'\n");
	said_with(forms_schema, "{from: a}", false, "a:1:1: error: missing key 'to'\n");
	said_with(forms_schema, "{seed: 1}", false, "a:1:1: error: missing key 'set'\n");
	said_with(forms_schema, "{from: a, to: b, seed: 1}", false,
		  "a:1:18: error: 'seed' has no place beside 'from'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),   cmocka_unit_test(test_good),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_probes), cmocka_unit_test(test_forms), cmocka_unit_test(test_values),
		cmocka_unit_test(test_dates),  cmocka_unit_test(test_later), cmocka_unit_test(test_readers),
	};

	return cmocka_run_group_tests_name("schema_check", tests, NULL, NULL);
}
