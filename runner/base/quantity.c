/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/quantity.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define KI 1024.0
#define MI (KI * 1024.0)
#define GI (MI * 1024.0)
#define TI (GI * 1024.0)

/*
 * SI prefixes are decimal, IEC prefixes binary (IEC 80000-13). "KB" and "K" are left out on purpose: tools of this
 * field mean 1000 by it as often as 1024.
 */
static const struct unit units[] = {
	{"b/s", DIMENSION_RATE, 0, 1},	      {"bit/s", DIMENSION_RATE, 0, 1},
	{"bps", DIMENSION_RATE, 0, 1},	      {"kb/s", DIMENSION_RATE, 3, 1},
	{"kbit/s", DIMENSION_RATE, 3, 1},     {"kbps", DIMENSION_RATE, 3, 1},
	{"Mb/s", DIMENSION_RATE, 6, 1},	      {"Mbit/s", DIMENSION_RATE, 6, 1},
	{"Mbps", DIMENSION_RATE, 6, 1},	      {"Gb/s", DIMENSION_RATE, 9, 1},
	{"Gbit/s", DIMENSION_RATE, 9, 1},     {"Gbps", DIMENSION_RATE, 9, 1},
	{"Tb/s", DIMENSION_RATE, 12, 1},      {"Tbit/s", DIMENSION_RATE, 12, 1},
	{"Tbps", DIMENSION_RATE, 12, 1},      {"B/s", DIMENSION_RATE, 0, 8},
	{"kB/s", DIMENSION_RATE, 3, 8},	      {"MB/s", DIMENSION_RATE, 6, 8},
	{"GB/s", DIMENSION_RATE, 9, 8},	      {"TB/s", DIMENSION_RATE, 12, 8},
	{"KiB/s", DIMENSION_RATE, 0, 8 * KI}, {"MiB/s", DIMENSION_RATE, 0, 8 * MI},
	{"GiB/s", DIMENSION_RATE, 0, 8 * GI}, {"TiB/s", DIMENSION_RATE, 0, 8 * TI},
	{"ns", DIMENSION_TIME, -9, 1},	      {"nsec", DIMENSION_TIME, -9, 1},
	{"us", DIMENSION_TIME, -6, 1},	      {"usec", DIMENSION_TIME, -6, 1},
	{"\302\265s", DIMENSION_TIME, -6, 1}, /* U+00B5 micro sign */
	{"\316\274s", DIMENSION_TIME, -6, 1}, /* U+03BC mu */
	{"ms", DIMENSION_TIME, -3, 1},	      {"msec", DIMENSION_TIME, -3, 1},
	{"s", DIMENSION_TIME, 0, 1},	      {"sec", DIMENSION_TIME, 0, 1},
	{"min", DIMENSION_TIME, 0, 60},	      {"h", DIMENSION_TIME, 0, 3600},
	{"d", DIMENSION_TIME, 0, 86400},      {"B", DIMENSION_SIZE, 0, 1},
	{"kB", DIMENSION_SIZE, 3, 1},	      {"MB", DIMENSION_SIZE, 6, 1},
	{"GB", DIMENSION_SIZE, 9, 1},	      {"TB", DIMENSION_SIZE, 12, 1},
	{"KiB", DIMENSION_SIZE, 0, KI},	      {"MiB", DIMENSION_SIZE, 0, MI},
	{"GiB", DIMENSION_SIZE, 0, GI},	      {"TiB", DIMENSION_SIZE, 0, TI},
	{"%", DIMENSION_RATIO, -2, 1},	      {"pps", DIMENSION_MESSAGES, 0, 1},
	{"kpps", DIMENSION_MESSAGES, 3, 1},   {"Mpps", DIMENSION_MESSAGES, 6, 1},
	{"Gpps", DIMENSION_MESSAGES, 9, 1},   {"Hz", DIMENSION_FREQUENCY, 0, 1},
	{"kHz", DIMENSION_FREQUENCY, 3, 1},   {"MHz", DIMENSION_FREQUENCY, 6, 1},
	{"GHz", DIMENSION_FREQUENCY, 9, 1},
};

#define UNITS (sizeof(units) / sizeof(units[0]))

