/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the ways to a host: what is started here to have an agent there, on its standard input and output */
#pragma once

#include "base/memory.h"
#include "scenario/scenario.h"

/**
 * connect_ssh, connect_slurm, connect_kubectl - the command line; words are added to @argv
 * @timeout_ms: how long the agent may take to answer
 * @pod: by its name
 * connect_kubectl_pods - what lists the pods of the host's label
 */
void connect_ssh(const struct scenario_host *host, int64_t timeout_ms, struct strings *argv);
void connect_slurm(const struct scenario_host *host, struct strings *argv);
void connect_kubectl(const struct scenario_host *host, const char *pod, struct strings *argv);
void connect_kubectl_pods(const struct scenario_host *host, struct strings *argv);

/** connect_path - the program on the host */
const char *connect_path(const struct scenario_host *host);

/** connect_program - the words that start the agent on the host: rdmaspec agent [--plugin-dir DIR] */
void connect_program(const struct scenario_host *host, struct strings *argv);

/** connect_options - what the scenario adds to the command line */
void connect_options(const struct scenario_host *host, struct strings *argv);
