/* SPDX-License-Identifier: BSD-2-Clause */
/* The pairs of each pattern, for every number of hosts from 2 to 65. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/pattern.h"

#define MOST 65

/* Hosts are not numbered from 0 without gaps: those of a step are any of the scenario's. */
static uint32_t host_number(size_t place)
{
	return (uint32_t)(3 * place + 7);
}

static size_t place_of(uint32_t host)
{
	assert_true(host >= 7 && (host - 7) % 3 == 0);
	return (host - 7) / 3;
}

/** struct made - the pairs, and how often each client met each server */
struct made {
	struct scenario_between between;
	struct pattern_pair *pairs;
	size_t hosts;
	uint32_t rounds;
	unsigned met[MOST][MOST];
};

static struct made *make(enum pattern pattern, size_t hosts, bool both, size_t count, uint64_t seed)
{
	struct scenario_where *where = xcalloc(1, sizeof(*where) + hosts * sizeof(where->hosts[0]));
	struct made *made = xcalloc(1, sizeof(*made));

	for (; where->count < hosts; where->count++)
		where->hosts[where->count] = host_number(where->count);
	made->hosts = hosts;
	made->between = (struct scenario_between){
		.pattern = pattern, .both = both, .hosts = where, .seed = seed, .npairs = count * (both ? 2 : 1)};
	made->pairs = xcalloc(made->between.npairs, sizeof(*made->pairs));
	made->rounds = pattern_pairs(&made->between, made->pairs);
	for (size_t i = 0; i < made->between.npairs; i++)
		made->met[place_of(made->pairs[i].client)][place_of(made->pairs[i].server)]++;
	return made;
}

static void drop(struct made *made)
{
	free((void *)made->between.hosts);
	free(made->pairs);
	free(made);
}

/* Rounds follow each other without a gap, none is empty, and in none a host comes twice. */
static void rounds_are_disjoint(const struct made *made)
{
	size_t in[MOST] = {0}; /* the round in which a host was last, from 1 */

	for (size_t i = 0; i < made->between.npairs; i++) {
		const struct pattern_pair *pair = &made->pairs[i];
		uint32_t before = i ? made->pairs[i - 1].round : 0;

		assert_true(pair->round == before || (i && pair->round == before + 1));
		assert_true(pair->client != pair->server);
		assert_true(in[place_of(pair->client)] != pair->round + 1);
		assert_true(in[place_of(pair->server)] != pair->round + 1);
		in[place_of(pair->client)] = in[place_of(pair->server)] = pair->round + 1;
	}
	assert_int_equal(made->pairs[made->between.npairs - 1].round + 1, made->rounds);
}

static unsigned as_client(const struct made *made, size_t host)
{
	unsigned sum = 0;

	for (size_t other = 0; other < made->hosts; other++)
		sum += made->met[host][other];
	return sum;
}

/* Of n hosts there are n(n-1)/2 pairs; no round holds more than n/2 of them, which makes n-1 rounds, or n of odd n. */
static void test_all_pairs(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		struct made *made;

		assert_int_equal(pattern_most(PATTERN_ALL_PAIRS, n), n * (n - 1) / 2);
		made = make(PATTERN_ALL_PAIRS, n, false, n * (n - 1) / 2, 0);
		assert_int_equal(made->rounds, n % 2 ? n : n - 1);
		rounds_are_disjoint(made);
		for (size_t a = 0; a < n; a++) {
			int more = 2 * (int)as_client(made, a) - (int)(n - 1); /* client more often than server */

			for (size_t b = a + 1; b < n; b++)
				assert_int_equal(made->met[a][b] + made->met[b][a], 1);
			assert_true(more >= -1 && more <= 1);
		}
		drop(made);
	}
}

static void test_both_directions(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		struct made *made = make(PATTERN_ALL_PAIRS, n, true, n * (n - 1) / 2, 0);

		assert_int_equal(made->rounds, 2 * (n % 2 ? n : n - 1));
		rounds_are_disjoint(made);
		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b < n; b++)
				assert_int_equal(made->met[a][b], a != b);
		drop(made);
	}
}

