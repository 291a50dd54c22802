/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the least that can drive a plugin: the rs_* functions over tables in memory
 *
 * For the plugins' own tests, which need neither an agent nor a worker. Cells are read as text: the value as a scenario
 * writes it, "none", "?" where it was not observed, "unknown: CODE"; the elements of a list with a comma in between.
 */
#pragma once

#include <rdmaspec/plugin.h>
#include <stdio.h>

/** host_new - @sysfs: NULL: /sys and not recorded; else the root of a recorded tree */
struct rs_ctx *host_new(const char *sysfs);
void host_free(struct rs_ctx *ctx);
/** host_pair - the two ends, of which this is the client's */
void host_pair(struct rs_ctx *ctx, const struct rs_end *self, const struct rs_end *peer);
void host_set_time(struct rs_ctx *ctx, int64_t milliseconds);

/**
 * host_observe - run the source that has probe @name
 * @settings: "key=value", ended by NULL; NULL: defaults
 *
 * Returns what observe() returned; a setting that cannot be bound ends the process.
 */
int host_observe(struct rs_ctx *ctx, const struct rs_plugin *plugin, const char *name, const char *const *settings);

/** host_observe_wanted - the same for several probes of the source: @wanted as observe() takes it; 0: all of them */
int host_observe_wanted(struct rs_ctx *ctx, const struct rs_plugin *plugin, const char *name, uint32_t wanted,
			const char *const *settings);

size_t host_rows(const struct rs_ctx *ctx, const char *probe);

/** host_cell - valid until the next call; ends the process where there is no such fact or row */
const char *host_cell(const struct rs_ctx *ctx, const char *probe, size_t row, const char *fact);

/** host_find - the first row whose @fact reads @value, or SIZE_MAX */
size_t host_find(const struct rs_ctx *ctx, const char *probe, const char *fact, const char *value);

const char *host_error(const struct rs_ctx *ctx); /* "" where there was none */
enum rs_reason host_reason(const struct rs_ctx *ctx);
const char *host_notes(const struct rs_ctx *ctx);      /* one a line */
const char *host_incomplete(const struct rs_ctx *ctx); /* one a line */

/** host_print - a table as a JSON array of objects, in the form of "rdmaspec observe --json" */
void host_print(const struct rs_ctx *ctx, const char *probe, FILE *out);
