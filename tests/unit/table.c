/* SPDX-License-Identifier: BSD-2-Clause */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <string.h>

#include "base/cleanup.h"
#include "judge/table.h"

enum { DEVICE, PORT, GUID, DESCRIPTION };

static const struct rs_fact facts[] = {
	{.name = "device", .type = RS_TEXT, .flags = RS_F_KEY},
	{.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY},
	{.name = "guid", .type = RS_GUID},
	{.name = "description", .type = RS_TEXT},
	{.name = NULL},
};
static const struct rs_fact keyless[] = {{.name = "size", .type = RS_INTEGER}, {.name = NULL}};

static void set_text(struct table *table, struct value *cell, const char *text)
{
	*cell = (struct value){.state = VALUE_SET,
			       .length = (uint32_t)strlen(text),
			       .text = arena_text(&table->arena, text, strlen(text))};
}

static void named(const char *template, const struct rs_fact *of, const char *description, const char *expected)
{
	struct rs_probe probe = {.name = "test.ports", .row = template, .facts = of};
	struct table *table = table_new(&probe);
	AUTO_BUF struct buf name = {0};
	struct value *row = table_add_row(table);

	if (of == facts) {
		set_text(table, &row[DEVICE], "mlx5_0");
		row[PORT] = (struct value){.state = VALUE_SET, .integer = 1};
		row[GUID] = (struct value){.state = VALUE_SET, .number = 0x0002c9030045f121};
		if (description)
			set_text(table, &row[DESCRIPTION], description);
	}
	table_row_name(&name, table, 0);
	assert_string_equal(name.data, expected);
	table_free(table);
}

static void test_row_names(void **state)
{
	named("{device} port {port}", facts, NULL, "mlx5_0 port 1");
	named("{description|guid} port {port}", facts, "leaf-3", "leaf-3 port 1");
	named("{description|guid} port {port}", facts, "", "0x0002c9030045f121 port 1");
	named("{description|guid} port {port}", facts, NULL, "0x0002c9030045f121 port 1");
	named("{guid|description}", facts, NULL, "0x0002c9030045f121");
	named("{description} port {port}", facts, NULL, "? port 1");
	named("{description|nothing} port {port}", facts, NULL, "? port 1");
	named("{nothing} {port", facts, NULL, "{nothing} {port");
	named("{}", facts, NULL, "{}");
	named("{description}", facts, "{device}", "{device}"); /* observed text is no template */
	named(NULL, facts, NULL, "device mlx5_0, port 1");
	named(NULL, keyless, NULL, "row 1");
}

static void test_facts(void **state)
{
	struct rs_probe probe = {.name = "test.ports", .facts = facts};

	assert_int_equal(probe_columns(&probe), 4);
	assert_int_equal(probe_fact(&probe, "guid"), GUID);
	assert_int_equal(probe_fact(&probe, "gui"), -1);
	assert_int_equal(probe_fact(&probe, "guids"), -1);
}

static void test_rows_stay(void **state)
{
	struct rs_probe probe = {.name = "test.ports", .facts = facts};
	struct table *table = table_new(&probe);

	for (int64_t i = 0; i < 10000; i++) {
		struct value *row = table_add_row(table);

		for (unsigned column = 0; column < 4; column++) {
			assert_int_equal(row[column].state, VALUE_NOT_OBSERVED);
			assert_null(row[column].text);
		}
		row[PORT] = (struct value){.state = VALUE_SET, .integer = i};
	}
	assert_int_equal(table->rows, 10000);
	assert_true(table->capacity < 10000 * 3 / 2 + 16);
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(table_row(table, i)[PORT].integer, i);
	table_free(table);
	table_free(NULL);
}

static void test_evidence(void **state)
{
	struct observation *observation = observation_new(NULL, "node-01", "{}");
	/* 1,000,003 bytes that tell their own offset: at i the value i % 251 (a prime, so that no block repeats). */
	size_t total = 1000003, step = 4099, given = 0;
	AUTO_FREE unsigned char *data = xmalloc(total);
	struct evidence *evidence;

	for (size_t i = 0; i < total; i++)
		data[i] = (unsigned char)(i % 251);
	while (given < total) {
		size_t length = total - given < step ? total - given : step;

		observation_add_evidence(observation, "output", data + given, length);
		given += length;
		evidence = &observation->evidence[0];
		assert_int_equal(evidence->total, given);
		if (given <= 2 * EVIDENCE_KEPT) {
			assert_int_equal(evidence->head.length, given);
			assert_int_equal(evidence->tail.length, 0);
		} else {
			assert_int_equal(evidence->head.length, EVIDENCE_KEPT);
			assert_int_equal(evidence->tail.length, EVIDENCE_KEPT);
		}
	}
	assert_memory_equal(evidence->head.data, data, EVIDENCE_KEPT);
	assert_memory_equal(evidence->tail.data, data + total - EVIDENCE_KEPT, EVIDENCE_KEPT);

	/* All at once comes to the same. */
	observation_add_evidence(observation, "once", data, total);
	assert_int_equal(observation->nevidence, 2);
	evidence = &observation->evidence[1];
	assert_string_equal(evidence->name, "once");
	assert_int_equal(evidence->head.length, EVIDENCE_KEPT);
	assert_memory_equal(evidence->head.data, data, EVIDENCE_KEPT);
	assert_memory_equal(evidence->tail.data, data + total - EVIDENCE_KEPT, EVIDENCE_KEPT);
	observation_unref(observation);
}

static void test_observation(void **state)
{
	struct rs_probe probes[] = {{.name = "test.a", .facts = facts}, {.name = "test.b", .facts = facts}};
	struct observation *observation = observation_new(NULL, NULL, NULL);

	observation->tables[1] = table_new(&probes[1]);
	assert_null(observation_table(observation, &probes[0]));
	assert_ptr_equal(observation_table(observation, &probes[1]), observation->tables[1]);
	assert_ptr_equal(observation_ref(observation), observation);
	observation_unref(observation);
	assert_int_equal(observation->references, 1);
	observation_unref(observation);
	observation_unref(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row_names), cmocka_unit_test(test_facts),	      cmocka_unit_test(test_rows_stay),
		cmocka_unit_test(test_evidence),  cmocka_unit_test(test_observation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
