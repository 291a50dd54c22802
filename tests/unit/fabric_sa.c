/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers of a subnet administration, laid out by hand from the specification: common header (13.4.2) 24 bytes, RMPP
 * (13.6.2) 12, SA (15.2.1.1) 20, then the records. A simulator cuts what is longer than a packet; the kernel does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "fabric/partitions.h"
#include "plugin_host.h"
#include "support/mad_packet.h"
#include "support/sa.h"

#define RECORD 72 /* of a P_KeyTableRecord: 9 units of 8 bytes */
#define PORTS 3

static uint8_t answer[SA_DATA + 16 * RECORD];
static size_t answer_length;

/* An answer that the kernel has put together: RMPP version 1, type DATA, flags Active and First, as in its first packet
 */
static void begin_answer(void)
{
	static const uint8_t header[SA_DATA] = {
		[0] = 1,		 /* BaseVersion */
		[1] = 3,		 /* MgmtClass: SubnAdm */
		[2] = 2,		 /* ClassVersion */
		[3] = 0x92,		 /* SubnAdmGetTableResp */
		[16] = 0,   [17] = 0x33, /* P_KeyTableRecord */
		[24] = 1,		 /* RMPPVersion */
		[25] = 1,		 /* RMPPType: DATA */
		[26] = 3,		 /* RMPPFlags: Active, First */
		[44] = 0,   [45] = 9,	 /* AttributeOffset, in units of 8 bytes */
	};

	memcpy(answer, header, sizeof(header));
	answer_length = SA_DATA;
}

static void add_record(unsigned lid, unsigned port, unsigned block, unsigned place, unsigned entry)
{
	uint8_t *record = answer + answer_length;

	memset(record, 0, RECORD);
	record[0] = (uint8_t)(lid >> 8);
	record[1] = (uint8_t)lid;
	record[2] = (uint8_t)(block >> 8);
	record[3] = (uint8_t)block;
	record[4] = (uint8_t)port;
	record[8 + 2 * place] = (uint8_t)(entry >> 8);
	record[8 + 2 * place + 1] = (uint8_t)entry;
	answer_length += RECORD;
}

/* Three CAs with one port, 64 entries (2 blocks) and LIDs 5, 6 and 7 */
static struct members make_members(struct rs_ctx *ctx, struct fabric *fabric)
{
	struct members members = {.fabric = fabric, .count = PORTS};

	members.all = rs_alloc(ctx, PORTS * sizeof(*members.all));
	for (uint32_t i = 0; i < PORTS; i++) {
		const struct node_info info = {.type = NODE_CA, .ports = 1, .partitions = 64, .guid = 0x100 + i};
		uint32_t node = fabric_add(fabric, &info);

		fabric_port(fabric, node, 1)->known = KNOWS_INFO;
		fabric_port(fabric, node, 1)->info.lid = (uint16_t)(5 + i);
		members.all[i] = (struct member){.node = node,
						 .port = 1,
						 .entries = rs_alloc(ctx, 64 * sizeof(uint16_t)),
						 .blocks = rs_alloc(ctx, 1)};
	}
	return members;
}

static void requests_are_laid_out(void **state)
{
	struct mad_request request = {0};
	struct sa_question question;
	uint8_t mad[MAD_BYTES];

	sa_request(&request, &question, 0x1234, 3, SA_PKEY_TABLE_RECORD, 0x1122334455667788);
	mad_packet_build(mad, &request, 0, 9);
	assert_int_equal(mad[1], 3);	/* SubnAdm */
	assert_int_equal(mad[2], 2);	/* its version */
	assert_int_equal(mad[3], 0x12); /* SubnAdmGetTable */
	assert_int_equal(mad[17], 0x33);
	assert_int_equal(mad[24], 0);			    /* a question of one packet needs no RMPP */
	assert_true(get64(mad + 36) == 0x1122334455667788); /* SM_Key */
	assert_true(get64(mad + 48) == 0);		    /* ComponentMask: all records */
	assert_int_equal(request.lid, 0x1234);
	assert_int_equal(request.sl, 3);
	assert_int_equal(request.qp, 1);
}

