/* SPDX-License-Identifier: BSD-2-Clause */
/* Lies on the wire, behind the back of rs_; and mistakes in the use of rs_. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mock/mock.h"

#define RESULT_FD 3 /* where a worker's answer goes */

static const char *const speeds[] = {"SDR", "DDR", NULL};

static const struct rs_fact facts[] = {
	{"port", RS_INTEGER, RS_F_KEY, .doc = "port number"},
	{"speed", RS_ENUM, RS_F_ORDERED, .choices = speeds, .doc = "its speed"},
	{"text", RS_TEXT, .doc = "a text"},
	{"guid", RS_GUID, .doc = "a GUID"},
	{"rate", RS_QUANTITY, .unit = "Gb/s", .doc = "a rate"},
	{"list", RS_UNSIGNED, RS_F_LIST, .doc = "numbers"},
	{NULL},
};

const struct rs_probe mock_garbage_probe = {"mock.garbage", "test: the worker breaks the rules of the wire format",
					    NULL, facts};

/*
 * What is written after {"id":ID, by a lie of that name. Where there is no text, see special().
 * @status: the exit status then; -1: observe() goes on and returns
 */
static const struct lie {
	const char *name;
	const char *text;
	int status;
} lies[] = {
	{"half", "\"rows\":[\"mock.garbage\",[1,\"SD", 0},
	{"half_and_crash", "\"rows\":[\"mock.garbage\",[1,\"SD", -2},
	{"json", "\"rows\":[\"mock.garbage\",[1,]]}\n", -1},
	{"utf8", "\"note\":\"\xff\xfe\"}\n", -1},
	{"escape", "\"note\":\"\\\\y\"}\n", -1},
	{"nul", "\"note\":\"\\u0000\"}\n", -1},
	{"duplicate", "\"note\":\"a\",\"note\":\"b\"}\n", -1},
	{"extra", "\"note\":\"a\",\"more\":1}\n", -1},
	{"deep", "\"note\":[[[[[[[[[[]]]]]]]]]]}\n", -1},
	{"unknown", "\"verdict\":\"pass\"}\n", -1},
	{"done", "\"done\":{\"seconds\":1,\"killed\":false}}\n", -1},
	{"started", "\"started\":1}\n", -1},
	{"type", "\"rows\":[\"mock.garbage\",[1,\"SDR\",\"a\",null,null,[]],[\"1\",\"SDR\",\"a\",null,null,[]]]}\n",
	 -1},
	{"choice", "\"rows\":[\"mock.garbage\",[1,\"fastt\",\"a\",null,null,[]]]}\n", -1},
	{"guid", "\"rows\":[\"mock.garbage\",[1,\"SDR\",\"a\",\"0x123\",null,[]]]}\n", -1},
	{"decimal", "\"rows\":[\"mock.garbage\",[1,\"SDR\",\"a\",null,\"nan\",[]]]}\n", -1},
	{"list", "\"rows\":[\"mock.garbage\",[1,\"SDR\",\"a\",null,null,\"5\"]]}\n", -1},
	{"element", "\"rows\":[\"mock.garbage\",[1,\"SDR\",\"a\",null,null,[\"5\",\"18446744073709551616\"]]]}\n", -1},
	{"object", "\"rows\":[\"mock.garbage\",[1,\"SDR\",{\"what\":\"a\"},null,null,[]]]}\n", -1},
	{"length", "\"rows\":[\"mock.garbage\",[1,\"SDR\"]]}\n", -1},
	{"no_table", "\"rows\":[\"mock.other\",[1,\"SDR\"]]}\n", -1},
	{"facts", "\"table\":{\"probe\":\"mock.garbage\",\"facts\":[\"port\",\"sped\"]}}\n", -1},
	{"begin", "\"begin\":{\"plugin\":\"mock\",\"version\":\"9\"}}\n", -1},
	{"count", "\"end\":{\"mock.garbage\":7}}\n", 0},
	{"late", "\"end\":{\"mock.garbage\":0}}\n", -1},
	{"status", "\"end\":{\"mock.garbage\":0}}\n", 5},
	{"reason", "\"error\":[\"bored\",\"a\"]}\n", 0},
	{"evidence", "\"evidence\":[\"name\",\"text\",\"three\"]}\n", -1},
	{"plain", NULL, -1},
	{"id", NULL, -1},
	{"huge", NULL, -1},
	{"endless", NULL, -1},
	{"binary", NULL, -1},
	{"closed", NULL, 0},
};
#define LIES (sizeof(lies) / sizeof(lies[0]))

static const char *const lie_names[] = {
	"half",	    "half_and_crash", "json",	  "utf8",  "escape",  "nul",	"duplicate", "extra",  "deep",
	"unknown",  "done",	      "started",  "type",  "choice",  "guid",	"decimal",   "list",   "element",
	"object",   "length",	      "no_table", "facts", "begin",   "count",	"late",	     "status", "reason",
	"evidence", "plain",	      "id",	  "huge",  "endless", "binary", "closed",    NULL,
};
_Static_assert(sizeof(lie_names) / sizeof(lie_names[0]) == LIES + 1, "one name a lie");

