/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.ports: one row a port of an RDMA device, from sysfs; the MTUs by asking the port itself */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ib/ib.h"
#include "support/link.h"
#include "support/mad.h"
#include "support/mad_packet.h"
#include "support/port.h"
#include "support/sysfs.h"

enum {
	DEVICE,
	PORT,
	LINK_LAYER,
	STATE,
	PHYSICAL_STATE,
	RATE,
	WIDTH,
	SPEED,
	LID,
	LMC,
	SM_LID,
	SM_SL,
	CAPABILITY_MASK,
	PORT_GUID,
	SUBNET_PREFIX,
	ACTIVE_MTU,
	MAX_MTU,
	FACTS
};

static const char *const link_layers[] = {"InfiniBand", "Ethernet", NULL};

#define NEEDS_FILE "needs a kernel and driver that have the file"
#define NEEDS_ACTIVE "needs an active port: what a port that is not active shows is left over from before"
#define NEEDS_UMAD "needs an InfiniBand port and read and write access to its umad device in /dev/infiniband"

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name in /sys/class/infiniband"},
	[PORT] = {.name = "port",
		  .type = RS_INTEGER,
		  .flags = RS_F_KEY,
		  .doc = "port number: the folder's name in ports/"},
	[LINK_LAYER] = {.name = "link_layer",
			.type = RS_ENUM,
			.choices = link_layers,
			.doc = "file link_layer: Ethernet for RoCE; a port without the file has LIDs and is InfiniBand",
			.observed_by = NEEDS_FILE},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_states,
		   .doc = "file state: the logical state",
		   .observed_by = NEEDS_FILE},
	[PHYSICAL_STATE] = {.name = "physical_state",
			    .type = RS_ENUM,
			    .choices = link_physical_states,
			    .doc = "file phys_state",
			    .observed_by = NEEDS_FILE},
	[RATE] = {.name = "rate",
		  .type = RS_QUANTITY,
		  .flags = RS_F_HIGHER,
		  .unit = "Gb/s",
		  .doc = "first number of file rate: the nominal data rate of all lanes together",
		  .observed_by = NEEDS_ACTIVE},
	[WIDTH] = {.name = "width",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_widths,
		   .doc = "lanes, from file rate: \"100 Gb/sec (4X EDR)\"",
		   .observed_by = NEEDS_ACTIVE},
	[SPEED] = {.name = "speed",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_speeds,
		   .doc = "speed of a lane, from file rate; SDR where it names none",
		   .observed_by = NEEDS_ACTIVE},
	[LID] = {.name = "lid",
		 .type = RS_INTEGER,
		 .doc = "file lid: the port's base LID; none for Ethernet",
		 .observed_by = NEEDS_ACTIVE},
	[LMC] = {.name = "lmc",
		 .type = RS_INTEGER,
		 .doc = "file lid_mask_count: the port has 2^lmc LIDs; none for Ethernet",
		 .observed_by = NEEDS_ACTIVE},
	[SM_LID] = {.name = "sm_lid",
		    .type = RS_INTEGER,
		    .doc = "file sm_lid: LID of the subnet manager that configured the port; none for Ethernet",
		    .observed_by = NEEDS_ACTIVE},
	[SM_SL] = {.name = "sm_sl",
		   .type = RS_INTEGER,
		   .doc = "file sm_sl: service level towards that subnet manager; none for Ethernet",
		   .observed_by = NEEDS_ACTIVE},
	[CAPABILITY_MASK] = {.name = "capability_mask",
			     .type = RS_UNSIGNED,
			     .flags = RS_F_HEX,
			     .doc = "file cap_mask: CapabilityMask of PortInfo",
			     .observed_by = NEEDS_FILE},
	[PORT_GUID] = {.name = "port_guid",
		       .type = RS_GUID,
		       .doc = "low half of file gids/0; zero for many RoCE ports",
		       .observed_by = NEEDS_FILE},
	[SUBNET_PREFIX] = {.name = "subnet_prefix",
			   .type = RS_GUID,
			   .doc = "high half of file gids/0",
			   .observed_by = NEEDS_FILE},
	[ACTIVE_MTU] = {.name = "active_mtu",
			.type = RS_ENUM,
			.flags = RS_F_ORDERED | RS_F_HIGHER,
			.choices = link_mtus,
			.doc = "NeighborMTU of the port's PortInfo, in bytes; of active ports only",
			.observed_by = NEEDS_UMAD},
	[MAX_MTU] = {.name = "max_mtu",
		     .type = RS_ENUM,
		     .flags = RS_F_ORDERED | RS_F_HIGHER,
		     .choices = link_mtus,
		     .doc = "MTUCap of the port's PortInfo, in bytes",
		     .observed_by = NEEDS_UMAD},
	[FACTS] = {0},
};

