/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole steps: rows, expectations, verdicts and the sentences that they end in. */
#include "judge_lab.h"

#include <errno.h>

#include "judge/words.h"

/* One observation, judged by @yaml. */
static void one(const char *yaml, const char *const *rows, enum verdict verdict, const char *sentence)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, yaml);
	step_add(&step, "", rows);
	step_judge(&step);
	said(&step.judgements[0], verdict, sentence);
}

static void test_pass(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "where: {physical_state: LinkUp}\n"
					"expect: {state: Active, speed: [HDR, NDR]}\n"
					"count: {min: 2}\n");
	step_add(&step, "node-01",
		 ROWS("device=a|port=1|physical_state=LinkUp|state=Active|speed=HDR",
		      "device=a|port=2|physical_state=Polling",
		      "device=b|port=1|physical_state=LinkUp|state=Active|speed=NDR"));
	step_judge(&step);
	said(&step.judgements[0], VERDICT_PASS, NULL);
	assert_false(step.means);
	assert_int_equal(step.across.verdict, VERDICT_PASS);
	assert_int_equal(step.judgements[0].rows, 3);
	assert_int_equal(step.judgements[0].rows_kept, 2);
	assert_int_equal(step.judgements[0].kept[0], 5); /* rows 0 and 2 */
	assert_int_equal(step.judgements[0].nfindings, 0);
	assert_int_equal(step.judgements[0].offending_rows, 0);
}

static void test_fail(void **state)
{
	AUTO_STEP struct step step = {0};
	const struct finding *finding;

	step.spec = lab_spec(&step.lab, "expect:\n  speed: [HDR, NDR]\n  state: Active\n");
	step_add(&step, "node-01",
		 ROWS("device=a|port=1|speed=HDR|state=Active", "device=a|port=2|speed=QDR|state=Down",
		      "device=b|port=1|speed=EDR|state=Active"));
	step_judge(&step);
	said(&step.judgements[0], VERDICT_FAIL,
	     "a port 2: speed is QDR, expected HDR or NDR (site.yaml:2:10); 2 of 3 rows");
	assert_int_equal(step.judgements[0].offending_rows, 2);
	assert_int_equal(step.judgements[0].nfindings, 3);
	finding = &step.judgements[0].findings[1];
	assert_int_equal(finding->verdict, VERDICT_FAIL);
	assert_string_equal(finding->row, "a port 2");
	assert_int_equal(finding->row_number, 1);
	assert_string_equal(finding->fact, "state");
	assert_string_equal(finding->expected, "Active");
	assert_string_equal(finding->observed, "Down");
	assert_string_equal(finding->sentence, "a port 2: state is Down, expected Active");
	assert_string_equal(finding->place.file, "site.yaml");
	assert_int_equal(finding->place.line, 3);
	assert_int_equal(finding->place.column, 10);
}

static void test_sentences_of_fails(void **state)
{
	one("expect: {speed: HDR}", ROWS("device=a|port=1|speed=none"), VERDICT_FAIL,
	    "a port 1: speed is none, expected HDR (site.yaml:1:17)");
	one("expect: {speed: {exists: true}}", ROWS("device=a|port=1|speed=?the port is down"), VERDICT_FAIL,
	    "a port 1: speed is not observed (the port is down), expected observed (site.yaml:1:17)");
	one("expect: {description: leaf-*}", ROWS("device=a|port=1|description=="), VERDICT_FAIL,
	    "a port 1: description is '', expected leaf-* (site.yaml:1:23)");
	one("expect: {description: leaf-1}", ROWS("device=a|port=1|description==the leaf"), VERDICT_FAIL,
	    "a port 1: description is 'the leaf', expected leaf-1 (site.yaml:1:23)");
	one("expect: {bandwidth: {min: 180 Gb/s}}", ROWS("device=a|port=1|bandwidth==179.93"), VERDICT_FAIL,
	    "a port 1: bandwidth is 179.93 Gb/s, expected at least 180 Gb/s (site.yaml:1:21)");
	one("expect: {addresses: 10.0.0.1}", ROWS("device=a|port=1|addresses=[10.0.0.2 10.0.0.3]"), VERDICT_FAIL,
	    "a port 1: addresses is [10.0.0.2, 10.0.0.3], expected 10.0.0.1 (site.yaml:1:21)");
	one("expect: {mtus: {all: 4096}}", ROWS("device=a|port=1|mtus=[4096 2048]"), VERDICT_FAIL,
	    "a port 1: mtus is [4096, 2048], expected in every element 4096 (site.yaml:1:16)");
}

