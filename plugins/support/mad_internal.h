/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the state behind support/mad.h, shared by its two files */
#pragma once

#include <infiniband/umad.h>
#include <time.h>

#include "support/mad.h"

#define NONE UINT16_MAX
#define SLOTS_MAX 4096

enum slot_state { SLOT_FREE, SLOT_FLYING, SLOT_RETRY };

/* One request with its packet. Flying ones are linked in the order they were sent, which is that of their deadlines. */
struct slot {
	struct mad_request request;
	enum slot_state state;
	bool quiet;
	uint16_t generation; /* half of the transaction: an answer to an earlier try is not taken for this one's */
	uint16_t next, previous;
	unsigned tries;
	int64_t sent_at;
	uint64_t round; /* how many had been sent before */
	uint8_t packet[sizeof(struct ib_user_mad) + MAD_BYTES] __attribute__((aligned(8)));
};

struct list {
	uint16_t first, last;
	unsigned count;
};

struct mad_port {
	struct rs_ctx *ctx;
	bool silent; /* its failure is not that of the observation */
	char *device;
	unsigned port;
	int fd;
	int agents[256];
	struct mad_options options;
	struct mad_statistics statistics;
	unsigned nslots;
	struct slot *slots;
	struct list idle, flying, retry;
	unsigned quiet;	      /* how many of the flying are */
	uint16_t first_young; /* the first of the flying that is not */
	unsigned window, threshold, credit;
	uint64_t round_end; /* time-outs of what was sent before belong to an event that has been answered already */
	bool out_of_time;
	int64_t stop_at;
	uint8_t *receive;
	size_t receive_size;
};

#define FAIL(port, ...) ((port)->silent ? -1 : rs_error((port)->ctx, RS_FAILED, __VA_ARGS__))

static inline int64_t now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void mad_list_push(struct mad_port *port, struct list *list, uint16_t index);
