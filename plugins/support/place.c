/* SPDX-License-Identifier: BSD-2-Clause */
/* Which CPUs, and which memory: what a process has, what it starts has too; neither taskset nor numactl is needed */
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/place.h"
#include "support/sysfs.h"

#define NODES 1024

/* "0-7,16"; false where it is no such list */
static bool parse_cpus(const char *text, cpu_set_t *set)
{
	CPU_ZERO(set);
	do {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (end == text || *text < '0' || *text > '9')
			return false;
		if (*end == '-') {
			text = end + 1;
			last = strtoul(text, &end, 10);
			if (end == text || *text < '0' || *text > '9')
				return false;
		}
		if (last < first || last >= CPU_SETSIZE || (*end && *end != ','))
			return false;
		for (; first <= last; first++)
			CPU_SET(first, set);
		text = end;
	} while (*text++ == ',');
	return true;
}

static int set_cpus(struct rs_ctx *ctx, const char *text)
{
	cpu_set_t set;

	if (!parse_cpus(text, &set))
		return rs_error(ctx, RS_FAILED, "cpus: \"%s\" is no list of CPUs such as \"0-7,16\"", text);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return rs_error(ctx, RS_ABSENT, "cannot run on the CPUs %s of this host: %s", text, strerror(errno));
	return 0;
}

static int node_of(struct rs_ctx *ctx, const struct place *place, unsigned *node)
{
	char text[16], *end;
	unsigned long value;

	if (place->device && !strcmp(place->numa_node, "device")) {
		int length = sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/device/numa_node", place->device);

		if (length < 0 || text[0] == '-')
			return rs_error(ctx, RS_ABSENT, "the kernel tells no NUMA node of %s", place->device);
		*node = (unsigned)strtoul(text, NULL, 10);
		return 0;
	}
	value = strtoul(place->numa_node, &end, 10);
	if (*end || end == place->numa_node || place->numa_node[0] == '-' || value >= NODES)
		return rs_error(ctx, RS_FAILED, "numa_node: \"%s\" is %s", place->numa_node,
				place->device ? "neither a number nor \"device\"" : "no number");
	*node = (unsigned)value;
	return 0;
}

static int set_node(struct rs_ctx *ctx, const struct place *place)
{
	unsigned long mask[NODES / (8 * sizeof(unsigned long))] = {0};
	const size_t bits = 8 * sizeof(unsigned long);
	char cpus[1024];
	unsigned node = 0;
	int error = node_of(ctx, place, &node);

	if (error)
		return error;
	if (sysfs_read(ctx, cpus, sizeof(cpus), "devices/system/node/node%u/cpulist", node) < 0)
		return rs_error(ctx, RS_ABSENT, "this host has no NUMA node %u", node);
	mask[node / bits] = 1UL << (node % bits);
	if (syscall(SYS_set_mempolicy, MPOL_BIND, mask, (unsigned long)NODES) < 0 && errno != ENOSYS)
		return rs_error(ctx, errno == EPERM ? RS_DENIED : RS_FAILED, "cannot take memory of NUMA node %u: %s",
				node, strerror(errno));
	return place->cpus || !*cpus ? 0 : set_cpus(ctx, cpus);
}

int place_here(struct rs_ctx *ctx, const struct place *place)
{
	int error = place->numa_node ? set_node(ctx, place) : 0;

	return error || !place->cpus ? error : set_cpus(ctx, place->cpus);
}
