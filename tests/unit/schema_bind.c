/* SPDX-License-Identifier: BSD-2-Clause */
#include "sample.h"

#include <errno.h>

/* What a scenario's map comes to as canonical JSON; the caller frees it. */
static char *canonical(const char *yaml)
{
	struct text text = {0};
	struct diags diags = {0};
	const struct node *map = text_parse(&text, "in.yaml", yaml, strlen(yaml), &diags);
	char *json = NULL, *said;

	if (map && !schema_check_params(&text, &sample_source, map, NULL, &diags))
		json = schema_canonical(&text, &sample_source, map, &diags);
	said = sample_said(&diags);
	if (!json)
		fail_msg("%s", said);
	assert_string_equal(said, "");
	free(said);
	diags_free(&diags);
	text_free(&text);
	return json;
}

/* A scenario's map into the struct; the caller unbinds it. */
static const struct sample *bound(const char *yaml, struct schema_bound *out)
{
	AUTO_FREE char *json = canonical(yaml);
	AUTO_DIAG struct diag diag = {0};

	if (schema_bind(&sample_source, json, out, &diag))
		fail_msg("%s", diag.text);
	return out->params;
}

#define DEFAULTS_BEFORE "\"verb\":\"write\",\"port\":\"1\",\"mask\":\"0\",\"ratio\":\"0.5\",\"both\":\"false\","

static void test_canonical_defaults(void **state)
{
	AUTO_FREE char *json = canonical("device: mlx5_0");

	/* 64 KiB = 65536 B; 0.50 is 0.5 */
	assert_string_equal(json,
			    "{\"device\":\"mlx5_0\"," DEFAULTS_BEFORE "\"size\":\"65536 B\",\"names\":[\"a\",\"b\"]}");
}

static void test_canonical_everything(void **state)
{
	AUTO_FREE char *json = canonical("links: [{verb: SEND, from: a}, {from: b, port: 2, weight: 1e1, note: n}]\n"
					 "device: d\n"
					 "verb: Read\nport: 0x10\nqps: 4\nmask: 0xffffffffffffffff\nratio: 1.50\n"
					 "both: yes\ncm: OFF\nguid: 2:C903:45:F121\n"
					 "gid: fe80:0000:0000:0000:0002:c903:0045:f121\n"
					 "peer: 192.0.2.7\nsize: 4 KiB\nlimit: 4200 ns\nmtu: 1024\n"
					 "ports: [3, 1]\nnames: x\nverbs: send\nsizes: [1 KiB, 2 B]\n"
					 "flags: [on, no]\n");

	assert_string_equal(json,
			    "{\"device\":\"d\",\"verb\":\"read\",\"port\":\"16\",\"qps\":\"4\","
			    "\"mask\":\"18446744073709551615\",\"ratio\":\"1.5\",\"both\":\"true\",\"cm\":\"false\","
			    "\"guid\":\"0x0002c9030045f121\",\"gid\":\"fe80::2:c903:45:f121\",\"peer\":\"192.0.2.7\","
			    "\"size\":\"4096 B\",\"limit\":\"4.2 us\",\"mtu\":\"1024\",\"ports\":[\"3\",\"1\"],"
			    "\"names\":[\"x\"],\"verbs\":[\"send\"],\"sizes\":[\"1024 B\",\"2 B\"],"
			    "\"flags\":[\"true\",\"false\"],"
			    "\"links\":[{\"from\":\"a\",\"port\":\"1\",\"verb\":\"send\"},"
			    "{\"from\":\"b\",\"port\":\"2\",\"weight\":\"10\",\"verb\":\"read\",\"note\":\"n\"}]}");
}

/* However it is written, the same is the same. */
static void test_canonical_identity(void **state)
{
	static const char *const same[][2] = {
		{"{device: d, guid: 0x0002c9030045f121}", "{guid: '0002:c903:0045:f121', device: 'd'}"},
		{"{device: d, size: 64 KiB}", "{device: d}"},
		{"{device: d, size: 1.5 KiB}", "{device: d, size: 1536 B}"},
		{"{device: d, limit: 1 ms}", "{device: d, limit: 1000us}"},
		{"{device: d, ratio: 5e-1}", "{device: d, ratio: .5}"},
		{"{device: d, gid: '::1'}", "{device: d, gid: '0:0:0:0:0:0:0:1'}"},
		{"{device: d, ports: 7}", "{device: d, ports: [7]}"},
		{"{device: d, ports: []}", "{device: d}"},
		{"{device: d, names: [a, b]}", "{device: d}"},
		{"{device: d, cm: on}", "{device: d, cm: TRUE}"},
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		AUTO_FREE char *one = canonical(same[i][0]), *other = canonical(same[i][1]);

		assert_string_equal(one, other);
	}
}

