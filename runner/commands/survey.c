/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything that needs no choice, on every host: a scenario that is made up here, and run as any other. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "commands/commands.h"

#define STEP_PREFIX "survey."
#define TEST_PLUGIN "mock"

/* What asks nothing of its user, changes nothing, runs nothing, and disturbs nobody. */
static bool needs_no_choice(const struct rs_source *source)
{
	if (source->scope == RS_PAIR || source->flags & (RS_EXCLUSIVE | RS_CHANGES | RS_COMMANDS))
		return false;
	for (const struct rs_param *param = source->params; param && param->key; param++)
		if (param->flags & RS_REQUIRED)
			return false;
	return true;
}

static bool is_named(const struct strings *globs, const char *name)
{
	for (size_t i = 0; i < globs->count; i++)
		if (fnmatch(globs->items[i], name, 0) == 0)
			return true;
	return false;
}

/* On the first host only, where hosts were named: a subnet is the same from all of them. */
static json_t *step_json(const struct rs_source *source, const struct rs_probe *probe, const char *hosts,
			 const char *first)
{
	json_t *step = json_pack("{s:o, s:s, s:{s:s}}", "id", json_sprintf(STEP_PREFIX "%s", probe->name), "severity",
				 "warning", probe->name, "observe_only", "true");

	if (hosts)
		json_object_set_new(step, "hosts", json_string(source->scope == RS_FABRIC ? first : hosts));
	return step;
}

static size_t add_steps(json_t *steps, struct registry *registry, const struct strings *probes, const char *hosts,
			const char *first)
{
	size_t count, before = json_array_size(steps);
	const struct rs_plugin *const *plugins = registry_plugins(registry, &count);

	for (size_t i = 0; i < count; i++) {
		bool wanted = probes->count || strcmp(plugins[i]->name, TEST_PLUGIN) != 0;

		for (size_t s = 0; wanted && s < plugins[i]->nsources; s++) {
			const struct rs_source *source = &plugins[i]->sources[s];

			for (size_t p = 0; needs_no_choice(source) && p < source->nprobes; p++)
				if (!probes->count || is_named(probes, source->probes[p].name))
					json_array_append_new(steps,
							      step_json(source, &source->probes[p], hosts, first));
		}
	}
	return json_array_size(steps) - before;
}

/* A glob that finds nothing is a slip of the fingers. */
static int check_probes(struct registry *registry, const struct strings *probes)
{
	for (size_t i = 0; i < probes->count; i++) {
		const struct strings one = {.items = &probes->items[i], .count = 1};
		json_t *steps = json_array();
		size_t found = add_steps(steps, registry, &one, NULL, NULL);

		json_decref(steps);
		if (found)
			continue;
		complain("--probes: '%s' is no probe that needs no choice; 'rdmaspec probes' lists them all",
			 probes->items[i]);
		return EXIT_USAGE;
	}
	return 0;
}

static char *first_host(const char *hosts)
{
	struct strings names = {0};
	AUTO_FREE char *why = NULL;
	char *first = NULL;

	if (nodeset_expand(hosts, &names, &why) < 0)
		complain("--hosts: '%s': %s", hosts, why);
	else
		first = xstrdup(names.items[0]);
	strings_free(&names);
	return first;
}

static json_t *includes_json(const struct settings *settings)
{
	json_t *list = json_array();

	for (size_t i = 0; i < settings->narguments; i++) {
		AUTO_FREE char *path = realpath(settings->arguments[i], NULL);

		json_array_append_new(list, json_string(path ? path : settings->arguments[i]));
	}
	return list;
}

