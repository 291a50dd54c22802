/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/emit.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define DEPTH_MAX 16

struct emitter {
	yaml_emitter_t yaml;
	bool lists[DEPTH_MAX];
	unsigned depth;
	bool failed;
};

/* libyaml frees the event, whatever comes of it. */
static void emit(struct emitter *emitter, yaml_event_t *event, int made)
{
	if (!made)
		out_of_memory();
	emitter->failed |= !yaml_emitter_emit(&emitter->yaml, event);
}

struct emitter *emit_open(FILE *out)
{
	struct emitter *emitter = xcalloc(1, sizeof(*emitter));
	yaml_event_t event;

	if (!yaml_emitter_initialize(&emitter->yaml))
		out_of_memory();
	yaml_emitter_set_output_file(&emitter->yaml, out);
	yaml_emitter_set_unicode(&emitter->yaml, 1);
	yaml_emitter_set_width(&emitter->yaml, -1);
	emit(emitter, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	emit(emitter, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
	return emitter;
}

static void begin(struct emitter *emitter, bool list)
{
	if (emitter->depth == DEPTH_MAX)
		abort();
	emitter->lists[emitter->depth++] = list;
}

void emit_map(struct emitter *emitter, bool flow)
{
	yaml_event_t event;

	begin(emitter, false);
	emit(emitter, &event,
	     yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
						 flow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE));
}

void emit_list(struct emitter *emitter, bool flow)
{
	yaml_event_t event;

	begin(emitter, true);
	emit(emitter, &event,
	     yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
						  flow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE));
}

void emit_end(struct emitter *emitter)
{
	yaml_event_t event;

	if (emitter->lists[--emitter->depth])
		emit(emitter, &event, yaml_sequence_end_event_initialize(&event));
	else
		emit(emitter, &event, yaml_mapping_end_event_initialize(&event));
}

void emit_text(struct emitter *emitter, const char *text)
{
	AUTO_BUF struct buf doubled = {0};
	yaml_event_t event;

	for (; *text; text++) {
		if (*text == '$')
			buf_putc(&doubled, '$');
		buf_putc(&doubled, *text);
	}
	emit(emitter, &event,
	     yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *)(doubled.data ? doubled.data : ""),
					  (int)doubled.length, 1, 1, YAML_ANY_SCALAR_STYLE));
}

bool emit_able(const char *text, size_t length)
{
	if (length > INT_MAX / 2 || !utf8_valid(text, length))
		return false;
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return true;
}

int emit_close(struct emitter *emitter)
{
	yaml_event_t event;
	bool failed;

	emit(emitter, &event, yaml_document_end_event_initialize(&event, 1));
	emit(emitter, &event, yaml_stream_end_event_initialize(&event));
	failed = emitter->failed;
	yaml_emitter_delete(&emitter->yaml);
	free(emitter);
	return failed ? -EIO : 0;
}