const struct rs_param mock_garbage_params[] = {
	{.key = "kind",
	 .type = RS_ENUM,
	 .choices = lie_names,
	 .offset = offsetof(struct mock_choice_params, kind),
	 .value = "json",
	 .doc = "which rule is broken"},
	{.key = NULL},
};

static void put(const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(RESULT_FD, data, length);

		if (n <= 0)
			_exit(1);
		data += n;
		length -= (size_t)n;
	}
}

static void put_start(const struct rs_ctx *ctx, uint64_t more)
{
	char text[64];
	uint64_t id;

	/* The first thing in it. No honest plugin looks. */
	memcpy(&id, ctx, sizeof(id));
	put(text, (size_t)snprintf(text, sizeof(text), "{\"id\":%" PRIu64 ",", id + more));
}

static void special(struct rs_ctx *ctx, const char *kind)
{
	static char noise[2 * 1024 * 1024];

	if (!strcmp(kind, "plain")) {
		put("Segmentation fault\n", 19);
	} else if (!strcmp(kind, "id")) {
		put_start(ctx, 1);
		put("\"note\":\"a\"}\n", 12);
	} else if (!strcmp(kind, "huge") || !strcmp(kind, "endless")) {
		memset(noise, 'x', sizeof(noise));
		put_start(ctx, 0);
		put("\"note\":\"", 8);
		put(noise, sizeof(noise));
		put("\"}\n", 3);
		while (!strcmp(kind, "endless"))
			put(noise, sizeof(noise));
	} else if (!strcmp(kind, "binary")) {
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (char)(i * 2654435761u >> 13);
		put(noise, sizeof(noise));
	} else {
		close(RESULT_FD);
	}
}

int mock_garbage_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_choice_params *params = data;
	const struct lie *lie = &lies[params->kind];

	/* A note goes out at once, and with it what the worker had said before. */
	rs_note(ctx, "about to lie");
	fputs("about to lie\n", stderr);
	if (lie->text) {
		put_start(ctx, 0);
		put(lie->text, strlen(lie->text));
	} else {
		special(ctx, lie->name);
	}
	if (lie->status == -2)
		abort();
	if (lie->status >= 0)
		_exit(lie->status);
	return 0;
}

/* ---- mock.bug ---- */

static const char *const bugs[] = {
	"type", "fact", "probe",  "row",    "enum",    "decimal", "nan",  "null",     "bytes",
	"ip",	"time", "return", "reason", "partial", "huge",	  "list", "evidence", NULL,
};

const struct rs_param mock_bug_params[] = {
	{.key = "kind",
	 .type = RS_ENUM,
	 .choices = bugs,
	 .offset = offsetof(struct mock_choice_params, kind),
	 .value = "type",
	 .doc = "which rule is broken"},
	{.key = NULL},
};

const struct rs_probe mock_bug_probe = {"mock.bug", "test: the plugin breaks the rules of the rs_ functions", NULL,
					facts};

enum { PORT, SPEED, TEXT, GUID, RATE, LIST };

static int break_rule(struct rs_ctx *ctx, const char *kind)
{
	if (!strcmp(kind, "type")) {
		rs_set_guid(ctx, TEXT, 1);
	} else if (!strcmp(kind, "fact")) {
		rs_set_integer(ctx, 4000000000u, 1);
	} else if (!strcmp(kind, "probe")) {
		rs_row_begin(ctx, 32);
		rs_set_integer(ctx, PORT, 1);
	} else if (!strcmp(kind, "enum")) {
		rs_set_enum(ctx, SPEED, 2);
	} else if (!strcmp(kind, "decimal")) {
		rs_set_decimal(ctx, RATE, "12 apples");
	} else if (!strcmp(kind, "nan")) {
		rs_set_decimal(ctx, RATE, "nan");
	} else if (!strcmp(kind, "null")) {
		rs_set_text(ctx, TEXT, NULL);
	} else if (!strcmp(kind, "bytes")) {
		rs_set_bytes(ctx, TEXT, NULL, 5);
	} else if (!strcmp(kind, "ip")) {
		rs_set_ip(ctx, TEXT, 999, "");
	} else if (!strcmp(kind, "time")) {
		rs_set_time(ctx, PORT, 0);
	} else if (!strcmp(kind, "list")) {
		rs_set_integer(ctx, LIST, 0);
	} else if (!strcmp(kind, "return")) {
		return -EIO;
	} else if (!strcmp(kind, "reason")) {
		return rs_error(ctx, (enum rs_reason)99, "no such reason");
	} else if (!strcmp(kind, "partial")) {
		rs_incomplete(ctx, "this source is not marked so");
	} else if (!strcmp(kind, "evidence")) {
		rs_evidence(ctx, NULL, "x", 1);
	} else {
		char *text = rs_alloc(ctx, 1024 * 1024);

		memset(text, 'x', 1024 * 1024 - 1);
		rs_set_text(ctx, TEXT, text);
	}
	return 0;
}

int mock_bug_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_choice_params *params = data;
	const char *kind = bugs[params->kind];
	int rc;

	if (!strcmp(kind, "row")) {
		rs_set_integer(ctx, PORT, 1);
		return 0;
	}
	rs_row_begin(ctx, 0);
	rc = break_rule(ctx, kind);
	/* Whatever follows must not change what is said of it. */
	rs_row_begin(ctx, 0);
	rs_set_boolean(ctx, PORT, true);
	return rc;
}
