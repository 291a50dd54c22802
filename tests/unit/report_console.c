/* SPDX-License-Identifier: BSD-2-Clause */
/* What people read, as golden transcripts; on a pseudo-terminal too. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include <cmocka.h>

#include "report/report.h"
#include "report_sample.h"

static void run_console(FILE *out, const struct sample *sample, bool verbose)
{
	struct console *console = console_new(out, verbose);

	for (size_t i = 0; i < sample->nsteps; i++)
		console_step(console, &sample->result, &sample->results[i]);
	console_end(console, &sample->result);
	assert_int_equal(console_free(console), 0);
}

static void prints(const struct sample *sample, bool verbose, const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	run_console(out, sample, verbose);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void table_prints(const struct table *table, const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	report_table(out, table);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

#define HARMLESS "\\x1b[31mred\\x07 ]]> <script>&\"' \\xef\\xbf\\xbe \\xff\\xc0\\xaf \\xe2\\x80\\xae back\\slash"

static void test_every_verdict(void **state)
{
	struct sample sample;

	sample_everything(&sample);
	prints(&sample, false,
	       "pass    sm — both ends are managed by one master SM  (2 hosts, 0.03 s)\n"
	       "fail    every link runs at HDR or NDR  (2 rows, 0.03 s)\n"
	       "        leaf-3 port 17 → node-041: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)\n"
	       "          row                        fact   observed  expected\n"
	       "          leaf-3 port 17 → node-041  speed  QDR       HDR or NDR\n"
	       "          leaf-3 port 18 → node-041  speed  QDR       HDR or NDR\n"
	       "error   ports — every port is up  (4 hosts, 0.03 s)\n"
	       "        node-03: the worker was ended by SIGSEGV\n"
	       "          | ib.so: assertion failed\n"
	       "          | last words " HARMLESS "\n"
	       "        passed: node-[01-02,04]\n"
	       "pass    bw — bandwidth  (node-01→node-02 run 2, 0.03 s)\n"
	       "        attempt 1 of 2: node-01 port 1 → node-02: speed is QDR, expected HDR or NDR "
	       "(rack12.yaml:24:41)\n"
	       "skip    depends on links\n"
	       "        step 'links' did not pass\n"
	       "waived  errors — no symbol errors  (node-01, 0.03 s)\n"
	       "        cable ordered (ticket 1234), until 2027-01-31\n"
	       "        leaf-1 port 3 → node-01: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)\n"
	       "warn    tuned — power saving is off  (node-01, 0.03 s)\n"
	       "        leaf-1 port 4 → node-01: speed is QDR, expected HDR or NDR (rack12.yaml:24:41)\n"
	       "fail    hostile — names " HARMLESS "  (0.03 s)\n"
	       "        " HARMLESS ": speed is QDR, expected HDR or NDR (rack12.yaml:24:41)\n"
	       "pass    waived — a waiver that can go  (0.03 s)\n"
	       "        note: the waiver can go: the step passes\n"
	       "pass    sm — the same names in another file  (node-01, 1 row, 0.03 s)\n"
	       "note    node-02: plugin ib is 0.0.9, here 0.1.0\n"
	       "waiver  ends in 16 days (2027-01-31): errors — no symbol errors: cable ordered (ticket 1234)\n"
	       "9 passed, 2 failed, 1 could not be judged, 1 warning, 1 waived, 1 skipped in 3.20 s (exit 1)\n");
	sample_free(&sample);
}

/* Hosts that say the same are one line; the next eight differ; the rest is a number. */
static void test_folding(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct result_case *item;

	sample_open(&sample);
	step = sample_step(&sample, 0, "ports", NULL);
	for (int i = 1; i <= 30; i++) {
		bool pass = i > 20;
		const char *port = arena_printf(&sample.arena, "mlx5_%d port 1", i > 10 ? i : 0);

		item = sample_case(&sample, step, arena_printf(&sample.arena, "node-%02d", i),
				   pass ? VERDICT_PASS : VERDICT_FAIL);
		sample_row(item, "a", 1, "b", 2, "1");
		if (!pass)
			sample_finding(item, 0, port, "QDR", "HDR");
	}
	step->seconds = 83.4;
	sample_count(&sample);
	sample.result.seconds = 3725;
	prints(&sample, false,
	       "fail    ports  (30 hosts, 83.4 s)\n"
	       "        node-[01-10]: mlx5_0 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-11: mlx5_11 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-12: mlx5_12 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-13: mlx5_13 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-14: mlx5_14 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-15: mlx5_15 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-16: mlx5_16 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        node-17: mlx5_17 port 1: speed is QDR, expected HDR (rack12.yaml:24:41)\n"
	       "        … and 3 more cases: the reports name them all\n"
	       "        passed: node-[21-30]\n"
	       "10 passed, 20 failed in 1 h 02 min (exit 1)\n");
	sample_free(&sample);
}

