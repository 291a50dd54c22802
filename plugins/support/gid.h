/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a port's GID table by sysfs, and the entry that carries an address */
#pragma once

#include <net/if.h>
#include <rdmaspec/plugin.h>

enum gid_type { GID_UNKNOWN, GID_V1, GID_V2 };

/**
 * struct gid_entry - one that is not empty
 * @type: GID_UNKNOWN where the kernel does not tell
 * @netdev: "" where there is none, or where that cannot be told (@netdev_told)
 */
struct gid_entry {
	unsigned index;
	uint8_t gid[16];
	enum gid_type type;
	bool netdev_told;
	char netdev[IFNAMSIZ];
};

/** gid_ipv4 - the four bytes of the IPv4 address that a GID carries (::ffff:a.b.c.d), or NULL */
const uint8_t *gid_ipv4(const uint8_t gid[16]);

/** gid_link_local - fe80::/10 or ::ffff:169.254.0.0/112 */
bool gid_link_local(const uint8_t gid[16]);

/** gid_of_address - an IP address as a GID; false for another family. @address: struct sockaddr_in or sockaddr_in6 */
bool gid_of_address(const void *address, uint8_t gid[16]);

/** gid_text - the IP address that a GID carries, IPv4 as such; returns @text, of at least INET6_ADDRSTRLEN */
const char *gid_text(const uint8_t gid[16], char *text);

/** gid_table - the entries of a port by rising index, of rs_alloc(); the number, or a negative errno */
int gid_table(struct rs_ctx *ctx, const char *device, unsigned port, struct gid_entry **entries);

/**
 * gid_find - the one RoCE v2 entry of an address
 *
 * Returns 1 with *@found; 0 where no entry carries it; -EEXIST where several do. Entries whose type the kernel does not
 * tell are taken where no entry has one: a v1 entry never is.
 */
int gid_find(const struct gid_entry *entries, int count, const uint8_t gid[16], const struct gid_entry **found);

/** gid_list - "5 (RoCE v2, 10.0.0.1, bond0), ..." of those that @gid carries, or of all where it is NULL */
const char *gid_list(struct rs_ctx *ctx, const struct gid_entry *entries, int count, const uint8_t *gid);
