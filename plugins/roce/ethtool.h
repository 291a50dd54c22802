/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a driver's own statistics ("ethtool -S"), and the pause frames that the kernel knows of every driver */
#pragma once

#include <stdint.h>

/**
 * ethtool_statistics - call @visit for each
 *
 * Returns 0, or a negative errno (-EOPNOTSUPP: the driver has none, -ENODEV: there is no such netdev).
 */
int ethtool_statistics(const char *netdev, void (*visit)(const char *name, uint64_t value, void *user), void *user);
