/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "text/internal.h"

uint16_t text_add_file(struct text *text, const char *path)
{
	GROW(text->files, text->nfiles, text->files_capacity);
	text->files[text->nfiles] = (struct text_file){.path = arena_text(&text->arena, path, strlen(path))};
	return (uint16_t)text->nfiles++;
}

struct place node_place(const struct text *text, const struct node *node)
{
	return (struct place){.file = text->files[node->file].path, .line = node->line, .column = node->column};
}

const struct node *node_key(const struct node *map, const char *key)
{
	size_t length = strlen(key);

	if (!map || map->kind != NODE_MAP)
		return NULL;
	NODE_PAIRS (name, value, map)
		if (name->length == length && !memcmp(name->text, key, length))
			return name;
	return NULL;
}

const struct node *node_get(const struct node *map, const char *key)
{
	const struct node *name = node_key(map, key);

	return name ? name->next : NULL;
}

void text_free(struct text *text)
{
	arena_free(&text->arena);
	free(text->files);
	free(text->documents);
	*text = (struct text){0};
}
