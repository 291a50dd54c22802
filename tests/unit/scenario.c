/* SPDX-License-Identifier: BSD-2-Clause */
/* What a scenario without mistakes is loaded into. */
#include "lab/lab.h"
#include "scenario/names.h"

static void names_find_what_was_added(void **state)
{
	struct names names = {0};
	char texts[1000][8];

	assert_true(names_find(&names, "x") == NAMES_NONE);
	for (size_t i = 0; i < 1000; i++) {
		snprintf(texts[i], sizeof(texts[i]), "n%zu", i);
		assert_true(names_add(&names, texts[i], i) == NAMES_NONE);
	}
	assert_int_equal(names_add(&names, "n7", 2000), 7); /* keeps the first */
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(names_find(&names, texts[i]), i);
	assert_true(names_find(&names, "n1000") == NAMES_NONE);
	assert_int_equal(names.count, 1000);
	names_free(&names);
}

static void step_defaults(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario = lab_good(&lab, "rdmaspec: 1\n"
							 "steps:\n"
							 "  - lab.ports: {observe_only: true}\n");
	const struct scenario_step *step = &scenario->steps[0];

	assert_int_equal(scenario->nsteps, 1);
	assert_string_equal(step->name, "lab.ports (line 3)");
	assert_null(step->id);
	assert_int_equal(step->timeout_ms, 30000);
	assert_int_equal(step->retries, 0);
	assert_int_equal(step->delay_ms, 0);
	assert_int_equal(step->repeat, 1);
	assert_false(step->warning);
	assert_false(step->fresh);
	assert_null(step->waive);
	assert_null(step->when);
	assert_null(step->where);
	assert_int_equal(step->place.line, 3);
	assert_int_equal(step->place.column, 5);
	assert_string_equal(step->probe.probe->name, "lab.ports");
	assert_true(step->probe.spec.observe_only);
}

static void step_keys(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario = lab_good(&lab, "rdmaspec: 1\n"
							 "name: all keys\n"
							 "defaults: {timeout: 2 min, retries: 1, severity: warning}\n"
							 "steps:\n"
							 "  - id: a\n"
							 "    lab.ports: {observe_only: true}\n"
							 "  - id: b\n"
							 "    name: everything\n"
							 "    doc: because\n"
							 "    needs: a\n"
							 "    tags: [x, y]\n"
							 "    timeout: 500 ms\n"
							 "    retries: 0\n"
							 "    delay: 1.5 s\n"
							 "    repeat: 3\n"
							 "    severity: error\n"
							 "    fresh: yes\n"
							 "    waive: {reason: ticket 12, until: 2027-01-31}\n"
							 "    when: {lab.nodes: {port: 1, where: {state: Active}}}\n"
							 "    lab.links: {expect: {lid: {max: 10}}}\n");
	const struct scenario_step *a = &scenario->steps[0], *b = &scenario->steps[1];

	assert_string_equal(scenario->name, "all keys");
	assert_string_equal(a->name, "a");
	assert_int_equal(a->timeout_ms, 120000);
	assert_int_equal(a->retries, 1);
	assert_true(a->warning);
	assert_string_equal(b->name, "everything");
	assert_string_equal(b->doc, "because");
	assert_int_equal(b->nneeds, 1);
	assert_string_equal(b->needs[0], "a");
	assert_int_equal(b->need_steps[0], 0);
	assert_int_equal(b->ntags, 2);
	assert_string_equal(b->tags[1], "y");
	assert_int_equal(b->timeout_ms, 500);
	assert_int_equal(b->retries, 0);
	assert_int_equal(b->delay_ms, 1500);
	assert_int_equal(b->repeat, 3);
	assert_false(b->warning);
	assert_true(b->fresh);
	assert_string_equal(b->waive->reason, "ticket 12");
	assert_string_equal(b->waive->until, "2027-01-31");
	assert_string_equal(b->when->probe->name, "lab.nodes");
	assert_int_equal(b->when->spec.nwhere, 1);
	assert_int_equal(b->probe.spec.nexpect, 1);
}

