/* SPDX-License-Identifier: BSD-2-Clause */
/* From iperf3's JSON to rows of facts. It ends with status 0 and an "error" where it could not measure. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/tcp.h"

#define GIGA_DIGITS 9
#define NOTES 10

/* One direction of a measurement: where its figures stand */
struct direction {
	enum tcp_direction towards;
	bool client_sends;
	const char *sent, *received, *interval;
};

static const json_t *member(const json_t *of, const char *name)
{
	return json_object_get(of, name);
}

/* The smallest figure that a stream has under @name, and the largest and the sum */
struct spread {
	json_int_t least, most, sum;
	size_t count;
};

static void add_to(struct spread *spread, const json_t *figure)
{
	json_int_t value = json_integer_value(figure);

	if (value <= 0)
		return; /* 0 is iperf3's word for "not told" */
	if (!spread->count || value < spread->least)
		spread->least = value;
	if (!spread->count || value > spread->most)
		spread->most = value;
	spread->sum += value;
	spread->count++;
}

/*
 * As iperf3 wrote it: its writer takes 15 digits where they say it all, else 17. Both come out again as they went in.
 * @shift: by how many places the point moves to the left
 */
static const char *digits_of(const json_t *figure, int shift, char text[64])
{
	char plain[48], *point;
	int whole;

	if (json_is_integer(figure)) {
		snprintf(plain, sizeof(plain), "%lld", (long long)json_integer_value(figure));
	} else {
		double value = json_real_value(figure);

		snprintf(plain, sizeof(plain), "%.15g", value);
		if (strtod(plain, NULL) != value)
			snprintf(plain, sizeof(plain), "%.17g", value);
		if (strchr(plain, 'e'))
			snprintf(plain, sizeof(plain), "%.*f", value < 1 ? 20 : 0, value);
	}
	point = strchr(plain, '.');
	whole = point ? (int)(point - plain) : (int)strlen(plain);
	if (!shift)
		snprintf(text, 64, "%s", plain);
	else if (whole > shift)
		snprintf(text, 64, "%.*s.%s", whole - shift, plain, plain + whole - shift);
	else
		snprintf(text, 64, "0.%.*s%s", shift - whole, "000000000", plain);
	/* The point that stood there before */
	if (point && shift && (point = strchr(strchr(text, '.') + 1, '.')))
		memmove(point, point + 1, strlen(point));
	return text;
}

static bool is_figure(const json_t *figure)
{
	return json_is_integer(figure)
		       ? json_integer_value(figure) >= 0
		       : json_is_real(figure) && isfinite(json_real_value(figure)) && json_real_value(figure) >= 0;
}

static void set_figure(struct rs_ctx *ctx, unsigned fact, const json_t *figure, int shift)
{
	char text[64];

	if (is_figure(figure))
		rs_set_decimal(ctx, fact, digits_of(figure, shift, text));
}

static void set_rate(struct rs_ctx *ctx, unsigned fact, const json_t *of)
{
	set_figure(ctx, fact, member(of, "bits_per_second"), GIGA_DIGITS);
}

static double rate_of(const json_t *of)
{
	const json_t *figure = member(of, "bits_per_second");

	return is_figure(figure) ? json_number_value(figure) : NAN;
}

static void set_intervals(struct rs_ctx *ctx, const json_t *root, const struct direction *direction)
{
	const json_t *best = NULL, *worst = NULL, *interval;
	size_t i;

	json_array_foreach(member(root, "intervals"), i, interval)
	{
		const json_t *sum = member(interval, direction->interval);

		if (json_is_true(member(sum, "omitted")) || isnan(rate_of(sum)))
			continue;
		if (!best || rate_of(sum) > rate_of(best))
			best = sum;
		if (!worst || rate_of(sum) < rate_of(worst))
			worst = sum;
	}
	if (best) {
		set_rate(ctx, TCP_BW_PEAK, best);
		set_rate(ctx, TCP_BW_LOWEST, worst);
	}
}

