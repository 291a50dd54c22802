/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/print.h"

#include <string.h>
#include <sys/ioctl.h>

#include "base/utf8.h"

size_t print_columns(FILE *out)
{
	struct winsize size = {0};
	const char *columns = getenv("COLUMNS");
	int fd = fileno(out);

	if (fd < 0 || !isatty(fd))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return columns && atoi(columns) > 0 ? (size_t)atoi(columns) : 80;
}

void print_colour(struct buf *out, bool on, enum colour colour)
{
	static const char *const codes[] = {
		[COLOUR_NONE] = "\033[0m",    [COLOUR_RED] = "\033[1;31m",     [COLOUR_GREEN] = "\033[32m",
		[COLOUR_YELLOW] = "\033[33m", [COLOUR_MAGENTA] = "\033[1;35m", [COLOUR_CYAN] = "\033[36m",
		[COLOUR_FAINT] = "\033[2m",
	};

	if (on)
		buf_puts(out, codes[colour]);
}

void print_duration(struct buf *out, double seconds)
{
	unsigned long whole;

	if (!(seconds > 0 && seconds < 1e9))
		seconds = 0;
	whole = (unsigned long)(seconds + 0.5);
	if (seconds < 9.995)
		buf_printf(out, "%.2f s", seconds);
	else if (seconds < 99.95)
		buf_printf(out, "%.1f s", seconds);
	else if (whole < 3600)
		buf_printf(out, "%lu min %02lu s", whole / 60, whole % 60);
	else
		buf_printf(out, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
}

void print_cell(struct buf *out, const struct rs_fact *fact, const struct value *value)
{
	AUTO_BUF struct buf raw = {0};

	switch (value->state) {
	case VALUE_NOT_OBSERVED:
		buf_putc(out, '?');
		return;
	case VALUE_NONE:
		buf_putc(out, '-');
		return;
	default:
		break;
	}
	value_write(&raw, value_type_of_fact(fact), value);
	if (!raw.length || !strcmp(raw.data, "?") || !strcmp(raw.data, "-"))
		buf_printf(out, "\"%s\"", raw.length ? raw.data : "");
	else
		utf8_printable(out, raw.data, raw.length);
}

void grid_add(struct grid *grid, const char *text)
{
	AUTO_BUF struct buf line = {0};

	text_line(&line, text);
	strings_add(&grid->cells, line.data ? line.data : "");
}

void grid_print(struct buf *out, const struct grid *grid, const char *indent, size_t cell_max)
{
	AUTO_FREE size_t *widths = xcalloc(grid->columns, sizeof(*widths));

	for (size_t i = 0; i < grid->cells.count; i++) {
		size_t width = text_width(grid->cells.items[i], strlen(grid->cells.items[i]));

		if (width > cell_max)
			width = cell_max;
		if (width > widths[i % grid->columns])
			widths[i % grid->columns] = width;
	}
	for (size_t i = 0; i < grid->cells.count; i++) {
		const char *text = grid->cells.items[i];
		size_t length = strlen(text), width = text_width(text, length), column = i % grid->columns;

		if (!column)
			buf_puts(out, indent);
		if (width > cell_max) {
			buf_add(out, text, text_cut(text, length, cell_max - 1));
			buf_puts(out, "…");
			width = cell_max;
		} else {
			buf_add(out, text, length);
		}
		if (column + 1 == grid->columns)
			buf_putc(out, '\n');
		else
			buf_printf(out, "%*s", (int)(widths[column] - width + 2), "");
	}
}

void grid_free(struct grid *grid)
{
	strings_free(&grid->cells);
}
