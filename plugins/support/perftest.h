/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: what perftest prints: the table's rows by the names in their header, facts of the connection, causes of failure
 *
 * The text is fed in pieces of any size. Figures stay as they were printed, to the last digit. Nothing is guessed: what
 * looks like a row and is not a whole one is a problem, and a measurement with a problem is none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perftest_column {
	PERFTEST_BYTES,
	PERFTEST_SL,
	PERFTEST_ITERATIONS,
	PERFTEST_BW_PEAK,
	PERFTEST_BW_AVERAGE,
	PERFTEST_MSG_RATE,
	PERFTEST_BW_PORT1,
	PERFTEST_MSG_RATE_PORT1,
	PERFTEST_BW_PORT2,
	PERFTEST_MSG_RATE_PORT2,
	PERFTEST_CPU_UTIL,
	PERFTEST_T_MIN,
	PERFTEST_T_MAX,
	PERFTEST_T_TYPICAL,
	PERFTEST_T_AVG,
	PERFTEST_T_STDEV,
	PERFTEST_P99,
	PERFTEST_P99_9,
	PERFTEST_TPS,
	PERFTEST_COLUMNS
};

/**
 * enum perftest_unit - of the bandwidth columns
 *
 * "MB/sec" (until 24.04) and "MiB/sec" (since) are the same: what is printed was 2^20 bytes a second ever since.
 */
enum perftest_unit { PERFTEST_NO_UNIT, PERFTEST_MIB, PERFTEST_GBIT };

#define PERFTEST_FIGURE 24

/**
 * struct perftest_row - one measurement
 * @cell: figures as printed, "" where the table has no such column
 * @unit: of this row's bandwidth
 * @line: where it stood, from 1
 */
struct perftest_row {
	char cell[PERFTEST_COLUMNS][PERFTEST_FIGURE];
	enum perftest_unit unit;
	uint64_t line;
};

/** struct perftest_facts - of the connection, as printed; "" where it was not */
struct perftest_facts {
	char test[64]; /* "RDMA_Write BW Test" */
	char device[64];
	char transport[32];  /* IB, IW, SCIF, ... */
	char connection[16]; /* RC, UC, UD, XRC, DC, ... */
	char link_type[32];  /* IB, Ethernet */
	char mtu[16];	     /* bytes */
	char gid_index[16];
	char qps[16];
	char rdma_cm[16]; /* ON, OFF */
};

#define PERFTEST_NOTES 16
#define PERFTEST_TEXT 256

/** struct perftest_texts - lines of text; @count counts those too that were not kept */
struct perftest_texts {
	char text[PERFTEST_NOTES][PERFTEST_TEXT];
	uint64_t count;
};

struct perftest_header;

/**
 * struct perftest - one output; {0} to begin with
 * @problems: why what is here is no measurement: half a row, a figure that cannot be one
 * @notes: lines that are no part of what perftest usually prints; warnings
 */
struct perftest {
	struct perftest_row *rows;
	size_t nrows, capacity;
	struct perftest_facts facts;
	struct perftest_texts problems, notes;

	struct perftest_header *header;
	uint64_t line;
	char *partial;
	size_t npartial;
	bool overlong, out_of_memory;
};

/** How many rows are kept; more are a problem */
#define PERFTEST_ROWS 10000

/** perftest_feed - the next piece of standard output */
void perftest_feed(struct perftest *perftest, const char *data, size_t length);

/** perftest_finish - there is no more: what is left without an end of line was cut off */
void perftest_finish(struct perftest *perftest);

void perftest_free(struct perftest *perftest);

/**
 * enum perftest_cause - what a failed run failed of
 *
 * In the order in which they explain: a later one is often the echo of an earlier one.
 */
enum perftest_cause {
	PERFTEST_NO_CAUSE,
	PERFTEST_PORT_TAKEN,  /* another port may work */
	PERFTEST_MEMORY,      /* memory could not be registered: memlock, or no peer memory module */
	PERFTEST_ARGUMENTS,   /* perftest refused an argument */
	PERFTEST_DEVICE,      /* no such device, or not usable */
	PERFTEST_GID,	      /* GID of an empty row, or of another family than the other end's */
	PERFTEST_COMPLETION,  /* a work completion with an error status */
	PERFTEST_CM,	      /* rdma_cm: rejected, unreachable */
	PERFTEST_UNREACHABLE, /* no TCP connection to the other end */
	PERFTEST_UNSTABLE,    /* its clock calibration failed: worth a retry */
	PERFTEST_OTHER,	      /* a line that says that something failed */
	PERFTEST_OTHER_END,   /* the other end went away: its own message is the cause */
};

/**
 * struct perftest_failure - the cause, and what it means
 * @text: the line as printed and, in words, what its numbers mean
 * @status: of the work completion (enum ibv_wc_status), or the rdma_cm event; else 0
 */
struct perftest_failure {
	enum perftest_cause cause;
	int status;
	char text[PERFTEST_TEXT];
};

/** perftest_failure - the best explanation in what came on one stream (usually standard error) */
void perftest_failure(const char *text, size_t length, struct perftest_failure *failure);

/** perftest_status_words - a work completion's status in words; NULL for a number that has none */
const char *perftest_status_words(int status);
