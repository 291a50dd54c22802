/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what was surveyed, as a scenario that holds today and fails when something changes */
#pragma once

#include <stdio.h>

#include "run/result.h"

/** survey_write - from the last observation of every case of @result; 0 or -errno */
int survey_write(FILE *out, const struct result *result);
