/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees, includes and variables that are right; what is wrong is in tests/data/bad-yaml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "text/text.h"

/* A tree as one line: {key: value}, [a, b], quoted ones in quotes, "~" behind what comes later. */
static void write_tree(struct buf *out, const struct node *node)
{
	const char *separator = "";

	if (node->kind == NODE_SCALAR) {
		buf_printf(out, node->flags & NODE_QUOTED ? "\"%s\"" : "%s", node->text);
		assert_int_equal(strlen(node->text), node->length);
	} else if (node->kind == NODE_LIST) {
		buf_putc(out, '[');
		NODE_EACH (child, node) {
			buf_puts(out, separator);
			write_tree(out, child);
			separator = ", ";
		}
		buf_putc(out, ']');
	} else {
		buf_putc(out, '{');
		NODE_PAIRS (key, value, node) {
			buf_puts(out, separator);
			write_tree(out, key);
			buf_puts(out, ": ");
			write_tree(out, value);
			separator = ", ";
		}
		buf_putc(out, '}');
	}
	if (node->flags & NODE_LATER)
		buf_putc(out, '~');
}

static void expect_tree(const struct node *node, const char *expected)
{
	AUTO_BUF struct buf out = {0};

	assert_non_null(node);
	write_tree(&out, node);
	assert_string_equal(out.data, expected);
}

static const struct node *parse(struct text *text, const char *data)
{
	struct diags diags = {0};
	const struct node *root = text_parse(text, "test", data, strlen(data), &diags);

	diags_print(&diags, stderr);
	assert_int_equal(diags.errors, 0);
	diags_free(&diags);
	return root;
}

static void expect_parsed(const char *data, const char *expected)
{
	struct text text = {0};

	expect_tree(parse(&text, data), expected);
	text_free(&text);
}

static void test_kinds(void **state)
{
	expect_parsed("a: b", "{a: b}");
	expect_parsed("a:\nb: ''\n", "{a: , b: \"\"}");
	expect_parsed("[a, [b, {c: d}], {}]", "[a, [b, {c: d}], {}]");
	expect_parsed("- a\n- b: c\n  d: e\n-\n", "[a, {b: c, d: e}, ]");
	expect_parsed("a: |\n  one\n  two\nb: >-\n  one\n  two\n", "{a: \"one\ntwo\n\", b: \"one two\"}");
	expect_parsed("x", "x");
	expect_parsed("--- {a: 1}\n...\n", "{a: 1}");
	expect_parsed("%YAML 1.1\n---\na: b\n", "{a: b}");
	expect_parsed("\xef\xbb\xbf"
		      "a: b",
		      "{a: b}");
	expect_parsed("a: b\r\nc: d\r\n", "{a: b, c: d}");
	expect_parsed("? a\n: b\n", "{a: b}");
	expect_parsed("a: {'<<': b}\n", "{a: {\"<<\": b}}");
	expect_parsed("\"\\u00fc\\x7f\\L\": 1", "{\"\xc3\xbc\x7f\xe2\x80\xa8\": 1}");
}

/* The schema types them; here they are what was written. */
static void test_scalars_stay_text(void **state)
{
	expect_parsed("[no, 010, 1:30, 0x0002c9030045f121, 0002:c903:0045:f121, ~, null, 1e3, .5, fe80::1, 5 us]",
		      "[no, 010, 1:30, 0x0002c9030045f121, 0002:c903:0045:f121, ~, null, 1e3, .5, fe80::1, 5 us]");
}

static void expect_place(const struct text *text, const struct node *node, uint32_t line, uint32_t column)
{
	struct place place = node_place(text, node);

	assert_string_equal(place.file, "test");
	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
}

static void test_places(void **state)
{
	struct text text = {0};
	const struct node *root = parse(&text, "# comment\n"
					       "h\xc3\xbc: [\xe2\x82\xac\xf0\x9f\x98\x80, b]\n"
					       "c:\n"
					       "    - d:   'e'\n"
					       "f:\r\n"
					       "g: |\n"
					       "  text\n"
					       "h: i\n");
	const struct node *list = node_get(root, "h\xc3\xbc"), *c = node_get(root, "c");

	expect_place(&text, root, 2, 1);
	expect_place(&text, root->first, 2, 1);
	expect_place(&text, list, 2, 5);
	expect_place(&text, list->first, 2, 6);
	expect_place(&text, list->first->next, 2, 10); /* two characters of three and four bytes before it */
	expect_place(&text, c, 4, 5);
	expect_place(&text, c->first, 4, 7);
	expect_place(&text, node_get(c->first, "d"), 4, 12);
	expect_place(&text, node_get(root, "f"), 5, 3); /* where the value would have been */
	expect_place(&text, node_get(root, "g"), 6, 4);
	expect_place(&text, node_get(root, "h"), 8, 4);
	text_free(&text);
}

