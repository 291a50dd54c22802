/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the sources of the mock plugin, by the file that they are in; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

/** mock_speeds - an ordered enum, ended by NULL */
extern const char *const mock_speeds[];
enum mock_speed { MOCK_SDR, MOCK_DDR, MOCK_QDR, MOCK_FDR, MOCK_EDR, MOCK_HDR, MOCK_NDR };

/* ---- pass.c ---- */

struct mock_port {
	int64_t number;
	int speed;
};

struct mock_pass_params {
	const char *text;
	int64_t integer;
	uint64_t unsigned_;
	double number;
	bool boolean;
	int speed;
	uint64_t guid;
	const char *gid;
	const char *ip;
	double size;
	const char *file;
	const int64_t *maybe;
	const char **tags;
	unsigned ntags;
	const struct mock_port *ports;
	unsigned nports;
	int64_t rows;
};
extern const struct rs_param mock_pass_params[];
extern const struct rs_probe mock_pass_probe;
int mock_pass_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- rows.c ---- */

struct mock_rows_params {
	int64_t count;
	int64_t width;
};
struct mock_table_params {
	const struct mock_table_row *rows;
	unsigned nrows;
};
extern const struct rs_param mock_rows_params[], mock_table_params[], mock_sweep_params[];
extern const struct rs_probe mock_rows_probe, mock_table_probe, mock_sweep_probes[2];
int mock_rows_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_table_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_sweep_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- faults.c: what a worker must not do ---- */

struct mock_crash_params {
	int64_t signal;
};
struct mock_exit_params {
	int64_t status;
};
struct mock_hang_params {
	bool children;
};
struct mock_leak_params {
	int64_t children;
	bool stay;
	int64_t pause;
};
struct mock_flood_params {
	int stream;
	int64_t mebibytes;
};
extern const struct rs_param mock_crash_params[], mock_exit_params[], mock_hang_params[], mock_leak_params[],
	mock_flood_params[];
extern const struct rs_probe mock_crash_probe, mock_exit_probe, mock_hang_probe, mock_leak_probe, mock_flood_probe;
int mock_crash_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_exit_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_hang_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_leak_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_flood_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- steps.c: what it may do: be slow, fail, be incomplete ---- */

struct mock_slow_params {
	double seconds;
};
struct mock_error_params {
	int reason;
	const char *text;
	const char *log;
	int64_t rows;
};
extern const struct rs_param mock_slow_params[], mock_error_params[];
extern const struct rs_probe mock_slow_probe, mock_exclusive_probe, mock_error_probe, mock_partial_probe,
	mock_command_probe;
int mock_slow_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_error_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_partial_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_command_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- change.c ---- */

struct mock_change_params {
	const char *path;
	int after, undo;
};
extern const struct rs_param mock_change_params[];
extern const struct rs_probe mock_change_probe;
int mock_change_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_change_undo(struct rs_ctx *ctx, const char *state);

/* ---- garbage.c: lies on the wire, and mistakes in the use of rs_ ---- */

struct mock_choice_params {
	int kind;
};
extern const struct rs_param mock_garbage_params[], mock_bug_params[];
extern const struct rs_probe mock_garbage_probe, mock_bug_probe;
int mock_garbage_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_bug_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- texts.c ---- */

struct mock_evidence_params {
	double size;
};
extern const struct rs_param mock_evidence_params[];
extern const struct rs_probe mock_hostile_probe, mock_evidence_probe;
int mock_hostile_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_evidence_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- places.c: who and where the worker is ---- */

struct mock_worker_params {
	const char *variable;
};
extern const struct rs_param mock_worker_params[];
extern const struct rs_probe mock_counter_probe, mock_worker_probe;
int mock_counter_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_worker_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- pair.c ---- */

struct mock_pair_params {
	int client, server;
	double seconds;
	double bw_average;
	const char **slow;
	unsigned nslow;
};
extern const struct rs_param mock_pair_params[];
extern const struct rs_probe mock_pair_probe;
int mock_pair_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_pair_serve(struct rs_ctx *ctx, const void *params);

/* ---- sizes.c ---- */

struct mock_sizes_params {
	int64_t sizes;
	double bandwidth;
	const char **slow;
	unsigned nslow;
};
struct mock_cables_params {
	int64_t spines, leaves, hosts;
	const char *prefix;
	const char **slow;
	unsigned nslow;
};
extern const struct rs_param mock_sizes_params[], mock_cables_params[];
extern const struct rs_probe mock_sizes_probe, mock_cables_probe;
int mock_sizes_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int mock_sizes_serve(struct rs_ctx *ctx, const void *params);
int mock_cables_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/* ---- counters.c ---- */

struct mock_counters_params {
	const char *path;
	double over;
};
extern const struct rs_param mock_counters_params[];
extern const struct rs_probe mock_counters_probe;
int mock_counters_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
