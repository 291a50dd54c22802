/* SPDX-License-Identifier: BSD-2-Clause */
#include "host/command.h"
#include "host/host.h"
#include "host/tcp.h"

#define SOURCE(word, type, bits, text)                                                                                 \
	{                                                                                                              \
		.name = "host." #word, .summary = text, .scope = RS_HOST, .flags = bits,                               \
		.params = host_##word##_params, .params_size = sizeof(type), .probes = &host_##word##_probe,           \
		.nprobes = 1, .observe = host_##word##_observe                                                         \
	}

static const struct rs_source sources[] = {
	SOURCE(modules, struct host_names, 0, "kernel modules of a host, from sysfs and the modules' index"),
	SOURCE(tools, struct host_names, 0, "programs of a host: whether they are there, and which version"),
	SOURCE(processes, struct host_names, RS_PASSING, "processes of a host, counted by name"),
	SOURCE(limits, struct host_names, 0, "resource limits that a program on a host starts with"),
	SOURCE(command, struct command_params, RS_COMMANDS, "runs a command and reads metrics out of what it prints"),
	{.name = "host.tcp_bandwidth",
	 .summary = "TCP bandwidth from one host to another, by iperf3",
	 .scope = RS_PAIR,
	 .flags = RS_EXCLUSIVE,
	 .params = host_tcp_bandwidth_params,
	 .params_size = sizeof(struct tcp_params),
	 .probes = &host_tcp_bandwidth_probe,
	 .nprobes = 1,
	 .observe = host_tcp_bandwidth_observe,
	 .serve = host_tcp_bandwidth_serve},
};

RS_PLUGIN(.name = "host", .version = VERSION, .summary = "software of a host: modules, tools, processes, limits, TCP",
	  .sources = sources, .nsources = sizeof(sources) / sizeof(sources[0]));