/* A ring of two is one edge; else an even ring takes two rounds, an odd one three. */
static void test_ring(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		size_t edges = n == 2 ? 1 : n;
		struct made *made;

		assert_int_equal(pattern_most(PATTERN_RING, n), edges);
		made = make(PATTERN_RING, n, false, edges, 0);
		assert_int_equal(made->rounds, n == 2 ? 1 : n % 2 ? 3 : 2);
		rounds_are_disjoint(made);
		for (size_t a = 0; a < edges; a++)
			assert_int_equal(made->met[a][(a + 1) % n], 1);
		drop(made);
	}
}

/* Host i of the first half meets host i of the second; of an odd number the last one meets the first, by itself. */
static void test_halves(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		struct made *made;

		assert_int_equal(pattern_most(PATTERN_HALVES, n), (n + 1) / 2);
		made = make(PATTERN_HALVES, n, false, (n + 1) / 2, 0);
		assert_int_equal(made->rounds, 1 + n % 2);
		rounds_are_disjoint(made);
		for (size_t a = 0; a < n / 2; a++)
			assert_int_equal(made->met[a][n / 2 + a], 1);
		if (n % 2)
			assert_int_equal(made->met[n - 1][0], 1);
		drop(made);
	}
}

static void test_one_to_all(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		struct made *made;

		assert_int_equal(pattern_most(PATTERN_ONE_TO_ALL, n), n - 1);
		made = make(PATTERN_ONE_TO_ALL, n, true, n - 1, 0);
		assert_int_equal(made->rounds, 2 * (n - 1));
		rounds_are_disjoint(made);
		assert_false(pattern_at_once(&made->between));
		for (size_t a = 1; a < n; a++)
			assert_int_equal(made->met[0][a] + 10 * made->met[a][0], 11);
		drop(made);
	}
}

/* All of them are one round, for they run at once; the other way is another one. */
static void test_all_to_one(void **state)
{
	for (size_t n = 2; n <= MOST; n++) {
		struct made *made;

		assert_int_equal(pattern_most(PATTERN_ALL_TO_ONE, n), n - 1);
		made = make(PATTERN_ALL_TO_ONE, n, true, n - 1, 0);
		assert_int_equal(made->rounds, 2);
		assert_true(pattern_at_once(&made->between));
		for (size_t i = 0; i < 2 * (n - 1); i++) {
			assert_int_equal(made->pairs[i].round, i >= n - 1);
			assert_int_equal(place_of(i < n - 1 ? made->pairs[i].server : made->pairs[i].client), 0);
		}
		for (size_t a = 1; a < n; a++)
			assert_int_equal(made->met[0][a] + 10 * made->met[a][0], 11);
		drop(made);
	}
}

/* Every number of pairs there can be: none twice, full rounds, and no host in two more pairs than another. */
static void test_random(void **state)
{
	for (size_t n = 2; n <= MOST; n += n < 12 ? 1 : 7) {
		for (size_t count = 1; count <= n * (n - 1) / 2; count += n < 12 ? 1 : 13) {
			struct made *made = make(PATTERN_RANDOM, n, false, count, count);
			size_t least = SIZE_MAX, most = 0;

			rounds_are_disjoint(made);
			assert_int_equal(made->rounds, (count + n / 2 - 1) / (n / 2));
			for (size_t a = 0; a < n; a++) {
				size_t pairs = 0;

				for (size_t b = 0; b < n; b++) {
					assert_true(made->met[a][b] + made->met[b][a] <= 1);
					pairs += made->met[a][b] + made->met[b][a];
				}
				least = pairs < least ? pairs : least;
				most = pairs > most ? pairs : most;
			}
			assert_true(most - least <= 1 + n % 2); /* an odd one may sit out and be cut off */
			drop(made);
		}
	}
}

