/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decoding of subnet management attributes: field by field against libibmad's tables over random bytes, and by
 * hand, from the layout in the specification (14.2.5), for what neither the simulator nor old libraries know.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <infiniband/mad.h>
#include <string.h>

#include "fabric/attributes.h"

/* A linear congruential generator (Knuth's MMIX constants): the same bytes on every machine */
static void fill_random(uint8_t data[64], uint64_t *state)
{
	for (int i = 0; i < 64; i++) {
		*state = *state * 6364136223846793005u + 1442695040888963407u;
		data[i] = (uint8_t)(*state >> 56);
	}
}

#define ROUNDS 2000
#define EQUAL(member, field) assert_int_equal(info.member, mad_get_field(data, 0, field))
#define EQUAL64(member, field) assert_true(info.member == mad_get_field64(data, 0, field))

static void node_info_as_libibmad(void **state)
{
	uint64_t seed = 1;
	uint8_t data[64];

	for (int round = 0; round < ROUNDS; round++) {
		struct node_info info;

		fill_random(data, &seed);
		node_info_decode(data, &info);
		EQUAL(type, IB_NODE_TYPE_F);
		EQUAL(ports, IB_NODE_NPORTS_F);
		EQUAL64(system_image_guid, IB_NODE_SYSTEM_GUID_F);
		EQUAL64(guid, IB_NODE_GUID_F);
		EQUAL64(port_guid, IB_NODE_PORT_GUID_F);
		EQUAL(partitions, IB_NODE_PARTITION_CAP_F);
		EQUAL(device_id, IB_NODE_DEVID_F);
		EQUAL(revision, IB_NODE_REVISION_F);
		EQUAL(local_port, IB_NODE_LOCAL_PORT_F);
		EQUAL(vendor_id, IB_NODE_VENDORID_F);
	}
}

static void switch_info_as_libibmad(void **state)
{
	uint64_t seed = 2;
	uint8_t data[64];

	for (int round = 0; round < ROUNDS; round++) {
		struct switch_info info;

		fill_random(data, &seed);
		switch_info_decode(data, &info);
		EQUAL(forwarding_top, IB_SW_LINEAR_FDB_TOP_F);
		EQUAL(enhanced_port0, IB_SW_ENHANCED_PORT0_F);
	}
}

static void port_info_as_libibmad(void **state)
{
	uint64_t seed = 3;
	uint8_t data[64];

	for (int round = 0; round < ROUNDS; round++) {
		struct port_info info = {0};

		fill_random(data, &seed);
		port_info_decode(data, &info);
		EQUAL(lid, IB_PORT_LID_F);
		EQUAL(sm_lid, IB_PORT_SMLID_F);
		EQUAL(capability, IB_PORT_CAPMASK_F);
		EQUAL(capability2, IB_PORT_CAPMASK2_F);
		EQUAL(lmc, IB_PORT_LMC_F);
		EQUAL(state, IB_PORT_STATE_F);
		EQUAL(physical, IB_PORT_PHYS_STATE_F);
		EQUAL(neighbor_mtu, IB_PORT_NEIGHBOR_MTU_F);
		EQUAL(sm_sl, IB_PORT_SMSL_F);
		EQUAL(mtu_cap, IB_PORT_MTU_CAP_F);
		EQUAL(width_active, IB_PORT_LINK_WIDTH_ACTIVE_F);
		EQUAL(width_enabled, IB_PORT_LINK_WIDTH_ENABLED_F);
		EQUAL(width_supported, IB_PORT_LINK_WIDTH_SUPPORTED_F);
		EQUAL(active.speed, IB_PORT_LINK_SPEED_ACTIVE_F);
		EQUAL(enabled.speed, IB_PORT_LINK_SPEED_ENABLED_F);
		EQUAL(supported.speed, IB_PORT_LINK_SPEED_SUPPORTED_F);
		EQUAL(active.extended, IB_PORT_LINK_SPEED_EXT_ACTIVE_F);
		EQUAL(enabled.extended, IB_PORT_LINK_SPEED_EXT_ENABLED_F);
		EQUAL(supported.extended, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F);
		extended_port_info_decode(data, &info);
		EQUAL(active.fdr10, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F);
		EQUAL(enabled.fdr10, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F);
		EQUAL(supported.fdr10, IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F);
	}
}

