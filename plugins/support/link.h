/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the words of an InfiniBand link: widths, speeds, states, MTUs, and the codes that PortInfo gives them
 *
 * Codes follow the InfiniBand Architecture Specification, volume 1, PortInfo (14.2.5.6). Values of the enums below are
 * indices into the NULL-ended lists of names, which are the choices of the facts. Where a code has no name, the
 * functions return -1.
 */
#pragma once

#include <rdmaspec/plugin.h>

enum link_width { LINK_1X, LINK_2X, LINK_4X, LINK_8X, LINK_12X };
enum link_speed { LINK_SDR, LINK_DDR, LINK_QDR, LINK_FDR10, LINK_FDR, LINK_EDR, LINK_HDR, LINK_NDR, LINK_XDR };
enum link_state { LINK_DOWN, LINK_INITIALIZE, LINK_ARMED, LINK_ACTIVE };
enum link_physical { LINK_SLEEP, LINK_POLLING, LINK_DISABLED, LINK_TRAINING, LINK_UP, LINK_RECOVERY, LINK_TEST };

extern const char *const link_widths[];
extern const char *const link_speeds[];
extern const char *const link_states[];
extern const char *const link_physical_states[];
extern const char *const link_mtus[];

/** link_width - of LinkWidthActive: 1, 2, 4, 8, 16 are 1X, 4X, 8X, 12X, 2X */
int link_width(unsigned code);

/** link_width_set - LinkWidthEnabled or LinkWidthSupported as a set: bit N for enum link_width N */
unsigned link_width_set(unsigned bits);

/**
 * struct link_speed_codes - one kind of speed (active, enabled or supported) as a port gives it
 * @speed: LinkSpeed: 1 SDR, 2 DDR, 4 QDR
 * @extended: LinkSpeedExt: 1 FDR, 2 EDR, 4 HDR, 8 NDR; 0 where CapabilityMask says that there is none
 * @extended2: LinkSpeedExt2: 1 XDR; 0 where CapabilityMask2 says that there is none
 * @fdr10: bit 0 of the same field in the vendor's ExtendedPortInfo (attribute 0xff90)
 */
struct link_speed_codes {
	uint8_t speed, extended, extended2, fdr10;
};

/** link_speed - of the active codes; the newest family that is not zero counts */
int link_speed(const struct link_speed_codes *active);

/** link_speed_set - of enabled or supported codes: bit N for enum link_speed N */
unsigned link_speed_set(const struct link_speed_codes *codes);

/**
 * link_rate - the nominal data rate in tenths of a Gb/s, as the kernel's sysfs gives it: lanes times 2.5, 5, 10, 10,
 * 14, 25, 50, 100, 200
 */
unsigned link_rate(int width, int speed);

int link_state(unsigned code);	  /* PortState: 1 to 4 */
int link_physical(unsigned code); /* PortPhysicalState: 1 to 7 */
int link_mtu(unsigned code);	  /* NeighborMTU, MTUCap: 1 to 5 */

/** link_set_code - set an enum fact, or the code as unknown where @choice is negative */
void link_set_code(struct rs_ctx *ctx, unsigned fact, int choice, unsigned code);

/** link_set_set - append every member of @set to a list fact; none where it is empty */
void link_set_set(struct rs_ctx *ctx, unsigned fact, unsigned set);

/** link_set_rate - set a quantity in Gb/s from tenths */
void link_set_rate(struct rs_ctx *ctx, unsigned fact, unsigned tenths);
