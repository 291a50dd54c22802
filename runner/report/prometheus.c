/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prometheus' text format, for the textfile collector of node_exporter: gauges without timestamps, in base units
 * (seconds, bytes, bytes per second, ratios). Series are bounded: what did not pass comes first, and a gauge says how
 * many are left out.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "report/labels.h"
#include "report/metrics.h"
#include "report/target.h"
#include "report/waivers.h"

#define CASES_MAX 5000
#define FACTS_MAX 5000
#define LABEL_MAX 300 /* columns */
#define DAY 86400

/* What a fact is told in, by its dimension; @per: of the base unit of base/quantity.h. */
static const struct family {
	const char *name, *help;
	double per;
} families[] = {
	[DIMENSION_RATE] = {"rdmaspec_fact_bytes_per_second", "A measured rate.", 8},
	[DIMENSION_TIME] = {"rdmaspec_fact_seconds", "A measured time.", 1},
	[DIMENSION_SIZE] = {"rdmaspec_fact_bytes", "A measured size.", 1},
	[DIMENSION_RATIO] = {"rdmaspec_fact_ratio", "A measured share of one.", 1},
	[DIMENSION_MESSAGES] = {"rdmaspec_fact_messages_per_second", "A measured rate of messages.", 1},
	[DIMENSION_FREQUENCY] = {"rdmaspec_fact_hertz", "A measured frequency.", 1},
	[DIMENSION_FREQUENCY + 1] = {"rdmaspec_fact_value", "A number without a unit.", 1},
};
#define FAMILIES (sizeof(families) / sizeof(families[0]))

/**
 * struct exposition - a file that is being written
 * @scenario_labels, @step_labels: escaped, no two of them equal (the latter within a scenario)
 * @run: all scenarios, escaped
 * @facts: the samples of each family
 */
struct exposition {
	FILE *out;
	const struct result *result;
	struct arena arena;
	struct labels labels;
	struct pointers scenarios;
	const char **scenario_labels, **step_labels;
	struct buf run;
	struct buf facts[FAMILIES];
	size_t cases, cases_left_out, nfacts, facts_left_out;
	const char *case_labels; /* of the case whose facts are being added */
};

/* ---- Labels ---- */

/* Made harmless, cut, and escaped as the format wants it; in the arena. */
static const char *label(struct exposition *to, const char *text)
{
	AUTO_BUF struct buf line = {0}, escaped = {0};
	size_t length;

	text_line(&line, text);
	length = text_cut(line.data, line.length, LABEL_MAX);
	for (size_t i = 0; i < length; i++) {
		if (line.data[i] == '\\' || line.data[i] == '"')
			buf_putc(&escaped, '\\');
		buf_putc(&escaped, line.data[i]);
	}
	return arena_text(&to->arena, escaped.data ? escaped.data : "", escaped.length);
}

static const char *scenario_of(const struct exposition *to, const struct result_step *step)
{
	struct pointers *scenarios = (struct pointers *)&to->scenarios; /* it is there already: nothing is added */

	return to->scenario_labels[pointers_add(scenarios, step->plan->scenario, NULL)];
}

static void name_scenarios(struct exposition *to)
{
	for (size_t i = 0; i < to->result->nsteps; i++)
		pointers_add(&to->scenarios, to->result->steps[i].plan->scenario, NULL);
	to->scenario_labels = arena_alloc(&to->arena, (to->scenarios.count + 1) * sizeof(*to->scenario_labels));
	for (size_t i = 0; i < to->scenarios.count; i++) {
		const struct scenario *scenario = to->scenarios.items[i];

		to->scenario_labels[i] = labels_unique(&to->labels, &to->arena, "", label(to, scenario->name));
		if (i < 8)
			buf_printf(&to->run, "%s%s", i ? ", " : "", to->scenario_labels[i]);
	}
	if (to->scenarios.count > 8)
		buf_printf(&to->run, " and %zu more", to->scenarios.count - 8);
	if (!to->run.length)
		buf_puts(&to->run, "none");
}

