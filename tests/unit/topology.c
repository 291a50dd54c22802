/* SPDX-License-Identifier: BSD-2-Clause */
/* Topology files: what is found in them, by ibsim's rules, and what is said of those that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "agent/topology.h"
#include "base/cleanup.h"

static char *fabric_file(const char *name)
{
	return xasprintf("%s/tests/data/fabrics/simulator/%s", getenv("RDMASPEC_SOURCE"), name);
}

static void load(struct topology *topology, const char *name)
{
	AUTO_FREE char *path = fabric_file(name);
	AUTO_DIAG struct diag diag = {0};

	*topology = (struct topology){0};
	if (topology_load(topology, path, &diag))
		fail_msg("%s", diag.text);
}

static int load_text(struct topology *topology, const char *text, size_t length, struct diag *diag)
{
	char path[] = "/tmp/rdmaspec-topology-XXXXXX";
	int fd = mkstemp(path), error;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), length);
	close(fd);
	*topology = (struct topology){0};
	error = topology_load(topology, path, diag);
	unlink(path);
	return error;
}

static void assert_found(const struct topology *topology, const char *name, const char *id)
{
	AUTO_FREE char *why = NULL;
	const struct topology_node *node = topology_find(topology, name, &why);

	if (!node)
		fail_msg("%s", why);
	assert_string_equal(node->id, id);
}

static void assert_not_found(const struct topology *topology, const char *name, const char *expected)
{
	AUTO_FREE char *why = NULL;

	assert_null(topology_find(topology, name, &why));
	assert_string_equal(why, expected);
}

static void counts_of_ibsims_format(void **state)
{
	struct topology topology;

	load(&topology, "two-level.net");
	assert_int_equal(topology.count, 2 + 4 + 8);
	assert_int_equal(topology.switches, 2 + 4);
	/* A switch counts its four ports and port 0. */
	assert_int_equal(topology.ports, 6 * (4 + 1) + 8 * 1);
	assert_string_equal(topology_first(&topology)->id, "node-01");
	assert_int_equal(topology_first(&topology)->guid, 0x0002c90000000010);
	topology_free(&topology);
}

static void counts_of_ibnetdiscovers_format(void **state)
{
	struct topology topology;

	load(&topology, "discovered.net");
	assert_int_equal(topology.count, 14);
	assert_int_equal(topology.switches, 6);
	assert_int_equal(topology.ports, 38);
	assert_found(&topology, "node-03", "H-0002c90000000030");
	assert_found(&topology, "H-0002c90000000030", "H-0002c90000000030");
	assert_found(&topology, "leaf-2", "S-0002c90000000102");
	/* The first word, where one CA has it; the whole description always. */
	assert_found(&topology, "node-07", "H-0002c90000000070");
	assert_found(&topology, "node-07 mlx5_0", "H-0002c90000000070");
	assert_not_found(&topology, "node-9", "no node of the fabric is called 'node-9'; did you mean 'node-06'?");
	assert_not_found(&topology, "elephant", "no node of the fabric is called 'elephant'");
	topology_free(&topology);
}

static void linked_is_about_port_1(void **state)
{
	static const char text[] = "Ca 2 \"a\"\n[2] \"s\"[1]\n\nSwitch 2 \"s\"\n[1] \"a\"[2]\n[2] \"b\"[1]\n\n"
				   "Ca 1 \"b\"\n[1] \"s\"[2]\n";
	AUTO_DIAG struct diag diag = {0};
	struct topology topology;

	assert_int_equal(load_text(&topology, text, sizeof(text) - 1, &diag), 0);
	assert_string_equal(topology_first(&topology)->id, "b");
	/* ibsim numbers CAs from 0x100000: two ports and the node itself make the first one take three. */
	assert_int_equal(topology_first(&topology)->guid, 0x100003);
	topology_free(&topology);
}

static void names_that_are_not_alone(void **state)
{
	static const char text[] = "Ca 1 \"H-1\" # \"MT4129 ConnectX7   Mellanox Technologies\"\n\n"
				   "Ca 1 \"H-2\" # \"MT4129 ConnectX7   Mellanox Technologies\"\n\n"
				   "Ca 1 \"H-3\" # \"both\"\n\nSwitch 1 \"S-1\" # \"both\" base port 0 lid 3 lmc 0\n\n"
				   "Ca 1 \"H-4\" # \"\"\n\nCa 1 \"H-5\" # \"it is 12\" long\"\n";
	AUTO_DIAG struct diag diag = {0};
	struct topology topology;

	assert_int_equal(load_text(&topology, text, sizeof(text) - 1, &diag), 0);
	assert_not_found(&topology, "MT4129",
			 "2 nodes of the fabric are called 'MT4129' (such as H-1 and H-2): name one by its id");
	assert_found(&topology, "both", "H-3");
	assert_found(&topology, "H-4", "H-4");
	/* ibsim ends a description at the second quote. */
	assert_found(&topology, "it is 12", "H-5");
	topology_free(&topology);
}

