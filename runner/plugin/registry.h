/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the plugins of this installation
 *
 * "ib.ports" lives in ib.so of the plugin directory, and ib.so is loaded when its first probe is asked for: a run pays
 * only for what it uses. The ABI is checked before anything else, naming both sides.
 */
#pragma once

#include <rdmaspec/plugin.h>

#include "base/diag.h"
#include "base/memory.h"

struct registry;

/** registry_new - @directory: NULL for $RDMASPEC_PLUGIN_DIR, the build's or the installed one, in that order */
struct registry *registry_new(const char *directory);
void registry_free(struct registry *registry);
const char *registry_directory(const struct registry *registry);

/** registry_probe - a probe and its source by name, loading its plugin; NULL with *why an own text (with "did you
 * mean") */
const struct rs_probe *registry_probe(struct registry *registry, const char *name, const struct rs_source **source,
				      char **why);

/** registry_source - a source by name ("fabric.sweep"); NULL with *why an own text */
const struct rs_source *registry_source(struct registry *registry, const char *name, char **why);

/** registry_load_all - every plugin of the directory; what cannot be loaded becomes a diagnostic */
int registry_load_all(struct registry *registry, struct diags *diags);

/** registry_plugins - those loaded so far, by name; borrowed */
const struct rs_plugin *const *registry_plugins(const struct registry *registry, size_t *count);

/** registry_plugin_of - the plugin that a source belongs to */
const struct rs_plugin *registry_plugin_of(const struct registry *registry, const struct rs_source *source);
