/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/target.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/replace.h"
#include "report/view.h"

static const struct {
	const char *word;
	enum report_kind kind;
	bool positions;
} kinds[] = {
	/* clang-format off */
	{"junit", REPORT_JUNIT, false},
	{"junit+positions", REPORT_JUNIT, true},
	{"json", REPORT_JSON, false},
	{"html", REPORT_HTML, false},
	{"tap", REPORT_TAP, false},
	{"markdown", REPORT_MARKDOWN, false},
	{"prometheus", REPORT_PROMETHEUS, false},
	{"recording", REPORT_RECORDING, false},
	/* clang-format on */
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

void report_kinds(struct buf *out)
{
	for (size_t i = 0; i < KINDS; i++)
		buf_printf(out, "%s%s=PATH", !i ? "" : i + 1 == KINDS ? " and " : ", ", kinds[i].word);
}

static int unknown_kind(const char *word, struct diag *diag)
{
	const char *words[KINDS], *close;
	AUTO_BUF struct buf all = {0};

	for (size_t i = 0; i < KINDS; i++)
		words[i] = kinds[i].word;
	close = suggest(word, words, KINDS);
	if (close)
		return diag_set(diag, EINVAL, NO_PLACE, "unknown report '%s'; did you mean '%s'?", word, close);
	report_kinds(&all);
	return diag_set(diag, EINVAL, NO_PLACE, "unknown report '%s'; there are %s", word, all.data);
}

int report_target_parse(const char *argument, struct report_target *target, struct diag *diag)
{
	const char *equals = strchr(argument, '=');
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	AUTO_FREE char *word = strndup(argument, length);
	size_t i = 0;

	while (i < KINDS && strcmp(kinds[i].word, word) != 0)
		i++;
	if (i == KINDS)
		return unknown_kind(word, diag);
	if (!equals || !equals[1])
		return diag_set(diag, EINVAL, NO_PLACE, "report %s needs a path: %s=PATH", word, word);
	target->kind = kinds[i].kind;
	target->positions = kinds[i].positions;
	target->path = !strcmp(equals + 1, "/dev/stdout") ? "-" : equals + 1;
	return 0;
}

static int cannot(const struct report_target *target, int error, struct diag *diag)
{
	return diag_set(diag, error, NO_PLACE, "cannot write report '%s': %s", target->path, strerror(error));
}

static int check_place(const struct report_target *target, struct diag *diag)
{
	AUTO_FREE char *path = NULL, *directory = NULL;
	struct stat status;
	bool regular;
	int error;

	error = replace_resolve(target->path, &path, &directory, &regular);
	if (error < 0)
		return cannot(target, -error, diag);
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return cannot(target, EISDIR, diag);
	if (lstat(path, &status) < 0 && errno == ENAMETOOLONG)
		return cannot(target, errno, diag);
	if (!regular)
		return access(path, W_OK) < 0 ? cannot(target, errno, diag) : 0;
	if (path[0] && path[strlen(path) - 1] == '/')
		return cannot(target, EISDIR, diag);
	if (stat(directory, &status) < 0)
		return diag_set(diag, errno, NO_PLACE, "cannot write report '%s': folder '%s': %s", target->path,
				directory, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return diag_set(diag, ENOTDIR, NO_PLACE, "cannot write report '%s': '%s' is no folder", target->path,
				directory);
	if (access(directory, W_OK | X_OK) < 0)
		return diag_set(diag, errno, NO_PLACE, "cannot write report '%s': folder '%s': %s", target->path,
				directory, strerror(errno));
	return 0;
}

int report_check(const struct report_target *target, struct diag *diag)
{
	if (target->kind == REPORT_JUNIT && !module_is_there(diag))
		return -ENOENT;
	return strcmp(target->path, "-") == 0 ? 0 : check_place(target, diag);
}

int report_load(const struct report_target *targets, size_t count, struct diag *diag)
{
	for (size_t i = 0; i < count; i++)
		if (targets[i].kind == REPORT_JUNIT && !module_load(diag))
			return -ENOENT;
	return 0;
}

/* Two names of one place: both stdout, the same path behind links, or one file under two names. */
static bool same_place(const struct report_target *a, const struct report_target *b)
{
	AUTO_FREE char *path_a = NULL, *path_b = NULL, *folder_a = NULL, *folder_b = NULL;
	struct stat status_a, status_b;
	bool regular;

	if (!strcmp(a->path, "-") || !strcmp(b->path, "-"))
		return !strcmp(a->path, b->path);
	if (replace_resolve(a->path, &path_a, &folder_a, &regular) < 0 ||
	    replace_resolve(b->path, &path_b, &folder_b, &regular) < 0)
		return false;
	if (stat(path_a, &status_a) == 0 && stat(path_b, &status_b) == 0)
		return !S_ISCHR(status_a.st_mode) && status_a.st_dev == status_b.st_dev &&
		       status_a.st_ino == status_b.st_ino;
	return stat(folder_a, &status_a) == 0 && stat(folder_b, &status_b) == 0 && status_a.st_dev == status_b.st_dev &&
	       status_a.st_ino == status_b.st_ino && !strcmp(basename(path_a), basename(path_b));
}

bool report_goes_to(const struct report_target *target, const char *path)
{
	const struct report_target file = {.path = path};

	return strcmp(target->path, "-") != 0 && strcmp(path, "-") != 0 && same_place(target, &file);
}

int report_check_all(const struct report_target *targets, size_t count, struct diag *diag)
{
	for (size_t i = 0; i < count; i++) {
		int error = report_check(&targets[i], diag);

		if (error < 0)
			return error;
		for (size_t j = 0; j < i; j++)
			if (same_place(&targets[i], &targets[j]))
				return diag_set(diag, EINVAL, NO_PLACE, "reports '%s' and '%s' go to the same place",
						targets[j].path, targets[i].path);
	}
	return 0;
}
