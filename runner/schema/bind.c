/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parameters into the plugin's struct, by a libcyaml schema that is put together from the plugin's own table. libcyaml
 * only fills structs here: what it would refuse, or silently misread, has been sorted out before.
 */
#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "schema/emit.h"
#include "schema/internal.h"

/* struct binding - what is kept until the struct is freed: libcyaml finds what it allocated through the schema */
struct binding {
	struct arena arena;
	cyaml_config_t config;
	cyaml_schema_value_t schema;
	struct buf log;
};

static const enum cyaml_type types[] = {
	[RS_TEXT] = CYAML_STRING,  [RS_INTEGER] = CYAML_INT,	[RS_UNSIGNED] = CYAML_UINT, [RS_NUMBER] = CYAML_FLOAT,
	[RS_BOOLEAN] = CYAML_BOOL, [RS_ENUM] = CYAML_ENUM,	[RS_GUID] = CYAML_UINT,	    [RS_GID] = CYAML_STRING,
	[RS_IP] = CYAML_STRING,	   [RS_QUANTITY] = CYAML_FLOAT, [RS_FILE] = CYAML_STRING,   [RS_STRUCT] = CYAML_MAPPING,
};

static const cyaml_schema_field_t *fields_of(struct arena *arena, const struct rs_param *params);

static void set_enumeration(struct arena *arena, cyaml_schema_value_t *value, const char *const *choices)
{
	cyaml_strval_t *strings;
	uint32_t count = 0;

	while (choices[count])
		count++;
	strings = arena_alloc(arena, count * sizeof(*strings));
	for (uint32_t i = 0; i < count; i++)
		strings[i] = (cyaml_strval_t){.str = choices[i], .val = i};
	value->enumeration.strings = strings;
	value->enumeration.count = count;
}

/* One value; for a list, one element of it. */
static cyaml_schema_value_t value_of(struct arena *arena, const struct rs_param *param)
{
	cyaml_schema_value_t value = {
		.type = types[param->type],
		.flags = CYAML_FLAG_STRICT,
		.data_size = (uint32_t)param_size(param),
	};

	if (value.type == CYAML_STRING) {
		value.flags |= CYAML_FLAG_POINTER;
		value.data_size = sizeof(char);
		value.string.max = CYAML_UNLIMITED;
	} else if (value.type == CYAML_ENUM) {
		set_enumeration(arena, &value, param->choices);
	} else if (value.type == CYAML_MAPPING) {
		value.mapping.fields = fields_of(arena, param->fields);
	}
	return value;
}

static cyaml_schema_value_t list_of(struct arena *arena, const struct rs_param *param)
{
	cyaml_schema_value_t *entry = arena_alloc(arena, sizeof(*entry));

	*entry = value_of(arena, param);
	return (cyaml_schema_value_t){
		.type = CYAML_SEQUENCE,
		.flags = CYAML_FLAG_POINTER,
		.data_size = (uint32_t)param_size(param),
		.sequence = {.entry = entry, .min = 0, .max = CYAML_UNLIMITED},
	};
}

static const cyaml_schema_field_t *fields_of(struct arena *arena, const struct rs_param *params)
{
	cyaml_schema_field_t *fields;
	size_t count = 0;

	while (params && params[count].key)
		count++;
	fields = arena_alloc(arena, (count + 1) * sizeof(*fields));
	for (size_t i = 0; i < count; i++) {
		const struct rs_param *param = &params[i];
		bool list = param->flags & RS_LIST;

		fields[i].key = param->key;
		fields[i].data_offset = (uint32_t)param->offset;
		fields[i].count_offset = list ? (uint32_t)param->count_offset : 0;
		fields[i].count_size = list ? sizeof(unsigned) : 0;
		fields[i].value = list ? list_of(arena, param) : value_of(arena, param);
		if (param_by_pointer(param))
			fields[i].value.flags |= CYAML_FLAG_POINTER;
		if (!(param->flags & RS_REQUIRED))
			fields[i].value.flags |= CYAML_FLAG_OPTIONAL;
	}
	return fields;
}

static void keep_log(cyaml_log_t level, void *context, const char *format, va_list args)
{
	struct binding *binding = context;

	buf_vprintf(&binding->log, format, args);
}

static struct binding *binding_new(const struct rs_source *source)
{
	struct binding *binding = xcalloc(1, sizeof(*binding));

