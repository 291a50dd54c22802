/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parser of perftest's output. The expected figures stand in the texts: in tests/data/perftest, which perftest
 * wrote, and below for forms that need other versions or hardware, laid out by the format strings of perftest's source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/perftest.h"

#define RULER "---------------------------------------------------------------------------------------\n"
#define HEADER_GBIT " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
#define HEADER_LATENCY                                                                                                 \
	" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "        \
	"99% percentile[usec]   99.9% percentile[usec] \n"
#define ROW_GBIT " 65536      5000             92.42              92.40\t\t   0.176230\n"

static struct perftest parse(const char *text)
{
	struct perftest result = {0};

	perftest_feed(&result, text, strlen(text));
	perftest_finish(&result);
	return result;
}

static char *read_file(const char *name)
{
	char path[512], *text = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/perftest/%s", getenv("RDMASPEC_SOURCE"), name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s is missing", path);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);
	return text;
}

static struct perftest parse_file(const char *name)
{
	char *text = read_file(name);
	struct perftest result = parse(text);

	free(text);
	return result;
}

static void assert_row(const struct perftest *perftest, size_t row, enum perftest_column column, const char *expected)
{
	assert_true(row < perftest->nrows);
	assert_string_equal(perftest->rows[row].cell[column], expected);
}

static void assert_clean(const struct perftest *perftest, size_t rows)
{
	if (perftest->problems.count)
		fail_msg("%s", perftest->problems.text[0]);
	if (perftest->notes.count)
		fail_msg("%s", perftest->notes.text[0]);
	assert_int_equal(perftest->nrows, rows);
}

/* No row, and a problem that says @what */
static void assert_problem(const char *text, const char *what)
{
	struct perftest result = parse(text);

	assert_int_equal(result.nrows, 0);
	assert_int_equal(result.problems.count, 1);
	if (!strstr(result.problems.text[0], what))
		fail_msg("\"%s\" says nothing of \"%s\"", result.problems.text[0], what);
	perftest_free(&result);
}

/* ---- What perftest wrote ---- */

static void bandwidth(void **state)
{
	struct perftest result = parse_file("write-bw.txt");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BYTES, "65536");
	assert_row(&result, 0, PERFTEST_ITERATIONS, "100");
	assert_row(&result, 0, PERFTEST_BW_PEAK, "45.76");
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "24.57");
	assert_row(&result, 0, PERFTEST_MSG_RATE, "0.000393");
	assert_row(&result, 0, PERFTEST_T_AVG, "");
	assert_int_equal(result.rows[0].unit, PERFTEST_MIB);
	assert_int_equal(result.rows[0].line, 23);
	assert_string_equal(result.facts.test, "RDMA_Write BW Test");
	assert_string_equal(result.facts.device, "rxe0");
	assert_string_equal(result.facts.transport, "IB");
	assert_string_equal(result.facts.connection, "RC");
	assert_string_equal(result.facts.link_type, "Ethernet");
	assert_string_equal(result.facts.mtu, "4096");
	assert_string_equal(result.facts.gid_index, "1");
	assert_string_equal(result.facts.qps, "1");
	assert_string_equal(result.facts.rdma_cm, "OFF");
	perftest_free(&result);
}

static void all_sizes(void **state)
{
	struct perftest result = parse_file("send-bw-all-sizes.txt");

	/* 2^1 to 2^23 */
	assert_clean(&result, 23);
	for (size_t i = 0; i < 23; i++)
		assert_int_equal(atol(result.rows[i].cell[PERFTEST_BYTES]), 2l << i);
	/* six decimals below 0.1, two above, in one table */
	assert_row(&result, 9, PERFTEST_BW_AVERAGE, "0.066386");
	assert_row(&result, 10, PERFTEST_BW_AVERAGE, "0.11");
	assert_row(&result, 11, PERFTEST_BW_PEAK, "0.184173");
	assert_row(&result, 22, PERFTEST_MSG_RATE, "0.000003");
	assert_int_equal(result.rows[22].unit, PERFTEST_GBIT);
	perftest_free(&result);
}

