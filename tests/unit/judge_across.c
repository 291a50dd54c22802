/* SPDX-License-Identifier: BSD-2-Clause */
/* unique and same: over all observations of a step, and who is the odd one out. */
#include "judge_lab.h"

#include "judge/cells.h"

static void test_same_holds(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: [lid, guid, gateway]");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=1|guid=2c9030045f121|gateway=none"));
	step_add(&step, "node-02", ROWS("device=a|port=1|lid=0x1|guid=0002:c903:0045:f121|gateway=none"));
	step_judge(&step);
	assert_true(step.means);
	said(&step.across, VERDICT_PASS, NULL);
	assert_int_equal(step.across.rows, 2);
	assert_int_equal(step.across.rows_kept, 2);
	assert_null(step.across.kept);
	said(&step.judgements[0], VERDICT_PASS, NULL);
}

static void test_same_on_two_hosts(void **state)
{
	AUTO_STEP struct step step = {0};
	const struct finding *finding;

	step.spec = lab_spec(&step.lab, "same: [lid]");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=1"));
	step_add(&step, "node-02", ROWS("device=a|port=1|lid=3"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL, "node-01 says lid 1, node-02 says lid 3 (site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 1);
	assert_int_equal(step.across.nfindings, 1);
	finding = &step.across.findings[0];
	assert_string_equal(finding->row, "node-02: a port 1");
	assert_string_equal(finding->fact, "lid");
	assert_string_equal(finding->expected, "1");
	assert_string_equal(finding->observed, "3");
	assert_string_equal(finding->sentence, "node-01 says lid 1, node-02 says lid 3");
	/* Each host by itself is as it should be. */
	said(&step.judgements[1], VERDICT_PASS, NULL);
}

static void test_same_names_the_odd_ones(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: [lid]");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=3"));
	for (int i = 2; i <= 6; i++)
		step_add(&step, arena_printf(&step.lab.arena, "node-%02d", i), ROWS("device=a|port=1|lid=1"));
	step_add(&step, "node-07", ROWS("device=a|port=1|lid=none"));
	step_add(&step, "node-08", ROWS("device=a|port=1|lid=3"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL,
	     "5 hosts say lid 1, node-01 and node-08 say lid 3, node-07 says lid none (site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 3);
	assert_int_equal(step.across.nfindings, 3);
	assert_string_equal(step.across.findings[1].sentence,
			    "node-07: a port 1: lid is none, expected 1 as in 5 rows");
}

static void test_same_among_rows(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: speed\nwhere: {state: Active}");
	step_add(&step, "",
		 ROWS("device=a|port=1|state=Active|speed=HDR", "device=a|port=2|state=Active|speed=NDR",
		      "device=a|port=3|state=Down|speed=SDR", "device=a|port=4|state=Active|speed=HDR",
		      "device=a|port=5|state=Active|speed=HDR", "device=a|port=6|state=Active|speed=HDR",
		      "device=b|port=1|state=Active|speed=NDR", "device=b|port=2|state=Active|speed=NDR",
		      "device=b|port=3|state=Active|speed=NDR", "device=b|port=4|state=Active|speed=NDR"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL,
	     "5 rows say speed NDR, 4 rows (a port 1, a port 4, a port 5, ...) say speed HDR (site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 4);
	assert_int_equal(step.across.findings[0].row_number, 0);
}

static void test_same_of_repeats_counts_rows(void **state)
{
	AUTO_STEP struct step step = {0};

	/* The same host twice: no two hosts. */
	step.spec = lab_spec(&step.lab, "same: speed");
	for (int i = 0; i < 4; i++)
		step_add(&step, "node-01", ROWS("device=a|port=1|speed=HDR"));
	step_add(&step, "node-01", ROWS("device=a|port=1|speed=SDR"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL, "4 rows say speed HDR, node-01: a port 1 says speed SDR (site.yaml:1:1)");
}

static void test_same_of_many_values(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: lid");
	step_add(&step, "",
		 ROWS("device=a|port=1|lid=1", "device=a|port=2|lid=2", "device=a|port=3|lid=3",
		      "device=a|port=4|lid=4", "device=a|port=5|lid=5", "device=a|port=6|lid=5"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL,
	     "a port 5 and a port 6 say lid 5, a port 1 says lid 1, a port 2 says lid 2, 2 more rows say 2 other "
	     "values "
	     "(site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 4);
}

static void test_same_in_several_facts(void **state)
{
	AUTO_STEP struct step step = {0};

	/* One row that differs in both is one offending row. */
	step.spec = lab_spec(&step.lab, "same: [lid, speed]");
	step_add(&step, "",
		 ROWS("device=a|port=1|lid=1|speed=HDR", "device=a|port=2|lid=1|speed=HDR",
		      "device=a|port=3|lid=2|speed=SDR"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL, "a port 1 and a port 2 say lid 1, a port 3 says lid 2 (site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 1);
	assert_int_equal(step.across.nfindings, 2);
	assert_string_equal(step.across.findings[1].sentence,
			    "a port 1 and a port 2 say speed HDR, a port 3 says speed SDR");
}

static void test_not_observed_cannot_be_the_same(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: [speed]");
	step_add(&step, "node-01", ROWS("device=a|port=1|speed=HDR"));
	step_add(&step, "node-02", ROWS("device=a|port=1|speed=?the port is down"));
	step_add(&step, "node-03", ROWS("device=a|port=1|speed=!code 9"));
	step_judge(&step);
	said(&step.across, VERDICT_ERROR,
	     "node-02: a port 1: speed was not observed: the port is down; expected to be the same everywhere "
	     "(site.yaml:1:1); 2 of 3 rows");
	assert_int_equal(step.across.offending_rows, 2);
	assert_string_equal(
		step.across.findings[1].sentence,
		"node-03: a port 1: speed is code 9, which has no name here; expected to be the same everywhere");
}

static void test_fail_beside_not_observed(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "same: [lid]");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=1"));
	step_add(&step, "node-02", ROWS("device=a|port=1|lid=?"));
	step_add(&step, "node-03", ROWS("device=a|port=1|lid=2"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL, "node-01 says lid 1, node-03 says lid 2 (site.yaml:1:1)");
	assert_int_equal(step.across.offending_rows, 2);
}

static void test_broken_part(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "where: {state: Active}\nsame: [lid]");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=1|state=Active"));
	step_add(&step, "node-02", ROWS("device=a|port=1|lid=2|state=?"));
	step_add(&step, "node-03", ROWS("device=a|port=1|lid=3|state=Active"));
	step_judge(&step);
	said(&step.across, VERDICT_ERROR,
	     "node-02: a port 1: state was not observed; 'where' cannot tell whether it is Active (site.yaml:1:16)");
	/* What is known all the same is told behind it. */
	assert_int_equal(step.across.nfindings, 2);
	assert_string_equal(step.across.findings[1].sentence, "node-01 says lid 1, node-03 says lid 3");
}

static void test_unique(void **state)
{
	AUTO_STEP struct step step = {0};
	const struct finding *finding;

	step.spec = lab_spec(&step.lab, "unique: guid");
	step_add(&step, "node-01", ROWS("device=a|port=1|guid=1", "device=a|port=2|guid=2"));
	step_add(&step, "node-02",
		 ROWS("device=a|port=1|guid=3", "device=a|port=2|guid=0x0002", "device=b|port=1|guid=2"));
	step_judge(&step);
	said(&step.across, VERDICT_FAIL,
	     "node-01: a port 2 and node-02: a port 2: guid is 0x0000000000000002 in both, expected to be unique "
	     "(site.yaml:1:1); 3 of 5 rows");
	assert_int_equal(step.across.offending_rows, 3);
	assert_int_equal(step.across.nfindings, 2);
	finding = &step.across.findings[1];
	assert_string_equal(finding->row, "node-02: b port 1");
	assert_string_equal(finding->fact, "guid");
	assert_string_equal(finding->observed, "0x0000000000000002");
	assert_string_equal(finding->expected, "unique");
}

static void test_unique_together(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "unique: [device, lid]");
	step_add(&step, "", ROWS("device=a|port=1|lid=1", "device=a|port=2|lid=2", "device=b|port=1|lid=1"));
	step_judge(&step);
	said(&step.across, VERDICT_PASS, NULL);
	lab_row(step.observations[0]->tables[0], "device=b|port=1|lid=1");
	judgement_free(&step.judgements[0]);
	judgement_free(&step.across);
	step_judge(&step);
	/* Both rows are called the same. */
	said(&step.across, VERDICT_FAIL,
	     "b port 1 (rows 3 and 4): device is b and lid is 1 in both, expected to be unique (site.yaml:1:1); 2 of 4 "
	     "rows");
	assert_int_equal(step.across.findings[0].row_number, 3);
	assert_null(step.across.findings[0].fact);
	assert_string_equal(step.across.findings[0].observed, "b, 1");
}

static void test_unique_not_observed(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "unique: lid");
	step_add(&step, "", ROWS("device=a|port=1|lid=?", "device=a|port=2|lid=?"));
	step_judge(&step);
	said(&step.across, VERDICT_ERROR,
	     "a port 1: lid was not observed; expected to be unique (site.yaml:1:1); 2 of 2 rows");
}

static void test_nothing_to_compare(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "where: {state: Active}\nsame: lid");
	step_add(&step, "node-01", ROWS("device=a|port=1|lid=1|state=Down"));
	step_add(&step, "node-02", NO_ROWS);
	step_judge(&step);
	said(&step.across, VERDICT_FAIL, "no row where state is Active, of 1 row (site.yaml:1:1)");
	judgement_free(&step.judgements[0]);
	judgement_free(&step.judgements[1]);
	judgement_free(&step.across);

	step.spec = lab_spec(&step.lab, "where: {state: Active}\nsame: lid\ncount: {max: 1}");
	step_judge(&step);
	said(&step.across, VERDICT_PASS, NULL);
}

static void test_equal_cells(void **state)
{
	static const struct {
		const char *fact, *a, *b;
		bool equal;
	} cases[] = {
		{"power", "=1", "=1.00", true},
		{"power", "=0", "=-0", true},
		{"bandwidth", "=1e2", "=100", true},
		{"bandwidth", "=100", "=100.1", false},
		{"bandwidth", "none", "=0", false},
		{"gateway", "none", "none", true},
		{"description", "=", "none", false},
		{"description", "=a", "=a", true},
		{"description", "=abcdefghij", "=abcdefghik", false},
		{"gid", "fe80::1", "fe80:0::1", true},
		{"gateway", "10.0.0.1", "::ffff:10.0.0.1", false},
		{"errors", "18446744073709551615", "18446744073709551614", false},
		{"mtus", "[]", "none", true},
		{"mtus", "[1 2]", "[1 2]", true},
		{"mtus", "[1 2]", "[2 1]", false},
		{"mtus", "[1]", "[1 1]", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_LAB struct lab lab = {0};
		const struct rs_fact *fact = &lab_facts[probe_fact(&lab_probe, cases[i].fact)];
		struct column column = column_of(fact);
		struct value a = lab_cell(fact, cases[i].a, &lab.arena), b = lab_cell(fact, cases[i].b, &lab.arena);

		assert_true(cell_comparable(&column, &a) && cell_comparable(&column, &b));
		if (cell_equal(&column, &a, &b) != cases[i].equal)
			fail_msg("%s: %s and %s: expected %d", cases[i].fact, cases[i].a, cases[i].b, cases[i].equal);
		if (cases[i].equal)
			assert_true(cell_hash(&column, &a) == cell_hash(&column, &b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_holds),
		cmocka_unit_test(test_same_on_two_hosts),
		cmocka_unit_test(test_same_names_the_odd_ones),
		cmocka_unit_test(test_same_among_rows),
		cmocka_unit_test(test_same_of_repeats_counts_rows),
		cmocka_unit_test(test_same_of_many_values),
		cmocka_unit_test(test_same_in_several_facts),
		cmocka_unit_test(test_not_observed_cannot_be_the_same),
		cmocka_unit_test(test_fail_beside_not_observed),
		cmocka_unit_test(test_broken_part),
		cmocka_unit_test(test_unique),
		cmocka_unit_test(test_unique_together),
		cmocka_unit_test(test_unique_not_observed),
		cmocka_unit_test(test_nothing_to_compare),
		cmocka_unit_test(test_equal_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