	binding->config = (cyaml_config_t){
		.log_fn = keep_log,
		.log_ctx = binding,
		.log_level = CYAML_LOG_ERROR,
		.mem_fn = cyaml_mem,
		.flags = CYAML_CFG_NO_ALIAS,
	};
	binding->schema = (cyaml_schema_value_t){
		.type = CYAML_MAPPING,
		.flags = CYAML_FLAG_POINTER,
		.data_size = (uint32_t)source->params_size,
		.mapping = {.fields = fields_of(&binding->arena, source->params)},
	};
	return binding;
}

static void binding_free(struct binding *binding)
{
	arena_free(&binding->arena);
	buf_free(&binding->log);
	free(binding);
}

/* Where in the parameters the line of libcyaml's backtrace came from; 0 where it names none. */
static unsigned column_of(const struct binding *binding, const struct emit *emit)
{
	const char *at = binding->log.data ? strstr(binding->log.data, "(line: ") : NULL;
	size_t line = at ? strtoul(at + strlen("(line: "), NULL, 10) : 0;

	return line && line <= emit->nlines ? emit->lines[line - 1]->column : 0;
}

static int refused(struct binding *binding, const struct emit *emit, const struct rs_source *source, cyaml_err_t error,
		   struct diag *diag)
{
	unsigned column = column_of(binding, emit);
	char *end = binding->log.data ? strchr(binding->log.data, '\n') : NULL;

	if (end)
		*end = 0;
	return diag_set(diag, EPROTO, NO_PLACE,
			"internal error: libcyaml refused the checked parameters of '%s' at column %u: %s",
			source->name, column, end ? binding->log.data : cyaml_strerror(error));
}

/* Files came escaped, as YAML takes no arbitrary bytes; what is unescaped is never longer. */
static void unescape_text(char **slot)
{
	AUTO_BUF struct buf bytes = {0};

	if (!*slot || !utf8_unescape(&bytes, *slot, strlen(*slot)))
		return;
	if (bytes.length)
		memcpy(*slot, bytes.data, bytes.length);
	(*slot)[bytes.length] = 0;
}

static void unescape_files(const struct rs_param *params, char *data)
{
	for (const struct rs_param *param = params; param && param->key; param++) {
		bool list = param->flags & RS_LIST;
		char *first = data + param->offset;
		unsigned count = 1;

		if (param->type != RS_FILE && param->type != RS_STRUCT)
			continue;
		if (list) {
			memcpy(&first, data + param->offset, sizeof(first));
			memcpy(&count, data + param->count_offset, sizeof(count));
		}
		for (unsigned i = 0; i < count; i++) {
			if (param->type == RS_STRUCT)
				unescape_files(param->fields, first + i * param->fields_size);
			else
				unescape_text((char **)first + i);
		}
	}
}

static int bind_map(const struct rs_source *source, const struct node *map, struct schema_bound *bound,
		    struct diag *diag)
{
	struct binding *binding = binding_new(source);
	struct emit emit = {0};
	cyaml_err_t error;
	int result = 0;

	emit_params(&emit, source->params, map);
	error = cyaml_load_data((const uint8_t *)emit.out.data, emit.out.length, &binding->config, &binding->schema,
				&bound->params, NULL);
	if (error != CYAML_OK) {
		result = refused(binding, &emit, source, error, diag);
		binding_free(binding);
		bound->params = NULL;
	} else {
		unescape_files(source->params, bound->params);
		bound->cyaml = binding;
	}
	emit_free(&emit);
	return result;
}

static int not_ours(const struct rs_source *source, const struct diags *diags, struct diag *diag)
{
	const struct diag *first = diags->count ? &diags->items[0] : NULL;

	return diag_set(diag, EINVAL, NO_PLACE, "the parameters of '%s' are wrong at column %u: %s", source->name,
			first ? first->place.column : 0, first ? first->text : "no map");
}

int schema_bind(const struct rs_source *source, const char *canonical, struct schema_bound *bound, struct diag *diag)
{
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map;
	int result;

	*bound = (struct schema_bound){0};
	map = text_parse(&text, "parameters", canonical, strlen(canonical), &diags);
	if (!map || check_params(&text, source, map, NULL, true, &diags)) {
		result = not_ours(source, &diags, diag);
	} else if (!source->params || !source->params->key) {
		bound->params = xcalloc(1, source->params_size ? source->params_size : 1);
		result = 0;
	} else {
		result = bind_map(source, map, bound, diag);
	}
	diags_free(&diags);
	text_free(&text);
	return result;
}

void schema_unbind(struct schema_bound *bound)
{
	struct binding *binding = bound->cyaml;

	if (binding) {
		cyaml_free(&binding->config, &binding->schema, bound->params, 0);
		binding_free(binding);
	} else {
		free(bound->params);
	}
	*bound = (struct schema_bound){0};
}
