/* SPDX-License-Identifier: BSD-2-Clause */
/* roce.qos: one row a priority of a NIC: DCB from netlink, congestion control from sysfs, rdma_cm's defaults from
 * configfs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce/dcb.h"
#include "roce/netdev.h"
#include "roce/roce.h"
#include "support/port.h"
#include "support/sysfs.h"

enum {
	DEVICE,
	PORT,
	NETDEV,
	PRIORITY,
	PFC,
	PFC_SENT,
	PFC_RECEIVED,
	TRUST,
	DSCP,
	TC,
	TSA,
	ETS,
	BUFFER,
	BUFFER_SIZE,
	ECN_NP,
	ECN_RP,
	CNP_DSCP,
	CNP_PRIORITY,
	CM_ROCE_MODE,
	CM_TOS,
	FACTS
};

static const char *const trusts[] = {"pcp", "dscp", NULL};
static const char *const algorithms[] = {"strict", "cbs", "ets", "vendor", NULL};
static const char *const roce_modes[] = {"RoCE v1", "RoCE v2", NULL};

#define NEEDS_DCB "needs a live host and a driver that tells it over DCB netlink"
#define NEEDS_DRIVER "needs a driver that has the file (mlx5 of MLNX_OFED or DOCA)"
#define NEEDS_CONFIGFS "needs configfs and the device's folder in /sys/kernel/config/rdma_cm, which mkdir makes"

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the RDMA device"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	[NETDEV] = {.name = "netdev",
		    .type = RS_TEXT,
		    .flags = RS_F_KEY,
		    .doc = "network device of the port; of a bond each of its slaves, which have the settings"},
	[PRIORITY] = {.name = "priority",
		      .type = RS_INTEGER,
		      .flags = RS_F_KEY,
		      .doc = "0 to 7: the priority of IEEE 802.1p"},
	[PFC] = {.name = "pfc",
		 .type = RS_BOOLEAN,
		 .doc = "priority flow control is on: its bit in pfc_en of struct ieee_pfc",
		 .observed_by = NEEDS_DCB},
	[PFC_SENT] = {.name = "pfc_sent",
		      .type = RS_UNSIGNED,
		      .flags = RS_F_VOLATILE | RS_F_LOWER,
		      .doc = "pause frames sent: requests of struct ieee_pfc",
		      .observed_by = NEEDS_DCB},
	[PFC_RECEIVED] = {.name = "pfc_received",
			  .type = RS_UNSIGNED,
			  .flags = RS_F_VOLATILE | RS_F_LOWER,
			  .doc = "pause frames received: indications of struct ieee_pfc",
			  .observed_by = NEEDS_DCB},
	[TRUST] = {.name = "trust",
		   .type = RS_ENUM,
		   .choices = trusts,
		   .doc = "what decides a received packet's priority: the kernel's trust table (since 6.3), file "
			  "qos/trust "
			  "of the netdev, or, for mlx5, whether a DSCP has a priority at all",
		   .observed_by = "needs a kernel or driver that tells it"},
	[DSCP] = {.name = "dscp",
		  .type = RS_INTEGER,
		  .flags = RS_F_LIST,
		  .doc = "DSCPs that are given this priority (APP table, selector 5), rising; none where none is",
		  .observed_by = NEEDS_DCB},
	[TC] = {.name = "tc",
		.type = RS_INTEGER,
		.doc = "traffic class of the priority: prio_tc of struct ieee_ets",
		.observed_by = NEEDS_DCB},
	[TSA] = {.name = "tsa",
		 .type = RS_ENUM,
		 .choices = algorithms,
		 .doc = "how that traffic class is scheduled: tc_tsa",
		 .observed_by = NEEDS_DCB},
	[ETS] = {.name = "ets",
		 .type = RS_QUANTITY,
		 .unit = "%",
		 .doc = "bandwidth of that traffic class: tc_tx_bw; none where it is not scheduled by ETS",
		 .observed_by = NEEDS_DCB},
	[BUFFER] = {.name = "buffer",
		    .type = RS_INTEGER,
		    .doc = "receive buffer of the priority: prio2buffer of struct dcbnl_buffer",
		    .observed_by = NEEDS_DCB},
	[BUFFER_SIZE] = {.name = "buffer_size",
			 .type = RS_QUANTITY,
			 .unit = "B",
			 .doc = "size of that buffer",
			 .observed_by = NEEDS_DCB},
	[ECN_NP] = {.name = "ecn_np",
		    .type = RS_BOOLEAN,
		    .doc = "notification point: CNPs are sent for marked packets (file ecn/roce_np/enable/PRIORITY)",
		    .observed_by = NEEDS_DRIVER},
	[ECN_RP] = {.name = "ecn_rp",
		    .type = RS_BOOLEAN,
		    .doc = "reaction point: CNPs slow the sender down (file ecn/roce_rp/enable/PRIORITY)",
		    .observed_by = NEEDS_DRIVER},
	[CNP_DSCP] = {.name = "cnp_dscp",
		      .type = RS_INTEGER,
		      .doc = "DSCP of the CNPs that are sent (file ecn/roce_np/cnp_dscp), the same for all priorities",
		      .observed_by = NEEDS_DRIVER},
	[CNP_PRIORITY] = {.name = "cnp_priority",
			  .type = RS_INTEGER,
			  .doc = "priority of the CNPs that are sent (file ecn/roce_np/cnp_802p_prio)",
			  .observed_by = NEEDS_DRIVER},
	[CM_ROCE_MODE] = {.name = "cm_roce_mode",
			  .type = RS_ENUM,
			  .choices = roce_modes,
			  .doc = "what rdma_cm uses by default: default_roce_mode in /sys/kernel/config/rdma_cm",
			  .observed_by = NEEDS_CONFIGFS},
	[CM_TOS] = {.name = "cm_tos",
		    .type = RS_INTEGER,
		    .doc = "type of service that rdma_cm sets by default: default_roce_tos there",
		    .observed_by = NEEDS_CONFIGFS},
	[FACTS] = {0},
};

struct search {
	struct netdevs netdevs;
	int ports;
};

/* One NIC, its eight rows */
struct place {
	struct rs_ctx *ctx;
	const char *device, *netdev;
	unsigned port;
	struct dcb dcb;
	const char *no_dcb; /* why there is none; NULL: there is */
	bool mlx5;
};

