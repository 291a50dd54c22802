/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: questions to the subnet administration (SA), and the records of its answers
 *
 * Answers of more than one packet are put together by the kernel (RMPP): the headers of the first packet, then the data
 * of all of them. Offsets are those of the specification: 13.4.2 for the common header, 13.6.2 for RMPP, 15.2.1.1 for
 * SA.
 */
#pragma once

#include "support/mad.h"

enum { SA_DATA = 56, SA_QUESTION_BYTES = MAD_BYTES - 36 };
enum { SA_PKEY_TABLE_RECORD = 0x0033 };

/**
 * struct sa_question - what sa_request() points into; it must live as long as the request's data
 */
struct sa_question {
	uint8_t bytes[SA_QUESTION_BYTES];
};

/**
 * sa_request - all records of an attribute (SubnAdmGetTable)
 * @sm_lid, @sl: where the SA is
 * @sm_key: of a trusted asker; 0: none
 */
void sa_request(struct mad_request *request, struct sa_question *question, uint16_t sm_lid, uint8_t sl,
		uint16_t attribute, uint64_t sm_key);

/**
 * struct sa_records - an answer, record by record
 * @first: @count records, each @size bytes after the one before
 * @whole: no record was cut off: what follows the last one is nothing
 */
struct sa_records {
	const uint8_t *first;
	size_t count, size;
	bool whole;
};

/**
 * sa_records_read - find the records of an answer
 * @mad, @length: as in struct mad_answer; the records stay in there
 * @record_bytes: what a record of the attribute has at least
 *
 * Returns false where the answer makes no sense: too short, or with records that are shorter than that.
 */
bool sa_records_read(const uint8_t *mad, size_t length, size_t record_bytes, struct sa_records *records);
