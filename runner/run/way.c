/* SPDX-License-Identifier: BSD-2-Clause */
/* The command that leads to a host's agent, as soon as it is known. */
#include <errno.h>
#include <stdlib.h>

#include "agent/connect.h"
#include "agent/pods.h"
#include "base/cleanup.h"
#include "run/internal.h"

int64_t host_timeout(const struct host *host)
{
	int64_t asked = host->run->options->connect_timeout_ms, own = host->scenario->timeout_ms;

	return asked ? asked : own ? own : LINK_HELLO_MS;
}

/* Those hosts that wait for it are tried again. */
static void on_pods(void *user)
{
	struct run *run = user;

	run->next_host = 0;
	run_pump(run);
}

/* One question for all hosts that ask the same. */
static const struct pods *find_pods(const struct host *host)
{
	struct run *run = host->run;

	for (size_t i = 0; i < run->npods; i++)
		if (pods_serve(run->pods[i], host->scenario))
			return run->pods[i];
	GROW(run->pods, run->npods, run->pods_capacity);
	return run->pods[run->npods++] = pods_ask(&run->loop, host->scenario, host_timeout(host), on_pods, run);
}

static int into_pod(const struct host *host, struct strings *argv, char **why)
{
	const char *pod = host->scenario->connect_to;

	if (host->scenario->way.label) {
		const struct pods *pods = find_pods(host);

		if (!pods_answered(pods))
			return -EAGAIN;
		pod = pods_find(pods, pod, why);
	}
	if (!pod)
		return -ENOENT;
	connect_kubectl(host->scenario, pod, argv);
	return 0;
}

int host_way(const struct host *host, struct strings *argv, char **why)
{
	if (host->run->options->simulate)
		return 0;
	switch (host->scenario->connect) {
	case CONNECT_SSH:
		connect_ssh(host->scenario, host_timeout(host), argv);
		break;
	case CONNECT_SLURM:
		connect_slurm(host->scenario, argv);
		break;
	case CONNECT_KUBECTL:
		return into_pod(host, argv, why);
	case CONNECT_COMMAND:
	case CONNECT_LOCAL:
	case CONNECT_SIMULATED:
		break;
	}
	return 0;
}

void ways_close(struct run *run)
{
	for (size_t i = 0; i < run->npods; i++)
		pods_close(run->pods[i]);
	run->npods = 0;
}