/* An empty list where the default is another one says something. */
static void test_canonical_empty_list(void **state)
{
	AUTO_FREE char *json = canonical("{device: d, names: []}");

	assert_string_equal(json, "{\"device\":\"d\"," DEFAULTS_BEFORE "\"size\":\"65536 B\",\"names\":[]}");
}

static void test_bind_defaults(void **state)
{
	struct schema_bound out;
	const struct sample *sample = bound("device: mlx5_0", &out);

	assert_string_equal(sample->device, "mlx5_0");
	assert_int_equal(sample->verb, 0);
	assert_int_equal(sample->port, 1);
	assert_null(sample->qps);
	assert_int_equal(sample->mask, 0);
	assert_true(sample->ratio == 0.5);
	assert_false(sample->both);
	assert_null(sample->cm);
	assert_null(sample->guid);
	assert_null(sample->gid);
	assert_null(sample->peer);
	assert_true(sample->size == 65536);
	assert_null(sample->limit);
	assert_null(sample->mtu);
	assert_null(sample->plan);
	assert_null(sample->ports);
	assert_int_equal(sample->nports, 0);
	assert_int_equal(sample->nnames, 2);
	assert_string_equal(sample->names[0], "a");
	assert_string_equal(sample->names[1], "b");
	assert_null(sample->links);
	assert_int_equal(sample->nlinks, 0);
	schema_unbind(&out);
	assert_null(out.params);
}

static void test_bind_everything(void **state)
{
	struct schema_bound out;
	const struct sample *sample = bound(
		"{device: d, verb: send, port: 254, qps: 9223372036854775807, mask: 18446744073709551615, "
		"ratio: -0.1, both: true, cm: false, guid: ffff:ffff:ffff:ffff, gid: 'FE80::1', peer: '2001:DB8::1', "
		"size: 8 MiB, limit: 0.1 us, mtu: 4096, ports: [0, 64], names: [x], verbs: [send, write], "
		"sizes: [1 GiB], flags: [true, false, true], links: [{from: a}, {from: b, port: 7, weight: 2.5, "
		"verb: write, note: ''}]}",
		&out);

	assert_int_equal(sample->verb, 2);
	assert_int_equal(sample->port, 254);
	assert_true(*sample->qps == INT64_MAX);
	assert_true(sample->mask == UINT64_MAX);
	assert_true(sample->ratio == -0.1);
	assert_true(sample->both);
	assert_false(*sample->cm);
	assert_true(*sample->guid == UINT64_MAX);
	assert_string_equal(sample->gid, "fe80::1");
	assert_string_equal(sample->peer, "2001:db8::1");
	assert_true(sample->size == 8388608);
	assert_true(*sample->limit == 0.1);
	assert_int_equal(*sample->mtu, 4);
	assert_int_equal(sample->nports, 2);
	assert_int_equal(sample->ports[0], 0);
	assert_int_equal(sample->ports[1], 64);
	assert_int_equal(sample->nnames, 1);
	assert_int_equal(sample->nverbs, 2);
	assert_int_equal(sample->verbs[0], 2);
	assert_int_equal(sample->verbs[1], 0);
	assert_int_equal(sample->nsizes, 1);
	assert_true(sample->sizes[0] == 1073741824.0);
	assert_int_equal(sample->nflags, 3);
	assert_true(sample->flags[0] && !sample->flags[1] && sample->flags[2]);
	assert_int_equal(sample->nlinks, 2);
	assert_string_equal(sample->links[0].from, "a");
	assert_int_equal(sample->links[0].port, 1);
	assert_null(sample->links[0].weight);
	assert_int_equal(sample->links[0].verb, 1);
	assert_null(sample->links[0].note);
	assert_string_equal(sample->links[1].from, "b");
	assert_int_equal(sample->links[1].port, 7);
	assert_true(*sample->links[1].weight == 2.5);
	assert_int_equal(sample->links[1].verb, 0);
	assert_string_equal(sample->links[1].note, "");
	schema_unbind(&out);
}