const struct unit *unit_find(const char *name, size_t length)
{
	for (size_t i = 0; i < UNITS; i++)
		if (!strncmp(units[i].name, name, length) && !units[i].name[length])
			return &units[i];
	return NULL;
}

const struct unit *unit_at(size_t index)
{
	return index < UNITS ? &units[index] : NULL;
}

void units_of(enum dimension dimension, struct buf *out)
{
	const struct unit *last = NULL;

	for (const struct unit *unit = units; unit < units + UNITS; unit++) {
		if (unit->dimension != dimension)
			continue;
		if (last && last->exponent == unit->exponent && last->factor == unit->factor)
			continue; /* a synonym: they follow their canonical name */
		if (last)
			buf_puts(out, ", ");
		buf_puts(out, unit->name);
		last = unit;
	}
}

/*
 * A decimal number as digits, worth DIGITS * 10^exponent. More digits than fit cannot change the nearest double but in
 * a tie that takes hundreds of digits to write.
 */
#define DIGITS 320
struct decimal {
	bool negative;
	int count; /* without leading zeros; 0: the number is zero */
	long exponent;
	uint8_t digits[DIGITS];
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void add_digit(struct decimal *decimal, char c, bool fraction)
{
	if (decimal->count == DIGITS) {
		decimal->exponent += !fraction;
		return;
	}
	decimal->exponent -= fraction;
	if (decimal->count || c != '0')
		decimal->digits[decimal->count++] = (uint8_t)(c - '0');
}

/* "e+09"; returns what follows, or @text itself where this is no exponent (but, say, the unit of "5 e") */
static const char *read_exponent(const char *text, long *exponent)
{
	const char *s = text;
	bool negative;
	long value = 0;

	if (*s != 'e' && *s != 'E')
		return text;
	s++;
	negative = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	if (!is_digit(*s))
		return text;
	for (; is_digit(*s); s++)
		if (value < 100000)
			value = value * 10 + (*s - '0');
	*exponent += negative ? -value : value;
	return s;
}

/* The number that @text begins with; returns what follows it, or NULL where there is none. */
static const char *read_decimal(const char *text, struct decimal *decimal)
{
	bool any = false;

	decimal->negative = *text == '-';
	decimal->count = 0;
	decimal->exponent = 0;
	if (*text == '-' || *text == '+')
		text++;
	for (; is_digit(*text); text++, any = true)
		add_digit(decimal, *text, false);
	if (*text == '.' && (any || is_digit(text[1])))
		for (text++; is_digit(*text); text++, any = true)
			add_digit(decimal, *text, true);
	return any ? read_exponent(text, &decimal->exponent) : NULL;
}

/* The product in digits, so that nothing is rounded before the one conversion. */
static void multiply(struct decimal *decimal, uint64_t factor)
{
	uint8_t product[DIGITS + 20];
	int at = (int)sizeof(product), length;
	uint64_t carry = 0;

	/* factor < 2^44 (TiB/s), so factor * 9 + carry stays below 2^48 */
	for (int i = decimal->count - 1; i >= 0 || carry; i--) {
		carry += i >= 0 ? decimal->digits[i] * factor : 0;
		product[--at] = (uint8_t)(carry % 10);
		carry /= 10;
	}
	length = (int)sizeof(product) - at;
	if (length > DIGITS) {
		decimal->exponent += length - DIGITS;
		length = DIGITS;
	}
	memcpy(decimal->digits, product + at, (size_t)length);
	decimal->count = length;
}

static bool convert(const struct decimal *decimal, double *out)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,	1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	double value = 0;

	if (decimal->count <= 15 && decimal->exponent >= -22 && decimal->exponent <= 22) {
		/* Both are exact as doubles, so the one operation rounds correctly (Clinger 1990). */
		for (int i = 0; i < decimal->count; i++)
			value = value * 10 + decimal->digits[i];
		value = decimal->exponent < 0 ? value / powers[-decimal->exponent] : value * powers[decimal->exponent];
	} else if (decimal->count) {
		/* No decimal point in it, so that the locale has no say. */
		char text[DIGITS + 32];

		for (int i = 0; i < decimal->count; i++)
			text[i] = (char)('0' + decimal->digits[i]);
		snprintf(text + decimal->count, 32, "e%ld", decimal->exponent);
		value = strtod(text, NULL);
	}
	*out = decimal->negative && value != 0 ? -value : value;
	return isfinite(value);
}

