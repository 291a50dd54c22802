/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

int main(int argc, char **argv)
{
	fprintf(stderr, "rdmaspec: no command\n");
	return 64;
}
