/* SPDX-License-Identifier: BSD-2-Clause */
/* By ioctl: ethtool netlink has the standard statistics only, a driver's own names come no other way */
#include "roce/ethtool.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* More than any driver has; a driver that says more is not believed */
#define MOST 65536

static int ask(int fd, const char *netdev, void *command)
{
	struct ifreq request = {.ifr_data = command};

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", netdev);
	return ioctl(fd, SIOCETHTOOL, &request) < 0 ? -errno : 0;
}

/* How many there are */
static int count_strings(int fd, const char *netdev, uint32_t *count)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t count;
	} set = {.info = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS}};
	int error = ask(fd, netdev, &set);

	*count = !error && set.info.sset_mask ? set.count : 0;
	return error;
}

static int read_statistics(int fd, const char *netdev, uint32_t count,
			   void (*visit)(const char *name, uint64_t value, void *user), void *user)
{
	struct ethtool_gstrings *names = calloc(1, sizeof(*names) + (size_t)count * ETH_GSTRING_LEN);
	struct ethtool_stats *values = calloc(1, sizeof(*values) + (size_t)count * sizeof(uint64_t));
	int error = names && values ? 0 : -ENOMEM;

	if (!error) {
		*names = (struct ethtool_gstrings){ETHTOOL_GSTRINGS, ETH_SS_STATS, count};
		*values = (struct ethtool_stats){ETHTOOL_GSTATS, count};
		error = ask(fd, netdev, names);
	}
	if (!error)
		error = ask(fd, netdev, values);
	/* between the questions a driver may have got more queues: then names and values do not belong together */
	if (!error && (names->len != count || values->n_stats != count))
		error = -EAGAIN;
	for (uint32_t i = 0; i < count && !error; i++) {
		char name[ETH_GSTRING_LEN + 1];
		const char *start = name;

		snprintf(name, sizeof(name), "%.*s", ETH_GSTRING_LEN, names->data + (size_t)i * ETH_GSTRING_LEN);
		while (*start == ' ')
			start++;
		visit(start, values->data[i], user);
	}
	free(names);
	free(values);
	return error;
}

int ethtool_statistics(const char *netdev, void (*visit)(const char *name, uint64_t value, void *user), void *user)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), error;
	uint32_t count;

	if (fd < 0)
		return -errno;
	error = count_strings(fd, netdev, &count);
	if (!error && count > MOST)
		error = -EOVERFLOW;
	if (!error && count)
		error = read_statistics(fd, netdev, count, visit, user);
	close(fd);
	return error;
}
