/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts, places and sentences: what is said in several places of the page. */
#include "report/html.h"

const char *html_outcome_sign(enum outcome outcome)
{
	static const char *const signs[OUTCOMES] = {
		[OUTCOME_FAIL] = "✗",	[OUTCOME_ERROR] = "!", [OUTCOME_WARNING] = "△",
		[OUTCOME_WAIVED] = "◌", [OUTCOME_SKIP] = "→",  [OUTCOME_PASS] = "✓",
	};

	return signs[outcome];
}

void html_verdict(struct html *html, enum outcome outcome)
{
	AUTO_BUF struct buf class = {0};

	buf_printf(&class, "verdict %s", view_outcome_word(outcome));
	html_open(html, "span", "class", class.data, NULL);
	html_open(html, "span", "aria-hidden", "true", NULL);
	html_put(html, html_outcome_sign(outcome));
	html_put(html, "</span> ");
	html_put(html, view_outcome_word(outcome));
	html_put(html, "</span>");
}

void html_step_link(struct html *html, size_t step)
{
	AUTO_BUF struct buf to = {0}, title = {0};

	buf_printf(&to, "#s%zu", step + 1);
	view_title(&title, html->result->steps[step].plan->step);
	html_open(html, "a", "href", to.data, NULL);
	html_words(html, title.data);
	html_close(html, "a");
}

void html_place(struct html *html, struct place place)
{
	AUTO_BUF struct buf text = {0};

	view_place(&text, place);
	if (text.length)
		html_element(html, "code", "place", text.data);
}

static void cell(struct html *html, const char *class, const char *text)
{
	html_element(html, "td", class, text);
}

static void finding_row(struct html *html, const struct finding *finding)
{
	html_put(html, "<tr>");
	if (view_tabular(finding)) {
		cell(html, NULL, finding->row);
		cell(html, "fact", finding->fact);
		cell(html, "expected", finding->expected);
		cell(html, "observed", finding->observed);
	} else {
		html_open(html, "td", "colspan", "4", NULL);
		html_text(html, finding->sentence);
		html_put(html, "</td>");
	}
	html_put(html, "<td>");
	html_place(html, finding->place);
	html_put(html, "</td></tr>\n");
}

void html_findings(struct html *html, const struct judgement *judgement, size_t most)
{
	size_t first =
		judgement->nfindings && !view_tabular(&judgement->findings[0]); /* the sentence has said that one */
	size_t shown = judgement->nfindings < most ? judgement->nfindings : most;

	if (first >= judgement->nfindings)
		return;
	html_put(html, "<div class=\"wide\"><table class=\"findings\"><thead><tr><th scope=\"col\">row</th>"
		       "<th scope=\"col\">fact</th><th scope=\"col\">expected</th><th scope=\"col\">observed</th>"
		       "<th scope=\"col\">place</th></tr></thead><tbody>\n");
	for (size_t i = first; i < shown; i++)
		finding_row(html, &judgement->findings[i]);
	html_put(html, "</tbody></table></div>\n");
	if (judgement->offending_rows > shown || judgement->nfindings > shown) {
		html_put(html, "<p class=\"more\">");
		html_printf(html, "%zu of %zu findings%s", shown, judgement->nfindings,
			    judgement->nfindings == FINDINGS_KEPT ? " that were kept" : "");
		if (judgement->offending_rows)
			html_printf(html, "; %zu of %zu rows are not as they should be", judgement->offending_rows,
				    judgement->rows);
		html_put(html, ".</p>\n");
	}
}

static void said(struct html *html, const char *class, const char *lead, const char *text)
{
	html_open(html, "p", "class", class, NULL);
	html_put(html, lead);
	html_text(html, text);
	html_put(html, "</p>\n");
}

static void attempts(struct html *html, const struct result_case *item)
{
	for (size_t i = 0; i + 1 < item->nattempts; i++) {
		html_put(html, "<p class=\"attempt\">");
		html_printf(html, "attempt %zu of %zu: %s: ", i + 1, item->nattempts,
			    verdict_name(item->attempts[i].judgement.verdict));
		html_text(html, view_attempt_sentence(&item->attempts[i]));
		html_put(html, "</p>\n");
	}
}

static void details(struct html *html, const struct result_case *item, enum outcome outcome, size_t most)
{
	const struct result_attempt *last = view_last(item);

	if ((outcome == OUTCOME_SKIP || outcome == OUTCOME_WAIVED) && item->reason) {
		html_put(html, "<p class=\"reason\">");
		html_words(html, item->reason);
		html_put(html, "</p>\n");
	}
	if (outcome != OUTCOME_SKIP && outcome != OUTCOME_PASS) {
		said(html, "sentence", "", view_sentence(item));
		if (last)
			html_findings(html, &last->judgement, most);
	}
	attempts(html, item);
	if (item->note)
		said(html, "note", "note: ", item->note);
}

void html_group_who(struct html *html, const struct case_group *group, bool alone)
{
	AUTO_BUF struct buf labels = {0};

	if (!alone)
		view_labels(&labels, group->cases, group->count);
	if (labels.length) {
		html_put(html, " ");
		html_element(html, "span", "labels", labels.data);
	}
	if (!group->said)
		html_put(html, " for other reasons");
}

void html_group(struct html *html, const struct case_group *group, size_t most)
{
	if (group->said)
		details(html, group->cases[0], group->outcome, most);
}
