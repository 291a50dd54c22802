/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a link: agents that never come, that lie, that are killed; and runners that are. */
#include <poll.h>
#include <sys/prctl.h>

#include "agent_lab.h"

static struct lab lab;

static void assert_begins(const char *text, const char *beginning)
{
	if (!text || strncmp(text, beginning, strlen(beginning)) != 0)
		fail_msg("'%s' does not begin with '%s'", text ? text : "(nothing)", beginning);
}

/* As if it were an agent, with its output open to the end; nothing but the tests starts a shell. */
static void open_script(const char *script)
{
	AUTO_FREE char *whole = xasprintf("exec 5>&1; %s", script);
	const char *const argv[] = {"/bin/sh", "-c", whole, "sh", lab_program(), NULL};

	lab_open(&lab, argv, NULL);
}

/* An agent that is lost without ever having been ready. */
static void assert_never_ready(const char *why)
{
	uint64_t id = lab_ask(&lab, "mock.pass", "{}", 20000);

	LAB_UNTIL(&lab, lab.is_lost);
	assert_false(lab.ready);
	assert_begins(lab.lost, why);
	/* Whoever asked is told the same, ahead of that. */
	assert_string_equal(lab.observations[id]->error, lab.lost);
	lab_close(&lab);
}

/* ---- Its beginning ---- */

static void test_life(void **state)
{
	uint64_t began = uv_hrtime(), answered;
	size_t descriptors = lab_descriptors(getpid());

	/* The first loop of a process opens what later ones use again. */
	lab_open(&lab, NULL, NULL);
	assert_null(lab_observe(&lab, "mock.counter", "{}")->error);
	lab_close(&lab);
	descriptors = lab_descriptors(getpid());
	for (int i = 0; i < 5; i++) {
		began = uv_hrtime();
		lab_open(&lab, NULL, NULL);
		assert_null(lab_observe(&lab, "mock.counter", "{}")->error);
		answered = uv_hrtime();
		assert_true(lab.ready);
		assert_string_equal(lab.differences, "");
		link_close(lab.link);
		LAB_UNTIL(&lab, lab.closed);
		printf("# agent started, one observation: %.2f ms; ended: %.2f ms\n", (double)(answered - began) / 1e6,
		       (double)(uv_hrtime() - answered) / 1e6);
		lab_close(&lab);
	}
	assert_int_equal(lab_descriptors(getpid()), descriptors);
}

static void test_no_program(void **state)
{
	const char *const argv[] = {"/nowhere/rdmaspec", "agent", NULL};

	lab_open(&lab, argv, NULL);
	assert_never_ready("the agent could not be started: '/nowhere/rdmaspec': No such file or directory");
}

static void test_close_at_once(void **state)
{
	const char *const argv[] = {"/nowhere/rdmaspec", "agent", NULL};

	lab_open(&lab, argv, NULL);
	lab_close(&lab);
	assert_false(lab.is_lost);
	lab_open(&lab, NULL, NULL);
	lab_ask(&lab, "mock.pass", "{}", 20000);
	lab_close(&lab);
	assert_false(lab.is_lost);
}

static void test_ends_early(void **state)
{
	open_script("echo 'ssh: connect to host node-01 port 22: No route to host' >&2; exit 255");
	assert_never_ready("the agent ended before it had answered, with exit status 255: "
			   "ssh: connect to host node-01 port 22: No route to host");
	open_script("echo 'This account is currently not available.'; exit 1");
	assert_never_ready("the agent ended before it had answered, with exit status 1: "
			   "This account is currently not available.");
	open_script("exit 0");
	assert_never_ready("the agent ended before it had answered, with exit status 0");
	open_script("kill -TERM $$");
	assert_never_ready("the agent was killed by signal 15 (Terminated)");
}

static void test_banner(void **state)
{
	open_script("echo 'Welcome to node-01'; echo '{\"motd\":1}'; echo; echo Lmod >&2; exec \"$1\" agent");
	assert_null(lab_observe(&lab, "mock.pass", "{}")->error);
	lab_close(&lab);
	/* A banner has an end: after 64 KiB nobody waits for a hello. */
	open_script("exec yes 'Welcome to node-01'");
	assert_never_ready("what answers is no agent of rdmaspec: Welcome to node-01");
	open_script("tr '\\0' x </dev/zero");
	assert_never_ready("what answers is no agent of rdmaspec");
}

