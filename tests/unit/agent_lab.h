/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: an agent of the built rdmaspec at the end of a link, for the tests of both */
#pragma once

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/children.h"
#include "agent/link.h"
#include "agent/link_internal.h"
#include "base/cleanup.h"

#define LAB_MS 60000 /* after which a test has failed, whatever it waits for */
#define LAB_MAX 2000

/** struct lab - a loop with one link, and what was told of it */
struct lab {
	uv_loop_t loop;
	uv_timer_t deadline;
	uint64_t end;
	struct registry *registry;
	struct link *link;
	char *token;
	bool ready, is_lost, closed, late;
	char *differences; /* lines, each with its newline */
	char *lost;
	struct observation *observations[LAB_MAX]; /* by id */
	int64_t workers[LAB_MAX];		   /* that a signal ended */
	size_t done, asked;
	void (*on_done)(struct lab *lab, uint64_t id);
};

static void lab_ready(struct link *link, void *user, const struct strings *differences)
{
	struct lab *lab = user;
	struct buf text = {0};

	assert_false(lab->ready);
	lab->ready = true;
	for (size_t i = 0; i < differences->count; i++)
		buf_printf(&text, "%s\n", differences->items[i]);
	lab->differences = buf_take(&text);
}

static void lab_done(struct link *link, void *user, uint64_t id, struct observation *observation, int64_t worker)
{
	struct lab *lab = user;

	assert_in_range(id, 1, LAB_MAX - 1);
	assert_null(lab->observations[id]);
	assert_false(lab->closed);
	lab->observations[id] = observation;
	lab->workers[id] = worker;
	lab->done++;
	if (lab->on_done)
		lab->on_done(lab, id);
}

static void lab_lost(struct link *link, void *user, const char *why)
{
	struct lab *lab = user;

	assert_false(lab->is_lost);
	/* All were answered before, but for those who ask on from their answer. */
	assert_true(lab->on_done || lab->done == lab->asked);
	lab->is_lost = true;
	lab->lost = xstrdup(why);
}

static void lab_closed(struct link *link, void *user)
{
	struct lab *lab = user;

	assert_false(lab->closed);
	lab->closed = true;
	lab->link = NULL;
}

/* Also wakes up UV_RUN_ONCE, which sleeps on when all that it did was to run timers. */
static void lab_deadline(uv_timer_t *timer)
{
	struct lab *lab = timer->data;

	lab->late = uv_hrtime() > lab->end;
}

static const char *lab_program(void)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/runner/rdmaspec", getenv("RDMASPEC_BUILD"));
	return path;
}

static bool lab_forked; /* agents are forked by the test, instead of executed */

__attribute__((unused)) static int lab_fork(void **state)
{
	lab_forked = true;
	return 0;
}

/* @argv: NULL for the agent itself */
static void lab_open(struct lab *lab, const char *const *argv, const char *const *environment)
{
	static const struct link_events events = {
		.ready = lab_ready, .done = lab_done, .lost = lab_lost, .closed = lab_closed};
	const char *const agent[] = {lab_program(), "agent", NULL};
	const struct agent_options options = {0};
	struct link_target target = {.hello_ms = 2000,
				     .guard_ms = 500,
				     .host = "node-01",
				     .argv = argv ? argv : agent,
				     .local = !argv && lab_forked ? &options : NULL,
				     .environment = environment};

	memset(lab, 0, sizeof(*lab));
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	uv_loop_init(&lab->loop);
	uv_timer_init(&lab->loop, &lab->deadline);
	lab->deadline.data = lab;
	lab->end = uv_hrtime() + UINT64_C(1000000) * LAB_MS;
	uv_timer_start(&lab->deadline, lab_deadline, 20, 20);
	lab->registry = registry_new(NULL);
	lab->link = link_open(&lab->loop, lab->registry, &target, &events, lab);
	lab->token = xstrdup(lab->link->token);
}

