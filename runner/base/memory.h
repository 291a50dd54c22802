/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: memory
 *
 * Allocation that never returns NULL (the process aborts where there is no memory: nothing sensible could be judged),
 * arenas for data that dies together, and growing buffers.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** out_of_memory - say so and abort; for memory that others (libyaml) could not get */
void out_of_memory(void) __attribute__((noreturn));

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/** GROW - make room for one more in ITEMS, an array of COUNT with CAPACITY (size_t lvalues) */
#define GROW(items, count, capacity)                                                                                   \
	do {                                                                                                           \
		if ((count) == (capacity)) {                                                                           \
			(capacity) = (capacity) ? 2 * (capacity) : 8;                                                  \
			(items) = xrealloc((items), (capacity), sizeof(*(items)));                                     \
		}                                                                                                      \
	} while (0)

/** struct arena - memory freed as a whole; {0} is an empty one */
struct arena {
	struct arena_block *last;
};

/** arena_alloc - zeroed and aligned to 16. arena_text - a copy, NUL-ended and unaligned. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((malloc, returns_nonnull));
char *arena_text(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t arena_size(const struct arena *arena); /* bytes taken from the system */
void arena_free(struct arena *arena);

/** struct buf - bytes that grow, always followed by a NUL; {0} is an empty one (data NULL) */
struct buf {
	char *data;
	size_t length;
	size_t capacity;
};

void buf_add(struct buf *buf, const void *data, size_t length);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void buf_clear(struct buf *buf); /* length 0, memory kept */
char *buf_take(struct buf *buf); /* the data, to be freed by the caller; "" where it was empty */
void buf_free(struct buf *buf);

/** plural - "s", but for one */
static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/** equal_text - whether both are the same, or there is neither. equal_list - the same of lists that end with NULL. */
bool equal_text(const char *a, const char *b);
bool equal_list(const char *const *a, const char *const *b);

/** struct strings - a list of texts of its own; {0} is an empty one */
struct strings {
	char **items;
	size_t count;
	size_t capacity;
};

void strings_add(struct strings *list, const char *text); /* copies */
bool strings_have(const struct strings *list, const char *text);
void strings_free(struct strings *list);
