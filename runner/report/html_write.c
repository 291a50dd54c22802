/* SPDX-License-Identifier: BSD-2-Clause */
/* Markup and texts: the one place where texts become HTML. */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "report/html.h"
#include "report/print.h"

void html_put(struct html *html, const char *markup)
{
	fputs(markup, html->out);
}

/* @text is harmless: no controls. What is escaped here is text between tags and in quoted attributes alike. */
static void escape(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			putc_unlocked(text[i], out);
		}
	}
}

static void flush(struct html *html)
{
	escape(html->out, html->scratch.data, html->scratch.length);
	buf_clear(&html->scratch);
}

void html_text(struct html *html, const char *text)
{
	text_line(&html->scratch, text);
	flush(html);
}

void html_words(struct html *html, const char *text)
{
	text_words(&html->scratch, text);
	flush(html);
}

void html_block(struct html *html, const char *text, size_t length)
{
	text_block(&html->scratch, text, length);
	flush(html);
}

void html_printf(struct html *html, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(&html->scratch, format, args);
	va_end(args);
	flush(html);
}

void html_draw(struct html *html, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(html->out, format, args);
	va_end(args);
}

void html_open(struct html *html, const char *tag, ...)
{
	const char *name, *value;
	va_list args;

	fprintf(html->out, "<%s", tag);
	va_start(args, tag);
	while ((name = va_arg(args, const char *))) {
		value = va_arg(args, const char *);
		if (!value)
			continue;
		fprintf(html->out, " %s=\"", name);
		html_text(html, value);
		putc_unlocked('"', html->out);
	}
	va_end(args);
	putc_unlocked('>', html->out);
}

void html_close(struct html *html, const char *tag)
{
	fprintf(html->out, "</%s>", tag);
}

void html_element(struct html *html, const char *tag, const char *class, const char *text)
{
	html_open(html, tag, "class", class, NULL);
	html_text(html, text);
	html_close(html, tag);
}

void html_time(struct html *html, double seconds)
{
	time_t whole = (time_t)seconds;
	char stamp[sizeof("YYYY-MM-DDThh:mm:ssZ")], text[sizeof("YYYY-MM-DD hh:mm:ss UTC")];
	struct tm utc;

	if (!gmtime_r(&whole, &utc))
		return;
	if (!strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &utc) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &utc))
		return;
	html_open(html, "time", "datetime", stamp, NULL);
	html_text(html, text);
	html_close(html, "time");
}

void html_duration(struct html *html, double seconds)
{
	char stamp[64];

	if (!(seconds > 0 && seconds < 1e9))
		seconds = 0;
	snprintf(stamp, sizeof(stamp), "PT%.3fS", seconds);
	html_open(html, "time", "datetime", stamp, NULL);
	print_duration(&html->scratch, seconds);
	flush(html);
	html_close(html, "time");
}
