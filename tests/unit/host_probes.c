/* SPDX-License-Identifier: BSD-2-Clause */
/* The host plugin's probes against what the C library, the shell's own tools and a made-up tree say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin_host.h"
#include "support/process.h"

extern const struct rs_plugin rs_plugin_v1;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void the_streams_stay_apart(void **state)
{
	const char *argv[] = {"sh", "-c", "echo out; echo err >&2; echo $LC_ALL; exit 7", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	struct process process;
	char line[32];

	assert_int_equal(process_run(ctx, &process, argv, 0), 0);
	assert_true(process.ended);
	assert_int_equal(process.status, 7);
	assert_int_equal(process.signal, 0);
	assert_string_equal(process.out[PROCESS_STDOUT].data, "out\nC\n");
	assert_string_equal(process.out[PROCESS_STDERR].data, "err\n");
	assert_string_equal(process_said(&process, line, sizeof(line)), "err");
	process_free(&process);
	host_free(ctx);
}

static void no_such_program(void **state)
{
	const char *argv[] = {"/no/such/program", NULL}, *folder[] = {"/", NULL};
	struct process process;

	assert_int_equal(process_start(&process, argv), -ENOENT);
	assert_int_equal(process_start(&process, folder), -EACCES);
}

static void a_signal_is_no_status(void **state)
{
	const char *argv[] = {"sh", "-c", "kill -SEGV $$", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	struct process process;

	assert_int_equal(process_run(ctx, &process, argv, 0), 0);
	assert_int_equal(process.signal, SIGSEGV);
	process_free(&process);
	host_free(ctx);
}

static void the_whole_group_ends_at_the_deadline(void **state)
{
	/* SIGTERM does nothing to it, and its child keeps the pipe open */
	const char *argv[] = {"sh", "-c", "trap '' TERM; sleep 600 & echo $!; while :; do sleep 600; done", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	double start = seconds();
	struct process process;
	pid_t grandchild;

	assert_int_equal(process_run(ctx, &process, argv, 300), -ETIMEDOUT);
	assert_true(seconds() - start < 5);
	assert_true(process.stopped);
	assert_int_equal(process.signal, SIGKILL);
	grandchild = atoi(process.out[PROCESS_STDOUT].data);
	assert_true(grandchild > 0);
	process_free(&process);
	/* dead, though perhaps nobody has waited for it yet */
	for (int i = 0; i < 1000 && !kill(grandchild, 0); i++) {
		char path[64], text[256] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/stat", grandchild);
		file = fopen(path, "r");
		if (!file || !fgets(text, sizeof(text), file) || strstr(text, ") Z"))
			i = 1000;
		if (file)
			fclose(file);
		assert_true(i != 999);
	}
	host_free(ctx);
}

static void a_child_that_keeps_the_pipe_is_not_waited_for(void **state)
{
	const char *argv[] = {"sh", "-c", "sleep 600 & echo done", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	double start = seconds();
	struct process process;

	assert_int_equal(process_run(ctx, &process, argv, 0), 0);
	assert_true(seconds() - start < 5);
	assert_string_equal(process.out[PROCESS_STDOUT].data, "done\n");
	process_free(&process);
	host_free(ctx);
}

static void more_than_is_kept(void **state)
{
	/* one MiB more */
	const char *argv[] = {"head", "-c", "68157440", "/dev/zero", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	struct process process;

	assert_int_equal(process_run(ctx, &process, argv, 0), 0);
	assert_int_equal(process.status, 0);
	assert_int_equal(process.out[PROCESS_STDOUT].length, PROCESS_KEPT);
	assert_true(process.out[PROCESS_STDOUT].total == PROCESS_KEPT + (1u << 20));
	process_free(&process);
	host_free(ctx);
}

static void limits_as_getrlimit_says(void **state)
{
	const char *settings[] = {"names=memlock", "names=nofile", NULL};
	struct rlimit old, low = {65536, 0};
	struct rs_ctx *ctx = host_new(NULL);

	getrlimit(RLIMIT_MEMLOCK, &old);
	low.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &low), 0);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "host.limits", settings), 0);
	setrlimit(RLIMIT_MEMLOCK, &old);
	assert_int_equal(host_rows(ctx, "host.limits"), 2);
	assert_string_equal(host_cell(ctx, "host.limits", 0, "name"), "memlock");
	assert_string_equal(host_cell(ctx, "host.limits", 0, "soft"), "65536");
	assert_string_equal(host_cell(ctx, "host.limits", 0, "soft_size"), "65536");
	assert_string_equal(host_cell(ctx, "host.limits", 0, "unlimited"), "false");
	assert_string_equal(host_cell(ctx, "host.limits", 1, "soft_size"), "none");
	host_free(ctx);
}

