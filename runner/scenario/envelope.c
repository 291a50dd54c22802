/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a scenario file: the check, the JSON Schema, the reference and the defaults are made from these tables.
 */
#include "scenario/internal.h"
#include "scenario/pattern.h"
#include "scenario/plan.h"

#define DAY ((int64_t)24 * 60 * 60 * 1000)

static const char *const severities[] = {"error", "warning", NULL};

/* In the order of enum connect. */
const char *const connect_names[] = {"local", "simulated", "ssh", "slurm", "kubectl", NULL};

static const char *const host_sources[] = {"slurm", NULL};

/* What every way to a host has that ends in a program there. */
#define PROGRAM_KEYS(OPTIONS)                                                                                          \
	{                                                                                                              \
		.name = "path",                                                                                        \
		.kind = SCHEMA_TEXT,                                                                                   \
		.value = "rdmaspec",                                                                                   \
		.doc = "the program on the host: a name that is found there, or a path",                               \
	},                                                                                                             \
		{                                                                                                      \
			.name = "plugin_dir",                                                                          \
			.kind = SCHEMA_TEXT,                                                                           \
			.doc = "where the program on the host has its plugins; default: where it was installed",       \
		},                                                                                                     \
	{                                                                                                              \
		.name = "options", .kind = SCHEMA_TEXTS, .doc = OPTIONS                                                \
	}

static const struct schema_key ssh_schema[] = {
	{.name = "user", .kind = SCHEMA_NAME, .doc = "who logs in; default: what ssh takes"},
	{.name = "port", .kind = SCHEMA_INTEGER, .min = 1, .max = 65535, .doc = "default: what ssh takes"},
	PROGRAM_KEYS("further arguments of ssh, one an element: [-o, ProxyJump=gate]"),
	{0},
};

static const struct schema_key slurm_schema[] = {
	PROGRAM_KEYS("further arguments of srun, one an element: [--partition=debug]"),
	{0},
};

static const struct schema_key kubectl_schema[] = {
	{.name = "label",
	 .kind = SCHEMA_TEXT,
	 .doc = "the host is a node, and the pod is the running one there that has this label: app=rdma; default: the "
		"pod is what is dialled"},
	{.name = "namespace", .kind = SCHEMA_NAME, .doc = "the pod's namespace; default: what kubectl takes"},
	{.name = "container", .kind = SCHEMA_NAME, .doc = "which of the pod's containers; default: what kubectl takes"},
	{.name = "context", .kind = SCHEMA_TEXT, .doc = "which cluster, by kubectl's configuration"},
	PROGRAM_KEYS("further arguments of kubectl, one an element: [--kubeconfig=/etc/site]"),
	{0},
};

const struct schema_key connect_schema[] = {
	{.name = "command",
	 .kind = SCHEMA_TEXTS,
	 .required = true,
	 .form = 1,
	 .doc = "program and arguments that start the agent on the host, its stdin and stdout connected to it; there "
		"is no "
		"shell in between"},
	{.name = "ssh",
	 .kind = SCHEMA_MAP,
	 .keys = ssh_schema,
	 .required = true,
	 .form = 2,
	 .doc = "over OpenSSH, which asks for nothing and takes no host whose key it does not know"},
	{.name = "slurm",
	 .kind = SCHEMA_MAP,
	 .keys = slurm_schema,
	 .required = true,
	 .form = 3,
	 .doc = "as a step of Slurm, by srun: in the allocation that this runs in, else in one of its own"},
	{.name = "kubectl",
	 .kind = SCHEMA_MAP,
	 .keys = kubectl_schema,
	 .required = true,
	 .form = 4,
	 .doc = "in a pod of Kubernetes, by kubectl exec"},
	{0},
};

