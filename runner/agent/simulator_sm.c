/* SPDX-License-Identifier: BSD-2-Clause */
/* The subnet managers: where they run, and what they say of themselves. */
#include <errno.h>
#include <string.h>

#include "agent/simulator_internal.h"
#include "base/cleanup.h"

#define GRACE_MS 2000
#define DEFAULT_PRIORITY 0
#define LINE_MAX_KEPT 4096

static int add_sm(struct simulator *simulator, const struct topology_node *node, int priority)
{
	struct simulator_sm *sm = &simulator->sms[simulator->nsms++];

	*sm = (struct simulator_sm){.simulator = simulator, .node = node, .priority = priority};
	return 0;
}

/* A client of ibsim sits at a CA's port 1, or at a switch's port 0, which is always up. */
static bool can_manage(const struct topology_node *node)
{
	return node->type == TOPOLOGY_SWITCH || node->linked;
}

static int parse_sm(struct simulator *simulator, const char *text, struct diag *diag)
{
	AUTO_FREE char *name = xstrdup(text);
	AUTO_FREE char *why = NULL;
	char *colon = strrchr(name, ':');
	const struct topology_node *node;
	int priority = -1;

	if (colon) {
		char *end;
		unsigned long value = strtoul(colon + 1, &end, 10);

		if (*end || end == colon + 1 || value > 15)
			return diag_set(diag, EINVAL, NO_PLACE, "a priority is a number from 0 to 15, not '%s'",
					colon + 1);
		*colon = '\0';
		priority = value;
	}
	node = topology_find(&simulator->topology, name, &why);
	if (!node)
		return diag_set(diag, EINVAL, NO_PLACE, "no SM can run on '%s': %s", name, why);
	if (!can_manage(node))
		return diag_set(diag, EINVAL, NO_PLACE, "no SM can run on '%s': its port 1 is not connected", name);
	for (size_t i = 0; i < simulator->nsms; i++)
		if (simulator->sms[i].node == node)
			return diag_set(diag, EINVAL, NO_PLACE, "two SMs cannot run on '%s'", name);
	if (simulator->nsms == SIMULATOR_SMS - 1)
		return diag_set(diag, EINVAL, NO_PLACE, "at most %d SMs can run: ibsim takes %d clients",
				SIMULATOR_SMS - 1, IBSIM_CLIENTS);
	return add_sm(simulator, node, priority);
}

int sm_parse(struct simulator *simulator, const struct strings *texts, struct diag *diag)
{
	struct place whole = {.file = simulator->file};
	size_t count = texts ? texts->count : 0;

	if (count == 1 && !strcmp(texts->items[0], "none"))
		return 0;
	for (size_t i = 0; i < count; i++) {
		int error = parse_sm(simulator, texts->items[i], diag);

		if (error)
			return error;
	}
	if (count)
		return 0;
	if (!can_manage(topology_first(&simulator->topology)))
		return diag_set(diag, EINVAL, whole, "no CA has its port 1 connected: an SM has no place to run");
	return add_sm(simulator, topology_first(&simulator->topology), -1);
}

/*
 * The speeds and widths of the file stay only where opensm does not touch them; what an installation has in /etc/opensm
 * must not reach in here.
 */
int sm_write_config(const struct simulator *simulator, const struct simulator_sm *sm, const char *directory,
		    struct diag *diag)
{
	AUTO_FREE char *path = xasprintf("%s/opensm.conf", directory);
	AUTO_FCLOSE FILE *file = fopen(path, "we");

