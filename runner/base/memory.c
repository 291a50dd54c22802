/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void out_of_memory(void)
{
	static const char text[] = "rdmaspec: out of memory\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)written;
	abort();
}

#define HUGE_PAGE ((uintptr_t)2 * 1024 * 1024)

/*
 * Of what is large, huge pages are asked for: to touch small ones for the first time costs more than what is done with
 * them afterwards. Where the kernel has none to give, nothing is lost.
 */
static void *prefer_huge(void *memory, size_t size)
{
	uintptr_t start = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)memory + size) & ~(HUGE_PAGE - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
	return memory;
}

void *xmalloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		out_of_memory();
	return prefer_huge(memory, size);
}

void *xcalloc(size_t count, size_t size)
{
	void *memory = count && size ? calloc(count, size) : calloc(1, 1);

	if (!memory)
		out_of_memory();
	return prefer_huge(memory, count * size);
}

void *xrealloc(void *old, size_t count, size_t size)
{
	void *memory = count && size ? reallocarray(old, count, size) : realloc(old, 1);

	if (!memory)
		out_of_memory();
	return prefer_huge(memory, count * size);
}

char *xstrdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(xmalloc(size), text, size);
}

char *xasprintf(const char *format, ...)
{
	struct buf buf = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&buf, format, args);
	va_end(args);
	return buf_take(&buf);
}

/*
 * An arena's block is filled from both ends: aligned objects from the front, texts from the back, so that a text
 * between two objects costs no padding. Blocks come zeroed from calloc(), which costs nothing where the kernel gave
 * fresh pages.
 */
struct arena_block {
	struct arena_block *previous;
	size_t size; /* of all, this header included */
	char *front;
	char *back;
};

#define ALIGNMENT 16
#define BLOCK_FIRST ((size_t)4 * 1024)
#define BLOCK_LARGEST ((size_t)8 * 1024 * 1024)

_Static_assert(sizeof(struct arena_block) % ALIGNMENT == 0, "the first object of a block is aligned");

static struct arena_block *block_new(size_t size)
{
	struct arena_block *block = xcalloc(1, size);

	block->size = size;
	block->front = (char *)(block + 1);
	block->back = (char *)block + size;
	return block;
}

/* A block with room for @size more: the current one, a new current one, or (for what is large) one of its own behind
 * it. */
static struct arena_block *block_with(struct arena *arena, size_t size)
{
	struct arena_block *last = arena->last, *block;
	size_t next;

	if (last && (size_t)(last->back - last->front) >= size)
		return last;
	if (size > SIZE_MAX / 2)
		out_of_memory();
	next = last ? last->size * 2 : BLOCK_FIRST;
	if (next > BLOCK_LARGEST)
		next = BLOCK_LARGEST;
	if (last && size > next / 4) {
		block = block_new(sizeof(*block) + size);
		block->previous = last->previous;
		last->previous = block;
		return block;
	}
	if (next < sizeof(*block) + size)
		next = sizeof(*block) + size;
	block = block_new(next);
	block->previous = last;
	arena->last = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block;
	void *memory;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = size ? (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1) : ALIGNMENT;
	block = block_with(arena, size);
	memory = block->front;
	block->front += size;
	return memory;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	struct arena_block *block;

	if (length > SIZE_MAX / 2)
		out_of_memory();
	block = block_with(arena, length + 1);
	block->back -= length + 1;
	if (length)
		memcpy(block->back, text, length);
	block->back[length] = '\0';
	return block->back;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	struct buf buf = {0};
	va_list args;
	char *text;

	va_start(args, format);
	buf_vprintf(&buf, format, args);
	va_end(args);
	text = arena_text(arena, buf.data, buf.length);
	buf_free(&buf);
	return text;
}

size_t arena_size(const struct arena *arena)
{
	size_t size = 0;

	for (const struct arena_block *block = arena->last; block; block = block->previous)
		size += block->size;
	return size;
}

void arena_free(struct arena *arena)
{
	while (arena->last) {
		struct arena_block *previous = arena->last->previous;

		free(arena->last);
		arena->last = previous;
	}
}

/* Room for @more bytes and the NUL behind them. */
static void buf_reserve(struct buf *buf, size_t more)
{
	size_t need;

	if (more >= SIZE_MAX / 2 - buf->length)
		out_of_memory();
	need = buf->length + more + 1;
	if (need <= buf->capacity)
		return;
	if (need < buf->capacity * 2)
		need = buf->capacity * 2;
	if (need < 64)
		need = 64;
	buf->data = xrealloc(buf->data, need, 1);
	buf->capacity = need;
}

void buf_add(struct buf *buf, const void *data, size_t length)
{
	buf_reserve(buf, length);
	if (length)
		memcpy(buf->data + buf->length, data, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
}

void buf_puts(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char c)
{
	buf_reserve(buf, 1);
	buf->data[buf->length++] = c;
	buf->data[buf->length] = '\0';
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	va_list again;
	int length;

	va_copy(again, args);
	buf_reserve(buf, 0);
	length = vsnprintf(buf->data + buf->length, buf->capacity - buf->length, format, args);
	if (length < 0)
		out_of_memory(); /* longer than INT_MAX, or an encoding error of %ls, which nobody uses */
	if ((size_t)length >= buf->capacity - buf->length) {
		buf_reserve(buf, (size_t)length);
		vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
	}
	buf->length += (size_t)length;
	va_end(again);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

void buf_clear(struct buf *buf)
{
	buf->length = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

char *buf_take(struct buf *buf)
{
	char *data = buf->data ? buf->data : xstrdup("");

	*buf = (struct buf){0};
	return data;
}

void buf_free(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

void strings_add(struct strings *list, const char *text)
{
	GROW(list->items, list->count, list->capacity);
	list->items[list->count++] = xstrdup(text);
}

bool strings_have(const struct strings *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], text))
			return true;
	return false;
}

void strings_free(struct strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct strings){0};
}

bool equal_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool equal_list(const char *const *a, const char *const *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b) != 0)
			return false;
	return *a == *b;
}