static void test_no_hello(void **state)
{
	open_script("echo 'Password:' >&2; exec cat >/dev/null");
	assert_never_ready("the agent did not answer within 2 s: Password:");
	/* What was said to it is no hello of its own, and a process that does not end at SIGTERM ends all the same. */
	open_script("trap '' TERM; while :; do sleep 1; done");
	assert_never_ready("the agent did not answer within 2 s");
}

static void test_echo(void **state)
{
	open_script("exec cat");
	assert_never_ready("what answers is no agent of rdmaspec: it sends back what it is sent, as a terminal does");
}

static void test_other_format(void **state)
{
	open_script("echo '{\"rdmaspec\":7,\"whatever\":[]}'; exec cat >/dev/null");
	assert_never_ready("the agent and this rdmaspec do not understand each other: it speaks version 7 of the wire "
			   "format, and version 1 is spoken here");
	open_script("echo '{\"rdmaspec\":1}'; exec cat >/dev/null");
	assert_never_ready("the agent and this rdmaspec do not understand each other: its hello is malformed");
}

static void test_differences(void **state)
{
	AUTO_FREE char *expected = xasprintf("node-01 runs rdmaspec 9.9, here it is %s\n"
					     "node-01 has plugins of ABI 2, here it is 1\n"
					     "node-01 does not have the plugin mock\n",
					     VERSION);

	open_script("sleep 0.2; echo '{\"rdmaspec\":1,\"version\":\"9.9\",\"abi\":2,\"plugins\":[\"ib\"]}'; exec cat "
		    ">/dev/null");
	/* What is compared is what this side has loaded. */
	AUTO_FREE char *why = NULL;
	registry_source(lab.registry, "mock.pass", &why);
	LAB_UNTIL(&lab, lab.ready);
	assert_string_equal(lab.differences, expected);
	lab_close(&lab);
}

#define HELLO "echo '{\"rdmaspec\":1,\"version\":\"" VERSION "\",\"abi\":1,\"plugins\":[\"mock\"]}'; "

static void test_other_plugin_version(void **state)
{
	const struct observation *observation;
	AUTO_FREE char *note = xasprintf("node-01 has version 0.0.7 of the plugin mock, here it is %s", VERSION);

	open_script(HELLO "read line; read line; "
			  "echo '{\"id\":1,\"started\":99999}'; "
			  "echo '{\"id\":1,\"begin\":{\"plugin\":\"mock\",\"version\":\"0.0.7\"}}'; "
			  "echo '{\"id\":1,\"table\":{\"probe\":\"mock.change\",\"facts\":[\"nothing\"]}}'; "
			  "echo '{\"id\":1,\"end\":{\"mock.change\":0}}'; "
			  "echo '{\"id\":1,\"done\":{\"seconds\":1,\"killed\":false}}'; exec cat >/dev/null");
	observation = lab_observe(&lab, "mock.change", "{}");
	assert_null(observation->error);
	assert_int_equal(observation->notes.count, 1);
	assert_string_equal(observation->notes.items[0], note);
	lab_close(&lab);
}

/* ---- An agent that lies ---- */

