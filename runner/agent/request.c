/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/request.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire.h"
#include "base/cleanup.h"

#define TIMEOUT_MAX (INT64_C(366) * 24 * 3600 * 1000)

static void write_strings(struct buf *out, const char *key, const struct strings *list)
{
	buf_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			buf_putc(out, ',');
		wire_string(out, list->items[i]);
	}
	buf_putc(out, ']');
}

void request_write(struct buf *out, const struct request *request)
{
	const char *at = request->params.data;
	size_t left = request->params.length;

	while (left) {
		size_t chunk = wire_chunk(at, left, WIRE_BATCH);

		wire_begin(out, request->id, "params");
		wire_text(out, at, chunk);
		wire_end(out);
		at += chunk;
		left -= chunk;
	}
	wire_begin(out, request->id, "observe");
	buf_puts(out, "{\"source\":");
	wire_string(out, request->source);
	write_strings(out, "wanted", &request->wanted);
	buf_printf(out, ",\"timeout\":%" PRId64, request->timeout_ms);
	if (request->exec)
		write_strings(out, "environment", &request->environment);
	if (request->directory) {
		buf_puts(out, ",\"directory\":");
		wire_string(out, request->directory);
	}
	if (role_of_pair(request->role))
		request_pair_write(out, request);
	if (request->role == ROLE_UNDO) {
		buf_puts(out, ",\"undo\":");
		wire_string(out, request->state);
	}
	buf_putc(out, '}');
	wire_end(out);
}

static int bad(char **why, const char *text)
{
	*why = xstrdup(text);
	return -EPROTO;
}

static bool read_strings(struct strings *list, const json_t *json)
{
	json_t *item;
	size_t i;

	if (!json_is_array(json))
		return false;
	json_array_foreach(json, i, item)
	{
		AUTO_FREE char *text = wire_get_string(item);

		if (!text)
			return false;
		strings_add(list, text);
	}
	return true;
}

static int read_environment(struct request *request, const json_t *json, char **why)
{
	request->exec = true;
	if (!read_strings(&request->environment, json))
		return bad(why, "its environment is no list of texts");
	for (size_t i = 0; i < request->environment.count; i++) {
		const char *text = request->environment.items[i];

		if (*text == '=' || !strchr(text, '='))
			return bad(why, "its environment is no list of NAME=value");
	}
	return 0;
}

static int read_observe(struct request *request, const json_t *body, char **why)
{
	const json_t *timeout = json_object_get(body, "timeout");
	const json_t *environment = json_object_get(body, "environment");
	const json_t *directory = json_object_get(body, "directory"), *pair = json_object_get(body, "pair");
	const json_t *undo = json_object_get(body, "undo");
	size_t known = 3 + !!environment + !!directory + !!pair + !!undo;

	if (!json_is_object(body) || json_object_size(body) != known)
		return bad(why, "it does not have the members of an observe");
	request->source = wire_get_string(json_object_get(body, "source"));
	if (!request->source || !read_strings(&request->wanted, json_object_get(body, "wanted")))
		return bad(why, "its source or the list of what is wanted of it is of the wrong type");
	request->timeout_ms = json_integer_value(timeout);
	if (!json_is_integer(timeout) || request->timeout_ms < 1 || request->timeout_ms > TIMEOUT_MAX)
		return bad(why, "its timeout is out of range");
	if (directory && !(request->directory = wire_get_string(directory)))
		return bad(why, "its directory is no text");
	if (pair && !request_pair_read(request, pair))
		return bad(why, "its pair is malformed");
	if (undo && (pair || !(request->state = wire_get_string(undo))))
		return bad(why, "its undo is no text, or that of a pair");
	if (undo)
		request->role = ROLE_UNDO;
	return environment ? read_environment(request, environment, why) : 0;
}

static int read_params(struct request *request, const json_t *body, char **why)
{
	AUTO_BUF struct buf chunk = {0};

	if (!wire_get_text(body, &chunk))
		return bad(why, "its params are no text");
	if (request->params.length + chunk.length > REQUEST_PARAMS_MAX)
		return bad(why, "its params are too long");
	buf_add(&request->params, chunk.data, chunk.length);
	return 0;
}

int request_read(struct request *request, const char *line, size_t length, uint64_t *other, char **why)
{
	json_t *message, *body;
	const char *kind;
	uint64_t id;
	int rc;

	message = wire_message(line, length, &id, &kind, &body, why);
	if (!message)
		return -EPROTO;
	if (!strcmp(kind, "cancel")) {
		*other = id;
		rc = json_is_true(body) ? REQUEST_CANCEL : bad(why, "its cancel is not true");
	} else if (!strcmp(kind, "stop")) {
		*other = id;
		rc = json_is_true(body) ? REQUEST_STOP : bad(why, "its stop is not true");
	} else if (request->id && request->id != id) {
		rc = bad(why, "it comes in the middle of another request");
	} else if (!strcmp(kind, "params")) {
		rc = read_params(request, body, why);
	} else if (!strcmp(kind, "observe")) {
		rc = read_observe(request, body, why);
		rc = rc ? rc : REQUEST_WHOLE;
	} else {
		*why = xasprintf("'%s' is no request", kind);
		rc = -EPROTO;
	}
	if (rc == REQUEST_PART || rc == REQUEST_WHOLE)
		request->id = id;
	json_decref(message);
	return rc;
}

void request_free(struct request *request)
{
	free(request->source);
	strings_free(&request->wanted);
	buf_free(&request->params);
	strings_free(&request->environment);
	free(request->directory);
	free(request->self.host);
	free(request->self.address);
	free(request->peer.host);
	free(request->peer.address);
	free(request->state);
	*request = (struct request){0};
}
