/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of Slurm: inside of an allocation one of its steps, else srun asks for an allocation of that node. */
#include "agent/connect.h"

void connect_slurm(const struct scenario_host *host, struct strings *argv)
{
	static const char *const before[] = {"srun", "--quiet", "--nodes=1", "--ntasks=1", NULL};
	/* The agent holds nothing of the node that other steps, or those that it starts, would wait for. */
	static const char *const after[] = {"--overlap", "--unbuffered", NULL};

	for (size_t i = 0; before[i]; i++)
		strings_add(argv, before[i]);
	strings_add(argv, "--nodelist");
	strings_add(argv, host->connect_to);
	for (size_t i = 0; after[i]; i++)
		strings_add(argv, after[i]);
	connect_options(host, argv);
	strings_add(argv, "--");
	connect_program(host, argv);
}