static void test_lies(void **state)
{
#define REFUSED "the agent sent a message that was refused: "
	static const struct {
		const char *line, *why;
	} lies[] = {
		{"Segmentation fault", REFUSED "it is none of the wire format"},
		{"{\"id\":2,\"started\":7}", REFUSED "it is about an observation that is not running"},
		{"{\"rdmaspec\":1}", REFUSED "it is none of the wire format"},
		{"{\"id\":1,\"done\":{\"seconds\":1}}", REFUSED "a malformed 'done'"},
		{"{\"id\":1,\"done\":{\"seconds\":\"1\",\"killed\":false}}", REFUSED "a malformed 'done'"},
		{"{\"id\":1,\"done\":{\"seconds\":1,\"killed\":false,\"cause\":1}}", REFUSED "a malformed 'done'"},
		{"{\"id\":1,\"done\":{\"seconds\":1,\"killed\":false,\"more\":1}}", REFUSED "a malformed 'done'"},
		{"{\"id\":1,\"done\":[}", REFUSED "it is no valid JSON: "},
		{"{\"id\":1,\"done\":null}", REFUSED "a malformed 'done'"},
		{"{\"id\":1,\"started\":0}", REFUSED "a malformed 'started'"},
		{"{\"id\":1,\"started\":\"7\"}", REFUSED "a malformed 'started'"},
		{"{\"id\":1,\"started\":7}\n{\"id\":1,\"started\":8}", REFUSED "a malformed 'started'"},
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		AUTO_FREE char *script =
			xasprintf(HELLO "read line; read line; echo '%s'; exec cat >/dev/null", lies[i].line);
		uint64_t id;

		open_script(script);
		id = lab_ask(&lab, "mock.pass", "{}", 20000);
		LAB_UNTIL(&lab, lab.is_lost);
		assert_begins(lab.lost, lies[i].why);
		assert_non_null(lab.observations[id]->error);
		lab_close(&lab);
	}
}

static void test_long_line(void **state)
{
	open_script(HELLO "tr '\\0' x </dev/zero");
	LAB_UNTIL(&lab, lab.is_lost);
	assert_begins(lab.lost, "the agent sent a message of more than 1048576 bytes");
	lab_close(&lab);
}

static void test_closes_output(void **state)
{
	open_script(HELLO "exec >/dev/null 5>&-; exec cat");
	LAB_UNTIL(&lab, lab.is_lost);
	assert_begins(lab.lost, "the agent closed its standard output");
	lab_close(&lab);
}

static void test_ends_later(void **state)
{
	uint64_t id;

	open_script(HELLO "read line; read line; echo 'Killed by the batch system' >&2; exit 9");
	id = lab_ask(&lab, "mock.pass", "{}", 20000);
	LAB_UNTIL(&lab, lab.is_lost);
	assert_string_equal(lab.lost, "the agent ended, with exit status 9: Killed by the batch system");
	assert_string_equal(lab.observations[id]->log, "Killed by the batch system");
	/* Asked when it is gone already: the answer still comes, and not from inside. */
	id = lab_ask(&lab, "mock.pass", "{}", 20000);
	assert_null(lab.observations[id]);
	lab.is_lost = false;
	assert_string_equal(lab_wait(&lab, id)->error, "the agent is gone");
	lab_close(&lab);
}

static void test_stuck(void **state)
{
	uint64_t id, began = uv_hrtime();

	open_script(HELLO "exec cat >/dev/null");
	id = lab_ask(&lab, "mock.pass", "{}", 500);
	/* 500 ms, and as much again until nobody believes in it any more */
	assert_begins(lab_wait(&lab, id)->error, "the agent is stuck: ");
	assert_true(uv_hrtime() - began >= UINT64_C(1000000000));
	LAB_UNTIL(&lab, lab.is_lost);
	lab_close(&lab);
}

static void test_stopped(void **state)
{
	uint64_t id;

	/* A real one that is stopped: SIGTERM does not reach it, SIGKILL does. */
	lab_open(&lab, NULL, NULL);
	LAB_UNTIL(&lab, lab.ready);
	kill(lab.link->pid, SIGSTOP);
	id = lab_ask(&lab, "mock.pass", "{}", 100);
	assert_begins(lab_wait(&lab, id)->error, "the agent is stuck: ");
	lab_close(&lab);
}

/* ---- Its end ---- */

static void ask_for_trouble(uint64_t ids[4])
{
	ids[0] = lab_ask(&lab, "mock.hang", "{\"children\":\"true\"}", 30000);
	ids[1] = lab_ask(&lab, "mock.leak", "{\"pause\":\"30000\",\"stay\":\"false\",\"children\":\"5\"}", 30000);
	ids[2] = lab_ask(&lab, "mock.hang", "{}", 30000);
	ids[3] = lab_ask(&lab, "mock.slow", "{\"seconds\":\"20 s\"}", 30000);
	/* The agent, four workers, two of the first one's family, five of the second one's */
	LAB_UNTIL(&lab, lab_processes(&lab) == 1 + 4 + 2 + 5);
}

