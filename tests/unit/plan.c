/* SPDX-License-Identifier: BSD-2-Clause */
/* From scenarios to observations. */
#include "lab/lab.h"

#define HEAD "rdmaspec: 1\n"
#define HOSTS                                                                                                          \
	"hosts:\n"                                                                                                     \
	"  - {name: \"node-[01-03]\", device: mlx5_0}\n"                                                               \
	"  - {name: node-04, device: rxe0, address: 10.0.0.4}\n"

/* A member of the canonical parameters, which is "" where it is not there. */
static const char *param(const struct plan *plan, size_t step, size_t part, const char *key)
{
	static char text[64];
	const char *params = plan->observes[plan->steps[step].parts[part].observe].params, *at;
	AUTO_FREE char *pattern = xasprintf("\"%s\":\"", key);

	at = strstr(params, pattern);
	snprintf(text, sizeof(text), "%.*s", at ? (int)strcspn(at + strlen(pattern), "\"") : 0,
		 at ? at + strlen(pattern) : "");
	return text;
}

static const char *host_of(const struct plan *plan, size_t step, size_t part)
{
	return plan->hosts[plan->observes[plan->steps[step].parts[part].observe].host].host->name;
}

static void a_host_probe_runs_on_every_host(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD HOSTS "steps:\n"
				  "  - lab.ports: {device: $(device), expect: {state: Active}}\n"
				  "  - hosts: node-[03-04]\n"
				  "    lab.ports: {expect: {state: Active}}\n");
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->nsteps, 2);
	assert_int_equal(plan->nhosts, 4);
	assert_int_equal(plan->steps[0].nparts, 4);
	assert_int_equal(plan->nobserves, 6); /* four with a device, two without */
	assert_string_equal(plan->steps[0].parts[1].label, "node-02");
	assert_string_equal(host_of(plan, 0, 1), "node-02");
	assert_string_equal(param(plan, 0, 2, "device"), "mlx5_0");
	assert_string_equal(param(plan, 0, 3, "device"), "rxe0");
	assert_int_equal(plan->steps[1].nparts, 2);
	assert_string_equal(host_of(plan, 1, 0), "node-03");
	/* what is expected is the same everywhere, and compiled once */
	assert_ptr_equal(plan->steps[0].parts[0].spec, plan->steps[0].parts[3].spec);
	assert_true(plan->steps[0].parts[0].when == SIZE_MAX);
	assert_null(plan->steps[0].parts[0].when_spec);
}

static void a_fabric_probe_runs_on_the_first_host(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD HOSTS "steps:\n"
				  "  - lab.links: {observe_only: true}\n"
				  "  - lab.nodes: {observe_only: true}\n"
				  "  - each: {port: [1, 2]}\n"
				  "    lab.nodes: {port: $(port), observe_only: true}\n"
				  "  - hosts: node-[02-03]\n"
				  "    lab.links: {observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->steps[0].nparts, 1);
	assert_string_equal(host_of(plan, 0, 0), "node-01");
	/* one sweep fills both tables: bit 0 is lab.nodes, bit 1 lab.links */
	assert_int_equal(plan->steps[0].parts[0].observe, plan->steps[1].parts[0].observe);
	assert_int_equal(plan->observes[plan->steps[0].parts[0].observe].wanted, 3);
	assert_int_equal(plan->steps[2].nparts, 2);
	assert_string_equal(host_of(plan, 2, 1), "node-01");
	assert_int_equal(plan->observes[plan->steps[2].parts[1].observe].wanted, 1);
	assert_int_equal(plan->steps[3].nparts, 2);
	assert_string_equal(host_of(plan, 3, 1), "node-03");
	assert_int_equal(plan->nobserves, 1 + 2 + 2);
	assert_int_equal(plan->nhosts, 3); /* nobody asks node-04 */
}