static void name_steps(struct exposition *to)
{
	to->step_labels = arena_alloc(&to->arena, (to->result->nsteps + 1) * sizeof(*to->step_labels));
	for (size_t i = 0; i < to->result->nsteps; i++) {
		const struct result_step *result = &to->result->steps[i];
		const struct scenario_step *step = result->plan->step;
		const char *space = arena_printf(&to->arena, "scenario %s", scenario_of(to, result));

		to->step_labels[i] = labels_unique(&to->labels, &to->arena, space,
						   label(to, step->id	  ? step->id
							     : step->name ? step->name
									  : step->probe.probe->name));
	}
}

/* scenario="...",step="...",host="...",run="1": no two cases have the same. */
static const char *labels_of_case(struct exposition *to, size_t number, const struct result_case *item)
{
	const struct result_step *step = &to->result->steps[number];
	const char *scenario = scenario_of(to, step), *name = to->step_labels[number], *host;
	const char *space = arena_printf(&to->arena, "case %s\r%s\r%u", scenario, name, item->run);
	const char *text;

	host = labels_unique(&to->labels, &to->arena, space, label(to, item->label));
	text = arena_printf(&to->arena, "scenario=\"%s\",step=\"%s\",host=\"%s\"", scenario, name, host);
	return item->run ? arena_printf(&to->arena, "%s,run=\"%u\"", text, item->run) : text;
}

/* ---- Samples ---- */

