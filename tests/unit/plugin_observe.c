/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugin_observe PLUGIN.so PROBE [-t] [-w] [key=value ...]: one table as JSON, without agent and worker. With -t only
 * how long observe() took and how much memory the process used; with -w all probes of the source are wanted.
 * key=@PATH stands for the contents of a file.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "plugin_host.h"

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void print_times(const struct rs_ctx *ctx, const char *probe, double took)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("%s: %zu rows in %.3f s, %ld KiB at most\n", probe, host_rows(ctx, probe), took, usage.ru_maxrss);
}

static char *files[64]; /* settings that hold a file's contents */

/* "plan=@PATH" is the setting with the file's contents, as the runner would send them */
static const char *with_file(const char *setting, unsigned number)
{
	const char *at = strstr(setting, "=@");
	char *text;
	FILE *file;
	size_t key, length;

	if (!at)
		return setting;
	file = fopen(at + 2, "r");
	if (!file) {
		perror(at + 2);
		exit(64);
	}
	key = (size_t)(at - setting) + 1;
	text = calloc(1, key + (1 << 20));
	memcpy(text, setting, key);
	length = fread(text + key, 1, (1 << 20) - 1, file);
	text[key + length] = '\0';
	fclose(file);
	files[number] = text;
	return text;
}

int main(int argc, char **argv)
{
	const char *settings[64] = {0};
	const struct rs_plugin *plugin;
	bool times = false, all = false;
	struct rs_ctx *ctx;
	unsigned count = 0;
	double start;
	void *module;
	int error;

	if (argc < 3) {
		fprintf(stderr, "usage: plugin_observe PLUGIN.so PROBE [-t] [-w] [key=value ...]\n");
		return 64;
	}
	module = dlopen(argv[1], RTLD_NOW);
	if (!module) {
		fprintf(stderr, "%s\n", dlerror());
		return 64;
	}
	plugin = dlsym(module, RS_PLUGIN_SYMBOL);
	for (int i = 3; i < argc && count < 63; i++) {
		if (!strcmp(argv[i], "-t"))
			times = true;
		else if (!strcmp(argv[i], "-w"))
			all = true;
		else {
			settings[count] = with_file(argv[i], count);
			count++;
		}
	}
	ctx = host_new(getenv("SYSFS_ROOT"));
	if (getenv("TIME_LIMIT_MS"))
		host_set_time(ctx, atoll(getenv("TIME_LIMIT_MS")));
	start = seconds();
	error = all ? host_observe_wanted(ctx, plugin, argv[2], 0, settings)
		    : host_observe(ctx, plugin, argv[2], settings);
	if (error)
		fprintf(stderr, "error (%d): %s\n", host_reason(ctx), host_error(ctx));
	else if (times)
		print_times(ctx, argv[2], seconds() - start);
	else
		host_print(ctx, argv[2], stdout);
	fputs(host_notes(ctx), stderr);
	fputs(host_incomplete(ctx), stderr);
	host_free(ctx);
	for (unsigned i = 0; i < count; i++)
		free(files[i]);
	return error ? 2 : 0;
}
