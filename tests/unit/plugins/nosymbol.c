/* SPDX-License-Identifier: BSD-2-Clause */
/* A shared object that is no plugin. */
extern const int something_else;
__attribute__((visibility("default"))) const int something_else = 1;
