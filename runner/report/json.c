/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON report; schemas/result.schema.json says what it may hold. */
#include "report/json.h"

#include <errno.h>
#include <string.h>

#include "plugin/registry.h"
#include "report/target.h"
#include "report/waivers.h"

#define FORMAT_VERSION 1

static void write_head(struct json_stream *stream, const struct result *result)
{
	AUTO_BUF struct buf signal = {0};

	if (result->signal)
		view_signal(&signal, result->signal);
	json_member(stream, "format", json_string("rdmaspec.result"));
	json_member(stream, "format_version", json_integer(FORMAT_VERSION));
	json_member(stream, "rdmaspec", json_string(VERSION));
	json_member(stream, "host", json_raw(result->hostname ? result->hostname : "localhost"));
	json_member(stream, "simulated", json_raw(result->simulated));
	json_member(stream, "started", json_time(result->started));
	json_member(stream, "seconds", json_seconds(result->seconds));
	json_member(stream, "exit_status", json_integer(result_exit_status(result)));
	json_member(stream, "signal", json_raw(signal.data));
	json_member(stream, "notes", json_raw_list((const char *const *)result->notes.items, result->notes.count));
}

static void write_counts(struct json_stream *stream, const struct result *result)
{
	json_open(stream, "counts", '{');
	json_member(stream, "passed", json_integer((json_int_t)result->passed));
	json_member(stream, "failed", json_integer((json_int_t)result->failed));
	json_member(stream, "errors", json_integer((json_int_t)result->errors));
	json_member(stream, "skipped", json_integer((json_int_t)result->skipped));
	json_member(stream, "waived", json_integer((json_int_t)result->waived));
	json_member(stream, "gating_judged", json_integer((json_int_t)result->gating_judged));
	json_member(stream, "steps_not_selected", json_integer((json_int_t)result->plan->filtered));
	json_close(stream, '}');
}

static void write_plugins(struct json_stream *stream, struct registry *registry)
{
	size_t count = 0;
	const struct rs_plugin *const *plugins = registry ? registry_plugins(registry, &count) : NULL;

	json_open(stream, "plugins", '[');
	for (size_t i = 0; i < count; i++)
		json_member(stream, NULL,
			    json_pack("{s:o, s:o}", "name", json_raw(plugins[i]->name), "version",
				      json_raw(plugins[i]->version)));
	json_close(stream, ']');
}

/* What the facts of the rows are: written once for each probe that the steps ask. */
static void write_probes(struct json_stream *stream, const struct result *result)
{
	struct pointers probes = {0};

	json_open(stream, "probes", '[');
	for (size_t i = 0; i < result->nsteps; i++)
		pointers_add(&probes, result->steps[i].plan->step->probe.probe, NULL);
	for (size_t i = 0; i < probes.count; i++) {
		const struct rs_probe *probe = probes.items[i];

		json_member(stream, NULL, json_pack("{s:s, s:o}", "name", probe->name, "facts", json_facts(probe)));
	}
	json_close(stream, ']');
	pointers_free(&probes);
}

static json_t *waiver_json(const struct scenario_waiver *waiver)
{
	if (!waiver)
		return json_null();
	return json_pack("{s:o, s:o}", "reason", json_raw(waiver->reason), "until", json_raw(waiver->until));
}

/* All waivers, what ends first first; the steps tell what they covered case by case. */
static void write_waivers(struct json_stream *stream, const struct result *result)
{
	AUTO_FREE struct waiver_use *list = NULL;
	size_t count = waivers_of(result, &list);

	json_open(stream, "waivers", '[');
	for (size_t i = 0; i < count; i++) {
		const struct scenario_step *step = list[i].step->plan->step;

		json_member(stream, NULL,
			    json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:s}", "step",
				      json_raw(step->id ? step->id : step->name), "place", json_place(step->place),
				      "reason", json_raw(list[i].waiver->reason), "until",
				      json_raw(list[i].waiver->until), "days_left",
				      list[i].endless ? json_null() : json_integer(list[i].days), "ends_soon",
				      waiver_is_soon(&list[i]), "state",
				      list[i].days < 0 ? "ended"
				      : list[i].can_go ? "can_go"
				      : list[i].holds  ? "needed"
						       : "unused"));
	}
	json_close(stream, ']');
}

static void write_step(struct json_stream *stream, const struct result_step *result, struct pointers *observations)
{
	const struct scenario_step *step = result->plan->step;

	json_open(stream, NULL, '{');
	json_member(stream, "id", json_raw(step->id));
	json_member(stream, "name", json_raw(step->name));
	json_member(stream, "doc", json_raw(step->doc));
	json_member(stream, "place", json_place(step->place));
	json_member(stream, "probe", json_string(step->probe.probe->name));
	json_member(stream, "severity", json_string(step->warning ? "warning" : "error"));
	json_member(stream, "observe_only", json_boolean(step->probe.spec.observe_only));
	json_member(stream, "needs", json_raw_list(step->needs, step->nneeds));
	json_member(stream, "tags", json_raw_list(step->tags, step->ntags));
	json_member(stream, "waive", waiver_json(step->waive));
	json_member(stream, "started", json_time(result->started));
	json_member(stream, "seconds", json_seconds(result->seconds));
	json_open(stream, "cases", '[');
	for (size_t i = 0; i < result->ncases; i++)
		json_case(stream, result, &result->cases[i], observations);
	json_close(stream, ']');
	json_close(stream, '}');
}

static void write_scenario(struct json_stream *stream, const struct result *result, const struct scenario *scenario,
			   struct pointers *observations)
{
	json_open(stream, NULL, '{');
	json_member(stream, "name", json_raw(scenario->name));
	json_open(stream, "files", '[');
	for (size_t i = 0; i < scenario->text.nfiles; i++) {
		const struct text_file *file = &scenario->text.files[i];

		json_member(stream, NULL,
			    json_pack("{s:o, s:I, s:s}", "path", json_raw(file->path), "bytes", (json_int_t)file->size,
				      "sha256", file->sha256));
	}
	json_close(stream, ']');
	json_open(stream, "steps", '[');
	for (size_t i = 0; i < result->nsteps; i++)
		if (result->steps[i].plan->scenario == scenario)
			write_step(stream, &result->steps[i], observations);
	json_close(stream, ']');
	json_close(stream, '}');
}

int json_write(FILE *out, const struct result *result, struct registry *registry)
{
	struct json_stream stream = {.out = out};
	struct pointers observations = {0}, scenarios = {0};

	errno = 0;
	json_open(&stream, NULL, '{');
	write_head(&stream, result);
	write_counts(&stream, result);
	write_waivers(&stream, result);
	write_plugins(&stream, registry);
	write_probes(&stream, result);
	for (size_t i = 0; i < result->nsteps; i++)
		pointers_add(&scenarios, result->steps[i].plan->scenario, NULL);
	json_open(&stream, "scenarios", '[');
	for (size_t i = 0; i < scenarios.count; i++)
		write_scenario(&stream, result, scenarios.items[i], &observations);
	json_close(&stream, ']');
	json_open(&stream, "observations", '[');
	for (size_t i = 0; i < observations.count; i++)
		json_observation(&stream, observations.items[i]);
	json_close(&stream, ']');
	json_close(&stream, '}');
	buf_free(&stream.scratch);
	pointers_free(&observations);
	pointers_free(&scenarios);
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
