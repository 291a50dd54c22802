/* SPDX-License-Identifier: BSD-2-Clause */
/* The page as a whole: its head with the policy that lets nothing in, and its parts in their order. */
#include <errno.h>
#include <string.h>

#include "base/sha256.h"
#include "report/html.h"
#include "report/target.h"

/* base64 (RFC 4648) of the 32 bytes of a SHA-256, as a policy names them */
static void digest(const char *text, char base64[45])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t bytes[33] = {0};
	char hex[65];

	sha256_hex(text, strlen(text), hex);
	for (size_t i = 0; i < 32; i++) {
		unsigned byte;

		sscanf(hex + 2 * i, "%2x", &byte);
		bytes[i] = (uint8_t)byte;
	}
	for (size_t i = 0; i < 11; i++) {
		unsigned three = (unsigned)bytes[3 * i] << 16 | (unsigned)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];

		for (size_t j = 0; j < 4; j++)
			base64[4 * i + j] = letters[three >> (18 - 6 * j) & 63];
	}
	base64[43] = '=';
	base64[44] = '\0';
}

/* One script and one style may run, and nothing may be loaded: whatever a text might smuggle in stays without effect.
 */
static void policy(struct html *html)
{
	AUTO_BUF struct buf text = {0};
	char script[45], style[45];

	digest(html_script, script);
	digest(html_style, style);
	buf_printf(&text,
		   "default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; "
		   "form-action 'none'",
		   script, style);
	html_open(html, "meta", "http-equiv", "Content-Security-Policy", "content", text.data, NULL);
	html_put(html, "\n");
}

static void title(struct html *html, const char *tag)
{
	const struct scenario *last = NULL;
	size_t named = 0;

	html_open(html, tag, NULL);
	for (size_t i = 0; i < html->result->nsteps && named < 4; i++) {
		const struct scenario *scenario = html->result->steps[i].plan->scenario;

		if (scenario == last)
			continue;
		last = scenario;
		html_put(html, named ? ", " : "");
		html_words(html, named == 3 ? "…" : scenario->name);
		named++;
	}
	html_put(html, named ? "" : "rdmaspec");
}

static const char icon_pass[] =
	"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
	"%3Ccircle cx='8' cy='8' r='8' fill='%231a7f37'/%3E%3Cpath d='m4 8 3 3 5-6' fill='none' "
	"stroke='white' stroke-width='2'/%3E%3C/svg%3E";
static const char icon_other[] = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
				 "%3Ccircle cx='8' cy='8' r='8' fill='%23c1121f'/%3E%3Cpath d='m5 5 6 6m0-6-6 6' "
				 "stroke='white' stroke-width='2'/%3E%3C/svg%3E";

static void head(struct html *html)
{
	AUTO_BUF struct buf words = {0};

	html_put(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	policy(html);
	html_put(html, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"color-scheme\" content=\"light dark\">\n"
		       "<meta name=\"referrer\" content=\"no-referrer\">\n"
		       "<meta name=\"generator\" content=\"rdmaspec " VERSION "\">\n");
	title(html, "title");
	html_verdict_words(&words, html->result);
	html_put(html, ": ");
	html_text(html, words.data);
	html_put(html, "</title>\n");
	html_open(html, "link", "rel", "icon", "href", result_exit_status(html->result) ? icon_other : icon_pass, NULL);
	html_put(html, "\n<style>");
	html_put(html, html_style);
	html_put(html, "</style>\n</head>\n");
}

static void banner(struct html *html)
{
	html_put(html, "<header>\n<div>");
	title(html, "h1");
	html_put(html, "</h1>\n");
	html_summary(html);
	html_put(html, "</div>\n<div id=\"tools\" hidden><button type=\"button\" id=\"theme\">theme: auto</button> "
		       "<button type=\"button\" id=\"help\" aria-haspopup=\"dialog\">keys <kbd>?</kbd></button></div>\n"
		       "</header>\n");
}

static const char keys[] =
	"<dialog id=\"keys\" aria-labelledby=\"keys-h\"><h2 id=\"keys-h\">Keys</h2>\n<dl>"
	"<div><dt><kbd>/</kbd></dt><dd>search</dd></div>"
	"<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next, previous step</dd></div>"
	"<div><dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next, previous step that did not pass</dd></div>"
	"<div><dt><kbd>Enter</kbd></dt><dd>open or close the step; from the search: go to the first one</dd></div>"
	"<div><dt><kbd>t</kbd></dt><dd>theme: as the system has it, light, dark</dd></div>"
	"<div><dt><kbd>Esc</kbd></dt><dd>close this, the step, or empty the search and the filters</dd></div>"
	"<div><dt><kbd>?</kbd></dt><dd>these keys</dd></div>"
	"</dl><form method=\"dialog\"><button>close</button></form></dialog>\n";

int html_write(FILE *out, const struct result *result, struct registry *registry)
{
	struct html_sheet sheet;
	struct html html = {.out = out, .result = result, .registry = registry, .sheet = &sheet};

	errno = 0;
	html_sheet_make(&sheet, result);
	head(&html);
	html_put(&html, "<body>\n<a class=\"skip-link\" href=\"#steps\">Skip to the steps</a>\n");
	banner(&html);
	html_put(&html, "<main>\n");
	html_failures(&html);
	html_waivers(&html);
	html_fabric(&html);
	html_measures(&html);
	html_steps(&html);
	html_about(&html);
	html_put(&html, "</main>\n<footer><p>Written by rdmaspec " VERSION ".</p></footer>\n");
	html_put(&html, keys);
	html_put(&html, "<script>");
	html_put(&html, html_script);
	html_put(&html, "</script>\n</body>\n</html>\n");
	html_sheet_free(&sheet);
	buf_free(&html.scratch);
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
