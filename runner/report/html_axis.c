/* SPDX-License-Identifier: BSD-2-Clause */
/* Axes: where values go, and which of them are marked. */
#include <math.h>
#include <time.h>

#include "report/html_chart.h"

#define DAY 86400.0

static double scaled(const struct axis *axis, double value)
{
	return axis->log > 0 ? log(value) / log(axis->log) : value;
}

/* 1, 2 or 5 times a power of ten, so that @range takes about @marks steps. */
static double round_step(double range, unsigned marks)
{
	double rough = range / marks, power = pow(10, floor(log10(rough))), share = rough / power;

	return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static double round_time(double range, unsigned marks)
{
	static const double steps[] = {1,   10,	     60,      600,	3600,	  4 * 3600, 12 * 3600,
				       DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (range / steps[i] <= marks)
			return steps[i];
	return ceil(range / marks / (365 * DAY)) * 365 * DAY;
}

void axis_make(struct axis *axis, double low, double high, double base, unsigned marks)
{
	axis->log = low > 0 ? base : 0;
	axis->from = scaled(axis, low);
	axis->to = scaled(axis, high);
	if (!(axis->to > axis->from)) {
		double room = axis->log > 0 ? 1 : fabs(axis->from) > 0 ? fabs(axis->from) * 0.1 : 1;

		axis->from -= room;
		axis->to += room;
	}
	if (axis->log > 0)
		axis->step = fmax(1, ceil((axis->to - axis->from) / marks));
	else if (axis->kind == CHART_TIME)
		axis->step = round_time(axis->to - axis->from, marks);
	else
		axis->step = round_step(axis->to - axis->from, marks);
	if (axis->whole) {
		axis->from = floor(axis->from / axis->step + 1e-9) * axis->step;
		axis->to = ceil(axis->to / axis->step - 1e-9) * axis->step;
	}
}

double axis_at(const struct axis *axis, double value)
{
	return axis->start + (scaled(axis, value) - axis->from) / (axis->to - axis->from) * (axis->end - axis->start);
}

bool axis_mark(const struct axis *axis, unsigned index, double *value)
{
	double at = (ceil(axis->from / axis->step - 1e-9) + index) * axis->step;

	if (at > axis->to + axis->step * 1e-6 || index > 100)
		return false;
	*value = axis->log > 0 ? pow(axis->log, at) : at;
	return true;
}

static void bytes(struct buf *out, double value)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	unsigned unit = 0;

	while (value >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	buf_printf(out, "%.4g %s", value, units[unit]);
}

void axis_word(struct buf *out, const struct axis *axis, double value)
{
	time_t whole = (time_t)value;
	char text[32];
	struct tm utc;

	switch (axis->kind) {
	case CHART_BYTES:
		bytes(out, value);
		break;
	case CHART_TIME:
		if (gmtime_r(&whole, &utc) &&
		    strftime(text, sizeof(text), axis->step >= DAY ? "%Y-%m-%d" : "%m-%d %H:%M", &utc))
			buf_puts(out, text);
		break;
	case CHART_PLAIN:
		buf_printf(out, "%.6g", fabs(value) < axis->step * 1e-6 ? 0 : value);
	}
}