static void duration_with_cpu(void **state)
{
	struct perftest result = parse_file("write-bw-duration-cpu.txt");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BW_PEAK, "0.00");
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "44.23");
	assert_row(&result, 0, PERFTEST_CPU_UTIL, "100.00");
	perftest_free(&result);
	result = parse_file("write-lat-duration.txt");
	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_ITERATIONS, "248");
	assert_row(&result, 0, PERFTEST_T_AVG, "4046.31");
	assert_row(&result, 0, PERFTEST_TPS, "123.57");
	assert_row(&result, 0, PERFTEST_P99, "");
	perftest_free(&result);
}

static void latency(void **state)
{
	struct perftest result = parse_file("write-lat.txt");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BYTES, "2");
	assert_row(&result, 0, PERFTEST_T_MIN, "2526.68");
	assert_row(&result, 0, PERFTEST_T_MAX, "4167.34");
	assert_row(&result, 0, PERFTEST_T_TYPICAL, "3994.56");
	assert_row(&result, 0, PERFTEST_T_AVG, "3979.81");
	assert_row(&result, 0, PERFTEST_T_STDEV, "158.11");
	assert_row(&result, 0, PERFTEST_P99, "4167.34");
	assert_row(&result, 0, PERFTEST_P99_9, "4167.34");
	assert_int_equal(result.rows[0].unit, PERFTEST_NO_UNIT);
	perftest_free(&result);
}

static void dumps_are_no_rows(void **state)
{
	struct perftest result = parse_file("send-lat-histogram.txt");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_ITERATIONS, "20");
	assert_row(&result, 0, PERFTEST_T_MIN, "2997.05");
	perftest_free(&result);
	result = parse_file("send-lat-unsorted.txt");
	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_P99, "4053.18");
	perftest_free(&result);
}

static void zeroes_with_exit_status_0(void **state)
{
	struct perftest result = parse_file("write-bw-zeroes.txt");

	assert_int_equal(result.nrows, 0);
	assert_int_equal(result.problems.count, 1);
	assert_non_null(strstr(result.problems.text[0], "line 23"));
	assert_non_null(strstr(result.problems.text[0], "zero"));
	perftest_free(&result);
}

static void other_connections(void **state)
{
	struct perftest result = parse_file("write-bw-rdma-cm.txt");

	assert_clean(&result, 1);
	assert_string_equal(result.facts.rdma_cm, "ON");
	perftest_free(&result);
	result = parse_file("write-bw-both-ways.txt");
	assert_clean(&result, 1);
	assert_string_equal(result.facts.test, "RDMA_Write Bidirectional BW Test");
	assert_string_equal(result.facts.qps, "2");
	perftest_free(&result);
}

static void in_pieces_of_any_size(void **state)
{
	char *text = read_file("send-bw-all-sizes.txt");
	size_t length = strlen(text);

	for (size_t piece = 1; piece < 200; piece++) {
		struct perftest result = {0};

		for (size_t at = 0; at < length; at += piece)
			perftest_feed(&result, text + at, length - at < piece ? length - at : piece);
		perftest_finish(&result);
		assert_clean(&result, 23);
		assert_row(&result, 22, PERFTEST_BYTES, "8388608");
		perftest_free(&result);
	}
	free(text);
}

/* Cut at every byte: a row is whole or it is none, and no figure is half of another */
static void cut_off_anywhere(void **state)
{
	char *text = read_file("write-bw.txt");
	size_t length = strlen(text), row_ends = length - strlen(RULER);

	for (size_t cut = 0; cut <= length; cut++) {
		struct perftest result = {0};

		perftest_feed(&result, text, cut);
		perftest_finish(&result);
		assert_int_equal(result.nrows, cut >= row_ends);
		if (result.nrows)
			assert_row(&result, 0, PERFTEST_MSG_RATE, "0.000393");
		perftest_free(&result);
	}
	free(text);
}

/* ---- Forms of other versions and devices ---- */

static void units(void **state)
{
	struct perftest result =
		parse(" #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n"
		      " 65536      5000             11017.23           11015.10\t\t   0.176242\n");

	assert_clean(&result, 1);
	assert_int_equal(result.rows[0].unit, PERFTEST_MIB);
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "11015.10");
	perftest_free(&result);
	assert_problem(" #bytes     #iterations    BW peak[GB/sec]    BW average[GB/sec]   MsgRate[Mpps]\n" ROW_GBIT,
		       "unknown header");
	assert_problem(" #bytes     #iterations    BW peak[Gb/sec]    BW average[MB/sec]   MsgRate[Mpps]\n" ROW_GBIT,
		       "unknown header");
}

