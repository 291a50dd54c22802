/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters and facts of the performance probes */
#include "support/link.h"
#include "support/perf_facts.h"
#include "support/perf_internal.h"

const char *const perf_verbs[] = {"write", "read", "send", "atomic", NULL};
const char *const perf_transports[] = {"RC", "UC", "UD", "XRC", "DC", NULL};

#define AT(member) .offset = offsetof(struct perf_params, member)
#define INTEGER(word, least, most, text)                                                                               \
	{                                                                                                              \
		.key = #word, .type = RS_INTEGER, AT(word), .min = least, .max = most, .doc = text                     \
	}
#define SWITCH(word, text)                                                                                             \
	{                                                                                                              \
		.key = #word, .type = RS_BOOLEAN, AT(word), .value = "no", .doc = text                                 \
	}
#define TEXT(word, text)                                                                                               \
	{                                                                                                              \
		.key = #word, .type = RS_TEXT, AT(word), .doc = text                                                   \
	}

#define COMMON                                                                                                         \
	{.key = "device",                                                                                              \
	 .type = RS_TEXT,                                                                                              \
	 AT(device),                                                                                                   \
	 .flags = RS_REQUIRED,                                                                                         \
	 .min = 1,                                                                                                     \
	 .max = 63,                                                                                                    \
	 .doc = "RDMA device (-d); \"$(device)\" is each end's own"},                                                  \
		{.key = "port",                                                                                        \
		 .type = RS_INTEGER,                                                                                   \
		 AT(port),                                                                                             \
		 .value = "1",                                                                                         \
		 .min = 1,                                                                                             \
		 .max = 254,                                                                                           \
		 .doc = "port number of the device (-i)"},                                                             \
		{.key = "verb",                                                                                        \
		 .type = RS_ENUM,                                                                                      \
		 AT(verb),                                                                                             \
		 .value = "write",                                                                                     \
		 .choices = perf_verbs,                                                                                \
		 .doc = "which of perftest's programs: ib_write_..., ib_read_..., ..."},                               \
		{.key = "transport",                                                                                   \
		 .type = RS_ENUM,                                                                                      \
		 AT(transport),                                                                                        \
		 .value = "RC",                                                                                        \
		 .choices = perf_transports,                                                                           \
		 .doc = "kind of the queue pairs (-c)"},                                                               \
		{.key = "size",                                                                                        \
		 .type = RS_QUANTITY,                                                                                  \
		 .unit = "B",                                                                                          \
		 AT(size),                                                                                             \
		 .min = 1,                                                                                             \
		 .max = 1LL << 32,                                                                                     \
		 .unless = "all_sizes",                                                                                \
		 .doc = "size of a message (-s); without it perftest's own: 64 KiB for bandwidth, 2 B for latency"},   \
		SWITCH(all_sizes, "a row for each size from 2 B to 8 MiB (-a)"),                                       \
		{.key = "iterations",                                                                                  \
		 .type = RS_INTEGER,                                                                                   \
		 AT(iterations),                                                                                       \
		 .min = 5,                                                                                             \
		 .max = 100000000,                                                                                     \
		 .unless = "duration",                                                                                 \
		 .doc = "number of messages (-n)"},                                                                    \
		{.key = "duration",                                                                                    \
		 .type = RS_QUANTITY,                                                                                  \
		 .flags = RS_ADDS_TIME,                                                                                \
		 .unit = "s",                                                                                          \
		 AT(duration),                                                                                         \
		 .min = 1,                                                                                             \
		 .max = 1000000,                                                                                       \
		 .doc = "measure for so long, in whole seconds (-D), instead of a number of messages; it is added to " \
			"the step's timeout"},                                                                         \
		{.key = "gid",                                                                                         \
		 .type = RS_TEXT,                                                                                      \
		 AT(gid),                                                                                              \
		 .value = "auto",                                                                                      \
		 .doc = "index in the GID table (-x), or \"auto\": at each end the RoCE v2 entry of its address; "     \
			"\"auto\" is nothing on InfiniBand"},                                                          \
		SWITCH(rdma_cm, "connect by rdma_cm (-R) instead of TCP"),                                             \
		{.key = "mtu",                                                                                         \
		 .type = RS_ENUM,                                                                                      \
		 AT(mtu),                                                                                              \
		 .choices = link_mtus,                                                                                 \
		 .doc = "path MTU in bytes (-m); without it the port's active one"},                                   \
		INTEGER(service_level, 0, 15, "service level (-S)"),                                                   \
		INTEGER(traffic_class, 0, 255, "traffic class (--tclass; with rdma_cm the type of service, -T)"),      \
		INTEGER(tx_depth, 1, 65536, "size of the send queue (-t)"),                                            \
		INTEGER(rx_depth, 1, 65536, "size of the receive queue (-r), for verb send"),                          \
		INTEGER(inline_size, 0, 4096, "messages of at most so many bytes are sent inline (-I)"),               \
		INTEGER(qp_timeout, 0, 31, "time for an answer: 4.096 us times 2 to the power of this (-u)"),          \
		INTEGER(retry_count, 0, 7, "how often it is sent again (--retry_count), with rdma_cm"),                \
		TEXT(cpus, "CPUs that perftest may run on: \"0-7,16\"; without it those of numa_node, or any"),        \
		TEXT(numa_node, "NUMA node whose CPUs and memory are used: a number, or \"device\" for the device's"), \
		{.key = "ipv6",                                                                                        \
		 .type = RS_BOOLEAN,                                                                                   \
		 AT(ipv6),                                                                                             \
		 .doc = "IPv6 between the ends (--ipv6-addr); without it as the server's address is written"},         \
		SWITCH(ignore_cpu_freq, "no complaint of perftest about CPU frequencies that change (-F)"),            \
	{                                                                                                              \
		.key = "arguments", .type = RS_TEXT, .flags = RS_LIST, AT(arguments),                                  \
		.count_offset = offsetof(struct perf_params, narguments),                                              \
		.doc = "further arguments of perftest, at both ends"                                                   \
	}