static void modules_and_hostile_bytes(void **state)
{
	static const char text[] = "module \"rack\"\nCa 1 \"a\xff\0\"\nCa 1 \"b\"\n";
	AUTO_DIAG struct diag diag = {0};
	struct topology topology;

	/* The NUL ends the line before its second quote: no id. */
	assert_int_equal(load_text(&topology, text, sizeof(text) - 1, &diag), -EINVAL);
	assert_int_equal(diag.place.line, 2);
	topology_free(&topology);
	assert_int_equal(load_text(&topology, "module \"rack\"\nCa 1 \"b\"\n", 23, NULL), 0);
	assert_found(&topology, "rack#b", "rack#b");
	topology_free(&topology);
}

static void refusals(void **state)
{
	static const struct {
		const char *file;
		unsigned line;
		const char *text;
	} cases[] = {
		{"bad/no-ca.net", 0, "no CA is in this topology: nothing could observe it"},
		{"bad/no-topology.net", 0,
		 "no topology: it has no node in ibsim's format or ibnetdiscover's, such as: Ca 1 \"node-1\""},
		{"bad/no-blank-line.net", 3,
		 "a blank line is missing before this one: ibsim takes it for the end of the node above and drops it"},
		{"bad/header.net", 1, "a node is written TYPE PORTS \"ID\", such as: Switch 36 \"leaf-1\""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		AUTO_FREE char *path = fabric_file(cases[i].file);
		AUTO_DIAG struct diag diag = {0};
		struct topology topology = {0};

		assert_int_equal(topology_load(&topology, path, &diag), -EINVAL);
		assert_string_equal(diag.text, cases[i].text);
		assert_string_equal(diag.place.file, path);
		assert_int_equal(diag.place.line, cases[i].line);
		topology_free(&topology);
	}
}

static void files_that_cannot_be_read(void **state)
{
	static const char *const cases[][2] = {
		{"/nonexistent.net", "cannot read topology file '/nonexistent.net': No such file or directory"},
		{"/tmp", "topology file '/tmp' is a directory"},
		{"/dev/null", "topology file '/dev/null' is not a regular file, and is read twice"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		AUTO_DIAG struct diag diag = {0};
		struct topology topology = {0};

		assert_true(topology_load(&topology, cases[i][0], &diag) < 0);
		assert_string_equal(diag.text, cases[i][1]);
		topology_free(&topology);
	}
}

static void includes(void **state)
{
	char directory[] = "/tmp/rdmaspec-topology-XXXXXX";
	AUTO_FREE char *outer = NULL, *inner = NULL;
	AUTO_DIAG struct diag diag = {0};
	struct topology topology = {0};
	FILE *file;

	assert_non_null(mkdtemp(directory));
	outer = xasprintf("%s/outer", directory);
	inner = xasprintf("%s/inner", directory);
	file = fopen(outer, "w");
	fprintf(file, "Switch 1 \"s\"\n\ninclude \"%s\"\n", inner);
	fclose(file);
	file = fopen(inner, "w");
	fprintf(file, "Ca 1 \"a\"\n");
	fclose(file);
	assert_int_equal(topology_load(&topology, outer, &diag), 0);
	assert_int_equal(topology.count, 2);
	topology_free(&topology);

	/* One that includes itself ends, with ibsim's own limit. */
	file = fopen(inner, "w");
	fprintf(file, "include \"%s\"\n", inner);
	fclose(file);
	assert_int_equal(topology_load(&topology, outer, &diag), -EINVAL);
	assert_string_equal(diag.text, "includes are nested too deep (ibsim takes 8)");
	topology_free(&topology);
	unlink(outer);
	unlink(inner);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_ibsims_format),   cmocka_unit_test(counts_of_ibnetdiscovers_format),
		cmocka_unit_test(linked_is_about_port_1),    cmocka_unit_test(names_that_are_not_alone),
		cmocka_unit_test(modules_and_hostile_bytes), cmocka_unit_test(refusals),
		cmocka_unit_test(files_that_cannot_be_read), cmocka_unit_test(includes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
