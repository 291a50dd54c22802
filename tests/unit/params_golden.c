/* SPDX-License-Identifier: BSD-2-Clause */
/* Every folder of tests/data/bad-params: a map of parameters for the sample's probe. */
#include "golden.h"

/* In the folder, so that messages do not hang on where it is. */
static void check_case(void **state)
{
	AUTO_FREE char *expected = NULL, *said = NULL;
	static const char *also[16];
	struct diags diags = {0};
	struct text text = {0};
	size_t count = 0;

	for (const struct schema_key *key = judging_schema; key->name; key++)
		also[count++] = key->name;
	assert_int_equal(chdir(*state), 0);
	expected = golden_read("error");
	assert_int_equal(text_load(&text, "input.yaml", NULL, &diags), 0);
	schema_check_params(&text, &sample_source, text.documents[0], also, &diags);
	said = sample_said(&diags);
	assert_string_equal(said, expected);
	diags_free(&diags);
	text_free(&text);
}

int main(void)
{
	return golden_run("bad-params", check_case);
}
