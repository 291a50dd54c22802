/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: cells of a column, whose descriptor is looked up once and not for every cell */
#pragma once

#include "base/quantity.h"
#include "base/value.h"

/**
 * struct column
 * @type: of the element, where the fact is a list
 * @unit: of quantities; NULL else
 * @choices: how many an enum has; 0: no enum
 */
struct column {
	const struct rs_fact *fact;
	struct value_type type;
	const struct unit *unit;
	uint64_t choices;
	bool list;
};

struct column column_of(const struct rs_fact *fact);

/* One value, VALUE_SET. False where it is none that the type has. */
bool cell_decimal(const struct column *column, const struct value *cell, double *number); /* in the base unit, finite */
bool cell_number(const struct column *column, const struct value *cell, double *number);  /* of any ordered type */
bool cell_choice(const struct column *column, const struct value *cell);

/** cell_comparable - whether the whole cell, a list's elements too, was observed and means something */
bool cell_comparable(const struct column *column, const struct value *cell);

/* Of comparable cells: none equals none; 1.0 equals 1; lists are equal in order. */
bool cell_equal(const struct column *column, const struct value *a, const struct value *b);
/** cell_same - the same of any cells: what cannot be compared is the same where it is so for the same reason */
bool cell_same(const struct column *column, const struct value *a, const struct value *b);
uint64_t cell_hash(const struct column *column, const struct value *cell);