static void test_agent_killed(void **state)
{
	uint64_t ids[4];

	lab_open(&lab, NULL, NULL);
	ask_for_trouble(ids);
	kill(lab.link->pid, SIGKILL);
	LAB_UNTIL(&lab, lab.is_lost);
	/* By the time that it is told, nothing is left. */
	assert_int_equal(lab_processes(&lab), 0);
	/* One that died on its own at that very moment may only now have come to us, as a zombie. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	assert_int_equal(lab_children(getpid()), 0);
	assert_string_equal(lab.lost, "the agent was killed by signal 9 (Killed)");
	for (int i = 0; i < 4; i++) {
		assert_string_equal(lab.observations[ids[i]]->error, lab.lost);
		assert_true(lab.workers[ids[i]] > 0);
	}
	lab_close(&lab);
}

static void test_agent_told_to_end(void **state)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};

	for (int i = 0; i < 3; i++) {
		AUTO_FREE char *why = xasprintf("the agent ended, with exit status %d", 128 + signals[i]);
		uint64_t ids[4];

		lab_open(&lab, NULL, NULL);
		ask_for_trouble(ids);
		kill(lab.link->pid, signals[i]);
		LAB_UNTIL(&lab, lab.is_lost);
		assert_string_equal(lab.lost, why);
		assert_string_equal(lab.observations[ids[0]]->error, "the run was ended");
		lab_close(&lab);
	}
}

static void test_close_in_the_middle(void **state)
{
	uint64_t ids[4], began;

	lab_open(&lab, NULL, NULL);
	ask_for_trouble(ids);
	began = uv_hrtime();
	lab_close(&lab);
	/* 300 ms for those that ignore SIGTERM; the rest is this machine's */
	assert_true(uv_hrtime() - began < UINT64_C(10000000000));
	assert_false(lab.is_lost);
}

static void test_worker_killed(void **state)
{
	uint64_t id;

	lab_open(&lab, NULL, NULL);
	id = lab_ask(&lab, "mock.slow", "{\"seconds\":\"20 s\"}", 30000);
	LAB_UNTIL(&lab, lab.link->pending && lab.link->pending->worker);
	kill((pid_t)lab.link->pending->worker, SIGKILL);
	assert_string_equal(lab_wait(&lab, id)->error, "the worker was killed by signal 9 (Killed)");
	lab_close(&lab);
}

static void test_cancel(void **state)
{
	uint64_t ids[4], id;

	lab_open(&lab, NULL, NULL);
	ask_for_trouble(ids);
	id = lab_ask(&lab, "mock.slow", "{\"seconds\":\"1 s\"}", 30000);
	for (int i = 0; i < 4; i++) {
		link_cancel(lab.link, ids[i]);
		link_cancel(lab.link, ids[i]);
	}
	link_cancel(lab.link, 4711);
	for (int i = 0; i < 4; i++)
		assert_string_equal(lab_wait(&lab, ids[i])->error, "it was cancelled");
	assert_null(lab_wait(&lab, id)->error);
	lab_assert_idle(&lab);
	lab_close(&lab);
}

static void close_on_done(struct lab *one, uint64_t id)
{
	if (!one->link->closing)
		link_close(one->link);
}

static void test_close_from_inside(void **state)
{
	lab_open(&lab, NULL, NULL);
	lab.on_done = close_on_done;
	for (int i = 0; i < 20; i++)
		lab_ask(&lab, "mock.pass", "{}", 20000);
	lab_close(&lab);
}

static void ask_again(struct lab *one, uint64_t id)
{
	if (one->asked < 50)
		lab_ask(one, "mock.pass", "{}", 20000);
}

static void test_ask_again_from_inside(void **state)
{
	/* Who asks a dead agent again from each answer gets each answer, one after another. */
	open_script("exit 1");
	lab.on_done = ask_again;
	lab_ask(&lab, "mock.pass", "{}", 20000);
	LAB_UNTIL(&lab, lab.is_lost);
	lab.is_lost = false;
	LAB_UNTIL(&lab, lab.done == 50);
	lab.on_done = NULL;
	lab_close(&lab);
}

