/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: many MADs in flight through one umad port
 *
 * A caller gives requests one at a time, when there is room for them, and gets each back once, in any order. How many
 * are in flight follows the subnet: the window grows by one with each answer until the first time-out, later by one in
 * each round, and a time-out halves it (once a round: the others that were sent before tell of the same event). What
 * was sent long ago without an answer no longer counts against the window, since it does not load the subnet: some dead
 * nodes do not hold up the rest. Only first tries that time out halve it, for the same reason.
 */
#pragma once

#include <rdmaspec/plugin.h>

enum { MAD_BYTES = 256, MAD_DATA = 64, MAD_MAX_HOPS = 63 };

/* Management classes and methods of the specification's tables 108 and 113 */
enum { MAD_CLASS_SMI = 0x01, MAD_CLASS_SA = 0x03, MAD_CLASS_PERF = 0x04, MAD_CLASS_SMI_DIRECT = 0x81 };
enum { MAD_GET = 0x01, MAD_GET_TABLE = 0x12, MAD_RESPONSE = 0x80 };

enum mad_outcome {
	MAD_ANSWERED,  /* with status zero */
	MAD_REFUSED,   /* with another status */
	MAD_TIMED_OUT, /* after all tries */
	MAD_NOT_ASKED, /* the time of the observation was up first */
};

/**
 * struct mad_request - one MAD, and what the caller needs to know it again
 * @klass: of MAD_CLASS_*; @method: 0 is MAD_GET
 * @lid, @sl, @qp, @qkey: where LID-routed MADs go; not used with MAD_CLASS_SMI_DIRECT
 * @hops, @path: the directed route: @path[1] to @path[@hops]
 * @data, @data_offset, @data_length: copied into the MAD; NULL: zeros. It must live until next() is called again.
 * @kind, @port, @index: the caller's own
 */
struct mad_request {
	uint8_t klass, method;
	uint16_t attribute;
	uint32_t modifier;
	uint16_t lid;
	uint8_t sl;
	uint32_t qp, qkey;
	uint8_t hops;
	uint8_t path[MAD_MAX_HOPS + 1];
	const void *data;
	unsigned data_offset, data_length;
	uint8_t kind, port;
	uint32_t index;
};

/**
 * struct mad_answer - how a request ended
 * @status: of the answer, without the direction bit; 0 where there is none
 * @mad, @length: the answer; NULL where there is none. Longer than MAD_BYTES where it came in several packets.
 */
struct mad_answer {
	enum mad_outcome outcome;
	uint16_t status;
	const uint8_t *mad;
	size_t length;
};

struct mad_user {
	/** next - fill in @request, which is zeroed; false where there is nothing to ask now */
	bool (*next)(void *user, struct mad_request *request);
	void (*done)(void *user, const struct mad_request *request, const struct mad_answer *answer);
};

/**
 * struct mad_options - parameters of a source that sends MADs; bound from MAD_PARAMS
 * @window: how many at first; @window_max: how many at most
 * @retries: after the first try
 * @mad_timeout: seconds that each try is waited for
 * @m_key: M_Key of SMPs
 */
struct mad_options {
	int64_t window, window_max, retries;
	double mad_timeout;
	uint64_t m_key;
};

/* The rows of rs_param for a struct that holds a struct mad_options as @member */
#define MAD_PARAMS(structure, member)                                                                                  \
	{.key = "window",                                                                                              \
	 .type = RS_INTEGER,                                                                                           \
	 .offset = offsetof(structure, member.window),                                                                 \
	 .value = "8",                                                                                                 \
	 .min = 1,                                                                                                     \
	 .max = 1024,                                                                                                  \
	 .doc = "MADs in flight at first"},                                                                            \
		{.key = "window_max",                                                                                  \
		 .type = RS_INTEGER,                                                                                   \
		 .offset = offsetof(structure, member.window_max),                                                     \
		 .value = "128",                                                                                       \
		 .min = 1,                                                                                             \
		 .max = 1024,                                                                                          \
		 .doc = "MADs in flight at most: the number grows while answers come and halves on time-outs; 128 "    \
			"are what the kernel's queue of a port takes without waiting (ib_core.send_queue_size); a "    \
			"simulated port takes 24, whatever is said here"},                                             \
		{.key = "retries",                                                                                     \
		 .type = RS_INTEGER,                                                                                   \
		 .offset = offsetof(structure, member.retries),                                                        \
		 .value = "2",                                                                                         \
		 .min = 0,                                                                                             \
		 .max = 100,                                                                                           \
		 .doc = "how often a MAD that was not answered is sent again"},                                        \
	{                                                                                                              \
		.key = "mad_timeout", .type = RS_QUANTITY, .offset = offsetof(structure, member.mad_timeout),          \
		.unit = "s", .value = "1 s", .max = 60, .doc = "how long each try waits for its answer"                \
	}

struct mad_port;

/** mad_open - open the umad device of a port; NULL where rs_error() was called. It is closed with mad_close(). */
struct mad_port *mad_open(struct rs_ctx *ctx, const char *device, unsigned port, const struct mad_options *options);
void mad_close(struct mad_port *port);

/** mad_try_open - the same for where umad is welcome but not needed: no rs_error(), an errno in *@error instead */
struct mad_port *mad_try_open(struct rs_ctx *ctx, const char *device, unsigned port, const struct mad_options *options,
			      int *error);

/**
 * mad_run - until next() has nothing more and all that was asked is done
 *
 * Returns 0, or what rs_error() returned where umad itself failed. It ends early, with MAD_NOT_ASKED for what was in
 * flight, when the observation's time is nearly up: mad_out_of_time() then is true.
 */
int mad_run(struct mad_port *port, const struct mad_user *callbacks, void *user);
bool mad_out_of_time(const struct mad_port *port);

/** mad_query - one request, waited for; @answer->mad is valid until the next call */
int mad_query(struct mad_port *port, const struct mad_request *request, struct mad_answer *answer);

/** mad_reason - why there is no good answer, as the end of a sentence: "did not answer", "refused it (status 0x0c:
 * ...)" */
const char *mad_reason(const struct mad_answer *answer, char buf[96]);

struct mad_statistics {
	uint64_t sent, answered, resent;
	unsigned window_peak;
};
const struct mad_statistics *mad_statistics(const struct mad_port *port);
