/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "report/json.h"

static json_t *finding_json(const struct finding *finding)
{
	json_t *item = json_pack("{s:s, s:o}", "verdict", verdict_name(finding->verdict), "sentence",
				 json_raw(finding->sentence));

	if (finding->row)
		json_object_set_new(item, "row", json_raw(finding->row));
	if (finding->row_number != SIZE_MAX)
		json_object_set_new(item, "row_number", json_integer((json_int_t)finding->row_number));
	if (finding->fact)
		json_object_set_new(item, "fact", json_string(finding->fact));
	if (finding->expected)
		json_object_set_new(item, "expected", json_raw(finding->expected));
	if (finding->observed)
		json_object_set_new(item, "observed", json_raw(finding->observed));
	if (finding->place.file)
		json_object_set_new(item, "place", json_place(finding->place));
	return item;
}

/* A line a row: a table of a large fabric is never held as a whole. */
static void write_rows(struct json_stream *stream, const struct table *table, const struct judgement *judgement)
{
	json_open(stream, "rows", '[');
	for (size_t row = 0; table && row < table->rows; row++)
		if (view_kept(judgement, row))
			json_member(stream, NULL, json_row(table, row, true));
	json_close(stream, ']');
}

static void write_attempt(struct json_stream *stream, const struct rs_probe *probe,
			  const struct result_attempt *attempt, struct pointers *observations)
{
	const struct judgement *judgement = &attempt->judgement;

	json_open(stream, NULL, '{');
	json_member(stream, "verdict", json_string(verdict_name(judgement->verdict)));
	json_member(stream, "sentence", json_raw(view_attempt_sentence(attempt)));
	json_member(stream, "seconds", json_seconds(attempt->seconds));
	json_member(stream, "observation",
		    attempt->observation
			    ? json_integer((json_int_t)pointers_add(observations, attempt->observation, NULL))
			    : json_null());
	json_member(stream, "rows_observed", json_integer((json_int_t)judgement->rows));
	json_member(stream, "rows_kept", json_integer((json_int_t)judgement->rows_kept));
	json_member(stream, "rows_offending", json_integer((json_int_t)judgement->offending_rows));
	json_open(stream, "findings", '[');
	for (size_t i = 0; i < judgement->nfindings; i++)
		json_member(stream, NULL, finding_json(&judgement->findings[i]));
	json_close(stream, ']');
	write_rows(stream, view_table(attempt, probe), judgement);
	json_close(stream, '}');
}

void json_case(struct json_stream *stream, const struct result_step *step, const struct result_case *result,
	       struct pointers *observations)
{
	json_open(stream, NULL, '{');
	json_member(stream, "name", json_raw(result->name));
	json_member(stream, "label", json_raw(result->label ? result->label : ""));
	json_member(stream, "run", result->run ? json_integer(result->run) : json_null());
	json_member(stream, "across", json_boolean(result->across));
	json_member(stream, "verdict", json_string(verdict_name(result->verdict)));
	json_member(stream, "judged", json_string(verdict_name(result->raw)));
	json_member(stream, "gating", json_boolean(result->gating));
	json_member(stream, "reason", json_raw(result->reason));
	json_member(stream, "note", json_raw(result->note));
	json_member(stream, "seconds", json_seconds(result->seconds));
	json_open(stream, "attempts", '[');
	for (size_t i = 0; i < result->nattempts; i++)
		write_attempt(stream, step->plan->step->probe.probe, &result->attempts[i], observations);
	json_close(stream, ']');
	json_close(stream, '}');
}

static json_t *evidence_json(const struct evidence *evidence)
{
	json_t *item = json_pack(
		"{s:o, s:I, s:o}", "name", json_raw(evidence->name), "bytes", (json_int_t)evidence->total, "head",
		json_raw_length(evidence->head.data ? evidence->head.data : "", evidence->head.length));

	if (evidence->tail.length)
		json_object_set_new(item, "tail", json_raw_length(evidence->tail.data, evidence->tail.length));
	return item;
}

/* The parameters travel as canonical JSON: they are embedded as what they are. */
static json_t *parameters_json(const char *params)
{
	json_t *value = params ? json_loads(params, 0, NULL) : NULL;

	return value ? value : json_object();
}

void json_observation(struct json_stream *stream, const struct observation *observation)
{
	json_open(stream, NULL, '{');
	json_member(stream, "host", json_raw(observation->host));
	json_member(stream, "server", json_raw(observation->server));
	json_member(stream, "source", json_string(observation->source->name));
	json_member(stream, "parameters", parameters_json(observation->params));
	json_member(stream, "started", json_time(observation->started));
	json_member(stream, "seconds", json_seconds(observation->seconds));
	json_member(stream, "error",
		    observation->error ? json_pack("{s:s, s:o}", "reason", view_reason(observation->reason), "text",
						   json_raw(observation->error))
				       : json_null());
	json_member(stream, "incomplete", json_raw(observation->incomplete));
	json_member(stream, "notes",
		    json_raw_list((const char *const *)observation->notes.items, observation->notes.count));
	json_open(stream, "evidence", '[');
	for (size_t i = 0; i < observation->nevidence; i++)
		json_member(stream, NULL, evidence_json(&observation->evidence[i]));
	json_close(stream, ']');
	json_member(stream, "log", json_raw(observation->log));
	json_close(stream, '}');
}