static void test_two_links(void **state)
{
	struct lab other;
	uint64_t ids[4], id;

	/* One agent is killed; what belongs to the other lives on. */
	lab_open(&lab, NULL, NULL);
	ask_for_trouble(ids);
	lab_open(&other, NULL, NULL);
	id = lab_ask(&other, "mock.slow", "{\"seconds\":\"1 s\"}", 30000);
	LAB_UNTIL(&other, other.link->pending->worker);
	kill(lab.link->pid, SIGKILL);
	LAB_UNTIL(&lab, lab.is_lost);
	assert_int_equal(lab_processes(&lab), 0);
	assert_int_equal(lab_processes(&other), 2);
	assert_null(lab_wait(&other, id)->error);
	link_close(other.link);
	LAB_UNTIL(&other, other.closed);
	lab_close(&lab);
	lab_close(&other);
}

/* ---- A runner that is killed ---- */

static void wait_until_gone(const char *mark)
{
	for (int i = 0; i < 400 && lab_marked(mark); i++)
		poll(NULL, 0, 25);
	assert_int_equal(lab_marked(mark), 0);
	for (int i = 0; i < 400 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		poll(NULL, 0, 25);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void test_runner_killed(void **state)
{
	const char mark[] = "RDMASPEC_TEST=runner killed", *const environment[] = {mark, NULL};
	int status;
	pid_t pid;

	/* Whoever is left by the runner comes here, so that nobody is missed. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		uint64_t ids[4];

		lab_open(&lab, NULL, environment);
		ask_for_trouble(ids);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	wait_until_gone(mark);
}

/* ---- Children ---- */

static void test_children(void **state)
{
	struct pids listed = {0}, scanned = {0};
	pid_t pids[3], above = 0;
	int ready[2];
	char c;

	assert_int_equal(pipe(ready), 0);
	for (int i = 0; i < 3; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			/* A name that a careless reader of /proc/PID/stat would stumble over, and a child of its own.
			 */
			prctl(PR_SET_NAME, ") Z 1 (");
			if (fork() > 0 && write(ready[1], "x", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
	}
	for (int i = 0; i < 3; i++)
		assert_int_equal(read(ready[0], &c, 1), 1);
	children_of(getpid(), &listed);
	children_by_scan(getpid(), &scanned);
	assert_int_equal(listed.count, 3);
	assert_int_equal(scanned.count, 3);
	for (int i = 0; i < 3; i++) {
		struct pids below = {0};

		assert_true(pids_have(&listed, pids[i]));
		assert_true(pids_have(&scanned, pids[i]));
		assert_false(process_is_dead(pids[i]));
		children_of(pids[i], &below);
		assert_int_equal(below.count, 1);
		above = below.items[0];
		pids_free(&below);
		kill_tree(pids[i], NULL);
		assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
		/* Its child is dead too: this process, a subreaper, got it. */
		waitpid(above, NULL, 0);
		assert_true(process_is_dead(above));
	}
	pids_free(&listed);
	pids_free(&scanned);
	close(ready[0]);
	close(ready[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_life),
		cmocka_unit_test(test_no_program),
		cmocka_unit_test(test_close_at_once),
		cmocka_unit_test(test_ends_early),
		cmocka_unit_test(test_banner),
		cmocka_unit_test(test_no_hello),
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_other_format),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_other_plugin_version),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_closes_output),
		cmocka_unit_test(test_ends_later),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_agent_killed),
		cmocka_unit_test(test_agent_told_to_end),
		cmocka_unit_test(test_close_in_the_middle),
		cmocka_unit_test(test_worker_killed),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_close_from_inside),
		cmocka_unit_test(test_ask_again_from_inside),
		cmocka_unit_test(test_two_links),
		cmocka_unit_test(test_runner_killed),
		cmocka_unit_test(test_children),
	};
	const struct CMUnitTest forked[] = {
		cmocka_unit_test(test_life),
		cmocka_unit_test(test_close_at_once),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_agent_killed),
		cmocka_unit_test(test_agent_told_to_end),
		cmocka_unit_test(test_close_in_the_middle),
		cmocka_unit_test(test_worker_killed),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_close_from_inside),
		cmocka_unit_test(test_two_links),
		cmocka_unit_test(test_runner_killed),
	};

	if (argc > 1 && !strcmp(argv[1], "forked"))
		return cmocka_run_group_tests(forked, lab_fork, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
