/* SPDX-License-Identifier: BSD-2-Clause */
/* What a plugin's tables may not be: each case is the sample's tables with one mistake. */
#include "sample.h"

/* The sample's tables, to be spoiled. */
struct tables {
	struct rs_param params[32];
	struct rs_param fields[8];
	struct rs_fact facts[80];
	struct rs_probe probes[40];
	struct rs_source sources[2];
	struct rs_plugin plugin;
};

static struct tables *fresh(void)
{
	static struct tables tables;

	memset(&tables, 0, sizeof(tables));
	memcpy(tables.params, sample_params, sizeof(sample_params));
	memcpy(tables.fields, sample_link_fields, sizeof(sample_link_fields));
	memcpy(tables.facts, sample_facts, sizeof(sample_facts));
	for (struct rs_param *param = tables.params; param->key; param++)
		if (param->type == RS_STRUCT)
			param->fields = tables.fields;
	tables.probes[0] = sample_probe;
	tables.probes[0].facts = tables.facts;
	tables.sources[0] = sample_source;
	tables.sources[0].params = tables.params;
	tables.sources[0].probes = tables.probes;
	tables.plugin = (struct rs_plugin){
		.abi = RS_ABI,
		.size = sizeof(struct rs_plugin),
		.source_size = sizeof(struct rs_source),
		.name = "sample",
		.version = "1.0",
		.summary = "a sample",
		.sources = tables.sources,
		.nsources = 1,
	};
	return &tables;
}

static struct rs_param *param_of(struct tables *tables, const char *key)
{
	for (struct rs_param *param = tables->params; param->key; param++)
		if (!strcmp(param->key, key))
			return param;
	fail();
	return NULL;
}

static void refused(struct tables *tables, const char *expected)
{
	AUTO_FREE char *why = NULL;

	assert_int_not_equal(schema_check_plugin(&tables->plugin, "sample", &why), 0);
	assert_string_equal(why, expected);
}

static void test_good(void **state)
{
	AUTO_FREE char *why = NULL;

	if (schema_check_plugin(&fresh()->plugin, "sample", &why))
		fail_msg("%s", why);
	assert_null(why);
}

static void test_plugin(void **state)
{
	struct tables *tables = fresh();

	tables->plugin.name = "simple";
	refused(tables, "it calls itself 'simple', but its file is 'sample'");
	tables = fresh();
	tables->plugin.version = NULL;
	refused(tables, "plugin 'sample' has no version");
	tables = fresh();
	tables->plugin.summary = "two\nlines";
	refused(tables, "plugin 'sample' has a summary of more than one line");
	tables = fresh();
	tables->plugin.nsources = 0;
	refused(tables, "plugin 'sample' has no sources");
}

static void test_source(void **state)
{
	struct tables *tables = fresh();

	tables->sources[0].name = "other.ports";
	refused(tables, "source 'other.ports' has a name that is not 'sample.WORD'");
	tables = fresh();
	tables->sources[0].name = NULL;
	refused(tables, "source '?' has a name that is not 'sample.WORD'");
	tables = fresh();
	tables->sources[0].observe = NULL;
	refused(tables, "source 'sample.ports' has no observe()");
	tables = fresh();
	tables->sources[0].scope = 3;
	refused(tables, "source 'sample.ports' has the scope 3, which this rdmaspec does not know");
	tables = fresh();
	tables->sources[0].flags = 1 << 20 | RS_PARTIAL;
	refused(tables, "source 'sample.ports' has the flags 0x100000, which this rdmaspec does not know");
	tables = fresh();
	tables->sources[0].nprobes = 33;
	refused(tables, "source 'sample.ports' has 33 probes; 1 to 32 are possible");
	tables = fresh();
	tables->sources[0].name = "sample.sweep";
	refused(tables, "source 'sample.sweep' has the one probe 'sample.ports', which must be of the same name");
	tables = fresh();
	tables->sources[1] = tables->sources[0];
	tables->plugin.nsources = 2;
	refused(tables, "source 'sample.ports' is there twice");
	tables = fresh();
	tables->probes[1] = tables->probes[0];
	tables->sources[0].nprobes = 2;
	refused(tables, "probe 'sample.ports' is there twice");
}

#define SOURCE "source 'sample.ports' "
#define PROBE SOURCE "probe 'sample.ports' "

static void test_probe(void **state)
{
	static const char *const rows[] = {"{device} port {prot}", "{device", "{}", "{device|}", "{guid|device}"};
	struct tables *tables = fresh();

	tables->probes[0].name = "sample.Ports";
	refused(tables, SOURCE "probe 'sample.Ports' has a name that is not 'sample.WORD'");
	tables = fresh();
	tables->probes[0].summary = "\xff";
	refused(tables, PROBE "has a summary that is not UTF-8");
	tables = fresh();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		AUTO_FREE char *expected =
			xasprintf(PROBE "has a row name '%s' with a fact that it does not have", rows[i]);

		tables->probes[0].row = rows[i];
		refused(tables, expected);
	}
	tables = fresh();
	tables->facts[0].name = NULL;
	refused(tables, PROBE "has no facts");
	tables = fresh();
	for (int i = 0; i < 65; i++) {
		static char names[65][8];

		snprintf(names[i], sizeof(names[i]), "f%d", i);
		tables->facts[i] = (struct rs_fact){.name = names[i], .type = RS_TEXT, .doc = "fact"};
	}
	tables->probes[0].row = NULL;
	refused(tables, PROBE "has more than 64 facts");
}

