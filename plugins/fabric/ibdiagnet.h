/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the stage table of ibdiagnet, where that is installed */
#pragma once

#include <rdmaspec/plugin.h>

extern const struct rs_fact fabric_ibdiagnet_facts[];

int fabric_ibdiagnet_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/** ibdiagnet_rows - a row for each stage in @text, what it printed; returns how many, 0: there is no stage table */
unsigned ibdiagnet_rows(struct rs_ctx *ctx, const char *text);
