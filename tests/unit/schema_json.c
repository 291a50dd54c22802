/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON Schema over the sample's plugin: what an editor would mark, and what not. Instances are as YAML 1.2 resolves
 * them. */
#include "json_validate.h"

#include "judge/judge.h"
#include "plugin/registry.h"

static json_t *schema;

/* A folder with the sample's plugin alone. */
static int setup(void **state)
{
	AUTO_FREE char *plugin = xasprintf("%s/tests/unit/plugins/sample.so", getenv("RDMASPEC_BUILD"));
	char folder[] = "/tmp/rdmaspec-json-XXXXXX";
	struct registry *registry;
	struct diags diags = {0};
	AUTO_FREE char *link = NULL;
	int result;

	if (!mkdtemp(folder))
		return -1;
	link = xasprintf("%s/sample.so", folder);
	result = symlink(plugin, link);
	registry = registry_new(folder);
	result |= registry_load_all(registry, &diags);
	diags_print(&diags, stderr);
	diags_free(&diags);
	schema = schema_json(registry);
	registry_free(registry); /* the schema borrows nothing of it */
	unlink(link);
	rmdir(folder);
	return result;
}

static int teardown(void **state)
{
	json_decref(schema);
	return 0;
}

static bool holds(const char *text)
{
	json_error_t error;
	json_t *value = json_loads(text, 0, &error);
	bool good;

	if (!value)
		fail_msg("%s: %s", error.text, text);
	good = validate(schema, schema, value);
	json_decref(value);
	return good;
}

static void good(const char *text)
{
	if (!holds(text))
		fail_msg("refused: %s", text);
}

static void bad(const char *text)
{
	if (holds(text))
		fail_msg("accepted: %s", text);
}

/* A step's further keys, the parameters, what is expected. */
static void params(void (*check)(const char *), const char *more)
{
	AUTO_FREE char *text = xasprintf("{\"rdmaspec\": 1, \"steps\": [{\"sample.ports\": {\"device\": \"d\", %s%s"
					 "\"observe_only\": true}}]}",
					 more, *more ? ", " : "");

	check(text);
}

static void expects(void (*check)(const char *), const char *facts)
{
	AUTO_FREE char *text = xasprintf(
		"{\"rdmaspec\": 1, \"steps\": [{\"sample.ports\": {\"device\": \"d\", \"expect\": {%s}}}]}", facts);

	check(text);
}

static void step(void (*check)(const char *), const char *keys)
{
	AUTO_FREE char *text = xasprintf("{\"rdmaspec\": 1, \"steps\": [{%s%s\"sample.ports\": {\"device\": \"d\", "
					 "\"expect\": {\"state\": \"Active\"}}}]}",
					 keys, *keys ? ", " : "");

	check(text);
}

static void test_envelope(void **state)
{
	step(good, "");
	step(good, "\"id\": 12, \"name\": \"n\", \"hosts\": \"node-[1-2]\", \"tags\": [\"a\", 1], \"needs\": \"x\"");
	step(good,
	     "\"timeout\": \"30 s\", \"retries\": 2, \"delay\": 0, \"repeat\": \"0x10\", \"severity\": \"warning\"");
	step(good, "\"timeout\": \"$(t)\", \"retries\": \"$(n)\", \"fresh\": \"Yes\", \"doc\": true");
	step(good, "\"waive\": {\"reason\": \"r\", \"until\": \"2027-01-31\"}, \"each\": {\"d\": \"a[0-7]\", \"e\": "
		   "[1, \"x\"]}");
	step(good, "\"when\": {\"sample.ports\": {\"device\": \"d\", \"where\": {\"state\": \"Active\"}}}");
	step(bad, "\"idd\": \"x\"");
	step(bad, "\"timeout\": 30");
	step(bad, "\"timeout\": \"30\"");
	step(bad, "\"timeout\": \"30 furlongs\"");
	step(bad, "\"retries\": -1");
	step(bad, "\"retries\": \"many\"");
	step(bad, "\"severity\": \"fatal\"");
	step(bad, "\"id\": \"a b\"");
	step(bad, "\"fresh\": \"perhaps\"");
	step(bad, "\"waive\": {}");
	step(bad, "\"waive\": {\"reason\": \"r\", \"until\": \"tomorrow\"}");
	step(bad, "\"when\": {\"sample.ports\": {\"device\": \"d\", \"expect\": {}}}");
	step(bad, "\"when\": {}");
	step(bad, "\"each\": {\"d\": {}}");
	step(good, "\"between\": {\"client\": \"a\", \"server\": \"b\", \"directions\": \"both\"}");
	step(good, "\"between\": {\"hosts\": \"a[1-9]\", \"pattern\": \"random\", \"count\": 3, \"seed\": 7}");
	step(bad, "\"between\": {}");
	step(bad, "\"between\": {\"client\": \"a\"}");
	step(bad, "\"between\": {\"hosts\": \"a[1-9]\", \"count\": 3}");
	step(bad, "\"between\": {\"hosts\": \"a[1-9]\", \"pattern\": \"ring\", \"client\": \"a\"}");
	step(bad, "\"between\": {\"client\": \"a\", \"server\": \"b\", \"count\": 3}");
	step(bad, "\"between\": {\"hosts\": \"a[1-9]\", \"pattern\": \"circle\"}");
	step(bad, "\"sample.links\": {}");
	bad("{\"rdmaspec\": 1, \"steps\": [{\"name\": \"no probe\"}]}");
	bad("{\"rdmaspec\": 1, \"stepz\": []}");
	bad("{\"rdmaspec\": 2, \"steps\": []}");
	bad("[]");
}

