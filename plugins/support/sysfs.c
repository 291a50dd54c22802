/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int build_path(const struct rs_ctx *ctx, char path[SYSFS_PATH], const char *format, va_list arguments)
{
	int root = snprintf(path, SYSFS_PATH, "%s/", rs_sysfs(ctx));
	int rest;

	if (root < 0 || root >= SYSFS_PATH)
		return -ENAMETOOLONG;
	rest = vsnprintf(path + root, (size_t)(SYSFS_PATH - root), format, arguments);
	return rest < 0 || rest >= SYSFS_PATH - root ? -ENAMETOOLONG : 0;
}

static int read_path(const char *path, char *buf, size_t size)
{
	size_t length = 0;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while (length + 1 < size && (n = read(fd, buf + length, size - 1 - length)) > 0)
		length += (size_t)n;
	if (n < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	close(fd);
	while (length && isspace((unsigned char)buf[length - 1]))
		length--;
	buf[length] = '\0';
	return (int)length;
}

static int read_arguments(const struct rs_ctx *ctx, char *buf, size_t size, const char *format, va_list arguments)
{
	char path[SYSFS_PATH];
	int error = build_path(ctx, path, format, arguments);

	return error ? error : read_path(path, buf, size);
}

int sysfs_read(const struct rs_ctx *ctx, char *buf, size_t size, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = read_arguments(ctx, buf, size, format, arguments);
	va_end(arguments);
	return length;
}

int sysfs_number(const struct rs_ctx *ctx, uint64_t *value, const char *format, ...)
{
	char text[64], *end;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = read_arguments(ctx, text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0)
		return length;
	if (!isdigit((unsigned char)text[0]))
		return -EBADMSG;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return errno ? -EBADMSG : 0;
}

/* Groups of four hexadecimal digits between colons, and nothing else */
static int read_groups(const char *text, uint8_t *bytes, int groups)
{
	for (int group = 0; group < groups; group++) {
		unsigned value = 0;

		for (int digit = 0; digit < 4; digit++, text++) {
			if (!isxdigit((unsigned char)*text))
				return -EBADMSG;
			value = value << 4 |
				(unsigned)(isdigit((unsigned char)*text) ? *text - '0' : (*text | 32) - 'a' + 10);
		}
		if (*text != (group + 1 < groups ? ':' : '\0'))
			return -EBADMSG;
		text++;
		bytes[2 * group] = (uint8_t)(value >> 8);
		bytes[2 * group + 1] = (uint8_t)value;
	}
	return 0;
}

int sysfs_guid(const struct rs_ctx *ctx, uint64_t *guid, const char *format, ...)
{
	uint8_t bytes[8];
	va_list arguments;
	char text[64];
	int error;

	va_start(arguments, format);
	error = read_arguments(ctx, text, sizeof(text), format, arguments);
	va_end(arguments);
	if (error >= 0)
		error = read_groups(text, bytes, 4);
	if (error < 0)
		return error;
	*guid = 0;
	for (int i = 0; i < 8; i++)
		*guid = *guid << 8 | bytes[i];
	return 0;
}

int sysfs_gid(const struct rs_ctx *ctx, uint8_t gid[16], const char *format, ...)
{
	va_list arguments;
	char text[64];
	int error;

	va_start(arguments, format);
	error = read_arguments(ctx, text, sizeof(text), format, arguments);
	va_end(arguments);
	return error < 0 ? error : read_groups(text, gid, 8);
}

int sysfs_link(const struct rs_ctx *ctx, char *buf, size_t size, const char *format, ...)
{
	char path[SYSFS_PATH], target[SYSFS_PATH];
	const char *name;
	va_list arguments;
	ssize_t length;
	int error;

	va_start(arguments, format);
	error = build_path(ctx, path, format, arguments);
	va_end(arguments);
	if (error)
		return error;
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return -errno;
	target[length] = '\0';
	name = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
	if (strlen(name) >= size)
		return -ENAMETOOLONG;
	strcpy(buf, name);
	return (int)strlen(name);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int list_path(struct rs_ctx *ctx, const char *path, char ***names)
{
	size_t count = 0, capacity = 16;
	char **list = rs_alloc(ctx, (capacity + 1) * sizeof(*list));
	struct dirent *entry;
	DIR *directory = opendir(path);

	if (!directory)
		return -errno;
	while ((entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (count == capacity) {
			char **larger = rs_alloc(ctx, (2 * capacity + 1) * sizeof(*larger));

			memcpy(larger, list, count * sizeof(*list));
			list = larger;
			capacity *= 2;
		}
		list[count] = rs_alloc(ctx, strlen(entry->d_name) + 1);
		strcpy(list[count++], entry->d_name);
	}
	closedir(directory);
	qsort(list, count, sizeof(*list), by_version);
	list[count] = NULL;
	*names = list;
	return (int)count;
}

int sysfs_list(struct rs_ctx *ctx, char ***names, const char *format, ...)
{
	char path[SYSFS_PATH];
	va_list arguments;
	int error;

	va_start(arguments, format);
	error = build_path(ctx, path, format, arguments);
	va_end(arguments);
	return error ? error : list_path(ctx, path, names);
}
