/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: points as a chart: SVG without a script, whose colours are those of the page. Private to the room. */
#pragma once

#include "report/html.h"

#define CHART_SERIES 8 /* that can be told apart */

enum chart_axis {
	CHART_PLAIN,
	CHART_BYTES, /* by powers of two, marked as KiB, MiB, ... */
	CHART_TIME,  /* seconds since 1970, marked as days or times */
};

/** struct chart_series - a line; @x rises; @y is NAN where there is no point */
struct chart_series {
	const char *name; /* raw */
	const double *x, *y;
	size_t count;
};

/**
 * struct chart
 * @label: what it shows, for who cannot see it; raw
 * @x_name, @y_name: with their units, for the axes; raw
 * @from_zero: the y axis begins with 0; without, it shows small changes of large values
 * @low, @high: the limits that were asked for, drawn as lines; infinite: none
 * @band: the first two series bound an area
 */
struct chart {
	const char *label, *x_name, *y_name;
	enum chart_axis x_axis;
	bool from_zero, band;
	double low, high;
	const struct chart_series *series;
	size_t nseries;
};

/** chart_write - the chart and, for more than one series, what its lines are; at most CHART_SERIES of them */
void chart_write(struct html *html, const struct chart *chart);

/* Axes (html_axis.c) */

/**
 * struct axis - values from @from to @to (their logarithms, where @log is a base) onto @start to @end
 * @whole: it begins and ends with a mark
 */
struct axis {
	double from, to;
	double start, end;
	double log;  /* 0: linear */
	double step; /* between two marks, in the logarithm where there is one */
	bool whole;
	enum chart_axis kind;
};

/** axis_make - wide enough for @low to @high, with about @marks marks; logarithmic only where all is above 0 */
void axis_make(struct axis *axis, double low, double high, double log, unsigned marks);
double axis_at(const struct axis *axis, double value);

/** axis_mark - the value of mark number @index, from 0; false behind the last one */
bool axis_mark(const struct axis *axis, unsigned index, double *value);
void axis_word(struct buf *out, const struct axis *axis, double value);