/* Texts that YAML or libcyaml would take for something else, or not at all: each must arrive byte by byte. */
static void test_bind_texts(void **state)
{
	static const char *const texts[] = {
		"~",
		"null",
		"010",
		"yes",
		"1:30",
		"<<",
		"*a",
		"&a",
		"!!str x",
		"- a",
		"a: b",
		"# a",
		"a # b",
		"%a",
		"@a",
		"`a",
		"'",
		"\"",
		"\\",
		"\\x41",
		"{a: b}",
		"[a]",
		"|",
		">",
		"?",
		": ",
		" a ",
		"\ttab",
		"a\nb",
		"a\r\nb\n",
		"\x01\x1f",
		"\x7f",
		"\xc2\x85",
		"\xc2\xa0",
		"\xe2\x80\xa8",
		"\xe2\x80\xa9",
		"\xef\xbb\xbf",
		"\xef\xbf\xbe",
		"\xef\xbf\xbf",
		"\xf0\x9f\x98\x80",
		"\xf4\x8f\xbf\xbf",
		"gr\xc3\xbc\xc3\x9f",
		"---",
		"...",
		"$(x)",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct node key = {.kind = NODE_SCALAR, .length = 6, .text = "device"};
		struct node value = {.kind = NODE_SCALAR, .flags = NODE_QUOTED, .text = texts[i]};
		struct node map = {.kind = NODE_MAP, .length = 2, .first = &key};
		struct text_file file = {.path = "in.yaml"};
		struct text text = {.files = &file, .nfiles = 1};
		struct diags diags = {0};
		AUTO_DIAG struct diag diag = {0};
		struct schema_bound out;
		AUTO_FREE char *json = NULL;

		key.next = &value;
		value.length = (uint32_t)strlen(texts[i]);
		json = schema_canonical(&text, &sample_source, &map, &diags);
		assert_non_null(json);
		assert_null(strchr(json, '\n'));
		if (schema_bind(&sample_source, json, &out, &diag))
			fail_msg("text %zu: %s", i, diag.text);
		assert_string_equal(((const struct sample *)out.params)->device, texts[i]);
		schema_unbind(&out);
	}
}

/* The bytes of a file arrive as they are, UTF-8 or not. */
static void test_bind_file(void **state)
{
	static const char bytes[] = "a\tb\r\n\\x41 \xff\xfe \xc3\xa9 \x1b[0m\n\n# end";
	struct schema_bound out;
	const struct sample *sample;

	sample_file("plan.csv", bytes, sizeof(bytes) - 1);
	sample = bound("{device: d, plan: plan.csv}", &out);
	assert_string_equal(sample->plan, bytes);
	schema_unbind(&out);
	sample_file("plan.csv", "", 0);
	sample = bound("{device: d, plan: ./plan.csv}", &out);
	assert_string_equal(sample->plan, "");
	schema_unbind(&out);
	unlink("plan.csv");
}

/* The canonical form of a file is its contents: bytes that are not UTF-8 as \xNN, a backslash doubled, all that in
 * JSON. */
static void test_canonical_file(void **state)
{
	AUTO_FREE char *json = NULL;

	sample_file("plan.csv", "\xff\\", 2);
	json = canonical("{device: d, plan: plan.csv, names: []}");
	unlink("plan.csv");
	assert_string_equal(json, "{\"device\":\"d\"," DEFAULTS_BEFORE
				  "\"size\":\"65536 B\",\"plan\":\"\\\\xff\\\\\\\\\",\"names\":[]}");
}

static void refused(const struct rs_source *source, const char *json, const char *expected)
{
	AUTO_DIAG struct diag diag = {0};
	struct schema_bound out = {.params = (void *)1};

	assert_int_not_equal(schema_bind(source, json, &out, &diag), 0);
	assert_string_equal(diag.text, expected);
	assert_null(out.params);
	schema_unbind(&out);
}

