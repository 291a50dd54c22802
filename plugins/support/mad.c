/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/mad.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/mad_internal.h"
#include "support/mad_packet.h"
#include "support/sa.h"

#define QUIET_US 100000 /* what is unanswered for that long does not load the subnet any more */
#define WELL_KNOWN_QKEY 0x80010000
#define STATUS_BUSY 1

void mad_list_push(struct mad_port *port, struct list *list, uint16_t index)
{
	struct slot *slot = &port->slots[index];

	slot->next = NONE;
	slot->previous = list->last;
	if (list->last == NONE)
		list->first = index;
	else
		port->slots[list->last].next = index;
	list->last = index;
	list->count++;
}

static void list_remove(struct mad_port *port, struct list *list, uint16_t index)
{
	struct slot *slot = &port->slots[index];

	if (slot->previous == NONE)
		list->first = slot->next;
	else
		port->slots[slot->previous].next = slot->next;
	if (slot->next == NONE)
		list->last = slot->previous;
	else
		port->slots[slot->next].previous = slot->previous;
	list->count--;
}

static void unfly(struct mad_port *port, uint16_t index)
{
	struct slot *slot = &port->slots[index];

	if (slot->quiet)
		port->quiet--;
	else if (port->first_young == index)
		port->first_young = slot->next;
	slot->quiet = false;
	list_remove(port, &port->flying, index);
}

static void mark_quiet(struct mad_port *port, int64_t now)
{
	while (port->first_young != NONE && now - port->slots[port->first_young].sent_at > QUIET_US) {
		struct slot *slot = &port->slots[port->first_young];

		slot->quiet = true;
		port->quiet++;
		port->first_young = slot->next;
	}
}

static int agent_of(struct mad_port *port, uint8_t klass)
{
	if (port->agents[klass] < 0)
		port->agents[klass] =
			umad_register(port->fd, klass, klass == MAD_CLASS_SA ? 2 : 1, klass == MAD_CLASS_SA, NULL);
	return port->agents[klass];
}

static void address(struct slot *slot)
{
	const struct mad_request *request = &slot->request;

	if (request->klass == MAD_CLASS_SMI_DIRECT)
		umad_set_addr(slot->packet, 0xffff, 0, 0, 0);
	else
		umad_set_addr(slot->packet, request->lid, (int)request->qp, request->sl,
			      (int)(request->qp ? request->qkey ? request->qkey : WELL_KNOWN_QKEY : 0));
}

/* Returns 1 when sent, 0 when the kernel has no room for it now, or what rs_error() returned */
static int send_slot(struct mad_port *port, uint16_t index, int64_t now)
{
	struct slot *slot = &port->slots[index];
	int agent = agent_of(port, slot->request.klass);

	if (agent < 0)
		return FAIL(port, "%s port %u: no umad agent for management class 0x%02x", port->device, port->port,
			    slot->request.klass);
	mad_packet_set_transaction(slot->packet + sizeof(struct ib_user_mad),
				   (uint32_t)++slot->generation << 16 | index);
	if (umad_send(port->fd, agent, slot->packet, MAD_BYTES, (int)(port->options.mad_timeout * 1000), 0) < 0) {
		if ((errno == EAGAIN || errno == ENOMEM || errno == ENOBUFS) && port->flying.count)
			return 0;
		return FAIL(port, "%s port %u: umad does not send: %s", port->device, port->port, strerror(errno));
	}
	slot->state = SLOT_FLYING;
	slot->tries++;
	slot->sent_at = now;
	slot->round = port->statistics.sent++;
	mad_list_push(port, &port->flying, index);
	if (port->first_young == NONE)
		port->first_young = index;
	return 1;
}

static bool take_next(struct mad_port *port, const struct mad_user *callbacks, void *user, uint16_t *index)
{
	struct slot *slot;

	if (port->idle.first == NONE)
		return false;
	slot = &port->slots[port->idle.first];
	slot->request = (struct mad_request){0};
	if (!callbacks->next(user, &slot->request))
		return false;
	*index = port->idle.first;
	list_remove(port, &port->idle, *index);
	slot->tries = 0;
	mad_packet_build(slot->packet + sizeof(struct ib_user_mad), &slot->request, port->options.m_key, 0);
	address(slot);
	return true;
}

/* New requests go first: what was lost is asked again when the rest has shown how much the subnet takes */
static int fill_window(struct mad_port *port, const struct mad_user *callbacks, void *user, int64_t now)
{
	while (port->flying.count - port->quiet < port->window) {
		uint16_t index;
		int sent;

		if (!take_next(port, callbacks, user, &index)) {
			if (port->retry.first == NONE)
				break;
			index = port->retry.first;
			list_remove(port, &port->retry, index);
			port->statistics.resent++;
		}
		sent = send_slot(port, index, now);
		if (sent < 0)
			return sent;
		if (!sent) {
			port->slots[index].state = SLOT_RETRY;
			mad_list_push(port, &port->retry, index);
			break;
		}
	}
	return 0;
}

static void grow(struct mad_port *port)
{
	unsigned limit = (unsigned)port->options.window_max;

	if (port->window >= limit)
		return;
	if (port->window < port->threshold) {
		port->window++;
	} else if (++port->credit >= port->window) {
		port->window++;
		port->credit = 0;
	}
	if (port->window > port->statistics.window_peak)
		port->statistics.window_peak = port->window;
}

static void shrink(struct mad_port *port, const struct slot *slot)
{
	if (slot->tries > 1 || slot->round < port->round_end)
		return;
	port->window = port->window > 1 ? port->window / 2 : 1;
	port->threshold = port->window;
	port->credit = 0;
	port->round_end = port->statistics.sent;
}