const struct schema_key host_schema[] = {
	{.name = "name",
	 .kind = SCHEMA_NODESET,
	 .required = true,
	 .form = 1,
	 .doc = "the host's name, or a nodeset of several: node-[01-16]"},
	{.name = "from",
	 .kind = SCHEMA_CHOICE,
	 .choices = host_sources,
	 .required = true,
	 .form = 2,
	 .doc = "slurm: a host for each node of the allocation that this runs in; its connect is slurm by default"},
	{.name = "connect",
	 .kind = SCHEMA_OTHER,
	 .value = "local",
	 .choices = connect_names,
	 .keys = connect_schema,
	 .doc = "how the host is reached: a word, or a map of one to its options: {ssh: {user: root}}"},
	{.name = "connect_to",
	 .kind = SCHEMA_TEXT,
	 .doc = "what ssh, srun or kubectl dials to reach the host; default: its name"},
	{.name = "connect_timeout",
	 .kind = SCHEMA_DURATION,
	 .value = "30 s",
	 .min = 1,
	 .max = DAY,
	 .doc = "how long the host may take to answer; --connect-timeout goes before it"},
	{.name = "required",
	 .kind = SCHEMA_BOOLEAN,
	 .value = "true",
	 .doc = "false: a host that cannot be reached is an expected absence, and its cases are skipped without "
		"gating"},
	{.name = "address",
	 .kind = SCHEMA_TEXT,
	 .doc = "what the other end of a test dials, a name or an IP address: $(address) in a step"},
	{.name = "device", .kind = SCHEMA_TEXT, .doc = "the host's RDMA device: $(device) in a step"},
	{.name = "simulated_as",
	 .kind = SCHEMA_TEXT,
	 .doc = "the node of the simulated fabric that the host is; default: its name"},
	{0},
};

/* The keys that a step has, and that "defaults" sets for all steps of its file. */
#define DEFAULTED_KEYS                                                                                                 \
	{                                                                                                              \
		.name = "timeout",                                                                                     \
		.kind = SCHEMA_DURATION,                                                                               \
		.value = "30 s",                                                                                       \
		.min = 1,                                                                                              \
		.max = 7 * DAY,                                                                                        \
		.doc = "how long one observation may take, from its worker's start",                                   \
	},                                                                                                             \
		{                                                                                                      \
			.name = "retries",                                                                             \
			.kind = SCHEMA_INTEGER,                                                                        \
			.value = "0",                                                                                  \
			.max = 1000,                                                                                   \
			.doc = "how often the step is tried again after a fail or an error; the last try counts",      \
		},                                                                                                     \
		{                                                                                                      \
			.name = "delay",                                                                               \
			.kind = SCHEMA_DURATION,                                                                       \
			.value = "0 s",                                                                                \
			.max = DAY,                                                                                    \
			.doc = "the time between two tries",                                                           \
		},                                                                                                     \
		{                                                                                                      \
			.name = "repeat",                                                                              \
			.kind = SCHEMA_INTEGER,                                                                        \
			.value = "1",                                                                                  \
			.min = 1,                                                                                      \
			.max = 10000,                                                                                  \
			.doc = "how often the step is run; each run is observed anew and judged by itself",            \
		},                                                                                                     \
	{                                                                                                              \
		.name = "severity", .kind = SCHEMA_CHOICE, .value = "error", .choices = severities,                    \
		.doc = "warning: a fail is reported, but does not gate"                                                \
	}

const struct schema_key defaults_schema[] = {
	DEFAULTED_KEYS,
	{0},
};

static const struct schema_key waive_schema[] = {
	{.name = "reason",
	 .kind = SCHEMA_TEXT,
	 .required = true,
	 .min = 1,
	 .max = 65536,
	 .doc = "why a fail is accepted"},
	{.name = "until",
	 .kind = SCHEMA_DATE,
	 .doc = "the last day on which the waiver holds (YYYY-MM-DD, UTC); the step gates again after it"},
	{0},
};

static const char *const directions[] = {"one", "both", NULL};

