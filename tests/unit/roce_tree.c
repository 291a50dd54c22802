/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roce.* on the recorded tree mlx5-bond, whose files the expected values stand in, and DCB answers replayed from bytes
 * that are laid out here by hand after linux/dcbnl.h: no software device has DCB.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <arpa/inet.h>
#include <cmocka.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_host.h"
#include "roce/dcb.h"

extern const struct rs_plugin rs_plugin_v1;

static struct rs_ctx *observe(const char *tree, const char *probe, const char *setting)
{
	const char *settings[] = {setting, NULL};
	char path[512];
	struct rs_ctx *ctx;

	snprintf(path, sizeof(path), "%s/tests/data/sysfs/%s", getenv("RDMASPEC_SOURCE"), tree);
	ctx = host_new(path);
	host_observe(ctx, &rs_plugin_v1, probe, settings);
	return ctx;
}

static void assert_cells(const struct rs_ctx *ctx, const char *probe, size_t row, const char *const (*cells)[2])
{
	for (; (*cells)[0]; cells++)
		if (strcmp(host_cell(ctx, probe, row, (*cells)[0]), (*cells)[1]))
			fail_msg("row %zu: %s is %s, expected %s", row, (*cells)[0],
				 host_cell(ctx, probe, row, (*cells)[0]), (*cells)[1]);
}

#define ASSERT_CELLS(ctx, probe, row, ...)                                                                             \
	assert_cells(ctx, probe, row, (const char *const[][2]){__VA_ARGS__, {NULL, NULL}})

static void a_bond_and_its_slaves(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.devices", NULL);

	assert_string_equal(host_error(ctx), "");
	assert_int_equal(host_rows(ctx, "roce.devices"), 3);
	ASSERT_CELLS(ctx, "roce.devices", 0, {"device", "mlx5_0"}, {"netdev", "eth0x"}, {"netdev_state", "up"},
		     {"driver", "mlx5"}, {"protocol", "RoCE"}, {"bond", "none"}, {"bond_slaves", "none"},
		     {"mtu", "4200"}, {"active_mtu", "?"}, {"speed", "100000"}, {"addresses", "?"});
	/* its GID table is empty: the netdev comes from device/net */
	ASSERT_CELLS(ctx, "roce.devices", 1, {"device", "mlx5_1"}, {"netdev", "eth1x"}, {"netdev_state", "down"},
		     {"state", "Down"}, {"physical_state", "Disabled"}, {"speed", "?"});
	ASSERT_CELLS(ctx, "roce.devices", 2, {"device", "mlx5_bond_0"}, {"netdev", "bond0"}, {"bond", "bond0"},
		     {"bond_slaves", "eth2x,eth3x"}, {"bond_mode", "802.3ad"}, {"mtu", "9000"});
	host_free(ctx);
}

/* 10.0.0.1 is index 5 as RoCE v2, and no other index */
static void an_address_and_its_index(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.gids", "device=mlx5_bond_0");
	int found = 0;

	assert_int_equal(host_rows(ctx, "roce.gids"), 10);
	for (size_t i = 0; i < 10; i++) {
		char index[8];

		snprintf(index, sizeof(index), "%zu", i);
		ASSERT_CELLS(ctx, "roce.gids", i, {"index", index}, {"netdev", "bond0"}, {"vlan", "none"},
			     {"type", i % 2 ? "RoCE v2" : "RoCE v1"});
		if (strcmp(host_cell(ctx, "roce.gids", i, "address"), "10.0.0.1") ||
		    strcmp(host_cell(ctx, "roce.gids", i, "type"), "RoCE v2"))
			continue;
		found++;
		ASSERT_CELLS(ctx, "roce.gids", i, {"index", "5"}, {"gid", "::ffff:10.0.0.1"}, {"link_local", "false"});
	}
	assert_int_equal(found, 1);
	ASSERT_CELLS(ctx, "roce.gids", 3, {"address", "fe80::2"}, {"link_local", "true"});
	host_free(ctx);
}

static void holes_and_what_is_not_told(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.gids", "device=mlx5_0");

	assert_int_equal(host_rows(ctx, "roce.gids"), 5);
	ASSERT_CELLS(ctx, "roce.gids", 1, {"index", "1"});
	ASSERT_CELLS(ctx, "roce.gids", 2, {"index", "3"}, {"address", "192.168.7.4"}, {"type", "RoCE v2"});
	/* 10 behind 3; that the netdev is a VLAN's is in sysfs, its id is not */
	ASSERT_CELLS(ctx, "roce.gids", 3, {"index", "10"}, {"address", "2001:db8::4"}, {"netdev", "eth0x.100"},
		     {"vlan", "?"});
	ASSERT_CELLS(ctx, "roce.gids", 4, {"index", "11"}, {"type", "?"}, {"link_local", "true"});
	host_free(ctx);
}

