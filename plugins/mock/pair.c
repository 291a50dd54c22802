/* SPDX-License-Identifier: BSD-2-Clause */
/* A server that really listens on loopback and a client that really goes there, each of which fails on request. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "mock/mock.h"

enum { OK, ERROR, CRASH, HANG, EARLY, LATE, LINGER };

static const char *const ways[] = {"ok", "error", "crash", "hang", "early", "late", "linger", NULL};

const struct rs_param mock_pair_params[] = {
	{.key = "client",
	 .type = RS_ENUM,
	 .choices = ways,
	 .offset = offsetof(struct mock_pair_params, client),
	 .value = "ok",
	 .doc = "what the client does once it is connected; early: fails before"},
	{.key = "server",
	 .type = RS_ENUM,
	 .choices = ways,
	 .offset = offsetof(struct mock_pair_params, server),
	 .value = "ok",
	 .doc = "what the server does once a client came; early: fails before it listens; hang: does not even listen; "
		"late: fails when its client is through; linger: does not end then"},
	{.key = "seconds",
	 .type = RS_QUANTITY,
	 .unit = "s",
	 .offset = offsetof(struct mock_pair_params, seconds),
	 .value = "0 s",
	 .doc = "how long the client takes"},
	{.key = "bw_average",
	 .type = RS_QUANTITY,
	 .unit = "Gb/s",
	 .offset = offsetof(struct mock_pair_params, bw_average),
	 .value = "100 Gb/s",
	 .doc = "what it measures"},
	{.key = "slow",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .offset = offsetof(struct mock_pair_params, slow),
	 .count_offset = offsetof(struct mock_pair_params, nslow),
	 .doc = "hosts with which it measures half of that"},
	{.key = NULL},
};

enum { CLIENT, SERVER, ADDRESS, PEER_ADDRESS, PORT, BW_AVERAGE, BEGAN, ENDED };

static const struct rs_fact pair_facts[] = {
	[CLIENT] = {"client", RS_TEXT, RS_F_KEY, .doc = "the client's host"},
	[SERVER] = {"server", RS_TEXT, RS_F_KEY, .doc = "the server's host"},
	[ADDRESS] = {"address", RS_TEXT, .doc = "the client's address"},
	[PEER_ADDRESS] = {"peer_address", RS_TEXT, .doc = "the server's address"},
	[PORT] = {"port", RS_INTEGER, RS_F_VOLATILE, .doc = "where the server listened"},
	[BW_AVERAGE] = {"bw_average", RS_QUANTITY, RS_F_HIGHER, "Gb/s", .doc = "what the parameters say"},
	[BEGAN] = {"began", RS_INTEGER, RS_F_VOLATILE, .doc = "milliseconds of the monotonic clock"},
	[ENDED] = {"ended", RS_INTEGER, RS_F_VOLATILE, .doc = "milliseconds of the monotonic clock"},
	{NULL},
};

const struct rs_probe mock_pair_probe = {"mock.pair", "test: a server and its client, on loopback",
					 "{client} to {server}", pair_facts};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(struct rs_ctx *ctx, int way, const char *who)
{
	if (way == CRASH)
		raise(SIGSEGV);
	while (way == HANG)
		pause();
	if (way == OK)
		return 0;
	fprintf(stderr, "the %s is about to fail\n", who);
	return rs_error(ctx, RS_ABSENT, "the %s has no device mock_0", who);
}

static struct sockaddr_in loopback(unsigned port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* ---- The server ---- */

static int listen_somewhere(unsigned *port)
{
	struct sockaddr_in address = loopback(0);
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 1) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &length) < 0) {
		close(fd);
		return -1;
	}
	*port = ntohs(address.sin_port);
	return fd;
}

/* One that came, or -1 where it is no longer to be waited for. */
static int wait_for_client(struct rs_ctx *ctx, int fd)
{
	struct pollfd polled[] = {{.fd = fd, .events = POLLIN}, {.fd = rs_stop_fd(ctx), .events = POLLIN}};

	poll(polled, 2, -1);
	return polled[0].revents ? accept(fd, NULL, NULL) : -1;
}

/* Until it hangs up. */
static void attend(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

int mock_pair_serve(struct rs_ctx *ctx, const void *data)
{
	const struct mock_pair_params *params = data;
	unsigned port = 0;
	int fd, client;

	if (params->server == EARLY || params->server == HANG)
		return fail(ctx, params->server, "server");
	fd = listen_somewhere(&port);
	if (fd < 0)
		return rs_error(ctx, RS_FAILED, "cannot listen: %s", strerror(errno));
	rs_note(ctx, "listens for %s", rs_peer(ctx)->host);
	rs_evidence(ctx, "words", "served\n", 7);
	rs_ready(ctx, port);
	client = wait_for_client(ctx, fd);
	if (params->server == ERROR || params->server == CRASH)
		return fail(ctx, params->server, "server");
	if (client >= 0)
		attend(client);
	while (params->server == LINGER)
		pause();
	return fail(ctx, params->server, "server");
}

/* ---- The client ---- */

static bool is_slow(const struct mock_pair_params *params, const char *host)
{
	for (unsigned i = 0; i < params->nslow; i++)
		if (!strcmp(params->slow[i], host))
			return true;
	return false;
}

static void set_row(struct rs_ctx *ctx, const struct mock_pair_params *params, int64_t began)
{
	const struct rs_end *self = rs_self(ctx), *peer = rs_peer(ctx);
	bool slow = is_slow(params, self->host) || is_slow(params, peer->host);
	char text[32];

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, CLIENT, self->host);
	rs_set_text(ctx, SERVER, peer->host);
	rs_set_text(ctx, ADDRESS, self->address);
	rs_set_text(ctx, PEER_ADDRESS, peer->address);
	rs_set_integer(ctx, PORT, peer->port);
	snprintf(text, sizeof(text), "%.3f", slow ? params->bw_average / 2 : params->bw_average);
	rs_set_decimal(ctx, BW_AVERAGE, text);
	rs_set_integer(ctx, BEGAN, began);
	rs_set_integer(ctx, ENDED, now_ms());
}

int mock_pair_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_pair_params *params = data;
	struct sockaddr_in address = loopback(rs_peer(ctx)->port);
	int64_t began = now_ms();
	int fd, rc;

	if (params->client == EARLY)
		return fail(ctx, params->client, "client");
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		close(fd);
		return rs_error(ctx, RS_FAILED, "cannot connect: %s", strerror(errno));
	}
	poll(NULL, 0, (int)(params->seconds * 1000));
	rc = fail(ctx, params->client, "client");
	close(fd);
	if (!rc) {
		rs_evidence(ctx, "words", "measured\n", 9);
		set_row(ctx, params, began);
	}
	return rc;
}
