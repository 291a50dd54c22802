/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps: a line each, behind it why it came to what it came to. */
#include <string.h>

#include "report/html.h"

/* ---- The line ---- */

/* "3-17 40": numbers in ranges, as the filter reads them. */
static void add_ranges(struct buf *out, const bool *set, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t first = i;

		if (!set[i])
			continue;
		while (i + 1 < count && set[i + 1])
			i++;
		buf_printf(out, i == first ? "%s%zu" : "%s%zu-%zu", out->length ? " " : "", first, i);
	}
}

static void add_hosts(struct buf *out, const struct plan *plan, const struct plan_step *step)
{
	AUTO_FREE bool *set = xcalloc(plan->nhosts + 1, sizeof(*set));

	for (size_t i = 0; i < step->nparts; i++) {
		const struct plan_observe *observe = &plan->observes[step->parts[i].observe];

		set[observe->host] = true;
		if (observe->server != SIZE_MAX)
			set[observe->server] = true;
	}
	add_ranges(out, set, plan->nhosts);
}

/* "2 of 8 cases, 24 rows": how much the step was judged on. */
static void extent(struct html *html, const struct result_step *step)
{
	size_t cases = 0, bad = 0, rows = 0;

	for (size_t i = 0; i < step->ncases; i++) {
		const struct result_attempt *last = view_last(&step->cases[i]);
		enum outcome outcome = view_outcome(&step->cases[i]);

		cases++;
		bad += outcome < OUTCOME_SKIP;
		if (last && !step->cases[i].across)
			rows += last->judgement.rows_kept;
	}
	html_put(html, "<span class=\"extent\">");
	if (bad && cases > 1)
		html_printf(html, "%zu of %zu cases, ", bad, cases);
	else if (cases > 1)
		html_printf(html, "%zu cases, ", cases);
	html_printf(html, "%zu row%s", rows, plural(rows));
	html_put(html, "</span>");
}

static void line(struct html *html, const struct result_step *step, enum outcome outcome)
{
	const struct scenario_step *written = step->plan->step;
	AUTO_BUF struct buf title = {0};

	html_put(html, "<summary>");
	html_verdict(html, outcome);
	view_title(&title, written);
	html_put(html, " <span class=\"title\">");
	html_words(html, title.data);
	html_put(html, "</span> ");
	html_element(html, "code", "probe", written->probe.probe->name);
	html_put(html, " ");
	extent(html, step);
	if (step->started > 0) {
		html_put(html, " ");
		html_duration(html, step->seconds);
	}
	html_put(html, "</summary>\n");
}

/* ---- What is behind it ---- */

static void term(struct html *html, const char *term)
{
	html_element(html, "dt", NULL, term);
	html_put(html, "<dd>");
}

static void tags(struct html *html, const struct scenario_step *step)
{
	if (!step->ntags)
		return;
	term(html, "tags");
	for (size_t i = 0; i < step->ntags; i++) {
		html_put(html, i ? " " : "");
		html_element(html, "span", "tag", step->tags[i]);
	}
	html_put(html, "</dd>");
}

static void needs(struct html *html, const struct plan_step *step)
{
	if (!step->nneeds)
		return;
	term(html, "needs");
	for (size_t i = 0; i < step->nneeds; i++) {
		html_put(html, i ? ", " : "");
		html_step_link(html, step->needs[i]);
	}
	html_put(html, "</dd>");
}

static void waiver(struct html *html, const struct scenario_waiver *waiver)
{
	if (!waiver)
		return;
	term(html, "waived");
	html_words(html, waiver->reason);
	if (waiver->until) {
		html_put(html, " (until ");
		html_text(html, waiver->until);
		html_put(html, ")");
	}
	html_put(html, "</dd>");
}

static void facts(struct html *html, const struct plan_step *plan)
{
	const struct scenario_step *step = plan->step;

	html_put(html, "<dl class=\"meta\">");
	term(html, "probe");
	html_element(html, "code", NULL, step->probe.probe->name);
	html_put(html, "</dd>");
	term(html, "place");
	html_place(html, step->place);
	html_put(html, "</dd>");
	if (step->warning) {
		term(html, "severity");
		html_put(html, "warning: reported, does not gate</dd>");
	}
	if (step->probe.spec.observe_only) {
		term(html, "expects");
		html_put(html, "nothing: it only observes</dd>");
	}
	waiver(html, step->waive);
	tags(html, step);
	needs(html, plan);
	html_put(html, "</dl>\n");
}

static void group_of_step(struct html *html, const struct case_group *group, bool alone)
{
	html_put(html, "<div class=\"group\"><p class=\"who\">");
	html_verdict(html, group->outcome);
	html_group_who(html, group, alone);
	html_put(html, "</p>\n");
	html_group(html, group, FINDINGS_KEPT);
	html_put(html, "</div>\n");
}

