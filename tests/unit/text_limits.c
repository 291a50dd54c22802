/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Input that is large or built to be slow: each is refused (or read) within a second and 100 MB, in a process of its
 * own so that both can be measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "text/text.h"

#define MIB ((size_t)1024 * 1024)
#define SECONDS 1.0
#define KILOBYTES (100 * 1000)

static char folder[32];
static char self[PATH_MAX];

static int set_up(void **state)
{
	strcpy(folder, "/tmp/rdmaspec-limits-XXXXXX");
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	char name[32];

	unlink("input.yaml");
	unlink("fifo");
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "%d.yaml", i);
		unlink(name);
	}
	return chdir("/") || rmdir(folder) ? -1 : 0;
}

/* Sanitizers and valgrind need more of both. */
static bool is_measured(void)
{
	const char *preload = getenv("LD_PRELOAD");

#if defined(__SANITIZE_ADDRESS__)
	return false;
#endif
	return !preload || !strstr(preload, "valgrind");
}

/* The most that this process took, in kB. (ru_maxrss would count what the parent had when it forked.) */
static long peak_memory(void)
{
	AUTO_FCLOSE FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long peak = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %ld", &peak) == 1)
			return peak;
	return LONG_MAX;
}

/* The program again, for one file: what is said about it, and in the last line what that took. */
static int load_and_say(const char *path)
{
	static const struct variable later[] = {{.name = "host"}, {.name = "address"}, {.name = "device"}};
	struct text text = {0};
	const struct scope host = {.items = later, .count = 3, .outer = &text.vars};
	struct diags diags = {0};

	alarm(60);
	text_load(&text, path, NULL, &diags);
	for (size_t i = 0; i < text.ndocuments; i++)
		text_resolve(&text, NULL, text.documents[i], &host, &diags);
	diags_print(&diags, stdout);
	printf("@%ld", peak_memory());
	diags_free(&diags);
	text_free(&text);
	return 0;
}

static pid_t start(const char *path, int fd)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	dup2(fd, STDOUT_FILENO);
	unsetenv("MALLOC_PERTURB_"); /* set by meson; touches all memory */
	execl(self, self, "--load", path, NULL);
	_exit(127);
}

static void read_all(int fd, struct buf *said)
{
	char block[4096];
	ssize_t got;

	while ((got = read(fd, block, sizeof(block))) > 0)
		buf_add(said, block, (size_t)got);
	close(fd);
}

static double cpu_seconds(const struct rusage *usage)
{
	return (double)usage->ru_utime.tv_sec + (double)usage->ru_utime.tv_usec / 1e6 + (double)usage->ru_stime.tv_sec +
	       (double)usage->ru_stime.tv_usec / 1e6;
}

/* What is said begins with @expected ("" for nothing at all). */
static void expect_of(const char *path, const char *expected)
{
	AUTO_BUF struct buf said = {0};
	struct rusage usage;
	int ends[2], status;
	char *peak;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = start(path, ends[1]);
	close(ends[1]);
	buf_puts(&said, "");
	read_all(ends[0], &said);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	peak = strrchr(said.data, '@');
	assert_non_null(peak);
	*peak = '\0';
	if (!*expected)
		assert_string_equal(said.data, "");
	if (strncmp(said.data, expected, strlen(expected)))
		fail_msg("said '%.300s', expected '%s'", said.data, expected);
	if (!is_measured())
		return;
	if (cpu_seconds(&usage) > SECONDS)
		fail_msg("took %.2f s", cpu_seconds(&usage));
	if (atol(peak + 1) > KILOBYTES)
		fail_msg("took %s kB", peak + 1);
}

static void write_file(const char *name, const char *data, size_t length)
{
	AUTO_FCLOSE FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, length, file), length);
}

static void expect(const struct buf *data, const char *expected)
{
	write_file("input.yaml", data->data, data->length);
	expect_of("input.yaml", expected);
}

static void repeat(struct buf *buf, const char *text, size_t times)
{
	AUTO_BUF struct buf chunk = {0};
	size_t in_chunk = times < 1000 ? times : 1000;

	for (size_t i = 0; i < in_chunk; i++)
		buf_puts(&chunk, text);
	for (; times >= in_chunk && in_chunk; times -= in_chunk)
		buf_add(buf, chunk.data, chunk.length);
	buf_add(buf, chunk.data, times * strlen(text));
}

