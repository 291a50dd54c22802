/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ends of a pair in a request: {"role":ROLE,"self":[HOST,ADDRESS],"peer":[HOST,ADDRESS],"port":PORT} */
#include "agent/request.h"

#include <string.h>

#include "agent/wire.h"

#define PORT_MAX 65535

static const char *const roles[] = {[ROLE_SERVER] = "server", [ROLE_CLIENT] = "client"};

static void write_end(struct buf *out, const char *key, const struct request_end *end)
{
	buf_printf(out, ",\"%s\":[", key);
	wire_string(out, end->host);
	buf_putc(out, ',');
	wire_string(out, end->address);
	buf_putc(out, ']');
}

void request_pair_write(struct buf *out, const struct request *request)
{
	buf_printf(out, ",\"pair\":{\"role\":\"%s\"", roles[request->role]);
	write_end(out, "self", &request->self);
	write_end(out, "peer", &request->peer);
	if (request->role == ROLE_CLIENT)
		buf_printf(out, ",\"port\":%u", request->port);
	buf_putc(out, '}');
}

static bool read_end(struct request_end *end, const json_t *json)
{
	end->host = wire_get_string(json_array_get(json, 0));
	end->address = wire_get_string(json_array_get(json, 1));
	return json_array_size(json) == 2 && end->host && end->address;
}

bool request_pair_read(struct request *request, const json_t *json)
{
	const char *role = json_string_value(json_object_get(json, "role"));
	const json_t *port = json_object_get(json, "port");

	for (int i = ROLE_SERVER; role && i <= ROLE_CLIENT; i++)
		if (!strcmp(role, roles[i]))
			request->role = i;
	if (request->role == ROLE_ALONE || json_object_size(json) != (request->role == ROLE_CLIENT ? 4 : 3))
		return false;
	if (!read_end(&request->self, json_object_get(json, "self")) ||
	    !read_end(&request->peer, json_object_get(json, "peer")))
		return false;
	request->port = (unsigned)json_integer_value(port);
	return request->role == ROLE_SERVER ||
	       (json_is_integer(port) && json_integer_value(port) > 0 && json_integer_value(port) <= PORT_MAX);
}
