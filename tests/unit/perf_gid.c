/* SPDX-License-Identifier: BSD-2-Clause */
/* Which GID an address has, on trees made by hand; which process a socket is of, on tables of /proc/net's form */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants those first */
#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin_host.h"
#include "support/gid.h"
#include "support/sockets.h"

static void gid_of(const char *address, uint8_t gid[16])
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, address, &four.sin_addr) == 1)
		assert_true(gid_of_address(&four, gid));
	else if (inet_pton(AF_INET6, address, &six.sin6_addr) == 1)
		assert_true(gid_of_address(&six, gid));
	else
		fail_msg("%s is no address", address);
}

static struct gid_entry *bond(struct rs_ctx **ctx, int *count)
{
	struct gid_entry *entries;
	char tree[512];

	snprintf(tree, sizeof(tree), "%s/tests/data/sysfs/mlx5-bond", getenv("RDMASPEC_SOURCE"));
	*ctx = host_new(tree);
	*count = gid_table(*ctx, "mlx5_bond_0", 1, &entries);
	return entries;
}

/* Ten entries; v1 at the even indices, v2 at the odd ones; 10.0.0.1 at 4 and 5, 10.0.1.1 at 6 and 7 */
static void test_bond(void **state)
{
	const struct gid_entry *found = NULL;
	struct gid_entry *entries;
	struct rs_ctx *ctx;
	uint8_t gid[16];
	int count;

	(void)state;
	entries = bond(&ctx, &count);
	assert_int_equal(count, 10);
	gid_of("10.0.0.1", gid);
	assert_int_equal(gid_find(entries, count, gid, &found), 1);
	assert_int_equal(found->index, 5);
	assert_int_equal(found->type, GID_V2);
	gid_of("10.0.1.1", gid);
	assert_int_equal(gid_find(entries, count, gid, &found), 1);
	assert_int_equal(found->index, 7);
	gid_of("10.0.0.2", gid);
	assert_int_equal(gid_find(entries, count, gid, &found), 0);
	gid_of("10.0.0.1", gid);
	assert_non_null(strstr(gid_list(ctx, entries, count, gid), "4 (RoCE v1, 10.0.0.1"));
	assert_non_null(strstr(gid_list(ctx, entries, count, gid), "5 (RoCE v2, 10.0.0.1"));
	assert_null(strstr(gid_list(ctx, entries, count, gid), "10.0.1.1"));
	host_free(ctx);
}

static void test_ambiguous(void **state)
{
	struct gid_entry entries[] = {{.index = 1, .type = GID_V2}, {.index = 4, .type = GID_V2}};
	const struct gid_entry *found = NULL;
	uint8_t gid[16];

	(void)state;
	gid_of("2001:db8::1", gid);
	memcpy(entries[0].gid, gid, 16);
	memcpy(entries[1].gid, gid, 16);
	assert_int_equal(gid_find(entries, 2, gid, &found), -EEXIST);
	entries[0].type = GID_V1;
	assert_int_equal(gid_find(entries, 2, gid, &found), 1);
	assert_int_equal(found->index, 4);
	/* A v1 entry never is one */
	entries[1].type = GID_V1;
	assert_int_equal(gid_find(entries, 2, gid, &found), 0);
	/* An old kernel tells no types: one entry is taken, of two it cannot be told which */
	entries[0].type = entries[1].type = GID_UNKNOWN;
	assert_int_equal(gid_find(entries, 1, gid, &found), 1);
	assert_int_equal(found->index, 1);
	assert_int_equal(gid_find(entries, 2, gid, &found), -EEXIST);
}

static void test_link_local(void **state)
{
	static const struct {
		const char *address;
		bool link_local;
	} cases[] = {{"fe80::1", true},	    {"febf::1", true},	    {"fec0::1", false}, {"2001:db8::1", false},
		     {"169.254.3.4", true}, {"169.253.3.4", false}, {"10.0.0.1", false}};
	uint8_t gid[16];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		gid_of(cases[i].address, gid);
		assert_int_equal(gid_link_local(gid), cases[i].link_local);
	}
}

static bool take(unsigned long inode, void *user)
{
	*(unsigned long *)user = inode;
	return inode != 777;
}

/* State 0A is LISTEN, 01 ESTABLISHED; ports in hexadecimal: 4855 is 18517, 1F90 is 8080 */
static void test_table(void **state)
{
	static const char table[] =
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
		"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 "
		"100\n"
		"   1: 00000000:4855 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 777 1 0 "
		"100\n"
		"   2: 00000000:4855 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 778 1 0 "
		"100\n"
		"   3: 0100007F:9C40 0100007F:4855 01 00000000:00000000 02:00000000 00000000  1000        0 779 2 0 "
		"100\n";
	char path[] = "/tmp/rdmaspec-tcp.XXXXXX";
	unsigned long inode = 0;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, table, sizeof(table) - 1), sizeof(table) - 1);
	close(fd);
	assert_true(socket_in_table(path, SOCKET_LISTEN, 8080, take, &inode));
	assert_int_equal(inode, 4711);
	/* One of another process, then ours */
	assert_true(socket_in_table(path, SOCKET_LISTEN, 18517, take, &inode));
	assert_int_equal(inode, 778);
	assert_true(socket_in_table(path, SOCKET_ESTABLISHED, 18517, take, &inode));
	assert_int_equal(inode, 779);
	assert_false(socket_in_table(path, SOCKET_LISTEN, 40000, take, &inode));
	assert_false(socket_in_table("/nonexistent", SOCKET_LISTEN, 8080, take, &inode));
	unlink(path);
}

/* The kernel's own table: a socket of this process, and of no other */
static void test_own(void **state)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	unsigned port;

	(void)state;
	assert_true(socket_free_port() > 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	port = ntohs(address.sin_port);
	assert_false(socket_has(getpid(), SOCKET_LISTEN, port));
	assert_int_equal(listen(fd, 1), 0);
	assert_true(socket_has(getpid(), SOCKET_LISTEN, port));
	assert_false(socket_has(getppid(), SOCKET_LISTEN, port));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bond),  cmocka_unit_test(test_ambiguous), cmocka_unit_test(test_link_local),
		cmocka_unit_test(test_table), cmocka_unit_test(test_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