static void equal_parameters_are_one_observation(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf key = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "steps:\n"
			    "  - lab.ports: {size: 64 KiB, observe_only: true}\n"
			    "  - lab.ports: {mode: fast, size: 65536 B, expect: {lid: 1}}\n"
			    "  - lab.ports: {mode: slow, size: 64 KiB, expect: {lid: 1}}\n");
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->nobserves, 2); /* "fast" is the default */
	assert_int_equal(plan->steps[0].parts[0].observe, plan->steps[1].parts[0].observe);
	assert_string_equal(plan->steps[0].parts[0].label, "");
	plan_key(plan, 0, &key);
	assert_true(!strncmp(key.data, "localhost lab.ports {", 21));
	assert_string_equal(plan->observes[0].params, strchr(key.data, '{'));
}

static void each_repeats_a_step(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD HOSTS
		 "steps:\n"
		 "  - hosts: node-[01-02]\n"
		 "    each: {device: \"mlx5_[0-1]\", port: [7, 9]}\n"
		 "    lab.ports: {device: $(device), port: $(port), expect: {port: $(port), state: Active}}\n");
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->steps[0].nparts, 4);
	assert_string_equal(plan->steps[0].parts[0].label, "node-01 device=mlx5_0 port=7");
	assert_string_equal(plan->steps[0].parts[1].label, "node-01 device=mlx5_1 port=9");
	assert_string_equal(plan->steps[0].parts[2].label, "node-02 device=mlx5_0 port=7");
	assert_string_equal(param(plan, 0, 1, "port"), "9");
	assert_string_equal(param(plan, 0, 2, "device"), "mlx5_0");
	assert_ptr_not_equal(plan->steps[0].parts[0].spec, plan->steps[0].parts[1].spec);
	assert_int_equal(plan->steps[0].parts[0].spec->nexpect, 2);
}

static void each_alone_is_the_label(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "steps:\n"
			    "  - each: {port: [1, 2]}\n"
			    "    lab.ports: {port: $(port), observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	assert_string_equal(plan->steps[0].parts[1].label, "port=2");
}

/* "each" goes before --set, --set before the host's keys, and these before the file's variables. */
static void the_order_of_variables(void **state)
{
	static const char steps[] = "steps:\n"
				    "  - lab.ports: {device: $(device), observe_only: true}\n"
				    "  - each: {device: [of-each]}\n"
				    "    lab.ports: {device: $(device), observe_only: true}\n";
	AUTO_FREE char *yaml =
		xasprintf(HEAD "vars: {device: of-vars}\nhosts: [{name: a, device: of-host}, {name: b}]\n%s", steps);
	const struct plan *plan;

	{
		AUTO_LAB struct lab lab = {0};

		lab_good(&lab, yaml);
		plan = lab_plan(&lab, NULL);
		assert_string_equal(param(plan, 0, 0, "device"), "of-host");
		assert_string_equal(param(plan, 0, 1, "device"), "of-vars");
		assert_string_equal(param(plan, 1, 0, "device"), "of-each");
	}
	{
		AUTO_LAB struct lab lab = {0};

		strings_add(&lab.set, "device=of-set");
		lab_good(&lab, yaml);
		plan = lab_plan(&lab, NULL);
		assert_string_equal(param(plan, 0, 0, "device"), "of-set");
		assert_string_equal(param(plan, 0, 1, "device"), "of-set");
		assert_string_equal(param(plan, 1, 1, "device"), "of-each");
	}
}

static void a_variable_that_uses_a_hosts_key(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD "vars: {which: $(host)-$(device)}\n" HOSTS "steps:\n"
			    "  - lab.ports: {device: $(which)-$$, observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	assert_string_equal(param(plan, 0, 1, "device"), "node-02-mlx5_0-$");
	assert_string_equal(param(plan, 0, 3, "device"), "node-04-rxe0-$");
}