/* Where nothing is measured, less will do. */
static size_t many(size_t times)
{
	return is_measured() ? times : times / 16;
}

static void expect_repeated(const char *before, const char *text, size_t times, const char *expected)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, before);
	repeat(&data, text, times);
	expect(&data, expected);
}

static void test_depth(void **state)
{
	static const char said[] = ": error: nested deeper than 64 levels\n";
	static const struct {
		const char *text;
		const char *place;
	} cases[] = {
		{"[", "input.yaml:1:65"},   {"[\n", "input.yaml:65:1"},
		{"- ", "input.yaml:1:129"}, {"{a: ", "input.yaml:1:257"},
		{"? ", "input.yaml:1:129"}, {"- [", "input.yaml:1:"}, /* a list entry in [ */
		{"[{", "input.yaml:1:65"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		AUTO_FREE char *expected = xasprintf("%s%s", cases[i].place, said);

		if (!strcmp(cases[i].text, "- ["))
			expect_repeated("", cases[i].text, many(1000000), "input.yaml:1:4: error: ");
		else
			expect_repeated("", cases[i].text, many(1000000), expected);
	}
}

static void test_large_file(void **state)
{
	int fd = open("input.yaml", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 100 * (off_t)MIB), 0);
	close(fd);
	expect_of("input.yaml", "input.yaml: error: cannot be read: it is larger than 16 MiB\n");
	expect_of("/dev/zero", "/dev/zero: error: cannot be read: it is larger than 16 MiB\n");
}

/* A pipe has no size to look at first. */
static void test_endless_pipe(void **state)
{
	pid_t pid;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		static char block[65536];
		int fd;

		alarm(60);
		fd = open("fifo", O_WRONLY | O_CLOEXEC);
		signal(SIGPIPE, SIG_DFL);
		memset(block, '#', sizeof(block));
		while (write(fd, block, sizeof(block)) > 0)
			;
		_exit(1);
	}
	expect_of("fifo", "fifo: error: cannot be read: it is larger than 16 MiB\n");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_standard_input(void **state)
{
	int saved = dup(STDIN_FILENO), fd;

	write_file("input.yaml", "a: !x b\n", 8);
	fd = open("input.yaml", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	dup2(fd, STDIN_FILENO);
	expect_of("-", "-:1:4: error: tags are refused: '!x'");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(fd);
}

static void test_unreadable(void **state)
{
	expect_of("nowhere.yaml", "nowhere.yaml: error: cannot be read: No such file or directory\n");
	expect_of(".", ".: error: cannot be read: it is a directory\n");
	if (!geteuid())
		return; /* root reads everything */
	write_file("input.yaml", "a: b\n", 5);
	chmod("input.yaml", 0);
	expect_of("input.yaml", "input.yaml: error: cannot be read: Permission denied\n");
}

static void test_alias_bomb(void **state)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, "a0: &a0 [x, x]\n");
	for (int i = 1; i < 50; i++)
		buf_printf(&data, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
	expect(&data, "input.yaml:1:5: error: anchors and aliases are refused: '&a0'");
	buf_clear(&data);
	for (int i = 0; i < (int)many(300000); i++)
		buf_printf(&data, "- &a%d x\n- *a%d\n", i, i);
	expect(&data, "input.yaml:1:3: error: anchors and aliases are refused: '&a0'");
}

static void test_slow_for_libyaml(void **state)
{
	AUTO_BUF struct buf data = {0};

	expect_repeated("", "%TAG !a! b\n", many(1000000),
			"input.yaml:1:1: error: tags are refused, and with them '%TAG'\n");
	expect_repeated("a: b\n...\n", "%TAG !a! b\n", many(1000000), "input.yaml:3:1: error: tags are refused");
	expect_repeated("", "%YAML 1.1\n", many(1000000), "input.yaml:2:1: error: found duplicate %YAML directive\n");
	expect_repeated("a: ", "b ", many(5 * MIB), "");
	expect_repeated("a: \"", "b\\n", many(4 * MIB), "input.yaml:1:4: error: the quote here is never closed\n");
	expect_repeated("a: |\n", "  b\n", many(MIB), "");
	expect_repeated("a: >\n", "\n", many(8 * MIB), "");
	expect_repeated("", "#", many(16 * MIB),
			"input.yaml:1:1: error: there is nothing but blanks and comments in it\n");
	expect_repeated("", "\n", many(16 * MIB),
			"input.yaml:1:1: error: there is nothing but blanks and comments in it\n");
	repeat(&data, "a", many(16 * MIB - 1));
	expect(&data, "input.yaml:1:1: error: a scenario is a map of keys");
}