static void test_sentences_of_errors(void **state)
{
	one("expect: {speed: HDR}", ROWS("device=a|port=1"), VERDICT_ERROR,
	    "a port 1: speed was not observed: needs read access to /dev/infiniband/umad0; expected HDR "
	    "(site.yaml:1:17)");
	one("expect: {speed: HDR}", ROWS("device=a|port=1|speed=?the port is down", "device=b|port=1|speed=HDR"),
	    VERDICT_ERROR,
	    "a port 1: speed was not observed: the port is down; expected HDR (site.yaml:1:17); 1 of 2 rows");
	one("expect: {lid: 1}", ROWS("device=a|port=1"), VERDICT_ERROR,
	    "a port 1: lid was not observed; expected 1 (site.yaml:1:15)");
	one("expect: {speed: {not: SDR}}", ROWS("device=a|port=1|speed=!code 9"), VERDICT_ERROR,
	    "a port 1: speed is code 9, which has no name here; expected not SDR (site.yaml:1:17)");
	one("expect: {speed: {min: SDR}}", ROWS("device=a|port=1|speed=#77"), VERDICT_ERROR,
	    "a port 1: speed is choice 77, which has no name here; expected at least SDR (site.yaml:1:17)");
	one("expect: {latency: {max: 5 us}}", ROWS("device=a|port=1|latency==nan"), VERDICT_ERROR,
	    "a port 1: latency is nan us, which is no number; expected at most 5 us (site.yaml:1:19)");
	one("expect: {mtus: 4096}", ROWS("device=a|port=1|mtus=[2048 !code-6]"), VERDICT_ERROR,
	    "a port 1: mtus is [2048, code-6], of which an element cannot be judged; expected 4096 (site.yaml:1:16)");
	one("expect: {power: {within: 5 %, of: median}}", ROWS("device=a|port=1|power==5"), VERDICT_ERROR,
	    "a port 1: power is 5, and there is no median: fewer than two of the rows kept have a value; expected "
	    "within "
	    "5 % of the median (site.yaml:1:17)");
}

/* A fail is known whatever could not be seen beside it, and its sentence comes first. */
static void test_fail_before_error(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "expect: {speed: HDR}");
	step_add(&step, "", ROWS("device=a|port=1|speed=?", "device=b|port=1|speed=QDR", "device=c|port=1|speed=?"));
	step_judge(&step);
	said(&step.judgements[0], VERDICT_FAIL,
	     "b port 1: speed is QDR, expected HDR (site.yaml:1:17); 1 of 3 rows, and 2 could not be judged");
	assert_int_equal(step.judgements[0].offending_rows, 3);
	assert_int_equal(step.judgements[0].nfindings, 3);
	assert_int_equal(step.judgements[0].findings[1].verdict, VERDICT_ERROR);
}

static void test_no_row(void **state)
{
	one("expect: {speed: HDR}", NO_ROWS, VERDICT_FAIL, "no row: lab.ports is empty (site.yaml:1:1)");
	one("where: {physical_state: LinkUp}\nexpect: {speed: HDR}",
	    ROWS("device=a|port=1|physical_state=Polling", "device=a|port=2|physical_state=none"), VERDICT_FAIL,
	    "no row where physical_state is LinkUp, of 2 rows (site.yaml:1:1)");
	one("where: {physical_state: LinkUp, speed: [HDR, NDR]}\nexpect: {state: Active}",
	    ROWS("device=a|port=1|physical_state=Polling"), VERDICT_FAIL,
	    "no row where physical_state is LinkUp and speed is HDR or NDR, of 1 row (site.yaml:1:1)");
	one("where: {state: Down}\ncount: 0\nexpect: {speed: HDR}", ROWS("device=a|port=1|state=Active"), VERDICT_PASS,
	    NULL);
	one("count: {max: 3}", NO_ROWS, VERDICT_PASS, NULL);
	one("observe_only: true", NO_ROWS, VERDICT_PASS, NULL);
}

