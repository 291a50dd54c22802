/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: subnet management attributes, decoded from their 64 bytes
 *
 * By hand, since a sweep decodes tens of thousands of them; tests/unit/fabric_decode.c holds every field against
 * libibmad's tables. Offsets are those of the specification, 14.2.5.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support/link.h"

enum {
	ATTRIBUTE_NODE_DESCRIPTION = 0x0010,
	ATTRIBUTE_NODE_INFO = 0x0011,
	ATTRIBUTE_SWITCH_INFO = 0x0012,
	ATTRIBUTE_PORT_INFO = 0x0015,
	ATTRIBUTE_PKEY_TABLE = 0x0016,
	ATTRIBUTE_FORWARDING = 0x0019,
	ATTRIBUTE_SM_INFO = 0x0020,
	ATTRIBUTE_MLNX_EXTENDED_PORT_INFO = 0xff90,
};

enum node_type { NODE_CA = 1, NODE_SWITCH, NODE_ROUTER };

#define DESCRIPTION_BYTES 64
#define LID_MAX 0xbfff /* the last unicast LID */

enum {
	CAPABILITY_IS_SM = 1 << 1,
	CAPABILITY_EXTENDED_SPEEDS = 1 << 14,
	CAPABILITY_MASK2 = 1 << 15,
	CAPABILITY2_EXTENDED_SPEEDS2 = 1 << 11,
};

struct node_info {
	uint8_t type, ports, local_port;
	uint16_t device_id, partitions;
	uint32_t vendor_id, revision;
	uint64_t system_image_guid, guid, port_guid;
};

struct switch_info {
	uint16_t forwarding_top; /* LinearFDBTop */
	bool enhanced_port0;
};

/* active, enabled, supported: the three that come for the width and for each family of speeds */
struct port_info {
	uint32_t capability;
	uint16_t capability2;
	uint16_t lid, sm_lid;
	uint8_t lmc, state, physical;
	uint8_t neighbor_mtu, mtu_cap, sm_sl;
	uint8_t width_active, width_enabled, width_supported;
	struct link_speed_codes active, enabled, supported;
};

void node_info_decode(const uint8_t data[64], struct node_info *info);
void switch_info_decode(const uint8_t data[64], struct switch_info *info);

/** port_info_decode - the fdr10 members stay as they are: they come from another attribute */
void port_info_decode(const uint8_t data[64], struct port_info *info);

/** extended_port_info_decode - the vendor's attribute: sets the fdr10 members */
void extended_port_info_decode(const uint8_t data[64], struct port_info *info);

/** has_extended_port_info - does this device answer the vendor's attribute? By vendor and device ID, as
 * infiniband-diags asks. */
bool has_extended_port_info(uint32_t vendor_id, uint16_t device_id);

/**
 * speed_codes - codes without the families that the port does not have
 * @capability, @capability2: those of the port; of port 0 for the ports of a switch
 */
struct link_speed_codes speed_codes(const struct link_speed_codes *codes, uint32_t capability, uint16_t capability2);
