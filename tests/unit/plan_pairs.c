/* SPDX-License-Identifier: BSD-2-Clause */
/* From "between" to observations. */
#include <errno.h>

#include "lab/lab.h"

#define HEAD                                                                                                           \
	"rdmaspec: 1\n"                                                                                                \
	"hosts:\n"                                                                                                     \
	"  - {name: \"node-[01-03]\", device: mlx5_0}\n"                                                               \
	"  - {name: node-04, device: rxe0}\n"                                                                          \
	"steps:\n"

static void labels_are(const struct plan_step *step, const char *const *labels)
{
	size_t count = 0;

	for (; labels[count]; count++) {
		assert_true(count < step->nparts);
		assert_string_equal(step->parts[count].label, labels[count]);
	}
	assert_int_equal(step->nparts, count);
}

#define LABELS(step, ...) labels_are(step, (const char *const[]){__VA_ARGS__, NULL})

static const struct plan_observe *observed(const struct plan *plan, size_t step, size_t part)
{
	return &plan->observes[plan->steps[step].parts[part].observe];
}

static void test_both_ends_are_named(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "  - between: {client: node-01, server: node-02, directions: both}\n"
			    "    lab.pair: {observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	LABELS(&plan->steps[0], "node-01→node-02", "node-02→node-01");
	assert_int_equal(plan->steps[0].rounds, 2);
	assert_int_equal(plan->steps[0].parts[1].round, 1);
	assert_int_equal(plan->steps[0].groups, 0);
	assert_int_equal(plan->nobserves, 2);
	assert_int_equal(observed(plan, 0, 1)->host, observed(plan, 0, 0)->server);
}

static void test_each_end_has_its_own_variables(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf key = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "  - between: {hosts: \"node-[02-04]\", pattern: ring}\n"
			    "    lab.pair: {device: $(device), expect: {port: 1}}\n");
	plan = lab_plan(&lab, NULL);
	LABELS(&plan->steps[0], "node-02→node-03", "node-03→node-04", "node-04→node-02");
	assert_non_null(strstr(observed(plan, 0, 1)->params, "mlx5_0"));
	assert_non_null(strstr(observed(plan, 0, 1)->server_params, "rxe0"));
	/* what is equal is kept once */
	assert_ptr_equal(observed(plan, 0, 0)->params, observed(plan, 0, 0)->server_params);
	assert_ptr_equal(observed(plan, 0, 2)->params, observed(plan, 0, 1)->server_params);
	plan_key(plan, plan->steps[0].parts[1].observe, &key);
	assert_string_equal(key.data, "node-03→node-04 lab.pair {\"device\":\"mlx5_0\"} {\"device\":\"rxe0\"}");
}

/* Pair after pair, so that hosts are free for others as soon as they can be. */
static void test_values_of_each(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "  - between: {hosts: \"node-[01-04]\", pattern: halves}\n"
			    "    each: {port: [1, 2]}\n"
			    "    lab.pair: {port: $(port), observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	LABELS(&plan->steps[0], "node-01→node-03 port=1", "node-01→node-03 port=2", "node-02→node-04 port=1",
	       "node-02→node-04 port=2");
}

static void test_crossed_values(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "  - between: {client: node-01, server: node-04, cross: true}\n"
			    "    each: {port: [1, 2]}\n"
			    "    lab.pair: {port: $(port), expect: {port: $(port)}}\n");
	plan = lab_plan(&lab, NULL);
	LABELS(&plan->steps[0], "node-01→node-04 port=1→1", "node-01→node-04 port=1→2", "node-01→node-04 port=2→1",
	       "node-01→node-04 port=2→2");
	assert_string_equal(observed(plan, 0, 1)->params, "{\"port\":\"1\"}");
	assert_string_equal(observed(plan, 0, 1)->server_params, "{\"port\":\"2\"}");
	/* what is expected is the client's */
	assert_ptr_equal(plan->steps[0].parts[0].spec, plan->steps[0].parts[1].spec);
	assert_ptr_not_equal(plan->steps[0].parts[1].spec, plan->steps[0].parts[2].spec);
}

