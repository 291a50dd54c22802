/* SPDX-License-Identifier: BSD-2-Clause */
/* Built for the next major version alone. */
extern const int rs_plugin_v2;
__attribute__((visibility("default"))) const int rs_plugin_v2 = 2;