	if (!file)
		return diag_set(diag, errno, NO_PLACE, "cannot write '%s': %s", path, strerror(errno));
	fputs("force_link_speed 0\nforce_link_speed_ext 0\nforce_link_width 0\nfsync_high_avail_files FALSE\n", file);
	fprintf(file, "partition_config_file %s/partitions.conf\n", directory);
	fprintf(file, "per_module_logging_file %s/per-module-logging.conf\n", directory);
	fprintf(file, "qos_policy_file %s/qos-policy.conf\n", directory);
	fprintf(file, "prefix_routes_file %s/prefix-routes.conf\n", directory);
	fprintf(file, "dump_files_dir %s/\n", directory);
	if (sm->priority >= 0)
		fprintf(file, "sm_priority %d\n", sm->priority);
	if (fflush(file) || ferror(file))
		return diag_set(diag, errno, NO_PLACE, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

static void on_grace_over(uv_timer_t *timer)
{
	sm_settled(timer->data);
}

static void start_one(struct simulator *simulator, size_t number)
{
	simulator->sms[number].started = true;
	keeper_go(&simulator->keeper, number + 1); /* the first process is ibsim */
}

/* Of two SMs the one of the higher priority is master, then the one of the lower GUID. */
static bool goes_before(const struct simulator_sm *a, const struct simulator_sm *b)
{
	int left = a->priority < 0 ? DEFAULT_PRIORITY : a->priority;
	int right = b->priority < 0 ? DEFAULT_PRIORITY : b->priority;

	return left != right ? left > right : a->node->guid < b->node->guid;
}

/*
 * One that finds a master of lower rank stands by until that one looks round again, many seconds later: so the one that
 * is to be master comes first, and all is settled at once.
 */
void sm_start(struct simulator *simulator)
{
	size_t first = 0;

	for (size_t i = 1; i < simulator->nsms; i++)
		if (goes_before(&simulator->sms[i], &simulator->sms[first]))
			first = i;
	start_one(simulator, first);
}

static void start_others(struct simulator *simulator)
{
	for (size_t i = 0; i < simulator->nsms; i++)
		if (!simulator->sms[i].started)
			start_one(simulator, i);
}

/* All have found their place: one is master, the others stand by. Two masters may yet agree, or be of two subnets. */
static void look_round(struct simulator *simulator)
{
	size_t masters = 0, standby = 0, reported = 0;

	for (size_t i = 0; i < simulator->nsms; i++) {
		masters += simulator->sms[i].state == SM_UP;
		standby += simulator->sms[i].state == SM_STANDBY;
		reported += simulator->sms[i].reported;
	}
	if (simulator->phase != PHASE_SUBNET)
		return;
	if (masters)
		start_others(simulator);
	if (masters == 1 && standby == simulator->nsms - 1)
		sm_settled(simulator);
	else if (reported == simulator->nsms && masters && masters + standby == simulator->nsms)
		uv_timer_start(&simulator->grace, on_grace_over, GRACE_MS, 0);
}

static void read_line(struct simulator_sm *sm, const char *line)
{
	static const struct {
		const char *words;
		enum sm_state state;
	} table[] = {
		{"SUBNET UP", SM_UP},
		{"Entering MASTER state", SM_MASTER},
		{"Entering STANDBY state", SM_STANDBY},
		{"Entering DISCOVERING state", SM_STARTING},
	};
	const char *arrow = strstr(line, " -> ");

	if (*line) {
		free(sm->last);
		sm->last = xstrdup(arrow ? arrow + 4 : line);
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (!strstr(line, table[i].words))
			continue;
		sm->state = table[i].state;
		sm->reported |= sm->state == SM_UP || sm->state == SM_STANDBY;
		look_round(sm->simulator);
		return;
	}
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
	struct simulator_sm *sm = stream->data;

	if (got < 0)
		uv_read_stop(stream);
	for (ssize_t i = 0; i < got; i++) {
		if (buf->base[i] == '\n') {
			read_line(sm, sm->line.data ? sm->line.data : "");
			buf_clear(&sm->line);
		} else if (buf->base[i] && sm->line.length < LINE_MAX_KEPT) {
			buf_putc(&sm->line, buf->base[i]);
		}
	}
}

int sm_open(struct simulator_sm *sm, uv_loop_t *loop, int out)
{
	int error;

	uv_pipe_init(loop, &sm->output, 0);
	sm->output.data = sm;
	sm->simulator->open_handles++;
	error = uv_pipe_open(&sm->output, out);
	return error ? error : uv_read_start((uv_stream_t *)&sm->output, simulator_allocate, on_output);
}

void sm_ended(struct simulator_sm *sm, int status)
{
	AUTO_BUF struct buf how = {0};

	simulator_drain(&sm->output, on_output);
	simulator_ended_how(&how, status);
	simulator_failed(sm->simulator, "opensm on '%s' %s%s%s", sm->node->description, how.data,
			 sm->last ? "; it said last: " : "", sm->last ? sm->last : "");
}

const struct simulator_sm *sm_unsettled(const struct simulator *simulator)
{
	for (size_t i = 0; i < simulator->nsms; i++)
		if (!simulator->sms[i].reported)
			return &simulator->sms[i];
	return simulator->nsms ? &simulator->sms[0] : NULL;
}

void sm_free(struct simulator_sm *sm)
{
	buf_free(&sm->line);
	free(sm->last);
}
