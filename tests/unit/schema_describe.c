/* SPDX-License-Identifier: BSD-2-Clause */
/* What is made for people to read: exact for tables of the test's own; and no example of any plugin may be wrong. */
#include "sample.h"

#include "plugin/registry.h"
#include "scenario/scenario.h"
#include "schema/words_of.h"

static const char *const modes[] = {"a|b", "c", NULL};

static const struct rs_param small_fields[] = {
	{"from", RS_TEXT, RS_REQUIRED, .doc = "where it begins"},
	{0},
};

static const struct rs_param small_params[] = {
	{"mode", RS_ENUM, RS_REQUIRED, .choices = modes, .doc = "one of <two>"},
	{"size", RS_QUANTITY, .value = "1 KiB", .min = 1, .max = INT64_MAX, .unit = "B", .doc = "message size"},
	{"ports", RS_INTEGER, RS_LIST, .min = 1, .max = 254, .doc = "ports"},
	{"links", RS_STRUCT, RS_LIST | RS_REQUIRED, .fields = small_fields, .doc = "links"},
	{0},
};

static const struct rs_fact small_facts[] = {
	{"port", RS_INTEGER, RS_F_KEY, .doc = "port number"},
	{"rate", RS_QUANTITY, RS_F_HIGHER, .unit = "Gb/s", .doc = "rate", .observed_by = "needs a *link*"},
	{0},
};

static const struct rs_probe small_probe = {.name = "small.ports", .summary = "small ports", .facts = small_facts};

static const struct rs_source small_source = {
	.name = "small.ports",
	.summary = "small ports",
	.scope = RS_FABRIC,
	.flags = RS_PARTIAL | RS_CHANGES,
	.params = small_params,
	.probes = &small_probe,
	.nprobes = 1,
};

#define EXAMPLE                                                                                                        \
	"  - name: \"small ports\"\n"                                                                                  \
	"    small.ports:\n"                                                                                           \
	"      mode: \"a|b\"\n"                                                                                        \
	"      links: {from: name}\n"                                                                                  \
	"      expect: {rate: {min: 1 Gb/s}}\n"

/* Up to the part that is the same for every probe, and what comes behind it. */
static void test_describe(void **state)
{
	static const char head[] =
		"small.ports: small ports\n"
		"Observed once for the whole fabric, by default on the first host. Changes its host: run needs --allow "
		"small.ports.\n"
		"\nParameters\n"
		"  mode: one of a|b, c; required\n      one of <two>\n"
		"  size: quantity in B, at least 1 B; default: 1 KiB\n      message size\n"
		"  ports: integer, 1 to 254 (one or a list)\n      ports\n"
		"  links: list of maps; required\n      links\n"
		"  links.from: text; required\n      where it begins\n"
		"\nFacts\n"
		"  port: integer (identifies the row)\n      port number\n"
		"  rate: quantity in Gb/s (higher is better)\n      rate\n      Not always observed: needs a *link*.\n"
		"\nJudging\n  where: ";
	static const char tail[] = "\nExample\n" EXAMPLE;
	AUTO_FREE char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	schema_describe(out, &small_source, &small_probe);
	fclose(out);
	assert_int_equal(strncmp(text, head, strlen(head)), 0);
	assert_string_equal(text + size - strlen(tail), tail);
	/* A key for probes that may leave something out, a matcher. */
	assert_non_null(strstr(text, "\n  allow_partial: "));
	assert_non_null(strstr(text, "\n  {not: M}: "));
}

static void test_reference(void **state)
{
	const struct rs_plugin plugin = {
		.name = "small", .version = "1", .summary = "the <small> one", .sources = &small_source, .nsources = 1};
	AUTO_FREE char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	schema_reference(out, &plugin);
	fclose(out);
	/* In a table a bar would end the cell, and what looks like HTML would be taken for it. */
	assert_string_equal(
		text,
		"# Plugin small\n\nthe \\<small\\> one.\n\n## small.ports\n\nsmall ports.\n"
		"Observed once for the whole fabric, by default on the first host. Changes its host: run needs --allow "
		"small.ports.\n\n"
		"| parameter | takes | default | meaning |\n| --- | --- | --- | --- |\n"
		"| `mode` | one of a\\|b, c | required | one of \\<two\\> |\n"
		"| `size` | quantity in B, at least 1 B | `1 KiB` | message size |\n"
		"| `ports` | integer, 1 to 254 (one or a list) |  | ports |\n"
		"| `links` | list of maps | required | links |\n"
		"| `links.from` | text | required | where it begins |\n\n"
		"| fact | type | meaning |\n| --- | --- | --- |\n"
		"| `port` | integer (identifies the row) | port number |\n"
		"| `rate` | quantity in Gb/s (higher is better) | rate. Not always observed: needs a \\*link\\* |\n\n"
		"```yaml\nsteps:\n" EXAMPLE "```\n");
}

/* Every key of the tables is on the page once, with those of maps within maps. */
static void test_reference_scenario(void **state)
{
	static const char *const rows[] = {"\n| `rdmaspec` | ",	       "\n| `hosts[].name` | ",
					   "\n| `steps[].timeout` | ", "\n| `steps[].waive.reason` | ",
					   "\n| `expect` | ",	       "\n| `{min: 180 Gb/s}` | "};
	AUTO_FREE char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	schema_reference_scenario(out);
	fclose(out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *row = strstr(text, rows[i]);

		assert_non_null(row);
		assert_null(strstr(row + 1, rows[i]));
	}
}

static void check_example(struct registry *registry, const struct rs_source *source, const struct rs_probe *probe)
{
	char folder[] = "/tmp/rdmaspec-example-XXXXXX", path[64], beside[64];
	struct scenario scenario = {0};
	AUTO_BUF struct buf yaml = {0};
	struct strings set = {0};
	struct diags diags = {0};
	AUTO_FREE char *said = NULL;
	FILE *file;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/example.yaml", folder);
	snprintf(beside, sizeof(beside), "%s/file.txt", folder); /* what an example gives for a file */
	buf_puts(&yaml, "rdmaspec: 1\nhosts:\n  - {name: \"node-[01-02]\", device: mlx5_0}\nsteps:\n");
	example_step(&yaml, source, probe, 2);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(yaml.data, 1, yaml.length, file), yaml.length);
	assert_int_equal(fclose(file), 0);
	file = fopen(beside, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	scenario_load(&scenario, path, &set, registry, &diags);
	said = sample_said(&diags);
	unlink(path);
	unlink(beside);
	rmdir(folder);
	if (*said)
		fail_msg("%s\n%s", said, yaml.data);
	scenario_free(&scenario);
	diags_free(&diags);
}

static void test_examples(void **state)
{
	struct registry *registry = registry_new(NULL); /* those of the build */
	const struct rs_plugin *const *plugins;
	struct diags diags = {0};
	AUTO_FREE char *said = NULL;
	size_t count;

	registry_load_all(registry, &diags);
	said = sample_said(&diags);
	assert_string_equal(said, "");
	plugins = registry_plugins(registry, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < plugins[i]->nsources; s++)
			for (size_t p = 0; p < plugins[i]->sources[s].nprobes; p++)
				check_example(registry, &plugins[i]->sources[s], &plugins[i]->sources[s].probes[p]);
	diags_free(&diags);
	registry_free(registry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_describe),
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_reference_scenario),
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests_name("schema_describe", tests, NULL, NULL);
}
