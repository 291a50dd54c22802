/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/sa.h"

#include <string.h>

#include "support/mad_packet.h"

enum {
	AT_RMPP_TYPE = 25,
	AT_RMPP_FLAGS = 26,
	AT_RMPP_STATUS = 27,
	AT_SM_KEY = 36,
	AT_ATTRIBUTE_OFFSET = 44,
};

#define RMPP_DATA 1
#define RMPP_ACTIVE 1

void sa_request(struct mad_request *request, struct sa_question *question, uint16_t sm_lid, uint8_t sl,
		uint16_t attribute, uint64_t sm_key)
{
	memset(question, 0, sizeof(*question));
	put64(question->bytes, sm_key);
	request->klass = MAD_CLASS_SA;
	request->method = MAD_GET_TABLE;
	request->attribute = attribute;
	request->lid = sm_lid;
	request->qp = 1;
	request->sl = sl;
	request->data = question->bytes;
	request->data_offset = AT_SM_KEY;
	request->data_length = sizeof(question->bytes);
}

bool sa_records_read(const uint8_t *mad, size_t length, size_t record_bytes, struct sa_records *records)
{
	*records = (struct sa_records){.first = mad + SA_DATA};
	if (length < SA_DATA)
		return false;
	/* in units of 8 bytes, and of no meaning where there is no record */
	records->size = get16(mad + AT_ATTRIBUTE_OFFSET) * (size_t)8;
	if (length == SA_DATA) {
		records->whole = true;
		return true;
	}
	if (records->size < record_bytes)
		return false;
	records->count = (length - SA_DATA) / records->size;
	records->whole = (length - SA_DATA) % records->size == 0;
	if (mad[AT_RMPP_FLAGS] & RMPP_ACTIVE && (mad[AT_RMPP_TYPE] != RMPP_DATA || mad[AT_RMPP_STATUS]))
		records->whole = false;
	return true;
}
