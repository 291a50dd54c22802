/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/quantity.h"
#include "base/utf8.h"
#include "commands/commands.h"

const struct option_row option_rows[OPTION_COUNT] = {
	[OPTION_HELP] = {"help", 'h', NULL, "show this help"},
	[OPTION_OUTPUT] =
		{"output", 'o', "KIND=PATH",
		 "write a report; KIND is junit, junit+positions, json, html, tap, markdown, prometheus or recording, "
		 "PATH - is stdout; may "
		 "be repeated"},
	[OPTION_SET] = {"set", 0, "NAME=VALUE",
			"give a variable its value, before what any file says; may be repeated"},
	[OPTION_TAGS] = {"tags", 't', "TAG,...", "only steps with one of these tags, and what they need"},
	[OPTION_SKIP_TAGS] = {"skip-tags", 0, "TAG,...", "no steps with one of these tags"},
	[OPTION_STEP] = {"step", 's', "GLOB", "only steps of this id or name, and what they need; may be repeated"},
	[OPTION_JOBS] = {"jobs", 'j', "N", "observations at once on a host (default 8)"},
	[OPTION_FANOUT] = {"fanout", 0, "N", "connections opened at once (default 64)"},
	[OPTION_CONNECT_TIMEOUT] = {"connect-timeout", 0, "TIME",
				    "how long each host may take to answer (default: as the scenario says, else 30 s)"},
	[OPTION_MIN_HOSTS] = {"min-hosts", 0, "N",
			      "begin when every host has answered or cannot be reached, if N have answered: the "
			      "others are expected absences"},
	[OPTION_ALLOW] = {"allow", 0, "PROBE",
			  "permit a probe that changes its host or runs commands; may be repeated"},
	[OPTION_SIMULATE] = {"simulate", 0, "FILE",
			     "run over a simulated fabric: a topology in ibsim's or ibnetdiscover's format"},
	[OPTION_SIMULATE_COMMAND] = {"simulate-command", 0, "TEXT",
				     "a command for ibsim's console before the first step; may be repeated"},
	[OPTION_SIMULATE_SM] = {"simulate-sm", 0, "NODE[:PRIORITY]",
				"start opensm on this node (default: the first CA); may be repeated; \"none\": no SM"},
	[OPTION_PLUGIN_DIR] = {"plugin-dir", 0, "DIR", "take plugins from here"},
	[OPTION_SYSFS_ROOT] = {"sysfs-root", 0, "DIR", "observe a recorded tree in place of /sys"},
	[OPTION_TIMEOUT] = {"timeout", 0, "TIME", "how long the observation may take (default 30 s)"},
	[OPTION_JSON] = {"json", 0, NULL, "print JSON"},
	[OPTION_MARKDOWN] = {"markdown", 0, NULL, "print Markdown: a page of the reference"},
	[OPTION_RECORD] =
		{"record", 0, "FILE",
		 "keep every observation in a recording, to be judged again; compressed where FILE ends in .zst"},
	[OPTION_ON] = {"on", 0, "FILE", "the recording to judge"},
	[OPTION_BASELINE] = {"baseline", 0, "FILE", "the recording that 'of: baseline' compares with"},
	[OPTION_HOSTS] = {"hosts", 0, "NODESET", "these hosts (default: those of the files, else this machine)"},
	[OPTION_CONNECT] = {"connect", 0, "WAY",
			    "how --hosts are reached where no file says so: ssh (default), slurm or local"},
	[OPTION_PROBES] = {"probes", 0, "GLOB,...", "only these probes; may be repeated"},
	[OPTION_AS_SCENARIO] = {"as-scenario", 0, "FILE",
				"write a scenario that holds as things are, and fails when one of them changes"},
	[OPTION_VERBOSE] = {"verbose", 'v', NULL, "show notes, evidence and the rows that were kept"},
};

void complain(const char *format, ...)
{
	AUTO_BUF struct buf text = {0}, line = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	utf8_printable(&line, text.data, text.length);
	fprintf(stderr, "rdmaspec: %s\n", line.data);
}

