/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp_floor COUNT WINDOW: so many SMPs to the port's own node, WINDOW in flight, and nothing else. What a sweep of as
 * many SMPs takes at the very least where umad is what it is here.
 */
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMP_BYTES 256

static void build(uint8_t *smp)
{
	/* base version, SubnDirected, class version, Get; NodeInfo; permissive LIDs (IBA 14.2.1.2) */
	smp[0] = 1;
	smp[1] = 0x81;
	smp[2] = 1;
	smp[3] = 1;
	smp[17] = 0x11;
	memset(smp + 32, 0xff, 4);
}

static int exchange(int fd, int agent, unsigned long count, unsigned long window)
{
	unsigned long sent = 0, answered = 0;
	void *packet = calloc(1, umad_size() + SMP_BYTES);
	void *answer = calloc(1, umad_size() + SMP_BYTES);
	int failed = !packet || !answer;

	if (!failed) {
		build(umad_get_mad(packet));
		umad_set_addr(packet, 0xffff, 0, 0, 0);
	}
	while (!failed && answered < count) {
		int length = SMP_BYTES;

		while (!failed && sent < count && sent - answered < window) {
			failed = umad_send(fd, agent, packet, SMP_BYTES, 1000, 0) < 0;
			sent++;
		}
		failed = failed || umad_recv(fd, answer, &length, 5000) < 0;
		answered++;
	}
	free(packet);
	free(answer);
	return failed;
}

int main(int argc, char **argv)
{
	int fd, agent, failed;

	if (argc != 3) {
		fprintf(stderr, "usage: smp_floor COUNT WINDOW\n");
		return 64;
	}
	umad_init();
	fd = umad_open_port(NULL, 0);
	agent = fd < 0 ? -1 : umad_register(fd, 0x81, 1, 0, NULL);
	if (agent < 0) {
		fprintf(stderr, "smp_floor: no umad device\n");
		return 1;
	}
	failed = exchange(fd, agent, strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
	if (failed)
		fprintf(stderr, "smp_floor: an SMP was not sent or not answered\n");
	umad_unregister(fd, agent);
	umad_close_port(fd);
	return failed;
}