static void groups(struct html *html, const struct result_step *step)
{
	struct grouping grouping;

	grouping_make(&grouping, step);
	for (enum outcome outcome = OUTCOME_FAIL; outcome <= OUTCOME_PASS; outcome++)
		for (size_t i = 0; i < grouping.count; i++)
			if (grouping.groups[i].outcome == outcome)
				group_of_step(html, &grouping.groups[i], step->ncases == 1);
	grouping_free(&grouping);
}

static void step_body(struct html *html, size_t number, enum outcome outcome)
{
	const struct result_step *step = &html->result->steps[number];
	AUTO_BUF struct buf id = {0};

	buf_printf(&id, "s%zu", number + 1);
	html_open(html, "div", "class", "body", "id", id.data, NULL);
	if (step->plan->step->doc) {
		html_put(html, "<p class=\"doc\">");
		html_words(html, step->plan->step->doc);
		html_put(html, "</p>\n");
	}
	facts(html, step->plan);
	groups(html, step);
	html_rows(html, step, outcome == OUTCOME_PASS ? html->sheet->cells_passed : html->sheet->cells_other);
	html_observations(html, number);
	html_put(html, "</div>\n");
}

static void write_step(struct html *html, size_t number)
{
	const struct result_step *step = &html->result->steps[number];
	enum outcome outcome = html->sheet->outcomes[number];
	const char *probe = step->plan->step->probe.probe->name;
	AUTO_BUF struct buf hosts = {0}, plugin = {0};

	add_hosts(&hosts, html->result->plan, step->plan);
	buf_add(&plugin, probe, strcspn(probe, "."));
	html_open(html, "details", "class", "step", "data-v", view_outcome_word(outcome), "data-p", plugin.data,
		  "data-h", hosts.data, NULL);
	line(html, step, outcome);
	step_body(html, number, outcome);
	html_put(html, "</details>\n");
}

/* ---- All of them ---- */

/* Without the script there is nothing that it could do: it shows itself. */
static void filter(struct html *html)
{
	const struct plan *plan = html->result->plan;

	html_put(html, "<form id=\"filter\" role=\"search\" aria-label=\"Filter the steps\" hidden>\n"
		       "<fieldset><legend>verdict</legend>");
	for (enum outcome outcome = OUTCOME_FAIL; outcome < OUTCOMES; outcome++) {
		if (!html->sheet->steps[outcome])
			continue;
		html_open(html, "button", "type", "button", "class", "chip", "aria-pressed", "false", "value",
			  view_outcome_word(outcome), NULL);
		html_verdict(html, outcome);
		html_printf(html, " %zu", html->sheet->steps[outcome]);
		html_put(html, "</button>");
	}
	html_put(html,
		 "</fieldset>\n"
		 "<label>search <input type=\"search\" id=\"q\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
		 "<label>tag <select id=\"tag\"><option value=\"\">all</option></select></label>\n"
		 "<label>plugin <select id=\"plugin\"><option value=\"\">all</option></select></label>\n"
		 "<label>host <input id=\"host\" list=\"hosts\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
		 "<datalist id=\"hosts\">");
	for (size_t i = 0; i < plan->nhosts; i++) {
		html_open(html, "option", "value", plan->hosts[i].host->name, NULL);
		html_put(html, "</option>");
	}
	html_put(html, "</datalist>\n<button type=\"button\" id=\"clear\">clear</button>\n"
		       "<p id=\"shown\" role=\"status\"></p>\n</form>\n");
}

static void scenario_head(struct html *html, const struct scenario *scenario)
{
	html_put(html, "<div class=\"scenario\"><h3>");
	html_words(html, scenario->name);
	html_put(html, " ");
	html_element(html, "code", "place", scenario->text.nfiles ? scenario->text.files[0].path : NULL);
	html_put(html, "</h3>\n");
}

/* A browser lays out only the blocks that are seen. */
#define BLOCK 50

static void scenario_steps(struct html *html, const struct scenario *scenario)
{
	size_t count = 0;

	scenario_head(html, scenario);
	for (size_t i = 0; i < html->result->nsteps; i++) {
		if (html->result->steps[i].plan->scenario != scenario)
			continue;
		if (count % BLOCK == 0)
			html_put(html, count ? "</div>\n<div class=\"block\">\n" : "<div class=\"block\">\n");
		write_step(html, i);
		count++;
	}
	html_put(html, "</div>\n</div>\n");
}

void html_steps(struct html *html)
{
	struct pointers scenarios = {0};

	html_put(html,
		 "<section id=\"steps\" aria-labelledby=\"steps-h\" tabindex=\"-1\"><h2 id=\"steps-h\">Steps</h2>\n");
	filter(html);
	for (size_t i = 0; i < html->result->nsteps; i++)
		pointers_add(&scenarios, html->result->steps[i].plan->scenario, NULL);
	for (size_t i = 0; i < scenarios.count; i++)
		scenario_steps(html, scenarios.items[i]);
	if (!scenarios.count)
		html_put(html, "<p>No step was selected.</p>\n");
	pointers_free(&scenarios);
	html_put(html, "</section>\n");
}