static void read_dcb(struct place *place)
{
	char *why = rs_alloc(place->ctx, 160);
	int error;

	place->no_dcb = why;
	if (rs_recorded(place->ctx)) {
		snprintf(why, 160, "needs a live host: DCB comes over netlink");
		return;
	}
	error = dcb_read(place->ctx, place->netdev, &place->dcb);
	if (error == -EOPNOTSUPP)
		snprintf(why, 160, "the driver of %s has no DCB", place->netdev);
	else if (error)
		snprintf(why, 160, "DCB netlink says of %s: %s", place->netdev, strerror(-error));
	else
		place->no_dcb = NULL;
}

static void set_pfc(const struct place *place, unsigned priority)
{
	if (!place->dcb.has_pfc)
		return;
	rs_set_boolean(place->ctx, PFC, place->dcb.pfc >> priority & 1);
	rs_set_unsigned(place->ctx, PFC_SENT, place->dcb.pfc_sent[priority]);
	rs_set_unsigned(place->ctx, PFC_RECEIVED, place->dcb.pfc_received[priority]);
}

static void set_dscp(const struct place *place, unsigned priority)
{
	bool any = false;

	if (!place->dcb.has_app)
		return;
	for (int dscp = 0; dscp < DCB_DSCPS; dscp++) {
		if (place->dcb.dscp[dscp] != (int)priority)
			continue;
		any = true;
		rs_set_integer(place->ctx, DSCP, dscp);
	}
	if (!any)
		rs_set_none(place->ctx, DSCP);
}

static void set_ets(const struct place *place, unsigned priority)
{
	static const struct {
		uint8_t code;
		int choice;
	} codes[] = {{0, 0}, {1, 1}, {2, 2}, {255, 3}};
	unsigned tc = place->dcb.tc[priority];
	int choice = -1;
	char text[16];

	if (!place->dcb.has_ets)
		return;
	rs_set_integer(place->ctx, TC, tc);
	if (tc >= DCB_PRIORITIES)
		return;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (place->dcb.tsa[tc] == codes[i].code)
			choice = codes[i].choice;
	snprintf(text, sizeof(text), "%u", place->dcb.tsa[tc]);
	if (choice < 0)
		rs_set_unknown(place->ctx, TSA, text);
	else
		rs_set_enum(place->ctx, TSA, choice);
	snprintf(text, sizeof(text), "%u", place->dcb.bandwidth[tc]);
	if (choice == 2)
		rs_set_decimal(place->ctx, ETS, text);
	else
		rs_set_none(place->ctx, ETS);
}

static void set_buffer(const struct place *place, unsigned priority)
{
	unsigned buffer = place->dcb.buffer[priority];
	char text[16];

	if (!place->dcb.has_buffer)
		return;
	rs_set_integer(place->ctx, BUFFER, buffer);
	if (buffer >= DCB_PRIORITIES)
		return;
	snprintf(text, sizeof(text), "%u", place->dcb.buffer_size[buffer]);
	rs_set_decimal(place->ctx, BUFFER_SIZE, text);
}

static bool any_dscp(const struct dcb *dcb)
{
	for (int i = 0; i < DCB_DSCPS; i++)
		if (dcb->dscp[i] >= 0)
			return true;
	return false;
}

