/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibdiagnet's stage table. ibdiagnet 1.5.7 prints it with the Tcl format "    %-40s %-6d %-6d" under "STAGE Errors
 * Warnings"; ibdiagnet 2 has the warnings first and marks its lines. The programs below print just that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin_host.h"

extern const struct rs_plugin rs_plugin_v1;

static char directory[] = "/tmp/fabric_ibdiagnet-XXXXXX";

/* Puts a program of that name first in $PATH, and observes */
static struct rs_ctx *observe(const char *script)
{
	struct rs_ctx *ctx = host_new(NULL);
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/ibdiagnet", directory);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s", script);
	fclose(file);
	assert_int_equal(chmod(path, 0700), 0);
	host_observe(ctx, &rs_plugin_v1, "fabric.ibdiagnet", NULL);
	unlink(path);
	return ctx;
}

static void assert_stage(const struct rs_ctx *ctx, size_t row, const char *stage, const char *errors,
			 const char *warnings)
{
	assert_string_equal(host_cell(ctx, "fabric.ibdiagnet", row, "stage"), stage);
	assert_string_equal(host_cell(ctx, "fabric.ibdiagnet", row, "errors"), errors);
	assert_string_equal(host_cell(ctx, "fabric.ibdiagnet", row, "warnings"), warnings);
}

static void first_version(void **state)
{
	struct rs_ctx *ctx =
		observe("test -d \"$2\" || exit 9\n"
			"echo '-W- Topology file is not specified.'\n"
			"echo '-I- Stages Status Report:'\n"
			"printf '    %-40s %-6s %-6s\\n' STAGE Errors Warnings\n"
			"printf '    %-40s %-6d %-6d\\n' 'Bad GUIDs/LIDs Check' 0 0\n"
			"printf '    %-40s %-6d %-6d\\n' 'Link State Active Check' 0 3\n"
			"printf '    %-40s %-6d %-6d\\n' 'Performance Counters Report' 12 0\n"
			"printf '    %-40s %-6d %-6d\\n' 'Check of 4x 12 links and more than forty characters' 1 2\n"
			"echo\necho 'Please see /tmp/ibdiagnet.log for 1 2 complete log'\nexit 1\n");

	assert_string_equal(host_error(ctx), "");
	assert_int_equal(host_rows(ctx, "fabric.ibdiagnet"), 4);
	assert_stage(ctx, 0, "Bad GUIDs/LIDs Check", "0", "0");
	assert_stage(ctx, 1, "Link State Active Check", "0", "3");
	assert_stage(ctx, 2, "Performance Counters Report", "12", "0");
	assert_stage(ctx, 3, "Check of 4x 12 links and more than forty characters", "1", "2");
	host_free(ctx);
}

static void second_version(void **state)
{
	struct rs_ctx *ctx = observe("echo Summary\n"
				     "echo '-I- Stage                     Warnings   Errors     Comment'\n"
				     "echo '-I- Discovery                 0          0'\n"
				     "echo '-W- Routing                   5          0          some text 7 8'\n"
				     "echo '-E- Port Counters             1          22'\necho\n");

	assert_int_equal(host_rows(ctx, "fabric.ibdiagnet"), 3);
	assert_stage(ctx, 0, "Discovery", "0", "0");
	assert_stage(ctx, 1, "Routing", "0", "5");
	assert_stage(ctx, 2, "Port Counters", "22", "1");
	host_free(ctx);
}

/* Where its Tcl packages are missing, ibdiagnet 1.5.7 says so and ends with 0 */
static void no_table(void **state)
{
	struct rs_ctx *ctx = observe("echo \"can't find package ibdiagnet\" >&2\n");

	assert_int_equal(host_reason(ctx), RS_FAILED);
	assert_string_equal(host_error(ctx),
			    "ibdiagnet printed no table of stages (exit status 0): can't find package ibdiagnet");
	host_free(ctx);

	ctx = observe("kill -SEGV $$\n");
	assert_non_null(strstr(host_error(ctx), "ibdiagnet died of signal 11"));
	host_free(ctx);
}

static int enter(void **state)
{
	char path[4096];

	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s:%s", directory, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	return setenv("PATH", path, 1);
}

static int leave(void **state)
{
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_version),
		cmocka_unit_test(second_version),
		cmocka_unit_test(no_table),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