static void test_many_findings(void **state)
{
	struct sample sample;
	struct result_case *item;

	sample_open(&sample);
	item = sample_case(&sample, sample_step(&sample, 0, "links", NULL), "", VERDICT_FAIL);
	for (int i = 0; i < 7; i++) {
		sample_row(item, "a", i, "b", 2, "1");
		sample_finding(item, 0,
			       i ? "leaf" : "a name that is much longer than any column of a table should ever be",
			       i ? "QDR" : "日本", "HDR");
	}
	sample_count(&sample);
	prints(&sample, false,
	       "fail    links  (7 rows, 0.03 s)\n"
	       "        a name that is much longer than any column of a table should ever be: speed is 日本, expected "
	       "HDR "
	       "(rack12.yaml:24:41)\n"
	       "          row                                               fact   observed  expected\n"
	       "          a name that is much longer than any column of a…  speed  日本      HDR\n"
	       "          leaf                                              speed  QDR       HDR\n"
	       "          leaf                                              speed  QDR       HDR\n"
	       "          leaf                                              speed  QDR       HDR\n"
	       "          leaf                                              speed  QDR       HDR\n"
	       "          … and 2 more\n"
	       "1 failed in 3.20 s (exit 1)\n");
	sample_free(&sample);
}

static void test_verbose(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct result_case *item;

	sample_open(&sample);
	step = sample_step(&sample, 0, "links", NULL);
	item = sample_case(&sample, step, "node-01", VERDICT_PASS);
	sample_row(item, "leaf-1", 1, "spine-1", 5, "200");
	sample_row(item, "leaf-1", 12, "spine-2", 5, "9.5");
	sample_judgement(item)->kept[0] = 2;
	sample_judgement(item)->rows_kept = 1;
	strings_add(&sample_observation(item)->notes, "perftest warned");
	observation_add_evidence(sample_observation(item), "sminfo", "one\ntwo\n", 8);
	sample_count(&sample);
	prints(&sample, true,
	       "pass    links  (node-01, 0.03 s)\n"
	       "        note: perftest warned\n"
	       "        evidence: sminfo (8 bytes)\n"
	       "          | one\n"
	       "          | two\n"
	       "        node-01:\n"
	       "          from    port  to       speed      rate  errors  guid  gid  mask  vlan  addresses  up  seen\n"
	       "          leaf-1    12  spine-2  HDR    9.5 Gb/s       ?  ?     ?       ?     ?  ?          ?   ?\n"
	       "          ? vlan: needs netlink\n"
	       "1 passed in 3.20 s (exit 0)\n");
	sample_free(&sample);
}

