/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/perftest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/perftest_internal.h"

/* No line that perftest prints is as long; what is longer is noise */
#define LINE_MAX_KEPT 4096

void perftest_say(struct perftest_texts *texts, uint64_t line, const char *what, const char *text, size_t length)
{
	char *to;
	int used;

	if (texts->count++ >= PERFTEST_NOTES)
		return;
	to = texts->text[texts->count - 1];
	used = line ? snprintf(to, PERFTEST_TEXT, "line %llu%s%s: ", (unsigned long long)line, *what ? ": " : "", what)
		    : 0;
	for (size_t i = 0; i < length && used < PERFTEST_TEXT - 1; i++)
		to[used++] = isprint((unsigned char)text[i]) ? text[i] : text[i] == '\t' ? ' ' : '?';
	to[used] = '\0';
}

static const struct {
	const char *key;
	size_t offset, size;
} facts[] = {
#define FACT(text, member)                                                                                             \
	{                                                                                                              \
		text, offsetof(struct perftest_facts, member), sizeof(((struct perftest_facts *)0)->member)            \
	}
	FACT("Device", device),
	FACT("Number of qps", qps),
	FACT("Transport type", transport),
	FACT("Connection type", connection),
	FACT("Link type", link_type),
	FACT("Mtu", mtu),
	FACT("GID index", gid_index),
	FACT("rdma_cm QPs", rdma_cm),
};

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The word behind "KEY :", where the line has it; MTUs end in "[B]" */
static void take_fact(struct perftest_facts *to, size_t fact, const char *line, size_t length)
{
	const char *at = memmem(line, length, facts[fact].key, strlen(facts[fact].key)), *end = line + length;
	size_t word = 0, bracket;
	char *value = (char *)to + facts[fact].offset;

	if (!at || (at > line && !blank(at[-1])))
		return;
	for (at += strlen(facts[fact].key); at < end && blank(*at);)
		at++;
	if (at == end || *at++ != ':')
		return;
	while (at < end && blank(*at))
		at++;
	while (at + word < end && !blank(at[word]))
		word++;
	for (bracket = 1; bracket < word && at[bracket] != '['; bracket++)
		;
	if (bracket < word)
		word = bracket;
	if (word && word < facts[fact].size) {
		memcpy(value, at, word);
		value[word] = '\0';
	}
}

static bool begins(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Lines that begin so are what perftest always prints: settings, addresses, rulers */
static const char *const usual[] = {
	"---",
	"Dual-port",
	"Number of qps",
	"Connection type",
	"PCIe relax order",
	"ibv_wr* API",
	"TX depth",
	"RX depth",
	"CQ Moderation",
	"Mtu",
	"Link type",
	"GID index",
	"Max inline data",
	"rdma_cm QPs",
	"Data ex. method",
	"Post List",
	"Recv Post List",
	"Outstand reads",
	"Using SRQ",
	"Exchange data",
	"CQE Poll Batch",
	"Lock-free",
	"Using DDP",
	"Using Enhanced",
	"local address",
	"remote address",
	"GID:",
	"* Waiting for",
	"****************",
};

/* A line of a dump of all results ("12, 3.45"), or what stands above it ("#, usec") */
static bool dump_line(const char *line, size_t length)
{
	size_t digits = 0;

	while (digits < length && isdigit((unsigned char)line[digits]))
		digits++;
	return begins(line, length, "#, ") ||
	       (digits && digits + 1 < length && line[digits] == ',' && blank(line[digits + 1]));
}

static bool usual_line(struct perftest *perftest, const char *line, size_t length)
{
	static const char test[] = " Test";
	size_t tail = sizeof(test) - 1;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (!begins(line, length, usual[i]))
			continue;
		for (size_t j = 0; j < sizeof(facts) / sizeof(facts[0]); j++)
			take_fact(&perftest->facts, j, line, length);
		return true;
	}
	if (length > tail && length < sizeof(perftest->facts.test) && !perftest->header &&
	    !memcmp(line + length - tail, test, tail)) {
		memcpy(perftest->facts.test, line, length);
		perftest->facts.test[length] = '\0';
		return true;
	}
	return false;
}

static void take_line(struct perftest *perftest, const char *line, size_t length, bool whole)
{
	perftest->line++;
	while (length && blank(*line)) {
		line++;
		length--;
	}
	while (length && blank(line[length - 1]))
		length--;
	/* dumps first: they may be millions of lines */
	if (!length || dump_line(line, length) || perftest_row_line(perftest, line, length, whole) ||
	    perftest_header_line(perftest, line, length) || usual_line(perftest, line, length))
		return;
	perftest_say(&perftest->notes, perftest->line, "", line, length);
}

/* What came before the end of its line did */
static void keep_partial(struct perftest *perftest, const char *data, size_t length)
{
	if (!length)
		return;
	if (!perftest->partial)
		perftest->partial = malloc(LINE_MAX_KEPT);
	if (!perftest->partial) {
		perftest->out_of_memory = true;
		return;
	}
	if (length > LINE_MAX_KEPT - perftest->npartial) {
		perftest->overlong = true;
		length = LINE_MAX_KEPT - perftest->npartial;
	}
	memcpy(perftest->partial + perftest->npartial, data, length);
	perftest->npartial += length;
}

void perftest_feed(struct perftest *perftest, const char *data, size_t length)
{
	const char *end = data + length, *newline;

	while (data < end && (newline = memchr(data, '\n', (size_t)(end - data)))) {
		if (perftest->npartial) {
			keep_partial(perftest, data, (size_t)(newline - data));
			take_line(perftest, perftest->partial, perftest->npartial, true);
		} else {
			size_t line = (size_t)(newline - data);

			perftest->overlong |= line > LINE_MAX_KEPT;
			take_line(perftest, data, line < LINE_MAX_KEPT ? line : LINE_MAX_KEPT, true);
		}
		perftest->npartial = 0;
		data = newline + 1;
	}
	keep_partial(perftest, data, (size_t)(end - data));
}

void perftest_finish(struct perftest *perftest)
{
	static const char why[] = "there was not enough memory for it";

	if (perftest->npartial)
		take_line(perftest, perftest->partial, perftest->npartial, false);
	perftest->npartial = 0;
	if (perftest->out_of_memory)
		perftest_say(&perftest->problems, 0, "", why, sizeof(why) - 1);
	if (perftest->overlong)
		perftest_say(&perftest->notes, 0, "", "lines were longer than any of perftest's, and cut off", 53);
}

void perftest_free(struct perftest *perftest)
{
	free(perftest->rows);
	free(perftest->header);
	free(perftest->partial);
	*perftest = (struct perftest){0};
}
