/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: Data Center Bridging of a network device, as DCB netlink (RTM_GETDCB, IEEE 802.1Qaz) tells it */
#pragma once

#include <rdmaspec/plugin.h>

struct nlmsghdr;

#define DCB_PRIORITIES 8
#define DCB_DSCPS 64

enum dcb_trust { DCB_TRUST_UNKNOWN, DCB_TRUST_PCP, DCB_TRUST_DSCP };

/**
 * struct dcb - each part only where its flag is set
 * @pfc: bit N: flow control is on for priority N
 * @tc, @tsa, @bandwidth: by priority, by traffic class, by traffic class (in %)
 * @dscp: by DSCP, its priority; -1: none is given
 * @buffer, @buffer_size: by priority, by buffer (in bytes)
 */
struct dcb {
	bool has_pfc, has_ets, has_app, has_buffer;
	uint8_t pfc;
	uint64_t pfc_sent[DCB_PRIORITIES], pfc_received[DCB_PRIORITIES];
	uint8_t tc[DCB_PRIORITIES], tsa[DCB_PRIORITIES], bandwidth[DCB_PRIORITIES];
	int8_t dscp[DCB_DSCPS];
	enum dcb_trust trust;
	uint8_t buffer[DCB_PRIORITIES];
	uint32_t buffer_size[DCB_PRIORITIES];
};

/** dcb_decode - what one answer says; false where it is none, or malformed */
bool dcb_decode(const struct nlmsghdr *message, struct dcb *dcb);

/** dcb_read - 0, or a negative errno (-EOPNOTSUPP: the driver has no DCB) */
int dcb_read(const struct rs_ctx *ctx, const char *netdev, struct dcb *dcb);
