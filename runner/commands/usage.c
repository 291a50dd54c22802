/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables of commands and options say to a person: --help and the man pages. */
#include "base/cleanup.h"
#include "commands/commands.h"

void command_usage(FILE *out, const struct command *command)
{
	fprintf(out, "usage: rdmaspec %s%s%s%s\n\n%s\n", command->name, command->options ? " [OPTION]..." : "",
		*command->arguments ? " " : "", command->arguments, command->about);
	if (!command->options)
		return;
	fputs("\nOptions:\n", out);
	for (int i = 0; i < OPTION_COUNT; i++) {
		AUTO_BUF struct buf left = {0};

		if (!(command->options & TAKES(i)))
			continue;
		if (option_rows[i].letter)
			buf_printf(&left, "-%c, ", option_rows[i].letter);
		else
			buf_puts(&left, "    ");
		buf_printf(&left, "--%s", option_rows[i].name);
		if (option_rows[i].argument)
			buf_printf(&left, " %s", option_rows[i].argument);
		fprintf(out, "  %-32s %s\n", left.data, option_rows[i].doc);
	}
}

/* Roff takes a leading dot or quote as a request, and a bare hyphen as a hyphen rather than a minus. */
static void roff(FILE *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if ((p == text || p[-1] == '\n') && (*p == '.' || *p == '\''))
			fputs("\\&", out);
		if (*p == '-')
			fputs("\\-", out);
		else if (*p == '\\')
			fputs("\\e", out);
		else if (*p == '\n' && p[1] == '\n')
			fputs("\n.PP", out);
		else
			fputc(*p, out);
	}
}

static void manual_command(FILE *out, const struct command *command)
{
	fprintf(out, ".TH RDMASPEC\\-%s 1 \"\" \"rdmaspec %s\" \"rdmaspec manual\"\n.SH NAME\nrdmaspec\\-%s \\- ",
		command->name, VERSION, command->name);
	roff(out, command->summary);
	fprintf(out, "\n.SH SYNOPSIS\n.B rdmaspec %s\n", command->name);
	roff(out, command->options ? "[OPTION]... " : "");
	roff(out, command->arguments);
	fputs("\n.SH DESCRIPTION\n", out);
	roff(out, command->about);
	fputs("\n.SH OPTIONS\n", out);
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (!(command->options & TAKES(i)))
			continue;
		fputs(".TP\n.B ", out);
		if (option_rows[i].letter)
			fprintf(out, "\\-%c, ", option_rows[i].letter);
		roff(out, "--");
		roff(out, option_rows[i].name);
		if (option_rows[i].argument)
			fprintf(out, " \\fI%s\\fP", option_rows[i].argument);
		fputc('\n', out);
		roff(out, option_rows[i].doc);
		fputc('\n', out);
	}
	fputs(".SH SEE ALSO\n.BR rdmaspec (1)\n", out);
}

static const char exit_statuses[] = ".SH EXIT STATUS\n"
				    ".TP\n.B 0\nall gating steps passed\n"
				    ".TP\n.B 1\nat least one failed\n"
				    ".TP\n.B 2\nnone failed, at least one could not be observed, judged or reported\n"
				    ".TP\n.B 3\nthe scenario is invalid, or no gating step was judged\n"
				    ".TP\n.B 64\nthe command line is wrong\n"
				    ".TP\n.B 128+N\nended by signal N\n";

void commands_manual(FILE *out, const struct command *command)
{
	if (command) {
		manual_command(out, command);
		return;
	}
	fprintf(out, ".TH RDMASPEC 1 \"\" \"rdmaspec %s\" \"rdmaspec manual\"\n", VERSION);
	fputs(".SH NAME\nrdmaspec \\- acceptance test for RDMA fabrics\n"
	      ".SH SYNOPSIS\n.B rdmaspec\n\\fICOMMAND\\fP [\\fIOPTION\\fP]... [\\fIARGUMENT\\fP]...\n"
	      ".SH DESCRIPTION\nrdmaspec tells, from a scenario file under version control, whether an RDMA fabric is "
	      "what it should be. It observes hosts and the fabric through plugins, judges what it saw, and reports to "
	      "people, to JUnit and to JSON.\n.SH COMMANDS\n",
	      out);
	for (const struct command *const *c = commands; *c; c++) {
		if ((*c)->internal)
			continue;
		fprintf(out, ".TP\n.BR rdmaspec\\-%s (1)\n", (*c)->name);
		roff(out, (*c)->summary);
		fputc('\n', out);
	}
	fputs(exit_statuses, out);
}

void commands_usage(FILE *out)
{
	fputs("usage: rdmaspec COMMAND [OPTION]... [ARGUMENT]...\n\n"
	      "Tells from a scenario file whether an RDMA fabric is what it should be.\n\nCommands:\n",
	      out);
	for (const struct command *const *c = commands; *c; c++)
		if (!(*c)->internal)
			fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
	fputs("\n'rdmaspec COMMAND --help' says more of one; --version says which this is.\n", out);
}
