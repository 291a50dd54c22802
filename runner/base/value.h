/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: typed values: what a cell of a table, a matcher and a parameter hold
 *
 * A value is 16 bytes. What does not fit points into an arena of its owner.
 */
#pragma once

#include <rdmaspec/plugin.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

enum value_state {
	VALUE_NOT_OBSERVED, /* text: why, or NULL */
	VALUE_NONE,	    /* looked, and there is none; for a list: it is empty */
	VALUE_UNKNOWN,	    /* a code without a name; text: how it is shown */
	VALUE_SET,
};

struct value {
	uint8_t state;	 /* enum value_state */
	uint32_t length; /* of text in bytes, of items in elements */
	union {
		int64_t integer;  /* RS_INTEGER, RS_BOOLEAN, RS_ENUM (index), RS_TIME */
		uint64_t number;  /* RS_UNSIGNED, RS_GUID */
		const char *text; /* RS_TEXT (raw bytes, NUL-ended); RS_NUMBER, RS_QUANTITY (digits as observed) */
		const uint8_t *address;	   /* RS_GID: 16 bytes; RS_IP: length 4 or 16 */
		const struct value *items; /* of a list fact */
	};
};

/**
 * struct value_type - what rs_fact and rs_param say of a scalar
 * @flags: of enum rs_fact_flag: RS_F_HEX, RS_F_ORDERED, and for value_write() RS_F_LIST: the value is a list (all else
 *         here takes scalars). That of a parameter has none: it is the element's where the parameter is a list.
 */
struct value_type {
	enum rs_type type;
	unsigned flags;
	const char *unit;
	const char *const *choices;
};

struct value_type value_type_of_fact(const struct rs_fact *fact);
struct value_type value_type_of_param(const struct rs_param *param);

/**
 * value_parse - a scalar as a user writes it (hex or colons in GUIDs, any case of an enum, units)
 * @out: SET; a quantity becomes digits in the type's unit
 * @why: on failure one line ("'fastt' is not one of ...; did you mean 'FDR'?"), freed by the caller
 * Returns 0 or -EINVAL. Text is taken as it is.
 */
int value_parse(struct value_type type, const char *text, size_t length, struct arena *arena, struct value *out,
		char **why);

/**
 * value_compare - <0, 0, >0; both SET and of @type. Text by bytes. *ordered says whether less and more mean something
 * (numbers, quantities, times, ordered enums); 0 always means equal.
 */
int value_compare(struct value_type type, const struct value *a, const struct value *b, bool *ordered);

/** value_ordered - whether less and more mean something for @type */
bool value_ordered(struct value_type type);

/** value_type_name - for messages: "integer", "GUID" */
const char *value_type_name(enum rs_type type);

/**
 * value_number - an ordered value as a double: integers as they are, quantities in their base unit, enums by index;
 * NAN where it is none
 */
double value_number(struct value_type type, const struct value *value);

/**
 * value_write - as reports show it: "HDR", "0x0002c9030045f121", "179.93 Gb/s", "none", "not observed", "[a, b]"; raw
 * bytes of text
 */
void value_write(struct buf *out, struct value_type type, const struct value *value);