static void test_hosts(void **state)
{
	good("{\"rdmaspec\": 1, \"hosts\": [{\"name\": \"n-[1-2]\", \"connect\": \"local\", \"device\": \"mlx5_0\"}]}");
	good("{\"rdmaspec\": \"1\", \"hosts\": [{\"name\": 7, \"connect\": {\"command\": [\"a\", 1]}}], \"vars\": "
	     "{\"a\": 1}}");
	good("{\"rdmaspec\": 1, \"include\": [\"a.yaml\"], \"defaults\": {\"timeout\": \"1 min\"}}");
	bad("{\"rdmaspec\": 1, \"hosts\": [{\"connect\": \"local\"}]}");
	bad("{\"rdmaspec\": 1, \"hosts\": [{\"name\": \"n\", \"connect\": \"carrier pigeon\"}]}");
	bad("{\"rdmaspec\": 1, \"hosts\": [{\"name\": \"n\", \"connect\": {\"comand\": [\"a\"]}}]}");
	bad("{\"rdmaspec\": 1, \"hosts\": \"n\"}");
}

static void test_params(void **state)
{
	static const char *const accepted[] = {
		"",
		"\"port\": 254",
		"\"port\": \"0x10\"",
		"\"port\": \"$(p)\"",
		"\"mask\": \"0xFF\"",
		"\"ratio\": 0.5",
		"\"ratio\": \"1e-3\"",
		"\"both\": true",
		"\"both\": \"off\"",
		"\"verb\": \"write\"",
		"\"verb\": \"WRITE\"",
		"\"guid\": \"0002:c903:0045:f121\"",
		"\"guid\": 12345",
		"\"guid\": \"0x0002c9030045f121\"",
		"\"gid\": \"::ffff:10.0.0.1\"",
		"\"peer\": \"10.0.0.1\"",
		"\"peer\": \"fe80::1\"",
		"\"size\": \"64 KiB\"",
		"\"size\": \"64KiB\"",
		"\"size\": 0",
		"\"limit\": \"5 us\"",
		"\"mtu\": 4096",
		"\"mtu\": \"4096\"",
		"\"plan\": \"plan.csv\"",
		"\"ports\": 7",
		"\"ports\": [1, \"2\"]",
		"\"names\": [\"a\", true, 1]",
		"\"links\": {\"from\": \"a\"}",
		"\"links\": [{\"from\": \"a\", \"port\": 3}]",
		"\"where\": {\"state\": \"Active\"}",
		"\"count\": 3",
		"\"count\": {\"min\": 1, \"max\": \"$(n)\"}",
		"\"unique\": [\"device\", \"lid\"]",
		"\"same\": \"lid\"",
	};
	static const char *const refused[] = {
		"\"prot\": 1",
		"\"port\": 255",
		"\"port\": 1.5",
		"\"port\": \"one\"",
		"\"mask\": -1",
		"\"ratio\": \"half\"",
		"\"both\": \"maybe\"",
		"\"verb\": \"wrte\"",
		"\"verb\": 1",
		"\"guid\": \"0x12g4\"",
		"\"gid\": \"10.0.0.1\"",
		"\"peer\": \"host\"",
		"\"size\": 64",
		"\"size\": \"64\"",
		"\"size\": \"64 us\"",
		"\"mtu\": 4095",
		"\"ports\": [65]",
		"\"ports\": {}",
		"\"links\": [{\"port\": 3}]",
		"\"links\": [{\"from\": \"a\", \"prt\": 1}]",
		"\"device2\": 1",
		"\"where\": {\"stat\": \"Active\"}",
		"\"count\": -1",
		"\"count\": {\"mim\": 1}",
		"\"unique\": [\"devise\"]",
		"\"same\": [{}]",
		"\"allow_partial\": true",
		"\"state\": \"Active\"",
	};

	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
		params(good, accepted[i]);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		params(bad, refused[i]);
	bad("{\"rdmaspec\": 1, \"steps\": [{\"sample.ports\": {\"observe_only\": true}}]}"); /* no device */
	bad("{\"rdmaspec\": 1, \"steps\": [{\"sample.ports\": {\"device\": \"d\"}}]}");	     /* nothing expected */
}

