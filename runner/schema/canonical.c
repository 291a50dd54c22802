/* SPDX-License-Identifier: BSD-2-Clause */
/* Checked parameters as one line of JSON that is the same for the same meaning, however they were written. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "schema/internal.h"

struct canonical {
	const struct text *text;
	struct text scratch; /* of defaults that are lists */
	struct arena arena;
	struct buf out;
	struct buf word;
	struct diags *diags;
	bool bad;
};

/* What JSON or YAML would not take as it is, within double quotes on one line. */
static bool is_plain(uint32_t character)
{
	if (character < 0x7f)
		return character >= 0x20 && character != '"' && character != '\\';
	return character >= 0xa0 && character != 0x2028 && character != 0x2029 && /* line breaks in YAML */
	       character != 0xfeff && character != 0xfffe && character != 0xffff; /* not allowed there */
}

static void escape(struct buf *out, uint32_t character)
{
	static const char named[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};

	if (character == '"' || character == '\\') {
		buf_putc(out, '\\');
		buf_putc(out, (char)character);
	} else if (character < sizeof(named) && named[character]) {
		buf_putc(out, '\\');
		buf_putc(out, named[character]);
	} else {
		buf_printf(out, "\\u%04x", (unsigned)character);
	}
}

void quoted(struct buf *out, const char *text, size_t length)
{
	size_t start = 0, step;

	buf_putc(out, '"');
	for (size_t i = 0; i < length; i += step) {
		uint32_t character = (unsigned char)text[i];

		step = character < 0x80 ? 1 : utf8_next(text + i, length - i, &character);
		if (!step) { /* no text of ours: scenarios and the wire are UTF-8 */
			length = i;
			break;
		}
		if (is_plain(character))
			continue;
		buf_add(out, text + start, i - start);
		escape(out, character);
		start = i + step;
	}
	if (length > start)
		buf_add(out, text + start, length - start);
	buf_putc(out, '"');
}

static void complain(struct canonical *canonical, const struct node *node, char *why)
{
	canonical->bad = true;
	diags_error(canonical->diags, node_place(canonical->text, node), "%s", why);
	free(why);
}

static void write_scalar(struct canonical *canonical, const struct rs_param *param, const struct node *node)
{
	struct buf *word = &canonical->word;
	struct value value;
	char *why = NULL;

	buf_clear(word);
	if (param->type == RS_FILE) {
		AUTO_BUF struct buf contents = {0};

		if (param_file(canonical->text, param, node, &contents, &why)) {
			complain(canonical, node, why);
			return;
		}
		utf8_escape(word, contents.data, contents.length);
	} else if (param_scalar(param, node->text, node->length, &canonical->arena, &value, &why)) {
		complain(canonical, node, why);
		return;
	} else if (param->type == RS_TEXT) {
		quoted(&canonical->out, node->text, node->length);
		return;
	} else {
		param_write(word, param, &value);
	}
	quoted(&canonical->out, word->data, word->length);
}

static void write_fields(struct canonical *canonical, const struct rs_param *params, const struct node *map);

static void write_element(struct canonical *canonical, const struct rs_param *param, const struct node *node)
{
	if (param->type == RS_STRUCT)
		write_fields(canonical, param->fields, node);
	else
		write_scalar(canonical, param, node);
}

static void write_list(struct canonical *canonical, const struct rs_param *param, const struct node *node)
{
	buf_putc(&canonical->out, '[');
	if (node->kind != NODE_LIST) {
		write_element(canonical, param, node);
	} else {
		NODE_EACH (item, node) {
			if (item != node->first)
				buf_putc(&canonical->out, ',');
			write_element(canonical, param, item);
		}
	}
	buf_putc(&canonical->out, ']');
}

static void write_fields(struct canonical *canonical, const struct rs_param *params, const struct node *map)
{
	bool first = true;

	buf_putc(&canonical->out, '{');
	for (const struct rs_param *param = params; param && param->key; param++) {
		struct node fill;
		const struct node *node = param_node(&canonical->scratch, map, param, &fill);

		/* An empty list without a default is bound like one that was not given. */
		if (!node || (node->kind == NODE_LIST && !node->length && !param->value))
			continue;
		buf_printf(&canonical->out, "%s\"%s\":", first ? "" : ",", param->key);
		first = false;
		if (param->flags & RS_LIST)
			write_list(canonical, param, node);
		else
			write_scalar(canonical, param, node);
	}
	buf_putc(&canonical->out, '}');
}

char *schema_canonical(const struct text *text, const struct rs_source *source, const struct node *map,
		       struct diags *diags)
{
	struct canonical canonical = {.text = text, .diags = diags};

	write_fields(&canonical, source->params, map);
	arena_free(&canonical.arena);
	text_free(&canonical.scratch);
	buf_free(&canonical.word);
	if (canonical.bad)
		buf_free(&canonical.out);
	return canonical.bad ? NULL : buf_take(&canonical.out);
}

static int64_t milliseconds(const struct rs_param *param, const char *text)
{
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;
	struct value value;

	if (!text || value_parse(value_type_of_param(param), text, strlen(text), &arena, &value, &why))
		return 0;
	return (int64_t)(value_number(value_type_of_param(param), &value) * 1000);
}

int64_t schema_extra_ms(const struct rs_source *source, const char *canonical)
{
	json_t *params = NULL;
	int64_t extra = 0;

	for (const struct rs_param *param = source->params; param && param->key; param++) {
		if (!(param->flags & RS_ADDS_TIME))
			continue;
		params = params ? params : json_loads(canonical, 0, NULL);
		extra += milliseconds(param, json_string_value(json_object_get(params, param->key)));
	}
	json_decref(params);
	return extra;
}
