/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters and facts of host.tcp_bandwidth */
#include "host/host.h"
#include "host/tcp.h"

#define AT(member) .offset = offsetof(struct tcp_params, member)
#define SWITCH(word, text)                                                                                             \
	{                                                                                                              \
		.key = #word, .type = RS_BOOLEAN, AT(word), .value = "no", .doc = text                                 \
	}
#define TEXT(word, most, text)                                                                                         \
	{                                                                                                              \
		.key = #word, .type = RS_TEXT, AT(word), .min = 1, .max = most, .doc = text                            \
	}
#define BYTES(word, most, text)                                                                                        \
	{                                                                                                              \
		.key = #word, .type = RS_QUANTITY, .unit = "B", AT(word), .min = 1, .max = most, .doc = text           \
	}

const struct rs_param host_tcp_bandwidth_params[] = {
	{.key = "duration",
	 .type = RS_QUANTITY,
	 .unit = "s",
	 .flags = RS_ADDS_TIME,
	 AT(duration),
	 .value = "10 s",
	 .min = 1,
	 .max = 86400,
	 .doc = "measure for so long, in whole seconds (-t)"},
	{.key = "omit",
	 .type = RS_QUANTITY,
	 .unit = "s",
	 .flags = RS_ADDS_TIME,
	 AT(omit),
	 .value = "0 s",
	 .max = 60,
	 .doc = "so long before that does not count, in whole seconds: TCP's slow start (-O)"},
	{.key = "streams",
	 .type = RS_INTEGER,
	 AT(streams),
	 .value = "1",
	 .min = 1,
	 .max = 128,
	 .doc = "number of TCP connections at once (-P)"},
	{.key = "reverse",
	 .type = RS_BOOLEAN,
	 AT(reverse),
	 .value = "no",
	 .unless = "bidirectional",
	 .doc = "the server sends (-R)"},
	SWITCH(bidirectional, "both directions at once (--bidir): a row each"),
	{.key = "mss",
	 .type = RS_INTEGER,
	 AT(mss),
	 .min = 88,
	 .max = 9216,
	 .doc = "largest segment in bytes (-M); without it as the path's MTU has it"},
	BYTES(window, 512 << 20, "size of the socket's buffers (-w); without it the kernel adapts them"),
	BYTES(length, 1 << 20, "how much is given to the kernel at a time (-l); without it 128 KiB"),
	{.key = "bitrate",
	 .type = RS_QUANTITY,
	 .unit = "Gb/s",
	 AT(bitrate),
	 .max = 10000,
	 .doc = "send no faster, each stream (-b)"},
	TEXT(congestion, 15, "TCP's congestion control, at both ends (-C): cubic, bbr, dctcp, ..."),
	{.key = "traffic_class",
	 .type = RS_INTEGER,
	 AT(traffic_class),
	 .max = 255,
	 .doc = "the type-of-service byte (-S): DSCP times 4"},
	SWITCH(no_delay, "no Nagle (-N)"),
	SWITCH(zero_copy, "send without a copy (-Z)"),
	TEXT(bind, 255,
	     "local address, at both ends (-B); \"$(address)\" is each end's own, \"$(address)%eth1\" an interface"),
	TEXT(cpus, 1024, "CPUs that iperf3 may run on: \"0-7,16\"; without it those of numa_node, or any"),
	TEXT(numa_node, 16, "number of the NUMA node whose CPUs and memory are used"),
	{.key = "ipv6",
	 .type = RS_BOOLEAN,
	 AT(ipv6),
	 .doc = "IPv6 only, or IPv4 only (-6, -4); without it as the server's address is written or resolved"},
	{.key = "arguments",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 AT(arguments),
	 .count_offset = offsetof(struct tcp_params, narguments),
	 .doc = "further arguments of iperf3 at the client"},
	{.key = "server_arguments",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 AT(server_arguments),
	 .count_offset = offsetof(struct tcp_params, nserver_arguments),
	 .doc = "further arguments of iperf3 at the server"},
	{0},
};

static const char *const directions[] = {[TCP_TO_SERVER] = "to_server", [TCP_TO_CLIENT] = "to_client", NULL};

#define CLIENT_SENDS "needs the client to send: iperf3 tells it of its own sockets only"
#define RATE(word, text)                                                                                               \
	{                                                                                                              \
		.name = word, .type = RS_QUANTITY, .flags = RS_F_HIGHER, .unit = "Gb/s", .doc = text                   \
	}
#define CPU(word, text)                                                                                                \
	{                                                                                                              \
		.name = word, .type = RS_QUANTITY, .flags = RS_F_LOWER, .unit = "%", .doc = text,                      \
		.observed_by = "needs an iperf3 that tells it"                                                         \
	}