static void test_count(void **state)
{
	const char *const *rows =
		ROWS("device=a|port=1|state=Active", "device=a|port=2|state=Down", "device=b|port=1|state=Down");

	one("count: {min: 128}", rows, VERDICT_FAIL, "3 rows, expected at least 128 (site.yaml:1:8)");
	one("where: {state: Active}\ncount: 2", rows, VERDICT_FAIL,
	    "1 row where state is Active, expected 2 (site.yaml:2:8)");
	one("where: {state: Down}\ncount: 0", rows, VERDICT_FAIL,
	    "2 rows where state is Down, expected 0 (site.yaml:2:8)");
	one("where: {state: Init}\ncount: {min: 1}", rows, VERDICT_FAIL,
	    "0 rows where state is Init, expected at least 1 (site.yaml:2:8)");
	one("count: 3", rows, VERDICT_PASS, NULL);
	/* The row's fail is told before the number's. */
	one("expect: {state: Active}\ncount: 2", rows, VERDICT_FAIL,
	    "a port 2: state is Down, expected Active (site.yaml:1:17); 2 of 3 rows");
}

static void test_where_unjudged(void **state)
{
	AUTO_STEP struct step step = {0};

	step.spec = lab_spec(&step.lab, "where: {speed: HDR}\nexpect: {state: Active}\ncount: 5");
	step_add(&step, "", ROWS("device=a|port=1|state=Active|speed=HDR", "device=a|port=2|state=Active"));
	step_judge(&step);
	said(&step.judgements[0], VERDICT_ERROR,
	     "a port 2: speed was not observed: needs read access to /dev/infiniband/umad0; 'where' cannot tell "
	     "whether it "
	     "is HDR (site.yaml:1:16); 1 of 2 rows");
	assert_int_equal(step.judgements[0].rows_kept, 1);
	assert_int_equal(step.judgements[0].offending_rows, 1);

	/* Another condition that says no settles it; exists may ask. */
	one("where: {speed: HDR, state: Active}\nexpect: {port: 1}",
	    ROWS("device=a|port=1|state=Active|speed=HDR", "device=a|port=2|state=Down"), VERDICT_PASS, NULL);
	one("where: {state: Active, speed: HDR}\nexpect: {port: 1}",
	    ROWS("device=a|port=1|state=Active|speed=HDR", "device=a|port=2|state=Down"), VERDICT_PASS, NULL);
	one("where: {speed: {exists: true}}\nexpect: {speed: HDR}",
	    ROWS("device=a|port=1|speed=HDR", "device=a|port=2"), VERDICT_PASS, NULL);
	/* No "no row" beside it: there may be one. */
	one("where: {speed: HDR}\nexpect: {state: Active}", ROWS("device=a|port=2|state=Active|speed=?who knows"),
	    VERDICT_ERROR,
	    "a port 2: speed was not observed: who knows; 'where' cannot tell whether it is HDR (site.yaml:1:16)");
}

