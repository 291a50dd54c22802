/* SPDX-License-Identifier: BSD-2-Clause */
#include "scenario/pattern.h"

#include <string.h>

#include "base/cleanup.h"

const char *const pattern_names[] = {"all_pairs", "ring", "halves", "one_to_all", "all_to_one", "random", NULL};

/** struct pairing - the pairs so far */
struct pairing {
	struct pattern_pair *pairs;
	size_t count, wanted; /* no more than these */
	uint32_t round;
};

static void pair(struct pairing *pairing, uint32_t client, uint32_t server)
{
	if (pairing->count < pairing->wanted)
		pairing->pairs[pairing->count++] = (struct pattern_pair){client, server, pairing->round};
}

/*
 * The round-robin tournament by the circle method: all but the last turn around it, one place a round. Of an odd number
 * nobody stands in the middle, and whoever would meet the last one sits out. The ends are given out so that every host
 * is the client of half of its pairs (of one more or less where their number is odd).
 */
static void all_pairs(struct pairing *pairing, const uint32_t *hosts, size_t count)
{
	size_t circle = count % 2 ? count : count - 1;

	for (size_t round = 0; round < circle && pairing->count < pairing->wanted; round++) {
		if (count > circle && round % 2)
			pair(pairing, hosts[circle], hosts[round]);
		else if (count > circle)
			pair(pairing, hosts[round], hosts[circle]);
		for (size_t i = 1; i <= (circle - 1) / 2; i++)
			pair(pairing, hosts[(round + i) % circle], hosts[(round + circle - i) % circle]);
		pairing->round++;
	}
}

/* Every second edge, then those between, then the one that closes a ring of an odd number. */
static void ring(struct pairing *pairing, const uint32_t *hosts, size_t count)
{
	for (size_t i = 0; i + 1 < count; i += 2)
		pair(pairing, hosts[i], hosts[i + 1]);
	pairing->round++;
	if (count == 2)
		return;
	for (size_t i = 1; i < count - count % 2; i += 2)
		pair(pairing, hosts[i], hosts[(i + 1) % count]);
	pairing->round++;
	if (count % 2)
		pair(pairing, hosts[count - 1], hosts[0]), pairing->round++;
}

/* Of an odd number the last one is left over: it meets the first when all others are done. */
static void halves(struct pairing *pairing, const uint32_t *hosts, size_t count)
{
	for (size_t i = 0; i < count / 2; i++)
		pair(pairing, hosts[i], hosts[count / 2 + i]);
	pairing->round++;
	if (count % 2)
		pair(pairing, hosts[count - 1], hosts[0]), pairing->round++;
}

static void one_to_all(struct pairing *pairing, const uint32_t *hosts, size_t count)
{
	for (size_t i = 1; i < count; i++, pairing->round++)
		pair(pairing, hosts[0], hosts[i]);
}

static void all_to_one(struct pairing *pairing, const uint32_t *hosts, size_t count)
{
	for (size_t i = 1; i < count; i++)
		pair(pairing, hosts[i], hosts[0]);
	pairing->round++;
}

/* SplitMix64: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014 */
static uint64_t next_number(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Below @limit, each as likely: what is beyond its largest multiple is drawn again. */
static size_t number_below(uint64_t *state, size_t limit)
{
	uint64_t beyond = UINT64_MAX - UINT64_MAX % limit, number;

	do
		number = next_number(state);
	while (number >= beyond);
	return number % limit;
}

void pattern_shuffle(uint32_t *items, size_t count, uint64_t seed)
{
	for (size_t left = count; left > 1; left--) {
		size_t other = number_below(&seed, left);
		uint32_t item = items[left - 1];

		items[left - 1] = items[other];
		items[other] = item;
	}
}

/* The first pairs of the tournament of shuffled hosts: no pair twice, full rounds, and no host far ahead of another. */
static void random_pairs(struct pairing *pairing, const struct scenario_where *where, uint64_t seed)
{
	AUTO_FREE uint32_t *hosts = xcalloc(where->count, sizeof(*hosts));

	memcpy(hosts, where->hosts, where->count * sizeof(*hosts));
	pattern_shuffle(hosts, where->count, seed);
	all_pairs(pairing, hosts, where->count);
	pairing->round = pairing->count ? pairing->pairs[pairing->count - 1].round + 1 : 0;
}

/* In the order in which they are written: a round ends where a host comes again. */
static void listed(struct pairing *pairing, const struct scenario_between *between)
{
	AUTO_FREE uint32_t *seen = NULL; /* by host: the round in which it was last, from 1 */
	uint32_t last = 0;

	for (size_t i = 0; i < between->clients->count; i++) {
		last = between->clients->hosts[i] > last ? between->clients->hosts[i] : last;
		last = between->servers->hosts[i] > last ? between->servers->hosts[i] : last;
	}
	seen = xcalloc((size_t)last + 1, sizeof(*seen));
	for (size_t i = 0; i < between->clients->count; i++) {
		uint32_t client = between->clients->hosts[i], server = between->servers->hosts[i];

		if (seen[client] == pairing->round + 1 || seen[server] == pairing->round + 1)
			pairing->round++;
		seen[client] = seen[server] = pairing->round + 1;
		pair(pairing, client, server);
	}
	pairing->round++;
}

static void one_way(struct pairing *pairing, const struct scenario_between *between)
{
	const struct scenario_where *where = between->hosts;

	switch (between->pattern) {
	case PATTERN_ALL_PAIRS:
		all_pairs(pairing, where->hosts, where->count);
		break;
	case PATTERN_RING:
		ring(pairing, where->hosts, where->count);
		break;
	case PATTERN_HALVES:
		halves(pairing, where->hosts, where->count);
		break;
	case PATTERN_ONE_TO_ALL:
		one_to_all(pairing, where->hosts, where->count);
		break;
	case PATTERN_ALL_TO_ONE:
		all_to_one(pairing, where->hosts, where->count);
		break;
	case PATTERN_RANDOM:
		random_pairs(pairing, where, between->seed);
		break;
	case PATTERN_LISTED:
		listed(pairing, between);
		break;
	}
}

uint32_t pattern_pairs(const struct scenario_between *between, struct pattern_pair *pairs)
{
	size_t count = between->both ? between->npairs / 2 : between->npairs;
	struct pairing pairing = {.pairs = pairs, .wanted = count};
	uint32_t rounds;

	one_way(&pairing, between);
	rounds = pairing.round;
	if (!between->both)
		return rounds;
	for (size_t i = 0; i < count; i++)
		pairs[count + i] = (struct pattern_pair){pairs[i].server, pairs[i].client, pairs[i].round + rounds};
	return 2 * rounds;
}

uint64_t pattern_most(enum pattern pattern, uint64_t hosts)
{
	if (hosts < 2)
		return 0;
	switch (pattern) {
	case PATTERN_ALL_PAIRS:
	case PATTERN_RANDOM:
		return hosts * (hosts - 1) / 2;
	case PATTERN_RING:
		return hosts == 2 ? 1 : hosts;
	case PATTERN_HALVES:
		return hosts / 2 + hosts % 2;
	case PATTERN_ONE_TO_ALL:
	case PATTERN_ALL_TO_ONE:
		return hosts - 1;
	case PATTERN_LISTED:
		break;
	}
	return hosts;
}

bool pattern_at_once(const struct scenario_between *between)
{
	return between->pattern == PATTERN_ALL_TO_ONE;
}
