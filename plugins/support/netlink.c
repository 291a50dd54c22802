/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/netlink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 5		/* of a dump that was disturbed by changes */
#define ANSWER_MS 10000 /* the kernel answers at once, or not at all */

void *netlink_begin(struct netlink_request *request, unsigned type, bool dump, size_t family_header)
{
	request->header = mnl_nlmsg_put_header(request->bytes);
	request->header->nlmsg_type = (uint16_t)type;
	request->header->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | (dump ? NLM_F_DUMP : 0));
	request->header->nlmsg_seq = 1;
	return family_header ? mnl_nlmsg_put_extra_header(request->header, family_header) : NULL;
}

struct answer {
	void (*visit)(const struct nlmsghdr *message, void *user);
	void *user;
	bool dump, disturbed, ended;
};

static int on_message(const struct nlmsghdr *message, void *data)
{
	struct answer *answer = data;

	answer->disturbed |= (message->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
	answer->visit(message, answer->user);
	if (!answer->dump) {
		answer->ended = true;
		return MNL_CB_STOP;
	}
	return MNL_CB_OK;
}

static int receive(const struct rs_ctx *ctx, struct mnl_socket *socket, struct answer *answer)
{
	struct pollfd fd = {mnl_socket_get_fd(socket), POLLIN, 0};
	size_t size = 65536;
	char *buf = malloc(size);
	int result = buf ? MNL_CB_OK : -1;

	while (result > MNL_CB_STOP) {
		int64_t left = rs_time_left(ctx);
		ssize_t n;

		if (poll(&fd, 1, (int)(left < ANSWER_MS ? left : ANSWER_MS)) == 0) {
			errno = ETIMEDOUT;
			result = -1;
			break;
		}
		n = mnl_socket_recvfrom(socket, buf, size);
		if (n < 0) {
			result = errno == EINTR ? MNL_CB_OK : -1;
			continue;
		}
		result = mnl_cb_run(buf, (size_t)n, 1, mnl_socket_get_portid(socket), on_message, answer);
		if (result < 0 && errno == EINTR) { /* libmnl's word for NLM_F_DUMP_INTR */
			answer->disturbed = true;
			break;
		}
	}
	free(buf);
	return result < 0 ? -errno : 0;
}

static int ask_once(const struct rs_ctx *ctx, int protocol, struct netlink_request *request, struct answer *answer)
{
	struct mnl_socket *socket = mnl_socket_open2(protocol, SOCK_CLOEXEC);
	int error = 0;

	if (!socket)
		return -errno;
	if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_sendto(socket, request->header, request->header->nlmsg_len) < 0)
		error = -errno;
	if (!error)
		error = receive(ctx, socket, answer);
	mnl_socket_close(socket);
	return error;
}

int netlink_ask(const struct rs_ctx *ctx, int protocol, struct netlink_request *request,
		void (*visit)(const struct nlmsghdr *message, void *user), void (*again)(void *user), void *user)
{
	int error = 0;

	for (int tries = 0; tries < TRIES; tries++) {
		struct answer answer = {visit, user, (request->header->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP, false,
					false};

		if (tries && again)
			again(user);
		error = ask_once(ctx, protocol, request, &answer);
		if (!answer.disturbed)
			return error;
		error = -EAGAIN;
	}
	return error;
}

struct table {
	const struct nlattr **attributes;
	unsigned max;
};

static int on_attribute(const struct nlattr *attribute, void *data)
{
	struct table *table = data;
	unsigned type = mnl_attr_get_type(attribute);

	if (type <= table->max && !table->attributes[type])
		table->attributes[type] = attribute;
	return MNL_CB_OK;
}

void netlink_attributes(const struct nlmsghdr *message, size_t family_header, const struct nlattr **table, unsigned max)
{
	struct table sorted = {table, max};

	memset(table, 0, (max + 1) * sizeof(*table));
	if (mnl_nlmsg_get_payload_len(message) >= family_header)
		mnl_attr_parse(message, (unsigned)family_header, on_attribute, &sorted);
}

void netlink_nested(const struct nlattr *nest, const struct nlattr **table, unsigned max)
{
	struct table sorted = {table, max};

	memset(table, 0, (max + 1) * sizeof(*table));
	mnl_attr_parse_nested(nest, on_attribute, &sorted);
}

uint32_t netlink_u32(const struct nlattr *attribute, uint32_t otherwise)
{
	return attribute && mnl_attr_get_payload_len(attribute) == 4 ? mnl_attr_get_u32(attribute) : otherwise;
}

uint16_t netlink_u16(const struct nlattr *attribute, uint16_t otherwise)
{
	return attribute && mnl_attr_get_payload_len(attribute) == 2 ? mnl_attr_get_u16(attribute) : otherwise;
}

uint8_t netlink_u8(const struct nlattr *attribute, uint8_t otherwise)
{
	return attribute && mnl_attr_get_payload_len(attribute) == 1 ? mnl_attr_get_u8(attribute) : otherwise;
}

void netlink_text(const struct nlattr *attribute, char *text, size_t size)
{
	size_t length = attribute ? mnl_attr_get_payload_len(attribute) : 0;

	if (length >= size)
		length = size - 1;
	if (length)
		memcpy(text, mnl_attr_get_payload(attribute), length);
	text[length] = '\0';
}
