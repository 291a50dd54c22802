/* SPDX-License-Identifier: BSD-2-Clause */
/* What was changed on this host, and taking it back when the run is over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "base/cleanup.h"

#define KEPT_MAX 1024 /* changes of a run */
#define UNDO_MS 10000 /* to take one back */

/** struct undo - how the worker is to be that takes one change back */
struct undo {
	struct undo *next;
	struct request request;
};

static void copy_how(struct request *to, const struct request *from)
{
	to->source = xstrdup(from->source);
	to->exec = from->exec;
	for (size_t i = 0; i < from->environment.count; i++)
		strings_add(&to->environment, from->environment.items[i]);
	to->directory = from->directory ? xstrdup(from->directory) : NULL;
	to->role = ROLE_UNDO;
}

static size_t count(const struct agent *agent)
{
	size_t n = 0;

	for (const struct undo *undo = agent->undos; undo; undo = undo->next)
		n++;
	return n;
}

bool undo_keep(struct job *job, const char *line, size_t length)
{
	struct agent *agent = job->agent;
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(line, length, &id, &kind, &body, &why);
	char *state = message ? wire_get_string(body) : NULL;
	struct undo *undo;

	json_decref(message);
	if (!state || strlen(state) > RS_STATE_MAX || job->how.role != ROLE_ALONE || count(agent) >= KEPT_MAX) {
		free(state);
		return false;
	}
	undo = xcalloc(1, sizeof(*undo));
	copy_how(&undo->request, &job->how);
	undo->request.id = job->id;
	undo->request.state = state;
	undo->next = agent->undos;
	agent->undos = undo;
	wire_begin(&agent->out, job->id, "changed");
	buf_puts(&agent->out, "true");
	wire_end(&agent->out);
	return true;
}

bool undo_word(struct job *job, const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(line, length, &id, &kind, &body, &why);

	if (!message)
		return false;
	/* "end" says that it went well; "error" has a reason ahead of the text. */
	if (!strcmp(kind, "error"))
		body = json_array_get(body, 1);
	if (strcmp(kind, "end") != 0) {
		job->undo_failed = wire_get_string(body);
		if (!job->undo_failed)
			job->undo_failed = xstrdup("for a reason that cannot be read");
	}
	json_decref(message);
	return true;
}

void undo_tell(struct agent *agent, uint64_t id, const char *source, const char *cause)
{
	wire_begin(&agent->out, id, "undone");
	if (cause)
		wire_string(&agent->out, cause);
	else
		buf_puts(&agent->out, "true");
	wire_end(&agent->out);
	/* Where the runner is gone, somebody may still read this. */
	if (cause)
		fprintf(stderr, "rdmaspec agent: what %s changed could not be taken back: %s\n", source, cause);
}

/* How long the next one may take; 0: the time is up. */
static int64_t time_for_one(struct agent *agent)
{
	uint64_t now;

	uv_update_time(&agent->loop);
	now = uv_now(&agent->loop);
	if (!agent->undo_end)
		agent->undo_end = now + UNDO_ALL_MS;
	if (now >= agent->undo_end)
		return 0;
	return agent->undo_end - now < UNDO_MS ? (int64_t)(agent->undo_end - now) : UNDO_MS;
}

static void undo_one_free(struct undo *undo)
{
	request_free(&undo->request);
	free(undo);
}

bool undo_next(struct agent *agent)
{
	struct undo *undo;

	while (!agent->jobs && (undo = agent->undos)) {
		agent->undos = undo->next;
		undo->request.timeout_ms = time_for_one(agent);
		if (undo->request.timeout_ms)
			job_start(agent, &undo->request);
		else
			undo_tell(agent, undo->request.id, undo->request.source,
				  "those before it took all of the time that there is for it");
		undo_one_free(undo);
	}
	agent_flush(agent);
	return agent->jobs != NULL;
}

void undo_free(struct agent *agent)
{
	struct undo *undo;

	while ((undo = agent->undos)) {
		agent->undos = undo->next;
		undo_one_free(undo);
	}
}