static void test_random_by_seed(void **state)
{
	struct made *one = make(PATTERN_RANDOM, 64, false, 100, 1), *again = make(PATTERN_RANDOM, 64, false, 100, 1);
	struct made *two = make(PATTERN_RANDOM, 64, false, 100, 2), *more = make(PATTERN_RANDOM, 64, false, 50, 1);

	assert_memory_equal(one->pairs, again->pairs, 100 * sizeof(*one->pairs));
	assert_memory_not_equal(one->pairs, two->pairs, 100 * sizeof(*one->pairs));
	assert_memory_equal(one->pairs, more->pairs, 50 * sizeof(*one->pairs));
	drop(one);
	drop(again);
	drop(two);
	drop(more);
}

/*
 * SplitMix64 from the seed 1234567 gives 6457827717110365317, 3203168211198807973, 9817491932198370423,
 * 4593380528125082431 (https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64). Five places are left, then
 * four, three, two: the remainders are 2, 1, 0, 1. So 4 and 2 change places, then 3 and 1, then what is in place 2
 * (4) and 0, and last place 1 with itself: 4 3 0 1 2.
 */
static void test_shuffle(void **state)
{
	static const uint32_t expected[] = {4, 3, 0, 1, 2};
	uint32_t items[] = {0, 1, 2, 3, 4};

	pattern_shuffle(items, 5, 1234567);
	assert_memory_equal(items, expected, sizeof(expected));
}

/* Each order of three comes as often as any other: 60,000 seeds, six orders; 5 standard deviations are 456. */
static void test_shuffle_is_fair(void **state)
{
	unsigned seen[27] = {0};

	for (uint64_t seed = 0; seed < 60000; seed++) {
		uint32_t items[] = {0, 1, 2};

		pattern_shuffle(items, 3, seed);
		seen[items[0] * 9 + items[1] * 3 + items[2]]++;
	}
	for (unsigned i = 0; i < 27; i++)
		if (seen[i])
			assert_in_range(seen[i], 10000 - 456, 10000 + 456);
	assert_true(seen[5] && seen[7] && seen[11] && seen[15] && seen[19] && seen[21]);
}

/* Named ends keep their order; a round ends where a host comes again. */
static void test_listed(void **state)
{
	static const uint32_t clients[] = {1, 2, 5, 6}, servers[] = {3, 4, 1, 6};
	static const uint32_t rounds[] = {0, 0, 1, 1, 2, 2, 3, 3};
	struct scenario_where *ends[2];
	struct pattern_pair pairs[8];
	struct scenario_between between = {.pattern = PATTERN_LISTED, .both = true, .npairs = 8};

	for (int i = 0; i < 2; i++) {
		ends[i] = xcalloc(1, sizeof(**ends) + sizeof(clients));
		ends[i]->count = 4;
		memcpy(ends[i]->hosts, i ? servers : clients, sizeof(clients));
	}
	between.clients = ends[0];
	between.servers = ends[1];
	assert_int_equal(pattern_pairs(&between, pairs), 4);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(pairs[i].client, i < 4 ? clients[i] : servers[i - 4]);
		assert_int_equal(pairs[i].server, i < 4 ? servers[i] : clients[i - 4]);
		assert_int_equal(pairs[i].round, rounds[i]);
	}
	free(ends[0]);
	free(ends[1]);
}

static void test_too_few(void **state)
{
	for (unsigned pattern = PATTERN_ALL_PAIRS; pattern < PATTERN_LISTED; pattern++) {
		assert_int_equal(pattern_most((enum pattern)pattern, 0), 0);
		assert_int_equal(pattern_most((enum pattern)pattern, 1), 0);
		assert_int_equal(pattern_most((enum pattern)pattern, 2), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_pairs),  cmocka_unit_test(test_both_directions),
		cmocka_unit_test(test_ring),	   cmocka_unit_test(test_halves),
		cmocka_unit_test(test_one_to_all), cmocka_unit_test(test_all_to_one),
		cmocka_unit_test(test_random),	   cmocka_unit_test(test_random_by_seed),
		cmocka_unit_test(test_shuffle),	   cmocka_unit_test(test_shuffle_is_fair),
		cmocka_unit_test(test_listed),	   cmocka_unit_test(test_too_few),
	};

	return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
