/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/attributes.h"

#include "support/mad_packet.h"

void node_info_decode(const uint8_t data[64], struct node_info *info)
{
	info->type = data[2];
	info->ports = data[3];
	info->system_image_guid = get64(data + 4);
	info->guid = get64(data + 12);
	info->port_guid = get64(data + 20);
	info->partitions = get16(data + 28);
	info->device_id = get16(data + 30);
	info->revision = get32(data + 32);
	info->local_port = data[36];
	info->vendor_id = get24(data + 37);
}

void switch_info_decode(const uint8_t data[64], struct switch_info *info)
{
	info->forwarding_top = get16(data + 6);
	info->enhanced_port0 = data[16] & 0x08;
}

void port_info_decode(const uint8_t data[64], struct port_info *info)
{
	info->lid = get16(data + 16);
	info->sm_lid = get16(data + 18);
	info->capability = get32(data + 20);
	info->width_enabled = data[29];
	info->width_supported = data[30];
	info->width_active = data[31];
	info->supported.speed = data[32] >> 4;
	info->state = data[32] & 15;
	info->physical = data[33] >> 4;
	info->lmc = data[34] & 7;
	info->active.speed = data[35] >> 4;
	info->enabled.speed = data[35] & 15;
	info->neighbor_mtu = data[36] >> 4;
	info->sm_sl = data[36] & 15;
	info->mtu_cap = data[41] & 15;
	info->active.extended2 = data[56] >> 5 & 3;
	info->supported.extended2 = data[56] >> 3 & 3;
	info->enabled.extended2 = data[56] & 7;
	info->capability2 = get16(data + 60);
	info->active.extended = data[62] >> 4;
	info->supported.extended = data[62] & 15;
	info->enabled.extended = data[63] & 31;
}

void extended_port_info_decode(const uint8_t data[64], struct port_info *info)
{
	info->supported.fdr10 = data[7];
	info->enabled.fdr10 = data[11];
	info->active.fdr10 = data[15];
}

#define VENDOR_BULL 0x119f

bool has_extended_port_info(uint32_t vendor_id, uint16_t device_id)
{
	static const struct {
		uint32_t vendor_id; /* 0: any */
		uint16_t first, last;
	} devices[] = {
		{0, 0xc738, 0xc73b},				    /* SwitchX */
		{0, 0xc839, 0xc839},	       {0, 0xcb20, 0xcb20}, /* Switch-IB */
		{0, 0xcf08, 0xcf09},				    /* Switch-IB 2 */
		{0, 0xd2f0, 0xd2f0},				    /* Quantum */
		{0, 0x1003, 0x101b},				    /* ConnectX-3 to ConnectX-6 */
		{0, 0xa2d2, 0xa2d2},				    /* BlueField */
		{VENDOR_BULL, 0x1b02, 0x1b02}, {VENDOR_BULL, 0x1b50, 0x1b50}, {VENDOR_BULL, 0x1ba0, 0x1ba0},
		{VENDOR_BULL, 0x1bd0, 0x1bd5}, {VENDOR_BULL, 0x1bf0, 0x1bf0}, {VENDOR_BULL, 0x1b33, 0x1b33},
		{VENDOR_BULL, 0x1b73, 0x1b73}, {VENDOR_BULL, 0x1b40, 0x1b41}, {VENDOR_BULL, 0x1b60, 0x1b61},
		{VENDOR_BULL, 0x1b83, 0x1b83}, {VENDOR_BULL, 0x1b93, 0x1b94}, {VENDOR_BULL, 0x1bb4, 0x1bb5},
		{VENDOR_BULL, 0x1bc4, 0x1bc6},
	};

	for (unsigned i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (device_id >= devices[i].first && device_id <= devices[i].last &&
		    (!devices[i].vendor_id || devices[i].vendor_id == vendor_id))
			return true;
	return false;
}

struct link_speed_codes speed_codes(const struct link_speed_codes *codes, uint32_t capability, uint16_t capability2)
{
	struct link_speed_codes known = *codes;

	if (!(capability & CAPABILITY_EXTENDED_SPEEDS))
		known.extended = known.extended2 = 0;
	if (!(capability & CAPABILITY_MASK2) || !(capability2 & CAPABILITY2_EXTENDED_SPEEDS2))
		known.extended2 = 0;
	return known;
}
