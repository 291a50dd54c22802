/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: between the files of host.tcp_bandwidth */
#pragma once

#include <rdmaspec/plugin.h>

#include "support/process.h"

#define TCP_TEXT 256 /* of a message out of iperf3's output */

/**
 * struct tcp_params - what a scenario says
 *
 * Pointers are NULL where nothing was given.
 */
struct tcp_params {
	double duration, omit;
	int64_t streams;
	bool reverse, bidirectional, no_delay, zero_copy;
	int64_t *mss, *traffic_class;
	double *window, *length, *bitrate;
	const char *congestion, *bind, *cpus, *numa_node;
	bool *ipv6;
	const char *const *arguments, *const *server_arguments;
	unsigned narguments, nserver_arguments;
};

enum tcp_fact {
	TCP_DIRECTION,
	TCP_BW_AVERAGE,
	TCP_BW_SENT,
	TCP_BW_PEAK,
	TCP_BW_LOWEST,
	TCP_STREAM_LOWEST,
	TCP_RECEIVED,
	TCP_SECONDS,
	TCP_RETRANSMITS,
	TCP_CPU_CLIENT,
	TCP_CPU_SERVER,
	TCP_STREAMS,
	TCP_MSS,
	TCP_PATH_MTU,
	TCP_CONGESTION,
	TCP_RTT_MIN,
	TCP_RTT_MEAN,
	TCP_RTT_MAX,
	TCP_FACTS
};

enum tcp_direction { TCP_TO_SERVER, TCP_TO_CLIENT };

/** tcp_argv - iperf3's argument list, of rs_alloc(); @peer: the server's address; NULL: this is the server */
const char *const *tcp_argv(struct rs_ctx *ctx, const struct tcp_params *params, const char *path, unsigned port,
			    const char *peer);

/** tcp_check - arguments that are the probe's own; 0, or what rs_error() returned */
int tcp_check(struct rs_ctx *ctx, const struct tcp_params *params);

/** tcp_rows - fill the table from the client's JSON; 0, or what rs_error() returned */
int tcp_rows(struct rs_ctx *ctx, const struct tcp_params *params, const struct process *process);

/** tcp_error - whether its JSON has an "error", and what that says */
bool tcp_error(const struct process *process, char text[TCP_TEXT]);

/** tcp_said - that, else the first line of standard error; returns @text, "" where it said nothing */
const char *tcp_said(const struct process *process, char text[TCP_TEXT]);
