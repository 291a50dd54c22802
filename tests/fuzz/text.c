/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a scenario: the tree that comes out is whole, and its variables are replaced but once. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

/* Returns the number of nodes. */
static size_t check_tree(const struct text *text, const struct node *node, unsigned depth)
{
	struct place place = node_place(text, node);
	uint32_t children = 0;
	size_t count = 1;

	CHECK(place.line > 0 && place.column > 0);
	if (node->kind == NODE_SCALAR) {
		CHECK(strlen(node->text) == node->length);
		CHECK(utf8_valid(node->text, node->length));
		return count;
	}
	CHECK(depth < DEPTH_MAX);
	NODE_EACH (child, node) {
		count += check_tree(text, child, depth + 1);
		CHECK(!(child->flags & NODE_VARIABLE) || node->flags & NODE_VARIABLE);
		children++;
	}
	CHECK(children == node->length);
	if (node->kind == NODE_MAP)
		NODE_PAIRS (key, value, node)
			CHECK(key->kind == NODE_SCALAR && value);
	return count;
}

/* With a value for every name, nothing waits for one. */
static void check_resolved(const struct node *node)
{
	CHECK(!(node->flags & NODE_VARIABLE));
	CHECK(node->kind != NODE_SCALAR || !(node->flags & NODE_LATER) == !(node->flags & NODE_WRONG));
	if (node->kind != NODE_SCALAR)
		NODE_EACH (child, node)
			check_resolved(child);
}

static bool same_tree(const struct node *a, const struct node *b)
{
	if (a->kind != b->kind || a->length != b->length || a->flags != b->flags)
		return false;
	if (a->kind == NODE_SCALAR)
		return !memcmp(a->text, b->text, a->length);
	for (a = a->first, b = b->first; a && b; a = a->next, b = b->next)
		if (!same_tree(a, b))
			return false;
	return !a && !b;
}

static void resolve(struct text *text, const struct node *root, struct diags *diags)
{
	static const struct variable later[] = {{.name = "host"}, {.name = "address"}, {.name = "device"}};
	static const struct variable given[] = {{.name = "host", .value = "$(device)"},
						{.name = "address", .value = "$$"},
						{.name = "device", .value = ""}};
	const struct node *vars = node_get(root, "vars"), *once, *twice, *direct;
	struct scope host = {.items = later, .count = 3, .outer = &text->vars};
	size_t nodes = check_tree(text, root, 0), before;

	if (vars && vars->kind == NODE_MAP)
		text_vars(text, &vars, 1, diags);
	once = text_resolve(text, NULL, root, &host, diags);
	CHECK(check_tree(text, once, 0) == nodes);
	before = diags->errors;
	host.items = given;
	twice = text_resolve(text, NULL, once, &host, diags);
	CHECK(check_tree(text, twice, 0) == nodes);
	if (before)
		return;
	direct = text_resolve(text, NULL, root, &host, diags);
	if (diags->errors) /* too long, or keys that are equal now */
		return;
	check_resolved(twice);
	CHECK(same_tree(twice, direct));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text text = {0};
	struct diags diags = {0};
	const struct node *root = text_parse(&text, "input", (const char *)data, size, &diags);
	char *said = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&said, &length);

	CHECK(!root == !!diags.errors);
	if (root)
		resolve(&text, root, &diags);
	diags_print(&diags, out);
	fclose(out);
	CHECK(utf8_valid(said, length));
	free(said);
	diags_free(&diags);
	text_free(&text);
	return 0;
}