static void test_node_get(void **state)
{
	struct text text = {0};
	const struct node *root = parse(&text, "{a: 1, ab: 2, list: [x]}");

	assert_string_equal(node_get(root, "ab")->text, "2");
	assert_string_equal(node_get(root, "a")->text, "1");
	assert_null(node_get(root, "b"));
	assert_null(node_get(root, ""));
	assert_null(node_get(node_get(root, "list"), "x"));
	assert_null(node_get(NULL, "x"));
	assert_int_equal(root->length, 6);
	assert_int_equal(node_get(root, "list")->length, 1);
	text_free(&text);
}

static void test_depth(void **state)
{
	struct text text = {0};
	struct diags diags = {0};
	char data[200];

	for (int depth = 64; depth <= 65; depth++) {
		memset(data, '[', (size_t)depth);
		memset(data + depth, ']', (size_t)depth);
		assert_int_equal(text_parse(&text, "test", data, 2 * (size_t)depth, &diags) != NULL, depth == 64);
	}
	assert_int_equal(diags.count, 1);
	assert_string_equal(diags.items[0].text, "nested deeper than 64 levels");
	assert_int_equal(diags.items[0].place.column, 65);
	diags_free(&diags);
	text_free(&text);
}

static void test_many_keys(void **state)
{
	struct text text = {0};
	AUTO_BUF struct buf data = {0};
	struct diags diags = {0};

	for (int i = 0; i < 20000; i++)
		buf_printf(&data, "k%d: %d\n", i, i);
	assert_non_null(text_parse(&text, "test", data.data, data.length, &diags));
	assert_int_equal(diags.errors, 0);
	buf_puts(&data, "k7: x\nk19999: y\nk7: z\n");
	assert_null(text_parse(&text, "test", data.data, data.length, &diags));
	assert_int_equal(diags.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(diags.items[i].text, "is here twice; the first one is at line "));
	diags_free(&diags);
	text_free(&text);
}

/* ---- $(name) ---- */

static const struct variable plain[] = {
	{.name = "a", .value = "1"},
	{.name = "empty", .value = ""},
	{.name = "dollar", .value = "$(a) $$ $"},
	{.name = "yaml", .value = "]} #: x"},
	{.name = "later"},
	{.name = "pattern", .pattern = "<$(later)$$>"},
	{.name = "nested", .pattern = "$(pattern)$(pattern)"},
};
static const struct scope scope = {.items = plain, .count = sizeof(plain) / sizeof(plain[0])};

static const struct node *resolve(struct text *text, const struct node *node, const struct scope *in)
{
	struct diags diags = {0};

	node = text_resolve(text, NULL, node, in, &diags);
	diags_print(&diags, stderr);
	assert_int_equal(diags.errors, 0);
	return node;
}

static void expect_resolved(const char *data, const char *expected)
{
	struct text text = {0};

	expect_tree(resolve(&text, parse(&text, data), &scope), expected);
	text_free(&text);
}

static void test_replaced(void **state)
{
	expect_resolved("x$(a)y", "x1y");
	expect_resolved("$(a)$(a)", "11");
	expect_resolved("'$(a)'", "\"1\"");
	expect_resolved("{x: [$(a), b], $(a): {c: $(a)}}", "{x: [1, b], 1: {c: 1}}");
	expect_resolved("$(yaml)", "]} #: x");
	expect_resolved("$(empty)", "\"\""); /* given, if empty */
	expect_resolved("$(dollar)", "$(a) $$ $");
	expect_resolved("[$$, $$(a), $$$(a), $, a$, $a, ^x$, $ (a), '$$$$']",
			"[$, $(a), $1, $, a$, $a, ^x$, $ (a), \"$$\"]");
}

static void test_environment(void **state)
{
	setenv("RDMASPEC_TEST_VALUE", "$(a) \xc3\xbc", 1);
	expect_resolved("<$(env:RDMASPEC_TEST_VALUE)>", "<$(a) \xc3\xbc>");
	setenv("RDMASPEC_TEST_VALUE", "", 1);
	expect_resolved("<$(env:RDMASPEC_TEST_VALUE)>", "<>");
	unsetenv("RDMASPEC_TEST_VALUE");
}

