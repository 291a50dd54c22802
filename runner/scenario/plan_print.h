/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files that print a plan share */
#pragma once

#include "scenario/plan.h"

/** plan_put - @text, whatever is in it, as one line of printable characters; plan_put_folded - names as one nodeset */
void plan_put(FILE *out, const char *text);
void plan_put_folded(FILE *out, const char *const *names, size_t count);

/** plan_put_pairs - between whom a step is observed, behind its probe's name; plan_put_rounds - lines, one a round */
void plan_put_pairs(const struct plan *plan, const struct plan_step *step, FILE *out);
void plan_put_rounds(const struct plan *plan, const struct plan_step *step, FILE *out);
