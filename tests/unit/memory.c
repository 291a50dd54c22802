/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"

static void test_arena_is_zeroed_and_aligned(void **state)
{
	AUTO_ARENA struct arena arena = {0};

	for (size_t size = 0; size < 5000; size += 7) {
		unsigned char *memory = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)memory % 16, 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(memory[i], 0);
		memset(memory, 0xff, size);
		arena_text(&arena, "odd", 3); /* must not disturb the next one's alignment */
	}
}

static void test_arena_keeps_what_it_gave(void **state)
{
	AUTO_ARENA struct arena arena = {0};
	const char *texts[3000];
	int *numbers[3000];

	for (int i = 0; i < 3000; i++) {
		numbers[i] = arena_alloc(&arena, sizeof(int));
		*numbers[i] = i;
		texts[i] = arena_printf(&arena, "text %d", i);
		if (i % 500 == 0)
			memset(arena_alloc(&arena, 3 * 1024 * 1024), 0xee, 3 * 1024 * 1024); /* a block of its own */
	}
	for (int i = 0; i < 3000; i++) {
		AUTO_FREE char *expected = xasprintf("text %d", i);

		assert_int_equal(*numbers[i], i);
		assert_string_equal(texts[i], expected);
	}
	assert_true(arena_size(&arena) >= 6u * 3 * 1024 * 1024);
	assert_true(arena_size(&arena) < 6u * 3 * 1024 * 1024 + 1024 * 1024);
}

static void test_arena_text(void **state)
{
	AUTO_ARENA struct arena arena = {0};

	assert_string_equal(arena_text(&arena, "abcdef", 3), "abc");
	assert_string_equal(arena_text(&arena, "", 0), "");
	assert_string_equal(arena_text(&arena, NULL, 0), "");
	arena_free(&arena);
	assert_int_equal(arena_size(&arena), 0);
}

static void test_buf_grows(void **state)
{
	AUTO_BUF struct buf buf = {0};
	AUTO_FREE char *taken = NULL, *empty = NULL;

	assert_null(buf.data);
	for (int i = 0; i < 1000; i++)
		buf_printf(&buf, "%03d", i);
	assert_int_equal(buf.length, 3000);
	assert_memory_equal(buf.data + 2997, "999", 4);
	buf_add(&buf, "a\0b", 3);
	assert_int_equal(buf.length, 3003);
	assert_int_equal(buf.data[3003], '\0');
	buf_clear(&buf);
	assert_string_equal(buf.data, "");
	buf_putc(&buf, 'x');
	buf_puts(&buf, "yz");
	taken = buf_take(&buf);
	assert_string_equal(taken, "xyz");
	assert_null(buf.data);
	empty = buf_take(&buf);
	assert_string_equal(empty, "");
}

static void test_buf_printf_longer_than_it_is(void **state)
{
	AUTO_BUF struct buf buf = {0};

	buf_puts(&buf, "begin ");
	buf_printf(&buf, "%500s|", "end");
	assert_int_equal(buf.length, 6 + 500 + 1);
	assert_string_equal(buf.data + buf.length - 4, "end|");
	assert_memory_equal(buf.data, "begin  ", 7);
}

static void test_strings(void **state)
{
	AUTO_STRINGS struct strings list = {0};
	char text[] = "one";

	strings_add(&list, text);
	strings_add(&list, "two");
	text[0] = 'x';
	assert_int_equal(list.count, 2);
	assert_true(strings_have(&list, "one"));
	assert_true(strings_have(&list, "two"));
	assert_false(strings_have(&list, "xne"));
	strings_free(&list);
	assert_int_equal(list.count, 0);
}

static void test_grow(void **state)
{
	AUTO_FREE int *items = NULL;
	size_t count = 0, capacity = 0;

	for (int i = 0; i < 100; i++) {
		GROW(items, count, capacity);
		items[count++] = i;
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(items[i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_is_zeroed_and_aligned),
		cmocka_unit_test(test_arena_keeps_what_it_gave),
		cmocka_unit_test(test_arena_text),
		cmocka_unit_test(test_buf_grows),
		cmocka_unit_test(test_buf_printf_longer_than_it_is),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