static void finish(struct mad_port *port, uint16_t index, const struct mad_answer *answer,
		   const struct mad_user *callbacks, void *user)
{
	port->slots[index].state = SLOT_FREE;
	callbacks->done(user, &port->slots[index].request, answer);
	mad_list_push(port, &port->idle, index);
}

static void lost(struct mad_port *port, uint16_t index, const struct mad_user *callbacks, void *user)
{
	struct slot *slot = &port->slots[index];
	struct mad_answer answer = {.outcome = MAD_TIMED_OUT};

	shrink(port, slot);
	unfly(port, index);
	if (slot->tries <= (uint64_t)port->options.retries) {
		slot->state = SLOT_RETRY;
		mad_list_push(port, &port->retry, index);
	} else {
		finish(port, index, &answer, callbacks, user);
	}
}

/* umad itself gives a MAD back when its time is up; the margin is for a simulator that does not */
static bool overdue(const struct mad_port *port, int64_t now)
{
	int64_t limit = (int64_t)(port->options.mad_timeout * 1e6) + 200000;

	return port->flying.first != NONE && now - port->slots[port->flying.first].sent_at > limit;
}

static void received(struct mad_port *port, size_t length, const struct mad_user *callbacks, void *user)
{
	const uint8_t *mad = port->receive + sizeof(struct ib_user_mad);
	uint32_t transaction = mad_packet_transaction(mad);
	uint16_t index = (uint16_t)transaction;
	struct mad_answer answer = {.outcome = MAD_ANSWERED, .mad = mad, .length = length};
	struct slot *slot;

	if (length < 24 || index >= port->nslots)
		return;
	slot = &port->slots[index];
	if (slot->state != SLOT_FLYING || slot->generation != transaction >> 16)
		return;
	if (umad_status(port->receive)) {
		lost(port, index, callbacks, user);
		return;
	}
	/* the kernel cuts an SA answer behind its last record */
	if (length < (slot->request.klass == MAD_CLASS_SA ? SA_DATA : MAD_BYTES) ||
	    !mad_packet_answers(mad, &slot->request))
		return;
	answer.status = mad_packet_status(mad);
	if (answer.status == STATUS_BUSY) {
		lost(port, index, callbacks, user);
		return;
	}
	if (answer.status)
		answer.outcome = MAD_REFUSED;
	port->statistics.answered++;
	grow(port);
	unfly(port, index);
	finish(port, index, &answer, callbacks, user);
}

static int wait_ms(const struct mad_port *port, int64_t now)
{
	int64_t until = port->stop_at, first;

	if (port->flying.first != NONE) {
		first = port->slots[port->flying.first].sent_at + (int64_t)(port->options.mad_timeout * 1e6) + 200000;
		if (first < until)
			until = first;
	}
	/* what turns quiet makes room, if anything waits for it */
	if (port->first_young != NONE && port->slots[port->first_young].sent_at + QUIET_US < until)
		until = port->slots[port->first_young].sent_at + QUIET_US;
	return until <= now ? 1 : (int)((until - now) / 1000 + 1);
}

/* What comes within @timeout, at most one. Returns 1 when something came, 0, or what rs_error() returned. */
static int receive(struct mad_port *port, int timeout, const struct mad_user *callbacks, void *user)
{
	int length = (int)(port->receive_size - sizeof(struct ib_user_mad));

	if (umad_recv(port->fd, port->receive, &length, timeout) >= 0) {
		received(port, (size_t)length, callbacks, user);
		return 1;
	}
	if (errno == ENOSPC) { /* an answer of several packets; @length is what it needs */
		port->receive_size = (size_t)length + 2 * sizeof(struct ib_user_mad);
		free(port->receive);
		port->receive = calloc(1, port->receive_size);
		return port->receive ? 1 : FAIL(port, "no memory for an answer of %d bytes", length);
	}
	if (errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT && errno != EIO && errno != EWOULDBLOCK)
		return FAIL(port, "%s port %u: umad does not receive: %s", port->device, port->port, strerror(errno));
	return 0;
}

static void give_up(struct mad_port *port, const struct mad_user *callbacks, void *user)
{
	struct mad_answer answer = {.outcome = MAD_NOT_ASKED};

	port->out_of_time = true;
	while (port->flying.first != NONE) {
		uint16_t index = port->flying.first;

		unfly(port, index);
		finish(port, index, &answer, callbacks, user);
	}
	while (port->retry.first != NONE) {
		uint16_t index = port->retry.first;

		list_remove(port, &port->retry, index);
		finish(port, index, &answer, callbacks, user);
	}
}

/* What is overdue may have come while this process did not run: nothing is lost that can still be read */
static int expire(struct mad_port *port, int64_t now, const struct mad_user *callbacks, void *user)
{
	int more = 1;

	while (more && overdue(port, now)) {
		more = receive(port, 0, callbacks, user);
		if (more < 0)
			return more;
	}
	while (overdue(port, now))
		lost(port, port->flying.first, callbacks, user);
	return 0;
}

/* One request for one answer: on a busy subnet nobody waits for the other to fill or to empty a queue */
int mad_run(struct mad_port *port, const struct mad_user *callbacks, void *user)
{
	for (;;) {
		int64_t now = now_us();
		int error;

		if (now >= port->stop_at) {
			give_up(port, callbacks, user);
			return 0;
		}
		error = expire(port, now, callbacks, user);
		if (error)
			return error;
		mark_quiet(port, now);
		error = fill_window(port, callbacks, user, now);
		if (error)
			return error;
		if (!port->flying.count && port->retry.first == NONE)
			return 0;
		error = receive(port, wait_ms(port, now), callbacks, user);
		if (error < 0)
			return error;
	}
}