static void when_is_observed_where_the_step_runs(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD HOSTS "steps:\n"
				  "  - hosts: node-[02-03]\n"
				  "    when: {lab.ports: {device: $(device), where: {state: Active}}}\n"
				  "    lab.speed: {observe_only: true}\n"
				  "  - when: {lab.nodes: {where: {device: $(device)}}}\n"
				  "    lab.ports: {observe_only: true}\n");
	plan = lab_plan(&lab, NULL);
	assert_string_equal(plan->hosts[plan->observes[plan->steps[0].parts[1].when].host].host->name, "node-03");
	assert_ptr_equal(plan->steps[0].parts[0].when_spec, plan->steps[0].parts[1].when_spec);
	/* the fabric is asked from the first host for all of them */
	assert_int_equal(plan->steps[1].nparts, 4);
	assert_int_equal(plan->steps[1].parts[0].when, plan->steps[1].parts[3].when);
	assert_string_equal(plan->hosts[plan->observes[plan->steps[1].parts[3].when].host].host->name, "node-01");
}

static const char needs[] = HEAD "steps:\n"
				 "  - {id: a, needs: [c], tags: [x], lab.ports: {observe_only: true}}\n"
				 "  - {id: b, tags: [y], lab.ports: {observe_only: true}}\n"
				 "  - {id: c, name: the third, needs: [d, b], lab.ports: {observe_only: true}}\n"
				 "  - {id: d, tags: [x, z], lab.ports: {observe_only: true}}\n";

static void assert_order(const struct plan *plan, const char *ids)
{
	AUTO_BUF struct buf order = {0};

	for (size_t i = 0; i < plan->nsteps; i++)
		buf_puts(&order, plan->steps[i].step->id);
	assert_string_equal(order.length ? order.data : "", ids);
}

static void needs_come_first(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, needs);
	plan = lab_plan(&lab, NULL);
	assert_order(plan, "dbca");
	assert_int_equal(plan->filtered, 0);
	assert_int_equal(plan->steps[2].nneeds, 2);
	assert_int_equal(plan->steps[2].needs[0], 0);
	assert_int_equal(plan->steps[2].needs[1], 1);
	assert_int_equal(plan->steps[3].needs[0], 2);
}

struct filtering {
	const char *tag, *skip, *step, *ids;
	size_t left_out;
};

static void filters(void **state)
{
	static const struct filtering cases[] = {
		{.tag = "y", .ids = "b", .left_out = 3},
		{.tag = "x", .ids = "dbca"},
		{.tag = "z", .ids = "d", .left_out = 3},
		{.skip = "x", .ids = "bdc", .left_out = 1}, /* d is needed */
		{.tag = "x", .skip = "z", .ids = "dbca"},
		{.step = "c", .ids = "dbc", .left_out = 1},
		{.step = "the *", .ids = "dbc", .left_out = 1},
		{.step = "[bd]", .ids = "bd", .left_out = 2},
		{.step = "b", .tag = "x", .ids = "", .left_out = 4},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_LAB struct lab lab = {0};
		struct plan_filter filter = {0};
		const struct plan *plan;

		if (cases[i].tag)
			strings_add(&filter.tags, cases[i].tag);
		if (cases[i].skip)
			strings_add(&filter.skip_tags, cases[i].skip);
		if (cases[i].step)
			strings_add(&filter.steps, cases[i].step);
		lab_good(&lab, needs);
		plan = lab_plan(&lab, &filter);
		assert_order(plan, cases[i].ids);
		assert_int_equal(plan->filtered, cases[i].left_out);
		for (size_t j = 0; j < plan->nsteps; j++)
			if (cases[i].step && !strcmp(cases[i].step, "c"))
				assert_int_equal(plan->steps[j].pulled, strcmp(plan->steps[j].step->id, "c") != 0);
		strings_free(&filter.tags);
		strings_free(&filter.skip_tags);
		strings_free(&filter.steps);
	}
}

static void filters_that_nothing_matches(void **state)
{
	AUTO_LAB struct lab lab = {0};
	struct plan_filter filter = {0};

	strings_add(&filter.tags, "perf");
	strings_add(&filter.skip_tags, "w");
	strings_add(&filter.steps, "the thrid");
	lab_good(&lab, needs);
	assert_true(plan_build(&lab.plan, lab.list, lab.count, &filter, &lab.diags) < 0);
	assert_string_equal(lab_said(&lab),
			    "error: --tags: no step has the tag 'perf'\n"
			    "warning: --skip-tags: no step has the tag 'w'\n"
			    "error: --step: no step is called 'the thrid'; did you mean 'the third'?\n");
	strings_free(&filter.tags);
	strings_free(&filter.skip_tags);
	strings_free(&filter.steps);
}

