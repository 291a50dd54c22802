/* SPDX-License-Identifier: BSD-2-Clause */
/* perftest_lines FILE: the parser of perftest's output over a file, in the pieces that a pipe gives. */
#include <stdio.h>
#include <stdlib.h>

#include "support/perftest.h"

int main(int argc, char **argv)
{
	struct perftest perftest = {0};
	char block[65536];
	size_t got;
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!file)
		return 64;
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		perftest_feed(&perftest, block, got);
	perftest_finish(&perftest);
	printf("%zu rows, %llu problems\n", perftest.nrows, (unsigned long long)perftest.problems.count);
	got = perftest.nrows;
	perftest_free(&perftest);
	fclose(file);
	return got == 1 ? 0 : 1;
}