static void records_are_found(void **state)
{
	struct sa_records records;

	begin_answer();
	for (unsigned i = 0; i < 7; i++) /* 504 bytes of records: three packets of at most 200 */
		add_record(5 + i, 1, 0, 0, 0xffff);
	assert_true(sa_records_read(answer, answer_length, RECORD, &records));
	assert_int_equal(records.count, 7);
	assert_int_equal(records.size, RECORD);
	assert_true(records.whole);
	assert_int_equal(get16(records.first + 6 * RECORD), 11);

	/* what a simulator leaves of it: 256 bytes, of which 200 are 2 records and 56 bytes of the third */
	assert_true(sa_records_read(answer, 256, RECORD, &records));
	assert_int_equal(records.count, 2);
	assert_false(records.whole);
	/* one record, in a packet that the kernel has cut behind it */
	assert_true(sa_records_read(answer, SA_DATA + RECORD, RECORD, &records));
	assert_int_equal(records.count, 1);
	assert_true(records.whole);
	/* a transfer that was aborted: type ABORT with a status */
	answer[25] = 4;
	answer[27] = 118;
	assert_true(sa_records_read(answer, answer_length, RECORD, &records));
	assert_false(records.whole);
}

static void nonsense_is_refused(void **state)
{
	struct sa_records records;

	begin_answer();
	assert_false(sa_records_read(answer, SA_DATA - 1, RECORD, &records));
	assert_true(sa_records_read(answer, SA_DATA, RECORD, &records)); /* no record at all */
	assert_int_equal(records.count, 0);
	assert_true(records.whole);
	add_record(5, 1, 0, 0, 0xffff);
	answer[45] = 0; /* an offset of zero would find records for ever */
	assert_false(sa_records_read(answer, answer_length, RECORD, &records));
	answer[45] = 8; /* shorter than the attribute is */
	assert_false(sa_records_read(answer, answer_length, RECORD, &records));
	answer[45] = 10; /* longer, as a later version may have it: the fields are where they were */
	assert_true(sa_records_read(answer, SA_DATA + 80, RECORD, &records));
	assert_int_equal(records.count, 1);
}

static void tables_are_taken_where_they_are_whole(void **state)
{
	struct rs_ctx *ctx = host_new(NULL);
	struct fabric fabric = {0};
	struct members members = make_members(ctx, &fabric);

	begin_answer();
	add_record(5, 1, 0, 0, 0xffff);
	add_record(5, 1, 1, 31, 0x0010);
	add_record(6, 1, 0, 1, 0x8020); /* its second block is not there */
	add_record(7, 2, 0, 0, 0xffff); /* another port than LID 7 has */
	add_record(7, 1, 2, 0, 0xffff); /* a block behind its 64 entries */
	add_record(9, 1, 0, 0, 0xffff); /* nobody's LID */
	add_record(0xffff, 1, 0, 0, 0xffff);
	assert_int_equal(partitions_take_records(ctx, &members, answer, answer_length), 3);
	assert_true(members.all[0].by_sa);
	assert_int_equal(members.all[0].entries[0], 0xffff);
	assert_int_equal(members.all[0].entries[63], 0x0010);
	assert_false(members.all[1].by_sa);
	assert_false(members.all[2].by_sa);
	assert_string_equal(host_notes(ctx), "");
	fabric_free(&fabric);
	host_free(ctx);
}

static void a_lid_of_two_is_nobodys(void **state)
{
	struct rs_ctx *ctx = host_new(NULL);
	struct fabric fabric = {0};
	struct members members = make_members(ctx, &fabric);

	fabric_port(&fabric, 1, 1)->info.lid = 5;
	begin_answer();
	add_record(5, 1, 0, 0, 0xffff);
	add_record(5, 1, 1, 0, 0x0010);
	assert_int_equal(partitions_take_records(ctx, &members, answer, answer_length), 0);
	assert_false(members.all[0].by_sa);
	assert_false(members.all[1].by_sa);
	fabric_free(&fabric);
	host_free(ctx);
}

static void a_cut_answer_is_noted(void **state)
{
	struct rs_ctx *ctx = host_new(NULL);
	struct fabric fabric = {0};
	struct members members = make_members(ctx, &fabric);

	begin_answer();
	for (unsigned lid = 5; lid < 8; lid++)
		for (unsigned block = 0; block < 2; block++)
			add_record(lid, 1, block, 0, 0xffff);
	assert_int_equal(partitions_take_records(ctx, &members, answer, 256), 2);
	assert_true(members.all[0].by_sa);
	assert_false(members.all[1].by_sa);
	assert_string_equal(host_notes(ctx), "the subnet administration's answer was cut off after 2 records\n");
	assert_int_equal(partitions_take_records(ctx, &members, answer, answer_length), 6);
	assert_true(members.all[2].by_sa);
	fabric_free(&fabric);
	host_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_laid_out),   cmocka_unit_test(records_are_found),
		cmocka_unit_test(nonsense_is_refused),	   cmocka_unit_test(tables_are_taken_where_they_are_whole),
		cmocka_unit_test(a_lid_of_two_is_nobodys), cmocka_unit_test(a_cut_answer_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
