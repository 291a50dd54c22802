/* SPDX-License-Identifier: BSD-2-Clause */
/* How many descriptors this process may have: more than the usual 1,024 where there are hundreds of hosts. */
#include <sys/resource.h>

#include "agent/link_internal.h"

#define EACH 3	  /* of a link: the ends of its pipes */
#define OTHERS 64 /* the loop's, reports, ... */

static struct rlimit before;
static bool raised;

/* The hard limit is root's to raise; where it is too low, those hosts are errors that find no descriptor any more. */
void link_reserve(size_t links)
{
	rlim_t wanted = links * EACH + OTHERS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &before) < 0 || before.rlim_cur >= wanted)
		return;
	limit = (struct rlimit){
		.rlim_cur = wanted,
		.rlim_max = before.rlim_max > wanted ? before.rlim_max : wanted,
	};
	raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
	if (raised)
		return;
	limit = (struct rlimit){.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
	raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* What is observed of a host's limits, and what tools make of them, is not changed by how many hosts there are. */
void descriptors_restore(pid_t child)
{
	if (raised && child > 0)
		prlimit(child, RLIMIT_NOFILE, &before, NULL);
}
