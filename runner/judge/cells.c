/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/cells.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct column column_of(const struct rs_fact *fact)
{
	struct column column = {.fact = fact, .type = value_type_of_fact(fact), .list = fact->flags & RS_F_LIST};

	column.type.flags &= ~(unsigned)RS_F_LIST;
	if (fact->type == RS_QUANTITY && fact->unit)
		column.unit = unit_find(fact->unit, strlen(fact->unit));
	if (fact->type == RS_ENUM)
		while (fact->choices[column.choices])
			column.choices++;
	return column;
}

static bool decimal(const struct column *column)
{
	return column->type.type == RS_NUMBER || column->type.type == RS_QUANTITY;
}

bool cell_decimal(const struct column *column, const struct value *cell, double *number)
{
	return decimal_parse(cell->text, column->unit, number) && isfinite(*number);
}

bool cell_number(const struct column *column, const struct value *cell, double *number)
{
	if (decimal(column))
		return cell_decimal(column, cell, number);
	*number = value_number(column->type, cell);
	return isfinite(*number);
}

bool cell_choice(const struct column *column, const struct value *cell)
{
	return cell->integer >= 0 && (uint64_t)cell->integer < column->choices;
}

static bool value_comparable(const struct column *column, const struct value *value)
{
	double number;

	if (value->state != VALUE_SET)
		return false;
	if (decimal(column))
		return cell_decimal(column, value, &number);
	return !column->choices || cell_choice(column, value);
}

bool cell_comparable(const struct column *column, const struct value *cell)
{
	if (cell->state == VALUE_NONE)
		return true;
	if (!column->list)
		return value_comparable(column, cell);
	if (cell->state != VALUE_SET)
		return false;
	for (uint32_t i = 0; i < cell->length; i++)
		if (!value_comparable(column, &cell->items[i]))
			return false;
	return true;
}

static bool value_equal(const struct column *column, const struct value *a, const struct value *b)
{
	double x, y;
	bool ordered;

	if (decimal(column))
		return cell_decimal(column, a, &x) && cell_decimal(column, b, &y) && x == y;
	return !value_compare(column->type, a, b, &ordered);
}

static bool empty(const struct column *column, const struct value *cell)
{
	return cell->state == VALUE_NONE || (column->list && !cell->length);
}

bool cell_equal(const struct column *column, const struct value *a, const struct value *b)
{
	if (empty(column, a) || empty(column, b))
		return empty(column, a) && empty(column, b);
	if (!column->list)
		return value_equal(column, a, b);
	if (a->length != b->length)
		return false;
	for (uint32_t i = 0; i < a->length; i++)
		if (!value_equal(column, &a->items[i], &b->items[i]))
			return false;
	return true;
}

/* The finalizer of MurmurHash3. */
static uint64_t mixed(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

static uint64_t hash_bytes(const void *data, size_t length)
{
	const unsigned char *bytes = data;
	uint64_t hash = length, word;

	for (; length >= 8; bytes += 8, length -= 8) {
		memcpy(&word, bytes, 8);
		hash = mixed(hash ^ word);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return mixed(hash ^ word);
}

static uint64_t value_hash(const struct column *column, const struct value *value)
{
	double number = 0;
	uint64_t bits;

	switch (column->type.type) {
	case RS_TEXT:
	case RS_FILE:
		return hash_bytes(value->text, value->length);
	case RS_GID:
		return hash_bytes(value->address, 16);
	case RS_IP:
		return hash_bytes(value->address, value->length);
	case RS_NUMBER:
	case RS_QUANTITY:
		cell_decimal(column, value, &number);
		number += 0.0; /* -0 equals 0 */
		memcpy(&bits, &number, sizeof(bits));
		return mixed(bits);
	default:
		return mixed(value->number);
	}
}

uint64_t cell_hash(const struct column *column, const struct value *cell)
{
	uint64_t hash = 1;

	if (empty(column, cell))
		return 0;
	if (!column->list)
		return value_hash(column, cell);
	for (uint32_t i = 0; i < cell->length; i++)
		hash = mixed(hash ^ value_hash(column, &cell->items[i]));
	return hash;
}

bool cell_same(const struct column *column, const struct value *a, const struct value *b)
{
	if (cell_comparable(column, a) && cell_comparable(column, b))
		return cell_equal(column, a, b);
	if (a->state != b->state)
		return false;
	return a->state == VALUE_NOT_OBSERVED || (a->state == VALUE_UNKNOWN && equal_text(a->text, b->text));
}