static void test_fact(void **state)
{
	struct tables *tables = fresh();

	tables->facts[1].name = "State";
	refused(tables, PROBE "fact 'State' has a name that is not of lower-case letters, digits and _");
	tables = fresh();
	tables->facts[1].name = "device";
	refused(tables, PROBE "fact 'device' is there twice");
	tables = fresh();
	tables->facts[1].doc = NULL;
	refused(tables, PROBE "fact 'state' has no doc");
	tables = fresh();
	tables->facts[1].choices = NULL;
	refused(tables, PROBE "fact 'state' is an enum without choices");
	tables = fresh();
	tables->facts[2].choices = sample_states;
	refused(tables, PROBE "fact 'lid' has choices, but is no enum");
	tables = fresh();
	tables->facts[3].unit = "Gbit";
	refused(tables, PROBE "fact 'rate' has the unit 'Gbit', which is unknown");
	tables = fresh();
	tables->facts[3].unit = NULL;
	refused(tables, PROBE "fact 'rate' is a quantity without a unit");
	tables = fresh();
	tables->facts[2].unit = "B";
	refused(tables, PROBE "fact 'lid' has the unit 'B', but is no quantity");
	tables = fresh();
	tables->facts[2].type = RS_FILE;
	refused(tables, PROBE "fact 'lid' has the type 11, which no fact can have");
	tables = fresh();
	tables->facts[3].flags = RS_F_HIGHER | RS_F_LOWER;
	refused(tables, PROBE "fact 'rate' is better both higher and lower");
	tables = fresh();
	tables->facts[3].flags = 1 << 20;
	refused(tables, PROBE "fact 'rate' has the flags 0x100000, which this rdmaspec does not know");
}

/* One parameter of the sample with one mistake. */
#define SPOILED(key, change, expected)                                                                                 \
	do {                                                                                                           \
		struct tables *tables_ = fresh();                                                                      \
		struct rs_param *param __attribute__((unused)) = param_of(tables_, key);                               \
		change;                                                                                                \
		refused(tables_, SOURCE "parameter '" expected);                                                       \
	} while (0)

static void test_param(void **state)
{
	static const char *const twice[] = {"a", "b", "a", NULL};

	SPOILED("port", param->key = "Port", "Port' has a name that is not of lower-case letters, digits and _");
	SPOILED("port", param->key = "where", "where' has the name of a judging key");
	SPOILED("port", param->key = "verb", "verb' is there twice");
	SPOILED("port", param->doc = "", "port' has no doc");
	SPOILED("port", param->type = RS_TIME, "port' has the type 10, which no parameter can have");
	SPOILED("port", param->type = 13, "port' has the type 13, which no parameter can have");
	SPOILED("port", param->flags = 8, "port' has the flags 0x8, which this rdmaspec does not know");
	SPOILED("port", param->flags = RS_REQUIRED, "port' is required, and so cannot have a default");
	SPOILED("port", param->value = "0", "port' has a wrong default: 'port' must be between 1 and 254, not 0");
	SPOILED("port", param->value = "x", "port' has a wrong default: port: 'x' is not an integer");
	SPOILED("port", param->min = 255, "port' has a minimum of 255 above its maximum of 254");
	SPOILED("size", param->unit = "KB", "size' has the unit 'KB', which is unknown");
	SPOILED("size", param->unit = NULL, "size' is a quantity without a unit");
	SPOILED("verb", param->choices = NULL, "verb' is an enum without choices");
	SPOILED("verb", param->choices = twice, "verb' has the choice 'a' twice");
	SPOILED("verb", param->max = 1, "verb' has limits, which its type cannot have");
	SPOILED("device", param->min = -1, "device' has a negative minimum");
	SPOILED("names", param->value = "[a, [b]]",
		"names' has a wrong default: 'names' takes a list of values; this is a list");
	SPOILED("port", param->table = "a.b c", "port' names the table of a recorded run, but is no file");
	SPOILED("plan", param->value = "x", "plan' has a default, which its type cannot have");
	SPOILED("links", param->flags = 0, "links' is a struct, but no list of them");
	SPOILED("links", param->fields = NULL, "links' is a struct without fields");
	SPOILED("links", tables_->fields[0].flags |= RS_LIST, "links' field 'from' is a list within a list");
	SPOILED("links", tables_->fields[0].type = RS_STRUCT, "links' field 'from' is a struct within a struct");
	SPOILED("links", tables_->fields[1].key = "from", "links' field 'from' is there twice");
	SPOILED("links", param->fields_size = sizeof(struct sample_link) - 8,
		"links' field 'note' is bound at 32, outside the struct of 32 bytes");
}

/* Where a parameter is bound: outside the struct, it would overwrite what is not the plugin's. */
static void test_offsets(void **state)
{
	struct tables *tables = fresh();

	tables->sources[0].params_size = offsetof(struct sample, nlinks);
	refused(tables, SOURCE "parameter 'links' is bound at 208, outside the struct of 208 bytes");
	SPOILED("port", param->offset = SIZE_MAX - 7,
		"port' is bound at 18446744073709551608, outside the struct of 216 bytes");
	SPOILED("port", param->offset += 1, "port' is bound at 17, which is not aligned to 8");
	SPOILED("qps", param->offset = offsetof(struct sample, port), "qps' is bound over 'port'");
	SPOILED("ports", param->count_offset = offsetof(struct sample, verb), "ports' is bound over 'verb'");
	SPOILED("ports", param->count_offset = param->offset, "ports' has its count where its elements are bound");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	cmocka_unit_test(test_plugin), cmocka_unit_test(test_source),
		cmocka_unit_test(test_probe),	cmocka_unit_test(test_fact),   cmocka_unit_test(test_param),
		cmocka_unit_test(test_offsets),
	};

	/* The offsets in the messages above: the last member is an unsigned at 208. */
	_Static_assert(sizeof(struct sample) == 216 && offsetof(struct sample, nlinks) == 208, "layout of the sample");
	return cmocka_run_group_tests_name("plugin_tables", tests, NULL, NULL);
}
