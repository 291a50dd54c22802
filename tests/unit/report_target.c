/* SPDX-License-Identifier: BSD-2-Clause */
/* Where reports go: parsing, the check before the run, and writing whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "report/report.h"
#include "report_sample.h"

static char folder[] = "/tmp/rdmaspec-report-XXXXXX";
static struct sample sample;

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static char *get(const char *path)
{
	FILE *file = fopen(path, "r");
	struct buf text = {0};
	int c;

	assert_non_null(file);
	while ((c = getc(file)) != EOF)
		buf_putc(&text, (char)c);
	fclose(file);
	return buf_take(&text);
}

static unsigned files(void)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void parses(const char *argument, enum report_kind kind, const char *path, bool positions)
{
	struct report_target target;

	assert_int_equal(report_target_parse(argument, &target, NULL), 0);
	assert_int_equal(target.kind, kind);
	assert_string_equal(target.path, path);
	assert_int_equal(target.positions, positions);
}

static void refused(const char *argument, const char *why)
{
	struct report_target target;
	AUTO_DIAG struct diag diag = {0};

	assert_int_equal(report_target_parse(argument, &target, &diag), -EINVAL);
	assert_string_equal(diag.text, why);
}

static void test_parse(void **state)
{
	parses("junit=a.xml", REPORT_JUNIT, "a.xml", false);
	parses("junit+positions=a=b.xml", REPORT_JUNIT, "a=b.xml", true);
	parses("json=-", REPORT_JSON, "-", false);
	parses("json=/dev/stdout", REPORT_JSON, "-", false);
	refused("jnuit=a.xml", "unknown report 'jnuit'; did you mean 'junit'?");
	refused("JSON=a.xml", "unknown report 'JSON'; did you mean 'json'?");
	refused("yaml=a", "unknown report 'yaml'; there are junit=PATH, junit+positions=PATH, json=PATH, html=PATH, "
			  "tap=PATH, markdown=PATH, prometheus=PATH and recording=PATH");
	refused("", "unknown report ''; there are junit=PATH, junit+positions=PATH, json=PATH, html=PATH, tap=PATH, "
		    "markdown=PATH, prometheus=PATH and recording=PATH");
	refused("json", "report json needs a path: json=PATH");
	refused("json=", "report json needs a path: json=PATH");
}

/* What report_check() says of json=@path; NULL: it may be written. */
static char *check(const char *path)
{
	struct report_target target = {.kind = REPORT_JSON, .path = path};
	struct diag diag = {0};

	if (report_check(&target, &diag) == 0) {
		assert_null(diag.text);
		return NULL;
	}
	assert_non_null(diag.text);
	return diag.text;
}

static void check_fails(const char *path, const char *why)
{
	AUTO_FREE char *said = check(path);
	AUTO_FREE char *expected = xasprintf("cannot write report '%s': %s", path, why);

	assert_non_null(said);
	assert_string_equal(said, expected);
}

static void test_check(void **state)
{
	AUTO_FREE char *missing = xasprintf("folder '%s/no/such': No such file or directory", folder);
	AUTO_FREE char *no_folder = xasprintf("'%s/file' is no folder", folder);
	char longest[400];

	put(in_folder("file"), "old");
	assert_null(check(in_folder("file")));
	assert_null(check(in_folder("new")));
	assert_null(check("relative.json"));
	assert_null(check("-"));
	assert_null(check("/dev/null"));
	check_fails(folder, "Is a directory");
	check_fails(in_folder("new/"), "Is a directory");
	check_fails(in_folder("no/such/file"), missing);
	check_fails(in_folder("file/below"), no_folder);
	snprintf(longest, sizeof(longest), "%s/%0300d", folder, 0);
	check_fails(longest, "File name too long");
	assert_int_equal(symlink("round", in_folder("round")), 0);
	check_fails(in_folder("round"), "Too many levels of symbolic links");
	assert_int_equal(files(), 2);
	unlink(in_folder("file"));
	unlink(in_folder("round"));
}

/* Root may write everywhere, so this is tried as somebody else. */
static void test_check_denied(void **state)
{
	AUTO_FREE char *denied = xasprintf("folder '%s': Permission denied", in_folder("closed"));

	assert_int_equal(mkdir(in_folder("closed"), 0555), 0);
	chmod(folder, 0755);
	if (geteuid() == 0) {
		assert_int_equal(setresuid(65534, 65534, 0), 0);
		check_fails(in_folder("closed/report"), denied);
		assert_int_equal(setresuid(0, 0, 0), 0);
	} else {
		check_fails(in_folder("closed/report"), denied);
	}
	rmdir(in_folder("closed"));
}

static void test_check_all(void **state)
{
	struct report_target two[2] = {{.kind = REPORT_JSON, .path = "-"}, {.kind = REPORT_JSON, .path = "-"}};
	AUTO_DIAG struct diag first = {0}, second = {0}, third = {0}, fourth = {0};

	assert_int_equal(report_check_all(two, 2, &first), -EINVAL);
	assert_string_equal(first.text, "reports '-' and '-' go to the same place");

	put(in_folder("old"), "old");
	assert_int_equal(symlink("old", in_folder("link")), 0);
	two[0].path = in_folder("old");
	two[1].path = in_folder("link");
	assert_int_equal(report_check_all(two, 2, &second), -EINVAL);
	assert_non_null(strstr(second.text, "go to the same place"));

	two[0].path = in_folder("new");
	two[1].path = in_folder("./new");
	assert_int_equal(report_check_all(two, 2, &third), -EINVAL);
	assert_non_null(strstr(third.text, "go to the same place"));

	two[1].path = in_folder("newer");
	assert_int_equal(report_check_all(two, 2, &fourth), 0);
	two[0].path = two[1].path = "/dev/null";
	assert_int_equal(report_check_all(two, 2, &fourth), 0);
	unlink(in_folder("old"));
	unlink(in_folder("link"));
}

