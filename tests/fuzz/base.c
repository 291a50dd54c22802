/* SPDX-License-Identifier: BSD-2-Clause */
/* The first byte chooses what the others are: hostile text, a quantity, a nodeset, a mistyped word. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/nodeset.h"
#include "base/quantity.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

static void check_utf8(const char *bytes, size_t length)
{
	AUTO_BUF struct buf printable = {0}, escaped = {0}, back = {0};

	utf8_printable(&printable, bytes, length);
	CHECK(utf8_valid(printable.data, printable.length));
	for (size_t i = 0; i < printable.length; i++)
		CHECK((unsigned char)printable.data[i] >= ' ' && printable.data[i] != 0x7f);
	utf8_escape(&escaped, bytes, length);
	CHECK(utf8_valid(escaped.data, escaped.length));
	CHECK(utf8_unescape(&back, escaped.data, escaped.length));
	CHECK(back.length == length && (!length || !memcmp(back.data, bytes, length)));
	buf_clear(&back);
	utf8_unescape(&back, bytes, length);
}

/* What was read, written and read again is the same double. */
static void check_quantity(const char *text)
{
	static const char *const names[] = {"Gb/s", "MiB/s", "us", "min", "d", "KiB", "%", "Mpps", "GHz"};
	const char *why = NULL;
	double base, again;

	for (int dimension = DIMENSION_RATE; dimension <= DIMENSION_FREQUENCY; dimension++) {
		if (quantity_parse(text, (enum dimension)dimension, &base, &why)) {
			CHECK(why);
			continue;
		}
		CHECK(isfinite(base));
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			const struct unit *unit = unit_find(names[i], strlen(names[i]));
			AUTO_BUF struct buf out = {0};

			if (unit->dimension != (enum dimension)dimension)
				continue;
			decimal_write(&out, base, unit);
			CHECK(!quantity_parse(out.data, unit->dimension, &again, &why));
			CHECK(again == base);
		}
	}
	decimal_parse(text, NULL, &base);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Folding and expanding gives the same names, each once. */
static void check_nodeset(const char *text)
{
	AUTO_STRINGS struct strings names = {0}, again = {0};
	AUTO_BUF struct buf folded = {0};
	AUTO_FREE char *why = NULL;
	size_t next = 0;

	if (nodeset_expand(text, &names, &why)) {
		CHECK(why && !names.count);
		return;
	}
	CHECK(names.count && names.count <= NODESET_MAX);
	if (names.count > 2000)
		return;
	nodeset_fold(&folded, (const char *const *)names.items, names.count);
	CHECK(!nodeset_expand(folded.data, &again, &why));
	qsort(names.items, names.count, sizeof(*names.items), compare);
	qsort(again.items, again.count, sizeof(*again.items), compare);
	for (size_t i = 0; i < names.count; i++) {
		if (i && !strcmp(names.items[i], names.items[i - 1]))
			continue;
		CHECK(next < again.count && !strcmp(again.items[next], names.items[i]));
		next++;
	}
	CHECK(next == again.count);
}

static void check_suggest(const char *text)
{
	static const char *const names[] = {"state", "physical_state", "ib.ports", "fabric.links", "", NULL, "x"};
	const char *found = suggest(text, names, sizeof(names) / sizeof(names[0]));

	CHECK(!found || *found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = NULL;

	if (!size)
		return 0;
	text = xmalloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (*data % 4) {
	case 0:
		check_utf8(text, size - 1);
		break;
	case 1:
		check_quantity(text);
		break;
	case 2:
		check_nodeset(text);
		break;
	default:
		check_suggest(text);
		break;
	}
	return 0;
}
