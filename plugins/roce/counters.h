/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: parameters of roce.counters */
#pragma once

#include "support/select.h"

/** struct counters_params - @over: seconds; @names: counters, or globs; begins with what select_ports() wants */
struct counters_params {
	struct rdma_select select;
	double over;
	const char *const *names;
	unsigned count;
};
