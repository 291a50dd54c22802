/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the command line
 *
 * One table of options serves the parser, --help and the man pages; a command names the options it takes by their bits.
 */
#pragma once

#include <stdint.h>

#include "plugin/registry.h"
#include "record/recording.h"
#include "report/report.h"
#include "run/run.h"
#include "scenario/plan.h"

enum exit_status {
	EXIT_PASS = 0,
	EXIT_FAIL = 1,
	EXIT_UNJUDGED = 2, /* something could not be observed, judged or reported */
	EXIT_INVALID = 3,  /* the scenario is invalid, or no gating step was judged */
	EXIT_USAGE = 64,
};

enum option_id {
	OPTION_HELP,
	OPTION_OUTPUT,
	OPTION_SET,
	OPTION_TAGS,
	OPTION_SKIP_TAGS,
	OPTION_STEP,
	OPTION_JOBS,
	OPTION_FANOUT,
	OPTION_CONNECT_TIMEOUT,
	OPTION_MIN_HOSTS,
	OPTION_ALLOW,
	OPTION_SIMULATE,
	OPTION_SIMULATE_COMMAND,
	OPTION_SIMULATE_SM,
	OPTION_PLUGIN_DIR,
	OPTION_SYSFS_ROOT,
	OPTION_TIMEOUT,
	OPTION_JSON,
	OPTION_MARKDOWN,
	OPTION_RECORD,
	OPTION_ON,
	OPTION_BASELINE,
	OPTION_HOSTS,
	OPTION_CONNECT,
	OPTION_PROBES,
	OPTION_AS_SCENARIO,
	OPTION_VERBOSE,
	OPTION_COUNT,
};
#define TAKES(option) (UINT32_C(1) << (option))

/** struct option_row - one option; option_rows[] is the one table */
struct option_row {
	const char *name;
	char letter;	      /* 0: none */
	const char *argument; /* NULL: takes none */
	const char *doc;
};
extern const struct option_row option_rows[OPTION_COUNT];

/** struct settings - what the command line said; lists are empty and texts NULL where it did not */
struct settings {
	const char **arguments; /* what is no option */
	size_t narguments;
	struct report_target *reports;
	size_t nreports, reports_capacity;
	struct strings set;
	struct plan_filter filter;
	struct run_options run;
	const char *plugin_dir;
	const char *timeout;
	const char *on;	      /* the recording that is judged */
	const char *baseline; /* the recording that it is held against */
	const char *hosts, *connect;
	struct strings probes;
	bool survey; /* nothing is judged: what counts is that something was observed */
	bool json, markdown, verbose, help;
};

struct command {
	const char *name;
	const char *arguments; /* as the usage line shows them */
	const char *summary;   /* one line */
	const char *about;     /* paragraphs for --help and the man page */
	uint32_t options;      /* bits of TAKES() */
	bool internal;	       /* not listed */
	int (*main)(struct settings *settings);
};

extern const struct command *const commands[]; /* ended by NULL */

/** options_parse - fill @settings from argv (after the command's name); EXIT_USAGE with a message printed, or 0 */
int options_parse(const struct command *command, int argc, char **argv, struct settings *settings);
void settings_free(struct settings *settings);

void command_usage(FILE *out, const struct command *command);
void commands_usage(FILE *out);
void commands_manual(FILE *out, const struct command *command); /* roff; NULL: of the program itself */

/** complain - "rdmaspec: TEXT" on stderr, sanitised */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** flush_stdout - @status, or EXIT_UNJUDGED with a message where what was printed could not be written */
int flush_stdout(int status);

/** struct loaded - the scenarios of a command line, and their plan */
struct loaded {
	struct registry *registry;
	struct scenario *scenarios;
	struct scenario **list;
	size_t count;
	struct plan plan;
	bool planned;
	struct recording *baseline; /* NULL: none */
};

/** load - read, check and (if @plan) plan all scenario files; prints what is wrong. 0, EXIT_INVALID or EXIT_USAGE */
int load(struct loaded *loaded, const struct settings *settings, bool plan);
void loaded_free(struct loaded *loaded);

/** run_load - load() for what is carried out, with the places of reports tried; run_loaded - carry it out, and report
 */
int run_load(struct settings *settings, struct loaded *loaded);
int run_loaded(struct settings *settings, struct loaded *loaded);

extern const struct command command_run, command_check, command_plan, command_probes, command_describe, command_schema,
	command_observe, command_agent, command_worker, command_manual, command_judge, command_diff, command_survey;