static void test_not_observed(void **state)
{
	AUTO_STEP struct step step = {0};
	struct observation *observation;

	step.spec = lab_spec(&step.lab, "expect: {speed: HDR}\nsame: lid");
	observation = step_add(&step, "node-01", NO_ROWS);
	observation->error = xstrdup("/dev/infiniband/umad0: permission denied");
	observation = step_add(&step, "node-02", NO_ROWS);
	table_free(observation->tables[0]);
	observation->tables[0] = NULL;
	step_add(&step, "node-03", ROWS("device=a|port=1|speed=HDR|lid=1"));
	step.parts[3] = (struct judge_part){.label = "node-04", .spec = &step.spec};
	step.count = 4;
	step_judge(&step);
	said(&step.judgements[0], VERDICT_ERROR, "/dev/infiniband/umad0: permission denied (site.yaml:1:1)");
	said(&step.judgements[1], VERDICT_ERROR, "the observation holds no lab.ports (site.yaml:1:1)");
	said(&step.judgements[2], VERDICT_PASS, NULL);
	said(&step.judgements[3], VERDICT_ERROR, "it was not observed (site.yaml:1:1)");
	assert_true(step.means);
	said(&step.across, VERDICT_ERROR, "node-01: /dev/infiniband/umad0: permission denied (site.yaml:1:1)");
	assert_int_equal(step.across.nfindings, 3);
	assert_null(step.judgements[0].kept);
}

static void test_incomplete(void **state)
{
	AUTO_STEP struct step step = {0};
	struct observation *observation;

	step.spec = lab_spec(&step.lab, "expect: {speed: HDR}\ncount: 2");
	observation = step_add(&step, "", ROWS("device=a|port=1|speed=QDR"));
	observation->incomplete = xstrdup("3 nodes did not answer");
	step_judge(&step);
	said(&step.judgements[0], VERDICT_ERROR,
	     "the observation is incomplete: 3 nodes did not answer (site.yaml:1:1)");
	/* What was seen all the same is told behind it; the number of rows is not known. */
	assert_int_equal(step.judgements[0].nfindings, 2);
	assert_string_equal(step.judgements[0].findings[1].sentence, "a port 1: speed is QDR, expected HDR");
	judgement_free(&step.judgements[0]);

	step.spec = lab_spec(&step.lab, "allow_partial: true\nexpect: {speed: HDR}");
	step_judge(&step);
	said(&step.judgements[0], VERDICT_FAIL, "a port 1: speed is QDR, expected HDR (site.yaml:2:17)");
}

static void test_median(void **state)
{
	AUTO_STEP struct step step = {0};

	/* Kept are 100, 98, 104, 90: sorted 90, 98, 100, 104, so the median is (98 + 100) / 2 = 99; 99 - 5 % = 94.05.
	 */
	step.spec = lab_spec(&step.lab, "where: {state: Active}\nexpect: {bandwidth: {within: 5 %, of: median}}");
	step_add(&step, "node-01",
		 ROWS("device=a|port=1|state=Active|bandwidth==100", "device=a|port=2|state=Down|bandwidth==1"));
	step_add(&step, "node-02", ROWS("device=a|port=1|state=Active|bandwidth==98"));
	step_add(&step, "node-03", ROWS("device=a|port=1|state=Active|bandwidth==104"));
	step_add(&step, "node-04", ROWS("device=a|port=1|state=Active|bandwidth==90"));
	step_add(&step, "node-05", ROWS("device=a|port=1|state=Active|bandwidth==nan"));
	step_judge(&step);
	said(&step.judgements[0], VERDICT_PASS, NULL);
	said(&step.judgements[1], VERDICT_PASS, NULL);
	said(&step.judgements[2], VERDICT_PASS, NULL);
	said(&step.judgements[3], VERDICT_FAIL,
	     "a port 1: bandwidth is 90 Gb/s, expected within 5 % of the median 99 Gb/s or higher (site.yaml:2:21)");
	said(&step.judgements[4], VERDICT_ERROR,
	     "a port 1: bandwidth is nan Gb/s, which is no number; expected within 5 % of the median 99 Gb/s or higher "
	     "(site.yaml:2:21)");
}