static int write_json(const char *path, struct diag *diag)
{
	struct report_target target = {.kind = REPORT_JSON, .path = path};

	return report_write(&target, &sample.result, NULL, diag);
}

static void is_report(const char *path)
{
	json_t *report = json_load_file(path, 0, NULL);

	assert_non_null(report);
	json_decref(report);
}

static void test_write(void **state)
{
	struct stat status;
	mode_t old = umask(027);

	assert_int_equal(write_json(in_folder("report"), NULL), 0);
	umask(old);
	is_report(in_folder("report"));
	assert_int_equal(stat(in_folder("report"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640); /* 0666 without 027 */
	assert_int_equal(files(), 1);
	unlink(in_folder("report"));
}

static void test_links_stay(void **state)
{
	struct stat status;

	put(in_folder("old"), "old");
	assert_int_equal(symlink("old", in_folder("link")), 0);
	assert_int_equal(symlink("nothing", in_folder("dangling")), 0);
	assert_int_equal(write_json(in_folder("link"), NULL), 0);
	assert_int_equal(write_json(in_folder("dangling"), NULL), 0);
	is_report(in_folder("old"));
	is_report(in_folder("nothing"));
	assert_int_equal(lstat(in_folder("link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat(in_folder("dangling"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(files(), 4);
	unlink(in_folder("old"));
	unlink(in_folder("link"));
	unlink(in_folder("dangling"));
	unlink(in_folder("nothing"));
}

/* The file may grow to 1,000 bytes, less than any report: as on a disk that is full in the middle of it. */
static void test_old_report_stays(void **state)
{
	static const enum report_kind kinds[] = {REPORT_JSON, REPORT_JUNIT};
	struct rlimit before, small;

	put(in_folder("report"), "the old report");
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = 1000;
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 2; i++) {
		struct report_target target = {.kind = kinds[i], .path = in_folder("report")};
		AUTO_DIAG struct diag diag = {0};
		AUTO_FREE char *kept = NULL;
		AUTO_FREE char *expected = xasprintf("cannot write report '%s': File too large", target.path);
		int error;

		assert_int_equal(report_check(&target, NULL), 0);
		setrlimit(RLIMIT_FSIZE, &small);
		error = report_write(&target, &sample.result, NULL, &diag);
		setrlimit(RLIMIT_FSIZE, &before);
		assert_int_equal(error, -EFBIG);
		assert_string_equal(diag.text, expected);
		kept = get(in_folder("report"));
		assert_string_equal(kept, "the old report");
		assert_int_equal(files(), 1);
	}
	unlink(in_folder("report"));
}

static void test_devices(void **state)
{
	AUTO_DIAG struct diag full = {0}, unread = {0};
	int reader;
	char byte;

	assert_int_equal(write_json("/dev/null", NULL), 0);
	assert_int_equal(write_json("/dev/full", &full), -ENOSPC);
	assert_string_equal(full.text, "cannot write report '/dev/full': No space left on device");

	assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
	assert_int_equal(write_json(in_folder("fifo"), &unread), -ENXIO);
	assert_non_null(strstr(unread.text, "nobody reads it"));
	reader = open(in_folder("fifo"), O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	fcntl(reader, F_SETPIPE_SZ, 1 << 20); /* the whole report fits: nobody has to read meanwhile */
	assert_int_equal(write_json(in_folder("fifo"), NULL), 0);
	assert_int_equal(read(reader, &byte, 1), 1);
	assert_int_equal(byte, '{');
	close(reader);
	assert_int_equal(files(), 1);
	unlink(in_folder("fifo"));
}

/* In a process of its own, as the module is loaded once: what report_load() says of the one in the folder. */
static void refuses_module(const char *why)
{
	struct report_target target = {.kind = REPORT_JUNIT, .path = "-"};
	AUTO_DIAG struct diag diag = {0};
	pid_t child = fork();
	int status;

	if (!child) {
		setenv("RDMASPEC_PLUGIN_DIR", folder, 1);
		status = report_load(&target, 1, &diag);
		if (status == -ENOENT && strstr(diag.text, why))
			_exit(0);
		print_message("%s\n", diag.text ? diag.text : "nothing was said");
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_foreign_module(void **state)
{
	const char *build = getenv("RDMASPEC_BUILD");
	AUTO_FREE char *foreign = xasprintf("%s/tests/unit/report_junit_foreign.so", build ? build : ".");

	assert_int_equal(mkdir(in_folder("report"), 0700), 0);
	put(in_folder("report/report_junit.so"), "no shared object");
	refuses_module("report/report_junit.so: file too short");
	unlink(in_folder("report/report_junit.so"));

	assert_int_equal(symlink(foreign, in_folder("report/report_junit.so")), 0);
	refuses_module("report/report_junit.so is of rdmaspec 0.0.0-other, this is rdmaspec ");
	unlink(in_folder("report/report_junit.so"));
	rmdir(in_folder("report"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_foreign_module), cmocka_unit_test(test_parse),
		cmocka_unit_test(test_check),	       cmocka_unit_test(test_check_denied),
		cmocka_unit_test(test_check_all),      cmocka_unit_test(test_write),
		cmocka_unit_test(test_links_stay),     cmocka_unit_test(test_old_report_stays),
		cmocka_unit_test(test_devices),
	};
	int failed;

	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(folder))
		return 1;
	sample_find_module();
	sample_everything(&sample);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	sample_free(&sample);
	rmdir(folder);
	return failed;
}