static bool is_of(const json_t *stream, const struct direction *direction)
{
	return json_is_true(member(stream, "sender")) == direction->client_sends;
}

static void set_streams(struct rs_ctx *ctx, const json_t *end, const struct direction *direction)
{
	const json_t *slowest = NULL, *stream;
	struct spread least = {0}, mean = {0}, most = {0};
	char text[64];
	size_t i;

	json_array_foreach(member(end, "streams"), i, stream)
	{
		const json_t *sender = member(stream, "sender"), *receiver = member(stream, "receiver");

		if (!is_of(sender, direction))
			continue;
		if (!isnan(rate_of(receiver)) && (!slowest || rate_of(receiver) < rate_of(slowest)))
			slowest = receiver;
		add_to(&least, member(sender, "min_rtt"));
		add_to(&mean, member(sender, "mean_rtt"));
		add_to(&most, member(sender, "max_rtt"));
	}
	if (slowest)
		set_rate(ctx, TCP_STREAM_LOWEST, slowest);
	if (!direction->client_sends || !least.count || !mean.count || !most.count)
		return;
	rs_set_decimal(ctx, TCP_RTT_MIN, (snprintf(text, sizeof(text), "%lld", (long long)least.least), text));
	rs_set_decimal(ctx, TCP_RTT_MAX, (snprintf(text, sizeof(text), "%lld", (long long)most.most), text));
	if (mean.count == 1)
		snprintf(text, sizeof(text), "%lld", (long long)mean.sum);
	else
		snprintf(text, sizeof(text), "%.2f", (double)mean.sum / (double)mean.count);
	rs_set_decimal(ctx, TCP_RTT_MEAN, text);
}

static void set_path_mtu(struct rs_ctx *ctx, const json_t *root, const struct direction *direction)
{
	const json_t *intervals = member(root, "intervals"), *stream;
	const json_t *last = json_array_get(intervals, json_array_size(intervals) - 1);
	struct spread mtu = {0};
	size_t i;

	json_array_foreach(member(last, "streams"), i, stream) if (json_is_true(member(stream, "sender")))
		add_to(&mtu, member(stream, "pmtu"));
	if (direction->client_sends && mtu.count)
		rs_set_integer(ctx, TCP_PATH_MTU, mtu.least);
}

static void set_connection(struct rs_ctx *ctx, const struct tcp_params *params, const json_t *root)
{
	const json_t *start = member(root, "start"), *end = member(root, "end");
	const json_t *cpu = member(end, "cpu_utilization_percent"), *mss = member(start, "tcp_mss");
	const json_t *streams = member(member(start, "test_start"), "num_streams");
	const char *congestion = json_string_value(member(end, "sender_tcp_congestion"));

	set_figure(ctx, TCP_CPU_CLIENT, member(cpu, "host_total"), 0);
	set_figure(ctx, TCP_CPU_SERVER, member(cpu, "remote_total"), 0);
	rs_set_integer(ctx, TCP_STREAMS, json_is_integer(streams) ? json_integer_value(streams) : params->streams);
	if (!mss)
		mss = member(start, "tcp_mss_default");
	if (json_integer_value(mss) > 0)
		rs_set_integer(ctx, TCP_MSS, json_integer_value(mss));
	if (congestion && *congestion)
		rs_set_text(ctx, TCP_CONGESTION, congestion);
}