/* As documents show it: every run of blanks is one */
static void blanks_made_one(void **state)
{
	struct perftest result = parse(
		"RDMA_Write BW Test\nDual-port : OFF Device : mlx5_bond_0\nNumber of qps : 4 Transport type : IB\n"
		"Connection type : RC Using SRQ : OFF\nMtu : 1024[B]\nLink type : Ethernet\nGID index : 5\n"
		"rdma_cm QPs : OFF\n" RULER "#bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n"
		"65536 5000 23.12 23.09 0.044035\n" RULER);

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BW_PEAK, "23.12");
	assert_row(&result, 0, PERFTEST_MSG_RATE, "0.044035");
	assert_string_equal(result.facts.device, "mlx5_bond_0");
	assert_string_equal(result.facts.qps, "4");
	assert_string_equal(result.facts.gid_index, "5");
	assert_string_equal(result.facts.mtu, "1024");
	perftest_free(&result);
	result = parse("#bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec] t_stdev[usec] 99% "
		       "percentile[usec] 99.9% percentile[usec]\n2 1000 3.40 6.22 3.48 3.49 0.03 3.71 6.22\n");
	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_P99, "3.71");
	assert_row(&result, 0, PERFTEST_P99_9, "6.22");
	perftest_free(&result);
}

static void ports_apart(void **state)
{
	struct perftest result = parse(
		" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]   BW Port1[Gb/sec]   "
		"MsgRate Port1[Mpps]   BW Port2[Gb/sec]   MsgRate Port2[Mpps]\n"
		" 65536      184320     0.00               193.20\t\t   0.368500        96.70              0.184440   "
		"           96.50              0.184060\n");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "193.20");
	assert_row(&result, 0, PERFTEST_BW_PORT1, "96.70");
	assert_row(&result, 0, PERFTEST_MSG_RATE_PORT1, "0.184440");
	assert_row(&result, 0, PERFTEST_BW_PORT2, "96.50");
	assert_row(&result, 0, PERFTEST_MSG_RATE_PORT2, "0.184060");
	perftest_free(&result);
}

static void service_levels(void **state)
{
	struct perftest result =
		parse(" #bytes    #sl      #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
		      " 65536    0           5000           92.10              46.20                  0.088120\n"
		      " 65536    3           5000           92.10              45.90                  0.087550\n");

	assert_clean(&result, 2);
	assert_row(&result, 0, PERFTEST_SL, "0");
	assert_row(&result, 1, PERFTEST_SL, "3");
	assert_row(&result, 1, PERFTEST_ITERATIONS, "5000");
	assert_row(&result, 1, PERFTEST_BW_AVERAGE, "45.90");
	perftest_free(&result);
}

/* A column of a version to come does not move the others */
static void a_column_without_meaning(void **state)
{
	struct perftest result = parse(
		" #bytes     #iterations    Retries seen[n]    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
		" 65536      5000           7                  92.42              92.40                0.176230\n");

	assert_clean(&result, 1);
	assert_row(&result, 0, PERFTEST_BW_PEAK, "92.42");
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "92.40");
	perftest_free(&result);
}

static void warnings_inside_the_table(void **state)
{
	struct perftest result = parse(
		RULER HEADER_GBIT
		"Conflicting CPU frequency values detected: 1200.000000 != 1300.000000. CPU Frequency is not max.\n"
		" 2          1000           0.052812            0.050794            3.174618\n"
		"Conflicting CPU frequency values detected: 1200.000000 != 1300.000000. CPU Frequency is not max.\n"
		"100 times is too seldom\n" ROW_GBIT RULER);

	assert_int_equal(result.problems.count, 0);
	assert_int_equal(result.nrows, 2);
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "0.050794");
	assert_row(&result, 1, PERFTEST_BW_AVERAGE, "92.40");
	assert_int_equal(result.notes.count, 3);
	assert_non_null(strstr(result.notes.text[0], "line 3: Conflicting CPU frequency"));
	perftest_free(&result);
}

