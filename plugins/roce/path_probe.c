/* SPDX-License-Identifier: BSD-2-Clause */
/* Echoes to many peers at once: first small ones, then the largest that comes through */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "roce/path.h"
#include "support/process.h"

#define SMALL 56	   /* bytes of data, as ping has it */
#define LARGEST 65535	   /* of an IP packet */
#define SIZE_TRIES 3	   /* of a size, before it counts as one that does not come through */
#define SIZE_WAIT_MS 200.0 /* for its answer at least, where round trips are short */

struct probe {
	struct rs_ctx *ctx;
	const struct path_params *params;
	int64_t end_ms;
};

static int64_t now_ms(void)
{
	return path_now_ns() / 1000000;
}

static void finish(struct path *path)
{
	if (path->fd >= 0)
		close(path->fd);
	path->fd = -1;
	path->state = PATH_DONE;
}

static void fail(struct path *path, int error)
{
	if (!*path->problem)
		snprintf(path->problem, sizeof(path->problem), "cannot send: %s", strerror(-error));
}

static double wait_of(const struct probe *probe, const struct path *path)
{
	double wait = probe->params->wait * 1000, least = path->rtt_most / 100;

	if (path->state == PATH_ECHO)
		return wait;
	if (least < SIZE_WAIT_MS)
		least = SIZE_WAIT_MS;
	return least < wait ? least : wait;
}

static void too_big(const struct probe *probe, struct path *path, int mtu);

static void send_one(const struct probe *probe, struct path *path)
{
	int error = path_send(path);

	path->due_ms = now_ms() + (int64_t)wait_of(probe, path);
	if (error == -EMSGSIZE && path->state == PATH_SIZES)
		too_big(probe, path, 0);
	else if (error)
		fail(path, error);
}

static void send_echo(const struct probe *probe, struct path *path)
{
	path->size = path_header(path) + SMALL;
	path->sent++;
	path->first = (uint16_t)(path->sequence + 1);
	send_one(probe, path);
}

/* @size: the next one; 0: in the middle */
static void try_size(const struct probe *probe, struct path *path, int size)
{
	if (path->bad - path->good <= 1) {
		path->path_mtu = path->good;
		finish(path);
		return;
	}
	path->size = size ? size : (path->good + path->bad) / 2;
	path->tries = 1;
	path->first = (uint16_t)(path->sequence + 1);
	send_one(probe, path);
}

static void too_big(const struct probe *probe, struct path *path, int mtu)
{
	bool hint = mtu > path->good && mtu < path->size;

	path->bad = hint ? mtu + 1 : path->size;
	try_size(probe, path, hint ? mtu : 0);
}

static void after_echo(const struct probe *probe, struct path *path)
{
	if (path->sent < (unsigned)probe->params->echoes) {
		send_echo(probe, path);
		return;
	}
	if (!path->received) {
		if (!*path->problem)
			snprintf(path->problem, sizeof(path->problem), "no answer to %u requests of %d bytes",
				 path->sent, path->size);
		finish(path);
		return;
	}
	path->problem[0] = '\0';
	if (!path->link_mtu) {
		finish(path);
		return;
	}
	path->state = PATH_SIZES;
	path->good = path->size;
	path->bad = (path->link_mtu < LARGEST ? path->link_mtu : LARGEST) + 1;
	try_size(probe, path, path->bad - 1);
}

static void on_answer(const struct probe *probe, struct path *path, double rtt)
{
	if (path->state == PATH_SIZES) {
		path->good = path->size;
		try_size(probe, path, 0);
		return;
	}
	if (!path->received || rtt < path->rtt_least)
		path->rtt_least = rtt;
	if (rtt > path->rtt_most)
		path->rtt_most = rtt;
	path->rtt_sum += rtt;
	path->received++;
	after_echo(probe, path);
}

static void on_event(const struct probe *probe, struct path *path)
{
	double rtt = 0;
	int mtu = 0;

	switch (path_receive(path, &rtt, &mtu)) {
	case PATH_ANSWER:
		on_answer(probe, path, rtt);
		break;
	case PATH_TOO_BIG:
		if (path->state == PATH_SIZES)
			too_big(probe, path, mtu);
		break;
	case PATH_UNREACHABLE:
		if (path->state == PATH_ECHO)
			after_echo(probe, path);
		break;
	case PATH_NOTHING:
		break;
	}
}

static void on_silence(const struct probe *probe, struct path *path)
{
	if (path->state == PATH_ECHO) {
		after_echo(probe, path);
	} else if (path->tries < SIZE_TRIES) {
		path->tries++;
		send_one(probe, path);
	} else {
		too_big(probe, path, 0);
	}
}

static int begin(const struct probe *probe, struct path *path)
{
	int error;

	if (!path->routed) {
		path->state = PATH_DONE;
		return 0;
	}
	error = path_open(probe->params, path);
	if (error == -EACCES)
		return rs_error(
			probe->ctx, RS_DENIED,
			"ICMP echoes are not allowed: net.ipv4.ping_group_range has to hold a group of this "
			"process (sysctl -w net.ipv4.ping_group_range=\"0 2147483647\"), or it needs CAP_NET_RAW");
	if (error) {
		fail(path, error);
		finish(path);
		return 0;
	}
	send_echo(probe, path);
	return 0;
}

/* One turn of poll(); returns how many are not through */
static unsigned turn(const struct probe *probe, struct path *paths, unsigned count)
{
	struct pollfd fds[PATH_WINDOW];
	int64_t first = probe->end_ms, now;
	unsigned busy = 0;

	for (unsigned i = 0; i < count; i++) {
		fds[i] = (struct pollfd){paths[i].state == PATH_DONE ? -1 : paths[i].fd, POLLIN, 0};
		if (paths[i].state != PATH_DONE && paths[i].due_ms < first)
			first = paths[i].due_ms;
		busy += paths[i].state != PATH_DONE;
	}
	now = now_ms();
	if (busy)
		poll(fds, count, first > now ? (int)(first - now) : 0);
	for (unsigned i = 0; busy && i < count; i++) {
		if (fds[i].revents)
			on_event(probe, &paths[i]);
		else if (paths[i].state != PATH_DONE && now_ms() >= paths[i].due_ms)
			on_silence(probe, &paths[i]);
	}
	return busy;
}

int path_probe(struct rs_ctx *ctx, const struct path_params *params, struct path *paths, unsigned count)
{
	const struct probe probe = {ctx, params, now_ms() + process_margin(ctx)};
	int error = 0;

	for (unsigned first = 0; first < count && !error; first += PATH_WINDOW) {
		unsigned some = count - first < PATH_WINDOW ? count - first : PATH_WINDOW;

		for (unsigned i = 0; i < some && !error; i++)
			error = begin(&probe, &paths[first + i]);
		while (!error && now_ms() < probe.end_ms && turn(&probe, paths + first, some))
			;
		for (unsigned i = 0; i < some; i++) {
			if (paths[first + i].state == PATH_ECHO && paths[first + i].routed &&
			    !paths[first + i].received && !*paths[first + i].problem)
				snprintf(paths[first + i].problem, sizeof(paths[first + i].problem),
					 "no answer before the step's time was over");
			finish(&paths[first + i]);
		}
	}
	return error;
}