static void without_hosts_the_local_machine(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario = lab_good(&lab, "rdmaspec: 1\n"
							 "steps:\n"
							 "  - hosts: localhost\n"
							 "    lab.ports: {observe_only: true}\n");

	assert_true(scenario->hosts_implied);
	assert_int_equal(scenario->nhosts, 1);
	assert_string_equal(scenario->hosts[0].name, "localhost");
	assert_int_equal(scenario->hosts[0].connect, CONNECT_LOCAL);
	assert_int_equal(scenario->steps[0].where->count, 1);
}

static void host_keys(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario = lab_good(&lab, "rdmaspec: 1\n"
							 "vars: {domain: example}\n"
							 "hosts:\n"
							 "  - name: node-[01-02]\n"
							 "    connect: {command: [ssh, $(host), agent]}\n"
							 "    connect_to: $(host).mgmt.$(domain)\n"
							 "    address: $(host).fabric\n"
							 "    device: mlx5_0\n"
							 "  - name: sim\n"
							 "    connect: simulated\n"
							 "    simulated_as: Hca one\n"
							 "steps:\n"
							 "  - hosts: node-02,sim,node-02\n"
							 "    lab.ports: {observe_only: true}\n");
	const struct scenario_host *hosts = scenario->hosts;

	assert_false(scenario->hosts_implied);
	assert_int_equal(scenario->nhosts, 3);
	assert_string_equal(hosts[0].name, "node-01");
	assert_int_equal(hosts[1].connect, CONNECT_COMMAND);
	assert_string_equal(hosts[1].way.command[0], "ssh");
	assert_string_equal(hosts[1].way.command[1], "node-02");
	assert_string_equal(hosts[1].way.command[2], "agent");
	assert_null(hosts[1].way.command[3]);
	assert_string_equal(hosts[0].connect_to, "node-01.mgmt.example");
	assert_string_equal(hosts[1].address, "node-02.fabric");
	assert_string_equal(hosts[1].device, "mlx5_0");
	assert_string_equal(hosts[1].simulated_as, "node-02");
	assert_int_equal(hosts[2].connect, CONNECT_SIMULATED);
	assert_string_equal(hosts[2].simulated_as, "Hca one");
	assert_string_equal(hosts[2].connect_to, "sim");
	assert_null(hosts[2].address);
	assert_null(hosts[2].device);
	/* each once, in the order written */
	assert_int_equal(scenario->steps[0].where->count, 2);
	assert_int_equal(scenario->steps[0].where->hosts[0], 1);
	assert_int_equal(scenario->steps[0].where->hosts[1], 2);
}

static void each_values(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario =
		lab_good(&lab, "rdmaspec: 1\n"
			       "steps:\n"
			       "  - each: {device: \"mlx5_[0-1],rxe0\", size: [64 KiB, 1 MiB, 2 B]}\n"
			       "    lab.ports: {device: $(device), size: $(size), observe_only: true}\n");
	const struct scenario_step *step = &scenario->steps[0];

	assert_int_equal(step->neach, 2);
	assert_string_equal(step->each[0].name, "device");
	assert_int_equal(step->each[0].count, 3);
	assert_string_equal(step->each[0].values[1], "mlx5_1");
	assert_string_equal(step->each[0].values[2], "rxe0");
	assert_string_equal(step->each[1].values[0], "64 KiB");
}

static void an_include_comes_first(void **state)
{
	AUTO_LAB struct lab lab = {0};
	FILE *file = fopen("lab-include.yaml", "w");
	const struct scenario *scenario;

	assert_non_null(file);
	fputs("name: not this one\n"
	      "defaults: {retries: 7}\n"
	      "hosts: [{name: first}]\n"
	      "steps:\n"
	      "  - id: included\n"
	      "    lab.ports: {observe_only: true}\n",
	      file);
	fclose(file);
	scenario = lab_good(&lab, "rdmaspec: 1\n"
				  "name: this one\n"
				  "include: [lab-include.yaml]\n"
				  "hosts: [{name: second}]\n"
				  "steps:\n"
				  "  - needs: [included]\n"
				  "    lab.ports: {observe_only: true}\n");
	unlink("lab-include.yaml");
	assert_string_equal(scenario->name, "this one");
	assert_string_equal(scenario->hosts[0].name, "first");
	assert_string_equal(scenario->hosts[1].name, "second");
	assert_string_equal(scenario->steps[0].id, "included");
	assert_int_equal(scenario->steps[0].retries, 7); /* defaults are those of the file */
	assert_int_equal(scenario->steps[1].retries, 0);
	assert_int_equal(scenario->steps[1].need_steps[0], 0);
}