const struct schema_key between_schema[] = {
	{.name = "client",
	 .kind = SCHEMA_NODESET,
	 .required = true,
	 .form = 1,
	 .doc = "the host of the client, or a nodeset of several"},
	{.name = "server",
	 .kind = SCHEMA_NODESET,
	 .required = true,
	 .form = 1,
	 .doc = "the host of its server; of two nodesets the first pairs up with the first, and so on"},
	{.name = "hosts", .kind = SCHEMA_NODESET, .required = true, .form = 2, .doc = "the hosts that are paired up"},
	{.name = "pattern",
	 .kind = SCHEMA_CHOICE,
	 .choices = pattern_names,
	 .required = true,
	 .form = 2,
	 .doc = "how: each with each, with the next, the first half with the second, the first with all others one "
		"after the other, all others with the first at once, or count pairs by chance"},
	{.name = "count",
	 .kind = SCHEMA_INTEGER,
	 .min = 1,
	 .max = PLAN_PARTS_MAX,
	 .form = 2,
	 .doc = "of pattern random: how many pairs, each another one"},
	{.name = "seed",
	 .kind = SCHEMA_INTEGER,
	 .value = "1",
	 .max = INT64_MAX,
	 .form = 2,
	 .doc = "of pattern random: the same seed makes the same pairs of the same hosts, everywhere"},
	{.name = "directions",
	 .kind = SCHEMA_CHOICE,
	 .choices = directions,
	 .value = "one",
	 .doc = "both: each pair once more, with its ends exchanged"},
	{.name = "cross",
	 .kind = SCHEMA_BOOLEAN,
	 .value = "false",
	 .doc = "true: each value of 'each' at the client meets each at the server; else both ends take the same"},
	{0},
};

const struct schema_key step_schema[] = {
	{.name = "id", .kind = SCHEMA_NAME, .doc = "what other steps call this one; unique in the scenario"},
	{.name = "name",
	 .kind = SCHEMA_TEXT,
	 .min = 1,
	 .max = 65536,
	 .doc = "what must hold, in a few words, for the reports"},
	{.name = "doc", .kind = SCHEMA_TEXT, .doc = "why it must hold"},
	{.name = "hosts",
	 .kind = SCHEMA_NODESET,
	 .doc = "where to observe; default: on every host, and what is the same in the whole fabric on the first one"},
	{.name = "between",
	 .kind = SCHEMA_MAP,
	 .keys = between_schema,
	 .doc = "the pairs of hosts of a probe that is observed between two: both ends are named (way 1), or made of "
		"a set of hosts (way 2)"},
	{.name = "each",
	 .kind = SCHEMA_FREE,
	 .doc = "variables and their values, as a nodeset or a list: the step is repeated for each value, and several "
		"of "
		"equal length advance together"},
	{.name = "needs",
	 .kind = SCHEMA_NAMES,
	 .doc = "ids of the steps that must have passed before; the step is skipped where they did not"},
	{.name = "around",
	 .kind = SCHEMA_NAMES,
	 .doc = "ids of the steps around which counters are read, before the first begins and after the last has "
		"ended: "
		"the table is the difference"},
	{.name = "tags", .kind = SCHEMA_NAMES, .doc = "words by which --tags and --skip-tags select steps"},
	DEFAULTED_KEYS,
	{.name = "waive", .kind = SCHEMA_MAP, .keys = waive_schema, .doc = "a fail of the step is known and accepted"},
	{.name = "when",
	 .kind = SCHEMA_OTHER,
	 .probes = true,
	 .doc = "a probe with its parameters and 'where': the step is skipped where no row is kept"},
	{.name = "fresh",
	 .kind = SCHEMA_BOOLEAN,
	 .value = "false",
	 .doc = "observe anew, also where another step asked for the same"},
	{0},
};

const struct schema_key scenario_schema[] = {
	{.name = "rdmaspec",
	 .kind = SCHEMA_INTEGER,
	 .required = true,
	 .min = FORMAT_VERSION,
	 .max = FORMAT_VERSION,
	 .doc = "version of the format; an included file may leave it out"},
	{.name = "name",
	 .kind = SCHEMA_TEXT,
	 .min = 1,
	 .max = 65536,
	 .doc = "what the scenario is called in reports; default: the file's name"},
	{.name = "doc", .kind = SCHEMA_TEXT, .doc = "what the scenario is for"},
	{.name = "include",
	 .kind = SCHEMA_TEXTS,
	 .doc = "files, relative to this one, whose vars, hosts and steps come first"},
	{.name = "vars",
	 .kind = SCHEMA_FREE,
	 .doc = "variables: $(name) in any value stands for it; --set goes before them"},
	{.name = "hosts",
	 .kind = SCHEMA_LIST,
	 .keys = host_schema,
	 .doc = "where to observe; without it, the local machine"},
	{.name = "defaults",
	 .kind = SCHEMA_MAP,
	 .keys = defaults_schema,
	 .doc = "what holds for those steps of this file that do not say otherwise"},
	{.name = "steps", .kind = SCHEMA_LIST, .keys = step_schema, .probes = true, .doc = "what must hold"},
	{0},
};
