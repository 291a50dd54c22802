/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: every subnet manager of a subnet, asked for SMInfo after the sweep */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

extern const struct rs_fact fabric_sms_facts[];

/** fabric_sms_rows - ask and tell; returns 0 or what rs_error() returned */
int fabric_sms_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad);