static void a_limit_that_does_not_exist(void **state)
{
	const char *settings[] = {"names=memlokc", NULL};
	struct rs_ctx *ctx = host_new(NULL);

	assert_true(host_observe(ctx, &rs_plugin_v1, "host.limits", settings) < 0);
	assert_int_equal(host_reason(ctx), RS_ABSENT);
	assert_non_null(strstr(host_error(ctx), "memlokc"));
	host_free(ctx);
}

static void processes_running_and_not(void **state)
{
	/* comm holds 15 bytes: this name is longer, and found whole */
	const char *settings[] = {"names=rdmaspec-test-sleeper", "names=no-such-program", NULL};
	char folder[] = "/tmp/host_probes-XXXXXX", path[64], pid[32];
	const char *argv[] = {path, "600", NULL};
	struct rs_ctx *ctx = host_new(NULL);
	struct process process;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/rdmaspec-test-sleeper", folder);
	assert_int_equal(symlink("/bin/sleep", path), 0);
	assert_int_equal(process_start(&process, argv), 0);
	snprintf(pid, sizeof(pid), "%d", process.pid);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "host.processes", settings), 0);
	process_free(&process);
	unlink(path);
	rmdir(folder);
	assert_int_equal(host_rows(ctx, "host.processes"), 2);
	assert_string_equal(host_cell(ctx, "host.processes", 0, "name"), "rdmaspec-test-sleeper");
	assert_string_equal(host_cell(ctx, "host.processes", 0, "count"), "1");
	assert_string_equal(host_cell(ctx, "host.processes", 0, "pids"), pid);
	assert_string_equal(host_cell(ctx, "host.processes", 1, "name"), "no-such-program");
	assert_string_equal(host_cell(ctx, "host.processes", 1, "count"), "0");
	assert_string_equal(host_cell(ctx, "host.processes", 1, "pids"), "none");
	host_free(ctx);
}

/* A folder of programs, ended with the test */
static void write_program(const char *folder, const char *name, const char *body)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", body);
	fclose(file);
	chmod(path, 0755);
}

static void remove_programs(const char *folder, const char *const *names)
{
	char path[512];

	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s/%s", folder, *names);
		unlink(path);
	}
	rmdir(folder);
}

static void assert_version(const struct rs_ctx *ctx, const char *name, const char *version)
{
	size_t row = host_find(ctx, "host.tools", "name", name);

	assert_true(row != SIZE_MAX);
	assert_string_equal(host_cell(ctx, "host.tools", row, "version"), version);
}

