/* SPDX-License-Identifier: BSD-2-Clause */
/* perftest's output, fed in two pieces: neither what is kept nor what is said may depend on where it was cut. */
#include <stdlib.h>
#include <string.h>

#include "support/perftest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct perftest whole = {0}, pieces = {0};
	struct perftest_failure failure;
	size_t cut = size ? data[size - 1] % size : 0;

	perftest_feed(&whole, text, size);
	perftest_finish(&whole);
	perftest_feed(&pieces, text, cut);
	perftest_feed(&pieces, text + cut, size - cut);
	perftest_finish(&pieces);
	if (whole.nrows != pieces.nrows || whole.problems.count != pieces.problems.count ||
	    whole.notes.count != pieces.notes.count || memcmp(&whole.facts, &pieces.facts, sizeof(whole.facts)))
		abort();
	for (size_t i = 0; i < whole.nrows; i++)
		if (memcmp(&whole.rows[i], &pieces.rows[i], sizeof(whole.rows[i])))
			abort();
	perftest_failure(text, size, &failure);
	perftest_free(&whole);
	perftest_free(&pieces);
	return 0;
}
