/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/perftest.h"

/* enum ibv_wc_status */
static const char *const statuses[] = {
	"success",
	"local length error",
	"local QP operation error",
	"local EE context operation error",
	"local protection error: a buffer that is not registered for this access",
	"flushed: the queue pair was in error already",
	"memory window bind error",
	"bad response from the other end",
	"local access error",
	"remote invalid request: the other end takes no such message, or not of this size",
	"remote access error: no right to that memory at the other end (another verb or size there?)",
	"remote operation error",
	"transport retry counter exceeded: the other end does not answer",
	"RNR retry counter exceeded: the other end posted no receive buffer in time",
	"local RDD violation",
	"remote invalid RD request",
	"aborted by the other end",
	"invalid EE context number",
	"invalid EE context state",
	"fatal device error",
	"response timed out",
	"general error",
	"tag matching error",
	"tag matching rendezvous incomplete",
};

/* enum rdma_cm_event_type */
static const char *const cm_events[] = {
	"address resolved", "address error",   "route resolved",
	"route error",	    "connect request", "connect response",
	"connect error",    "unreachable",     "rejected: nothing listens there with rdma_cm",
	"established",	    "disconnected",    "device removed",
};

const char *perftest_status_words(int status)
{
	return status >= 0 && (size_t)status < sizeof(statuses) / sizeof(statuses[0]) ? statuses[status] : NULL;
}

static const char *event_words(int event)
{
	return event >= 0 && (size_t)event < sizeof(cm_events) / sizeof(cm_events[0]) ? cm_events[event] : NULL;
}

/* @words: of the number that follows @text, or what the line itself means; NULL: it says enough */
static const struct message {
	const char *text;
	enum perftest_cause cause;
	const char *(*words)(int number);
	const char *means;
} messages[] = {
	{"Couldn't listen to port", PERFTEST_PORT_TAKEN, NULL, "the port is taken"},
	{"Address already in use", PERFTEST_PORT_TAKEN, NULL, "the port is taken"},
	{"Couldn't allocate MR", PERFTEST_MEMORY, NULL,
	 "memory could not be registered: the memlock limit, or for GPU memory the peer memory module"},
	{"RLIMIT_MEMLOCK is", PERFTEST_MEMORY, NULL, "the memlock limit is too low to register memory"},
	{"Gid index should be between", PERFTEST_ARGUMENTS, NULL, "perftest itself takes no higher index"},
	{"Parser function exited with Error", PERFTEST_ARGUMENTS, NULL, NULL},
	{"unrecognized option", PERFTEST_ARGUMENTS, NULL, "this version does not have it"},
	{"invalid option", PERFTEST_ARGUMENTS, NULL, "this version does not have it"},
	{"IB device ", PERFTEST_DEVICE, NULL, NULL},
	{"Unable to find the Infiniband/RoCE device", PERFTEST_DEVICE, NULL, NULL},
	{"Couldn't get context for the device", PERFTEST_DEVICE, NULL, "no access to the device"},
	{"Port number", PERFTEST_DEVICE, NULL, NULL},
	{"Incompatibility issue with GID types", PERFTEST_GID, NULL,
	 "a GID index of an empty row, or of another family than the other end's"},
	{"Failed to modify QP", PERFTEST_GID, NULL,
	 "the other end's GID cannot be reached from this one's, or the MTU is too high"},
	{"Failed status ", PERFTEST_COMPLETION, perftest_status_words, NULL},
	{"Unexpected CM event bl blka ", PERFTEST_CM, event_words, NULL},
	{"RDMA_CM_EVENT_REJECTED", PERFTEST_CM, NULL, "nothing listens there with rdma_cm"},
	{"RDMA_CM_EVENT_UNREACHABLE", PERFTEST_CM, NULL, NULL},
	{"RDMA CM event error", PERFTEST_CM, NULL, NULL},
	{"rdma_bind_addr failed", PERFTEST_CM, NULL, "happens now and then: worth a retry"},
	{"Couldn't connect to", PERFTEST_UNREACHABLE, NULL, "no server there, or no route to it"},
	{"name resolution", PERFTEST_UNREACHABLE, NULL, NULL},
	{"Name or service not known", PERFTEST_UNREACHABLE, NULL, NULL},
	{"Address family for hostname not supported", PERFTEST_UNREACHABLE, NULL, "an IPv6 address needs ipv6-addr"},
	{"Correlation coefficient", PERFTEST_UNSTABLE, NULL, "its clock could not be calibrated: worth a retry"},
	{"Can't produce a report", PERFTEST_UNSTABLE, NULL, "its clock could not be calibrated: worth a retry"},
	{"Couldn't read remote address", PERFTEST_OTHER_END, NULL,
	 "the other end went away: its own message is the cause"},
	{"Unable to read to socket", PERFTEST_OTHER_END, NULL, NULL},
	{"Failed to exchange data between server and clients", PERFTEST_OTHER_END, NULL, NULL},
};

static bool contains(const char *line, size_t length, const char *what, const char **behind)
{
	const char *at = memmem(line, length, what, strlen(what));

	*behind = at ? at + strlen(what) : NULL;
	return at;
}

static int number_at(const char *at, const char *end)
{
	int value = 0, digits = 0;

	for (; at < end && isdigit((unsigned char)*at) && digits < 6; at++, digits++)
		value = value * 10 + (*at - '0');
	return digits ? value : -1;
}

static void take(struct perftest_failure *failure, enum perftest_cause cause, const char *line, size_t length,
		 const char *means)
{
	size_t used = 0;

	failure->cause = cause;
	for (size_t i = 0; i < length && used < PERFTEST_TEXT / 2; i++)
		failure->text[used++] = isprint((unsigned char)line[i]) ? line[i] : '?';
	failure->text[used] = '\0';
	if (means)
		snprintf(failure->text + used, PERFTEST_TEXT - used, " (%s)", means);
}

static bool better(enum perftest_cause cause, const struct perftest_failure *than)
{
	return !than->cause || cause < than->cause;
}

static void consider(struct perftest_failure *failure, const char *line, size_t length)
{
	const char *behind;

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		const struct message *message = &messages[i];
		const char *means = message->means;
		int number;

		if (!contains(line, length, message->text, &behind))
			continue;
		if (!better(message->cause, failure))
			return;
		number = message->words ? number_at(behind, line + length) : 0;
		if (message->words)
			means = message->words(number);
		take(failure, message->cause, line, length, means);
		failure->status = number > 0 ? number : 0;
		return;
	}
	if (better(PERFTEST_OTHER, failure) &&
	    (contains(line, length, "ailed", &behind) || contains(line, length, "rror", &behind) ||
	     contains(line, length, "Couldn't", &behind) || contains(line, length, "nable to", &behind)))
		take(failure, PERFTEST_OTHER, line, length, NULL);
}

void perftest_failure(const char *text, size_t length, struct perftest_failure *failure)
{
	*failure = (struct perftest_failure){0};
	while (length) {
		const char *newline = memchr(text, '\n', length);
		size_t line = newline ? (size_t)(newline - text) : length, skipped = 0;

		while (skipped < line && isspace((unsigned char)text[skipped]))
			skipped++;
		if (skipped < line)
			consider(failure, text + skipped, line - skipped);
		line += newline != NULL;
		text += line;
		length -= line;
	}
}