#define LAB_UNTIL(lab, condition)                                                                                      \
	do {                                                                                                           \
		while (!(condition) && !(lab)->late)                                                                   \
			uv_run(&(lab)->loop, UV_RUN_ONCE);                                                             \
		assert_false((lab)->late);                                                                             \
	} while (0)

static uint64_t lab_ask_for(struct lab *lab, const struct link_request *request)
{
	lab->asked++;
	return link_observe(lab->link, request);
}

static uint64_t lab_ask(struct lab *lab, const char *source, const char *params, int64_t timeout_ms)
{
	AUTO_FREE char *why = NULL;
	struct link_request request = {.wanted = 1, .params = params, .timeout_ms = timeout_ms};

	request.source = registry_source(lab->registry, source, &why);
	if (!request.source)
		fail_msg("%s", why);
	return lab_ask_for(lab, &request);
}

static struct observation *lab_wait(struct lab *lab, uint64_t id)
{
	LAB_UNTIL(lab, lab->observations[id]);
	return lab->observations[id];
}

static struct observation *lab_observe(struct lab *lab, const char *source, const char *params)
{
	return lab_wait(lab, lab_ask(lab, source, params, 20000));
}

/* Processes anywhere that have this in their environment, dead or alive; those that are dead only as far as children
 * tell.
 */
static size_t lab_marked(const char *mark)
{
	AUTO_CLOSEDIR DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t count = 0;

	while ((entry = readdir(proc))) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid > 0 && process_has_environment(pid, mark))
			count++;
	}
	return count;
}

static size_t lab_family(pid_t pid)
{
	struct pids pids = {0};
	size_t count = 1;

	children_of(pid, &pids);
	for (size_t i = 0; i < pids.count; i++)
		count += lab_family(pids.items[i]);
	pids_free(&pids);
	return count;
}

/*
 * Processes that descend from the lab's agent, and itself. One that was forked has the environment of this process, as
 * far as /proc knows: its family counts, as long as it has one.
 */
static size_t lab_processes(const struct lab *lab)
{
	if (lab_forked)
		return lab->link && !lab->link->exited ? lab_family(lab->link->pid) : 0;
	return lab_marked(lab->token);
}

static size_t lab_children(pid_t pid)
{
	struct pids pids = {0};
	size_t count;

	children_of(pid, &pids);
	count = pids.count;
	pids_free(&pids);
	return count;
}

static size_t lab_descriptors(pid_t pid)
{
	char path[64];
	size_t count = 0;
	struct dirent *entry;
	AUTO_CLOSEDIR DIR *dir = NULL;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	return count - (pid == getpid());
}

/* Nothing of the agent is left but itself. */
static void lab_assert_idle(struct lab *lab)
{
	assert_int_equal(lab_children(lab->link->pid), 0);
	assert_int_equal(lab_processes(lab), 1);
}

static void lab_close(struct lab *lab)
{
	if (lab->link)
		link_close(lab->link);
	LAB_UNTIL(lab, lab->closed);
	assert_int_equal(lab->done, lab->asked);
	assert_int_equal(lab_processes(lab), 0);
	assert_int_equal(lab_children(getpid()), 0);
	uv_close((uv_handle_t *)&lab->deadline, NULL);
	uv_run(&lab->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&lab->loop), 0);
	for (size_t i = 0; i < LAB_MAX; i++)
		observation_unref(lab->observations[i]);
	registry_free(lab->registry);
	free(lab->token);
	free(lab->differences);
	free(lab->lost);
}

/* A cell as reports show it. */
__attribute__((unused)) static const char *lab_cell(const struct observation *observation, size_t row, const char *fact)
{
	static struct buf out;
	const struct table *table = observation->tables[0];
	int column;

	if (observation->error)
		fail_msg("%s", observation->error);
	assert_non_null(table);
	assert_true(row < table->rows);
	column = probe_fact(table->probe, fact);
	assert_true(column >= 0);
	buf_clear(&out);
	value_write(&out, value_type_of_fact(&table->probe->facts[column]), &table_row(table, row)[column]);
	buf_puts(&out, "");
	return out.data;
}
