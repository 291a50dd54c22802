/* SPDX-License-Identifier: BSD-2-Clause */
/* What every probe's map takes beside its parameters. The check is judge's; the words are here, once. */
#include "schema/internal.h"

const struct schema_key judging_schema[] = {
	{.name = "where",
	 .kind = SCHEMA_OTHER,
	 .doc = "facts and matchers: rows in which all of them hold are kept; default: every row"},
	{.name = "expect", .kind = SCHEMA_OTHER, .doc = "facts and matchers: all of them must hold in every kept row"},
	{.name = "count",
	 .kind = SCHEMA_OTHER,
	 .doc = "how many rows must be kept, as a number or a matcher; without it none is a fail"},
	{.name = "unique",
	 .kind = SCHEMA_NAMES,
	 .doc = "facts whose values, taken together, occur once in all kept rows of the step"},
	{.name = "same",
	 .kind = SCHEMA_NAMES,
	 .doc = "facts that are equal in all kept rows of the step, over all hosts"},
	{.name = "observe_only",
	 .kind = SCHEMA_BOOLEAN,
	 .value = "false",
	 .doc = "true: report what there is and expect nothing of it"},
	{.name = "allow_partial",
	 .kind = SCHEMA_BOOLEAN,
	 .value = "false",
	 .doc = "true: judge a table of which the probe says that it lacks something; for probes that can say so"},
	{0},
};

const struct matcher_form matcher_forms[] = {
	{NULL, "4X", "equal, by the fact's type; for text a glob (node-*)"},
	{NULL, "none", "looked, and there is none (no VLAN, no gateway)"},
	{NULL, "[HDR, NDR]", "any of them; the elements are matchers"},
	{"is", "{is: TEXT}", "literally equal, for names with brackets or stars"},
	{"min", "{min: 180 Gb/s}", "at least that much; units are converted, an ordered enum goes by its order"},
	{"max", "{max: 5 us}", "at most that much"},
	{"not", "{not: M}", "the matcher M does not hold"},
	{"matches", "{matches: ERE}", "the POSIX extended regular expression is found in it"},
	{"within", "{within: 5 %, of: X}",
	 "no further from X than that, as a share of it or absolute; the better side always holds"},
	{"of", "{within: 5 %, of: median}",
	 "what within compares with: a value, median (of the step's kept rows) or baseline (the same row of the "
	 "recorded run that --baseline names)"},
	{"missing", "{within: 5 %, of: median, missing: pass}",
	 "a row without a value to compare with is an error (the default), or a pass"},
	{"exists", "{exists: true}", "the fact was observed"},
	{"all", "{all: M}", "every element of a list fact matches M; a plain matcher holds if any does"},
	{0},
};