static void split_words(struct strings *list, const char *text)
{
	AUTO_FREE char *copy = xstrdup(text);
	char *rest = NULL;

	for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		strings_add(list, word);
}

static int parse_number(const char *option, const char *text, unsigned *number)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || end == text || *text == '-' || !value || value > 100000) {
		complain("--%s takes a number from 1 to 100000, not '%s'", option, text);
		return EXIT_USAGE;
	}
	*number = value;
	return 0;
}

static int parse_time(const char *option, const char *text, int64_t *milliseconds)
{
	const char *unused;
	double seconds;

	if (quantity_parse(text, DIMENSION_TIME, &seconds, &unused) < 0 || seconds < 0.001 || seconds > 86400) {
		complain("--%s takes a time such as 30 s, not '%s'", option, text);
		return EXIT_USAGE;
	}
	*milliseconds = (int64_t)(seconds * 1000);
	return 0;
}

static int add_file(struct settings *settings, const char *option, enum report_kind kind, const char *path)
{
	if (!*path) {
		complain("--%s takes a file", option);
		return EXIT_USAGE;
	}
	GROW(settings->reports, settings->nreports, settings->reports_capacity);
	settings->reports[settings->nreports++] =
		(struct report_target){.kind = kind, .path = !strcmp(path, "/dev/stdout") ? "-" : path};
	return 0;
}

static int set_connect(struct settings *settings, const char *way)
{
	static const char *const ways[] = {"ssh", "slurm", "local"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(ways[i], way)) {
			settings->connect = way;
			return 0;
		}
	}
	complain("--connect takes ssh, slurm or local, not '%s'; other ways are a scenario file's to say", way);
	return EXIT_USAGE;
}

static int add_report(struct settings *settings, char *text)
{
	struct report_target target;
	AUTO_DIAG struct diag diag = {0};

	/* What a survey gives is a recording first of all. */
	if (settings->survey && !strchr(text, '='))
		return add_file(settings, "output", REPORT_RECORDING, text);
	if (report_target_parse(text, &target, &diag) < 0) {
		complain("%s", diag.text);
		return EXIT_USAGE;
	}
	GROW(settings->reports, settings->nreports, settings->reports_capacity);
	settings->reports[settings->nreports++] = target;
	return 0;
}

static int add_variable(struct settings *settings, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text) {
		complain("--set takes NAME=VALUE, not '%s'", text);
		return EXIT_USAGE;
	}
	strings_add(&settings->set, text);
	return 0;
}

static int apply(struct settings *settings, enum option_id option, char *argument)
{
	switch (option) {
	case OPTION_HELP:
		settings->help = true;
		return 0;
	case OPTION_OUTPUT:
		return add_report(settings, argument);
	case OPTION_SET:
		return add_variable(settings, argument);
	case OPTION_TAGS:
		split_words(&settings->filter.tags, argument);
		return 0;
	case OPTION_SKIP_TAGS:
		split_words(&settings->filter.skip_tags, argument);
		return 0;
	case OPTION_STEP:
		strings_add(&settings->filter.steps, argument);
		return 0;
	case OPTION_JOBS:
		return parse_number("jobs", argument, &settings->run.jobs);
	case OPTION_FANOUT:
		return parse_number("fanout", argument, &settings->run.fanout);
	case OPTION_CONNECT_TIMEOUT:
		return parse_time("connect-timeout", argument, &settings->run.connect_timeout_ms);
	case OPTION_MIN_HOSTS:
		return parse_number("min-hosts", argument, &settings->run.min_hosts);
	case OPTION_ALLOW:
		strings_add(&settings->run.allow, argument);
		return 0;
	case OPTION_SIMULATE:
		settings->run.simulate = argument;
		return 0;
	case OPTION_SIMULATE_COMMAND:
		strings_add(&settings->run.simulate_commands, argument);
		return 0;
	case OPTION_SIMULATE_SM:
		strings_add(&settings->run.simulate_sms, argument);
		return 0;
	case OPTION_PLUGIN_DIR:
		settings->plugin_dir = argument;
		return 0;
	case OPTION_SYSFS_ROOT:
		settings->run.sysfs_root = argument;
		return 0;
	case OPTION_TIMEOUT:
		settings->timeout = argument;
		return 0;
	case OPTION_JSON:
		settings->json = true;
		return 0;
	case OPTION_MARKDOWN:
		settings->markdown = true;
		return 0;
	case OPTION_RECORD:
		return add_file(settings, "record", REPORT_RECORDING, argument);
	case OPTION_ON:
		settings->on = argument;
		return 0;
	case OPTION_BASELINE:
		settings->baseline = argument;
		return 0;
	case OPTION_HOSTS:
		settings->hosts = argument;
		return 0;
	case OPTION_CONNECT:
		return set_connect(settings, argument);
	case OPTION_PROBES:
		split_words(&settings->probes, argument);
		return 0;
	case OPTION_AS_SCENARIO:
		return add_file(settings, "as-scenario", REPORT_SCENARIO, argument);
	case OPTION_VERBOSE:
		settings->verbose = true;
		return 0;
	case OPTION_COUNT:
		break;
	}
	return EXIT_USAGE;
}