#define BIT(speed) (1u << (speed))
#define SDR_TO_QDR (BIT(LINK_SDR) | BIT(LINK_DDR) | BIT(LINK_QDR))
#define FDR_TO_NDR (BIT(LINK_FDR) | BIT(LINK_EDR) | BIT(LINK_HDR) | BIT(LINK_NDR))

static int active_speed(const struct port_info *info)
{
	struct link_speed_codes codes = speed_codes(&info->active, info->capability, info->capability2);

	return link_speed(&codes);
}

static unsigned speed_set(const struct port_info *info, const struct link_speed_codes *of)
{
	struct link_speed_codes codes = speed_codes(of, info->capability, info->capability2);

	return link_speed_set(&codes);
}

/*
 * 4X NDR: CapabilityMask bit 14 (byte 22, 0x40). Byte 31: width 4X is code 2. Byte 32: LinkSpeedSupported 7,
 * PortState 4. Byte 35: LinkSpeedActive 4, Enabled 7. Byte 62: LinkSpeedExtActive 8, Supported 15. Byte 63: Enabled 15.
 */
static void ndr(void **state)
{
	uint8_t data[64] = {[22] = 0x40, [29] = 3,    [30] = 3,	   [31] = 2, [32] = 0x74,
			    [33] = 0x52, [35] = 0x47, [62] = 0x8f, [63] = 15};
	struct port_info info = {0};

	port_info_decode(data, &info);
	assert_int_equal(link_state(info.state), LINK_ACTIVE);
	assert_int_equal(link_physical(info.physical), LINK_UP);
	assert_int_equal(link_width(info.width_active), LINK_4X);
	assert_int_equal(active_speed(&info), LINK_NDR);
	assert_int_equal(speed_set(&info, &info.supported), SDR_TO_QDR | FDR_TO_NDR);
	assert_int_equal(speed_set(&info, &info.enabled), SDR_TO_QDR | FDR_TO_NDR);
	assert_int_equal(link_rate(LINK_4X, LINK_NDR), 4000); /* 4 lanes of 100 Gb/s, in tenths */

	/* without the capability, the bytes of the extended speeds mean nothing: QDR */
	data[22] = 0;
	port_info_decode(data, &info);
	assert_int_equal(active_speed(&info), LINK_QDR);
	assert_int_equal(speed_set(&info, &info.supported), SDR_TO_QDR);
}

/*
 * XDR: CapabilityMask bits 14 and 15 (byte 22, 0xc0), CapabilityMask2 bit 11 (byte 60, 0x08). Byte 56, after one
 * reserved bit: LinkSpeedExtActive2 (2 bits) 1, Supported2 (2) 1, Enabled2 (3) 1: 0 01 01 001 = 0x29.
 */
static void xdr(void **state)
{
	uint8_t data[64] = {
		[22] = 0xc0, [31] = 2, [32] = 0x74, [35] = 0x47, [56] = 0x29, [60] = 0x08, [62] = 0x0f, [63] = 15};
	struct port_info info = {0};

	port_info_decode(data, &info);
	assert_int_equal(active_speed(&info), LINK_XDR);
	assert_int_equal(speed_set(&info, &info.supported), SDR_TO_QDR | FDR_TO_NDR | BIT(LINK_XDR));
	assert_int_equal(speed_set(&info, &info.enabled), SDR_TO_QDR | FDR_TO_NDR | BIT(LINK_XDR));
	assert_int_equal(link_rate(LINK_4X, LINK_XDR), 8000);

	data[60] = 0; /* no second extension: nothing is active there, and LinkSpeedActive says QDR */
	port_info_decode(data, &info);
	assert_int_equal(active_speed(&info), LINK_QDR);
}

