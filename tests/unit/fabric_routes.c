/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Routes through forwarding tables that are laid out by hand: what no subnet manager would set, and a simulator with
 *one does not show.
 *
 *	host-1 (LID 1) -- 1 leaf-1 (LID 11) 2 -- 2 leaf-2 (LID 12) 1 -- host-2 (LID 2)
 *	                        3 ---------- 3
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fabric/routes.h"
#include "plugin_host.h"

enum { HOST_1, HOST_2, LEAF_1, LEAF_2, NODES };

#define TOP 12
#define NO_PORT 255

static uint8_t table_1[TOP + 1], table_2[TOP + 1];

static void add_node(struct fabric *fabric, const char *name, enum node_type type, unsigned ports, unsigned lid)
{
	const struct node_info info = {.type = (uint8_t)type, .ports = (uint8_t)ports, .guid = 0x100 + fabric->nnodes};
	uint32_t node = fabric_add(fabric, &info);
	struct port *end = fabric_port(fabric, node, type == NODE_SWITCH ? 0 : 1);

	snprintf((char *)fabric->nodes[node].description, DESCRIPTION_BYTES, "%s", name);
	fabric->nodes[node].known = KNOWS_DESCRIPTION | KNOWS_SWITCH;
	end->known = KNOWS_INFO;
	end->info.lid = (uint16_t)lid;
}

static void make_fabric(struct fabric *fabric)
{
	add_node(fabric, "host-1", NODE_CA, 1, 1);
	add_node(fabric, "host-2", NODE_CA, 1, 2);
	add_node(fabric, "leaf-1", NODE_SWITCH, 4, 11);
	add_node(fabric, "leaf-2", NODE_SWITCH, 4, 12);
	fabric_link(fabric, HOST_1, 1, LEAF_1, 1);
	fabric_link(fabric, HOST_2, 1, LEAF_2, 1);
	fabric_link(fabric, LEAF_1, 2, LEAF_2, 2);
	fabric_link(fabric, LEAF_1, 3, LEAF_2, 3);
	fabric_sort(fabric);
}

/* As a source of a plugin, so that the rows go where a test can read them */
static int observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	static const struct routes_wanted all = {.from = "*", .to = "*", .limit = 100};
	uint8_t *tables[NODES] = {[LEAF_1] = table_1, [LEAF_2] = table_2};
	uint16_t tops[NODES] = {[LEAF_1] = TOP, [LEAF_2] = TOP};
	static uint32_t owners[LID_MAX + 1];
	struct fabric fabric = {0};
	const struct forwarding forwarding = {.fabric = &fabric, .tables = tables, .tops = tops, .owners = owners};

	make_fabric(&fabric);
	owners[1] = HOST_1 + 1;
	owners[2] = HOST_2 + 1;
	if (wanted & 1)
		fabric_routes_rows(ctx, 0, &forwarding, &all);
	if (wanted & 2)
		fabric_route_counts_rows(ctx, 1, &forwarding);
	fabric_free(&fabric);
	return 0;
}

static const struct rs_probe probes[] = {
	{.name = "test.routes", .facts = fabric_routes_facts},
	{.name = "test.counts", .facts = fabric_route_counts_facts},
};
static const struct rs_source source = {
	.name = "test.routing", .scope = RS_FABRIC, .probes = probes, .nprobes = 2, .observe = observe};
static const struct rs_plugin plugin = {.abi = RS_ABI,
					.size = sizeof(struct rs_plugin),
					.source_size = sizeof(struct rs_source),
					.name = "test",
					.sources = &source,
					.nsources = 1};

static void set_tables(unsigned leaf_1_to_2, unsigned leaf_2_to_2)
{
	memset(table_1, NO_PORT, sizeof(table_1));
	memset(table_2, NO_PORT, sizeof(table_2));
	table_1[1] = 1;
	table_2[1] = 2;
	table_1[2] = (uint8_t)leaf_1_to_2;
	table_2[2] = (uint8_t)leaf_2_to_2;
}

/* The row from host-1 to host-2 is the first */
static void expect_route(const char *status, const char *hops, const char *path, const char *stops_at)
{
	struct rs_ctx *ctx = host_new(NULL);

	assert_int_equal(host_observe(ctx, &plugin, "test.routes", NULL), 0);
	assert_int_equal(host_rows(ctx, "test.routes"), 2);
	assert_string_equal(host_cell(ctx, "test.routes", 0, "remote_description"), "host-2");
	assert_string_equal(host_cell(ctx, "test.routes", 0, "status"), status);
	assert_string_equal(host_cell(ctx, "test.routes", 0, "hops"), hops);
	assert_string_equal(host_cell(ctx, "test.routes", 0, "path"), path);
	assert_string_equal(host_cell(ctx, "test.routes", 0, "stops_at"), stops_at);
	assert_string_equal(host_cell(ctx, "test.routes", 1, "status"), "ok"); /* the way back */
	host_free(ctx);
}

static void a_route_arrives(void **state)
{
	set_tables(2, 1);
	expect_route("ok", "2", "leaf-1 port 2,leaf-2 port 1", "none");
}

static void a_loop_is_one(void **state)
{
	set_tables(2, 3); /* leaf-2 sends it back over the other cable */
	expect_route("loop", "?", "leaf-1 port 2,leaf-2 port 3", "leaf-2 port 3");
	set_tables(2, 2); /* and over the same one */
	expect_route("loop", "?", "leaf-1 port 2,leaf-2 port 2", "leaf-2 port 2");
}

static void dead_ends_are_unreachable(void **state)
{
	set_tables(NO_PORT, 1);
	expect_route("unreachable", "?", "leaf-1, which has no port for it", "leaf-1, which has no port for it");
	set_tables(4, 1); /* a port without a cable */
	expect_route("unreachable", "?", "leaf-1 port 4", "leaf-1 port 4");
	set_tables(1, 1); /* back to the host that it came from */
	expect_route("unreachable", "?", "leaf-1 port 1", "leaf-1 port 1");
	set_tables(200, 1); /* a port that the switch does not have */
	expect_route("unreachable", "?", "leaf-1 port 200", "leaf-1 port 200");
	set_tables(0, 1); /* the switch's own */
	expect_route("unreachable", "?", "leaf-1 port 0", "leaf-1 port 0");
}

static void routes_are_counted(void **state)
{
	struct rs_ctx *ctx = host_new(NULL);

	set_tables(3, 1);
	assert_int_equal(host_observe(ctx, &plugin, "test.counts", NULL), 0);
	assert_int_equal(host_rows(ctx, "test.counts"), 6); /* three cabled ports a leaf */
	/* leaf-1: LID 1 by port 1, LID 2 by port 3; leaf-2: LID 2 by port 1, LID 1 by port 2 */
	for (unsigned row = 0; row < 6; row++)
		assert_string_equal(host_cell(ctx, "test.counts", row, "routes"), row == 1 || row == 5 ? "0" : "1");
	host_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_arrives),
		cmocka_unit_test(a_loop_is_one),
		cmocka_unit_test(dead_ends_are_unreachable),
		cmocka_unit_test(routes_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
