/* SPDX-License-Identifier: BSD-2-Clause */
/* A process in a pod of Kubernetes, by kubectl exec. */
#include "agent/connect.h"

static void add_named(struct strings *argv, const char *option, const char *value)
{
	if (!value)
		return;
	strings_add(argv, option);
	strings_add(argv, value);
}

static void begin(const struct scenario_host *host, struct strings *argv)
{
	strings_add(argv, "kubectl");
	connect_options(host, argv);
	add_named(argv, "--context", host->way.context);
	add_named(argv, "--namespace", host->way.namespace);
}

void connect_kubectl_pods(const struct scenario_host *host, struct strings *argv)
{
	begin(host, argv);
	strings_add(argv, "get");
	strings_add(argv, "pods");
	add_named(argv, "--selector", host->way.label);
	add_named(argv, "--output", "json");
}

void connect_kubectl(const struct scenario_host *host, const char *pod, struct strings *argv)
{
	begin(host, argv);
	strings_add(argv, "exec");
	strings_add(argv, "--stdin");
	strings_add(argv, "--quiet");
	add_named(argv, "--container", host->way.container);
	strings_add(argv, pod);
	strings_add(argv, "--");
	connect_program(host, argv);
}
