/* SPDX-License-Identifier: BSD-2-Clause */
/* The right symbol, but another number in it. */
#include <rdmaspec/plugin.h>

extern const struct rs_plugin rs_plugin_v1;
__attribute__((visibility("default"))) const struct rs_plugin rs_plugin_v1 = {.abi = 7};
