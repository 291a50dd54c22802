/* SPDX-License-Identifier: BSD-2-Clause */
/* A worker that is the server of a pair: its time, and its end. */
#include <unistd.h>

#include "agent/agent.h"

#define STOP_MS 3000 /* for a server to end by itself, once there is no client any more */

bool job_ready(struct job *job)
{
	if (!job->server || job->ready)
		return false;
	job->ready = true;
	job_set_deadline(job, job->timeout_ms + SERVER_MS);
	return true;
}

void job_stop(struct job *job)
{
	if (job->stop_fd < 0)
		return;
	close(job->stop_fd);
	job->stop_fd = -1;
	job->stopped = true;
	job_set_deadline(job, STOP_MS);
}