static void rows_that_are_none(void **state)
{
	assert_problem(HEADER_GBIT " 65536      5000             nan                nan\t\t   nan\n", "no number");
	assert_problem(HEADER_GBIT " 65536      5000             -nan               92.4\t\t   0.1\n", "no number");
	assert_problem(HEADER_GBIT " 65536      5000             inf                92.40\t\t   0.1\n", "no number");
	assert_problem(HEADER_GBIT " 65536      5000             92.42              -92.40\t\t   0.1\n", "negative");
	assert_problem(HEADER_GBIT " 65536      5000             92.42              0.00\t\t   0.176230\n", "zero");
	assert_problem(HEADER_GBIT " 65536      0                92.42              92.40\t\t   0.176230\n", "zero");
	assert_problem(HEADER_GBIT " 65536      5000             92,42              92,40\t\t   0,176230\n",
		       "digits and a point");
	assert_problem(HEADER_GBIT " 65536      5000             9.2e1              92.40\t\t   0.176230\n",
		       "digits and a point");
	assert_problem(HEADER_GBIT " 65536      5000             92.42              92.40\n", "more or fewer");
	assert_problem(HEADER_GBIT " 65536      5000             92.42              92.40  0.1 7.0\n", "more or fewer");
	assert_problem(HEADER_GBIT " 65536      5000             92.42              92.40\t\t   0.1", "in the middle");
	assert_problem(HEADER_GBIT " 65536      5000             9", "in the middle");
	assert_problem(HEADER_LATENCY " 2       1000          0.00           6.22         3.48     \t       3.49       "
				      "\t0.03   \t\t3.71    \t\t6.22   \n",
		       "zero");
	assert_problem(HEADER_GBIT
		       " 65536      5000             92.4212345678901234567890              92.40\t\t   0.1\n",
		       "digits and a point");
}

static void a_table_without_rows(void **state)
{
	struct perftest result = parse(RULER HEADER_GBIT);

	assert_clean(&result, 0);
	perftest_free(&result);
	result = parse(ROW_GBIT); /* no header says what the figures are */
	assert_int_equal(result.nrows, 0);
	assert_int_equal(result.notes.count, 1);
	perftest_free(&result);
	result = parse("");
	assert_clean(&result, 0);
	perftest_free(&result);
}

/* 10 MiB around one row: nothing is lost, and memory does not grow with it */
static void noise(void **state)
{
	struct perftest result = {0};
	char block[65536];
	uint32_t seed = 1;

	perftest_feed(&result, HEADER_GBIT, strlen(HEADER_GBIT));
	for (int half = 0; half < 2; half++) {
		for (int i = 0; i < 80; i++) {
			for (size_t j = 0; j < sizeof(block); j++) {
				seed = seed * 1664525 + 1013904223;
				block[j] = (char)(seed >> 24);
				if (block[j] >= '0' && block[j] <= '9')
					block[j] = 'x'; /* no line of noise is to look like a row by chance */
			}
			perftest_feed(&result, block, sizeof(block));
		}
		perftest_feed(&result, "\n", 1);
		if (!half)
			perftest_feed(&result, ROW_GBIT, strlen(ROW_GBIT));
	}
	perftest_finish(&result);
	assert_int_equal(result.problems.count, 0);
	assert_int_equal(result.nrows, 1);
	assert_row(&result, 0, PERFTEST_BW_AVERAGE, "92.40");
	assert_true(result.notes.count > PERFTEST_NOTES);
	for (int i = 0; i < PERFTEST_NOTES; i++)
		for (const char *at = result.notes.text[i]; *at; at++)
			assert_true(*at >= ' ' && *at <= '~');
	perftest_free(&result);
}

static void one_line_of_10_mib(void **state)
{
	struct perftest result = {0};
	char block[65536];

	memset(block, ' ', sizeof(block));
	perftest_feed(&result, HEADER_GBIT, strlen(HEADER_GBIT));
	for (int i = 0; i < 160; i++)
		perftest_feed(&result, block, sizeof(block));
	perftest_feed(&result, "\n", 1);
	perftest_feed(&result, ROW_GBIT, strlen(ROW_GBIT));
	perftest_finish(&result);
	assert_int_equal(result.nrows, 1);
	perftest_free(&result);
}

static void too_many_rows(void **state)
{
	struct perftest result = {0};

	perftest_feed(&result, HEADER_GBIT, strlen(HEADER_GBIT));
	for (int i = 0; i < PERFTEST_ROWS + 5; i++)
		perftest_feed(&result, ROW_GBIT, strlen(ROW_GBIT));
	perftest_finish(&result);
	assert_int_equal(result.nrows, PERFTEST_ROWS);
	assert_int_equal(result.problems.count, 5);
	perftest_free(&result);
}