static void test_many_findings(void **state)
{
	AUTO_STEP struct step step = {0};
	struct observation *observation;

	step.spec = lab_spec(&step.lab, "expect: {lid: 1}");
	observation = step_add(&step, "", NO_ROWS);
	for (int i = 0; i < 150; i++)
		lab_row(observation->tables[0], "device=a|port=1|lid=?");
	for (int i = 0; i < 250; i++)
		lab_row(observation->tables[0], "device=b|port=1|lid=2");
	step_judge(&step);
	said(&step.judgements[0], VERDICT_FAIL,
	     "b port 1: lid is 2, expected 1 (site.yaml:1:15); 250 of 400 rows, and 150 could not be judged");
	assert_int_equal(step.judgements[0].nfindings, FINDINGS_KEPT);
	assert_int_equal(step.judgements[0].offending_rows, 400);
	assert_int_equal(step.judgements[0].findings[FINDINGS_KEPT - 1].verdict, VERDICT_FAIL);
}

/* Observed bytes must not end a sentence early, nor flood it. */
static void test_hostile_text(void **state)
{
	AUTO_STEP struct step step = {0};
	struct value *row;
	char expected[2 * WORDS_LONGEST];
	char *flood;

	step.spec = lab_spec(&step.lab, "expect: {description: leaf-*}");
	step_add(&step, "", ROWS("device=a|port=1|description==x", "device=a|port=2|description==x"));
	row = step.observations[0]->tables[0]->cells;
	row[9] = (struct value){.state = VALUE_SET, .length = 3, .text = "a\0b"};
	flood = arena_alloc(&step.observations[0]->tables[0]->arena, 100001);
	memset(flood, 'x', 100000);
	row[19 + 9] = (struct value){.state = VALUE_SET, .length = 100000, .text = flood};
	step_judge(&step);
	said(&step.judgements[0], VERDICT_FAIL,
	     "a port 1: description is 'a\\x00b', expected leaf-* (site.yaml:1:23); 2 of 2 rows");
	assert_string_equal(step.judgements[0].findings[0].observed, "a\\x00b");
	snprintf(expected, sizeof(expected), "a port 2: description is %.*s..., expected leaf-*", WORDS_LONGEST, flood);
	assert_string_equal(step.judgements[0].findings[1].sentence, expected);
	assert_int_equal(strlen(step.judgements[0].findings[1].observed), 4096 + 3);
}

static void test_long_list(void **state)
{
	AUTO_STEP struct step step = {0};
	struct value items[500];
	struct value *row;

	for (int i = 0; i < 500; i++)
		items[i] = (struct value){.state = VALUE_SET, .integer = 1000};
	step.spec = lab_spec(&step.lab, "expect: {mtus: 5}");
	step_add(&step, "", ROWS("device=a|port=1"));
	row = step.observations[0]->tables[0]->cells;
	row[11] = (struct value){.state = VALUE_SET, .length = 500, .items = items};
	step_judge(&step);
	/* "[" and 50 times "1000, " are 301 bytes: then it is enough. */
	assert_int_equal(strlen(step.judgements[0].findings[0].sentence),
			 strlen("a port 1: mtus is ") + 301 + strlen("... 500 in all], expected 5"));
	assert_non_null(strstr(step.judgements[0].findings[0].sentence, "1000, ... 500 in all], expected 5"));
}

static int keeps(const char *yaml, const char *const *rows, const char *incomplete, const char *expected)
{
	AUTO_LAB struct lab lab = {0};
	struct observation *observation = lab_observation(rows);
	AUTO_FREE char *why = NULL;
	struct judge_spec spec;
	int result;

	observation->incomplete = incomplete ? xstrdup(incomplete) : NULL;
	assert_int_equal(judge_compile_when(&lab.text, &lab.arena, &lab_source, &lab_probe, lab_parse(&lab, yaml),
					    &spec, &lab.diags),
			 0);
	result = judge_keeps_rows(&spec, observation, &why);
	assert_string_equal(why ? why : "", expected ? expected : "");
	observation_unref(observation);
	return result;
}

