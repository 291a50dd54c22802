/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: reading sysfs: the machine's, a recorded tree, or the one that the fabric simulator puts in its place
 *
 * Everything goes through plain open(), read() and opendir(): they are what the simulator's preload catches. Paths are
 * given below rs_sysfs(): "class/infiniband/mlx5_0/node_guid".
 */
#pragma once

#include <rdmaspec/plugin.h>

#define SYSFS_PATH 512

/**
 * sysfs_read - one file into @buf, ended by NUL, white space at its end cut off
 *
 * Returns its length, or a negative errno: -ENOENT, -EACCES, -EINVAL (an empty GID's type reads so), ...
 */
int sysfs_read(const struct rs_ctx *ctx, char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** sysfs_number - a file that starts with a number, decimal or 0x; returns 0 or a negative errno (-EBADMSG: it does
 * not) */
int sysfs_number(const struct rs_ctx *ctx, uint64_t *value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** sysfs_guid - "0002:c903:0045:f121"; returns 0 or a negative errno */
int sysfs_guid(const struct rs_ctx *ctx, uint64_t *guid, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** sysfs_gid - "fe80:0000:...:f121", 16 bytes; returns 0 or a negative errno */
int sysfs_gid(const struct rs_ctx *ctx, uint8_t gid[16], const char *format, ...) __attribute__((format(printf, 3, 4)));

/** sysfs_link - the last component of what a symbolic link points to; returns its length or a negative errno */
int sysfs_link(const struct rs_ctx *ctx, char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * sysfs_list - the entries of a directory in natural order (mlx5_2 before mlx5_10), without "." and ".."
 *
 * Returns how many, with *@names (of rs_alloc()) ended by NULL, or a negative errno.
 */
int sysfs_list(struct rs_ctx *ctx, char ***names, const char *format, ...) __attribute__((format(printf, 3, 4)));