static void test_shared(void **state)
{
	struct text text = {0};
	const struct node *root = parse(&text, "{a: [x, {b: c}], b: $(a), c: {d: e}}"), *copy;

	assert_ptr_equal(resolve(&text, node_get(root, "c"), &scope), node_get(root, "c"));
	copy = resolve(&text, root, &scope);
	assert_ptr_not_equal(copy, root);
	expect_tree(root, "{a: [x, {b: c}], b: $(a), c: {d: e}}");
	expect_tree(copy, "{a: [x, {b: c}], b: 1, c: {d: e}}");
	assert_ptr_equal(node_get(copy, "a")->first, node_get(root, "a")->first);
	assert_int_equal(node_get(copy, "b")->column, node_get(root, "b")->column);
	text_free(&text);
}

static void test_own_arena(void **state)
{
	AUTO_ARENA struct arena arena = {0};
	struct text text = {0};
	const struct node *root = parse(&text, "{a: $(a)}");
	size_t before = arena_size(&text.arena);
	struct diags diags = {0};

	expect_tree(text_resolve(&text, &arena, root, &scope, &diags), "{a: 1}");
	assert_int_equal(arena_size(&text.arena), before);
	assert_true(arena_size(&arena) > 0);
	text_free(&text);
}

/* Half resolved, then again with the value: nothing that a value brought is replaced. */
static void test_later(void **state)
{
	static const struct variable host[] = {{.name = "later", .value = "$(a)"}};
	const struct scope inner = {.items = host, .count = 1, .outer = &scope};
	struct text text = {0};
	const struct node *root = parse(&text, "[x, $(later)-$(a), '$(dollar)$(later)$$', $(nested)$]");
	const struct node *once = resolve(&text, root, &scope);

	expect_tree(once, "[x, $(later)-1~, \"$$(a) $$$$ $$$(later)$$\"~, <$(later)$$><$(later)$$>$$~]~");
	expect_tree(resolve(&text, once, &inner), "[x, $(a)-1, \"$(a) $$ $$(a)$\", <$(a)$><$(a)$>$]");
	expect_tree(resolve(&text, root, &inner), "[x, $(a)-1, \"$(a) $$ $$(a)$\", <$(a)$><$(a)$>$]");
	text_free(&text);
}

static void test_wrong(void **state)
{
	struct text text = {0};
	struct diags diags = {0};
	const struct node *node = parse(&text, "[$(b), $(a)]");

	node = text_resolve(&text, NULL, node, &scope, &diags);
	assert_int_equal(diags.errors, 1);
	assert_true(node->first->flags & NODE_WRONG);
	assert_true(node->first->flags & NODE_LATER);
	expect_tree(node->first->next, "1");
	diags_free(&diags);
	text_free(&text);
}

/* ---- text_load ---- */

struct folder {
	char path[32];
	struct text text;
	struct diags diags;
	struct strings set;
};

static int set_up(void **state)
{
	struct folder *folder = xcalloc(1, sizeof(*folder));

	strcpy(folder->path, "/tmp/rdmaspec-text-XXXXXX");
	if (!mkdtemp(folder->path) || chdir(folder->path))
		return -1;
	*state = folder;
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"main.yaml", "a.yaml", "b.yaml", "sub/c.yaml", "sub/d.yaml"};
	struct folder *folder = *state;

	text_free(&folder->text);
	diags_free(&folder->diags);
	strings_free(&folder->set);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	rmdir("sub");
	if (chdir("/") || rmdir(folder->path))
		return -1;
	free(folder);
	return 0;
}

static void put(const char *name, const char *data)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(data, file);
	fclose(file);
}

static void load(struct folder *folder)
{
	int result = text_load(&folder->text, "main.yaml", &folder->set, &folder->diags);

	diags_print(&folder->diags, stderr);
	assert_int_equal(result, 0);
}

static void expect_var(const struct text *text, const char *name, const char *value, const char *pattern)
{
	for (size_t i = 0; i < text->vars.count; i++) {
		const struct variable *variable = &text->vars.items[i];

		if (strcmp(variable->name, name))
			continue;
		assert_string_equal(variable->value ? variable->value : "NULL", value ? value : "NULL");
		assert_string_equal(variable->pattern ? variable->pattern : "NULL", pattern ? pattern : "NULL");
		return;
	}
	fail_msg("no variable '%s'", name);
}

