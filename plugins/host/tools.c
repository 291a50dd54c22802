/* SPDX-License-Identifier: BSD-2-Clause */
/* host.tools: one row a program: where it is, and the version that it tells of itself */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "host/host.h"
#include "support/process.h"

enum { NAME, PACKAGE, PRESENT, PATH, VERSION_FACT, FACTS };

static const struct rs_fact facts[] = {
	[NAME] = {.name = "name", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "the program's file name"},
	[PACKAGE] =
		{.name = "package",
		 .type = RS_TEXT,
		 .doc = "what it comes with: perftest, iproute2, ethtool, infiniband-diags, opensm, ...; none for a "
			"program that this probe does not know"},
	[PRESENT] = {.name = "present",
		     .type = RS_BOOLEAN,
		     .doc = "an executable file of this name is in $PATH, /usr/local/sbin, /usr/sbin or /sbin"},
	[PATH] = {.name = "path", .type = RS_TEXT, .doc = "where it is; none where it is not"},
	[VERSION_FACT] = {.name = "version",
			  .type = RS_TEXT,
			  .doc = "first version number in what it prints when asked for it; its exit status then says "
				 "nothing (perftest's is 1)",
			  .observed_by = "needs a program that is there and tells its version"},
	[FACTS] = {0},
};

/* @ask: the option that prints the version; NULL: it has none. Only what is listed here is ever run. */
struct tool {
	const char *name, *package, *ask;
};

static const struct tool tools[] = {
	{"ib_write_bw", "perftest", "--version"},
	{"ib_write_lat", "perftest", "--version"},
	{"ib_read_bw", "perftest", "--version"},
	{"ib_read_lat", "perftest", "--version"},
	{"ib_send_bw", "perftest", "--version"},
	{"ib_send_lat", "perftest", "--version"},
	{"ip", "iproute2", "-V"},
	{"rdma", "iproute2", "-V"},
	{"tc", "iproute2", "-V"},
	{"dcb", "iproute2", "-V"},
	{"devlink", "iproute2", "-V"},
	{"ethtool", "ethtool", "--version"},
	{"ibstat", "infiniband-diags", "-V"},
	{"iblinkinfo", "infiniband-diags", "-V"},
	{"ibnetdiscover", "infiniband-diags", "-V"},
	{"ibqueryerrors", "infiniband-diags", "-V"},
	{"perfquery", "infiniband-diags", "-V"},
	{"smpquery", "infiniband-diags", "-V"},
	{"sminfo", "infiniband-diags", "-V"},
	{"saquery", "infiniband-diags", "-V"},
	{"opensm", "opensm", "--version"},
	{"ibv_devinfo", "ibverbs-utils", NULL},
	{"ibv_devices", "ibverbs-utils", NULL},
	{"iperf3", "iperf3", "--version"},
	{"ibdiagnet", "ibutils2", "--version"},
	{"ofed_info", "ofed", "-s"},
	{"mlnx_qos", "mlnx-tools", NULL},
	{"show_gids", "mlnx-tools", NULL},
	{"cma_roce_mode", "mlnx-tools", NULL},
	{"mstflint", "mstflint", "--version"},
	{"numactl", "numactl", NULL},
};
#define TOOLS (sizeof(tools) / sizeof(tools[0]))

#define ASK_MS 5000

static bool is_version_start(const char *text, const char *at)
{
	return isdigit((unsigned char)*at) && (at == text || !isalnum((unsigned char)at[-1]) || at[-1] == 'v');
}

/* Digits and points with one point at least, then letters, digits, '+', '-', '~': "6.06", "6.1.0", "5.8-3.0.7.0" */
static bool find_version(const char *text, char *version, size_t size)
{
	for (const char *at = text; at && *at; at++) {
		size_t digits, length;

		if (!is_version_start(text, at))
			continue;
		digits = strspn(at, "0123456789.");
		length = digits;
		if (!memchr(at, '.', digits)) {
			at += digits - 1;
			continue;
		}
		while (isalnum((unsigned char)at[length]) || (at[length] && strchr("+-~._", at[length])))
			length++;
		while (length && !isalnum((unsigned char)at[length - 1]))
			length--;
		snprintf(version, size, "%.*s", (int)length, at);
		return true;
	}
	return false;
}

static void set_version(struct rs_ctx *ctx, const struct tool *tool, const char *path)
{
	const char *argv[] = {path, tool->ask, NULL};
	struct process process;
	char version[64];
	int error = process_run(ctx, &process, argv, ASK_MS);

	if (error && error != -ETIMEDOUT) {
		rs_note(ctx, "%s: cannot be run: %s", path, strerror(-error));
		return;
	}
	if (find_version(process.out[PROCESS_STDOUT].data, version, sizeof(version)) ||
	    find_version(process.out[PROCESS_STDERR].data, version, sizeof(version)))
		rs_set_text(ctx, VERSION_FACT, version);
	else if (error)
		rs_note(ctx, "%s %s did not answer in %d s", path, tool->ask, ASK_MS / 1000);
	process_free(&process);
}

static void add_row(struct rs_ctx *ctx, const char *name, const struct tool *tool)
{
	char path[512];
	bool present = process_find(name, path, sizeof(path));

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, NAME, name);
	if (tool)
		rs_set_text(ctx, PACKAGE, tool->package);
	else
		rs_set_none(ctx, PACKAGE);
	rs_set_boolean(ctx, PRESENT, present);
	if (!present) {
		rs_set_none(ctx, PATH);
		return;
	}
	rs_set_text(ctx, PATH, path);
	if (tool && tool->ask)
		set_version(ctx, tool, path);
}

/* A name, a glob, or the name of a package */
static bool meant(const char *pattern, const struct tool *tool)
{
	return !fnmatch(pattern, tool->name, 0) || !strcmp(pattern, tool->package);
}

static bool is_known(const char *pattern)
{
	for (size_t i = 0; i < TOOLS; i++)
		if (meant(pattern, &tools[i]))
			return true;
	return false;
}

static bool asked_for(const struct host_names *params, const struct tool *tool)
{
	for (unsigned i = 0; i < params->count; i++)
		if (meant(params->names[i], tool))
			return true;
	return !params->count;
}

int host_tools_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct host_names *params = data;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "programs are not part of a recorded tree");
	for (size_t i = 0; i < TOOLS; i++)
		if (asked_for(params, &tools[i]))
			add_row(ctx, tools[i].name, &tools[i]);
	for (unsigned i = 0; i < params->count; i++) {
		if (is_known(params->names[i]))
			continue;
		if (strpbrk(params->names[i], "/*?["))
			return rs_error(
				ctx, RS_INVALID,
				"\"%s\" is no file name, and matches none of the programs that this probe knows",
				params->names[i]);
		add_row(ctx, params->names[i], NULL);
	}
	return 0;
}

const struct rs_param host_tools_params[] = {
	{.key = "names",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .min = 1,
	 .max = 64,
	 .offset = offsetof(struct host_names, names),
	 .count_offset = offsetof(struct host_names, count),
	 .doc = "programs, or packages for all of theirs (perftest, iproute2, ethtool, infiniband-diags, opensm, ...); "
		"without it, all that this probe knows"},
	{0},
};

const struct rs_probe host_tools_probe = {
	.name = "host.tools",
	.summary = "programs that RDMA work needs: present, where, which version",
	.row = "tool {name}",
	.facts = facts,
};