static char *scenario_text(const struct settings *settings, struct registry *registry)
{
	const char *hosts = settings->hosts;
	AUTO_FREE char *first = hosts ? first_host(hosts) : NULL;
	json_t *document = json_pack("{s:s, s:s}", "rdmaspec", "1", "name", "survey"), *steps = json_array();
	char *text = NULL;

	if (hosts && !first)
		goto out;
	if (settings->narguments)
		json_object_set_new(document, "include", includes_json(settings));
	else if (hosts)
		json_object_set_new(document, "hosts",
				    json_pack("[{s:s, s:s}]", "name", hosts, "connect",
					      settings->connect ? settings->connect : "ssh"));
	if (add_steps(steps, registry, &settings->probes, hosts, first)) {
		json_object_set(document, "steps", steps);
		text = json_dumps(document, 0);
	} else {
		complain("there is nothing to observe: no plugin has a probe that needs no choice");
	}
out:
	json_decref(steps);
	json_decref(document);
	return text;
}

/* What stands in no file has no place there. */
static void forget_places(struct loaded *loaded)
{
	loaded->scenarios[0].text.files[0].path = "survey";
	for (size_t i = 0; i < loaded->plan.nsteps; i++) {
		const struct plan_step *step = &loaded->plan.steps[i];

		((struct scenario_step *)step->step)->place = NO_PLACE;
		for (size_t j = 0; j < step->nparts; j++)
			((struct judge_spec *)step->parts[j].spec)->place = NO_PLACE;
	}
}

/* JSON is YAML; a file that has no name is read as any other. */
static int load_text(struct settings *settings, struct loaded *loaded, const char *text)
{
	AUTO_CLOSE int fd = memfd_create("survey", MFD_CLOEXEC);
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d", fd);
	const char *arguments[] = {path};
	const char **given = settings->arguments;
	size_t ngiven = settings->narguments;
	int status;

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		complain("cannot begin: %m");
		return EXIT_UNJUDGED;
	}
	settings->arguments = arguments;
	settings->narguments = 1;
	strings_add(&settings->filter.steps, STEP_PREFIX "*");
	status = run_load(settings, loaded);
	settings->arguments = given;
	settings->narguments = ngiven;
	if (!status)
		forget_places(loaded);
	return status;
}

static int survey_main(struct settings *settings)
{
	struct registry *registry = registry_new(settings->plugin_dir);
	struct loaded loaded = {0};
	struct diags diags = {0};
	AUTO_FREE char *text = NULL;
	int status;

	registry_load_all(registry, &diags);
	diags_print(&diags, stderr);
	status = check_probes(registry, &settings->probes);
	if (!status) {
		text = scenario_text(settings, registry);
		status = text ? load_text(settings, &loaded, text) : EXIT_USAGE;
	}
	if (!status)
		status = run_loaded(settings, &loaded);
	if (!status && diags.errors)
		status = EXIT_UNJUDGED; /* a plugin could not be loaded: not everything was asked */
	loaded_free(&loaded);
	registry_free(registry);
	diags_free(&diags);
	return status;
}

const struct command command_survey = {
	.name = "survey",
	.arguments = "[FILE]...",
	.summary = "observe everything that needs no choice, and keep it",
	.about =
		"Observes on every host all that takes no parameter, changes nothing and disturbs nobody, in one go; "
		"--record (or -o FILE) keeps it, to be judged ('rdmaspec judge') and compared ('rdmaspec diff') later; "
		"--as-scenario writes a scenario that fails when something changes.\n\n"
		"Hosts are those of the scenario files that are named, whose steps are left aside, or those of "
		"--hosts; "
		"without either, this machine.\n\n"
		"The exit status is 0 where something could be observed and was written, 2 where not, 64 for a wrong "
		"command line, and 128+N after signal N.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_RECORD) | TAKES(OPTION_OUTPUT) | TAKES(OPTION_HOSTS) |
		   TAKES(OPTION_CONNECT) | TAKES(OPTION_PROBES) | TAKES(OPTION_AS_SCENARIO) | TAKES(OPTION_SET) |
		   TAKES(OPTION_JOBS) | TAKES(OPTION_FANOUT) | TAKES(OPTION_CONNECT_TIMEOUT) | TAKES(OPTION_MIN_HOSTS) |
		   TAKES(OPTION_SIMULATE) | TAKES(OPTION_SIMULATE_COMMAND) | TAKES(OPTION_SIMULATE_SM) |
		   TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_SYSFS_ROOT) | TAKES(OPTION_VERBOSE),
	.main = survey_main,
};