static bool in_unit(struct decimal *decimal, const struct unit *unit, double *base)
{
	if (unit) {
		decimal->exponent += unit->exponent;
		if (unit->factor != 1)
			multiply(decimal, (uint64_t)unit->factor);
	}
	return convert(decimal, base);
}

static const char *skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

int quantity_parse(const char *text, enum dimension dimension, double *base, const char **why)
{
	const struct unit *unit = NULL;
	struct decimal decimal;
	size_t length;
	const char *name = read_decimal(skip_blanks(text), &decimal);

	*why = "not a number";
	if (!name)
		return -EINVAL;
	name = skip_blanks(name);
	length = strlen(name);
	while (length && (name[length - 1] == ' ' || name[length - 1] == '\t'))
		length--;
	if (length) {
		unit = unit_find(name, length);
		*why = unit ? "unit of another kind" : "unknown unit";
		if (!unit || unit->dimension != dimension)
			return -EINVAL;
	} else if (decimal.count) {
		*why = "needs a unit";
		return -EINVAL;
	}
	*why = "out of range";
	if (!in_unit(&decimal, unit, base))
		return -EINVAL;
	*why = NULL;
	return 0;
}

bool decimal_parse(const char *text, const struct unit *unit, double *base)
{
	struct decimal decimal;
	const char *end = read_decimal(text, &decimal);

	return end && !*end && in_unit(&decimal, unit, base);
}

/* DIGITS * 10^exponent as people write it: 0.0042, 180, 1.5; with an exponent where that would be long */
static void write_digits(struct buf *out, const char *digits, int count, long exponent)
{
	long point = count + exponent; /* digits before the decimal point */

	if (point > 21 || point < -6) {
		buf_putc(out, digits[0]);
		if (count > 1)
			buf_printf(out, ".%.*s", count - 1, digits + 1);
		buf_printf(out, "e%+ld", point - 1);
	} else if (point <= 0) {
		buf_puts(out, "0.");
		for (long i = point; i < 0; i++)
			buf_putc(out, '0');
		buf_add(out, digits, (size_t)count);
	} else if (point < count) {
		buf_printf(out, "%.*s.%.*s", (int)point, digits, (int)(count - point), digits + point);
	} else {
		buf_add(out, digits, (size_t)count);
		for (long i = count; i < point; i++)
			buf_putc(out, '0');
	}
}

/* @value rounded to @precision digits (trailing zeros dropped), times 10^-@shift, as text */
static void write_rounded(struct buf *out, long double value, int precision, int shift)
{
	char text[64], digits[32];
	long exponent;
	int count = 0;

	snprintf(text, sizeof(text), "%.*Le", precision - 1, fabsl(value));
	for (const char *s = text; *s && *s != 'e'; s++)
		if (is_digit(*s)) /* whatever the locale's decimal point is */
			digits[count++] = *s;
	exponent = strtol(strchr(text, 'e') + 1, NULL, 10) - (count - 1) - shift;
	while (count > 1 && digits[count - 1] == '0') {
		count--;
		exponent++;
	}
	if (value < 0)
		buf_putc(out, '-');
	write_digits(out, digits, count, exponent);
}

void decimal_write(struct buf *out, double base, const struct unit *unit)
{
	AUTO_BUF struct buf text = {0};
	double again;

	if (!isfinite(base)) {
		buf_puts(out, isnan(base) ? "nan" : base < 0 ? "-inf" : "inf");
	} else if (base == 0) {
		buf_putc(out, '0');
	} else {
		/*
		 * Up to 15 digits come back from any normal double as they were, and 17 tell all doubles apart. The
		 * quotient by minutes, hours and days has to be finer than a double for that.
		 */
		for (int precision = fabs(base) < DBL_MIN ? 1 : DBL_DIG; precision <= DBL_DECIMAL_DIG; precision++) {
			buf_clear(&text);
			write_rounded(&text, unit ? (long double)base / unit->factor : base, precision,
				      unit ? unit->exponent : 0);
			if (decimal_parse(text.data, unit, &again) && again == base)
				break;
		}
		buf_add(out, text.data, text.length);
	}
	if (unit)
		buf_printf(out, " %s", unit->name);
}
