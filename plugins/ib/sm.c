/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.sm: the subnet manager as this host's port reaches it, by SMInfo */
#include <infiniband/mad.h>
#include <stdio.h>

#include "ib/ib.h"
#include "support/link.h"
#include "support/mad.h"
#include "support/port.h"

enum { DEVICE, PORT, LID, GUID, STATE, PRIORITY, ACTIVITY_COUNT, FACTS };

static const char *const sm_states[] = {"NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER", NULL};

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .doc = "RDMA device that was asked through"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .doc = "its port"},
	[LID] = {.name = "lid",
		 .type = RS_INTEGER,
		 .flags = RS_F_KEY,
		 .doc = "LID that was asked: the lid parameter, or the port's sm_lid"},
	[GUID] = {.name = "guid", .type = RS_GUID, .doc = "SMInfo.GUID: port GUID of the subnet manager"},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .choices = sm_states,
		   .doc = "SMInfo.SMState: 0 NOTACTIVE, 1 DISCOVERING, 2 STANDBY, 3 MASTER"},
	[PRIORITY] = {.name = "priority", .type = RS_INTEGER, .doc = "SMInfo.Priority: the highest becomes master"},
	[ACTIVITY_COUNT] = {.name = "activity_count",
			    .type = RS_UNSIGNED,
			    .flags = RS_F_VOLATILE,
			    .doc = "SMInfo.ActCount: rises while the subnet manager works"},
	[FACTS] = {0},
};

#define ATTRIBUTE_SM_INFO 0x0020

static void set_row(struct rs_ctx *ctx, const struct port_seen *port, unsigned lid, const uint8_t *mad)
{
	uint8_t *info = (uint8_t *)mad + MAD_DATA; /* mad_get_field() does not write to it */
	unsigned state = mad_get_field(info, 0, IB_SMINFO_STATE_F);

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, port->device);
	rs_set_integer(ctx, PORT, port->port);
	rs_set_integer(ctx, LID, lid);
	rs_set_guid(ctx, GUID, mad_get_field64(info, 0, IB_SMINFO_GUID_F));
	link_set_code(ctx, STATE, state < 4 ? (int)state : -1, state);
	rs_set_integer(ctx, PRIORITY, mad_get_field(info, 0, IB_SMINFO_PRIO_F));
	rs_set_unsigned(ctx, ACTIVITY_COUNT, mad_get_field(info, 0, IB_SMINFO_ACT_F));
}

static int ask(struct rs_ctx *ctx, struct mad_port *umad, const struct port_seen *port, unsigned lid)
{
	const struct mad_request request = {
		.klass = MAD_CLASS_SMI, .attribute = ATTRIBUTE_SM_INFO, .lid = (uint16_t)lid};
	struct mad_answer answer;
	char reason[96];
	int error = mad_query(umad, &request, &answer);

	if (error)
		return error;
	if (answer.outcome != MAD_ANSWERED)
		return rs_error(ctx, answer.outcome == MAD_REFUSED ? RS_INVALID : RS_TIMED_OUT,
				"no subnet manager at LID %u: it %s when %s port %u asked it for SMInfo", lid,
				mad_reason(&answer, reason), port->device, port->port);
	set_row(ctx, port, lid, answer.mad);
	return 0;
}

int ib_sm_observe(struct rs_ctx *ctx, const void *bound, uint32_t wanted)
{
	const struct ib_sm_params *params = bound;
	const struct mad_options options = {.window = 1,
					    .window_max = 1,
					    .retries = params->retries,
					    .mad_timeout = params->mad_timeout,
					    .m_key = params->m_key};
	struct port_seen port;
	struct mad_port *umad;
	unsigned lid;
	int error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "a recorded tree has files only: no subnet manager can be asked");
	error = port_choose(ctx, params->device, params->port ? (unsigned)*params->port : 0, &port);
	if (error)
		return error;
	lid = params->lid ? (unsigned)*params->lid : port.sm_lid;
	if (!lid) {
		rs_note(ctx, "%s port %u has no SM LID: no subnet manager has configured it", port.device, port.port);
		return 0;
	}
	umad = mad_open(ctx, port.device, port.port, &options);
	if (!umad)
		return -1;
	error = ask(ctx, umad, &port, lid);
	mad_close(umad);
	return error;
}

const struct rs_param ib_sm_params[] = {
	{.key = "device",
	 .type = RS_TEXT,
	 .offset = offsetof(struct ib_sm_params, device),
	 .doc = "RDMA device to ask through; without it the one of the first active InfiniBand port"},
	{.key = "port",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct ib_sm_params, port),
	 .min = 1,
	 .max = 254,
	 .doc = "its port; without it the first active one"},
	{.key = "lid",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct ib_sm_params, lid),
	 .min = 1,
	 .max = 0xbfff,
	 .doc = "LID to ask (a standby subnet manager, say); without it the port's own master"},
	{.key = "retries",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct ib_sm_params, retries),
	 .value = "2",
	 .max = 100,
	 .doc = "how often it is asked again when it does not answer"},
	{.key = "mad_timeout",
	 .type = RS_QUANTITY,
	 .offset = offsetof(struct ib_sm_params, mad_timeout),
	 .unit = "s",
	 .value = "1 s",
	 .max = 60,
	 .doc = "how long each try waits for the answer"},
	{.key = "m_key",
	 .type = RS_GUID,
	 .offset = offsetof(struct ib_sm_params, m_key),
	 .value = "0x0",
	 .doc = "M_Key of the subnet, 64 bits in hexadecimal"},
	{0},
};

const struct rs_probe ib_sm_probe = {
	.name = "ib.sm",
	.summary = "the subnet manager of a host's port, or the one at a given LID",
	.row = "SM at LID {lid}",
	.facts = facts,
};
