/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/waivers.h"

#include <limits.h>
#include <time.h>

#define DAY 86400

/* Days since 1970 of "YYYY-MM-DD", which the scenario's check found to be a date. */
static long day_of(const char *date)
{
	struct tm tm = {0};

	if (sscanf(date, "%d-%d-%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday) != 3)
		return LONG_MAX;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return timegm(&tm) / DAY;
}

static struct waiver_use use_of(const struct result_step *step, double now)
{
	struct waiver_use use = {.step = step, .waiver = step->plan->step->waive, .days = LONG_MAX};
	bool passed = step->ncases > 0;

	if (use.waiver->until)
		use.days = day_of(use.waiver->until) - (long)(now / DAY);
	else
		use.endless = true;
	for (size_t i = 0; i < step->ncases; i++) {
		use.holds |= step->cases[i].verdict == VERDICT_WAIVED;
		passed &= step->cases[i].raw == VERDICT_PASS;
	}
	use.can_go = passed;
	return use;
}

/* Of equal days in the order of the steps, which is that of their addresses. */
static int by_days(const void *a, const void *b)
{
	const struct waiver_use *first = a, *second = b;

	if (first->days != second->days)
		return first->days < second->days ? -1 : 1;
	return first->step < second->step ? -1 : first->step > second->step;
}

size_t waivers_of(const struct result *result, struct waiver_use **list)
{
	size_t count = 0, capacity = 0;

	*list = NULL;
	for (size_t i = 0; i < result->nsteps; i++) {
		if (!result->steps[i].plan->step->waive)
			continue;
		GROW(*list, count, capacity);
		(*list)[count++] = use_of(&result->steps[i], result->started);
	}
	if (count)
		qsort(*list, count, sizeof(**list), by_days);
	return count;
}

static void count_days(struct buf *out, long days)
{
	buf_printf(out, "%ld day%s", days, plural(days));
}

void waiver_days(struct buf *out, const struct waiver_use *use)
{
	if (use->endless) {
		buf_puts(out, "has no end");
	} else if (use->days < 0) {
		buf_puts(out, "ended ");
		count_days(out, -use->days);
		buf_puts(out, " ago");
	} else if (!use->days) {
		buf_puts(out, "ends today");
	} else {
		buf_puts(out, "ends in ");
		count_days(out, use->days);
	}
}
