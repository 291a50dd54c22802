/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run comes to: exit statuses, the days of a waiver, the names of cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "run/internal.h"

struct given {
	enum verdict verdict;
	bool gating;
};

/* The status of a run of these cases, each a step of its own. */
static int status(int signal, const struct given *given, size_t count)
{
	struct result_case cases[8] = {0};
	struct result_step steps[8] = {0};
	struct result result = {.steps = steps, .nsteps = count, .signal = signal};

	assert_true(count <= 8);
	for (size_t i = 0; i < count; i++) {
		cases[i].verdict = given[i].verdict;
		cases[i].gating = given[i].gating;
		steps[i].cases = &cases[i];
		steps[i].ncases = 1;
		result.gating_judged +=
			given[i].gating && (given[i].verdict == VERDICT_PASS || given[i].verdict == VERDICT_FAIL);
	}
	return result_exit_status(&result);
}

#define STATUS(signal, ...)                                                                                            \
	status(signal, (const struct given[]){__VA_ARGS__},                                                            \
	       sizeof((const struct given[]){__VA_ARGS__}) / sizeof(struct given))
#define PASS                                                                                                           \
	{                                                                                                              \
		VERDICT_PASS, true                                                                                     \
	}
#define FAIL                                                                                                           \
	{                                                                                                              \
		VERDICT_FAIL, true                                                                                     \
	}
#define ERROR                                                                                                          \
	{                                                                                                              \
		VERDICT_ERROR, true                                                                                    \
	}
#define UNMET                                                                                                          \
	{                                                                                                              \
		VERDICT_SKIP, true                                                                                     \
	}
#define SKIP                                                                                                           \
	{                                                                                                              \
		VERDICT_SKIP, false                                                                                    \
	}
#define WAIVED                                                                                                         \
	{                                                                                                              \
		VERDICT_WAIVED, false                                                                                  \
	}
#define WARNING                                                                                                        \
	{                                                                                                              \
		VERDICT_FAIL, false                                                                                    \
	}
#define WARNING_ERROR                                                                                                  \
	{                                                                                                              \
		VERDICT_ERROR, false                                                                                   \
	}
#define WARNING_PASS                                                                                                   \
	{                                                                                                              \
		VERDICT_PASS, false                                                                                    \
	}

static void exit_statuses(void **state)
{
	assert_int_equal(STATUS(0, PASS), 0);
	assert_int_equal(STATUS(0, PASS, SKIP, WAIVED, WARNING, WARNING_ERROR), 0);
	/* A fail beats whatever could not be judged. */
	assert_int_equal(STATUS(0, PASS, FAIL), 1);
	assert_int_equal(STATUS(0, ERROR, FAIL, UNMET), 1);
	assert_int_equal(STATUS(0, PASS, ERROR), 2);
	assert_int_equal(STATUS(0, ERROR), 2);
	/* A gating step that was skipped for an unmet need counts as one that could not be judged. */
	assert_int_equal(STATUS(0, PASS, UNMET), 2);
	assert_int_equal(STATUS(0, UNMET, ERROR), 2);
	/* Nothing that gates was judged: empty, all skipped, all waived, only warnings. */
	assert_int_equal(status(0, NULL, 0), 3);
	assert_int_equal(STATUS(0, SKIP, SKIP), 3);
	assert_int_equal(STATUS(0, UNMET, WARNING), 3);
	assert_int_equal(STATUS(0, WAIVED), 3);
	assert_int_equal(STATUS(0, WARNING_PASS, WARNING), 3);
}

static void signals_come_before_verdicts(void **state)
{
	assert_int_equal(STATUS(2, FAIL), 130);
	assert_int_equal(STATUS(15, PASS), 143);
	assert_int_equal(STATUS(1, UNMET), 129);
}

static time_t at(int year, int month, int day, int hour, int minute, int second)
{
	struct tm utc = {.tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_hour = hour,
			 .tm_min = minute,
			 .tm_sec = second};

	return timegm(&utc);
}