static void several_scenarios_share_hosts(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct plan *plan;

	lab_good(&lab, HEAD HOSTS "steps: [{id: a, lab.ports: {observe_only: true}}]\n");
	lab_good(&lab, HEAD "hosts: [{name: \"node-[01-02]\", device: mlx5_0}, {name: other}]\n"
			    "steps: [{id: a, lab.ports: {expect: {state: Active}}}]\n");
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->nhosts, 5);
	assert_int_equal(plan->nobserves, 5);
	assert_int_equal(plan->steps[0].parts[1].observe, plan->steps[1].parts[1].observe);
	assert_ptr_equal(plan->steps[1].scenario, lab.list[1]);
}

static void several_scenarios_disagree_about_a_host(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_FREE char *expected = NULL;

	lab_good(&lab, HEAD HOSTS "steps: [{lab.ports: {observe_only: true}}]\n");
	lab_good(&lab, HEAD "hosts:\n"
			    "  - name: node-04\n"
			    "    device: rxe1\n"
			    "steps: [{lab.ports: {observe_only: true}}]\n");
	assert_true(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags) < 0);
	expected = xasprintf("%s:3:11: error: host 'node-04' is another one here than at %s:4:12\n",
			     lab.scenarios[1].text.files[0].path, lab.scenarios[0].text.files[0].path);
	assert_string_equal(lab_said(&lab), expected);
}

static void localhost_may_be_two_hosts(void **state)
{
	AUTO_LAB struct lab lab = {0};

	lab_good(&lab, HEAD "steps: [{lab.ports: {observe_only: true}}]\n");
	lab_good(&lab, HEAD "hosts: [{name: localhost}]\nsteps: [{lab.ports: {observe_only: true}}]\n");
	assert_int_equal(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags), 0);
	plan_free(&lab.plan);
	lab_good(&lab, HEAD "hosts: [{name: localhost, connect: simulated}]\n"
			    "steps: [{lab.ports: {observe_only: true}}]\n");
	assert_true(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags) < 0);
	assert_non_null(strstr(lab_said(&lab), "which has no 'hosts' and runs on the local machine"));
}

/* A thousand hosts with the same mistake are one message. */
static void a_mistake_of_many_hosts_is_said_once(void **state)
{
	AUTO_LAB struct lab lab = {0};

	lab_good(&lab, HEAD "hosts: [{name: \"n[1-1000]\"}]\n"
			    "steps:\n"
			    "  - each: {port: [1, 300]}\n"
			    "    lab.ports: {port: $(port), observe_only: true}\n");
	assert_true(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags) < 0);
	assert_int_equal(lab.diags.errors, 1);
	assert_non_null(strstr(lab_said(&lab), ":5:23: error: "));
	assert_non_null(strstr(lab_said(&lab), "(on n[1-1000])\n"));
}

static void a_long_chain(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf yaml = {0};
	const struct plan *plan;

	buf_puts(&yaml, HEAD "steps:\n");
	for (int i = 0; i < 100000; i++)
		buf_printf(&yaml, "- {id: s%d, needs: [s%d], lab.ports: {port: %d, observe_only: true}}\n", i, i + 1,
			   i % 254 + 1);
	buf_puts(&yaml, "- {id: s100000, lab.ports: {observe_only: true}}\n");
	lab_good(&lab, yaml.data);
	plan = lab_plan(&lab, NULL);
	assert_int_equal(plan->nsteps, 100001);
	assert_string_equal(plan->steps[0].step->id, "s100000");
	assert_string_equal(plan->steps[100000].step->id, "s0");
	assert_int_equal(plan->steps[100000].needs[0], 99999);
	assert_int_equal(plan->nobserves, 255); /* 254 ports, and one without */
}

