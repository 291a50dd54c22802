/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.devices and ib.ports on recorded trees. Expected values are what the files of tests/data/sysfs say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin_host.h"

extern const struct rs_plugin rs_plugin_v1;

static struct rs_ctx *observe(const char *tree, const char *probe, const char *setting)
{
	const char *settings[] = {setting, NULL};
	char path[512];
	struct rs_ctx *ctx;

	snprintf(path, sizeof(path), "%s/tests/data/sysfs/%s", getenv("RDMASPEC_SOURCE"), tree);
	ctx = host_new(path);
	host_observe(ctx, &rs_plugin_v1, probe, settings);
	return ctx;
}

static void assert_cells(const struct rs_ctx *ctx, const char *probe, size_t row, const char *const (*cells)[2])
{
	for (; (*cells)[0]; cells++)
		if (strcmp(host_cell(ctx, probe, row, (*cells)[0]), (*cells)[1]))
			fail_msg("row %zu: %s is %s, expected %s", row, (*cells)[0],
				 host_cell(ctx, probe, row, (*cells)[0]), (*cells)[1]);
}

#define ASSERT_CELLS(ctx, probe, row, ...)                                                                             \
	assert_cells(ctx, probe, row, (const char *const[][2]){__VA_ARGS__, {NULL, NULL}})

static void devices_in_natural_order(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-ib", "ib.devices", NULL);

	assert_string_equal(host_error(ctx), "");
	assert_int_equal(host_rows(ctx, "ib.devices"), 3);
	ASSERT_CELLS(ctx, "ib.devices", 0, {"device", "mlx5_0"}, {"node_type", "CA"},
		     {"node_guid", "0xb8599f0300112230"}, {"system_image_guid", "0xb8599f0300112230"},
		     {"node_description", "node-1 mlx5_0"}, {"firmware", "20.35.2000"}, {"board_id", "MT_0000000223"},
		     {"hca_type", "MT4123"}, {"driver", "mlx5_core"}, {"numa_node", "0"},
		     {"pci_address", "0000:3b:00.0"}, {"pcie_speed", "16.0"}, {"pcie_width", "16"},
		     {"pcie_max_speed", "16.0"}, {"pcie_max_width", "16"}, {"ports", "1"});
	ASSERT_CELLS(ctx, "ib.devices", 1, {"device", "mlx5_2"}, {"numa_node", "1"}, {"pcie_speed", "8.0"},
		     {"pcie_width", "8"}, {"pcie_max_width", "16"});
	/* numa_node of -1 is the kernel's way to say that there is none */
	ASSERT_CELLS(ctx, "ib.devices", 2, {"device", "mlx5_10"}, {"numa_node", "none"}, {"firmware", "28.39.1002"});
	host_free(ctx);
}

static void ports_of_infiniband(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-ib", "ib.ports", NULL);

	assert_int_equal(host_rows(ctx, "ib.ports"), 3);
	ASSERT_CELLS(ctx, "ib.ports", 0, {"device", "mlx5_0"}, {"port", "1"}, {"link_layer", "InfiniBand"},
		     {"state", "Active"}, {"physical_state", "LinkUp"}, {"rate", "200"}, {"width", "4X"},
		     {"speed", "HDR"}, {"lid", "17"}, {"lmc", "0"}, {"sm_lid", "1"}, {"sm_sl", "0"},
		     {"capability_mask", "0xa651e848"}, {"port_guid", "0xb8599f0300112230"},
		     {"subnet_prefix", "0xfe80000000000000"}, {"active_mtu", "?"}, {"max_mtu", "?"});
	ASSERT_CELLS(ctx, "ib.ports", 1, {"device", "mlx5_2"}, {"rate", "100"}, {"speed", "EDR"}, {"lmc", "3"});
	ASSERT_CELLS(ctx, "ib.ports", 2, {"device", "mlx5_10"}, {"rate", "200"}, {"width", "2X"}, {"speed", "NDR"});
	host_free(ctx);
}

static void both_ports_of_a_card(void **state)
{
	struct rs_ctx *ctx = observe("dual-port", "ib.ports", NULL);

	assert_int_equal(host_rows(ctx, "ib.ports"), 2);
	ASSERT_CELLS(ctx, "ib.ports", 0, {"port", "1"}, {"rate", "56"}, {"speed", "FDR"}, {"lid", "5"});
	ASSERT_CELLS(ctx, "ib.ports", 1, {"port", "2"}, {"rate", "40"}, {"speed", "FDR10"}, {"lid", "6"});
	host_free(ctx);

	ctx = observe("dual-port", "ib.ports", "port=2");
	assert_int_equal(host_rows(ctx, "ib.ports"), 1);
	ASSERT_CELLS(ctx, "ib.ports", 0, {"port", "2"});
	host_free(ctx);

	ctx = observe("dual-port", "ib.ports", "port=3");
	assert_string_equal(host_error(ctx), "no RDMA device of this host has a port 3");
	host_free(ctx);
}

