/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.ipoib: one row an IPoIB network device, from sysfs; its addresses from the kernel */
#include <fnmatch.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <string.h>

#include "ib/ib.h"
#include "support/addresses.h"
#include "support/sysfs.h"

enum { NETDEV, DEVICE, PORT, PARENT, MODE, MTU, PKEY, STATE, ENABLED, ADDRESSES, FACTS };

#define ARPHRD_INFINIBAND_TYPE 32 /* linux/if_arp.h */

static const char *const modes[] = {"datagram", "connected", NULL};
static const char *const states[] = {"unknown", "notpresent", "down", "lowerlayerdown",
				     "testing", "dormant",    "up",   NULL};

#define NEEDS_FILE "needs a kernel and driver that have the file"

static const struct rs_fact facts[] = {
	[NETDEV] = {.name = "netdev",
		    .type = RS_TEXT,
		    .flags = RS_F_KEY,
		    .doc = "network device in /sys/class/net whose type is 32 (InfiniBand)"},
	[DEVICE] = {.name = "device",
		    .type = RS_TEXT,
		    .doc = "RDMA device that it runs on: the folder's name in device/infiniband",
		    .observed_by = NEEDS_FILE},
	[PORT] = {.name = "port",
		  .type = RS_INTEGER,
		  .doc = "its port: file dev_port and one more",
		  .observed_by = NEEDS_FILE},
	[PARENT] = {.name = "parent",
		    .type = RS_TEXT,
		    .doc = "file parent: the device that this one is a child of; none for one that is no child"},
	[MODE] = {.name = "mode", .type = RS_ENUM, .choices = modes, .doc = "file mode", .observed_by = NEEDS_FILE},
	[MTU] = {.name = "mtu", .type = RS_INTEGER, .doc = "file mtu, in bytes", .observed_by = NEEDS_FILE},
	[PKEY] = {.name = "pkey",
		  .type = RS_UNSIGNED,
		  .flags = RS_F_HEX,
		  .doc = "file pkey: the partition that it is in",
		  .observed_by = NEEDS_FILE},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .choices = states,
		   .doc = "file operstate",
		   .observed_by = NEEDS_FILE},
	[ENABLED] = {.name = "enabled",
		     .type = RS_BOOLEAN,
		     .doc = "bit IFF_UP of file flags: the administrator has set it up",
		     .observed_by = NEEDS_FILE},
	[ADDRESSES] = {.name = "addresses",
		       .type = RS_IP,
		       .flags = RS_F_LIST,
		       .doc = "IPv4 and IPv6 addresses; none where it has none",
		       .observed_by = "needs a live host: a recorded tree has files only"},
	[FACTS] = {0},
};

static void set_choice(struct rs_ctx *ctx, unsigned fact, const char *const *choices, const char *netdev,
		       const char *file)
{
	char text[64];

	if (sysfs_read(ctx, text, sizeof(text), "class/net/%s/%s", netdev, file) < 0)
		return;
	for (int i = 0; choices[i]; i++) {
		if (!strcmp(text, choices[i])) {
			rs_set_enum(ctx, fact, i);
			return;
		}
	}
	rs_set_unknown(ctx, fact, text);
}

static void set_device(struct rs_ctx *ctx, const char *netdev)
{
	char **names, text[64];
	uint64_t value;

	if (sysfs_list(ctx, &names, "class/net/%s/device/infiniband", netdev) > 0)
		rs_set_text(ctx, DEVICE, names[0]);
	if (!sysfs_number(ctx, &value, "class/net/%s/dev_port", netdev))
		rs_set_integer(ctx, PORT, (int64_t)value + 1);
	if (sysfs_read(ctx, text, sizeof(text), "class/net/%s/parent", netdev) >= 0)
		rs_set_text(ctx, PARENT, text);
	else
		rs_set_none(ctx, PARENT);
}

static void set_numbers(struct rs_ctx *ctx, const char *netdev)
{
	uint64_t value;

	if (!sysfs_number(ctx, &value, "class/net/%s/mtu", netdev))
		rs_set_integer(ctx, MTU, (int64_t)value);
	if (!sysfs_number(ctx, &value, "class/net/%s/pkey", netdev))
		rs_set_unsigned(ctx, PKEY, value);
	if (!sysfs_number(ctx, &value, "class/net/%s/flags", netdev))
		rs_set_boolean(ctx, ENABLED, value & 1);
}

static bool is_meant(struct rs_ctx *ctx, const char *pattern, const char *netdev)
{
	uint64_t type;

	if (sysfs_number(ctx, &type, "class/net/%s/type", netdev) || type != ARPHRD_INFINIBAND_TYPE)
		return false;
	return !pattern || !strcmp(pattern, netdev) || !fnmatch(pattern, netdev, 0);
}

int ib_ipoib_observe(struct rs_ctx *ctx, const void *bound, uint32_t wanted)
{
	const struct ib_ipoib_params *params = bound;
	struct ifaddrs *addresses = NULL;
	char **names;
	int count = sysfs_list(ctx, &names, "class/net");

	if (count < 0)
		return rs_error(ctx, RS_FAILED, "%s/class/net: %s", rs_sysfs(ctx), strerror(-count));
	if (!rs_recorded(ctx) && getifaddrs(&addresses) < 0)
		return rs_error(ctx, RS_FAILED, "the addresses of this host cannot be read");
	for (int i = 0; i < count; i++) {
		if (!is_meant(ctx, params->netdev, names[i]))
			continue;
		rs_row_begin(ctx, 0);
		rs_set_text(ctx, NETDEV, names[i]);
		set_device(ctx, names[i]);
		set_numbers(ctx, names[i]);
		set_choice(ctx, MODE, modes, names[i], "mode");
		set_choice(ctx, STATE, states, names[i], "operstate");
		if (!rs_recorded(ctx))
			addresses_set(ctx, ADDRESSES, names[i], addresses);
	}
	freeifaddrs(addresses);
	return 0;
}

const struct rs_param ib_ipoib_params[] = {
	{.key = "netdev",
	 .type = RS_TEXT,
	 .offset = offsetof(struct ib_ipoib_params, netdev),
	 .doc = "network device, or a glob over their names (\"ib*\"); without it all of them"},
	{0},
};

const struct rs_probe ib_ipoib_probe = {
	.name = "ib.ipoib",
	.summary = "IPoIB network devices of a host",
	.row = "{netdev}",
	.facts = facts,
};
