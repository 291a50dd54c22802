/* SPDX-License-Identifier: BSD-2-Clause */
/* What texts cost in the file. */
#include <string.h>

#include "base/utf8.h"
#include "report/junit_tree.h"

static size_t cost_of(char c)
{
	switch (c) {
	case '<':
	case '>':
		return 4; /* &lt; */
	case '&':
		return 5;
	case '"':
		return 6;
	default:
		return 1;
	}
}

size_t junit_cost(const char *text, size_t length)
{
	size_t cost = 0;

	for (size_t i = 0; i < length; i++)
		cost += cost_of(text[i]);
	return cost;
}

size_t junit_fit(const char *text, size_t length, size_t left)
{
	uint32_t character;
	size_t at = 0;

	while (at < length) {
		size_t bytes = utf8_next(text + at, length - at, &character);
		size_t cost = bytes > 1 ? bytes : cost_of(text[at]);

		if (cost > left)
			break;
		left -= cost;
		at += bytes ? bytes : 1;
	}
	return at;
}