static void an_empty_table(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.gids", "device=mlx5_1");

	assert_string_equal(host_error(ctx), "");
	assert_int_equal(host_rows(ctx, "roce.gids"), 0);
	assert_non_null(strstr(host_notes(ctx), "mlx5_1 port 1: its GID table is empty"));
	host_free(ctx);
}

static void only_infiniband(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-ib", "roce.gids", NULL);

	assert_int_equal(host_reason(ctx), RS_ABSENT);
	assert_non_null(strstr(host_error(ctx), "Ethernet"));
	host_free(ctx);
}

static void congestion_control_and_rdma_cm(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.qos", "device=mlx5_bond_0");

	/* two slaves, eight priorities each */
	assert_int_equal(host_rows(ctx, "roce.qos"), 16);
	ASSERT_CELLS(ctx, "roce.qos", 3, {"netdev", "eth2x"}, {"priority", "3"}, {"trust", "dscp"}, {"ecn_np", "true"},
		     {"ecn_rp", "true"}, {"cnp_dscp", "48"}, {"cnp_priority", "6"}, {"cm_roce_mode", "RoCE v2"},
		     {"cm_tos", "106"}, {"pfc", "?"}, {"ets", "?"});
	ASSERT_CELLS(ctx, "roce.qos", 4, {"ecn_np", "false"}, {"ecn_rp", "true"});
	ASSERT_CELLS(ctx, "roce.qos", 11, {"netdev", "eth3x"}, {"priority", "3"}, {"ecn_np", "?"}, {"trust", "?"});
	host_free(ctx);
}

static void counters_of_port_and_netdevs(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-bond", "roce.counters", "device=mlx5_bond_0");
	size_t row = host_find(ctx, "roce.counters", "name", "np_cnp_sent");

	/* 7 hw_counters (lifespan is none), and 4 each of bond0, eth2x, eth3x */
	assert_int_equal(host_rows(ctx, "roce.counters"), 19);
	assert_true(host_find(ctx, "roce.counters", "name", "lifespan") == SIZE_MAX);
	ASSERT_CELLS(ctx, "roce.counters", row, {"source", "hw_counters"}, {"netdev", "none"}, {"value", "1333"});
	row = host_find(ctx, "roce.counters", "netdev", "eth3x");
	ASSERT_CELLS(ctx, "roce.counters", row, {"source", "statistics"}, {"name", "rx_crc_errors"}, {"value", "1"});
	host_free(ctx);
	ctx = observe("mlx5-bond", "roce.counters", "names=*_ecn_*");
	assert_int_equal(host_rows(ctx, "roce.counters"), 3); /* one a device */
	host_free(ctx);
	ctx = observe("mlx5-bond", "roce.counters", "names=no_such_counter");
	assert_int_equal(host_rows(ctx, "roce.counters"), 0);
	assert_non_null(strstr(host_notes(ctx), "no_such_counter"));
	host_free(ctx);
}

/* ---- DCB answers ---- */

struct answer {
	_Alignas(8) unsigned char bytes[2048];
	size_t length;
};

static void put(struct answer *answer, const void *data, size_t length)
{
	if (length)
		memcpy(answer->bytes + answer->length, data, length);
	answer->length += length;
	while (answer->length % 4)
		answer->bytes[answer->length++] = 0;
}

/* Returns where its length stands, for attributes that others are put into */
static size_t put_attribute(struct answer *answer, uint16_t type, const void *data, size_t length)
{
	uint16_t header[2] = {(uint16_t)(4 + length), type};
	size_t at = answer->length;

	put(answer, header, 4);
	put(answer, data, length);
	return at;
}

static void close_nest(struct answer *answer, size_t at)
{
	uint16_t length = (uint16_t)(answer->length - at);

	memcpy(answer->bytes + at, &length, 2);
}

/* RTM_GETDCB is 78; the header of the family has a family and a command (IEEE_GET is 21) */
static struct answer *begin_answer(size_t *ieee)
{
	static struct answer answer;
	struct nlmsghdr header = {.nlmsg_type = 78};
	const unsigned char family[4] = {0, 21, 0, 0};

	answer = (struct answer){.length = 0};
	put(&answer, &header, sizeof(header));
	put(&answer, family, 4);
	put_attribute(&answer, 1, "eth2x", 6);	     /* DCB_ATTR_IFNAME */
	*ieee = put_attribute(&answer, 13, NULL, 0); /* DCB_ATTR_IEEE */
	return &answer;
}

static const struct nlmsghdr *end_answer(struct answer *answer, size_t ieee)
{
	struct nlmsghdr *header = (struct nlmsghdr *)answer->bytes;

	close_nest(answer, ieee);
	header->nlmsg_len = (uint32_t)answer->length;
	return header;
}