/* Steps that nobody announced are named at the end. */
static void test_end(void **state)
{
	struct sample sample;
	struct result_step *step;
	struct console *console;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	sample_open(&sample);
	sample_case(&sample, sample_step(&sample, 0, "first", NULL), "", VERDICT_PASS);
	step = sample_step(&sample, 0, "second", NULL);
	sample_not_run(sample_case(&sample, step, "", VERDICT_SKIP), "the run was ended\nbefore it");
	step->started = 0;
	sample_count(&sample);
	sample.result.signal = SIGINT;
	console = console_new(out, false);
	console_step(console, &sample.result, &sample.results[0]);
	console_end(console, &sample.result);
	assert_int_equal(console_free(console), 0);
	fclose(out);
	assert_string_equal(text, "pass    first  (0.03 s)\n"
				  "skip    second\n"
				  "        the run was ended before it\n"
				  "1 passed, 1 skipped in 3.20 s; ended by SIGINT (exit 130)\n");
	free(text);
	sample_free(&sample);

	sample_open(&sample);
	prints(&sample, false, "no step was selected in 3.20 s; nothing that gates was judged (exit 3)\n");
	sample_free(&sample);
}

static void test_table(void **state)
{
	struct sample sample;
	struct result_case *item;
	struct value *row;

	sample_open(&sample);
	item = sample_case(&sample, sample_step(&sample, 0, "a", NULL), "", VERDICT_PASS);
	sample_observation(item)->tables[0] = table_new(sample_probes);
	table_prints(sample_observation(item)->tables[0], "no rows\n");
	row = sample_row(item, "日本", 1, "", 5, "200.00");
	row[F_GUID] = (struct value){.state = VALUE_SET, .number = 0x2c9030045f121};
	row[F_MASK] = (struct value){.state = VALUE_SET, .integer = 0x1f};
	row[F_VLAN] = (struct value){.state = VALUE_NONE};
	row[F_UP] = (struct value){.text = "no answer"};
	row = sample_row(item, "leaf \x1b[2J", 1024, "?", 2, "9.5");
	row[F_UP] = (struct value){.text = "no answer"};
	table_prints(sample_observation(item)->tables[0], "from          port  to   speed         rate  errors  guid  "
							  "              gid  mask  vlan  addresses  up  seen\n"
							  "日本             1  \"\"   HDR    200.00 Gb/s       ?  "
							  "0x0002c9030045f121  ?    0x1f     -  ?          ?   ?\n"
							  "leaf \\x1b[2J  1024  \"?\"  QDR       9.5 Gb/s       ?  ?   "
							  "                ?       ?     ?  ?          ?   ?\n"
							  "? up: no answer\n"
							  "? vlan: needs netlink\n");
	sample_free(&sample);
}

/* struct terminal - a pseudo-terminal, and what was printed on it */
struct terminal {
	int master;
	FILE *out;
};

static struct terminal terminal_open(unsigned short columns)
{
	struct winsize size = {.ws_row = 24, .ws_col = columns};
	struct terminal terminal;
	int slave;

	assert_int_equal(openpty(&terminal.master, &slave, NULL, NULL, &size), 0);
	terminal.out = fdopen(slave, "w");
	return terminal;
}

/* All of it, without the carriage returns that the line discipline puts before newlines. */
static char *terminal_close(struct terminal *terminal)
{
	struct buf text = {0};
	char bytes[4096];
	ssize_t length;

	fflush(terminal->out);
	while (poll(&(struct pollfd){.fd = terminal->master, .events = POLLIN}, 1, 0) == 1) {
		length = read(terminal->master, bytes, sizeof(bytes));
		if (length <= 0)
			break;
		for (ssize_t i = 0; i < length; i++)
			if (bytes[i] != '\r' || i + 1 == length || bytes[i + 1] != '\n')
				buf_putc(&text, bytes[i]);
	}
	fclose(terminal->out);
	close(terminal->master);
	return buf_take(&text);
}

