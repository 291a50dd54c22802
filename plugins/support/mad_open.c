/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mad_internal.h"
#include "support/mad_packet.h"

/* Part of the observation's time is kept back for what follows the MADs: a tenth, within these limits */
#define RESERVE_MIN_US 200000
#define RESERVE_MAX_US 2000000
#define RECEIVE_BYTES 16384
/*
 * umad2sim holds the lock that its receiver needs while it writes, and a socket takes 11 MADs each way: with more than
 * 24 on the way it and ibsim can wait for each other for ever.
 */
#define SIMULATOR_WINDOW 24

static int64_t stop_time(struct rs_ctx *ctx)
{
	int64_t left = rs_time_left(ctx) * 1000, reserve = left / 10;

	if (reserve > RESERVE_MAX_US)
		reserve = RESERVE_MAX_US;
	if (reserve < RESERVE_MIN_US)
		reserve = RESERVE_MIN_US;
	return now_us() + (left > reserve ? left - reserve : 0);
}

static void prepare_slots(struct mad_port *port)
{
	static const struct list empty = {.first = NONE, .last = NONE};

	port->nslots = (unsigned)port->options.window_max * 4;
	if (port->nslots > SLOTS_MAX)
		port->nslots = SLOTS_MAX;
	port->slots = rs_alloc(port->ctx, port->nslots * sizeof(*port->slots));
	port->idle = port->flying = port->retry = empty;
	port->first_young = NONE;
	for (unsigned i = 0; i < port->nslots; i++)
		mad_list_push(port, &port->idle, (uint16_t)i);
}

/* umad2sim gives out numbers that are no descriptors of this process */
static bool is_simulator(int fd)
{
	return fcntl(fd, F_GETFD) < 0;
}

static void limit_window(struct mad_options *options, int fd)
{
	if (is_simulator(fd) && options->window_max > SIMULATOR_WINDOW)
		options->window_max = SIMULATOR_WINDOW;
	if (options->window > options->window_max)
		options->window = options->window_max;
}

static void complain(struct rs_ctx *ctx, const char *device, unsigned port, int error)
{
	if (error == EACCES || error == EPERM)
		rs_error(ctx, RS_DENIED, "%s port %u: no access to its umad device in /dev/infiniband", device, port);
	else if (error == ENOENT || error == ENODEV || error == ENXIO)
		rs_error(ctx, RS_UNSUPPORTED, "%s port %u has no umad device: is the module ib_umad loaded?", device,
			 port);
	else
		rs_error(ctx, RS_FAILED, "%s port %u: its umad device cannot be opened: %s", device, port,
			 strerror(error));
}

struct mad_port *mad_try_open(struct rs_ctx *ctx, const char *device, unsigned port, const struct mad_options *options,
			      int *error)
{
	struct mad_port *opened;
	int fd;

	if (rs_recorded(ctx)) {
		*error = ENODEV;
		return NULL;
	}
	errno = 0;
	umad_init();
	fd = umad_open_port(device, (int)port);
	if (fd < 0) {
		*error = errno ? errno : ENODEV;
		return NULL;
	}
	opened = rs_alloc(ctx, sizeof(*opened));
	opened->ctx = ctx;
	opened->silent = true;
	opened->fd = fd;
	opened->port = port;
	opened->device = rs_alloc(ctx, strlen(device) + 1);
	strcpy(opened->device, device);
	for (unsigned i = 0; i < 256; i++)
		opened->agents[i] = -1;
	opened->options = *options;
	limit_window(&opened->options, fd);
	opened->window = (unsigned)opened->options.window;
	opened->threshold = (unsigned)opened->options.window_max;
	opened->statistics.window_peak = opened->window;
	opened->stop_at = stop_time(ctx);
	opened->receive_size = RECEIVE_BYTES;
	opened->receive = calloc(1, opened->receive_size);
	prepare_slots(opened);
	return opened;
}

struct mad_port *mad_open(struct rs_ctx *ctx, const char *device, unsigned port, const struct mad_options *options)
{
	struct mad_port *opened;
	int error;

	if (rs_recorded(ctx)) {
		rs_error(ctx, RS_UNSUPPORTED, "a recorded tree has files only: the subnet cannot be asked");
		return NULL;
	}
	opened = mad_try_open(ctx, device, port, options, &error);
	if (!opened) {
		complain(ctx, device, port, error);
		return NULL;
	}
	opened->silent = false;
	return opened;
}

void mad_close(struct mad_port *port)
{
	if (!port)
		return;
	for (unsigned i = 0; i < 256; i++)
		if (port->agents[i] >= 0)
			umad_unregister(port->fd, port->agents[i]);
	umad_close_port(port->fd);
	free(port->receive);
	port->receive = NULL;
}

bool mad_out_of_time(const struct mad_port *port)
{
	return port->out_of_time;
}

const struct mad_statistics *mad_statistics(const struct mad_port *port)
{
	return &port->statistics;
}

struct query {
	const struct mad_request *request;
	struct mad_answer *answer;
	bool asked;
};

static bool query_next(void *user, struct mad_request *request)
{
	struct query *query = user;

	if (query->asked)
		return false;
	query->asked = true;
	*request = *query->request;
	return true;
}

static void query_done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct query *query = user;

	*query->answer = *answer;
}

int mad_query(struct mad_port *port, const struct mad_request *request, struct mad_answer *answer)
{
	static const struct mad_user callbacks = {.next = query_next, .done = query_done};
	struct query query = {.request = request, .answer = answer};

	*answer = (struct mad_answer){.outcome = MAD_NOT_ASKED};
	return mad_run(port, &callbacks, &query);
}

const char *mad_reason(const struct mad_answer *answer, char buf[96])
{
	switch (answer->outcome) {
	case MAD_ANSWERED:
		return "answered";
	case MAD_REFUSED:
		snprintf(buf, 96, "refused it with status 0x%04x (%s)", answer->status,
			 mad_packet_status_text(answer->status));
		return buf;
	case MAD_TIMED_OUT:
		return "did not answer";
	case MAD_NOT_ASKED:
		break;
	}
	return "was not asked before the time was up";
}
