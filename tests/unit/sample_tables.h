/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a source with a parameter of every kind */
#pragma once

#include <rdmaspec/plugin.h>

struct sample_link {
	const char *from;
	int64_t port;
	double *weight;
	int verb;
	const char *note;
};

struct sample {
	const char *device;
	int verb;
	int64_t port;
	int64_t *qps;
	uint64_t mask;
	double ratio;
	bool both;
	bool *cm;
	uint64_t *guid;
	const char *gid;
	const char *peer;
	double size;
	double *limit;
	int *mtu;
	const char *plan;
	int64_t *ports;
	unsigned nports;
	const char **names;
	unsigned nnames;
	int *verbs;
	unsigned nverbs;
	double *sizes;
	unsigned nsizes;
	bool *flags;
	unsigned nflags;
	struct sample_link *links;
	unsigned nlinks;
};

static const char *const sample_verbs[] = {"write", "read", "send", NULL};
static const char *const sample_mtus[] = {"256", "512", "1024", "2048", "4096", NULL};
static const char *const sample_states[] = {"Down", "Init", "Armed", "Active", NULL};

static const struct rs_param sample_link_fields[] = {
	{"from", RS_TEXT, RS_REQUIRED, .offset = offsetof(struct sample_link, from), .doc = "where it begins"},
	{"port", RS_INTEGER, .offset = offsetof(struct sample_link, port), .value = "1", .min = 1, .max = 254,
	 .doc = "port"},
	{"weight", RS_NUMBER, .offset = offsetof(struct sample_link, weight), .doc = "weight"},
	{"verb", RS_ENUM, .offset = offsetof(struct sample_link, verb), .value = "read", .choices = sample_verbs,
	 .doc = "verb"},
	{"note", RS_TEXT, .offset = offsetof(struct sample_link, note), .doc = "note"},
	{0},
};

#define AT(member) .offset = offsetof(struct sample, member)
#define LIST_AT(member) AT(member), .count_offset = offsetof(struct sample, n##member)

static const struct rs_param sample_params[] = {
	{"device", RS_TEXT, RS_REQUIRED, AT(device), .min = 1, .max = 63, .doc = "RDMA device"},
	{"verb", RS_ENUM, AT(verb), .value = "write", .choices = sample_verbs, .doc = "operation"},
	{"port", RS_INTEGER, AT(port), .value = "1", .min = 1, .max = 254, .doc = "port number"},
	{"qps", RS_INTEGER, AT(qps), .min = 1, .max = INT64_MAX, .doc = "queue pairs"},
	{"mask", RS_UNSIGNED, AT(mask), .value = "0", .doc = "mask"},
	{"ratio", RS_NUMBER, AT(ratio), .value = "0.50", .doc = "ratio"},
	{"both", RS_BOOLEAN, AT(both), .value = "false", .doc = "both directions"},
	{"cm", RS_BOOLEAN, AT(cm), .doc = "use rdma_cm"},
	{"guid", RS_GUID, AT(guid), .doc = "GUID"},
	{"gid", RS_GID, AT(gid), .doc = "GID"},
	{"peer", RS_IP, AT(peer), .doc = "address of the other end"},
	{"size", RS_QUANTITY, AT(size), .value = "64 KiB", .min = 1, .max = 8388608, .unit = "B",
	 .doc = "message size"},
	{"limit", RS_QUANTITY, AT(limit), .unit = "us", .doc = "limit"},
	{"mtu", RS_ENUM, AT(mtu), .choices = sample_mtus, .doc = "path MTU"},
	{"plan", RS_FILE, AT(plan), .doc = "cabling plan"},
	{"ports", RS_INTEGER, RS_LIST, LIST_AT(ports), .min = 0, .max = 64, .doc = "ports"},
	{"names", RS_TEXT, RS_LIST, LIST_AT(names), .value = "[a, b]", .doc = "names"},
	{"verbs", RS_ENUM, RS_LIST, LIST_AT(verbs), .choices = sample_verbs, .doc = "verbs"},
	{"sizes", RS_QUANTITY, RS_LIST, LIST_AT(sizes), .unit = "B", .doc = "sizes"},
	{"flags", RS_BOOLEAN, RS_LIST, LIST_AT(flags), .doc = "flags"},
	{"links", RS_STRUCT, RS_LIST, LIST_AT(links), .fields = sample_link_fields,
	 .fields_size = sizeof(struct sample_link), .doc = "links"},
	{0},
};

static const struct rs_fact sample_facts[] = {
	{"device", RS_TEXT, RS_F_KEY, .doc = "RDMA device"},
	{"state", RS_ENUM, RS_F_ORDERED, .choices = sample_states, .doc = "logical state of the port"},
	{"lid", RS_INTEGER, RS_F_HEX, .doc = "base LID"},
	{"rate", RS_QUANTITY, RS_F_HIGHER, .unit = "Gb/s", .doc = "signalling rate", .observed_by = "needs a link"},
	{"addresses", RS_IP, RS_F_LIST, .doc = "IP addresses"},
	{0},
};

static const struct rs_probe sample_probe = {
	.name = "sample.ports", .summary = "ports of a sample", .row = "{device|lid} {state}", .facts = sample_facts};

static int sample_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return 0;
}

static const struct rs_source sample_source = {
	.name = "sample.ports",
	.summary = "ports of a sample",
	.scope = RS_HOST,
	.params = sample_params,
	.params_size = sizeof(struct sample),
	.probes = &sample_probe,
	.nprobes = 1,
	.observe = sample_observe,
};
