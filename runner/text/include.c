/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/sha256.h"
#include "text/internal.h"

#define INCLUDES_MAX 64 /* files within one another */

struct identity {
	dev_t device;
	ino_t inode;
};

struct loaded {
	struct identity identity;
	uint16_t file;
};

struct nodes {
	const struct node **items;
	size_t count, capacity;
};

struct loader {
	struct text *text;
	struct diags *diags;
	struct loaded *loaded; /* all files so far */
	size_t nloaded, loaded_capacity;
	size_t open[INCLUDES_MAX]; /* of those, the ones that are being read, the outermost first */
	size_t depth;
	struct nodes vars;     /* the "vars" maps, the weakest first */
	struct nodes includes; /* all entries */
};

static void loader_free(struct loader *loader)
{
	free(loader->loaded);
	free(loader->vars.items);
	free(loader->includes.items);
}

static void nodes_add(struct nodes *nodes, const struct node *node)
{
	GROW(nodes->items, nodes->count, nodes->capacity);
	nodes->items[nodes->count++] = node;
}

/* An entry of "include" that is wrong, or (where @entry is NULL) the first file itself. */
static void refuse(struct loader *loader, const struct node *entry, const char *path, const char *why)
{
	loader->text->incomplete = true;
	if (entry)
		diags_error(loader->diags, node_place(loader->text, entry), "cannot include '%s': %s", path, why);
	else
		diags_error(loader->diags, (struct place){.file = path}, "cannot be read: %s", why);
}