static void the_file_names_a_scenario_without_a_name(void **state)
{
	AUTO_LAB struct lab lab = {0};
	const struct scenario *scenario = lab_good(&lab, "rdmaspec: 1\n"
							 "steps: [{lab.ports: {observe_only: true}}]\n");

	assert_true(!strncmp(scenario->name, "lab-", 4));
}

/* Unknown hosts and ids of a file that could not be read are not said to be unknown. */
static void an_unreadable_include_is_said_alone(void **state)
{
	AUTO_LAB struct lab lab = {0};

	assert_true(lab_load(&lab, "rdmaspec: 1\n"
				   "include: [lab-nowhere.yaml]\n"
				   "steps:\n"
				   "  - hosts: node-01\n"
				   "    needs: [sm]\n"
				   "    lab.ports: {observe_only: true}\n") < 0);
	assert_int_equal(lab.diags.errors, 1);
	assert_non_null(strstr(lab_said(&lab), "lab-nowhere.yaml"));
}

static void a_plugin_that_is_not_there(void **state)
{
	AUTO_LAB struct lab lab = {0};

	assert_true(lab_load(&lab,
			     "rdmaspec: 1\n"
			     "steps: [{nosuch.probe: {observe_only: true}}, {nosuch.other: {observe_only: true}}]\n") <
		    0);
	assert_int_equal(lab.diags.errors, 1); /* once for all of its probes */
	assert_non_null(strstr(lab_said(&lab), ":2:10: error: there is no plugin 'nosuch'"));
}

/* A chain of needs as long as the file must not use up the stack. */
static void a_cycle_of_100000_steps(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf yaml = {0};

	buf_puts(&yaml, "rdmaspec: 1\nsteps:\n");
	for (int i = 0; i < 100000; i++)
		buf_printf(&yaml, "- {id: s%d, needs: s%d, lab.ports: {observe_only: true}}\n", i, (i + 1) % 100000);
	assert_true(lab_load(&lab, yaml.data) < 0);
	assert_int_equal(lab.diags.errors, 1);
	assert_non_null(strstr(lab_said(&lab), "'s7' needs ... (100000 steps) ... needs 's0'"));
}

/* 100,000 wrong names, each a search for what was meant: bounded work. */
static void many_unknown_needs(void **state)
{
	AUTO_LAB struct lab lab = {0};
	AUTO_BUF struct buf yaml = {0};

	buf_puts(&yaml, "rdmaspec: 1\nsteps:\n");
	for (int i = 0; i < 20000; i++)
		buf_printf(&yaml, "- {id: step-%d, needs: setp-%d, lab.ports: {observe_only: true}}\n", i, i);
	assert_true(lab_load(&lab, yaml.data) < 0);
	assert_int_equal(lab.diags.errors, 20000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_find_what_was_added),
		cmocka_unit_test(step_defaults),
		cmocka_unit_test(step_keys),
		cmocka_unit_test(without_hosts_the_local_machine),
		cmocka_unit_test(host_keys),
		cmocka_unit_test(each_values),
		cmocka_unit_test(an_include_comes_first),
		cmocka_unit_test(the_file_names_a_scenario_without_a_name),
		cmocka_unit_test(an_unreadable_include_is_said_alone),
		cmocka_unit_test(a_plugin_that_is_not_there),
		cmocka_unit_test(a_cycle_of_100000_steps),
		cmocka_unit_test(many_unknown_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