static void test_matchers(void **state)
{
	static const char *const accepted[] = {
		"\"state\": \"Active\"",
		"\"state\": \"active\"",
		"\"state\": \"none\"",
		"\"state\": [\"Init\", \"Active\"]",
		"\"state\": {\"min\": \"Init\"}",
		"\"state\": {\"not\": [\"Down\", {\"is\": \"Init\"}]}",
		"\"state\": \"$(state)\"",
		"\"device\": \"mlx5_*\"",
		"\"device\": {\"matches\": \"^mlx\"}",
		"\"device\": 5",
		"\"lid\": 5",
		"\"lid\": \"0x5\"",
		"\"lid\": {\"within\": 2, \"of\": 100}",
		"\"rate\": \"100 Gb/s\"",
		"\"rate\": {\"min\": \"12.5 GB/s\", \"max\": \"200Gbps\"}",
		"\"rate\": {\"within\": \"5 %\", \"of\": \"median\"}",
		"\"rate\": {\"exists\": true}",
		"\"addresses\": \"10.0.0.1\"",
		"\"addresses\": {\"all\": {\"not\": \"10.0.0.1\"}}",
	};
	static const char *const refused[] = {
		"\"sate\": \"Active\"",
		"\"state\": \"Actve\"",
		"\"state\": 5",
		"\"state\": {\"matches\": \"A\"}",
		"\"state\": {\"mim\": \"Init\"}",
		"\"state\": []",
		"\"state\": {}",
		"\"state\": {\"within\": 1, \"of\": 2}",
		"\"device\": {\"min\": \"a\"}",
		"\"lid\": \"five\"",
		"\"lid\": {\"within\": 2}",
		"\"rate\": 100",
		"\"rate\": \"100 us\"",
		"\"rate\": {\"min\": 100}",
		"\"rate\": {\"of\": \"median\"}",
		"\"rate\": {\"exists\": \"perhaps\"}",
		"\"rate\": {\"all\": \"1 Gb/s\"}",
		"\"addresses\": \"10.0.0\"",
		"\"addresses\": {\"all\": \"x\"}",
	};

	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
		expects(good, accepted[i]);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		expects(bad, refused[i]);
}

/* Every key that a person may write says what it is for. */
static void described(json_t *node, const char *path)
{
	json_t *properties = json_object_get(node, "properties"), *member;
	const char *key;
	size_t index;

	json_object_foreach(properties, key,
			    member) if (json_is_object(member) && !json_object_get(member, "description") &&
					strcmp(key, "command")) fail_msg("no description: %s/%s", path, key);
	if (json_is_object(node)) {
		json_object_foreach(node, key, member)
		{
			AUTO_FREE char *inner = xasprintf("%s/%s", path, key);

			described(member, inner);
		}
	}
	json_array_foreach(node, index, member) described(member, path);
}

static void test_descriptions(void **state)
{
	described(schema, "");
}

static void test_defaults(void **state)
{
	json_t *probe = json_object_get(json_object_get(schema, "$defs"), "probe-sample.ports");
	json_t *own = json_object_get(probe, "properties"), *expected;

	/* As whoever writes YAML would see them: a number where it is one. */
	assert_int_equal(json_integer_value(json_object_get(json_object_get(own, "port"), "default")), 1);
	assert_true(json_is_false(json_object_get(json_object_get(own, "both"), "default")));
	assert_string_equal(json_string_value(json_object_get(json_object_get(own, "size"), "default")), "64 KiB");
	expected = json_pack("[s]", "device");
	assert_true(json_equal(json_object_get(probe, "required"), expected));
	json_decref(expected);
}

/* The words for the judging keys are here, their check is judge's: both must know the same ones. */
static void test_judging_keys(void **state)
{
	size_t count = 0;

	for (; judge_keys[count]; count++) {
		const struct schema_key *key = judging_schema;

		while (key->name && strcmp(key->name, judge_keys[count]))
			key++;
		assert_non_null(key->name);
	}
	assert_null(judging_schema[count].name);
}

/* Generated files are compared: the same tables must give the same bytes. */
static void test_deterministic(void **state)
{
	json_t *first = json_deep_copy(schema);
	char *one, *other;

	json_decref(schema);
	assert_int_equal(setup(state), 0);
	one = json_dumps(first, 0);
	other = json_dumps(schema, 0);
	assert_string_equal(one, other);
	free(one);
	free(other);
	json_decref(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_envelope),     cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_params),	     cmocka_unit_test(test_matchers),
		cmocka_unit_test(test_descriptions), cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_judging_keys), cmocka_unit_test(test_deterministic),
	};

	return cmocka_run_group_tests_name("schema_json", tests, setup, teardown);
}
