/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be said of a measurement that did not come to its end */
#include <inttypes.h>
#include <string.h>

#include "support/perf_internal.h"
#include "support/sockets.h"
#include "support/sysfs.h"

/* Of rxe, mlx5 and irdma, bnxt_re: sent again because no answer came */
static const char *const counters[] = {"completer_retry_err", "local_ack_timeout_err", "retransSegs", "to_retransmits",
				       NULL};

uint64_t perf_retries(struct perf_run *run, const char **name)
{
	uint64_t value;

	for (size_t i = 0; counters[i]; i++) {
		*name = counters[i];
		if (!sysfs_number(run->ctx, &value, "class/infiniband/%s/ports/%u/hw_counters/%s", run->params->device,
				  (unsigned)run->params->port, counters[i]))
			return value;
	}
	return UINT64_MAX;
}

int perf_deadline(struct perf_run *run, uint64_t retries_before)
{
	const struct rs_end *peer = rs_peer(run->ctx);
	const char *name = NULL;
	uint64_t retries = perf_retries(run, &name);
	bool connected = socket_has(run->process.pid, SOCKET_ESTABLISHED, peer->port);

	if (retries_before != UINT64_MAX && retries != UINT64_MAX && retries > retries_before)
		return rs_error(
			run->ctx, RS_TIMED_OUT,
			"%s did not end in time: the handshake with %s succeeded, the data path did not: nothing "
			"is answered (%s rose by %" PRIu64 "): %s",
			run->tool, peer->address, name, retries - retries_before,
			run->kind == PERF_INFINIBAND
				? "is the path through the fabric right?"
				: "is UDP port 4791 let through on the whole path, and packets of this size?");
	if (connected)
		return rs_error(
			run->ctx, RS_TIMED_OUT,
			"%s did not end in time: it is connected to %s port %u and had no result yet; data that does "
			"not come through%s, or a timeout too short for what is measured",
			run->tool, peer->address, peer->port, run->kind == PERF_INFINIBAND ? "" : " (UDP port 4791)");
	return rs_error(run->ctx, RS_TIMED_OUT, "%s did not end in time, and is not connected to %s port %u", run->tool,
			peer->address, peer->port);
}