const struct rs_param perf_bandwidth_params[] = {
	COMMON,
	{.key = "queue_pairs",
	 .type = RS_INTEGER,
	 AT(queue_pairs),
	 .value = "1",
	 .min = 1,
	 .max = 16384,
	 .doc = "number of queue pairs (-q)"},
	SWITCH(bidirectional, "both directions at once (-b); bw_average is their sum"),
	{0},
};

const struct rs_param perf_latency_params[] = {COMMON, {0}};

#define OF_THE_CONNECTION(of)                                                                                          \
	[of##_DEVICE] = {.name = "device", .type = RS_TEXT, .doc = "RDMA device of the client"},                       \
	[of##_TRANSPORT] = {.name = "transport",                                                                       \
			    .type = RS_ENUM,                                                                           \
			    .choices = perf_transports,                                                                \
			    .doc = "kind of the queue pairs: perftest's \"Connection type\""},                         \
	[of##_LINK_TYPE] = {.name = "link_type", .type = RS_TEXT, .doc = "perftest's \"Link type\": IB, or Ethernet"}, \
	[of##_MTU] = {.name = "mtu",                                                                                   \
		      .type = RS_ENUM,                                                                                 \
		      .flags = RS_F_ORDERED | RS_F_HIGHER,                                                             \
		      .choices = link_mtus,                                                                            \
		      .doc = "perftest's \"Mtu\" in bytes: what both ends agreed on"},                                 \
	[of##_GID_INDEX] = {.name = "gid_index",                                                                       \
			    .type = RS_INTEGER,                                                                        \
			    .flags = RS_F_VOLATILE,                                                                    \
			    .doc = "index of the client's GID; none where perftest names none (InfiniBand)"},          \
	[of##_QPS] = {.name = "qps", .type = RS_INTEGER, .doc = "perftest's \"Number of qps\""},                       \
	[of##_RDMA_CM] = {.name = "rdma_cm", .type = RS_BOOLEAN, .doc = "connected by rdma_cm"},                       \
	[of##_SIZE] = {.name = "size",                                                                                 \
		       .type = RS_QUANTITY,                                                                            \
		       .flags = RS_F_KEY,                                                                              \
		       .unit = "B",                                                                                    \
		       .doc = "size of a message: perftest's #bytes"},                                                 \
	[of##_ITERATIONS] = {.name = "iterations",                                                                     \
			     .type = RS_INTEGER,                                                                       \
			     .flags = RS_F_VOLATILE,                                                                   \
			     .doc = "number of messages: perftest's #iterations"}

#define LATENCY(word, text)                                                                                            \
	{                                                                                                              \
		.name = word, .type = RS_QUANTITY, .flags = RS_F_LOWER, .unit = "us", .doc = text                      \
	}
#define NOT_WITH_DURATION                                                                                              \
	.observed_by = "needs a number of iterations: perftest does not tell it for a duration", .unless = "duration"

const struct rs_fact perf_bandwidth_facts[] = {
	OF_THE_CONNECTION(BW),
	[BW_PEAK] =
		{.name = "bw_peak",
		 .type = RS_QUANTITY,
		 .flags = RS_F_HIGHER,
		 .unit = "Gb/s",
		 .doc = "the best moment; not observed with a duration, -N or many iterations, where perftest says 0",
		 .observed_by = "needs at most 20,000 iterations",
		 .unless = "duration"},
	[BW_AVERAGE] = {.name = "bw_average",
			.type = RS_QUANTITY,
			.flags = RS_F_HIGHER,
			.unit = "Gb/s",
			.doc = "the average, the one to gate; with bidirectional the sum of both directions"},
	[BW_MSG_RATE] = {.name = "msg_rate",
			 .type = RS_QUANTITY,
			 .flags = RS_F_HIGHER,
			 .unit = "Mpps",
			 .doc = "messages a second, in millions"},
	[BW_CPU_UTIL] = {.name = "cpu_util",
			 .type = RS_QUANTITY,
			 .flags = RS_F_LOWER,
			 .unit = "%",
			 .doc = "perftest's CPU_Util",
			 .observed_by = "needs a duration and the argument --cpu_util"},
	[BW_FACTS] = {0},
};

const struct rs_fact perf_latency_facts[] = {
	OF_THE_CONNECTION(LAT),
	[LAT_T_MIN] = {.name = "t_min",
		       .type = RS_QUANTITY,
		       .flags = RS_F_LOWER,
		       .unit = "us",
		       .doc = "the shortest; half of the round trip for write and send, all of it for read and atomic",
		       NOT_WITH_DURATION},
	[LAT_T_MAX] = {.name = "t_max",
		       .type = RS_QUANTITY,
		       .flags = RS_F_LOWER,
		       .unit = "us",
		       .doc = "the longest",
		       NOT_WITH_DURATION},
	[LAT_T_TYPICAL] = {.name = "t_typical",
			   .type = RS_QUANTITY,
			   .flags = RS_F_LOWER,
			   .unit = "us",
			   .doc = "the median",
			   NOT_WITH_DURATION},
	[LAT_T_AVG] = LATENCY("t_avg", "the mean"),
	[LAT_T_STDEV] = {.name = "t_stdev",
			 .type = RS_QUANTITY,
			 .flags = RS_F_LOWER,
			 .unit = "us",
			 .doc = "standard deviation; some versions cut its fraction off: not to be gated on",
			 NOT_WITH_DURATION},
	[LAT_P99] = {.name = "p99",
		     .type = RS_QUANTITY,
		     .flags = RS_F_LOWER,
		     .unit = "us",
		     .doc = "99 of 100 were not slower; with fewer than 1,000 iterations it says little",
		     NOT_WITH_DURATION},
	[LAT_P99_9] = {.name = "p99_9",
		       .type = RS_QUANTITY,
		       .flags = RS_F_LOWER,
		       .unit = "us",
		       .doc = "999 of 1,000 were not slower; with fewer than 10,000 iterations it says little",
		       NOT_WITH_DURATION},
	[LAT_TPS] = {.name = "tps",
		     .type = RS_NUMBER,
		     .flags = RS_F_HIGHER,
		     .doc = "transactions a second: perftest's \"tps average\"",
		     .observed_by = "needs a duration"},
	[LAT_FACTS] = {0},
};