static void test_include_order(void **state)
{
	struct folder *folder = *state;
	struct text *text = &folder->text;

	mkdir("sub", 0700);
	put("main.yaml", "rdmaspec: 1\ninclude: [a.yaml, sub/c.yaml]\nname: main\nvars: {x: main}\n");
	put("a.yaml", "name: a\ninclude: sub/d.yaml\nvars: {x: a, y: a, z: a}\n");
	put("sub/c.yaml", "include: [d.yaml]\nname: c\nvars: {y: c, w: c}\n");
	put("sub/d.yaml", "name: d\nvars: {x: d, y: d, z: d, w: d, v: d}\n");
	load(folder);
	assert_int_equal(text->ndocuments, 4);
	expect_tree(text->documents[0], "{name: d}"); /* once, though it is included twice */
	expect_tree(text->documents[1], "{name: a}");
	expect_tree(text->documents[2], "{name: c}");
	expect_tree(text->documents[3], "{rdmaspec: 1, name: main}");
	expect_var(text, "x", "main", NULL);
	expect_var(text, "y", "c", NULL); /* of two includes the later one */
	expect_var(text, "z", "a", NULL);
	expect_var(text, "w", "c", NULL);
	expect_var(text, "v", "d", NULL);
	assert_int_equal(text->nfiles, 4);
	assert_string_equal(text->files[0].path, "main.yaml");
	assert_string_equal(node_place(text, text->documents[0]).file, "sub/d.yaml");
	assert_false(text->incomplete);
}

/* printf 'a: b\n' | sha256sum */
static void test_files(void **state)
{
	struct folder *folder = *state;

	put("main.yaml", "a: b\n");
	load(folder);
	assert_int_equal(folder->text.files[0].size, 5);
	assert_string_equal(folder->text.files[0].sha256,
			    "52c9693cf3f219d51ba6af4362ee092c55fb5e6f96d6f9da13c8ede7eff8e71b");
}

static void test_vars(void **state)
{
	struct folder *folder = *state;
	struct text *text = &folder->text;

	setenv("RDMASPEC_TEST_VALUE", "$(a)", 1);
	put("main.yaml", "vars:\n"
			 "  c: $(b)$(b)\n"
			 "  b: $(a)/$$\n"
			 "  a: one\n"
			 "  env: $(env:RDMASPEC_TEST_VALUE)$(a)\n"
			 "  peer: $(b).$(host).$(device)\n"
			 "  peers: $(peer),$(peer)\n"
			 "  device: mlx5_$(a)\n"
			 "  null:\n"
			 "x: $(set)\n");
	strings_add(&folder->set, "a=$(b)=2");
	strings_add(&folder->set, "set=1");
	strings_add(&folder->set, "set=2");
	load(folder);
	unsetenv("RDMASPEC_TEST_VALUE");
	assert_int_equal(folder->diags.warnings, 0);
	expect_var(text, "b", "$(b)=2/$", NULL); /* --set is taken as it is */
	expect_var(text, "c", "$(b)=2/$$(b)=2/$", NULL);
	expect_var(text, "env", "$(a)$(b)=2", NULL);
	expect_var(text, "peer", NULL, "$$(b)=2/$$.$(host).$(device)");
	expect_var(text, "peers", NULL, "$$(b)=2/$$.$(host).$(device),$$(b)=2/$$.$(host).$(device)");
	expect_var(text, "device", "mlx5_$(b)=2", NULL);
	expect_var(text, "null", "", NULL);
	assert_int_equal(text->settings.count, 2);
	assert_string_equal(text->settings.items[1].value, "2");
}

/* Not an error: a name may be for another one of the files. */
static void test_unused_setting(void **state)
{
	struct folder *folder = *state;

	put("main.yaml", "vars: {min_bw: 1, other: $(in_vars)}\ninclude: $(in_include)\nx: {y: [$(in_step)]}\n");
	put("a.yaml", "y: 1\n");
	strings_add(&folder->set, "min_bv=1");
	strings_add(&folder->set, "min_bw=1");
	strings_add(&folder->set, "in_vars=1");
	strings_add(&folder->set, "in_include=a.yaml");
	strings_add(&folder->set, "in_step=1");
	load(folder);
	assert_int_equal(folder->diags.count, 1);
	assert_string_equal(folder->diags.items[0].text,
			    "--set min_bv: nothing uses a variable of that name; did you mean 'min_bw'?");
}

static void test_bad_settings(void **state)
{
	static const char *const bad[] = {"name", "=x", "1a=x", "host=x", "a b=c", "a=\xff"};
	struct folder *folder = *state;

	put("main.yaml", "x: $(a)\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		strings_add(&folder->set, bad[i]);
	assert_int_not_equal(text_load(&folder->text, "main.yaml", &folder->set, &folder->diags), 0);
	assert_int_equal(folder->diags.errors, sizeof(bad) / sizeof(bad[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_scalars_stay_text),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_node_get),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_own_arena),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test_setup_teardown(test_include_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_vars, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unused_setting, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_settings, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
