/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/link.h"

#include <stdio.h>

const char *const link_widths[] = {"1X", "2X", "4X", "8X", "12X", NULL};
const char *const link_speeds[] = {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR", NULL};
const char *const link_states[] = {"Down", "Initialize", "Armed", "Active", NULL};
const char *const link_physical_states[] = {"Sleep",  "Polling",	   "Disabled", "PortConfigurationTraining",
					    "LinkUp", "LinkErrorRecovery", "PhyTest",  NULL};
const char *const link_mtus[] = {"256", "512", "1024", "2048", "4096", NULL};

int link_width(unsigned code)
{
	switch (code) {
	case 1:
		return LINK_1X;
	case 2:
		return LINK_4X;
	case 4:
		return LINK_8X;
	case 8:
		return LINK_12X;
	case 16:
		return LINK_2X;
	}
	return -1;
}

unsigned link_width_set(unsigned bits)
{
	unsigned set = 0;

	for (unsigned code = 1; code <= 16; code <<= 1)
		if (bits & code)
			set |= 1u << link_width(code);
	return set;
}

int link_speed(const struct link_speed_codes *active)
{
	if (active->extended2)
		return active->extended2 == 1 ? LINK_XDR : -1;
	switch (active->extended) {
	case 0:
		break;
	case 1:
		return LINK_FDR;
	case 2:
		return LINK_EDR;
	case 4:
		return LINK_HDR;
	case 8:
		return LINK_NDR;
	default:
		return -1;
	}
	if (active->fdr10 & 1)
		return LINK_FDR10;
	switch (active->speed) {
	case 1:
		return LINK_SDR;
	case 2:
		return LINK_DDR;
	case 4:
		return LINK_QDR;
	}
	return -1;
}

unsigned link_speed_set(const struct link_speed_codes *codes)
{
	unsigned set = codes->speed & 7u; /* SDR, DDR, QDR are bits 0 to 2 in both */

	if (codes->fdr10 & 1)
		set |= 1u << LINK_FDR10;
	if (codes->extended != 30) /* LinkSpeedExtEnabled: extended speeds are disabled */
		set |= (codes->extended & 15u) << LINK_FDR;
	if (codes->extended2 & 1)
		set |= 1u << LINK_XDR;
	return set;
}

unsigned link_rate(int width, int speed)
{
	static const unsigned lanes[] = {1, 2, 4, 8, 12};
	static const unsigned tenths[] = {25, 50, 100, 100, 140, 250, 500, 1000, 2000};

	return width < 0 || speed < 0 ? 0 : lanes[width] * tenths[speed];
}

int link_state(unsigned code)
{
	return code >= 1 && code <= 4 ? (int)code - 1 : -1;
}

int link_physical(unsigned code)
{
	return code >= 1 && code <= 7 ? (int)code - 1 : -1;
}

int link_mtu(unsigned code)
{
	return code >= 1 && code <= 5 ? (int)code - 1 : -1;
}

void link_set_code(struct rs_ctx *ctx, unsigned fact, int choice, unsigned code)
{
	char text[32];

	if (choice >= 0) {
		rs_set_enum(ctx, fact, choice);
		return;
	}
	snprintf(text, sizeof(text), "code %u", code);
	rs_set_unknown(ctx, fact, text);
}

void link_set_set(struct rs_ctx *ctx, unsigned fact, unsigned set)
{
	if (!set)
		rs_set_none(ctx, fact);
	for (int bit = 0; set >> bit; bit++)
		if (set >> bit & 1)
			rs_set_enum(ctx, fact, bit);
}

void link_set_rate(struct rs_ctx *ctx, unsigned fact, unsigned tenths)
{
	char text[24];

	snprintf(text, sizeof(text), tenths % 10 ? "%u.%u" : "%u", tenths / 10, tenths % 10);
	rs_set_decimal(ctx, fact, text);
}
