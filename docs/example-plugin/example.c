/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin that docs/writing-a-plugin.md walks through: one probe that reads one file. */
#include <fcntl.h>
#include <rdmaspec/plugin.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a step can say: bound by offset, so that observe() gets a filled struct. */
struct uptime_params {
	const char *file;
};

static const struct rs_param uptime_params[] = {
	{.key = "file",
	 .type = RS_TEXT,
	 .offset = offsetof(struct uptime_params, file),
	 .value = "/proc/uptime",
	 .doc = "where the kernel says it"},
	{0},
};

/* What is observed: the order of the enum is the order of the columns. */
enum uptime_fact { UPTIME, IDLE };

static const struct rs_fact uptime_facts[] = {
	[UPTIME] = {.name = "uptime",
		    .type = RS_QUANTITY,
		    .unit = "s",
		    .flags = RS_F_HIGHER | RS_F_VOLATILE,
		    .doc = "time since boot: the first field of /proc/uptime"},
	[IDLE] = {.name = "idle",
		  .type = RS_QUANTITY,
		  .unit = "s",
		  .flags = RS_F_VOLATILE,
		  .doc = "idle time summed over all CPUs: the second field",
		  .observed_by = "needs a kernel that writes a second field"},
	{0},
};

static int uptime_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct uptime_params *params = data;
	char text[128], uptime[64], idle[64];
	ssize_t length;
	int fd, fields;

	(void)wanted; /* there is only one probe to fill */
	fd = open(params->file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return rs_error(ctx, RS_ABSENT, "cannot open %s: %m", params->file);
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length < 0)
		return rs_error(ctx, RS_FAILED, "cannot read %s: %m", params->file);
	text[length] = '\0';
	rs_evidence(ctx, params->file, text, length);

	fields = sscanf(text, "%63[0-9.] %63[0-9.]", uptime, idle);
	if (fields < 1)
		return rs_error(ctx, RS_INVALID, "%s does not begin with a number", params->file);
	rs_row_begin(ctx, 0);
	rs_set_decimal(ctx, UPTIME, uptime);
	if (fields == 2)
		rs_set_decimal(ctx, IDLE, idle);
	return 0;
}

static const struct rs_probe probes[] = {
	{.name = "example.uptime", .summary = "how long the host is up", .facts = uptime_facts},
};

static const struct rs_source sources[] = {
	{.name = "example.uptime",
	 .summary = "reads /proc/uptime",
	 .scope = RS_HOST,
	 .params = uptime_params,
	 .params_size = sizeof(struct uptime_params),
	 .probes = probes,
	 .nprobes = 1,
	 .observe = uptime_observe},
};

RS_PLUGIN(.name = "example", .version = "1.0", .summary = "the plugin of the documentation", .sources = sources,
	  .nsources = 1);
