/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the discovery of a subnet by directed-route SMPs from one of this host's ports */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

/**
 * sweep - fill @fabric with everything that can be reached
 *
 * What did not answer is left out of @fabric and named with rs_incomplete(). Returns 0, or what rs_error() returned.
 */
int sweep(struct rs_ctx *ctx, struct mad_port *umad, struct fabric *fabric);
