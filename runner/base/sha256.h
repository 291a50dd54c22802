/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: SHA-256 (FIPS 180-4), by which reports name the exact scenario that they are about */
#pragma once

#include <stddef.h>

/** sha256_hex - of @data, as 64 hexadecimal digits and a NUL */
void sha256_hex(const void *data, size_t length, char hex[65]);