static void an_answer_of_all_parts(void **state)
{
	/* willing, ets_cap, cbs, tc_tx_bw[8], tc_rx_bw[8], tc_tsa[8], prio_tc[8], then three recommendations */
	const unsigned char ets[59] = {0, 8, 0, 50, 0, 0, 50, 0, 0,   0, 0, 0, 0, 0, 0, 0, 0, 0,
				       0, 2, 0, 0,  2, 0, 0,  0, 255, 0, 0, 1, 3, 4, 5, 6, 7};
	/* pfc_cap, pfc_en, mbc, padding, delay, padding to 8, requests[8], indications[8] */
	unsigned char pfc[136] = {8, 0x08, 0, 0, 7, 0};
	const unsigned char apps[4][4] = {
		/* selector, priority, protocol; DSCP is selector 5 */
		{5, 3, 26, 0},
		{5, 6, 48, 0},
		{5, 3, 24, 0},
		{1, 3, 0x15, 0x89}, /* an EtherType (RoCE v1's 0x8915): no DSCP */
	};
	/* prio2buffer[8], buffer_size[8], total_size */
	unsigned char buffer[44] = {0, 0, 0, 1, 0, 0, 0, 0};
	const uint32_t sizes[2] = {130944, 261888};
	const uint64_t sent = 0x100000001, received = 17;
	const unsigned char dscp_first[2] = {5, 255};
	struct answer *answer;
	size_t ieee, nest;
	struct dcb dcb;

	memcpy(pfc + 8 + 3 * 8, &sent, 8);
	memcpy(pfc + 72 + 3 * 8, &received, 8);
	memcpy(buffer + 8, sizes, sizeof(sizes));
	answer = begin_answer(&ieee);
	put_attribute(answer, 1, ets, sizeof(ets));
	put_attribute(answer, 2, pfc, sizeof(pfc));
	nest = put_attribute(answer, 3, NULL, 0);
	for (int i = 0; i < 4; i++)
		put_attribute(answer, 1, apps[i], 4);
	close_nest(answer, nest);
	put_attribute(answer, 10, buffer, sizeof(buffer));
	nest = put_attribute(answer, 11, NULL, 0);
	put_attribute(answer, 3, dscp_first, 2);
	close_nest(answer, nest);
	assert_true(dcb_decode(end_answer(answer, ieee), &dcb));

	assert_true(dcb.has_pfc && dcb.has_ets && dcb.has_app && dcb.has_buffer);
	assert_int_equal(dcb.pfc, 1 << 3);
	assert_true(dcb.pfc_sent[3] == sent);
	assert_true(dcb.pfc_received[3] == received);
	assert_int_equal(dcb.tc[2], 1);
	assert_int_equal(dcb.tc[3], 3);
	assert_int_equal(dcb.bandwidth[3], 50);
	assert_int_equal(dcb.tsa[3], 2);
	assert_int_equal(dcb.tsa[7], 255);
	assert_int_equal(dcb.dscp[24], 3);
	assert_int_equal(dcb.dscp[26], 3);
	assert_int_equal(dcb.dscp[48], 6);
	assert_int_equal(dcb.dscp[0], -1);
	assert_int_equal(dcb.buffer[3], 1);
	assert_int_equal(dcb.buffer_size[1], 261888);
	assert_int_equal(dcb.trust, DCB_TRUST_DSCP);
}

static void parts_that_are_missing_or_short(void **state)
{
	const unsigned char short_one[16] = {8, 255};
	struct answer *answer;
	struct nlmsghdr empty = {.nlmsg_type = 78, .nlmsg_len = sizeof(empty)};
	size_t ieee;
	struct dcb dcb;

	answer = begin_answer(&ieee);
	put_attribute(answer, 1, short_one, sizeof(short_one));
	put_attribute(answer, 2, short_one, sizeof(short_one));
	put_attribute(answer, 10, short_one, sizeof(short_one));
	assert_true(dcb_decode(end_answer(answer, ieee), &dcb));
	assert_false(dcb.has_pfc || dcb.has_ets || dcb.has_app || dcb.has_buffer);
	assert_int_equal(dcb.trust, DCB_TRUST_UNKNOWN);
	assert_false(dcb_decode(&empty, &dcb));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bond_and_its_slaves),
		cmocka_unit_test(an_address_and_its_index),
		cmocka_unit_test(holes_and_what_is_not_told),
		cmocka_unit_test(an_empty_table),
		cmocka_unit_test(only_infiniband),
		cmocka_unit_test(congestion_control_and_rdma_cm),
		cmocka_unit_test(counters_of_port_and_netdevs),
		cmocka_unit_test(an_answer_of_all_parts),
		cmocka_unit_test(parts_that_are_missing_or_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
