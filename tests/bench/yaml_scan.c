/* SPDX-License-Identifier: BSD-2-Clause */
/* What libyaml alone takes for a file: its events, looked at by nobody. The yardstick of "check". */
#include <stdbool.h>
#include <stdio.h>
#include <yaml.h>

int main(int argc, char **argv)
{
	yaml_parser_t parser;
	yaml_event_t event;
	unsigned long events = 0;
	bool done = false;
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;

	if (!file || !yaml_parser_initialize(&parser))
		return 64;
	yaml_parser_set_input_file(&parser, file);
	while (!done) {
		if (!yaml_parser_parse(&parser, &event))
			return 1;
		done = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		events++;
	}
	yaml_parser_delete(&parser);
	fclose(file);
	printf("%lu events\n", events);
	return 0;
}
