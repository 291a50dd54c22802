/* SPDX-License-Identifier: BSD-2-Clause */
/* One observation for a person or a script: the smallest scenario there is, run as any other. */
#include <string.h>

#include "base/cleanup.h"
#include "base/quantity.h"
#include "base/utf8.h"
#include "commands/commands.h"

/* The parameters of the command line as the map that a scenario would have; JSON is YAML. */
static char *parameters_json(const struct settings *settings)
{
	json_t *map = json_object();
	char *text = NULL;

	json_object_set_new(map, "observe_only", json_string("true"));
	for (size_t i = 1; i < settings->narguments; i++) {
		const char *word = settings->arguments[i];
		const char *equals = strchr(word, '=');
		AUTO_FREE char *key = NULL;
		json_t *value, *before;

		if (!equals || equals == word || !utf8_valid(word, strlen(word))) {
			complain("a parameter is written KEY=VALUE, not '%s'", word);
			goto out;
		}
		key = xasprintf("%.*s", (int)(equals - word), word);
		value = json_string(equals + 1);
		before = json_object_get(map, key);
		if (!before) {
			json_object_set_new(map, key, value);
		} else if (json_is_array(before)) {
			json_array_append_new(before, value);
		} else {
			json_t *list = json_array();

			json_array_append(list, before);
			json_array_append_new(list, value);
			json_object_set_new(map, key, list);
		}
	}
	text = json_dumps(map, 0);
out:
	json_decref(map);
	return text;
}

struct smallest {
	struct registry *registry;
	struct scenario scenario;
	struct scenario_host host;
	struct scenario_step step;
	struct plan plan;
};

static int build(struct smallest *smallest, const struct settings *settings, struct diags *diags)
{
	const char *name = settings->arguments[0];
	struct scenario_step *step = &smallest->step;
	struct scenario *list[] = {&smallest->scenario};
	struct plan_filter filter = {0};
	AUTO_FREE char *json = parameters_json(settings);
	AUTO_FREE char *why = NULL;
	const char *unused;
	double seconds = 30;

	if (!json)
		return EXIT_USAGE;
	if (settings->timeout && (quantity_parse(settings->timeout, DIMENSION_TIME, &seconds, &unused) < 0 ||
				  seconds < 0.001 || seconds > 86400)) {
		complain("--timeout takes a time such as 30 s, not '%s'", settings->timeout);
		return EXIT_USAGE;
	}
	step->probe.probe = registry_probe(smallest->registry, name, &step->probe.source, &why);
	if (!step->probe.probe) {
		complain("%s", why);
		return EXIT_USAGE;
	}
	step->probe.map = text_parse(&smallest->scenario.text, "command line", json, strlen(json), diags);
	if (!step->probe.map)
		return EXIT_USAGE;
	schema_check_params(&smallest->scenario.text, step->probe.source, step->probe.map, judge_keys, diags);
	judge_compile(&smallest->scenario.text, &smallest->scenario.text.arena, step->probe.source, step->probe.probe,
		      step->probe.map, &step->probe.spec, diags);
	if (diags->errors)
		return EXIT_USAGE;
	step->name = name;
	step->timeout_ms = (int64_t)(seconds * 1000);
	step->repeat = 1;
	smallest->host = (struct scenario_host){.name = "localhost", .connect_to = "localhost"};
	smallest->scenario.name = "observe";
	smallest->scenario.hosts = &smallest->host;
	smallest->scenario.nhosts = 1;
	smallest->scenario.hosts_implied = true;
	smallest->scenario.steps = step;
	smallest->scenario.nsteps = 1;
	return plan_build(&smallest->plan, list, 1, &filter, diags) < 0 ? EXIT_USAGE : 0;
}

/* The diagnostics of a command line have no file to point into: only what they say is printed. */
static void print_problems(const struct diags *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		complain("%s", diags->items[i].text);
}

static int print_observation(const struct observation *observation, const struct rs_probe *probe,
			     const struct settings *settings)
{
	if (!observation || observation->error) {
		complain("%s: %s", probe->name, observation ? observation->error : "it was not observed");
		if (observation && observation->log)
			complain("%s", observation->log);
		return EXIT_UNJUDGED;
	}
	for (unsigned i = 0; i < observation->source->nprobes; i++) {
		const struct table *table = observation->tables[i];

		if (&observation->source->probes[i] != probe || !table)
			continue;
		if (settings->json) {
			json_t *rows = report_table_json(table);

			report_json_dump(stdout, rows);
			json_decref(rows);
		} else {
			report_table(stdout, table);
		}
	}
	for (size_t i = 0; settings->verbose && i < observation->notes.count; i++)
		complain("note: %s", observation->notes.items[i]);
	if (observation->incomplete)
		complain("incomplete: %s", observation->incomplete);
	return observation->incomplete ? EXIT_UNJUDGED : 0;
}

static int observe(struct smallest *smallest, struct settings *settings)
{
	struct result result = {0};
	AUTO_DIAG struct diag diag = {0};
	int status = EXIT_UNJUDGED;

	settings->run.registry = smallest->registry;
	if (run_plan(&smallest->plan, &settings->run, &result, &diag) < 0) {
		complain("%s", diag.text);
	} else if (result.signal) {
		status = 128 + result.signal;
	} else {
		const struct result_case *only = &result.steps[0].cases[0];

		status = print_observation(only->nattempts ? only->attempts[only->nattempts - 1].observation : NULL,
					   smallest->step.probe.probe, settings);
		for (size_t i = 0; result.changes_left && i < result.notes.count; i++)
			complain("%s", result.notes.items[i]);
		if (result.changes_left)
			status = EXIT_UNJUDGED;
	}
	result_free(&result);
	return flush_stdout(status);
}

static int observe_main(struct settings *settings)
{
	struct smallest smallest = {0};
	struct diags diags = {0};
	int status;

	if (!settings->narguments) {
		complain("no probe was named; 'rdmaspec probes' lists them");
		return EXIT_USAGE;
	}
	smallest.registry = registry_new(settings->plugin_dir);
	status = build(&smallest, settings, &diags);
	print_problems(&diags);
	if (!status)
		status = observe(&smallest, settings);
	plan_free(&smallest.plan);
	text_free(&smallest.scenario.text);
	registry_free(smallest.registry);
	diags_free(&diags);
	return status;
}

const struct command command_observe = {
	.name = "observe",
	.arguments = "PROBE [KEY=VALUE]...",
	.summary = "make one observation and print its table",
	.about = "Observes one probe on this machine, or on a node of a simulated fabric, and prints the table. "
		 "Parameters are "
		 "written KEY=VALUE; a key that is given several times makes a list. Nothing is judged: the exit "
		 "status is 0 "
		 "when the table was observed whole, 2 when not. In the table \"-\" stands for none and \"?\" for not "
		 "observed.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_JSON) | TAKES(OPTION_TIMEOUT) | TAKES(OPTION_ALLOW) |
		   TAKES(OPTION_SIMULATE) | TAKES(OPTION_SIMULATE_COMMAND) | TAKES(OPTION_SIMULATE_SM) |
		   TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_SYSFS_ROOT) | TAKES(OPTION_VERBOSE),
	.main = observe_main,
};
