/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: IPv4 and IPv6 addresses of a network device, out of what getifaddrs() gave */
#pragma once

#include <ifaddrs.h>
#include <rdmaspec/plugin.h>

/** addresses_set - append them to a list fact; none where it has none */
void addresses_set(struct rs_ctx *ctx, unsigned fact, const char *netdev, const struct ifaddrs *addresses);