static bool read_port_number(struct rs_ctx *ctx, uint64_t *value, const char *device, unsigned port, const char *file)
{
	return !sysfs_number(ctx, value, "class/infiniband/%s/ports/%u/%s", device, port, file);
}

static void set_layer(struct rs_ctx *ctx, const char *device, unsigned port)
{
	char text[64];
	int length = sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/%u/link_layer", device, port);

	if (length >= 0 ? !strcmp(text, "InfiniBand") : port_is_infiniband(ctx, device, port))
		rs_set_enum(ctx, LINK_LAYER, 0);
	else if (length >= 0 && !strcmp(text, "Ethernet"))
		rs_set_enum(ctx, LINK_LAYER, 1);
	else if (length >= 0)
		rs_set_unknown(ctx, LINK_LAYER, text);
}

/* Returns the code of the state; 0 where it cannot be read */
static unsigned set_states(struct rs_ctx *ctx, const char *device, unsigned port)
{
	uint64_t state = 0, physical;

	if (read_port_number(ctx, &state, device, port, "state"))
		link_set_code(ctx, STATE, link_state((unsigned)state), (unsigned)state);
	if (read_port_number(ctx, &physical, device, port, "phys_state"))
		link_set_code(ctx, PHYSICAL_STATE, link_physical((unsigned)physical), (unsigned)physical);
	return (unsigned)state;
}

static int choice_of(const char *const *choices, const char *text, size_t length)
{
	for (int i = 0; choices[i]; i++)
		if (strlen(choices[i]) == length && !strncmp(choices[i], text, length))
			return i;
	return -1;
}

static void set_word(struct rs_ctx *ctx, unsigned fact, const char *const *choices, const char *text, size_t length)
{
	int choice = choice_of(choices, text, length);
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	if (choice >= 0)
		rs_set_enum(ctx, fact, choice);
	else
		rs_set_unknown(ctx, fact, word);
}

/* "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X)" */
static void set_rate(struct rs_ctx *ctx, const char *device, unsigned port)
{
	char text[96];
	size_t digits, width;
	const char *open;

	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/%u/rate", device, port) <= 0)
		return;
	digits = strspn(text, "0123456789.");
	open = strchr(text, '(');
	if (digits && !strncmp(text + digits, " Gb/sec", 7)) {
		char number[32];

		snprintf(number, sizeof(number), "%.*s", (int)digits, text);
		rs_set_decimal(ctx, RATE, number);
	}
	if (!open)
		return;
	open++;
	width = strcspn(open, " )");
	set_word(ctx, WIDTH, link_widths, open, width);
	if (open[width] == ' ')
		set_word(ctx, SPEED, link_speeds, open + width + 1, strcspn(open + width + 1, ")"));
	else
		rs_set_enum(ctx, SPEED, LINK_SDR);
}

static void set_addressing(struct rs_ctx *ctx, const char *device, unsigned port)
{
	static const struct {
		unsigned fact;
		const char *file;
	} numbers[] = {{LID, "lid"}, {LMC, "lid_mask_count"}, {SM_LID, "sm_lid"}, {SM_SL, "sm_sl"}};
	uint64_t value;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (read_port_number(ctx, &value, device, port, numbers[i].file))
			rs_set_integer(ctx, numbers[i].fact, (int64_t)value);
}

