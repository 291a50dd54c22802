/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP echo with "don't fragment": over a ping socket where the kernel lets one have it, else over a raw one */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "roce/path.h"

#define LARGEST 65535
#define ICMP_HEADER 8
#define FILTER_FOUR 1 /* ICMP_FILTER, which is in a header of the kernel that clashes with these */

int64_t path_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static bool is_six(const struct path *path)
{
	return path->to.ss_family == AF_INET6;
}

int path_header(const struct path *path)
{
	return (is_six(path) ? 40 : 20) + ICMP_HEADER;
}

static bool set(int fd, int level, int name, int value)
{
	return !setsockopt(fd, level, name, &value, sizeof(value));
}

/* PROBE: don't fragment, and don't believe what an earlier "too big" left in the kernel */
static bool set_options(const struct path_params *params, const struct path *path)
{
	bool six = is_six(path);
	int fd = path->fd;

	if (!set(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER,
		 six ? IPV6_PMTUDISC_PROBE : IP_PMTUDISC_PROBE) ||
	    !set(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_RECVERR : IP_RECVERR, 1) ||
	    (six && !set(fd, IPPROTO_IPV6, IPV6_DONTFRAG, 1)))
		return false;
	if (params->traffic_class &&
	    !set(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_TCLASS : IP_TOS, (int)*params->traffic_class))
		return false;
	if (params->netdev &&
	    setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, params->netdev, (socklen_t)strlen(params->netdev) + 1) < 0)
		return false;
	return set(fd, SOL_SOCKET, SO_SNDBUF, 4 * LARGEST);
}

/* Only answers: a raw socket would see everything */
static bool set_filter(const struct path *path)
{
	struct icmp6_filter six;
	uint32_t four = ~(1U << ICMP_ECHOREPLY);

	if (!path->raw)
		return true;
	if (!is_six(path))
		return !setsockopt(path->fd, SOL_RAW, FILTER_FOUR, &four, sizeof(four));
	ICMP6_FILTER_SETBLOCKALL(&six);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &six);
	return !setsockopt(path->fd, IPPROTO_ICMPV6, ICMP6_FILTER, &six, sizeof(six));
}

static bool bind_source(const struct path_params *params, const struct path *path)
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};

	if (!params->source)
		return true;
	if (is_six(path) && inet_pton(AF_INET6, params->source, &six.sin6_addr) == 1)
		return !bind(path->fd, (struct sockaddr *)&six, sizeof(six));
	if (!is_six(path) && inet_pton(AF_INET, params->source, &four.sin_addr) == 1)
		return !bind(path->fd, (struct sockaddr *)&four, sizeof(four));
	errno = EAFNOSUPPORT;
	return false;
}

int path_open(const struct path_params *params, struct path *path)
{
	int protocol = is_six(path) ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
	int flags = SOCK_CLOEXEC | SOCK_NONBLOCK;

	path->raw = false;
	path->fd = socket(path->to.ss_family, SOCK_DGRAM | flags, protocol);
	if (path->fd < 0) {
		path->raw = true;
		path->fd = socket(path->to.ss_family, SOCK_RAW | flags, protocol);
	}
	if (path->fd < 0)
		return errno == EPERM ? -EACCES : -errno;
	path->id = (uint16_t)(getpid() * 31 + path->fd);
	if (set_options(params, path) && set_filter(path) && bind_source(params, path) &&
	    !connect(path->fd, (struct sockaddr *)&path->to, path->to_length))
		return 0;
	return errno == EACCES ? -EPERM : -errno; /* of a broadcast address, which is no matter of rights to sockets */
}

static uint16_t checksum(const uint8_t *bytes, size_t length)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < length; i++)
		sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static void put(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

int path_send(struct path *path)
{
	static uint8_t packet[LARGEST];
	size_t length = (size_t)(path->size - path_header(path) + ICMP_HEADER);

	memset(packet, 0, ICMP_HEADER);
	packet[0] = is_six(path) ? ICMP6_ECHO_REQUEST : ICMP_ECHO;
	put(packet + 4, path->id);
	put(packet + 6, ++path->sequence);
	if (!is_six(path)) /* of ICMPv6 the kernel makes it */
		put(packet + 2, checksum(packet, length));
	path->sent_ns = path_now_ns();
	if (send(path->fd, packet, length, 0) >= 0)
		return 0;
	/* The first word may be of something that came back before */
	if (errno != EMSGSIZE && send(path->fd, packet, length, 0) >= 0)
		return 0;
	return -errno;
}

static enum path_event take_error(struct path *path, int *mtu)
{
	char control[512], text[INET6_ADDRSTRLEN] = "";
	struct msghdr message = {.msg_control = control, .msg_controllen = sizeof(control)};

	if (recvmsg(path->fd, &message, MSG_ERRQUEUE) < 0)
		return PATH_NOTHING;
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		const struct sock_extended_err *error = (const void *)CMSG_DATA(at);
		const struct sockaddr *from = SO_EE_OFFENDER(error);

		if (at->cmsg_type != IP_RECVERR && at->cmsg_type != IPV6_RECVERR)
			continue;
		if (error->ee_errno == EMSGSIZE) {
			*mtu = (int)(error->ee_info > LARGEST ? 0 : error->ee_info);
			return PATH_TOO_BIG;
		}
		if (from->sa_family == AF_INET)
			inet_ntop(AF_INET, &((const struct sockaddr_in *)from)->sin_addr, text, sizeof(text));
		else if (from->sa_family == AF_INET6)
			inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)from)->sin6_addr, text, sizeof(text));
		snprintf(path->problem, sizeof(path->problem), "%s%s%s", *text ? text : "", *text ? " says: " : "",
			 strerror((int)error->ee_errno));
		return PATH_UNREACHABLE;
	}
	return PATH_NOTHING;
}

/* Whether a packet answers one of those of this size */
static bool answers(const struct path *path, const uint8_t *packet, size_t length)
{
	uint16_t sequence;

	if (path->raw && !is_six(path)) { /* with its IP header */
		size_t header = length ? (size_t)(packet[0] & 15) * 4 : 0;

		if (length < header + ICMP_HEADER || header < 20)
			return false;
		packet += header;
		length -= header;
	}
	if (length != (size_t)(path->size - path_header(path) + ICMP_HEADER) ||
	    packet[0] != (is_six(path) ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY))
		return false;
	if (path->raw && (packet[4] << 8 | packet[5]) != path->id)
		return false;
	sequence = (uint16_t)(packet[6] << 8 | packet[7]);
	return (uint16_t)(sequence - path->first) <= (uint16_t)(path->sequence - path->first);
}

enum path_event path_receive(struct path *path, double *rtt, int *mtu)
{
	static uint8_t packet[LARGEST + 1];
	enum path_event event = take_error(path, mtu);

	while (event == PATH_NOTHING) {
		ssize_t length = recv(path->fd, packet, sizeof(packet), 0);

		/* The socket's pending error, once told, makes way for what is behind it */
		if (length < 0 && errno != EAGAIN && errno != EINTR)
			return take_error(path, mtu);
		if (length < 0)
			return PATH_NOTHING;
		if (!answers(path, packet, (size_t)length))
			continue;
		*rtt = (double)(path_now_ns() - path->sent_ns) / 1000;
		event = PATH_ANSWER;
	}
	return event;
}