static void set_trust(const struct place *place)
{
	char text[32];

	if (!place->no_dcb && place->dcb.trust != DCB_TRUST_UNKNOWN)
		rs_set_enum(place->ctx, TRUST, place->dcb.trust == DCB_TRUST_DSCP);
	else if (sysfs_read(place->ctx, text, sizeof(text), "class/net/%s/qos/trust", place->netdev) > 0 &&
		 (!strcasecmp(text, "dscp") || !strcasecmp(text, "pcp")))
		rs_set_enum(place->ctx, TRUST, !strcasecmp(text, "dscp"));
	else if (!place->no_dcb && place->mlx5 && place->dcb.has_app)
		rs_set_enum(place->ctx, TRUST, any_dscp(&place->dcb));
}

static void set_ecn(const struct place *place, unsigned priority)
{
	uint64_t value;

	if (!sysfs_number(place->ctx, &value, "class/net/%s/ecn/roce_np/enable/%u", place->netdev, priority))
		rs_set_boolean(place->ctx, ECN_NP, value);
	if (!sysfs_number(place->ctx, &value, "class/net/%s/ecn/roce_rp/enable/%u", place->netdev, priority))
		rs_set_boolean(place->ctx, ECN_RP, value);
	if (!sysfs_number(place->ctx, &value, "class/net/%s/ecn/roce_np/cnp_dscp", place->netdev))
		rs_set_integer(place->ctx, CNP_DSCP, (int64_t)value);
	if (!sysfs_number(place->ctx, &value, "class/net/%s/ecn/roce_np/cnp_802p_prio", place->netdev))
		rs_set_integer(place->ctx, CNP_PRIORITY, (int64_t)value);
}

static void set_cm(const struct place *place)
{
	char text[64];
	uint64_t tos;

	if (sysfs_read(place->ctx, text, sizeof(text), "kernel/config/rdma_cm/%s/ports/%u/default_roce_mode",
		       place->device, place->port) > 0) {
		if (!strcmp(text, "RoCE v2"))
			rs_set_enum(place->ctx, CM_ROCE_MODE, 1);
		else if (!strcmp(text, "IB/RoCE v1"))
			rs_set_enum(place->ctx, CM_ROCE_MODE, 0);
		else
			rs_set_unknown(place->ctx, CM_ROCE_MODE, text);
	}
	if (!sysfs_number(place->ctx, &tos, "kernel/config/rdma_cm/%s/ports/%u/default_roce_tos", place->device,
			  place->port))
		rs_set_integer(place->ctx, CM_TOS, (int64_t)tos);
}

static void add_row(const struct place *place, unsigned priority)
{
	rs_row_begin(place->ctx, 0);
	rs_set_text(place->ctx, DEVICE, place->device);
	rs_set_integer(place->ctx, PORT, place->port);
	rs_set_text(place->ctx, NETDEV, place->netdev);
	rs_set_integer(place->ctx, PRIORITY, priority);
	if (place->no_dcb) {
		static const unsigned from_dcb[] = {PFC, PFC_SENT, PFC_RECEIVED, DSCP,	     TC,
						    TSA, ETS,	   BUFFER,	 BUFFER_SIZE};

		for (size_t i = 0; i < sizeof(from_dcb) / sizeof(from_dcb[0]); i++)
			rs_not_observed(place->ctx, from_dcb[i], place->no_dcb);
	} else {
		set_pfc(place, priority);
		set_dscp(place, priority);
		set_ets(place, priority);
		set_buffer(place, priority);
	}
	set_trust(place);
	set_ecn(place, priority);
	set_cm(place);
}

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	struct search *search = user;
	char netdev[IFNAMSIZ], driver[64], **names;
	int count;

	if (port_is_infiniband(ctx, device, port))
		return;
	search->ports++;
	if (netdev_of_port(&search->netdevs, device, port, netdev) <= 0) {
		rs_note(ctx, "%s port %u has no netdev in this network namespace", device, port);
		return;
	}
	count = netdev_physical(ctx, netdev, &names);
	for (int i = 0; i < count; i++) {
		struct place place = {.ctx = ctx, .device = device, .netdev = names[i], .port = port};

		place.mlx5 = rdma_driver(ctx, device, driver, sizeof(driver)) && !strcmp(driver, "mlx5");
		read_dcb(&place);
		for (unsigned priority = 0; priority < DCB_PRIORITIES; priority++)
			add_row(&place, priority);
	}
}

int roce_qos_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	struct search search = {.ports = 0};
	int error;

	netdevs_read(ctx, &search.netdevs);
	error = select_ports(ctx, params, visit, &search);
	if (!error && !search.ports)
		error = roce_no_port(ctx);
	return error;
}

const struct rs_param roce_qos_params[] = {RDMA_SELECT_DEVICE, RDMA_SELECT_PORT, {0}};

const struct rs_probe roce_qos_probe = {
	.name = "roce.qos",
	.summary = "what makes RoCE lossless, by priority: PFC, ETS, DSCP, buffers, ECN",
	.row = "{netdev} priority {priority}",
	.facts = facts,
};
