/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a probe with a fact of every kind, for the tests and the fuzzer of matchers and judging */
#pragma once

#include <rdmaspec/plugin.h>

static const char *const lab_states[] = {"Down", "Init", "Armed", "Active", NULL};
static const char *const lab_physical[] = {"Polling", "LinkUp", NULL};
static const char *const lab_speeds[] = {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", NULL};
static const char *const lab_modes[] = {"none", "on", NULL};

static const struct rs_fact lab_facts[] = {
	{.name = "device", .type = RS_TEXT, .flags = RS_F_KEY},
	{.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY},
	{.name = "state", .type = RS_ENUM, .choices = lab_states},
	{.name = "physical_state", .type = RS_ENUM, .choices = lab_physical},
	{.name = "speed",
	 .type = RS_ENUM,
	 .flags = RS_F_ORDERED,
	 .choices = lab_speeds,
	 .observed_by = "needs read access to /dev/infiniband/umad0"},
	{.name = "lid", .type = RS_INTEGER},
	{.name = "guid", .type = RS_GUID},
	{.name = "gid", .type = RS_GID},
	{.name = "gateway", .type = RS_IP},
	{.name = "description", .type = RS_TEXT},
	{.name = "addresses", .type = RS_IP, .flags = RS_F_LIST},
	{.name = "mtus", .type = RS_INTEGER, .flags = RS_F_LIST},
	{.name = "bandwidth", .type = RS_QUANTITY, .flags = RS_F_HIGHER, .unit = "Gb/s"},
	{.name = "latency", .type = RS_QUANTITY, .flags = RS_F_LOWER, .unit = "us"},
	{.name = "power", .type = RS_NUMBER},
	{.name = "errors", .type = RS_UNSIGNED, .flags = RS_F_LOWER},
	{.name = "enabled", .type = RS_BOOLEAN},
	{.name = "since", .type = RS_TIME},
	{.name = "mode", .type = RS_ENUM, .choices = lab_modes},
	{.name = NULL},
};
static const struct rs_probe lab_probe = {.name = "lab.ports", .row = "{device} port {port}", .facts = lab_facts};
static const struct rs_source lab_source = {
	.name = "lab.ports", .flags = RS_PARTIAL, .probes = &lab_probe, .nprobes = 1};
/* The same, but never incomplete: it does not take allow_partial. */
static const struct rs_source lab_whole
	__attribute__((unused)) = {.name = "lab.ports", .probes = &lab_probe, .nprobes = 1};
