/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "judge/table.h"

#define TABLES (sizeof(((struct observation *)0)->tables) / sizeof(struct table *))

struct observation *observation_new(const struct rs_source *source, const char *host, const char *params)
{
	struct observation *observation = xcalloc(1, sizeof(*observation));

	observation->references = 1;
	observation->source = source;
	observation->host = host ? xstrdup(host) : NULL;
	observation->params = params ? xstrdup(params) : NULL;
	return observation;
}

struct observation *observation_ref(struct observation *observation)
{
	observation->references++;
	return observation;
}

static void free_evidence(struct evidence *evidence)
{
	free(evidence->name);
	buf_free(&evidence->head);
	buf_free(&evidence->tail);
}

void observation_unref(struct observation *observation)
{
	size_t i;

	if (!observation || --observation->references)
		return;
	for (i = 0; i < TABLES; i++)
		table_free(observation->tables[i]);
	for (i = 0; i < observation->nevidence; i++)
		free_evidence(&observation->evidence[i]);
	free(observation->evidence);
	strings_free(&observation->notes);
	free(observation->host);
	free(observation->server);
	free(observation->params);
	free(observation->error);
	free(observation->incomplete);
	free(observation->log);
	free(observation);
}

struct table *observation_table(const struct observation *observation, const struct rs_probe *probe)
{
	size_t i;

	for (i = 0; i < TABLES; i++) {
		if (observation->tables[i] && observation->tables[i]->probe == probe)
			return observation->tables[i];
	}
	return NULL;
}

static struct evidence *named_evidence(struct observation *observation, const char *name)
{
	struct evidence *evidence;
	size_t i;

	for (i = 0; i < observation->nevidence; i++)
		if (!strcmp(observation->evidence[i].name, name))
			return &observation->evidence[i];
	observation->evidence = xrealloc(observation->evidence, observation->nevidence + 1, sizeof(*evidence));
	evidence = &observation->evidence[observation->nevidence++];
	*evidence = (struct evidence){.name = xstrdup(name)};
	return evidence;
}

/* The last @keep of the bytes in @tail followed by @data. */
static void keep_last(struct buf *tail, const char *data, size_t length, size_t keep)
{
	if (length >= keep) {
		buf_clear(tail);
		data += length - keep;
		length = keep;
	} else if (tail->length + length > keep) {
		size_t drop = tail->length + length - keep;

		memmove(tail->data, tail->data + drop, tail->length - drop);
		tail->length -= drop;
	}
	buf_add(tail, data, length);
}

void observation_add_evidence(struct observation *observation, const char *name, const void *data, size_t length)
{
	struct evidence *evidence = named_evidence(observation, name);
	struct buf *head = &evidence->head;
	size_t room = 2 * EVIDENCE_KEPT - head->length;
	const char *bytes = data;

	if (!length)
		return;
	evidence->total += length;
	/* As long as nothing is left out, all of it is in the head. */
	if (!evidence->tail.length && length <= room) {
		buf_add(head, bytes, length);
		return;
	}
	if (!evidence->tail.length && head->length > EVIDENCE_KEPT) {
		keep_last(&evidence->tail, head->data + EVIDENCE_KEPT, head->length - EVIDENCE_KEPT, EVIDENCE_KEPT);
		head->length = EVIDENCE_KEPT;
		head->data[head->length] = 0;
	} else if (head->length < EVIDENCE_KEPT) {
		size_t fill = EVIDENCE_KEPT - head->length;

		buf_add(head, bytes, fill);
		bytes += fill;
		length -= fill;
	}
	keep_last(&evidence->tail, bytes, length, EVIDENCE_KEPT);
}

static void append_evidence(struct observation *observation, const struct evidence *other, const char *prefix)
{
	char *name = xasprintf("%s%s", prefix, other->name);
	struct evidence *evidence = named_evidence(observation, name);

	buf_add(&evidence->head, other->head.data, other->head.length);
	buf_add(&evidence->tail, other->tail.data, other->tail.length);
	evidence->total = other->total;
	free(name);
}

void observation_append(struct observation *observation, const struct observation *other, const char *prefix)
{
	for (size_t i = 0; i < other->notes.count; i++) {
		char *note = xasprintf("%s%s", prefix, other->notes.items[i]);

		strings_add(&observation->notes, note);
		free(note);
	}
	for (size_t i = 0; i < other->nevidence; i++)
		append_evidence(observation, &other->evidence[i], prefix);
	if (other->log && !observation->log)
		observation->log = xasprintf("%s%s", prefix, other->log);
}