static void tools_and_their_versions(void **state)
{
	static const char *const names[] = {"ib_write_bw", "ib_read_bw", "ip", "opensm", "ibstat", "ofed_info", NULL};
	const char *settings[] = {"names=perftest",  "names=ip",	   "names=opensm",    "names=ibstat",
				  "names=ofed_info", "names=no-such-tool", "names=ib_send_*", NULL};
	char folder[] = "/tmp/host_probes-XXXXXX", *path = strdup(getenv("PATH"));
	struct rs_ctx *ctx = host_new(NULL);
	size_t row;

	assert_non_null(mkdtemp(folder));
	write_program(folder, "ib_write_bw", "echo Version: 6.06; exit 1");
	write_program(folder, "ib_read_bw", "kill -SEGV $$");
	write_program(folder, "ip", "echo 'ip utility, iproute2-6.1.0, libbpf 1.1.2'");
	write_program(folder, "opensm", "echo -----; echo OpenSM 3.3.23");
	write_program(folder, "ibstat", "echo 'ibstat BUILD VERSION: 44.0' >&2");
	write_program(folder, "ofed_info", "echo MLNX_OFED_LINUX-5.8-3.0.7.0:");
	setenv("PATH", folder, 1);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "host.tools", settings), 0);
	setenv("PATH", path, 1);
	free(path);
	assert_version(ctx, "ib_write_bw", "6.06");
	assert_version(ctx, "ib_read_bw", "?");
	assert_version(ctx, "ip", "6.1.0");
	assert_version(ctx, "opensm", "3.3.23");
	assert_version(ctx, "ibstat", "44.0");
	assert_version(ctx, "ofed_info", "5.8-3.0.7.0");
	row = host_find(ctx, "host.tools", "name", "no-such-tool");
	assert_true(row != SIZE_MAX);
	assert_string_equal(host_cell(ctx, "host.tools", row, "present"), "false");
	assert_string_equal(host_cell(ctx, "host.tools", row, "path"), "none");
	assert_string_equal(host_cell(ctx, "host.tools", row, "package"), "none");
	/* perftest's six and the other five; ib_send_* are among perftest's */
	assert_int_equal(host_rows(ctx, "host.tools"), 11);
	remove_programs(folder, names);
	host_free(ctx);
}

static void modules_of_a_tree(void **state)
{
	const char *settings[] = {"names=mlx5-ib", "names=ib_core", "names=rdma_rxe", NULL};
	struct rs_ctx *ctx;
	char path[512];

	snprintf(path, sizeof(path), "%s/tests/data/sysfs/modules", getenv("RDMASPEC_SOURCE"));
	ctx = host_new(path);
	assert_int_equal(host_observe(ctx, &rs_plugin_v1, "host.modules", settings), 0);
	assert_int_equal(host_rows(ctx, "host.modules"), 3);
	assert_string_equal(host_cell(ctx, "host.modules", 0, "name"), "mlx5_ib");
	assert_string_equal(host_cell(ctx, "host.modules", 0, "loaded"), "true");
	assert_string_equal(host_cell(ctx, "host.modules", 0, "builtin"), "false");
	assert_string_equal(host_cell(ctx, "host.modules", 0, "version"), "23.10-1.1.9");
	assert_string_equal(host_cell(ctx, "host.modules", 0, "references"), "0");
	assert_string_equal(host_cell(ctx, "host.modules", 0, "settings"), "dc_cnak_qp_depth=512");
	/* no initstate: it is part of the kernel */
	assert_string_equal(host_cell(ctx, "host.modules", 1, "loaded"), "true");
	assert_string_equal(host_cell(ctx, "host.modules", 1, "builtin"), "true");
	assert_string_equal(host_cell(ctx, "host.modules", 2, "loaded"), "false");
	/* a recorded tree does not tell what could be loaded */
	assert_string_equal(host_cell(ctx, "host.modules", 2, "available"), "?");
	host_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_streams_stay_apart),
		cmocka_unit_test(no_such_program),
		cmocka_unit_test(a_signal_is_no_status),
		cmocka_unit_test(the_whole_group_ends_at_the_deadline),
		cmocka_unit_test(a_child_that_keeps_the_pipe_is_not_waited_for),
		cmocka_unit_test(more_than_is_kept),
		cmocka_unit_test(limits_as_getrlimit_says),
		cmocka_unit_test(a_limit_that_does_not_exist),
		cmocka_unit_test(processes_running_and_not),
		cmocka_unit_test(tools_and_their_versions),
		cmocka_unit_test(modules_of_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