static void explain_stale(struct rs_ctx *ctx, unsigned state, unsigned last)
{
	char why[96];

	if (link_state(state) >= 0)
		snprintf(why, sizeof(why), "needs an active port: it is %s, and what it shows is left over from before",
			 link_states[link_state(state)]);
	else
		snprintf(why, sizeof(why), "needs an active port: its state is not known");
	for (unsigned fact = RATE; fact <= last; fact++)
		rs_not_observed(ctx, fact, why);
}

static void set_no_subnet(struct rs_ctx *ctx, const char *device, unsigned port)
{
	char text[64];

	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/%u/link_layer", device, port) < 0)
		return; /* a port that shows nothing is not known to have none */
	for (unsigned fact = LID; fact <= SM_SL; fact++)
		rs_set_none(ctx, fact);
}

static void set_identity(struct rs_ctx *ctx, const char *device, unsigned port)
{
	uint64_t mask;
	uint8_t gid[16];

	if (read_port_number(ctx, &mask, device, port, "cap_mask"))
		rs_set_unsigned(ctx, CAPABILITY_MASK, mask);
	if (sysfs_gid(ctx, gid, "class/infiniband/%s/ports/%u/gids/0", device, port) < 0)
		return;
	rs_set_guid(ctx, SUBNET_PREFIX, get64(gid));
	rs_set_guid(ctx, PORT_GUID, get64(gid + 8));
}

/* Offsets in PortInfo (14.2.5.6) */
#define AT_NEIGHBOR_MTU 36 /* high nibble */
#define AT_MTU_CAP 41	   /* low nibble */
#define ATTRIBUTE_PORT_INFO 0x0015

/* No hop at all: the SMP is answered by the port that it is sent from */
static void set_mtus(struct rs_ctx *ctx, const char *device, unsigned port, bool in_use)
{
	static const struct mad_options options = {.window = 1, .window_max = 1, .retries = 1, .mad_timeout = 0.5};
	const struct mad_request request = {
		.klass = MAD_CLASS_SMI_DIRECT, .attribute = ATTRIBUTE_PORT_INFO, .modifier = port};
	struct mad_answer answer;
	struct mad_port *umad;
	int error;

	umad = mad_try_open(ctx, device, port, &options, &error);
	if (!umad)
		return;
	if (!mad_query(umad, &request, &answer) && answer.outcome == MAD_ANSWERED) {
		const uint8_t *info = answer.mad + MAD_DATA;
		unsigned active = info[AT_NEIGHBOR_MTU] >> 4, max = info[AT_MTU_CAP] & 15;

		if (in_use)
			link_set_code(ctx, ACTIVE_MTU, link_mtu(active), active);
		link_set_code(ctx, MAX_MTU, link_mtu(max), max);
	}
	mad_close(umad);
}

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	bool infiniband = port_is_infiniband(ctx, device, port), active;
	unsigned state;

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, device);
	rs_set_integer(ctx, PORT, port);
	set_layer(ctx, device, port);
	state = set_states(ctx, device, port);
	active = link_state(state) == LINK_ACTIVE;
	set_identity(ctx, device, port);
	if (active)
		set_rate(ctx, device, port);
	else
		explain_stale(ctx, state, infiniband ? SM_SL : SPEED);
	if (!infiniband)
		set_no_subnet(ctx, device, port);
	else if (active)
		set_addressing(ctx, device, port);
	if (infiniband)
		set_mtus(ctx, device, port, active);
}

int ib_ports_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return select_ports(ctx, params, visit, NULL);
}

const struct rs_param ib_ports_params[] = {RDMA_SELECT_DEVICE, RDMA_SELECT_PORT, {0}};

const struct rs_probe ib_ports_probe = {
	.name = "ib.ports",
	.summary = "ports of a host's RDMA devices: state, rate, LIDs, MTU",
	.row = "{device} port {port}",
	.facts = facts,
};
