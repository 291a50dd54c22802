/* SPDX-License-Identifier: BSD-2-Clause */
/* A process may have more than the usual 1,024 where there are hundreds of hosts. */
#include "agent/descriptors.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/link.h"
#include "base/cleanup.h"

#define EACH 4	  /* of a link: the ends of its pipes, and its process */
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
	if (raised)
		prlimit(child, RLIMIT_NOFILE, &before, NULL);
}

void descriptors_close(int most)
{
	AUTO_CLOSEDIR DIR *open_ones = NULL;
	struct dirent *entry;

	if (close_range((unsigned)most + 1, ~0U, 0) == 0)
		return;
	/* A kernel before 5.9, or valgrind. */
	open_ones = opendir("/proc/self/fd");
	while (open_ones && (entry = readdir(open_ones))) {
		int fd = atoi(entry->d_name);

		if (fd > most && fd != dirfd(open_ones))
			close(fd);
	}
}
