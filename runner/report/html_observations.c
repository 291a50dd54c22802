/* SPDX-License-Identifier: BSD-2-Clause */
/* What an observation brought besides its tables: notes, raw output of tools, last words of a worker. Folded. */
#include <string.h>

#include "report/html.h"

#define NOTES_LISTED 50
#define LOG_LISTED 4096

static void who(struct html *html, const struct observation *observation)
{
	html_put(html, "<h4>");
	html_element(html, "code", NULL, observation->source->name);
	if (observation->host && *observation->host) {
		html_put(html, " ");
		html_text(html, observation->host);
	}
	if (observation->server) {
		html_put(html, "→");
		html_text(html, observation->server);
	}
	html_put(html, " ");
	html_duration(html, observation->seconds);
	html_put(html, "</h4>\n");
}

static void notes(struct html *html, const struct observation *observation)
{
	size_t count = observation->notes.count, shown = count < NOTES_LISTED ? count : NOTES_LISTED;

	if (observation->incomplete) {
		html_put(html, "<p class=\"note\">incomplete: ");
		html_text(html, observation->incomplete);
		html_put(html, "</p>\n");
	}
	if (!count)
		return;
	html_put(html, "<ul class=\"notes\">");
	for (size_t i = 0; i < shown; i++)
		html_element(html, "li", NULL, observation->notes.items[i]);
	if (shown < count) {
		html_put(html, "<li>");
		html_printf(html, "… and %zu more notes", count - shown);
		html_put(html, "</li>");
	}
	html_put(html, "</ul>\n");
}

static void quote(struct html *html, const char *text, size_t length, size_t most)
{
	size_t shown = length < most ? length : most;

	/* Not in the middle of a character: its bytes would be shown one by one. */
	while (shown && shown < length && ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	html_put(html, "<pre tabindex=\"0\">");
	html_block(html, text, shown);
	html_put(html, "</pre>");
	if (shown < length) {
		html_put(html, "<p class=\"more\">");
		html_printf(html, "%zu more bytes: the JSON report has them.", length - shown);
		html_put(html, "</p>");
	}
}

static void evidence(struct html *html, const struct evidence *evidence, size_t *left)
{
	AUTO_BUF struct buf text = {0};
	size_t most = *left;

	view_evidence(&text, evidence);
	html_put(html, "<details class=\"evidence\"><summary>evidence: ");
	html_element(html, "code", NULL, evidence->name);
	html_printf(html, " (%zu byte%s)", evidence->total, plural(evidence->total));
	html_put(html, "</summary>");
	quote(html, text.data ? text.data : "", text.length, most);
	html_put(html, "</details>\n");
	*left -= text.length < most ? text.length : most;
}

static void observation_told(struct html *html, const struct observation *observation, size_t left)
{
	if (!observation->notes.count && !observation->nevidence && !observation->incomplete &&
	    (!observation->log || !*observation->log))
		return;
	html_put(html, "<div class=\"observation\">");
	who(html, observation);
	notes(html, observation);
	for (size_t i = 0; i < observation->nevidence; i++)
		evidence(html, &observation->evidence[i], &left);
	if (observation->log && *observation->log) {
		html_put(html, "<details class=\"evidence\"><summary>last words of the worker</summary>");
		quote(html, observation->log, strlen(observation->log), LOG_LISTED);
		html_put(html, "</details>\n");
	}
	html_put(html, "</div>\n");
}

void html_observations(struct html *html, size_t step)
{
	const struct html_sheet *sheet = html->sheet;
	const struct result_step *item = &html->result->steps[step];
	struct pointers seen = {0};
	bool fresh;

	for (size_t c = 0; c < item->ncases; c++) {
		for (size_t a = 0; a < item->cases[c].nattempts; a++) {
			const struct observation *observation = item->cases[c].attempts[a].observation;
			size_t number;

			if (!observation)
				continue;
			pointers_add(&seen, observation, &fresh);
			number = pointers_add(&html->sheet->observations, observation, NULL);
			if (fresh && sheet->owners[number] == step)
				observation_told(html, observation,
						 sheet->outcomes[step] == OUTCOME_PASS ? sheet->evidence_passed
										       : sheet->evidence_other);
		}
	}
	pointers_free(&seen);
}
