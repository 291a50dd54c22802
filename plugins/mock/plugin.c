/* SPDX-License-Identifier: BSD-2-Clause */
/* A test plugin: it passes, fails, crashes, hangs, leaks, floods and lies on request, to test the runner. */
#include "mock/mock.h"

#define PLAIN(word, text)                                                                                              \
	.name = "mock." #word, .summary = text, .scope = RS_HOST, .probes = &mock_##word##_probe, .nprobes = 1,        \
	.observe = mock_##word##_observe
#define WITH(word) .params = mock_##word##_params, .params_size = sizeof(struct mock_##word##_params)

static const struct rs_source sources[] = {
	{PLAIN(pass, "test: rows of every type, as the parameters say"), WITH(pass)},
	{PLAIN(table, "test: the table that the parameters spell out"), WITH(table)},
	{PLAIN(rows, "test: many rows"), WITH(rows)},
	{.name = "mock.sweep",
	 .summary = "test: two tables of one source",
	 .scope = RS_FABRIC,
	 .params = mock_sweep_params,
	 .params_size = sizeof(struct mock_rows_params),
	 .probes = mock_sweep_probes,
	 .nprobes = 2,
	 .observe = mock_sweep_observe},
	{PLAIN(crash, "test: the worker dies by a signal"), WITH(crash)},
	{PLAIN(exit, "test: the worker exits"), WITH(exit)},
	{PLAIN(hang, "test: the worker hangs, and SIGTERM does not end it"), WITH(hang)},
	{PLAIN(leak, "test: the worker leaves processes of sessions of their own behind"), WITH(leak)},
	{PLAIN(flood, "test: the worker writes without end"), WITH(flood)},
	{PLAIN(slow, "test: an observation that takes its time"), WITH(slow)},
	{.name = "mock.exclusive",
	 .summary = "test: the same, and no two of them at once on a host",
	 .flags = RS_EXCLUSIVE,
	 .params = mock_slow_params,
	 .params_size = sizeof(struct mock_slow_params),
	 .probes = &mock_exclusive_probe,
	 .nprobes = 1,
	 .observe = mock_slow_observe},
	{PLAIN(error, "test: the plugin says why there is no observation"), WITH(error)},
	{PLAIN(partial, "test: a table that lacks something"), .flags = RS_PARTIAL},
	{PLAIN(change, "test: as if it changed its host"), .flags = RS_CHANGES},
	{.name = "mock.command",
	 .summary = "test: as if it ran what the scenario says",
	 .flags = RS_COMMANDS,
	 .probes = &mock_command_probe,
	 .nprobes = 1,
	 .observe = mock_change_observe},
	{PLAIN(garbage, "test: the worker breaks the rules of the wire format"), .params = mock_garbage_params,
	 .params_size = sizeof(struct mock_choice_params)},
	{PLAIN(bug, "test: the plugin breaks the rules of the rs_ functions"), .params = mock_bug_params,
	 .params_size = sizeof(struct mock_choice_params)},
	{PLAIN(hostile, "test: texts that would harm a terminal, XML or HTML")},
	{PLAIN(evidence, "test: evidence of any size"), WITH(evidence)},
	{PLAIN(counter, "test: another value each time it is observed")},
	{.name = "mock.pair",
	 .summary = "test: a server and its client, on loopback",
	 .scope = RS_PAIR,
	 .flags = RS_EXCLUSIVE,
	 .params = mock_pair_params,
	 .params_size = sizeof(struct mock_pair_params),
	 .probes = &mock_pair_probe,
	 .nprobes = 1,
	 .observe = mock_pair_observe,
	 .serve = mock_pair_serve},
	{.name = "mock.sizes",
	 .summary = "test: bandwidth and latency by message size",
	 .scope = RS_PAIR,
	 .params = mock_sizes_params,
	 .params_size = sizeof(struct mock_sizes_params),
	 .probes = &mock_sizes_probe,
	 .nprobes = 1,
	 .observe = mock_sizes_observe,
	 .serve = mock_sizes_serve},
	{PLAIN(cables, "test: the cables of a fat tree of two levels"), WITH(cables)},
	{PLAIN(counters, "test: counters as a file has them"), WITH(counters), .flags = RS_COUNTERS},
	{PLAIN(worker, "test: who and where the worker is"), WITH(worker)},
};

const char *const mock_speeds[] = {"SDR", "DDR", "QDR", "FDR", "EDR", "HDR", "NDR", NULL};

RS_PLUGIN(.name = "mock", .version = VERSION, .summary = "test plugin: observes nothing, breaks on request",
	  .sources = sources, .nsources = sizeof(sources) / sizeof(sources[0]));
