/* SPDX-License-Identifier: BSD-2-Clause */
/* Port counters: their bytes against libibmad's tables, what stands at its maximum, differences, recorded files */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <infiniband/mad.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_host.h"
#include "support/counters.h"

extern const struct rs_plugin rs_plugin_v1;

static void port_counters_as_libibmad(void **state)
{
	static const struct {
		enum counter counter;
		enum MAD_FIELDS field;
	} fields[] = {
		{COUNTER_SYMBOL_ERROR, IB_PC_ERR_SYM_F},
		{COUNTER_LINK_ERROR_RECOVERY, IB_PC_LINK_RECOVERS_F},
		{COUNTER_LINK_DOWNED, IB_PC_LINK_DOWNED_F},
		{COUNTER_RCV_ERRORS, IB_PC_ERR_RCV_F},
		{COUNTER_RCV_REMOTE, IB_PC_ERR_PHYSRCV_F},
		{COUNTER_RCV_RELAY, IB_PC_ERR_SWITCH_REL_F},
		{COUNTER_XMIT_DISCARDS, IB_PC_XMT_DISCARDS_F},
		{COUNTER_XMIT_CONSTRAINT, IB_PC_ERR_XMTCONSTR_F},
		{COUNTER_RCV_CONSTRAINT, IB_PC_ERR_RCVCONSTR_F},
		{COUNTER_LOCAL_INTEGRITY, IB_PC_ERR_LOCALINTEG_F},
		{COUNTER_BUFFER_OVERRUN, IB_PC_ERR_EXCESS_OVR_F},
		{COUNTER_VL15_DROPPED, IB_PC_VL15_DROPPED_F},
		{COUNTER_XMIT_WAIT, IB_PC_XMT_WAIT_F},
		{COUNTER_XMIT_DATA, IB_PC_XMT_BYTES_F},
		{COUNTER_RCV_DATA, IB_PC_RCV_BYTES_F},
		{COUNTER_XMIT_PACKETS, IB_PC_XMT_PKTS_F},
		{COUNTER_RCV_PACKETS, IB_PC_RCV_PKTS_F},
	};
	uint64_t seed = 4;
	uint8_t data[192];

	for (int round = 0; round < 1000; round++) {
		struct counters counters = {0};

		for (unsigned i = 0; i < sizeof(data); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			data[i] = (uint8_t)(seed >> 56);
		}
		counters_port_counters(&counters, data, true);
		for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			assert_int_equal(counters.value[fields[i].counter], mad_get_field(data, 0, fields[i].field));
		counters_extended(&counters, data, true);
		for (int i = 0; i < 8; i++)
			assert_true(counters.value[COUNTER_XMIT_DATA + i] ==
				    mad_get_field64(data, 0, IB_PC_EXT_XMT_BYTES_F + i));
	}
}

static void extended_ones_go_first(void **state)
{
	uint8_t extended[192] = {[8 + 3] = 1}, plain[192] = {[24 + 3] = 9, [40 + 3] = 5};
	struct counters counters = {0};

	counters_extended(&counters, extended, false);
	counters_port_counters(&counters, plain, false);
	assert_true(counters.value[COUNTER_XMIT_DATA] == UINT64_C(1) << 32);
	/* neither the packets by kind nor the wait were there */
	assert_false(counters.seen >> COUNTER_UNICAST_XMIT & 1);
	assert_false(counters.seen >> COUNTER_XMIT_WAIT & 1);
}

/* The widths of the specification: 16, 8, 4 and 32 bits */
static void maxima(void **state)
{
	static const struct {
		enum counter counter;
		uint64_t maximum;
	} cases[] = {
		{COUNTER_SYMBOL_ERROR, 65535},	{COUNTER_LINK_DOWNED, 255},	  {COUNTER_LINK_ERROR_RECOVERY, 255},
		{COUNTER_LOCAL_INTEGRITY, 15},	{COUNTER_BUFFER_OVERRUN, 15},	  {COUNTER_XMIT_CONSTRAINT, 255},
		{COUNTER_XMIT_DISCARDS, 65535}, {COUNTER_XMIT_WAIT, 4294967295u}, {COUNTER_XMIT_DATA, 4294967295u},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct counters counters = {0};

		counter_put(&counters, cases[i].counter, cases[i].maximum);
		assert_true(counter_pegged(&counters, cases[i].counter));
		counter_put(&counters, cases[i].counter, cases[i].maximum - 1);
		assert_false(counter_pegged(&counters, cases[i].counter));
	}
}

static void recorded_files(void **state)
{
	const char *settings[] = {"device=mlx5_0", NULL}, *without[] = {"device=mlx5_2", NULL};
	const char *over[] = {"over=1", NULL};
	char path[512];
	struct rs_ctx *ctx;

	snprintf(path, sizeof(path), "%s/tests/data/sysfs/mlx5-ib", getenv("RDMASPEC_SOURCE"));
	ctx = host_new(path);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "ib.counters", settings), 0);
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "source"), "sysfs");
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "link_downed"), "255");
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "vl15_dropped"), "7");
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "port_rcv_switch_relay_errors"), "2");
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "port_xmit_data"), "205143497464492");
	assert_string_equal(
		host_cell(ctx, "ib.counters", 0, "pegged"),
		"link_downed,port_xmit_discards,excessive_buffer_overrun_errors,port_xmit_wait,port_rcv_packets");
	host_free(ctx);

	ctx = host_new(path);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "ib.counters", without), 0);
	assert_int_equal(host_rows(ctx, "ib.counters"), 1);
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "symbol_error"), "?"); /* N/A (no PMA) */
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "pegged"), "?");
	assert_string_equal(host_cell(ctx, "ib.counters", 0, "source"), "?");
	host_free(ctx);

	ctx = host_new(path);
	host_observe(ctx, &rs_plugin_v1, "ib.counters", over);
	assert_string_equal(host_error(ctx), "a recorded tree stands still: there is no interval to count over");
	host_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(port_counters_as_libibmad),
		cmocka_unit_test(extended_ones_go_first),
		cmocka_unit_test(maxima),
		cmocka_unit_test(recorded_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