/* ---- Causes ---- */

static void assert_failure(const char *text, enum perftest_cause cause, int status, const char *words)
{
	struct perftest_failure failure;

	perftest_failure(text, strlen(text), &failure);
	if (failure.cause != cause || failure.status != status || !strstr(failure.text, words))
		fail_msg("cause %d, status %d: %s", failure.cause, failure.status, failure.text);
}

static void causes(void **state)
{
	assert_failure(" Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\nscnt=8, ccnt=0\n"
		       " Failed to complete run_iter_bw function successfully\n",
		       PERFTEST_COMPLETION, 12, "transport retry counter exceeded");
	assert_failure(" Failed status 4: wr_id 0 syndrom 0x51\n", PERFTEST_COMPLETION, 4, "local protection error");
	assert_failure(" Failed status 5: wr_id 0 syndrom 0x51\n", PERFTEST_COMPLETION, 5, "flushed");
	assert_failure(" Failed status 10: wr_id 0 syndrom 0x0\n", PERFTEST_COMPLETION, 10, "remote access error");
	assert_failure(" Failed status 13: wr_id 0 syndrom 0x0\n", PERFTEST_COMPLETION, 13, "RNR retry");
	assert_failure(" Failed status 99: wr_id 0 syndrom 0x0\n", PERFTEST_COMPLETION, 99, "Failed status 99");
	assert_failure("Couldn't listen to port 18515\n", PERFTEST_PORT_TAKEN, 0, "taken");
	assert_failure(
		"Couldn't connect to 10.0.0.2:18515\nUnable to open file descriptor for socket connection Unable "
		"to init the socket connection\n",
		PERFTEST_UNREACHABLE, 0, "no server there");
	assert_failure("libibverbs: Warning: RLIMIT_MEMLOCK is 8192 bytes.\n    This will severely limit memory "
		       "registrations.\nCouldn't allocate MR\nfailed to create mr\n",
		       PERFTEST_MEMORY, 0, "memlock");
	assert_failure("\n Found Incompatibility issue with GID types.\n Please Try to use a different IP version.\n\n",
		       PERFTEST_GID, 0, "empty row");
	assert_failure(" Gid index should be between 0 and 64\n Parser function exited with Error\n",
		       PERFTEST_ARGUMENTS, 0, "Gid index should be");
	assert_failure(" IB device mlx5_9 not found\n Unable to find the Infiniband/RoCE device\n", PERFTEST_DEVICE, 0,
		       "mlx5_9");
	assert_failure("Unexpected CM event bl blka 8\n Unable to perform rdma_client function\n", PERFTEST_CM, 8,
		       "rejected");
	assert_failure("Correlation coefficient r^2: 0.741839 < 0.9\n", PERFTEST_UNSTABLE, 0, "retry");
	/* an echo yields to anything else, wherever it stands */
	assert_failure("ethernet_read_keys: Couldn't read remote address\n Unable to read to socket/rdma_cm\n",
		       PERFTEST_OTHER_END, 0, "other end");
	assert_failure("ethernet_read_keys: Couldn't read remote address\n Failed to create QP.\n", PERFTEST_OTHER, 0,
		       "create QP");
	assert_failure("", PERFTEST_NO_CAUSE, 0, "");
	assert_failure("Waiting for nothing\n", PERFTEST_NO_CAUSE, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bandwidth),
		cmocka_unit_test(all_sizes),
		cmocka_unit_test(duration_with_cpu),
		cmocka_unit_test(latency),
		cmocka_unit_test(dumps_are_no_rows),
		cmocka_unit_test(zeroes_with_exit_status_0),
		cmocka_unit_test(other_connections),
		cmocka_unit_test(in_pieces_of_any_size),
		cmocka_unit_test(cut_off_anywhere),
		cmocka_unit_test(units),
		cmocka_unit_test(blanks_made_one),
		cmocka_unit_test(ports_apart),
		cmocka_unit_test(service_levels),
		cmocka_unit_test(a_column_without_meaning),
		cmocka_unit_test(warnings_inside_the_table),
		cmocka_unit_test(rows_that_are_none),
		cmocka_unit_test(a_table_without_rows),
		cmocka_unit_test(noise),
		cmocka_unit_test(one_line_of_10_mib),
		cmocka_unit_test(too_many_rows),
		cmocka_unit_test(causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
