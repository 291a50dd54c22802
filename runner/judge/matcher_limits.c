/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "judge/matcher_tree.h"

static void narrow(double from, double to, double *low, double *high)
{
	*low = fmax(*low, from);
	*high = fmin(*high, to);
}

void matcher_limits(const struct matcher *matcher, double *low, double *high)
{
	switch (matcher->op) {
	case MATCHER_DECIMAL:
		narrow(matcher->decimals.from, matcher->decimals.to, low, high);
		break;
	case MATCHER_SIGNED:
		narrow(matcher->has_low ? (double)matcher->integers.from : -INFINITY,
		       matcher->has_high ? (double)matcher->integers.to : INFINITY, low, high);
		break;
	case MATCHER_BOTH:
		for (size_t i = 0; i < matcher->count; i++)
			matcher_limits(matcher->items[i], low, high);
		break;
	default:
		break;
	}
}
