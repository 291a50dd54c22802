/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: one question over netlink, and its answer message by message */
#pragma once

#include <libmnl/libmnl.h>
#include <rdmaspec/plugin.h>

/** Room for a request: header, a family's own header, a few attributes */
#define NETLINK_REQUEST 1024

/** struct netlink_request - built by netlink_begin() and mnl_attr_put_...() on @header */
struct netlink_request {
	_Alignas(struct nlmsghdr) char bytes[NETLINK_REQUEST];
	struct nlmsghdr *header;
};

/**
 * netlink_begin - a request of @type; returns the family's own header, zeroed
 * @dump: all objects are asked for
 */
void *netlink_begin(struct netlink_request *request, unsigned type, bool dump, size_t family_header);

/**
 * netlink_ask - send it and call @visit for every message of the answer
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA, ...
 *
 * A dump that the kernel says was disturbed is asked for again; @again is called before, to forget what came. Returns
 * 0, or a negative errno: what the kernel answered, or -ETIMEDOUT.
 */
int netlink_ask(const struct rs_ctx *ctx, int protocol, struct netlink_request *request,
		void (*visit)(const struct nlmsghdr *message, void *user), void (*again)(void *user), void *user);

/** netlink_attributes - sort attributes into @table by type; those over @max are passed over */
void netlink_attributes(const struct nlmsghdr *message, size_t family_header, const struct nlattr **table,
			unsigned max);

/** netlink_nested - the same inside of one */
void netlink_nested(const struct nlattr *nest, const struct nlattr **table, unsigned max);

/* Values of attributes; the second where there is none, or one of another size */
uint32_t netlink_u32(const struct nlattr *attribute, uint32_t otherwise);
uint16_t netlink_u16(const struct nlattr *attribute, uint16_t otherwise);
uint8_t netlink_u8(const struct nlattr *attribute, uint8_t otherwise);

/** netlink_text - copy a string; "" where there is none */
void netlink_text(const struct nlattr *attribute, char *text, size_t size);
