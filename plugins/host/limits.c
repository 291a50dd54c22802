/* SPDX-License-Identifier: BSD-2-Clause */
/* host.limits: one row a resource limit of the worker, which it has from whatever started the agent */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "host/host.h"

enum { NAME, SOFT, HARD, SOFT_SIZE, HARD_SIZE, UNLIMITED, FACTS };

static const struct {
	const char *name;
	int resource;
	bool bytes;
} limits[] = {
	{"as", RLIMIT_AS, true},
	{"core", RLIMIT_CORE, true},
	{"cpu", RLIMIT_CPU, false},
	{"data", RLIMIT_DATA, true},
	{"fsize", RLIMIT_FSIZE, true},
	{"locks", RLIMIT_LOCKS, false},
	{"memlock", RLIMIT_MEMLOCK, true},
	{"msgqueue", RLIMIT_MSGQUEUE, true},
	{"nice", RLIMIT_NICE, false},
	{"nofile", RLIMIT_NOFILE, false},
	{"nproc", RLIMIT_NPROC, false},
	{"rss", RLIMIT_RSS, true},
	{"rtprio", RLIMIT_RTPRIO, false},
	{"rttime", RLIMIT_RTTIME, false},
	{"sigpending", RLIMIT_SIGPENDING, false},
	{"stack", RLIMIT_STACK, true},
};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

#define NO_LIMIT "; no limit is the largest number, 18446744073709551615"

static const struct rs_fact facts[] = {
	[NAME] = {.name = "name",
		  .type = RS_TEXT,
		  .flags = RS_F_KEY,
		  .doc = "as in limits.conf: memlock, nofile, stack, ..."},
	[SOFT] = {.name = "soft",
		  .type = RS_UNSIGNED,
		  .flags = RS_F_HIGHER,
		  .doc = "the limit that holds, as getrlimit() gives it: bytes, files, processes" NO_LIMIT},
	[HARD] = {.name = "hard",
		  .type = RS_UNSIGNED,
		  .flags = RS_F_HIGHER,
		  .doc = "how far it may be raised, as getrlimit() gives it" NO_LIMIT},
	[SOFT_SIZE] = {.name = "soft_size",
		       .type = RS_QUANTITY,
		       .unit = "B",
		       .flags = RS_F_HIGHER,
		       .doc = "soft where it counts bytes (memlock, stack, ...), else none"},
	[HARD_SIZE] = {.name = "hard_size",
		       .type = RS_QUANTITY,
		       .unit = "B",
		       .flags = RS_F_HIGHER,
		       .doc = "hard where it counts bytes, else none"},
	[UNLIMITED] = {.name = "unlimited", .type = RS_BOOLEAN, .doc = "soft is no limit at all"},
	[FACTS] = {0},
};

static void set_number(struct rs_ctx *ctx, unsigned fact, unsigned size_fact, rlim_t value, bool bytes)
{
	char text[32];

	rs_set_unsigned(ctx, fact, value);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	if (bytes)
		rs_set_decimal(ctx, size_fact, text);
	else
		rs_set_none(ctx, size_fact);
}

static int add_row(struct rs_ctx *ctx, size_t i)
{
	struct rlimit limit;

	if (getrlimit(limits[i].resource, &limit) < 0)
		return rs_error(ctx, RS_FAILED, "getrlimit(%s): %s", limits[i].name, strerror(errno));
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, NAME, limits[i].name);
	set_number(ctx, SOFT, SOFT_SIZE, limit.rlim_cur, limits[i].bytes);
	set_number(ctx, HARD, HARD_SIZE, limit.rlim_max, limits[i].bytes);
	rs_set_boolean(ctx, UNLIMITED, limit.rlim_cur == RLIM_INFINITY);
	return 0;
}

static bool wanted_name(const struct host_names *params, const char *name)
{
	for (unsigned i = 0; i < params->count; i++)
		if (!strcmp(params->names[i], name))
			return true;
	return !params->count;
}

static const char *unknown_name(const struct host_names *params)
{
	for (unsigned i = 0; i < params->count; i++) {
		bool found = false;

		for (size_t j = 0; j < LIMITS; j++)
			found |= !strcmp(params->names[i], limits[j].name);
		if (!found)
			return params->names[i];
	}
	return NULL;
}

int host_limits_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct host_names *params = data;
	const char *unknown = unknown_name(params);
	int error = 0;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "limits are not part of a recorded tree");
	if (unknown)
		return rs_error(ctx, RS_ABSENT,
				"there is no limit \"%s\"; there is as, core, cpu, data, fsize, locks, memlock, "
				"msgqueue, nice, nofile, nproc, rss, rtprio, rttime, sigpending, stack",
				unknown);
	for (size_t i = 0; i < LIMITS && !error; i++)
		if (wanted_name(params, limits[i].name))
			error = add_row(ctx, i);
	return error;
}

const struct rs_param host_limits_params[] = {
	{.key = "names",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .min = 1,
	 .max = 64,
	 .offset = offsetof(struct host_names, names),
	 .count_offset = offsetof(struct host_names, count),
	 .doc = "limits to observe (memlock, nofile, ...); without it all of them"},
	{0},
};

const struct rs_probe host_limits_probe = {
	.name = "host.limits",
	.summary = "resource limits that a program started by the agent has: memlock and the others",
	.row = "limit {name}",
	.facts = facts,
};