static void days_of_a_waiver(void **state)
{
	static const char *const zones[] = {"UTC", "Pacific/Kiritimati", "Etc/GMT+12"};
	const struct scenario_waiver ends = {.reason = "r", .until = "2027-01-31"};
	const struct scenario_waiver leap = {.reason = "r", .until = "2028-02-29"};
	const struct scenario_waiver endless = {.reason = "r"};

	/* UTC, whatever the zone of the machine. */
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++) {
		setenv("TZ", zones[i], 1);
		tzset();
		assert_true(result_waiver_holds(&ends, at(2027, 1, 30, 12, 0, 0)));
		assert_true(result_waiver_holds(&ends, at(2027, 1, 31, 0, 0, 0)));
		assert_true(result_waiver_holds(&ends, at(2027, 1, 31, 23, 59, 59)));
		assert_false(result_waiver_holds(&ends, at(2027, 2, 1, 0, 0, 0)));
		assert_false(result_waiver_holds(&ends, at(2030, 1, 1, 0, 0, 0)));
		assert_true(result_waiver_holds(&leap, at(2028, 2, 29, 12, 0, 0)));
		assert_false(result_waiver_holds(&leap, at(2028, 3, 1, 0, 0, 0)));
		assert_true(result_waiver_holds(&endless, at(2099, 1, 1, 0, 0, 0)));
	}
	unsetenv("TZ");
	tzset();
}

static const struct judge_spec plain = {0};
static const struct judge_spec same = {.same = {.count = 1}};

static void names_of_cases(void **state)
{
	struct scenario scenarios[2] = {0};
	struct plan_part none[] = {{.label = "", .spec = &plain}};
	struct plan_part two[] = {{.label = "node-01", .spec = &same}, {.label = "node-02", .spec = &same}};
	const struct scenario_step lone = {.id = "sm", .name = "a name", .repeat = 1};
	const struct scenario_step unnamed = {.name = "links are up", .repeat = 1, .warning = true};
	const struct scenario_step often = {.id = "bw", .name = "bandwidth", .repeat = 2};
	struct plan_step steps[] = {
		{.scenario = &scenarios[0], .step = &lone, .parts = none, .nparts = 1},
		{.scenario = &scenarios[0], .step = &unnamed, .parts = two, .nparts = 2},
		{.scenario = &scenarios[0], .step = &unnamed, .parts = two, .nparts = 2},
		{.scenario = &scenarios[1], .step = &unnamed, .parts = none, .nparts = 1},
		{.scenario = &scenarios[1], .step = &often, .parts = two, .nparts = 2},
		{.scenario = &scenarios[1], .step = &often, .parts = none, .nparts = 1},
	};
	static const char *const expected[] = {
		"sm",
		"links are up [node-01]",
		"links are up [node-02]",
		"links are up [all hosts]",
		"links are up [node-01] #2",
		"links are up [node-02] #2",
		"links are up [all hosts] #2",
		"links are up",
		"bw [node-01] run 1",
		"bw [node-01] run 2",
		"bw [node-02] run 1",
		"bw [node-02] run 2",
		"bw [all hosts] run 1",
		"bw [all hosts] run 2",
		"bw run 1",
		"bw run 2",
	};
	struct plan plan = {.steps = steps, .nsteps = sizeof(steps) / sizeof(*steps)};
	struct result result = {0};
	size_t n = 0;

	cases_init(&result, &plan);
	for (size_t i = 0; i < result.nsteps; i++) {
		for (size_t j = 0; j < result.steps[i].ncases; j++, n++) {
			const struct result_case *item = &result.steps[i].cases[j];

			assert_true(n < sizeof(expected) / sizeof(*expected));
			assert_string_equal(item->name, expected[n]);
			assert_int_equal(item->across, strstr(item->name, "[all hosts]") != NULL);
			assert_int_equal(item->gating, steps[i].step != &unnamed);
		}
	}
	assert_int_equal(n, sizeof(expected) / sizeof(*expected));
	result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_statuses),
		cmocka_unit_test(signals_come_before_verdicts),
		cmocka_unit_test(days_of_a_waiver),
		cmocka_unit_test(names_of_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