/* Canonical JSON may come from another host: it is not trusted. */
static void test_bind_untrusted(void **state)
{
	refused(&sample_source, "{}", "the parameters of 'sample.ports' are wrong at column 1: missing key 'device'");
	refused(&sample_source, "{\"device\":\"d\",\"prot\":\"1\"}",
		"the parameters of 'sample.ports' are wrong at column 15: unknown key 'prot'; did you mean 'port'?");
	refused(&sample_source, "{\"device\":\"d\",\"port\":\"0\"}",
		"the parameters of 'sample.ports' are wrong at column 22: 'port' must be between 1 and 254, not 0");
	refused(&sample_source, "{\"device\":[\"d\"]}",
		"the parameters of 'sample.ports' are wrong at column 11: 'device' takes one value, not a list");
	refused(&sample_source, "{\"device\":\"d\",\"plan\":\"\\\\q\"}",
		"the parameters of 'sample.ports' are wrong at column 22: plan: not the contents of a file");
	refused(&sample_source, "{\"device\":\"d\",\"plan\":\"\\\\x00\"}",
		"the parameters of 'sample.ports' are wrong at column 22: plan: not the contents of a file");
	refused(&sample_source, "[]",
		"the parameters of 'sample.ports' are wrong at column 1: a map of parameters is needed here, not a "
		"list");
}

/* No wording is ours here: the reader of YAML says what is wrong. */
static void test_bind_rubbish(void **state)
{
	static const char *const rubbish[] = {"",
					      "{",
					      "{\"device\":\"a\",\"device\":\"b\"}",
					      "{\"device\":&a x}",
					      "\xff",
					      "{\"device\":!!str x}",
					      "{\"device\":\"d\"}\n---\n{}"};

	for (size_t i = 0; i < sizeof(rubbish) / sizeof(rubbish[0]); i++) {
		AUTO_DIAG struct diag diag = {0};
		struct schema_bound out;

		assert_int_equal(schema_bind(&sample_source, rubbish[i], &out, &diag), -EINVAL);
		assert_non_null(diag.text);
		assert_null(out.params);
	}
}

/* Tables that the check of a plugin refuses: libcyaml's word for it is our mistake, and says where. */
static void test_bind_internal_error(void **state)
{
	static const struct rs_param twice[] = {
		{"other", RS_INTEGER, RS_REQUIRED, .offset = 0, .doc = "other"},
		{"port", RS_INTEGER, RS_REQUIRED, .offset = 8, .doc = "port"},
		{"port", RS_INTEGER, .offset = 16, .value = "9", .doc = "port again"},
		{0},
	};
	struct rs_source source = sample_source;

	source.params = twice;
	source.params_size = 24;
	/* The value of "port" begins at column 21. */
	refused(&source, "{\"other\":\"1\",\"port\":\"2\"}",
		"internal error: libcyaml refused the checked parameters of 'sample.ports' at column 21: "
		"Load: Mapping field already seen: port");
}

static void test_bind_no_params(void **state)
{
	struct rs_source source = sample_source;
	AUTO_DIAG struct diag diag = {0};
	struct schema_bound out;

	source.params = NULL;
	source.params_size = 0;
	assert_int_equal(schema_bind(&source, "{}", &out, &diag), 0);
	assert_non_null(out.params);
	schema_unbind(&out);
	refused(&source, "{\"a\":\"1\"}", "the parameters of 'sample.ports' are wrong at column 2: unknown key 'a'");
}

/* A source in which everything may be left out. */
static void test_bind_all_optional(void **state)
{
	static const struct rs_param params[] = {{"port", RS_INTEGER, .doc = "port"}, {0}};
	struct rs_source source = sample_source;
	AUTO_DIAG struct diag diag = {0};
	struct schema_bound out;

	source.params = params;
	source.params_size = sizeof(int64_t *);
	assert_int_equal(schema_bind(&source, "{}", &out, &diag), 0);
	assert_null(*(int64_t **)out.params);
	schema_unbind(&out);
}

static int in_folder(void **state)
{
	static char folder[] = "/tmp/rdmaspec-schema-XXXXXX";

	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int out_of_folder(void **state)
{
	AUTO_FREE char *folder = getcwd(NULL, 0);

	return chdir("/") || rmdir(folder) ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_canonical_defaults), cmocka_unit_test(test_canonical_everything),
		cmocka_unit_test(test_canonical_identity), cmocka_unit_test(test_canonical_empty_list),
		cmocka_unit_test(test_canonical_file),	   cmocka_unit_test(test_bind_defaults),
		cmocka_unit_test(test_bind_everything),	   cmocka_unit_test(test_bind_texts),
		cmocka_unit_test(test_bind_file),	   cmocka_unit_test(test_bind_untrusted),
		cmocka_unit_test(test_bind_rubbish),	   cmocka_unit_test(test_bind_internal_error),
		cmocka_unit_test(test_bind_no_params),	   cmocka_unit_test(test_bind_all_optional),
	};

	return cmocka_run_group_tests_name("schema_bind", tests, in_folder, out_of_folder);
}
