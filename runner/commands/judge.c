/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario against what was observed then. */
#include "commands/commands.h"

static int judge_on(struct settings *settings, struct loaded *loaded, struct recording *recording)
{
	settings->run.replay = recording_replay(recording);
	settings->run.min_hosts = recording_about(recording)->min_hosts;
	return run_loaded(settings, loaded);
}

static int judge_main(struct settings *settings)
{
	struct recording *recording = NULL;
	struct loaded loaded = {0};
	AUTO_DIAG struct diag diag = {0};
	int status;

	if (!settings->on) {
		complain("no recording was named: it takes --on FILE");
		return EXIT_USAGE;
	}
	status = run_load(settings, &loaded);
	if (!status) {
		recording = recording_load(settings->on, &diag);
		status = recording ? judge_on(settings, &loaded, recording) : EXIT_UNJUDGED;
	}
	if (diag.text)
		complain("%s", diag.text);
	recording_free(recording);
	loaded_free(&loaded);
	return status;
}

const struct command command_judge = {
	.name = "judge",
	.arguments = "FILE...",
	.summary = "judge scenario files against a recorded run",
	.about = "Judges what 'rdmaspec run --record' kept, on any machine and without any host: the verdicts are "
		 "those of "
		 "the run where the scenario is the same. What the scenario asks for and the recording does not hold "
		 "is an "
		 "error of that step. Waivers are judged by the day of the recording.\n\n"
		 "The exit status is that of 'rdmaspec run'.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_ON) | TAKES(OPTION_BASELINE) | TAKES(OPTION_OUTPUT) |
		   TAKES(OPTION_SET) | TAKES(OPTION_TAGS) | TAKES(OPTION_SKIP_TAGS) | TAKES(OPTION_STEP) |
		   TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_VERBOSE),
	.main = judge_main,
};
