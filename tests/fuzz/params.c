/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The input as the parameters of a step, and as those that another host sends. What passes the check must have a
 * canonical form, that form must be its own, and libcyaml must take it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/sample_tables.h"
#include "base/cleanup.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

/* The sample's source without its file: the fuzzer has no business in the file system. */
static const struct rs_source *source(void)
{
	static struct rs_param params[sizeof(sample_params) / sizeof(sample_params[0])];
	static struct rs_source copy;
	size_t count = 0;

	if (copy.name)
		return &copy;
	for (const struct rs_param *param = sample_params; param->key; param++)
		if (param->type != RS_FILE)
			params[count++] = *param;
	copy = sample_source;
	copy.params = params;
	return &copy;
}

/* NULL where it does not pass the check. */
static char *canonical(const char *data, size_t size)
{
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map = text_parse(&text, "input", data, size, &diags);
	char *json = NULL;

	if (map && !schema_check_params(&text, source(), map, NULL, &diags)) {
		json = schema_canonical(&text, source(), map, &diags);
		CHECK(json);
	}
	diags_free(&diags);
	text_free(&text);
	return json;
}

static int bind(const char *json)
{
	AUTO_DIAG struct diag diag = {0};
	struct schema_bound bound;
	int result = schema_bind(source(), json, &bound, &diag);

	CHECK(!result == !diag.text && !result == !!bound.params);
	CHECK(result != -EPROTO); /* libcyaml refused what we had checked */
	schema_unbind(&bound);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = xmalloc(size + 1), *json = NULL, *again = NULL;

	memcpy(text, data, size);
	text[size] = 0;
	bind(text);
	json = canonical((const char *)data, size);
	if (!json)
		return 0;
	again = canonical(json, strlen(json));
	CHECK(again && !strcmp(json, again));
	CHECK(!bind(json));
	return 0;
}
