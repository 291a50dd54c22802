/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: quantities
 *
 * Every unit is a decimal exponent and a power of two (or sixty) away from its dimension's base: bit/s, second, byte,
 * one, message/s. The exponent is applied to the digits before they are converted, so that 4.2 us and 4200 ns are
 * the same double, and so are 180 Gb/s and 22.5 GB/s.
 */
#pragma once

#include <stdbool.h>

#include "base/memory.h"

enum dimension {
	DIMENSION_RATE,
	DIMENSION_TIME,
	DIMENSION_SIZE,
	DIMENSION_RATIO,
	DIMENSION_MESSAGES,
	DIMENSION_FREQUENCY
};

struct unit {
	const char *name; /* canonical for the first of its factor: Gb/s; others are synonyms: Gbit/s, Gbps */
	enum dimension dimension;
	int exponent;  /* of ten */
	double factor; /* of two or sixty */
};

/** unit_find - by name, exactly (case matters: Mb/s is no MB/s); NULL where there is none */
const struct unit *unit_find(const char *name, size_t length);

/** unit_at - every unit there is, by number from 0; NULL behind the last */
const struct unit *unit_at(size_t index);

/** units_of - a list "b/s, kb/s, ..., GB/s" of the canonical names of a dimension, for messages */
void units_of(enum dimension dimension, struct buf *out);

/**
 * quantity_parse - "180 Gb/s", "180Gb/s", or a bare "0" into the base unit
 * @dimension: the one that is meant
 * Returns 0, or -EINVAL with *why a static text: "not a number", "needs a unit", "unknown unit", "unit of another
 * kind", "out of range" (of a double).
 */
int quantity_parse(const char *text, enum dimension dimension, double *base, const char **why);

/** decimal_parse - digits as observed, in @unit (NULL: none), into the base unit; the C locale whatever is set */
bool decimal_parse(const char *text, const struct unit *unit, double *base);

/** decimal_write - the shortest digits that read back as the same double; in @unit where it is not NULL ("180 Gb/s") */
void decimal_write(struct buf *out, double base, const struct unit *unit);