static void too_many_observations(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf yaml = {0};

	buf_puts(&yaml, HEAD "hosts: [{name: \"n[1-100000]\"}]\nsteps:\n");
	for (int i = 0; i < 101; i++) /* 10,100,000 in all */
		buf_puts(&yaml, "- {hosts: \"n[1-100000]\", lab.ports: {observe_only: true}}\n");
	lab_good(&lab, yaml.data);
	assert_true(plan_build(&lab.plan, lab.list, lab.count, NULL, &lab.diags) < 0);
	assert_int_equal(lab.diags.errors, 1);
	assert_non_null(strstr(lab_said(&lab), "more than 10000000 observations"));
}

static void printed(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_FREE char *text = NULL;
	AUTO_FREE char *expected = NULL;
	struct plan_filter filter = {0};
	size_t size;
	FILE *out;

	lab_good(&lab, HEAD "name: \"rack \\e[31m12\"\n" HOSTS "steps:\n"
			    "  - id: sm\n"
			    "    name: one master\n"
			    "    lab.nodes: {observe_only: true}\n"
			    "  - name: links\n"
			    "    needs: [sm]\n"
			    "    tags: [a, b]\n"
			    "    lab.links: {observe_only: true}\n"
			    "  - name: speed\n"
			    "    needs: [sm]\n"
			    "    tags: [a]\n"
			    "    each: {port: [1, 2]}\n"
			    "    repeat: 3\n"
			    "    retries: 2\n"
			    "    delay: 1500 ms\n"
			    "    severity: warning\n"
			    "    waive: {reason: cable, until: 2027-01-31}\n"
			    "    when: {lab.nodes: {where: {state: Active}}}\n"
			    "    lab.speed: {port: $(port), observe_only: true}\n"
			    "  - lab.ports: {observe_only: true}\n");
	strings_add(&filter.tags, "a");
	lab_plan(&lab, &filter);
	out = open_memstream(&text, &size);
	plan_print(&lab.plan, out);
	fclose(out);
	/* speed: 4 hosts x 2 ports x 3 runs; its "when" is observed anew with each run, too */
	expected = xasprintf("rack \\x1b[31m12 (%s)\n"
			     "  1 one master [sm] (not selected, but needed)\n"
			     "    lab.nodes on node-01: 1 observation\n"
			     "  2 links\n"
			     "    lab.links on node-01: 1 shared with step 1\n"
			     "    after step 1\n"
			     "    tags: a, b\n"
			     "  3 speed\n"
			     "    lab.speed on node-[01-04]: 24 observations, 8 shared with step 1\n"
			     "    for each port of [1-2]\n"
			     "    after step 1\n"
			     "    tags: a\n"
			     "    repeated 3 times\n"
			     "    retried 2 times, 1.5 s apart\n"
			     "    when lab.nodes has such a row\n"
			     "    a fail is a warning\n"
			     "    a fail is waived until 2027-01-31: cable\n"
			     "\n"
			     "3 steps on 4 hosts: 25 observations, 9 shared; 1 step left out\n",
			     lab.scenarios[0].text.files[0].path);
	assert_string_equal(text, expected);
	strings_free(&filter.tags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_probe_runs_on_every_host),
		cmocka_unit_test(a_fabric_probe_runs_on_the_first_host),
		cmocka_unit_test(equal_parameters_are_one_observation),
		cmocka_unit_test(each_repeats_a_step),
		cmocka_unit_test(each_alone_is_the_label),
		cmocka_unit_test(the_order_of_variables),
		cmocka_unit_test(a_variable_that_uses_a_hosts_key),
		cmocka_unit_test(when_is_observed_where_the_step_runs),
		cmocka_unit_test(needs_come_first),
		cmocka_unit_test(filters),
		cmocka_unit_test(filters_that_nothing_matches),
		cmocka_unit_test(several_scenarios_share_hosts),
		cmocka_unit_test(several_scenarios_disagree_about_a_host),
		cmocka_unit_test(localhost_may_be_two_hosts),
		cmocka_unit_test(a_mistake_of_many_hosts_is_said_once),
		cmocka_unit_test(a_long_chain),
		cmocka_unit_test(too_many_observations),
		cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
