/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables as JSON: cells in the forms in which they travel. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "report/json.h"
#include "report/report.h"

static const char *type_name(enum rs_type type)
{
	static const char *const names[] = {
		[RS_TEXT] = "text",	    [RS_INTEGER] = "integer", [RS_UNSIGNED] = "unsigned",
		[RS_NUMBER] = "number",	    [RS_BOOLEAN] = "boolean", [RS_ENUM] = "enum",
		[RS_GUID] = "guid",	    [RS_GID] = "gid",	      [RS_IP] = "ip",
		[RS_QUANTITY] = "quantity", [RS_TIME] = "time",
	};

	return names[type];
}

static json_t *choices_json(const char *const *choices)
{
	json_t *list = json_array();

	for (; *choices; choices++)
		json_array_append_new(list, json_string(*choices));
	return list;
}

json_t *json_facts(const struct rs_probe *probe)
{
	json_t *facts = json_array();

	for (const struct rs_fact *fact = probe->facts; fact->name; fact++) {
		json_t *item = json_pack("{s:s, s:s}", "name", fact->name, "type", type_name(fact->type));

		if (fact->unit)
			json_object_set_new(item, "unit", json_string(fact->unit));
		if (fact->type == RS_ENUM)
			json_object_set_new(item, "choices", choices_json(fact->choices));
		if (fact->type == RS_ENUM && fact->flags & RS_F_ORDERED)
			json_object_set_new(item, "ordered", json_true());
		if (fact->flags & RS_F_LIST)
			json_object_set_new(item, "list", json_true());
		if (fact->flags & RS_F_KEY)
			json_object_set_new(item, "key", json_true());
		if (fact->flags & RS_F_VOLATILE)
			json_object_set_new(item, "volatile", json_true());
		if (fact->flags & (RS_F_HIGHER | RS_F_LOWER))
			json_object_set_new(item, "better",
					    json_string(fact->flags & RS_F_HIGHER ? "higher" : "lower"));
		json_array_append_new(facts, item);
	}
	return facts;
}

static json_t *scalar(const struct rs_fact *fact, const struct value *value)
{
	char text[INET6_ADDRSTRLEN] = "";

	switch (fact->type) {
	case RS_INTEGER:
	case RS_TIME:
		return json_integer(value->integer);
	case RS_BOOLEAN:
		return json_boolean(value->integer);
	case RS_ENUM:
		return json_string(fact->choices[value->integer]);
	case RS_UNSIGNED:
		snprintf(text, sizeof(text), "%" PRIu64, value->number);
		return json_string(text);
	case RS_GUID:
		snprintf(text, sizeof(text), "0x%016" PRIx64, value->number);
		return json_string(text);
	case RS_GID:
		return json_string(inet_ntop(AF_INET6, value->address, text, sizeof(text)));
	case RS_IP:
		return json_string(
			inet_ntop(value->length == 4 ? AF_INET : AF_INET6, value->address, text, sizeof(text)));
	case RS_TEXT:
		return json_raw_length(value->text, value->length);
	default:
		return json_raw(value->text);
	}
}

/* A cell that was observed; *unknown: it, or an element of it, is a code without a name. */
static json_t *cell(const struct rs_fact *fact, const struct value *value, bool *unknown)
{
	json_t *list;

	switch (value->state) {
	case VALUE_NONE:
		return fact->flags & RS_F_LIST ? json_array() : json_null();
	case VALUE_UNKNOWN:
		*unknown = true;
		return json_raw(value->text ? value->text : "");
	case VALUE_NOT_OBSERVED:
		return json_null();
	default:
		break;
	}
	if (!(fact->flags & RS_F_LIST))
		return scalar(fact, value);
	list = json_array();
	for (uint32_t i = 0; i < value->length; i++) {
		const struct value *item = &value->items[i];

		if (item->state == VALUE_SET) {
			json_array_append_new(list, scalar(fact, item));
		} else {
			*unknown |= item->state == VALUE_UNKNOWN;
			json_array_append_new(list, item->state == VALUE_UNKNOWN
							    ? json_raw(item->text ? item->text : "")
							    : json_null());
		}
	}
	return list;
}

json_t *json_cell(const struct rs_fact *fact, const struct value *value)
{
	bool unknown = false;

	return cell(fact, value, &unknown);
}

json_t *json_row(const struct table *table, size_t row, bool numbered)
{
	json_t *item = json_object(), *facts = json_object(), *unknown = NULL, *missing = NULL;
	const struct value *cells = table_row(table, row);

	if (numbered)
		json_object_set_new_nocheck(item, "row", json_integer((json_int_t)row));
	json_object_set_new_nocheck(item, "facts", facts);
	for (unsigned i = 0; i < table->columns; i++) {
		const struct rs_fact *fact = &table->probe->facts[i];
		bool is_unknown = false;

		if (cells[i].state == VALUE_NOT_OBSERVED) {
			if (!missing)
				missing = json_object();
			json_object_set_new_nocheck(missing, fact->name,
						    json_raw(cells[i].text ? cells[i].text : fact->observed_by));
			continue;
		}
		json_object_set_new_nocheck(facts, fact->name, cell(fact, &cells[i], &is_unknown));
		if (!is_unknown)
			continue;
		if (!unknown)
			unknown = json_array();
		json_array_append_new(unknown, json_string(fact->name));
	}
	if (unknown)
		json_object_set_new_nocheck(item, "unknown", unknown);
	if (missing)
		json_object_set_new_nocheck(item, "not_observed", missing);
	return item;
}

json_t *report_table_json(const struct table *table)
{
	json_t *rows = json_array();

	for (size_t row = 0; row < table->rows; row++)
		json_array_append_new(rows, json_row(table, row, false));
	return json_pack("{s:s, s:o, s:o}", "probe", table->probe->name, "facts", json_facts(table->probe), "rows",
			 rows);
}
