/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/argv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One more word and the NULL behind it */
static void make_room(struct argv *argv)
{
	size_t capacity = argv->capacity ? 2 * argv->capacity : 32;
	const char **larger;

	if (argv->count + 1 < argv->capacity)
		return;
	larger = rs_alloc(argv->ctx, capacity * sizeof(*larger));
	if (argv->count)
		memcpy(larger, argv->words, argv->count * sizeof(*larger));
	argv->words = larger;
	argv->capacity = capacity;
}

void argv_add(struct argv *argv, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = rs_alloc(argv->ctx, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	make_room(argv);
	argv->words[argv->count++] = text;
}
