/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.devices: one row an RDMA device, from sysfs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ib/ib.h"
#include "support/port.h"
#include "support/sysfs.h"

enum {
	DEVICE,
	NODE_TYPE,
	NODE_GUID,
	SYSTEM_IMAGE_GUID,
	NODE_DESCRIPTION,
	FIRMWARE,
	HARDWARE_REVISION,
	BOARD_ID,
	HCA_TYPE,
	DRIVER,
	NUMA_NODE,
	PCI_ADDRESS,
	PCIE_SPEED,
	PCIE_WIDTH,
	PCIE_MAX_SPEED,
	PCIE_MAX_WIDTH,
	PORTS,
	FACTS
};

static const char *const node_types[] = {"CA", "switch", "router", "RNIC", NULL};

#define NEEDS_FILE "needs a kernel and driver that have the file"

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name in /sys/class/infiniband"},
	[NODE_TYPE] = {.name = "node_type",
		       .type = RS_ENUM,
		       .choices = node_types,
		       .doc = "file node_type: 1 CA, 2 switch, 3 router, 4 RNIC (iWARP); RoCE devices are CAs",
		       .observed_by = NEEDS_FILE},
	[NODE_GUID] = {.name = "node_guid", .type = RS_GUID, .doc = "file node_guid", .observed_by = NEEDS_FILE},
	[SYSTEM_IMAGE_GUID] = {.name = "system_image_guid",
			       .type = RS_GUID,
			       .doc = "file sys_image_guid: equal on the devices of one card",
			       .observed_by = NEEDS_FILE},
	[NODE_DESCRIPTION] = {.name = "node_description",
			      .type = RS_TEXT,
			      .doc = "file node_desc: the name that the subnet shows",
			      .observed_by = NEEDS_FILE},
	[FIRMWARE] = {.name = "firmware",
		      .type = RS_TEXT,
		      .doc = "file fw_ver: firmware version",
		      .observed_by = NEEDS_FILE},
	[HARDWARE_REVISION] = {.name = "hardware_revision",
			       .type = RS_TEXT,
			       .doc = "file hw_rev",
			       .observed_by = NEEDS_FILE},
	[BOARD_ID] = {.name = "board_id",
		      .type = RS_TEXT,
		      .doc = "file board_id: the board's PSID (MT_0000000223)",
		      .observed_by = NEEDS_FILE},
	[HCA_TYPE] = {.name = "hca_type",
		      .type = RS_TEXT,
		      .doc = "file hca_type: the adapter's model (MT4123)",
		      .observed_by = NEEDS_FILE},
	[DRIVER] = {.name = "driver",
		    .type = RS_TEXT,
		    .doc = "DRIVER in device/uevent, or what device/driver points to; none for a software device",
		    .observed_by = "needs the device's bus in sysfs"},
	[NUMA_NODE] = {.name = "numa_node",
		       .type = RS_INTEGER,
		       .doc = "file device/numa_node; none where the kernel gives -1",
		       .observed_by = "needs the device's bus in sysfs"},
	[PCI_ADDRESS] = {.name = "pci_address",
			 .type = RS_TEXT,
			 .doc = "PCI_SLOT_NAME in device/uevent (0000:3b:00.0), or what device points to",
			 .observed_by = "needs the device's bus in sysfs"},
	[PCIE_SPEED] = {.name = "pcie_speed",
			.type = RS_NUMBER,
			.flags = RS_F_HIGHER,
			.doc = "file device/current_link_speed: GT/s a lane, now",
			.observed_by = "needs a PCI Express device"},
	[PCIE_WIDTH] = {.name = "pcie_width",
			.type = RS_INTEGER,
			.flags = RS_F_HIGHER,
			.doc = "file device/current_link_width: lanes, now",
			.observed_by = "needs a PCI Express device"},
	[PCIE_MAX_SPEED] = {.name = "pcie_max_speed",
			    .type = RS_NUMBER,
			    .flags = RS_F_HIGHER,
			    .doc = "file device/max_link_speed: GT/s a lane that the device can do",
			    .observed_by = "needs a PCI Express device"},
	[PCIE_MAX_WIDTH] = {.name = "pcie_max_width",
			    .type = RS_INTEGER,
			    .flags = RS_F_HIGHER,
			    .doc = "file device/max_link_width: lanes that the device can use",
			    .observed_by = "needs a PCI Express device"},
	[PORTS] = {.name = "ports",
		   .type = RS_INTEGER,
		   .doc = "folders in ports/: how many ports the device has",
		   .observed_by = "needs read access to the device's folder"},
	[FACTS] = {0},
};

static const struct {
	unsigned fact;
	const char *file;
} texts[] = {
	{NODE_DESCRIPTION, "node_desc"}, {FIRMWARE, "fw_ver"},	 {HARDWARE_REVISION, "hw_rev"},
	{BOARD_ID, "board_id"},		 {HCA_TYPE, "hca_type"},
};

static void set_texts(struct rs_ctx *ctx, const char *device)
{
	char text[256];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int length = sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/%s", device, texts[i].file);

		if (length >= 0)
			rs_set_bytes(ctx, texts[i].fact, text, (size_t)length);
	}
}

