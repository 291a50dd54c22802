/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the partition tables of a swept subnet */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

extern const struct rs_fact fabric_partitions_facts[];
extern const char *const partitions_ways[];

enum partitions_way { THROUGH_SA, THROUGH_SMP };

/**
 * struct partitions_wanted - how to ask
 * @through: of enum partitions_way
 * @sm_key: SM_Key, without which an SA tells nobody who is in which partition
 */
struct partitions_wanted {
	int through;
	uint64_t sm_key;
};

/**
 * struct member - one port with a partition table
 * @by_sa: the SA gave all of its table
 * @silent: it was asked itself, and part of the answer is missing
 * @blocks: bit N % 8 of byte N / 8: block N came from the SA
 */
struct member {
	uint32_t node;
	uint8_t port;
	bool by_sa, silent;
	uint8_t *blocks;
	uint16_t *entries;
};

#define PARTITION_BLOCK 32 /* entries of a P_KeyTable attribute, and of a record of one */

struct members {
	const struct fabric *fabric;
	struct member *all;
	uint32_t count;
};

static inline unsigned member_entries(const struct members *members, const struct member *member)
{
	return members->fabric->nodes[member->node].info.partitions;
}

/** partitions_ask_sa - fill in what the SA tells; it sets by_sa. Returns 0 or what rs_error() returned. */
int partitions_ask_sa(struct rs_ctx *ctx, struct members *members, struct mad_port *umad, uint64_t sm_key);

/** partitions_take_records - the same from the bytes of an answer; returns how many records of members there were */
size_t partitions_take_records(struct rs_ctx *ctx, struct members *members, const uint8_t *mad, size_t length);

/** fabric_partitions_rows - ask and tell; returns 0 or what rs_error() returned; what is not answered is named */
int fabric_partitions_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad,
			   const struct partitions_wanted *wanted);
