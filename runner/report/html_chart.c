/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/html_chart.h"

#include <math.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 300
#define LEFT 64
#define RIGHT 26
#define TOP 14
#define BOTTOM 46
#define LOG_FROM 50 /* a series of such a span would lie on its axis */

/* Lines are told apart by the shape of their points too. */
static const char *const shapes[CHART_SERIES] = {
	"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
	"m-3-3h6v6h-6z",
	"m0-4 4 7h-8z",
	"m0-4 4 4-4 4-4-4z",
	"m0 4 4-7h-8z",
	"m-4-1h8v2h-8z",
	"m-1-4h2v8h-2z",
	"m-2-4h4l2 4-2 4h-4l-2-4z",
};

struct range {
	double low, high;
};

static void widen(struct range *range, double value)
{
	if (!isfinite(value))
		return;
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

static void ranges(const struct chart *chart, struct range *x, struct range *y)
{
	*x = *y = (struct range){INFINITY, -INFINITY};
	for (size_t i = 0; i < chart->nseries; i++) {
		for (size_t p = 0; p < chart->series[i].count; p++) {
			if (!isfinite(chart->series[i].y[p]))
				continue;
			widen(x, chart->series[i].x[p]);
			widen(y, chart->series[i].y[p]);
		}
	}
}

/* False where there is no point at all. */
static bool axes(const struct chart *chart, struct axis *x, struct axis *y)
{
	struct range along, up;
	bool steep;

	ranges(chart, &along, &up);
	if (!(along.low <= along.high))
		return false;
	widen(&up, chart->low);
	widen(&up, chart->high);
	steep = up.low > 0 && up.high / up.low > LOG_FROM;
	if (chart->from_zero && !steep)
		widen(&up, 0);
	*x = (struct axis){.start = LEFT, .end = WIDTH - RIGHT, .kind = chart->x_axis};
	*y = (struct axis){.start = HEIGHT - BOTTOM, .end = TOP, .whole = true};
	axis_make(x, along.low, along.high, chart->x_axis == CHART_BYTES ? 2 : 0, 8);
	axis_make(y, up.low, up.high, steep ? 10 : 0, 6);
	return true;
}

/* ---- What is drawn ---- */

static void word(struct html *html, const struct axis *axis, double value)
{
	AUTO_BUF struct buf text = {0};

	axis_word(&text, axis, value);
	html_text(html, text.data);
}

static void grid(struct html *html, const struct chart *chart, const struct axis *x, const struct axis *y)
{
	double value;

	for (unsigned i = 0; axis_mark(y, i, &value); i++) {
		double at = axis_at(y, value);

		html_draw(html, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"right\" x=\"%d\" y=\"%.1f\">",
			  LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4);
		word(html, y, value);
		html_put(html, "</text>");
	}
	for (unsigned i = 0; axis_mark(x, i, &value); i++) {
		double at = axis_at(x, value);

		html_draw(html, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">",
			  at, TOP, HEIGHT - BOTTOM + 4, at, HEIGHT - BOTTOM + 18);
		word(html, x, value);
		html_put(html, "</text>");
	}
	html_draw(html, "<text class=\"middle\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
	html_text(html, chart->x_name);
	html_draw(html, "</text><text class=\"middle\" transform=\"translate(14 %d) rotate(-90)\">",
		  (TOP + HEIGHT - BOTTOM) / 2);
	html_text(html, chart->y_name);
	html_put(html, "</text>\n");
}

static void limit(struct html *html, const struct axis *y, double value, const char *lead)
{
	double at;

	if (!isfinite(value))
		return;
	at = axis_at(y, value);
	html_draw(html, "<path class=\"limit\" d=\"M%d %.1fH%d\"/><text class=\"limit\" x=\"%d\" y=\"%.1f\">", LEFT, at,
		  WIDTH - RIGHT, LEFT + 6, at < TOP + 16 ? at + 14 : at - 4);
	html_put(html, lead);
	word(html, y, value);
	html_put(html, "</text>\n");
}

static void band(struct html *html, const struct chart *chart, const struct axis *x, const struct axis *y)
{
	const struct chart_series *top = &chart->series[0], *bottom = &chart->series[1];
	char command = 'M';

	html_put(html, "<path class=\"band\" d=\"");
	for (size_t i = 0; i < top->count; i++, command = 'L')
		html_draw(html, "%c%.1f %.1f", command, axis_at(x, top->x[i]), axis_at(y, top->y[i]));
	for (size_t i = bottom->count; i-- > 0;)
		html_draw(html, "L%.1f %.1f", axis_at(x, bottom->x[i]), axis_at(y, bottom->y[i]));
	html_put(html, "Z\"/>\n");
}

static void line(struct html *html, const struct chart_series *series, size_t number, const struct axis *x,
		 const struct axis *y)
{
	bool pen = false;

	html_draw(html, "<path class=\"line c%zu\" d=\"", number);
	for (size_t i = 0; i < series->count; i++) {
		if (isfinite(series->y[i]))
			html_draw(html, "%c%.1f %.1f", pen ? 'L' : 'M', axis_at(x, series->x[i]),
				  axis_at(y, series->y[i]));
		pen = isfinite(series->y[i]);
	}
	html_put(html, "\"/>\n");
}

static void points(struct html *html, const struct chart_series *series, size_t number, const struct axis *x,
		   const struct axis *y)
{
	for (size_t i = 0; i < series->count; i++) {
		AUTO_BUF struct buf at = {0};

		if (!isfinite(series->y[i]))
			continue;
		html_draw(html, "<path class=\"point c%zu\" d=\"M%.1f %.1f", number, axis_at(x, series->x[i]),
			  axis_at(y, series->y[i]));
		html_put(html, shapes[number]);
		html_put(html, "\"><title>");
		html_text(html, series->name);
		axis_word(&at, x, series->x[i]);
		html_put(html, ", ");
		html_text(html, at.data);
		html_printf(html, ": %.6g", series->y[i]);
		html_put(html, "</title></path>\n");
	}
}

static void legend(struct html *html, const struct chart *chart)
{
	html_put(html, "<ul class=\"legend\">");
	for (size_t i = 0; i < chart->nseries && i < CHART_SERIES; i++) {
		html_draw(html,
			  "<li><svg width=\"22\" height=\"12\" aria-hidden=\"true\"><path class=\"line c%zu\" d=\"M1 "
			  "6H21\"/>"
			  "<path class=\"point c%zu\" d=\"M11 6",
			  i, i);
		html_put(html, shapes[i]);
		html_put(html, "\"/></svg> ");
		html_text(html, chart->series[i].name);
		html_put(html, "</li>");
	}
	html_put(html, "</ul>\n");
}

void chart_write(struct html *html, const struct chart *chart)
{
	struct axis x, y;

	if (!axes(chart, &x, &y))
		return;
	html_open(html, "svg", "class", "chart", "role", "img", "aria-label", chart->label, "viewBox", "0 0 640 300",
		  NULL);
	html_put(html, "\n");
	grid(html, chart, &x, &y);
	if (chart->band && chart->nseries > 1)
		band(html, chart, &x, &y);
	limit(html, &y, chart->low, "at least ");
	limit(html, &y, chart->high, "at most ");
	for (size_t i = 0; i < chart->nseries && i < CHART_SERIES; i++) {
		line(html, &chart->series[i], i, &x, &y);
		points(html, &chart->series[i], i, &x, &y);
	}
	html_put(html, "</svg>\n");
	if (chart->nseries > 1)
		legend(html, chart);
}