static void terminal_shows(const struct sample *sample, unsigned short columns, const char *expected)
{
	static const struct run_progress connecting = {.hosts = 16, .hosts_connected = 3, .hosts_lost = 1, .cases = 40};
	static const struct run_progress running = {
		.hosts = 16, .hosts_connected = 16, .cases = 40, .done = 12, .running = 8, .failed = 1, .left = 204.6};
	struct terminal terminal = terminal_open(columns);
	struct console *console = console_new(terminal.out, false);
	AUTO_FREE char *text = NULL;

	console_progress(console, &connecting);
	console_progress(console, &running);
	console_step(console, &sample->result, &sample->results[0]);
	console_end(console, &sample->result);
	assert_int_equal(console_free(console), 0);
	text = terminal_close(&terminal);
	assert_string_equal(text, expected);
}

#define ERASE "\r\033[K"

static void test_terminal(void **state)
{
	struct sample sample;

	sample_open(&sample);
	sample_case(&sample, sample_step(&sample, 0, "first", NULL), "", VERDICT_PASS);
	sample_count(&sample);

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	terminal_shows(&sample, 80,
		       "\033[2m0:00  3 of 16 hosts connected, 1 lost, 0 of 40 done, 0 running\033[0m" ERASE
		       "\033[2m0:00  12 of 40 done, 8 running, 1 failed, about 3:25 left\033[0m" ERASE
		       "\033[32mpass\033[0m    first\033[2m  (0.03 s)\033[0m\n"
		       "\033[32m1 passed\033[0m in 3.20 s (exit 0)\n");
	setenv("NO_COLOR", "1", 1);
	/* 20 columns: 19 are used. */
	terminal_shows(&sample, 20,
		       "0:00  3 of 16 hosts" ERASE "0:00  12 of 40 done" ERASE "pass    first  (0.03 s)\n"
		       "1 passed in 3.20 s (exit 0)\n");
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	terminal_shows(&sample, 80, "pass    first  (0.03 s)\n1 passed in 3.20 s (exit 0)\n");
	sample_free(&sample);
}

/* A table that is wider than the terminal: a paragraph a row. */
static void test_narrow_table(void **state)
{
	struct terminal terminal = terminal_open(60);
	AUTO_FREE char *text = NULL;
	struct sample sample;
	struct result_case *item;

	sample_open(&sample);
	item = sample_case(&sample, sample_step(&sample, 0, "a", NULL), "", VERDICT_PASS);
	sample_row(item, "leaf-1", 1, "spine-1", 5, "200");
	report_table(terminal.out, sample_observation(item)->tables[0]);
	text = terminal_close(&terminal);
	assert_string_equal(text, "leaf-1 port 1 → spine-1\n"
				  "  from       leaf-1\n"
				  "  port       1\n"
				  "  to         spine-1\n"
				  "  speed      HDR\n"
				  "  rate       200 Gb/s\n"
				  "  errors     ?\n"
				  "  guid       ?\n"
				  "  gid        ?\n"
				  "  mask       ?\n"
				  "  vlan       ?\n"
				  "  addresses  ?\n"
				  "  up         ?\n"
				  "  seen       ?\n"
				  "? vlan: needs netlink\n");
	sample_free(&sample);
}

static int error_on(FILE *out)
{
	struct sample sample;
	struct console *console;
	int error;

	sample_open(&sample);
	sample_case(&sample, sample_step(&sample, 0, "first", NULL), "", VERDICT_PASS);
	sample_count(&sample);
	console = console_new(out, false);
	console_step(console, &sample.result, &sample.results[0]);
	console_end(console, &sample.result);
	error = console_free(console);
	fclose(out);
	sample_free(&sample);
	return error;
}

static void test_write_errors(void **state)
{
	int ends[2];

	assert_int_equal(error_on(fopen("/dev/full", "w")), -ENOSPC);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(error_on(fdopen(ends[1], "w")), -EPIPE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_verdict), cmocka_unit_test(test_folding),
		cmocka_unit_test(test_many_findings), cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_end),	      cmocka_unit_test(test_table),
		cmocka_unit_test(test_terminal),      cmocka_unit_test(test_narrow_table),
		cmocka_unit_test(test_write_errors),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