static bool same_file(const struct identity *a, const struct identity *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static void refuse_cycle(struct loader *loader, const struct node *entry, const char *path, size_t from)
{
	AUTO_BUF struct buf why = {0};

	buf_puts(&why, "it includes itself");
	for (size_t i = from; i < loader->depth; i++)
		buf_printf(&why, i == from ? ": %s" : " → %s",
			   loader->text->files[loader->loaded[loader->open[i]].file].path);
	if (loader->depth > from + 1)
		buf_printf(&why, " → %s", loader->text->files[loader->loaded[loader->open[from]].file].path);
	refuse(loader, entry, path, why.data);
}

/* Whether the file is to be read: not where it was, and not where it is being read. */
static bool is_new(struct loader *loader, const struct node *entry, const char *path, const struct identity *identity)
{
	for (size_t i = 0; i < loader->depth; i++) {
		if (!same_file(&loader->loaded[loader->open[i]].identity, identity))
			continue;
		refuse_cycle(loader, entry, path, i);
		return false;
	}
	for (size_t i = 0; i < loader->nloaded; i++)
		if (same_file(&loader->loaded[i].identity, identity))
			return false;
	return true;
}

static const struct node *read_document(struct loader *loader, const char *path, bool standard_input, uint16_t file,
					const struct node *entry)
{
	struct text *text = loader->text;
	AUTO_BUF struct buf bytes = {0};
	AUTO_FREE char *why = NULL;
	struct source source = {.file = file, .path = text->files[file].path};
	const struct node *root = NULL;

	if (read_bounded(standard_input ? NULL : path, &bytes, &why) < 0) {
		refuse(loader, entry, path, why);
		return NULL;
	}
	text->files[file].size = bytes.length;
	sha256_hex(bytes.data, bytes.length, text->files[file].sha256);
	source.data = bytes.data ? bytes.data : "";
	source.length = bytes.length;
	if (scan_bytes(&source, loader->diags) == 0)
		parse_source(text, &source, &root, loader->diags);
	if (root && root->kind != NODE_MAP) {
		diags_error(
			loader->diags, node_place(text, root),
			root->kind == NODE_LIST
				? "a scenario is a map of keys such as 'steps', not a list"
				: "a scenario is a map of keys such as 'steps', not a scalar; is there a blank behind "
				  "each ':'?");
		root = NULL;
	}
	text->incomplete |= !root;
	return root;
}

/* Take a key out of a map; returns its value, or NULL. */
static const struct node *take_key(struct node *map, const char *name)
{
	const struct node **link = &map->first;

	NODE_PAIRS (key, value, map) {
		if (!strcmp(key->text, name)) {
			*link = value->next;
			map->length -= 2;
			return value;
		}
		link = &((struct node *)value)->next;
	}
	return NULL;
}

static void load_file(struct loader *loader, const char *path, bool standard_input, const struct node *entry);

static enum found find_setting(struct expander *expander, const char *name, const char **value)
{
	const struct variable *variable = scope_find(expander->text, &expander->text->settings, name);

	if (!variable) {
		diags_error(expander->diags, expander->place,
			    "files are included before there are vars: $(%s) is known here only by --set", name);
		return FOUND_WRONG;
	}
	*value = variable->value;
	return FOUND_VALUE;
}

static void include_entry(struct loader *loader, const struct node *entry)
{
	struct expander expander = {
		.text = loader->text,
		.diags = loader->diags,
		.place = node_place(loader->text, entry),
		.find = find_setting,
	};
	AUTO_BUF struct buf path = {0};
	const char *slash = strrchr(expander.place.file, '/');
	size_t folder;

	nodes_add(&loader->includes, entry);
	if (entry->kind != NODE_SCALAR || !entry->length) {
		diags_error(loader->diags, expander.place, "'include' takes names of files");
		return;
	}
	if (entry->flags & NODE_WRONG)
		return;
	buf_add(&path, expander.place.file, slash ? (size_t)(slash + 1 - expander.place.file) : 0);
	folder = path.length;
	if (expand(&expander, entry->text, &path) != FOUND_VALUE) {
		loader->text->incomplete = true;
		return;
	}
	load_file(loader, path.data + (path.data[folder] == '/' ? folder : 0), false, entry);
}

static void take_include(struct loader *loader, struct node *root)
{
	const struct node *include = take_key(root, "include");

	if (!include)
		return;
	if (include->kind == NODE_LIST)
		NODE_EACH (entry, include)
			include_entry(loader, entry);
	else
		include_entry(loader, include);
}

static void take_vars(struct loader *loader, struct node *root)
{
	const struct node *vars = take_key(root, "vars");

	if (!vars)
		return;
	if (vars->kind == NODE_MAP)
		nodes_add(&loader->vars, vars);
	else if (vars->kind == NODE_LIST || vars->length)
		diags_error(loader->diags, node_place(loader->text, vars), "'vars' is a map of names to values");
}

static void load_document(struct loader *loader, struct node *root)
{
	struct text *text = loader->text;

	take_include(loader, root);
	take_vars(loader, root);
	GROW(text->documents, text->ndocuments, text->documents_capacity);
	text->documents[text->ndocuments++] = root;
}

static void load_file(struct loader *loader, const char *path, bool standard_input, const struct node *entry)
{
	const struct node *root;
	struct stat stat_buf;
	struct identity identity;
	uint16_t file;

	if (loader->text->nfiles == FILES_MAX || loader->depth == INCLUDES_MAX) {
		refuse(loader, entry, path,
		       loader->depth == INCLUDES_MAX ? "files include one another more than 64 deep"
						     : "more than 65535 files");
		return;
	}
	if (standard_input ? fstat(STDIN_FILENO, &stat_buf) : stat(path, &stat_buf)) {
		refuse(loader, entry, path, strerror(errno));
		text_add_file(loader->text, path);
		return;
	}
	identity = (struct identity){.device = stat_buf.st_dev, .inode = stat_buf.st_ino};
	if (!is_new(loader, entry, path, &identity))
		return;
	file = text_add_file(loader->text, path);
	loader->open[loader->depth++] = loader->nloaded;
	GROW(loader->loaded, loader->nloaded, loader->loaded_capacity);
	loader->loaded[loader->nloaded++] = (struct loaded){identity, file};
	root = read_document(loader, path, standard_input, file, entry);
	if (root)
		load_document(loader, (struct node *)root);
	loader->depth--;
}

int text_load(struct text *text, const char *path, const struct strings *set, struct diags *diags)
{
	__attribute__((cleanup(loader_free))) struct loader loader = {.text = text, .diags = diags};
	size_t before = diags->errors;

	text_settings(text, set, diags);
	load_file(&loader, path, !strcmp(path, "-"), NULL);
	text_vars(text, loader.vars.items, loader.vars.count, diags);
	for (size_t i = 0; i < loader.vars.count; i++)
		nodes_add(&loader.includes, loader.vars.items[i]);
	text_unused_settings(text, loader.includes.items, loader.includes.count, diags);
	return diags->errors > before ? -EINVAL : 0;
}
