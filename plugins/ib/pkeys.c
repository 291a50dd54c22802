/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.pkeys: one row an entry of a port's partition table that is in use, from sysfs */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ib/ib.h"
#include "support/port.h"
#include "support/sysfs.h"

enum { DEVICE, PORT, INDEX, PKEY, PARTITION, MEMBERSHIP, FACTS };

static const char *const memberships[] = {"limited", "full", NULL};

#define FULL_MEMBER 0x8000

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name in /sys/class/infiniband"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	[INDEX] = {.name = "index",
		   .type = RS_INTEGER,
		   .flags = RS_F_KEY,
		   .doc = "place in the table: the file's name in ports/N/pkeys; empty places (0x0000) have no row"},
	[PKEY] = {.name = "pkey", .type = RS_UNSIGNED, .flags = RS_F_HEX, .doc = "the entry, all 16 bits: 0xffff"},
	[PARTITION] = {.name = "partition",
		       .type = RS_UNSIGNED,
		       .flags = RS_F_HEX,
		       .doc = "its low 15 bits, which two ports must share to talk: 0x7fff is the default partition"},
	[MEMBERSHIP] = {.name = "membership",
			.type = RS_ENUM,
			.choices = memberships,
			.doc = "its top bit: full members talk to all, limited ones to full ones only"},
	[FACTS] = {0},
};

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	char **names;
	int count;

	if (!port_is_infiniband(ctx, device, port))
		return; /* RoCE ports have one entry that means nothing */
	count = sysfs_list(ctx, &names, "class/infiniband/%s/ports/%u/pkeys", device, port);
	if (count < 0)
		rs_note(ctx, "%s port %u: its partition table cannot be read: %s", device, port, strerror(-count));
	for (int i = 0; i < count; i++) {
		uint64_t pkey;

		if (!isdigit((unsigned char)names[i][0]) ||
		    sysfs_number(ctx, &pkey, "class/infiniband/%s/ports/%u/pkeys/%s", device, port, names[i]) || !pkey)
			continue;
		rs_row_begin(ctx, 0);
		rs_set_text(ctx, DEVICE, device);
		rs_set_integer(ctx, PORT, port);
		rs_set_integer(ctx, INDEX, atoi(names[i]));
		rs_set_unsigned(ctx, PKEY, pkey);
		rs_set_unsigned(ctx, PARTITION, pkey & ~(uint64_t)FULL_MEMBER);
		rs_set_enum(ctx, MEMBERSHIP, !!(pkey & FULL_MEMBER));
	}
}

int ib_pkeys_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return select_ports(ctx, params, visit, NULL);
}

const struct rs_param ib_pkeys_params[] = {RDMA_SELECT_DEVICE, RDMA_SELECT_PORT, {0}};

const struct rs_probe ib_pkeys_probe = {
	.name = "ib.pkeys",
	.summary = "partition tables of a host's InfiniBand ports",
	.row = "{device} port {port} P_Key {index}",
	.facts = facts,
};