static void test_all_to_one_is_one_operation(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf key = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "  - between: {hosts: \"node-[01-03]\", pattern: all_to_one, directions: both}\n"
			    "    each: {port: [1, 2]}\n"
			    "    lab.pair: {port: $(port), observe_only: true}\n"
			    "  - between: {client: node-02, server: node-01}\n"
			    "    lab.pair: {port: 1, observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	LABELS(&plan->steps[0], "node-02→node-01 port=1", "node-03→node-01 port=1", "node-02→node-01 port=2",
	       "node-03→node-01 port=2", "node-01→node-02 port=1", "node-01→node-03 port=1", "node-01→node-02 port=2",
	       "node-01→node-03 port=2");
	assert_int_equal(plan->steps[0].groups, 4);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(plan->steps[0].parts[i].group, i / 2 + 1);
		assert_int_equal(plan->steps[0].parts[i].round, i / 4);
		assert_int_equal(observed(plan, 0, i)->at_once, 2);
	}
	/* beside others a pair is another observation than by itself */
	assert_int_not_equal(plan->steps[0].parts[0].observe, plan->steps[1].parts[0].observe);
	plan_key(plan, plan->steps[0].parts[0].observe, &key);
	assert_string_equal(key.data, "node-02→node-01 (of 2 at once) lab.pair {\"port\":\"1\"}");
}

/* A host's mistake is said once, however many pairs it is in. */
static void test_a_mistake_is_said_once(void **state)
{
	AUTO_LAB struct lab lab = {0};

	lab_good(&lab, "rdmaspec: 1\n"
		       "hosts: [{name: \"node-[01-20]\", device: \"1\"}, {name: node-21, device: x}]\n"
		       "steps:\n"
		       "  - between: {hosts: \"node-[01-21]\", pattern: all_pairs}\n"
		       "    lab.pair: {port: $(device), observe_only: true}\n");
	assert_int_equal(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags), -EINVAL);
	assert_int_equal(lab.diags.errors, 1);
	assert_non_null(strstr(lab_said(&lab), "port: 'x' is not an integer"));
	assert_non_null(strstr(lab_said(&lab), "node-21"));
}

/* 1,024 * 1,023 / 2 = 523,776 pairs in 1,023 rounds a direction. */
static void test_a_thousand_hosts(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;
	const struct plan_step *step;

	lab_good(&lab, "rdmaspec: 1\n"
		       "hosts: [{name: \"node-[0001-1024]\", device: mlx5_0}]\n"
		       "steps:\n"
		       "  - between: {hosts: \"node-[0001-1024]\", pattern: all_pairs, directions: both}\n"
		       "    lab.pair: {device: $(device), observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	step = &plan->steps[0];
	assert_int_equal(step->nparts, 2 * 523776);
	assert_int_equal(plan->nobserves, 2 * 523776);
	assert_int_equal(plan->nhosts, 1024);
	assert_int_equal(step->rounds, 2 * 1023);
	for (size_t i = 0; i < step->nparts; i++)
		assert_int_equal(step->parts[i].round, i / 512);
}

static void test_too_many(void **state)
{
	AUTO_LAB struct lab lab = {0};

	/* 4,473 * 4,472 / 2 = 10,001,628; of one host less there are 9,997,156 */
	assert_int_equal(lab_load(&lab, "rdmaspec: 1\nhosts: [{name: \"n-[1-4473]\"}]\nsteps:\n"
					"  - between: {hosts: \"n-[1-4473]\", pattern: all_pairs}\n"
					"    lab.pair: {observe_only: true}\n"),
			 -EINVAL);
	assert_non_null(strstr(lab_said(&lab), "4:22: error: all_pairs of 4473 hosts: more than 10000000 pairs\n"));
}

static void test_too_many_with_each(void **state)
{
	AUTO_LAB struct lab lab = {0};

	lab_good(&lab, "rdmaspec: 1\nhosts: [{name: \"n-[1-4472]\"}]\nsteps:\n"
		       "  - between: {hosts: \"n-[1-4472]\", pattern: all_pairs}\n"
		       "    each: {port: [1, 2]}\n"
		       "    lab.pair: {port: $(port), observe_only: true}\n");
	assert_int_equal(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags), -EINVAL);
	assert_non_null(strstr(lab_said(&lab), "the plan has more than 10000000 observations"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ends_are_named),
		cmocka_unit_test(test_each_end_has_its_own_variables),
		cmocka_unit_test(test_values_of_each),
		cmocka_unit_test(test_crossed_values),
		cmocka_unit_test(test_all_to_one_is_one_operation),
		cmocka_unit_test(test_a_mistake_is_said_once),
		cmocka_unit_test(test_a_thousand_hosts),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_too_many_with_each),
	};

	return cmocka_run_group_tests_name("plan_pairs", tests, NULL, NULL);
}
