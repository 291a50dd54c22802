/* SPDX-License-Identifier: BSD-2-Clause */
/* What was run, and with what: files by their hash, versions, remarks on the run. */
#include "plugin/registry.h"
#include "report/html.h"

static void files(struct html *html)
{
	struct pointers scenarios = {0};

	html_put(html,
		 "<div class=\"wide\"><table><caption>Scenario files</caption><thead><tr><th scope=\"col\">file</th>"
		 "<th scope=\"col\">bytes</th><th scope=\"col\">SHA-256</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < html->result->nsteps; i++)
		pointers_add(&scenarios, html->result->steps[i].plan->scenario, NULL);
	for (size_t i = 0; i < scenarios.count; i++) {
		const struct text *text = &((const struct scenario *)scenarios.items[i])->text;

		for (size_t f = 0; f < text->nfiles; f++) {
			html_put(html, "<tr><td>");
			html_element(html, "code", NULL, text->files[f].path);
			html_put(html, "</td><td class=\"n\">");
			html_printf(html, "%zu", text->files[f].size);
			html_put(html, "</td><td>");
			html_element(html, "code", NULL, text->files[f].sha256);
			html_put(html, "</td></tr>\n");
		}
	}
	html_put(html, "</tbody></table></div>\n");
	pointers_free(&scenarios);
}

static void versions(struct html *html)
{
	size_t count = 0;
	const struct rs_plugin *const *plugins = html->registry ? registry_plugins(html->registry, &count) : NULL;

	html_put(html, "<p>rdmaspec " VERSION);
	for (size_t i = 0; i < count; i++) {
		html_put(html, i ? ", " : "; plugins: ");
		html_text(html, plugins[i]->name);
		html_put(html, " ");
		html_text(html, plugins[i]->version);
	}
	html_put(html, "</p>\n");
}

void html_about(struct html *html)
{
	const struct result *result = html->result;

	html_put(html, "<section id=\"about\" aria-labelledby=\"about-h\"><h2 id=\"about-h\">About this run</h2>\n");
	for (size_t i = 0; i < result->notes.count; i++) {
		html_put(html, "<p class=\"note\">note: ");
		html_text(html, result->notes.items[i]);
		html_put(html, "</p>\n");
	}
	if (result->plan->filtered) {
		html_put(html, "<p>");
		html_printf(html, "%zu step%s of the scenarios not selected.", result->plan->filtered,
			    result->plan->filtered == 1 ? " was" : "s were");
		html_put(html, "</p>\n");
	}
	versions(html);
	files(html);
	html_put(html, "</section>\n");
}
