/* SPDX-License-Identifier: BSD-2-Clause */
/* Listening cm_ids, which are in no table of sockets */
#include <errno.h>
#include <netinet/in.h>
#include <rdma/rdma_netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "support/netlink.h"
#include "support/rdma.h"
#include "support/sockets.h"

#define LAST RDMA_NLDEV_ATTR_RES_DST_ADDR
#define CM_LISTEN 8 /* enum rdma_cm_state of the kernel, which is in no public header */

struct search {
	pid_t pid;
	unsigned port;
	bool found;
};

static unsigned port_of(const struct nlattr *attribute)
{
	struct sockaddr_storage address = {0};
	size_t length = attribute ? mnl_attr_get_payload_len(attribute) : 0;

	if (length < sizeof(struct sockaddr_in) || length > sizeof(address))
		return 0;
	memcpy(&address, mnl_attr_get_payload(attribute), length);
	if (address.ss_family == AF_INET)
		return ntohs(((struct sockaddr_in *)&address)->sin_port);
	return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&address)->sin6_port) : 0;
}

static void on_answer(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *table[LAST + 1], *entry;
	struct search *search = user;

	netlink_attributes(message, 0, table, LAST);
	if (!table[RDMA_NLDEV_ATTR_RES_CM_ID])
		return;
	mnl_attr_for_each_nested(entry, table[RDMA_NLDEV_ATTR_RES_CM_ID])
	{
		const struct nlattr *fields[LAST + 1];

		netlink_nested(entry, fields, LAST);
		if (netlink_u32(fields[RDMA_NLDEV_ATTR_RES_PID], 0) == (uint32_t)search->pid &&
		    netlink_u8(fields[RDMA_NLDEV_ATTR_RES_STATE], 0) == CM_LISTEN &&
		    port_of(fields[RDMA_NLDEV_ATTR_RES_SRC_ADDR]) == search->port)
			search->found = true;
	}
}

int socket_cm_listens(struct rs_ctx *ctx, pid_t pid, unsigned port)
{
	struct search search = {.pid = pid, .port = port};
	struct rdma_links links;
	int error = rdma_links(ctx, &links), told = error < 0 ? error : -ENODEV;

	for (size_t i = 0; !error && i < links.count; i++) {
		struct netlink_request request;

		netlink_begin(&request, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_CM_ID_GET), true, 0);
		mnl_attr_put_u32(request.header, RDMA_NLDEV_ATTR_DEV_INDEX, links.items[i].device_index);
		told = netlink_ask(ctx, NETLINK_RDMA, &request, on_answer, NULL, &search);
		if (search.found)
			return 1;
	}
	return told;
}
