/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: an RDMA device through libibverbs, for what sysfs does not tell */
#pragma once

#include <infiniband/verbs.h>
#include <rdmaspec/plugin.h>

/** verbs_open - NULL where it cannot be opened: then @why says why, and sysfs has to do */
struct ibv_context *verbs_open(struct rs_ctx *ctx, const char *device, const char **why);

/** verbs_close - NULL is allowed */
void verbs_close(struct ibv_context *context);
