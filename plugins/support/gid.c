/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/gid.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/sysfs.h"

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

const uint8_t *gid_ipv4(const uint8_t gid[16])
{
	return memcmp(gid, mapped, sizeof(mapped)) ? NULL : gid + sizeof(mapped);
}

bool gid_link_local(const uint8_t gid[16])
{
	const uint8_t *ipv4 = gid_ipv4(gid);

	if (ipv4)
		return ipv4[0] == 169 && ipv4[1] == 254;
	return gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80;
}

bool gid_of_address(const void *address, uint8_t gid[16])
{
	const struct sockaddr *any = address;

	if (any->sa_family == AF_INET) {
		memcpy(gid, mapped, sizeof(mapped));
		memcpy(gid + sizeof(mapped), &((const struct sockaddr_in *)address)->sin_addr, 4);
		return true;
	}
	if (any->sa_family != AF_INET6)
		return false;
	memcpy(gid, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
	return true;
}

const char *gid_text(const uint8_t gid[16], char *text)
{
	const uint8_t *ipv4 = gid_ipv4(gid);

	return inet_ntop(ipv4 ? AF_INET : AF_INET6, ipv4 ? ipv4 : gid, text, INET6_ADDRSTRLEN);
}

static enum gid_type read_type(struct rs_ctx *ctx, const char *device, unsigned port, const char *index)
{
	char text[32];

	/* EINVAL: this entry has none; ENOENT: this kernel does not tell */
	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/%u/gid_attrs/types/%s", device, port,
		       index) < 0)
		return GID_UNKNOWN;
	if (!strcmp(text, "RoCE v2"))
		return GID_V2;
	return strcmp(text, "IB/RoCE v1") ? GID_UNKNOWN : GID_V1;
}

int gid_table(struct rs_ctx *ctx, const char *device, unsigned port, struct gid_entry **entries)
{
	static const uint8_t empty[16];
	char **names;
	int count = sysfs_list(ctx, &names, "class/infiniband/%s/ports/%u/gids", device, port), kept = 0;

	if (count < 0)
		return count;
	*entries = rs_alloc(ctx, ((size_t)count + 1) * sizeof(**entries));
	for (int i = 0; i < count; i++) {
		struct gid_entry *entry = &(*entries)[kept];
		int length;

		entry->index = (unsigned)atoi(names[i]);
		if (sysfs_gid(ctx, entry->gid, "class/infiniband/%s/ports/%u/gids/%s", device, port, names[i]) < 0 ||
		    !memcmp(entry->gid, empty, sizeof(empty)))
			continue;
		entry->type = read_type(ctx, device, port, names[i]);
		length = sysfs_read(ctx, entry->netdev, sizeof(entry->netdev),
				    "class/infiniband/%s/ports/%u/gid_attrs/ndevs/%s", device, port, names[i]);
		if (length < 0)
			entry->netdev[0] = '\0';
		entry->netdev_told = length >= 0 || length == -EINVAL; /* which says that there is none */
		kept++;
	}
	return kept;
}

int gid_find(const struct gid_entry *entries, int count, const uint8_t gid[16], const struct gid_entry **found)
{
	enum gid_type type = GID_UNKNOWN;
	int matches = 0;

	for (int i = 0; i < count; i++)
		if (entries[i].type != GID_UNKNOWN)
			type = GID_V2; /* this kernel tells types */
	for (int i = 0; i < count; i++) {
		if (memcmp(entries[i].gid, gid, 16) || entries[i].type != type)
			continue;
		*found = &entries[i];
		matches++;
	}
	return matches > 1 ? -EEXIST : matches;
}

const char *gid_list(struct rs_ctx *ctx, const struct gid_entry *entries, int count, const uint8_t *gid)
{
	static const char *const types[] = {"type unknown", "RoCE v1", "RoCE v2"};
	const size_t size = 600;
	char *text = rs_alloc(ctx, size), address[INET6_ADDRSTRLEN];
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		const struct gid_entry *entry = &entries[i];

		if (gid && memcmp(entry->gid, gid, 16))
			continue;
		if (used > size - 120) {
			snprintf(text + used, size - used, ", ...");
			break;
		}
		used += (size_t)snprintf(text + used, size - used, "%s%u (%s, %s%s%s)", used ? ", " : "", entry->index,
					 types[entry->type], gid_text(entry->gid, address), *entry->netdev ? ", " : "",
					 entry->netdev);
	}
	return text;
}
