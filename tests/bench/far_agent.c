/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far_agent ANSWER [dead|slow]: a simulated host for the bench. It says the first line of the file ANSWER, and whenever
 * it is asked for an observation the others, as an agent recorded them, each with the id that was asked for in place of
 * its first number. A dead one says what ssh would, a slow one says nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char answer[65536], line[65536];

static void answer_with(const char *id, const char *lines)
{
	static const char head[] = "{\"id\":";

	for (const char *at = lines; *at; at = strchr(at, '\n') + 1) {
		const char *rest = strchr(at, ',');
		const char *end = strchr(at, '\n');

		printf("%s%s%.*s\n", head, id, (int)(end - rest), rest);
	}
	fflush(stdout);
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
	const char *state = argc > 2 ? argv[2] : "";
	char *rest;

	if (!file)
		return 2;
	answer[fread(answer, 1, sizeof(answer) - 1, file)] = '\0';
	fclose(file);
	if (!strcmp(state, "dead")) {
		fputs("ssh: connect to host far port 22: No route to host\n", stderr);
		return 255;
	}
	if (!strcmp(state, "slow")) {
		while (read(STDIN_FILENO, line, sizeof(line)) > 0)
			;
		return 0;
	}
	rest = strchr(answer, '\n') + 1;
	printf("%.*s", (int)(rest - answer), answer);
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		char *id = strstr(line, "\"id\":");

		if (!id || !strstr(line, "\"observe\":"))
			continue;
		id += strlen("\"id\":");
		id[strspn(id, "0123456789")] = '\0';
		answer_with(id, rest);
	}
	return 0;
}
