/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a plan against the cables of a swept subnet */
#pragma once

#include "fabric/fabric.h"
#include "fabric/plan.h"

extern const struct rs_fact fabric_cabling_facts[];

void fabric_cabling_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, const struct plan *plan);