static void set_identity(struct rs_ctx *ctx, const char *device)
{
	uint64_t value;

	if (!sysfs_guid(ctx, &value, "class/infiniband/%s/node_guid", device))
		rs_set_guid(ctx, NODE_GUID, value);
	if (!sysfs_guid(ctx, &value, "class/infiniband/%s/sys_image_guid", device))
		rs_set_guid(ctx, SYSTEM_IMAGE_GUID, value);
	if (!sysfs_number(ctx, &value, "class/infiniband/%s/node_type", device)) {
		char text[32];

		if (value >= 1 && value <= 4) {
			rs_set_enum(ctx, NODE_TYPE, (int)value - 1);
		} else {
			snprintf(text, sizeof(text), "code %u", (unsigned)value);
			rs_set_unknown(ctx, NODE_TYPE, text);
		}
	}
}

/* The value of "KEY=value" in a uevent file; false where the key is not there */
static bool uevent_value(const char *uevent, const char *key, char *value, size_t size)
{
	size_t length = strlen(key);

	for (const char *line = uevent; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (strncmp(line, key, length) || line[length] != '=')
			continue;
		snprintf(value, size, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
		return true;
	}
	return false;
}

static bool looks_like_pci(const char *text)
{
	unsigned domain, bus, slot, function;
	char rest;

	return sscanf(text, "%x:%x:%x.%x%c", &domain, &bus, &slot, &function, &rest) == 4;
}

/* A software device (rxe) names the network device that it sits on in "parent", and has no bus */
static bool is_software(struct rs_ctx *ctx, const char *device)
{
	char text[64];

	return sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/parent", device) >= 0;
}

static void set_bus(struct rs_ctx *ctx, const char *device)
{
	char uevent[4096], text[256];

	if (sysfs_read(ctx, uevent, sizeof(uevent), "class/infiniband/%s/device/uevent", device) < 0)
		uevent[0] = '\0';
	if (uevent_value(uevent, "DRIVER", text, sizeof(text)) ||
	    sysfs_link(ctx, text, sizeof(text), "class/infiniband/%s/device/driver", device) > 0)
		rs_set_text(ctx, DRIVER, text);
	if (uevent_value(uevent, "PCI_SLOT_NAME", text, sizeof(text)) ||
	    (sysfs_link(ctx, text, sizeof(text), "class/infiniband/%s/device", device) > 0 && looks_like_pci(text)))
		rs_set_text(ctx, PCI_ADDRESS, text);
}

static void set_numa(struct rs_ctx *ctx, const char *device)
{
	char text[32], *end;
	long node;

	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/device/numa_node", device) <= 0)
		return;
	node = strtol(text, &end, 10);
	if (*end)
		return;
	if (node < 0)
		rs_set_none(ctx, NUMA_NODE);
	else
		rs_set_integer(ctx, NUMA_NODE, node);
}

static void set_pcie_speed(struct rs_ctx *ctx, const char *device, unsigned fact, const char *file)
{
	char text[64];
	size_t digits;

	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/device/%s", device, file) <= 0)
		return;
	digits = strspn(text, "0123456789."); /* "16.0 GT/s PCIe"; "Unknown" where the link is down */
	if (!digits)
		return;
	text[digits] = '\0';
	rs_set_decimal(ctx, fact, text);
}

static void set_pcie_width(struct rs_ctx *ctx, const char *device, unsigned fact, const char *file)
{
	uint64_t value;

	/* 255 is what all ones in the register read as: no link */
	if (!sysfs_number(ctx, &value, "class/infiniband/%s/device/%s", device, file) && value && value < 64)
		rs_set_integer(ctx, fact, (int64_t)value);
}

static void set_hardware(struct rs_ctx *ctx, const char *device)
{
	if (is_software(ctx, device)) {
		for (unsigned fact = DRIVER; fact <= PCIE_MAX_WIDTH; fact++)
			rs_set_none(ctx, fact);
		return;
	}
	set_bus(ctx, device);
	set_numa(ctx, device);
	set_pcie_speed(ctx, device, PCIE_SPEED, "current_link_speed");
	set_pcie_width(ctx, device, PCIE_WIDTH, "current_link_width");
	set_pcie_speed(ctx, device, PCIE_MAX_SPEED, "max_link_speed");
	set_pcie_width(ctx, device, PCIE_MAX_WIDTH, "max_link_width");
}

int ib_devices_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	const struct rdma_select *select = params;
	char **devices;
	int count = select_devices(ctx, select, &devices);

	for (int i = 0; i < count; i++) {
		unsigned *ports;
		int nports = port_ports(ctx, devices[i], &ports);

		rs_row_begin(ctx, 0);
		rs_set_text(ctx, DEVICE, devices[i]);
		set_identity(ctx, devices[i]);
		set_texts(ctx, devices[i]);
		set_hardware(ctx, devices[i]);
		if (nports >= 0)
			rs_set_integer(ctx, PORTS, nports);
	}
	return count < 0 ? count : 0;
}

const struct rs_param ib_devices_params[] = {RDMA_SELECT_DEVICE, {0}};

const struct rs_probe ib_devices_probe = {
	.name = "ib.devices",
	.summary = "RDMA devices of a host: identity, firmware, driver and PCI Express link",
	.row = "{device}",
	.facts = facts,
};