static void ethernet_has_no_lids(void **state)
{
	struct rs_ctx *ctx = observe("roce", "ib.ports", NULL);
	size_t row;

	assert_int_equal(host_rows(ctx, "ib.ports"), 3);
	row = host_find(ctx, "ib.ports", "device", "mlx5_1");
	ASSERT_CELLS(ctx, "ib.ports", row, {"link_layer", "Ethernet"}, {"state", "Active"}, {"rate", "100"},
		     {"lid", "none"}, {"lmc", "none"}, {"sm_lid", "none"}, {"sm_sl", "none"},
		     {"port_guid", "0x0000000000000000"}, {"subnet_prefix", "0x0000000000000000"});
	row = host_find(ctx, "ib.ports", "device", "rxe0");
	/* "2.5 Gb/sec (1X)" names no speed: that is SDR */
	ASSERT_CELLS(ctx, "ib.ports", row, {"rate", "2.5"}, {"width", "1X"}, {"speed", "SDR"});
	host_free(ctx);

	ctx = observe("roce", "ib.devices", "device=rxe*");
	assert_int_equal(host_rows(ctx, "ib.devices"), 1);
	ASSERT_CELLS(ctx, "ib.devices", 0, {"driver", "none"}, {"pci_address", "none"}, {"pcie_width", "none"},
		     {"firmware", "?"}, {"hca_type", "?"});
	host_free(ctx);
}

static void left_overs_are_not_observed(void **state)
{
	struct rs_ctx *ctx = observe("polling", "ib.ports", NULL);

	assert_int_equal(host_rows(ctx, "ib.ports"), 5);
	ASSERT_CELLS(ctx, "ib.ports", 0, {"state", "Down"}, {"physical_state", "Polling"}, {"rate", "?"},
		     {"width", "?"}, {"speed", "?"}, {"lid", "?"}, {"lmc", "?"}, {"sm_lid", "?"}, {"sm_sl", "?"},
		     {"capability_mask", "0xa651e848"});
	ASSERT_CELLS(ctx, "ib.ports", 1, {"physical_state", "Disabled"}, {"lid", "?"});
	ASSERT_CELLS(ctx, "ib.ports", 2, {"rate", "1600"}, {"width", "8X"}, {"speed", "unknown: YDR"});
	ASSERT_CELLS(ctx, "ib.ports", 3, {"state", "Armed"}, {"lid", "?"}, {"rate", "?"});
	ASSERT_CELLS(ctx, "ib.ports", 4, {"state", "unknown: code 9"}, {"physical_state", "unknown: code 12"},
		     {"lid", "?"});
	host_free(ctx);
}

static void one_bad_device_hides_no_other(void **state)
{
	struct rs_ctx *ctx = observe("broken", "ib.ports", NULL);

	assert_string_equal(host_error(ctx), "");
	assert_int_equal(host_rows(ctx, "ib.ports"), 2);
	assert_non_null(strstr(host_notes(ctx), "mlx5_0: its ports cannot be read: No such file or directory"));
	ASSERT_CELLS(ctx, "ib.ports", 0, {"device", "mlx5_1"}, {"state", "?"}, {"rate", "?"}, {"lid", "?"},
		     {"physical_state", "LinkUp"}, {"port_guid", "?"}, {"capability_mask", "?"});
	ASSERT_CELLS(ctx, "ib.ports", 1, {"device", "mlx5_2"}, {"state", "Active"}, {"lid", "17"});
	host_free(ctx);

	ctx = observe("broken", "ib.devices", NULL);
	assert_int_equal(host_rows(ctx, "ib.devices"), 3);
	ASSERT_CELLS(ctx, "ib.devices", 0, {"device", "mlx5_0"}, {"node_guid", "?"}, {"firmware", ""}, {"ports", "?"});
	host_free(ctx);
}