/* FDR10 is a QDR port whose vendor attribute has bit 0 in bytes 7 (supported), 11 (enabled) and 15 (active) */
static void fdr10(void **state)
{
	uint8_t data[64] = {[31] = 2, [32] = 0x74, [35] = 0x47};
	uint8_t vendor[64] = {[7] = 1, [11] = 1, [15] = 1};
	struct port_info info = {0};

	port_info_decode(data, &info);
	assert_int_equal(active_speed(&info), LINK_QDR);
	extended_port_info_decode(vendor, &info);
	assert_int_equal(active_speed(&info), LINK_FDR10);
	assert_int_equal(speed_set(&info, &info.supported), SDR_TO_QDR | BIT(LINK_FDR10));
	vendor[15] = 0;
	extended_port_info_decode(vendor, &info);
	assert_int_equal(active_speed(&info), LINK_QDR);
	assert_int_equal(speed_set(&info, &info.supported), SDR_TO_QDR | BIT(LINK_FDR10));
}

static void widths(void **state)
{
	assert_int_equal(link_width(1), LINK_1X);
	assert_int_equal(link_width(2), LINK_4X);
	assert_int_equal(link_width(4), LINK_8X);
	assert_int_equal(link_width(8), LINK_12X);
	assert_int_equal(link_width(16), LINK_2X);
	assert_int_equal(link_width(3), -1);
	assert_int_equal(link_width(0), -1);
	assert_int_equal(link_width(32), -1);
	/* 1X, 4X and 2X: 1 + 2 + 16 */
	assert_int_equal(link_width_set(19), 1 << LINK_1X | 1 << LINK_2X | 1 << LINK_4X);
	assert_int_equal(link_rate(LINK_2X, LINK_NDR), 2000);
	assert_int_equal(link_rate(LINK_1X, LINK_SDR), 25);
	assert_int_equal(link_rate(LINK_12X, LINK_QDR), 1200);
}

static void unknown_speeds(void **state)
{
	struct link_speed_codes codes = {.speed = 4, .extended = 3};

	assert_int_equal(link_speed(&codes), -1); /* two bits in what must be one */
	codes = (struct link_speed_codes){.speed = 4, .extended2 = 2};
	assert_int_equal(link_speed(&codes), -1);
	codes = (struct link_speed_codes){.speed = 8};
	assert_int_equal(link_speed(&codes), -1);
	/* LinkSpeedExtEnabled 30: extended speeds are disabled */
	codes = (struct link_speed_codes){.speed = 7, .extended = 30};
	assert_int_equal(link_speed_set(&codes), SDR_TO_QDR);
}

/* EnhancedPort0 is the fifth bit of byte 16: 0x08 */
static void enhanced_port0(void **state)
{
	uint8_t data[64] = {[16] = 0x08};
	struct switch_info info;

	switch_info_decode(data, &info);
	assert_true(info.enhanced_port0);
	data[16] = 0xf7;
	switch_info_decode(data, &info);
	assert_false(info.enhanced_port0);
}

static void who_has_the_vendors_attribute(void **state)
{
	assert_true(has_extended_port_info(0x2c9, 0xc738));  /* SwitchX */
	assert_true(has_extended_port_info(0x2c9, 0x1003));  /* ConnectX-3 */
	assert_true(has_extended_port_info(0x119f, 0x1bf0)); /* Bull's Quantum */
	assert_false(has_extended_port_info(0x2c9, 0x1bf0));
	assert_false(has_extended_port_info(0x2c9, 0x5a44)); /* InfiniHost */
	assert_false(has_extended_port_info(0x2c9, 0x1021)); /* ConnectX-7 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(node_info_as_libibmad),
		cmocka_unit_test(switch_info_as_libibmad),
		cmocka_unit_test(port_info_as_libibmad),
		cmocka_unit_test(ndr),
		cmocka_unit_test(xdr),
		cmocka_unit_test(fdr10),
		cmocka_unit_test(widths),
		cmocka_unit_test(unknown_speeds),
		cmocka_unit_test(enhanced_port0),
		cmocka_unit_test(who_has_the_vendors_attribute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
