/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what a worker says, checked message by message against the source's tables, into an observation */
#pragma once

#include "agent/scan.h"
#include "judge/table.h"

/**
 * struct answer - an observation on its way in
 * @plugin: of the source, as this process has it; its version is named where the host's differs
 * @version: of the plugin on the host; NULL: not said yet
 * @failure: the first thing that was wrong with the messages; NULL: nothing so far. What follows it is passed over.
 * @ended: the worker said its last word
 */
struct answer {
	struct observation *observation;
	const struct rs_plugin *plugin;
	uint32_t wanted;
	uint32_t tables;
	char *version;
	char *failure;
	bool ended;
	struct scan scan;
	struct buf scratch;
};

void answer_begin(struct answer *answer, const struct rs_source *source, const struct rs_plugin *plugin,
		  uint32_t wanted, const char *host, const char *params);

/** answer_take - one message of the worker. Returns 0, or -EPROTO when this set @failure. */
int answer_take(struct answer *answer, const char *line, size_t length);

/** answer_fail - note a failure (an own text) that was found elsewhere; only the first one counts */
void answer_fail(struct answer *answer, char *why);

/**
 * answer_end - the worker is gone
 * @cause: why the agent says that it failed, or NULL. Returns the observation, whose error is set where there is none
 * to judge; the answer is empty then.
 */
struct observation *answer_end(struct answer *answer, const char *cause);

/** answer_free - give up an answer without its observation */
void answer_free(struct answer *answer);

/** reason_names - of enum rs_reason, as they travel; NULL-ended, from RS_FAILED on */
extern const char *const reason_names[];
