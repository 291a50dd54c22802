/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the partition tables of a swept subnet */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

extern const struct rs_fact fabric_partitions_facts[];

/** fabric_partitions_rows - ask and tell; returns 0 or what rs_error() returned; what is not answered is named */
int fabric_partitions_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad);
