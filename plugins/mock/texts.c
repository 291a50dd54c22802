/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts that would harm whoever shows them as they are, and evidence of any size. */
#include <stdio.h>
#include <string.h>

#include "mock/mock.h"

static const struct rs_fact hostile_facts[] = {
	{"kind", RS_TEXT, RS_F_KEY, .doc = "what is hostile in it"},
	{"text", RS_TEXT, .doc = "the text"},
	{NULL},
};

const struct rs_probe mock_hostile_probe = {"mock.hostile", "test: texts that would harm a terminal, XML or HTML",
					    "{text}", hostile_facts};

#define TEXT(kind, text)                                                                                               \
	{                                                                                                              \
		kind, text, sizeof(text) - 1                                                                           \
	}

static const struct {
	const char *kind;
	const char *text;
	size_t length;
} hostile[] = {
	TEXT("colour", "\033[31mred\033[0m"),
	TEXT("title", "\033]0;owned\007"),
	TEXT("clear", "\033[2J\033[H"),
	TEXT("c1", "\xc2\x9b"
		   "31m"),
	TEXT("return", "harmless\rPASS"),
	TEXT("newline", "one\ntwo\tthree"),
	TEXT("backspace", "FAIL\b\b\b\bPASS"),
	TEXT("nul", "before\0after"),
	TEXT("cdata", "]]>"),
	TEXT("script", "<script>alert(1)</script>"),
	TEXT("quotes", "\"double\" 'single' & <>"),
	TEXT("entity", "&amp;&#0;"),
	TEXT("fffe", "\xef\xbf\xbe"),
	TEXT("surrogate", "\xed\xa0\x80"),
	TEXT("overlong", "\xc0\xaf"),
	TEXT("latin1", "M\xfcnchen"),
	TEXT("cut", "\xe2\x82"),
	TEXT("bidi", "\xe2\x80\xae"
		     "gnp.exe"),
	TEXT("backslash", "\\x1b \\\\ \\"),
	TEXT("hash", "name # no comment"),
	TEXT("format", "%s%n%d"),
	TEXT("blank", "   "),
	TEXT("empty", ""),
};

int mock_hostile_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		rs_row_begin(ctx, 0);
		rs_set_text(ctx, 0, hostile[i].kind);
		rs_set_bytes(ctx, 1, hostile[i].text, hostile[i].length);
		rs_evidence(ctx, "hostile", hostile[i].text, hostile[i].length);
		rs_evidence(ctx, "hostile", "\n", 1);
		fwrite(hostile[i].text, 1, hostile[i].length, stderr);
		fputc('\n', stderr);
	}
	rs_note(ctx, "note: \033[31m]]><script>\xff");
	return 0;
}

/* ---- evidence ---- */

const struct rs_param mock_evidence_params[] = {
	{.key = "size",
	 .type = RS_QUANTITY,
	 .unit = "B",
	 .offset = offsetof(struct mock_evidence_params, size),
	 .value = "1 MiB",
	 .doc = "how many bytes, in lines of 16 that count up"},
	{.key = NULL},
};

static const struct rs_fact evidence_facts[] = {
	{"size", RS_INTEGER, .doc = "bytes of evidence"},
	{NULL},
};

const struct rs_probe mock_evidence_probe = {"mock.evidence", "test: evidence of any size", NULL, evidence_facts};

int mock_evidence_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_evidence_params *params = data;
	int64_t size = (int64_t)params->size;
	char line[32];

	for (int64_t at = 0; at < size; at += 16) {
		snprintf(line, sizeof(line), "%015lld\n", (long long)at);
		rs_evidence(ctx, "numbers", line, (size_t)(size - at < 16 ? size - at : 16));
	}
	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, size);
	return 0;
}