static void test_when(void **state)
{
	AUTO_FREE char *why = NULL;
	AUTO_LAB struct lab lab = {0};
	struct judge_spec spec = lab_spec(&lab, "count: 1");
	struct observation *observation = lab_observation(NO_ROWS);

	assert_int_equal(keeps("where: {state: Active}", ROWS("state=Down", "state=Active"), NULL, NULL), 1);
	assert_int_equal(keeps("where: {state: Active}", ROWS("state=Down"), NULL, NULL), 0);
	assert_int_equal(keeps("device: mlx5_0", ROWS("state=Down"), NULL, NULL), 1);
	assert_int_equal(keeps("device: mlx5_0", NO_ROWS, NULL, NULL), 0);
	assert_int_equal(keeps("where: {state: Active}", ROWS("state=?", "state=Active"), NULL, NULL), 1);
	assert_int_equal(keeps("where: {state: Active}", ROWS("device=a|port=1|state=?", "state=Down"), NULL,
			       "a port 1: state was not observed; 'where' cannot tell whether it is Active"),
			 -1);
	assert_int_equal(keeps("where: {state: Active}", ROWS("state=Active"), "half is missing", NULL), 1);
	assert_int_equal(keeps("where: {state: Active}", ROWS("state=Down"), "half is missing",
			       "the observation is incomplete: half is missing"),
			 -1);
	assert_int_equal(
		keeps("allow_partial: yes\nwhere: {state: Active}", ROWS("state=Down"), "half is missing", NULL), 0);
	observation->error = xstrdup("no such device");
	assert_int_equal(judge_keeps_rows(&spec, observation, &why), -1);
	assert_string_equal(why, "no such device");
	observation_unref(observation);
}

static const struct variable later_names[] = {{.name = "device", .value = NULL}};
static const struct scope later = {.items = later_names, .count = 1};

/* What hangs on the host is checked when the host is known; all around it is checked at once. */
static void test_later(void **state)
{
	AUTO_LAB struct lab lab = {0};
	struct judge_spec spec;
	const struct node *map = lab_parse(&lab, "where: {device: $(device)}\n"
						 "expect:\n"
						 "  lid: $(device)\n"
						 "  port: {min: $(device), max: 3}\n"
						 "  description: [{matches: $(device)}, {is: $(device)}]\n"
						 "  bandwidth: {within: $(device), of: $(device), missing: $(device)}\n"
						 "  state: {exists: $(device)}\n"
						 "  mtus: {all: {not: $(device)}}\n"
						 "count: {min: $(device)}\n"
						 "allow_partial: $(device)\n");

	map = text_resolve(&lab.text, &lab.arena, map, &later, &lab.diags);
	assert_int_equal(judge_compile(&lab.text, &lab.arena, &lab_source, &lab_probe, map, &spec, &lab.diags), 0);
	assert_int_equal(lab.diags.errors, 0);
}

static void test_later_still_checks_the_rest(void **state)
{
	AUTO_LAB struct lab lab = {0};
	struct judge_spec spec;
	const struct node *map = lab_parse(&lab, "expect:\n"
						 "  lid: [$(device), one]\n"
						 "  bandwidth: {within: $(device), of: fast}\n"
						 "same: [$(device)]\n"
						 "observe_only: $(device)\n");

	map = text_resolve(&lab.text, &lab.arena, map, &later, &lab.diags);
	assert_int_equal(judge_compile(&lab.text, &lab.arena, &lab_source, &lab_probe, map, &spec, &lab.diags),
			 -EINVAL);
	assert_int_equal(lab.diags.errors, 3);
	assert_string_equal(lab.diags.items[0].text, "lid: 'one' is not an integer");
	assert_string_equal(lab.diags.items[2].text,
			    "'same' compares all hosts: its facts cannot differ from host to host");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pass),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_sentences_of_fails),
		cmocka_unit_test(test_sentences_of_errors),
		cmocka_unit_test(test_fail_before_error),
		cmocka_unit_test(test_no_row),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_where_unjudged),
		cmocka_unit_test(test_not_observed),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_many_findings),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_long_list),
		cmocka_unit_test(test_when),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_later_still_checks_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