static int set_row(struct rs_ctx *ctx, const struct tcp_params *params, const json_t *root,
		   const struct direction *direction)
{
	const json_t *end = member(root, "end");
	const json_t *sent = member(end, direction->sent), *received = member(end, direction->received);
	const json_t *retransmits = member(sent, "retransmits");

	if (isnan(rate_of(received)))
		return rs_error(ctx, RS_INVALID, "iperf3's JSON has no figure at end.%s.bits_per_second",
				direction->received);
	if (rate_of(received) == 0)
		return rs_error(ctx, RS_INVALID, "iperf3 measured, and not one byte came to the %s",
				direction->towards == TCP_TO_SERVER ? "server" : "client");
	rs_row_begin(ctx, 0);
	rs_set_enum(ctx, TCP_DIRECTION, direction->towards);
	set_rate(ctx, TCP_BW_AVERAGE, received);
	set_rate(ctx, TCP_BW_SENT, sent);
	set_figure(ctx, TCP_RECEIVED, member(received, "bytes"), 0);
	set_figure(ctx, TCP_SECONDS, member(received, "seconds"), 0);
	if (json_is_integer(retransmits) && json_integer_value(retransmits) >= 0)
		rs_set_integer(ctx, TCP_RETRANSMITS, json_integer_value(retransmits));
	set_intervals(ctx, root, direction);
	set_streams(ctx, end, direction);
	set_path_mtu(ctx, root, direction);
	set_connection(ctx, params, root);
	return 0;
}

static int set_rows(struct rs_ctx *ctx, const struct tcp_params *params, const json_t *root)
{
	const struct direction plain = {params->reverse ? TCP_TO_CLIENT : TCP_TO_SERVER, !params->reverse, "sum_sent",
					"sum_received", "sum"};
	const struct direction back = {TCP_TO_CLIENT, false, "sum_sent_bidir_reverse", "sum_received_bidir_reverse",
				       "sum_bidir_reverse"};
	int error = set_row(ctx, params, root, &plain);

	return error || !params->bidirectional ? error : set_row(ctx, params, root, &back);
}

static void note_warnings(struct rs_ctx *ctx, const struct process_text *err)
{
	const char *at = err->data;

	for (int i = 0; at && *at && i < NOTES; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t length = strcspn(at, "\r\n");

		if (!length)
			continue;
		rs_note(ctx, "iperf3: %.*s", (int)(length < TCP_TEXT ? length : TCP_TEXT), at);
		i++;
	}
}

static json_t *load(const struct process *process, json_error_t *why)
{
	const struct process_text *out = &process->out[PROCESS_STDOUT];

	return json_loadb(out->data ? out->data : "", out->length, 0, why);
}

int tcp_rows(struct rs_ctx *ctx, const struct tcp_params *params, const struct process *process)
{
	json_error_t why;
	json_t *root = load(process, &why);
	char text[TCP_TEXT];
	int error;

	if (!root && !process->out[PROCESS_STDOUT].length)
		error = rs_error(ctx, RS_INVALID, "iperf3 ended as if all were well, and printed no result");
	else if (!root)
		error = rs_error(ctx, RS_INVALID, "the output of iperf3 is no JSON: line %d: %s", why.line, why.text);
	else if (tcp_error(process, text))
		error = rs_error(ctx, RS_FAILED, "iperf3: %s", text);
	else
		error = set_rows(ctx, params, root);
	json_decref(root);
	if (!error)
		note_warnings(ctx, &process->out[PROCESS_STDERR]);
	return error;
}

static const char *without(const char *text, const char *start)
{
	size_t length = strlen(start);

	return strncmp(text, start, length) ? text : text + length;
}

bool tcp_error(const struct process *process, char text[TCP_TEXT])
{
	json_error_t why;
	json_t *root = load(process, &why);
	const json_t *error = member(root, "error");
	bool is_error = error;

	if (error)
		snprintf(text, TCP_TEXT, "%s",
			 json_is_string(error) ? without(json_string_value(error), "error - ")
					       : "an error without words");
	json_decref(root);
	return is_error;
}

const char *tcp_said(const struct process *process, char text[TCP_TEXT])
{
	char line[TCP_TEXT];
	const char *words;

	if (tcp_error(process, text))
		return text;
	process_said(process, line, sizeof(line));
	words = strstr(line, "iperf3: "); /* "/usr/bin/iperf3: " too */
	words = words && (words == line || words[-1] == '/') ? words + strlen("iperf3: ") : line;
	/* Where it said nothing, this is the first line of its JSON */
	snprintf(text, TCP_TEXT, "%s", *words == '{' ? "" : without(words, "error - "));
	return text;
}
