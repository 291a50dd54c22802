/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Partition tables by the subnet administration: one question for the whole subnet. A table counts only where all of
 * its blocks came; of what the SA leaves out, or what was cut off, the port itself is asked afterwards.
 */
#include <string.h>

#include "fabric/partitions.h"
#include "support/mad_packet.h"
#include "support/sa.h"

/* P_KeyTableRecord (15.2.5.11): LID 2 bytes, BlockNum 2, PortNum 1, reserved 3, P_KeyTableBlock 64 */
enum { AT_LID = 0, AT_BLOCK = 2, AT_PORT = 4, AT_ENTRIES = 8, RECORD_BYTES = 72 };

static uint32_t *index_lids(struct rs_ctx *ctx, const struct members *members)
{
	uint32_t *by_lid = rs_alloc(ctx, (LID_MAX + 1) * sizeof(*by_lid));

	for (uint32_t i = 0; i < members->count; i++) {
		const struct member *member = &members->all[i];
		uint16_t lid = fabric_lid(members->fabric, member->node, member->port);

		/* of a LID that two have, nobody knows whose table it is: both are asked themselves */
		if (lid && lid <= LID_MAX)
			by_lid[lid] = by_lid[lid] ? UINT32_MAX : i + 1;
	}
	return by_lid;
}

static bool take_record(struct members *members, const uint32_t *by_lid, const uint8_t *record)
{
	unsigned lid = get16(record + AT_LID), block = get16(record + AT_BLOCK);
	struct member *member;

	if (lid > LID_MAX || !by_lid[lid] || by_lid[lid] == UINT32_MAX)
		return false;
	member = &members->all[by_lid[lid] - 1];
	if (record[AT_PORT] != member->port || block * PARTITION_BLOCK >= member_entries(members, member))
		return false;
	for (unsigned i = 0; i < PARTITION_BLOCK && block * PARTITION_BLOCK + i < member_entries(members, member); i++)
		member->entries[block * PARTITION_BLOCK + i] = get16(record + AT_ENTRIES + 2 * i);
	member->blocks[block / 8] |= (uint8_t)(1u << block % 8);
	return true;
}

static bool has_all_blocks(const struct members *members, const struct member *member)
{
	for (unsigned block = 0; block * PARTITION_BLOCK < member_entries(members, member); block++)
		if (!(member->blocks[block / 8] >> block % 8 & 1))
			return false;
	return true;
}

size_t partitions_take_records(struct rs_ctx *ctx, struct members *members, const uint8_t *mad, size_t length)
{
	const uint32_t *by_lid = index_lids(ctx, members);
	struct sa_records records;
	size_t taken = 0;

	if (!sa_records_read(mad, length, RECORD_BYTES, &records)) {
		rs_note(ctx, "the subnet administration's answer makes no sense: %zu bytes", length);
		return 0;
	}
	for (size_t i = 0; i < records.count; i++)
		taken += take_record(members, by_lid, records.first + i * records.size);
	for (uint32_t i = 0; i < members->count; i++)
		members->all[i].by_sa = has_all_blocks(members, &members->all[i]);
	if (!records.whole)
		rs_note(ctx, "the subnet administration's answer was cut off after %zu records", records.count);
	return taken;
}

/* The port that the sweep began at knows where the SM is */
static const struct port_info *own_port(const struct fabric *fabric)
{
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		const struct node *node = &fabric->nodes[i];
		unsigned port = node->info.type == NODE_SWITCH ? 0 : node->entry_port;

		if (node->parent == NO_NODE && fabric_port(fabric, i, port)->known & KNOWS_INFO)
			return &fabric_port(fabric, i, port)->info;
	}
	return NULL;
}

int partitions_ask_sa(struct rs_ctx *ctx, struct members *members, struct mad_port *umad, uint64_t sm_key)
{
	const struct port_info *own = own_port(members->fabric);
	struct mad_request request = {0};
	struct sa_question question;
	struct mad_answer answer;
	char reason[96];
	int error;

	if (!own || !own->sm_lid) {
		rs_note(ctx, "no subnet administration is known: no subnet manager has configured this port");
		return 0;
	}
	sa_request(&request, &question, own->sm_lid, own->sm_sl, SA_PKEY_TABLE_RECORD, sm_key);
	error = mad_query(umad, &request, &answer);
	if (error)
		return error;
	if (answer.outcome == MAD_ANSWERED)
		partitions_take_records(ctx, members, answer.mad, answer.length);
	else
		rs_note(ctx, "the subnet administration at LID %u, asked for all partition tables, %s", own->sm_lid,
			mad_reason(&answer, reason));
	return 0;
}
