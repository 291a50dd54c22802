/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the counters of every port of a swept subnet that is up */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

extern const struct rs_fact fabric_counters_facts[];

/**
 * fabric_counters_rows - ask all, twice where @over is not zero, and tell
 * @over: seconds between the two readings; 0: one reading, absolute
 *
 * Returns 0 or what rs_error() returned; ports that did not answer are named with rs_incomplete().
 */
int fabric_counters_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad,
			 double over);
