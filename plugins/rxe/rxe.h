/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

#include "support/select.h"

extern const struct rs_param rxe_links_params[];
extern const struct rs_probe rxe_links_probe;
int rxe_links_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
