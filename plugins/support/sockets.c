/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/sockets.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* "  0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 12345 ..." */
static bool parse_line(const char *line, unsigned *local, unsigned *remote, unsigned *state, unsigned long *inode)
{
	return sscanf(line, "%*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%x %x %*s %*s %*s %*s %*s %lu", local, remote, state,
		      inode) == 4;
}

bool socket_in_table(const char *path, enum socket_state state, unsigned port,
		     bool (*owned)(unsigned long inode, void *user), void *user)
{
	FILE *file = fopen(path, "re");
	char line[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		unsigned local, remote, seen;
		unsigned long inode;

		if (parse_line(line, &local, &remote, &seen, &inode) && seen == (unsigned)state &&
		    (state == SOCKET_LISTEN ? local : remote) == port)
			found = owned(inode, user);
	}
	if (file)
		fclose(file);
	return found;
}

static bool has_open(unsigned long inode, void *user)
{
	char folder[64], path[384], link[64], wanted[64];
	const pid_t *pid = user;
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(folder, sizeof(folder), "/proc/%d/fd", (int)*pid);
	snprintf(wanted, sizeof(wanted), "socket:[%lu]", inode);
	dir = opendir(folder);
	while (dir && !found && (entry = readdir(dir))) {
		ssize_t length;

		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		length = readlink(path, link, sizeof(link) - 1);
		if (length <= 0)
			continue;
		link[length] = '\0';
		found = !strcmp(link, wanted);
	}
	if (dir)
		closedir(dir);
	return found;
}

bool socket_has(pid_t pid, enum socket_state state, unsigned port)
{
	char path[64];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/proc/%d/net/tcp%s", (int)pid, i ? "6" : "");
		if (socket_in_table(path, state, port, has_open, &pid))
			return true;
	}
	return false;
}

static int bound(int family)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	struct sockaddr_in four = {.sin_family = AF_INET};
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0)
		return -1;
	error = family == AF_INET6 ? bind(fd, (struct sockaddr *)&six, sizeof(six))
				   : bind(fd, (struct sockaddr *)&four, sizeof(four));
	if (error < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The kernel picks one of net.ipv4.ip_local_port_range that is free for both families */
unsigned socket_free_port(void)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	int fd = bound(AF_INET6);
	unsigned port = 0;

	if (fd < 0)
		fd = bound(AF_INET);
	if (fd < 0)
		return 0;
	if (!getsockname(fd, (struct sockaddr *)&address, &length))
		port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
							   : ((struct sockaddr_in *)&address)->sin_port);
	close(fd);
	return port;
}