/* 0xffff is the default partition, full; 0x8001 full and 0x0000 empty, as the files say */
static void partitions(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-ib", "ib.pkeys", "device=mlx5_0");

	assert_int_equal(host_rows(ctx, "ib.pkeys"), 2);
	ASSERT_CELLS(ctx, "ib.pkeys", 0, {"device", "mlx5_0"}, {"port", "1"}, {"index", "0"}, {"pkey", "0xffff"},
		     {"partition", "0x7fff"}, {"membership", "full"});
	ASSERT_CELLS(ctx, "ib.pkeys", 1, {"index", "1"}, {"pkey", "0x8001"}, {"partition", "0x1"});
	host_free(ctx);

	ctx = observe("roce", "ib.pkeys", NULL);
	assert_int_equal(host_find(ctx, "ib.pkeys", "device", "mlx5_1"), SIZE_MAX);
	host_free(ctx);
}

static void ipoib_devices(void **state)
{
	struct rs_ctx *ctx = observe("mlx5-ib", "ib.ipoib", NULL);

	assert_int_equal(host_rows(ctx, "ib.ipoib"), 3);
	ASSERT_CELLS(ctx, "ib.ipoib", 0, {"netdev", "ib0"}, {"device", "mlx5_0"}, {"port", "1"}, {"parent", "none"},
		     {"mode", "datagram"}, {"mtu", "4092"}, {"pkey", "0xffff"}, {"state", "up"}, {"enabled", "true"},
		     {"addresses", "?"});
	ASSERT_CELLS(ctx, "ib.ipoib", 1, {"netdev", "ib0.8001"}, {"parent", "ib0"}, {"mode", "connected"},
		     {"mtu", "65520"}, {"pkey", "0x8001"}, {"state", "down"}, {"enabled", "false"});
	ASSERT_CELLS(ctx, "ib.ipoib", 2, {"netdev", "ib2"}, {"state", "unknown: strange"}, {"device", "?"},
		     {"mtu", "?"});
	host_free(ctx);

	ctx = observe("mlx5-ib", "ib.ipoib", "netdev=ib0.*");
	assert_int_equal(host_rows(ctx, "ib.ipoib"), 1);
	host_free(ctx);
}

static void what_is_not_there(void **state)
{
	struct rs_ctx *ctx = observe("no-rdma", "ib.devices", NULL);

	assert_int_equal(host_reason(ctx), RS_UNSUPPORTED);
	assert_non_null(strstr(host_error(ctx), "no RDMA driver is loaded"));
	host_free(ctx);

	ctx = observe("dual-port", "ib.devices", "device=mlx5_0");
	assert_int_equal(host_reason(ctx), RS_ABSENT);
	assert_string_equal(host_error(ctx), "there is no RDMA device mlx5_0; there is mlx4_0");
	host_free(ctx);

	ctx = observe("dual-port", "ib.sm", NULL);
	assert_int_equal(host_reason(ctx), RS_UNSUPPORTED);
	host_free(ctx);
}

#define HOSTILE "x\033[31m\n\"<b>$(id)[0-9]*\\\377"

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void hostile_names(void **state)
{
	static const char *const folders[] = {"class",
					      "class/infiniband",
					      "class/infiniband/" HOSTILE,
					      "class/infiniband/" HOSTILE "/ports",
					      "class/infiniband/" HOSTILE "/ports/1",
					      "class/infiniband/" HOSTILE "/ports/1x"};
	const char *settings[] = {"device=" HOSTILE, NULL};
	char root[] = "/tmp/ib_sysfs-XXXXXX", path[512];
	struct rs_ctx *ctx;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/1/rate", root, HOSTILE);
	write_file(path, "100 Gb/sec (");
	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/1/state", root, HOSTILE);
	write_file(path, "4: ACTIVE");
	ctx = host_new(root);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "ib.ports", settings), 0);
	assert_int_equal(host_rows(ctx, "ib.ports"), 1);
	ASSERT_CELLS(ctx, "ib.ports", 0, {"device", HOSTILE}, {"rate", "100"}, {"width", "unknown: "},
		     {"link_layer", "?"});
	host_free(ctx);
	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/1/rate", root, HOSTILE);
	unlink(path);
	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports/1/state", root, HOSTILE);
	unlink(path);
	for (size_t i = sizeof(folders) / sizeof(folders[0]); i--;) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		assert_int_equal(rmdir(path), 0);
	}
	assert_int_equal(rmdir(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_in_natural_order),
		cmocka_unit_test(ports_of_infiniband),
		cmocka_unit_test(both_ports_of_a_card),
		cmocka_unit_test(ethernet_has_no_lids),
		cmocka_unit_test(left_overs_are_not_observed),
		cmocka_unit_test(one_bad_device_hides_no_other),
		cmocka_unit_test(partitions),
		cmocka_unit_test(ipoib_devices),
		cmocka_unit_test(what_is_not_there),
		cmocka_unit_test(hostile_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
