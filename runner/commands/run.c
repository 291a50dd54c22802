/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "commands/commands.h"

struct running {
	const struct settings *settings;
	struct console *console;
};

static int on_opened(void *user, struct diag *diag)
{
	const struct settings *settings = ((struct running *)user)->settings;

	return report_load(settings->reports, settings->nreports, diag);
}

static void on_step(void *user, const struct result *result, const struct result_step *step)
{
	console_step(((struct running *)user)->console, result, step);
}

static void on_progress(void *user, const struct run_progress *progress)
{
	console_progress(((struct running *)user)->console, progress);
}

/* The reports' places are tried before anything is observed: a run of an hour must not end without its verdict. */
static int check_reports(const struct settings *settings)
{
	AUTO_DIAG struct diag diag = {0};

	if (report_check_all(settings->reports, settings->nreports, &diag) == 0)
		return 0;
	complain("%s", diag.text);
	return EXIT_USAGE;
}

static int refuse_input(const struct settings *settings, const char *path)
{
	for (size_t i = 0; i < settings->nreports; i++) {
		if (!report_goes_to(&settings->reports[i], path))
			continue;
		complain("report '%s' would take the place of '%s', which is read", settings->reports[i].path, path);
		return EXIT_USAGE;
	}
	return 0;
}

/* "-o json=site.yaml site.yaml" is a slip of the fingers, and the scenario would be gone. */
static int check_inputs(const struct settings *settings, const struct loaded *loaded)
{
	int status = settings->run.simulate ? refuse_input(settings, settings->run.simulate) : 0;

	if (settings->on && !status)
		status = refuse_input(settings, settings->on);
	if (settings->baseline && !status)
		status = refuse_input(settings, settings->baseline);

	for (size_t i = 0; i < loaded->count && !status; i++)
		for (size_t f = 0; f < loaded->scenarios[i].text.nfiles && !status; f++)
			status = refuse_input(settings, loaded->scenarios[i].text.files[f].path);
	return status;
}

static bool reports_to_stdout(const struct settings *settings)
{
	for (size_t i = 0; i < settings->nreports; i++)
		if (!strcmp(settings->reports[i].path, "-"))
			return true;
	return false;
}

static int write_reports(const struct settings *settings, const struct result *result, struct registry *registry)
{
	int status = 0;

	for (size_t i = 0; i < settings->nreports; i++) {
		AUTO_DIAG struct diag diag = {0};

		if (report_write(&settings->reports[i], result, registry, &diag) < 0) {
			complain("%s", diag.text);
			status = EXIT_UNJUDGED;
		}
	}
	return status;
}

static bool keeps_observations(const struct settings *settings)
{
	for (size_t i = 0; i < settings->nreports; i++)
		if (settings->reports[i].kind == REPORT_RECORDING)
			return true;
	return false;
}

/* Of a survey it is enough that something could be observed. */
static int survey_status(const struct result *result)
{
	if (result->signal)
		return 128 + result->signal;
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t j = 0; j < result->steps[i].ncases; j++) {
			const struct result_case *item = &result->steps[i].cases[j];

			for (size_t k = 0; k < item->nattempts; k++)
				if (item->attempts[k].observation && !item->attempts[k].observation->error)
					return EXIT_PASS;
		}
	complain("nothing could be observed");
	return EXIT_UNJUDGED;
}

int run_loaded(struct settings *settings, struct loaded *loaded)
{
	struct console *console = console_new(reports_to_stdout(settings) ? stderr : stdout, settings->verbose);
	struct running running = {settings, console};
	struct result result = {0};
	AUTO_DIAG struct diag diag = {0};
	int status, unwritten = 0, error;

	settings->run.registry = loaded->registry;
	settings->run.record = keeps_observations(settings);
	settings->run.survey = settings->survey;
	settings->run.opened = on_opened;
	settings->run.step_done = on_step;
	settings->run.progress = on_progress;
	settings->run.user = &running;
	if (run_plan(&loaded->plan, &settings->run, &result, &diag) < 0) {
		console_free(console);
		complain("%s", diag.text);
		result_free(&result);
		return EXIT_UNJUDGED;
	}
	console_end(console, &result);
	unwritten = write_reports(settings, &result, loaded->registry);
	status = settings->survey ? survey_status(&result) : result_exit_status(&result);
	error = console_free(console);
	if (error < 0) {
		complain("cannot write to standard output: %s", strerror(-error));
		unwritten = EXIT_UNJUDGED;
	}
	result_free(&result);
	return status ? status : unwritten;
}

/* A baseline that nobody named is told before anything is observed. */
static int check_baseline(const struct settings *settings, const struct loaded *loaded)
{
	struct diags diags = {0};
	int status;

	for (size_t i = 0; !settings->baseline && i < loaded->plan.nsteps; i++) {
		const struct place *place = judge_needs_baseline(&loaded->plan.steps[i].step->probe.spec);

		if (place)
			diags_error(&diags, *place, "'of: baseline' compares with a recorded run: --baseline FILE");
	}
	diags_print(&diags, stderr);
	status = diags.errors ? EXIT_INVALID : 0;
	diags_free(&diags);
	return status;
}

static int load_baseline(struct settings *settings, struct loaded *loaded)
{
	AUTO_DIAG struct diag diag = {0};

	if (!settings->baseline)
		return 0;
	loaded->baseline = recording_load(settings->baseline, &diag);
	if (!loaded->baseline) {
		complain("%s", diag.text);
		return EXIT_UNJUDGED;
	}
	settings->run.baseline = recording_replay(loaded->baseline);
	return 0;
}

int run_load(struct settings *settings, struct loaded *loaded)
{
	int status = check_reports(settings);

	if (!status)
		status = load(loaded, settings, true);
	if (!status)
		status = check_inputs(settings, loaded);
	if (!status)
		status = check_baseline(settings, loaded);
	return status ? status : load_baseline(settings, loaded);
}

static int run_main(struct settings *settings)
{
	struct loaded loaded = {0};
	int status = run_load(settings, &loaded);

	if (!status)
		status = run_loaded(settings, &loaded);
	loaded_free(&loaded);
	return status;
}

const struct command command_run = {
	.name = "run",
	.arguments = "FILE...",
	.summary = "observe, judge and report",
	.about = "Carries out the scenario files as one run: observes what their steps ask for, judges it, and reports "
		 "to "
		 "the terminal and to every report named with --output.\n\n"
		 "The exit status is 0 when all gating steps passed, 1 when at least one failed, 2 when none failed "
		 "and at "
		 "least one could not be observed or judged, 3 when the scenario is invalid or no gating step was "
		 "judged, "
		 "64 for a wrong command line, and 128+N after signal N.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_OUTPUT) | TAKES(OPTION_SET) | TAKES(OPTION_TAGS) |
		   TAKES(OPTION_SKIP_TAGS) | TAKES(OPTION_STEP) | TAKES(OPTION_JOBS) | TAKES(OPTION_FANOUT) |
		   TAKES(OPTION_CONNECT_TIMEOUT) | TAKES(OPTION_MIN_HOSTS) | TAKES(OPTION_ALLOW) |
		   TAKES(OPTION_SIMULATE) | TAKES(OPTION_SIMULATE_COMMAND) | TAKES(OPTION_SIMULATE_SM) |
		   TAKES(OPTION_RECORD) | TAKES(OPTION_BASELINE) | TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_SYSFS_ROOT) |
		   TAKES(OPTION_VERBOSE),
	.main = run_main,
};