/* One candidate for a cut value behind the other, on one line and on many. */
static void test_hashes(void **state)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, "a: \"");
	repeat(&data, " #a", many(4 * MIB));
	buf_puts(&data, "\"\nb: c\n");
	expect(&data, "");
	expect_repeated("a: b", " #a", many(4 * MIB), "input.yaml:1:4: warning: the value ends at ' #'");
	expect_repeated("a:\n", "- b #c\n", many(300000), "input.yaml:2:3: warning: the value ends at ' #'");
}

static void test_brackets_in_one_line(void **state)
{
	expect_repeated("a: [b", "[1]", many(4 * MIB), "input.yaml:1:6: error: inside {} and [] a bracket begins");
	expect_repeated("a: [b", "[", many(10 * MIB), "input.yaml:1:6: error: inside {} and [] a bracket begins");
	expect_repeated("a: [1]", "]", many(10 * MIB), "input.yaml:1:7: error: ']' closes nothing\n");
}

static void test_keys(void **state)
{
	AUTO_BUF struct buf data = {0};

	for (int i = 0; i < (int)many(200000); i++)
		buf_printf(&data, "k%d: v\n", i);
	expect(&data, "");
	expect_repeated("", "a: b\n", many(300000),
			"input.yaml:2:1: error: the key 'a' is here twice; the first one is at line 1");
}

/* Doubling in each of a hundred variables. */
static void test_variable_bomb(void **state)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, "vars:\n  v0: xxxxxxxxxx\n");
	for (int i = 1; i < 60; i++)
		buf_printf(&data, "  v%d: $(v%d)$(v%d)\n", i, i - 1, i - 1);
	expect(&data, "input.yaml:19:8: error: with its variables replaced this is longer than 1 MiB\n");
	/* 10 * 2^17 > 2^20: v17 is the first, in line 2 + 17 */
}

static void test_variables_in_all(void **state)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, "vars:\n  v: \"");
	repeat(&data, "x", 1000000);
	buf_puts(&data, "\"\nlist:\n");
	repeat(&data, "- $(v)\n", 1000);
	/* 2^26 / 10^6 = 67.1: the 68th, in line 3 + 68, is too much */
	expect(&data, "input.yaml:71:3: error: with its variables replaced the scenario is longer than 64 MiB\n");
	buf_clear(&data);
	buf_puts(&data, "vars: {e: ''}\nx: ");
	repeat(&data, "$(e)", many(3 * MIB));
	expect(&data, "input.yaml:2:4: error: more than 10000 variables in one scalar\n");
}

static void test_variable_chain(void **state)
{
	AUTO_BUF struct buf data = {0};

	buf_puts(&data, "vars:\n");
	for (int i = 0; i < (int)many(200000); i++)
		buf_printf(&data, "  v%06d: $(v%06d)\n", i, i + 1);
	expect(&data, "input.yaml:66:12: error: variables refer to one another more than 64 deep\n");
}

static void test_includes(void **state)
{
	char name[32], text[64];

	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "%d.yaml", i);
		snprintf(text, sizeof(text), "include: %d.yaml\n", i + 1);
		write_file(name, text, strlen(text));
	}
	expect_of("0.yaml",
		  "63.yaml:1:10: error: cannot include '64.yaml': files include one another more than 64 deep\n");
	expect_repeated("include:\n", "- 199.yaml\n", many(50000),
			"199.yaml:1:10: error: cannot include '200.yaml': No such file or directory\n");
}

/* xorshift64 (Marsaglia 2003) */
static void test_rubbish(void **state)
{
	AUTO_BUF struct buf data = {0};
	uint64_t seed = 88172645463325252u;

	for (size_t i = 0; i < 2 * MIB; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		buf_add(&data, &seed, sizeof(seed));
	}
	data.length = 16 * MIB;
	expect(&data, "input.yaml:1:");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_endless_pipe, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_standard_input, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_alias_bomb, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_for_libyaml, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hashes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_brackets_in_one_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_variable_bomb, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_variables_in_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_variable_chain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_includes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rubbish, set_up, tear_down),
	};
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return 1;
	if (argc == 3 && !strcmp(argv[1], "--load"))
		return load_and_say(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