/* What getopt could not take: says why, with the option most like it. */
static int refuse(const struct command *command, int code, char *const *argv)
{
	const char *names[OPTION_COUNT];
	const char *word = argv[optind - 1];
	size_t count = 0;
	AUTO_FREE char *name = NULL;
	const char *close;

	if (code == ':') {
		complain("%s needs an argument; see 'rdmaspec %s --help'", word, command->name);
		return EXIT_USAGE;
	}
	if (strncmp(word, "--", 2) != 0) {
		complain("unknown option '-%c'; see 'rdmaspec %s --help'", optopt, command->name);
		return EXIT_USAGE;
	}
	for (int i = 0; i < OPTION_COUNT; i++)
		if (command->options & TAKES(i))
			names[count++] = option_rows[i].name;
	name = xstrdup(word + 2);
	name[strcspn(name, "=")] = '\0';
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], name)) {
			complain("--%s takes no argument", name);
			return EXIT_USAGE;
		}
	}
	close = suggest(name, names, count);
	if (close)
		complain("unknown option '--%s'; did you mean '--%s'?", name, close);
	else
		complain("unknown option '--%s'; see 'rdmaspec %s --help'", name, command->name);
	return EXIT_USAGE;
}

int options_parse(const struct command *command, int argc, char **argv, struct settings *settings)
{
	struct option longs[OPTION_COUNT + 1];
	AUTO_BUF struct buf shorts = {0};
	size_t count = 0;
	int code;

	settings->survey = command == &command_survey;
	settings->run.jobs = 8;
	settings->run.fanout = 64;
	buf_puts(&shorts, ":");
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (!(command->options & TAKES(i)))
			continue;
		longs[count++] =
			(struct option){option_rows[i].name, option_rows[i].argument ? required_argument : no_argument,
					NULL, CHAR_MAX + 1 + i};
		if (option_rows[i].letter)
			buf_printf(&shorts, "%c%s", option_rows[i].letter, option_rows[i].argument ? ":" : "");
	}
	longs[count] = (struct option){0};

	opterr = 0;
	optind = 1;
	while ((code = getopt_long(argc, argv, shorts.data, longs, NULL)) != -1) {
		int option = code - CHAR_MAX - 1;

		if (code == '?' || code == ':')
			return refuse(command, code, argv);
		for (int i = 0; option < 0 && i < OPTION_COUNT; i++)
			if (option_rows[i].letter == code)
				option = i;
		if (apply(settings, option, optarg))
			return EXIT_USAGE;
	}
	settings->arguments = (const char **)argv + optind;
	settings->narguments = argc - optind;
	return 0;
}

void settings_free(struct settings *settings)
{
	free(settings->reports);
	strings_free(&settings->set);
	strings_free(&settings->probes);
	strings_free(&settings->filter.tags);
	strings_free(&settings->filter.skip_tags);
	strings_free(&settings->filter.steps);
	strings_free(&settings->run.allow);
	strings_free(&settings->run.simulate_commands);
	strings_free(&settings->run.simulate_sms);
}
