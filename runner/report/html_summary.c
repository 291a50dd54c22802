/* SPDX-License-Identifier: BSD-2-Clause */
/* The top of the page: what the run came to, what did not pass, and which waivers there are. */
#include "report/html.h"
#include "report/waivers.h"

#define GROUPS_LISTED 200 /* of all steps; the rest is with the steps */
#define FINDINGS_LISTED 5

void html_verdict_words(struct buf *out, const struct result *result)
{
	if (result->signal) {
		buf_puts(out, "ended by ");
		view_signal(out, result->signal);
	} else {
		buf_puts(out, view_verdict(result));
	}
}

static void counts(struct html *html)
{
	static const char *const words[OUTCOMES] = {
		[OUTCOME_FAIL] = "failed",	[OUTCOME_ERROR] = "could not be judged",
		[OUTCOME_WARNING] = "warnings", [OUTCOME_WAIVED] = "waived",
		[OUTCOME_SKIP] = "skipped",	[OUTCOME_PASS] = "passed",
	};
	const size_t *cases = html->sheet->cases;
	const char *comma = "";

	for (size_t i = 0; i < OUTCOMES; i++) {
		if (!cases[i])
			continue;
		html_put(html, comma);
		html_open(html, "span", "class", view_outcome_word(i), NULL);
		html_printf(html, "%zu %s", cases[i], i == OUTCOME_WARNING && cases[i] == 1 ? "warning" : words[i]);
		html_put(html, "</span>");
		comma = ", ";
	}
	if (!*comma)
		html_put(html, "no step was selected");
}

void html_summary(struct html *html)
{
	const struct result *result = html->result;
	int status = result_exit_status(result);
	AUTO_BUF struct buf class = {0}, words = {0};

	buf_printf(&class, "outcome %s", !status ? "pass" : status == 1 ? "fail" : status == 2 ? "error" : "skip");
	html_verdict_words(&words, result);
	html_element(html, "p", class.data, words.data);
	html_put(html, "<p class=\"counts\">");
	counts(html);
	html_put(html, " in ");
	html_duration(html, result->seconds);
	html_printf(html, " (exit %d)", status);
	html_put(html, "</p>\n<p class=\"run\">");
	html_time(html, result->started);
	html_put(html, " on ");
	html_text(html, result->hostname);
	if (result->simulated) {
		html_put(html, ", simulated fabric ");
		html_element(html, "code", NULL, result->simulated);
	}
	html_put(html, "</p>\n");
}

/* ---- What did not pass ---- */

static void failure(struct html *html, size_t number, const struct case_group *group)
{
	const struct result_step *step = &html->result->steps[number];

	html_open(html, "article", "class", view_outcome_word(group->outcome), NULL);
	html_put(html, "<h3>");
	html_verdict(html, group->outcome);
	html_put(html, " ");
	html_step_link(html, number);
	html_group_who(html, group, step->ncases == 1);
	html_put(html, "</h3>\n");
	html_group(html, group, FINDINGS_LISTED);
	html_put(html, "</article>\n");
}

/* The groups of @outcome in all steps; returns how many were not listed, as @listed reached its limit. */
static size_t failures(struct html *html, enum outcome outcome, size_t *listed)
{
	size_t more = 0;

	for (size_t i = 0; i < html->result->nsteps; i++) {
		struct grouping grouping;

		if (html->sheet->outcomes[i] > outcome)
			continue;
		grouping_make(&grouping, &html->result->steps[i]);
		for (size_t g = 0; g < grouping.count; g++) {
			if (grouping.groups[g].outcome != outcome)
				continue;
			if (*listed < GROUPS_LISTED) {
				failure(html, i, &grouping.groups[g]);
				(*listed)++;
			} else {
				more++;
			}
		}
		grouping_free(&grouping);
	}
	return more;
}

void html_failures(struct html *html)
{
	const size_t *cases = html->sheet->cases;
	size_t listed = 0, more = 0;

	if (!cases[OUTCOME_FAIL] && !cases[OUTCOME_ERROR] && !cases[OUTCOME_WARNING])
		return;
	html_put(html,
		 "<section id=\"failed\" aria-labelledby=\"failed-h\"><h2 id=\"failed-h\">What did not pass</h2>\n");
	for (enum outcome outcome = OUTCOME_FAIL; outcome <= OUTCOME_WARNING; outcome++)
		if (cases[outcome])
			more += failures(html, outcome, &listed);
	if (more) {
		html_put(html, "<p class=\"more\">");
		html_printf(html, "… and %zu more: they are with their steps.", more);
		html_put(html, "</p>\n");
	}
	html_put(html, "</section>\n");
}

/* ---- Waivers ---- */

static void waiver(struct html *html, const struct waiver_use *use)
{
	AUTO_BUF struct buf days = {0};

	waiver_days(&days, use);
	html_open(html, "tr", "class", waiver_is_soon(use) ? "soon" : NULL, NULL);
	html_put(html, "<td>");
	html_step_link(html, (size_t)(use->step - html->result->steps));
	html_put(html, "</td><td>");
	html_words(html, use->waiver->reason);
	html_put(html, "</td><td>");
	html_text(html, use->waiver->until ? use->waiver->until : "-");
	html_put(html, "</td><td>");
	html_put(html, waiver_is_soon(use) ? "<strong>" : "");
	html_text(html, days.data);
	html_put(html, waiver_is_soon(use) ? "</strong>" : "");
	html_put(html, "</td><td>");
	html_put(html, use->holds ? "covers a fail" : use->can_go ? "can go: the step passes" : "covers nothing");
	html_put(html, "</td></tr>\n");
}

void html_waivers(struct html *html)
{
	AUTO_FREE struct waiver_use *list = NULL;
	size_t count = waivers_of(html->result, &list), soon = 0;

	if (!count)
		return;
	while (soon < count && waiver_is_soon(&list[soon]))
		soon++;
	html_put(html, "<section id=\"waivers\" aria-labelledby=\"waivers-h\"><h2 id=\"waivers-h\">Waivers</h2>\n<p>");
	if (soon)
		html_printf(html, "%zu of %zu ended already or end%s within %d days.", soon, count,
			    soon == 1 ? "s" : "", WAIVERS_SOON);
	else
		html_printf(html, "None of %zu ends within %d days.", count, WAIVERS_SOON);
	html_put(html, "</p>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">step</th>"
		       "<th scope=\"col\">reason</th><th scope=\"col\">last day</th><th scope=\"col\"></th>"
		       "<th scope=\"col\">use</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < count; i++)
		waiver(html, &list[i]);
	html_put(html, "</tbody></table></div></section>\n");
}
