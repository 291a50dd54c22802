/* SPDX-License-Identifier: BSD-2-Clause */
#include "roce/verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *explain(struct rs_ctx *ctx, const char *device)
{
	char *why = rs_alloc(ctx, 256);
	int error = errno;

	if (error == EACCES || error == EPERM)
		snprintf(why, 256, "needs read and write access to the uverbs device of %s in /dev/infiniband", device);
	else
		snprintf(why, 256, "needs libibverbs to open %s, which it cannot: %s", device,
			 error ? strerror(error) : "unknown error");
	return why;
}

struct ibv_context *verbs_open(struct rs_ctx *ctx, const char *device, const char **why)
{
	struct ibv_device **devices = NULL;
	struct ibv_context *context = NULL;
	int count = 0;

	if (rs_recorded(ctx)) {
		*why = "needs a live host: a recorded tree has files only";
		return NULL;
	}
	errno = 0;
	devices = ibv_get_device_list(&count);
	if (!devices) {
		*why = explain(ctx, device);
		return NULL;
	}
	errno = ENOENT;
	for (int i = 0; i < count && !context; i++)
		if (!strcmp(ibv_get_device_name(devices[i]), device))
			context = ibv_open_device(devices[i]);
	if (!context)
		*why = explain(ctx, device);
	ibv_free_device_list(devices);
	return context;
}

void verbs_close(struct ibv_context *context)
{
	if (context)
		ibv_close_device(context);
}
