/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugin/registry.h"

#include <sys/stat.h>

#include "plugin/load.h"
#include "sample.h"

/* A folder of its own for a test, with links to the plugins that were built for it. */
static char *folder;

static void enter(void)
{
	char template[] = "/tmp/rdmaspec-registry-XXXXXX";

	assert_non_null(mkdtemp(template));
	folder = xstrdup(template);
	assert_int_equal(chdir(folder), 0);
}

/* Removes what enter() and have() made. */
static void leave(const char *const *files)
{
	for (; *files; files++)
		assert_int_equal(remove(*files), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
	free(folder);
}

static void have(const char *plugin, const char *as)
{
	AUTO_FREE char *target = xasprintf("%s/tests/unit/plugins/%s.so", getenv("RDMASPEC_BUILD"), plugin);

	assert_int_equal(symlink(target, as), 0);
}

static void no_probe(struct registry *registry, const char *name, const char *expected)
{
	const struct rs_source *source = NULL;
	AUTO_FREE char *why = NULL;

	assert_null(registry_probe(registry, name, &source, &why));
	assert_string_equal(why, expected);
}

static void no_source(struct registry *registry, const char *name, const char *expected)
{
	AUTO_FREE char *why = NULL;

	assert_null(registry_source(registry, name, &why));
	assert_string_equal(why, expected);
}

static void test_probe(void **state)
{
	const struct rs_source *source = NULL;
	const struct rs_plugin *const *plugins;
	const struct rs_probe *probe;
	struct registry *registry;
	char *why = NULL;
	size_t count;

	enter();
	have("good", "good.so");
	registry = registry_new(".");
	assert_string_equal(registry_directory(registry), ".");
	registry_plugins(registry, &count);
	assert_int_equal(count, 0); /* loaded when its first probe is asked for */
	probe = registry_probe(registry, "good.links", &source, &why);
	assert_non_null(probe);
	assert_null(why);
	assert_string_equal(probe->name, "good.links");
	assert_string_equal(source->name, "good.sweep");
	assert_ptr_equal(probe, &source->probes[1]);
	assert_ptr_equal(registry_probe(registry, "good.links", &source, &why), probe);
	assert_ptr_equal(registry_source(registry, "good.sweep", &why), source);
	plugins = registry_plugins(registry, &count);
	assert_int_equal(count, 1);
	assert_string_equal(plugins[0]->version, "1.2");
	assert_ptr_equal(registry_plugin_of(registry, source), plugins[0]);
	assert_null(registry_plugin_of(registry, &sample_source));
	registry_free(registry);
	leave((const char *[]){"good.so", NULL});
}

static void test_unknown_names(void **state)
{
	struct registry *registry;

	enter();
	have("good", "good.so");
	registry = registry_new(".");
	no_probe(registry, "good.prots", "plugin 'good' has no probe 'good.prots'; did you mean 'good.ports'?");
	no_probe(registry, "good.whatever",
		 "plugin 'good' has no probe 'good.whatever'; it has good.ports, good.nodes, good.links");
	no_probe(registry, "god.prots", "there is no plugin 'god'; did you mean 'good.ports'?");
	no_probe(registry, "god.whatever", "there is no plugin 'god'; did you mean 'good'?");
	no_probe(registry, "infiniband.ports", "there is no plugin 'infiniband' in '.'");
	no_probe(registry, "ports", "'ports' is not the name of a probe: PLUGIN.PROBE, such as ib.ports");
	no_probe(registry, "../good.ports",
		 "'../good.ports' is not the name of a probe: PLUGIN.PROBE, such as ib.ports");
	no_probe(registry, ".ports", "'.ports' is not the name of a probe: PLUGIN.PROBE, such as ib.ports");
	no_probe(registry, "", "'' is not the name of a probe: PLUGIN.PROBE, such as ib.ports");
	no_source(registry, "good.nodes", "plugin 'good' has no source 'good.nodes'");
	no_source(registry, "god.sweep", "there is no plugin 'god'; did you mean 'good'?");
	registry_free(registry);
	leave((const char *[]){"good.so", NULL});
}

static void test_broken_files(void **state)
{
	struct registry *registry;

	enter();
	have("abi", "abi.so");
	have("next", "next.so");
	have("nosymbol", "nosymbol.so");
	have("named", "named.so");
	have("future", "future.so");
	sample_file("text.so", "#!/bin/sh\n", 10);
	sample_file("empty.so", "", 0);
	assert_int_equal(symlink("nowhere", "dangling.so"), 0);
	assert_int_equal(mkdir("folder.so", 0700), 0);
	assert_int_equal(mkfifo("fifo.so", 0600), 0);
	registry = registry_new(folder);
#define REFUSED(name, reason)                                                                                          \
	do {                                                                                                           \
		AUTO_FREE char *expected = xasprintf("'%s/" name ".so' cannot be loaded: " reason, folder);            \
		no_probe(registry, name ".ports", expected);                                                           \
		no_probe(registry, name ".ports", expected); /* and again, without another try */                      \
	} while (0)
	REFUSED("abi", "it is built for plugin interface 7, this rdmaspec has interface 1");
	REFUSED("next",
		"it is built for plugin interface 2 (rs_plugin_v2), this rdmaspec has interface 1 (rs_plugin_v1)");
	REFUSED("nosymbol", "it is no rdmaspec plugin: it has no symbol rs_plugin_v1");
	REFUSED("named", "it calls itself 'other', but its file is 'named'");
	REFUSED("future", "undefined symbol: rs_of_the_future");
	REFUSED("text", "file too short");
	REFUSED("empty", "file too short");
	REFUSED("dangling", "it is a symbolic link to a file that is not there");
	REFUSED("folder", "it is a directory");
	REFUSED("fifo", "it is no regular file");
	registry_free(registry);
	leave((const char *[]){"abi.so", "next.so", "nosymbol.so", "named.so", "future.so", "text.so", "empty.so",
			       "dangling.so", "folder.so", "fifo.so", NULL});
}

/* Everything of a folder, and what cannot be loaded said once each. */
static void test_load_all(void **state)
{
	const struct rs_plugin *const *plugins;
	struct diags diags = {0};
	struct registry *registry;
	AUTO_FREE char *said = NULL;
	size_t count;

	enter();
	have("newer", "newer.so");
	have("good", "good.so");
	have("abi", "abi.so");
	have("good", "Good Bye.so");
	sample_file("README", "text", 4);
	registry = registry_new(".");
	assert_int_not_equal(registry_load_all(registry, &diags), 0);
	said = sample_said(&diags);
	assert_string_equal(
		said, "error: './Good Bye.so' is not called as a plugin can be: lower-case letters, digits and _, "
		      "then .so\n"
		      "error: './abi.so' cannot be loaded: it is built for plugin interface 7, this rdmaspec has "
		      "interface 1\n");
	diags_free(&diags);
	plugins = registry_plugins(registry, &count);
	assert_int_equal(count, 2);
	assert_string_equal(plugins[0]->name, "good");
	assert_string_equal(plugins[1]->name, "newer");
	registry_free(registry);
	leave((const char *[]){"newer.so", "good.so", "abi.so", "Good Bye.so", "README", NULL});
}

/* The layout of a build tree: a folder a plugin, with other things in it. */
static void test_nested(void **state)
{
	const struct rs_plugin *const *plugins;
	struct diags diags = {0};
	struct registry *registry;
	size_t count;

	enter();
	assert_int_equal(mkdir("good", 0700), 0);
	assert_int_equal(mkdir("support", 0700), 0);
	have("good", "good/good.so");
	sample_file("meson-info.so.p", "", 0);
	registry = registry_new(".");
	assert_int_equal(registry_load_all(registry, &diags), 0);
	plugins = registry_plugins(registry, &count);
	assert_int_equal(count, 1);
	assert_string_equal(plugins[0]->name, "good");
	registry_free(registry);
	leave((const char *[]){"good/good.so", "good", "support", "meson-info.so.p", NULL});
}

static void test_empty_folder(void **state)
{
	struct diags diags = {0};
	struct registry *registry;
	AUTO_FREE char *said = NULL;

	enter();
	registry = registry_new(".");
	no_probe(registry, "ib.ports", "there is no plugin 'ib': no plugins in '.'");
	assert_int_not_equal(registry_load_all(registry, &diags), 0);
	registry_free(registry);
	registry = registry_new("./none");
	no_probe(registry, "ib.ports", "there is no plugin 'ib': no plugins in './none'");
	assert_int_not_equal(registry_load_all(registry, &diags), 0);
	registry_free(registry);
	said = sample_said(&diags);
	assert_string_equal(said, "error: no plugins in '.'\n"
				  "error: the plugin directory './none' cannot be read: No such file or directory\n");
	diags_free(&diags);
	leave((const char *[]){NULL});
}

static void test_directory_order(void **state)
{
	struct registry *registry;
	AUTO_FREE char *build = xasprintf("%s/plugins", getenv("RDMASPEC_BUILD"));

	assert_int_equal(setenv("RDMASPEC_PLUGIN_DIR", "/from/the/environment", 1), 0);
	registry = registry_new("/given");
	assert_string_equal(registry_directory(registry), "/given");
	registry_free(registry);
	registry = registry_new(NULL);
	assert_string_equal(registry_directory(registry), "/from/the/environment");
	registry_free(registry);
	/* This program is in a build tree. */
	assert_int_equal(unsetenv("RDMASPEC_PLUGIN_DIR"), 0);
	registry = registry_new(NULL);
	assert_string_equal(registry_directory(registry), build);
	registry_free(registry);
}

/* Structs that have grown at their ends since: what we know of them is what counts. */
static void test_newer(void **state)
{
	const struct rs_source *source = NULL;
	const struct rs_probe *probe;
	struct registry *registry;
	char *why = NULL;

	enter();
	have("newer", "newer.so");
	registry = registry_new(".");
	probe = registry_probe(registry, "newer.links", &source, &why);
	assert_non_null(probe);
	assert_string_equal(source->name, "newer.links");
	assert_non_null(source->observe);
	assert_string_equal(registry_plugin_of(registry, source)->version, "9");
	registry_free(registry);
	leave((const char *[]){"newer.so", NULL});
}

static void test_sizes(void **state)
{
	struct rs_plugin plugin = {.abi = RS_ABI,
				   .size = sizeof(plugin),
				   .source_size = sizeof(struct rs_source),
				   .sources = &sample_source,
				   .nsources = 1};
	AUTO_ARENA struct arena arena = {0};
	char *why = NULL, expected[64];

	/* As our own header has it: used as it is. */
	assert_ptr_equal(plugin_adapt(&plugin, &arena, &why), &plugin);
	/* Smaller than the first header of this major version: there never was such a plugin. */
	plugin.source_size = offsetof(struct rs_source, observe);
	assert_null(plugin_adapt(&plugin, &arena, &why));
	/* struct rs_plugin: 3 * 4 bytes, 4 of padding, 3 names, a table, a size: 56; struct rs_source: 8 * 8 */
	assert_string_equal(why, "its structs have 56 and 56 bytes, plugin interface 1 has at least 56 and 64");
	free(why);
	plugin.source_size = sizeof(struct rs_source) + 1;
	assert_null(plugin_adapt(&plugin, &arena, &why));
	snprintf(expected, sizeof(expected), "its source struct has %u bytes, which cannot be", plugin.source_size);
	assert_string_equal(why, expected);
	free(why);
	plugin.abi = 0;
	assert_null(plugin_adapt(&plugin, &arena, &why));
	assert_string_equal(why, "it is built for plugin interface 0, this rdmaspec has interface 1");
	free(why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_probe),		cmocka_unit_test(test_unknown_names),
		cmocka_unit_test(test_broken_files),	cmocka_unit_test(test_load_all),
		cmocka_unit_test(test_nested),		cmocka_unit_test(test_empty_folder),
		cmocka_unit_test(test_directory_order), cmocka_unit_test(test_newer),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