#define ROUND_TRIP(word, text)                                                                                         \
	{                                                                                                              \
		.name = word, .type = RS_QUANTITY, .flags = RS_F_LOWER, .unit = "us", .doc = text,                     \
		.observed_by = CLIENT_SENDS                                                                            \
	}

static const struct rs_fact facts[] = {
	[TCP_DIRECTION] = {.name = "direction",
			   .type = RS_ENUM,
			   .flags = RS_F_KEY,
			   .choices = directions,
			   .doc = "who receives: to_server, or to_client (reverse); bidirectional has a row of each"},
	[TCP_BW_AVERAGE] = RATE("bw_average", "over all streams, as the receiver counted it, the one to gate: iperf3's "
					      "sum_received.bits_per_second"),
	[TCP_BW_SENT] = RATE("bw_sent", "the same as the sender counted it: sum_sent.bits_per_second"),
	[TCP_BW_PEAK] = {.name = "bw_peak",
			 .type = RS_QUANTITY,
			 .flags = RS_F_HIGHER,
			 .unit = "Gb/s",
			 .doc = "the best interval (a second, or --interval), counted at the client",
			 .observed_by = "needs intervals: not with -i 0"},
	[TCP_BW_LOWEST] = {.name = "bw_lowest",
			   .type = RS_QUANTITY,
			   .flags = RS_F_HIGHER,
			   .unit = "Gb/s",
			   .doc = "the worst interval, counted at the client: 0 where the link was away for a while",
			   .observed_by = "needs intervals: not with -i 0"},
	[TCP_STREAM_LOWEST] = {.name = "stream_lowest",
			       .type = RS_QUANTITY,
			       .flags = RS_F_HIGHER,
			       .unit = "Gb/s",
			       .doc = "bw_average of the slowest stream: far below the others where streams share a "
				      "link of several",
			       .observed_by = "needs an iperf3 that tells it of each stream"},
	[TCP_RECEIVED] = {.name = "received",
			  .type = RS_QUANTITY,
			  .flags = RS_F_VOLATILE,
			  .unit = "B",
			  .doc = "how much came: sum_received.bytes"},
	[TCP_SECONDS] = {.name = "duration",
			 .type = RS_QUANTITY,
			 .flags = RS_F_VOLATILE,
			 .unit = "s",
			 .doc = "in which time: sum_received.seconds"},
	[TCP_RETRANSMITS] = {.name = "retransmits",
			     .type = RS_INTEGER,
			     .flags = RS_F_LOWER,
			     .doc = "segments that the sender sent again: sum_sent.retransmits",
			     .observed_by = "needs a sender whose kernel counts them"},
	[TCP_CPU_CLIENT] = CPU("cpu_client", "of one CPU, iperf3's own time at the client: host_total"),
	[TCP_CPU_SERVER] = CPU("cpu_server", "the same at the server: remote_total"),
	[TCP_STREAMS] = {.name = "streams",
			 .type = RS_INTEGER,
			 .doc = "number of TCP connections in each direction: test_start.num_streams"},
	[TCP_MSS] =
		{.name = "mss",
		 .type = RS_INTEGER,
		 .flags = RS_F_HIGHER,
		 .doc = "largest segment in bytes: what was asked for, else what the kernel took for the connection "
			"between the two iperf3: tcp_mss, tcp_mss_default",
		 .observed_by = "needs an iperf3 that tells it"},
	[TCP_PATH_MTU] = {.name = "path_mtu",
			  .type = RS_INTEGER,
			  .flags = RS_F_HIGHER,
			  .doc = "bytes; the kernel's idea of it at the end, of the stream that has the smallest: pmtu",
			  .observed_by = CLIENT_SENDS},
	[TCP_CONGESTION] = {.name = "congestion",
			    .type = RS_TEXT,
			    .doc = "the sender's congestion control: sender_tcp_congestion",
			    .observed_by = "needs an iperf3 that tells it"},
	[TCP_RTT_MIN] = ROUND_TRIP("rtt_min", "the shortest round trip under this load, of all streams: min_rtt"),
	[TCP_RTT_MEAN] = ROUND_TRIP("rtt_mean", "the mean of all streams' mean_rtt"),
	[TCP_RTT_MAX] = ROUND_TRIP("rtt_max", "the longest: max_rtt"),
	[TCP_FACTS] = {0},
};

const struct rs_probe host_tcp_bandwidth_probe = {
	.name = "host.tcp_bandwidth",
	.summary = "TCP bandwidth between two hosts, by iperf3: what RDMA is compared with",
	.row = "{direction}",
	.facts = facts,
};
