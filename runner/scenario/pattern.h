/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the pairs that a step's "between" comes to, in rounds of disjoint hosts */
#pragma once

#include "scenario/scenario.h"

/**
 * struct pattern_pair - @client, @server: indices into the scenario's hosts
 * @round: from 0; no host is in two pairs of one round, but for those of a pattern that is observed at once
 */
struct pattern_pair {
	uint32_t client, server, round;
};

/** pattern_names - in the order of enum pattern, ended by NULL */
extern const char *const pattern_names[];

/** pattern_most - how many pairs @pattern makes of @hosts hosts, in one direction; of PATTERN_RANDOM: at most */
uint64_t pattern_most(enum pattern pattern, uint64_t hosts);

/** pattern_pairs - all of @between's; @pairs has room for between->npairs. Returns the number of rounds. */
uint32_t pattern_pairs(const struct scenario_between *between, struct pattern_pair *pairs);

/** pattern_at_once - whether the pairs of a round are one operation, which holds all of its hosts */
bool pattern_at_once(const struct scenario_between *between);

/**
 * pattern_shuffle - the same order of @items for the same @seed, on every machine
 * Fisher and Yates' shuffle, from the last place to the second, each fed by the next number of SplitMix64 that is below
 * the largest multiple of the number of places left.
 */
void pattern_shuffle(uint32_t *items, size_t count, uint64_t seed);