static void head(FILE *out, const char *name, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* "+Inf", "NaN" as the format spells them, else the shortest digits. */
static void number(struct buf *out, double value)
{
	if (isnan(value))
		buf_puts(out, "NaN");
	else if (isinf(value))
		buf_puts(out, value > 0 ? "+Inf" : "-Inf");
	else
		decimal_write(out, value, NULL);
}

static void of_run(struct exposition *to, const char *name, const char *help, double value)
{
	AUTO_BUF struct buf text = {0};

	head(to->out, name, help);
	number(&text, value);
	fprintf(to->out, "%s{scenario=\"%s\"} %s\n", name, to->run.data, text.data);
}

static void put_run(struct exposition *to)
{
	const struct result *result = to->result;

	head(to->out, "rdmaspec_info", "The version that made this file, and where it ran.");
	fprintf(to->out, "rdmaspec_info{scenario=\"%s\",version=\"%s\",host=\"%s\"} 1\n", to->run.data, VERSION,
		label(to, result->hostname));
	of_run(to, "rdmaspec_run_exit_status",
	       "0 all gating steps passed, 1 one failed, 2 one could not be judged, 3 none was judged, 128+N ended by "
	       "signal N.",
	       result_exit_status(result));
	of_run(to, "rdmaspec_run_start_time_seconds", "When the run began, since 1970.", result->started);
	of_run(to, "rdmaspec_run_seconds", "How long the run took.", result->seconds > 0 ? result->seconds : 0);
}

static void put_counts(struct exposition *to)
{
	size_t(*counts)[OUTCOMES] = xcalloc(to->scenarios.count + 1, sizeof(*counts));

	head(to->out, "rdmaspec_cases", "Cases by what they came to; fail and error gate.");
	for (size_t i = 0; i < to->result->nsteps; i++) {
		const struct result_step *step = &to->result->steps[i];
		size_t scenario = pointers_add(&to->scenarios, step->plan->scenario, NULL);

		for (size_t c = 0; c < step->ncases; c++)
			counts[scenario][view_outcome(&step->cases[c])]++;
	}
	for (size_t i = 0; i < to->scenarios.count; i++)
		for (enum outcome outcome = 0; outcome < OUTCOMES; outcome++)
			fprintf(to->out, "rdmaspec_cases{scenario=\"%s\",verdict=\"%s\"} %zu\n", to->scenario_labels[i],
				view_outcome_word(outcome), counts[i][outcome]);
	free(counts);
}

static void add_fact(void *user, const struct metric *metric)
{
	struct exposition *to = user;
	const struct rs_fact *fact = metric->fact;
	const struct unit *unit = fact->unit ? unit_find(fact->unit, strlen(fact->unit)) : NULL;
	size_t family = unit ? (size_t)unit->dimension : FAMILIES - 1;
	struct buf *out = &to->facts[family];

	if (fact->type == RS_ENUM)
		return;
	if (to->nfacts == FACTS_MAX) {
		to->facts_left_out++;
		return;
	}
	to->nfacts++;
	buf_printf(out, "%s{%s,fact=\"%s\"", families[family].name, to->case_labels, fact->name);
	if (metric->row)
		buf_printf(out, ",row=\"%s\"",
			   labels_unique(&to->labels, &to->arena,
					 arena_printf(&to->arena, "%s\r%s", to->case_labels, fact->name),
					 label(to, metric->row)));
	if (metric->of_all)
		buf_printf(out, ",of_all=\"%s\"", metric->of_all);
	buf_puts(out, "} ");
	number(out, value_number(value_type_of_fact(fact), metric->value) / families[family].per);
	buf_putc(out, '\n');
}

static void put_case(struct exposition *to, size_t number, const struct result_case *item)
{
	const struct result_step *step = &to->result->steps[number];
	enum outcome outcome = view_outcome(item);

	if (to->cases == CASES_MAX) {
		to->cases_left_out++;
		return;
	}
	to->cases++;
	to->case_labels = labels_of_case(to, number, item);
	fprintf(to->out, "rdmaspec_case_verdict{%s,severity=\"%s\",verdict=\"%s\"} 1\n", to->case_labels,
		step->plan->step->warning ? "warning" : "error", view_outcome_word(outcome));
	metrics_of(step->plan, item, add_fact, to);
}

/* The worst first: it is the good ones that are left out. */
static void put_cases(struct exposition *to)
{
	head(to->out, "rdmaspec_case_verdict", "1 for each case, with what it came to.");
	for (enum outcome outcome = 0; outcome < OUTCOMES; outcome++)
		for (size_t i = 0; i < to->result->nsteps; i++)
			for (size_t c = 0; c < to->result->steps[i].ncases; c++)
				if (view_outcome(&to->result->steps[i].cases[c]) == outcome)
					put_case(to, i, &to->result->steps[i].cases[c]);
}

static void put_facts(struct exposition *to)
{
	for (size_t i = 0; i < FAMILIES; i++) {
		if (to->facts[i].length) {
			head(to->out, families[i].name, families[i].help);
			fwrite(to->facts[i].data, 1, to->facts[i].length, to->out);
		}
		buf_free(&to->facts[i]);
	}
	head(to->out, "rdmaspec_series_left_out", "Series that this file has no room for; the JSON report has them.");
	fprintf(to->out, "rdmaspec_series_left_out{scenario=\"%s\",of=\"cases\"} %zu\n", to->run.data,
		to->cases_left_out);
	fprintf(to->out, "rdmaspec_series_left_out{scenario=\"%s\",of=\"facts\"} %zu\n", to->run.data,
		to->facts_left_out);
}

/* The end is that of the last day, in UTC; +Inf where there is none. */
static void put_waivers(struct exposition *to)
{
	AUTO_FREE struct waiver_use *list = NULL;
	size_t count = waivers_of(to->result, &list), soon = 0;

	if (count)
		head(to->out, "rdmaspec_waiver_end_time_seconds", "When a waiver ends, since 1970.");
	for (size_t i = 0; i < count; i++) {
		AUTO_BUF struct buf text = {0};
		double today = floor(to->result->started / DAY);

		soon += waiver_is_soon(&list[i]);
		number(&text, list[i].endless ? INFINITY : (today + (double)list[i].days + 1) * DAY);
		fprintf(to->out, "rdmaspec_waiver_end_time_seconds{scenario=\"%s\",step=\"%s\"} %s\n",
			scenario_of(to, list[i].step), to->step_labels[list[i].step - to->result->steps], text.data);
	}
	of_run(to, "rdmaspec_waivers_ending_soon", "Waivers that ended or end within 30 days of the run.",
	       (double)soon);
}

int prometheus_write(FILE *out, const struct result *result)
{
	struct exposition to = {.out = out, .result = result};

	errno = 0;
	name_scenarios(&to);
	name_steps(&to);
	put_run(&to);
	put_counts(&to);
	put_cases(&to);
	put_facts(&to);
	put_waivers(&to);
	buf_free(&to.run);
	pointers_free(&to.scenarios);
	labels_free(&to.labels);
	arena_free(&to.arena);
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
