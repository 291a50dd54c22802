/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/view.h"

#include <signal.h>
#include <string.h>

enum outcome view_outcome(const struct result_case *item)
{
	switch (item->verdict) {
	case VERDICT_PASS:
		return OUTCOME_PASS;
	case VERDICT_FAIL:
		return item->gating ? OUTCOME_FAIL : OUTCOME_WARNING;
	case VERDICT_ERROR:
		return item->gating ? OUTCOME_ERROR : OUTCOME_WARNING;
	case VERDICT_WAIVED:
		return OUTCOME_WAIVED;
	case VERDICT_SKIP:
		break;
	}
	return OUTCOME_SKIP;
}

const char *view_outcome_word(enum outcome outcome)
{
	static const char *const words[OUTCOMES] = {
		[OUTCOME_FAIL] = "fail",     [OUTCOME_ERROR] = "error", [OUTCOME_WARNING] = "warning",
		[OUTCOME_WAIVED] = "waived", [OUTCOME_SKIP] = "skip",	[OUTCOME_PASS] = "pass",
	};

	return words[outcome];
}

const char *view_verdict(const struct result *result)
{
	switch (result_exit_status(result)) {
	case 0:
		return "passed";
	case 1:
		return "failed";
	case 2:
		return "could not be judged";
	case 3:
		return "nothing was judged";
	default:
		return "was interrupted";
	}
}

static bool has_error(const struct result *result)
{
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t c = 0; c < result->steps[i].ncases; c++)
			if (view_outcome(&result->steps[i].cases[c]) <= OUTCOME_ERROR)
				return true;
	return false;
}

const char *view_run(struct buf *out, const struct result *result)
{
	int status = result_exit_status(result);

	if (result->signal) {
		buf_puts(out, "the run was ended by ");
		view_signal(out, result->signal);
		buf_puts(out, " before all of its steps were done");
		return "interrupted";
	}
	if (status == 3) {
		buf_puts(out, "no gating step was judged");
		return "nothing_judged";
	}
	if (status && !has_error(result)) {
		buf_puts(out, "steps that gate were skipped, as what they need did not pass");
		return "not_judged";
	}
	return NULL;
}

const struct result_attempt *view_last(const struct result_case *item)
{
	return item->nattempts ? &item->attempts[item->nattempts - 1] : NULL;
}

const char *view_attempt_sentence(const struct result_attempt *attempt)
{
	if (attempt->judgement.verdict == VERDICT_PASS)
		return NULL;
	if (attempt->judgement.sentence)
		return attempt->judgement.sentence;
	if (attempt->judgement.nfindings)
		return attempt->judgement.findings[0].sentence;
	return attempt->observation ? attempt->observation->error : NULL;
}

const char *view_sentence(const struct result_case *item)
{
	const struct result_attempt *last = view_last(item);
	const char *sentence = last ? view_attempt_sentence(last) : NULL;

	if (sentence || item->raw == VERDICT_PASS || item->raw == VERDICT_SKIP)
		return sentence;
	return item->reason ? item->reason : "no reason was given";
}

const struct table *view_table(const struct result_attempt *attempt, const struct rs_probe *probe)
{
	const struct observation *observation = attempt ? attempt->observation : NULL;

	if (!observation || observation->error)
		return NULL;
	for (size_t i = 0; i < observation->source->nprobes; i++)
		if (&observation->source->probes[i] == probe)
			return observation->tables[i];
	return NULL;
}

void view_title(struct buf *out, const struct scenario_step *step)
{
	if (step->id && step->name && strcmp(step->id, step->name) != 0)
		buf_printf(out, "%s — %s", step->id, step->name);
	else
		buf_puts(out, step->name ? step->name : step->id ? step->id : step->probe.probe->name);
}

void view_place(struct buf *out, struct place place)
{
	if (!place.file)
		return;
	buf_puts(out, place.file);
	if (place.line)
		buf_printf(out, ":%u:%u", place.line, place.column);
}

const char *view_reason(int reason)
{
	static const char *const names[] = {
		[RS_FAILED] = "failed", [RS_UNSUPPORTED] = "unsupported", [RS_DENIED] = "denied",
		[RS_ABSENT] = "absent", [RS_TIMED_OUT] = "timed_out",	  [RS_INVALID] = "invalid",
	};

	if (reason < RS_FAILED || reason > RS_INVALID)
		return "worker";
	return names[reason];
}

void view_evidence(struct buf *out, const struct evidence *evidence)
{
	size_t kept = evidence->head.length + evidence->tail.length;

	buf_add(out, evidence->head.data, evidence->head.length);
	if (evidence->total > kept)
		buf_printf(out, "\n[%zu bytes left out]\n", evidence->total - kept);
	buf_add(out, evidence->tail.data, evidence->tail.length);
}

void view_signal(struct buf *out, int number)
{
	const char *name = sigabbrev_np(number);

	if (name)
		buf_printf(out, "SIG%s", name);
	else
		buf_printf(out, "signal %d", number);
}

static size_t slot_of(const struct pointers *pointers, const void *pointer)
{
	/* Fibonacci hashing: the high bits of a product with 2^64/phi are well mixed. */
	size_t slot = ((uintptr_t)pointer * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (pointers->nslots - 1);

	while (pointers->slots[slot] && pointers->items[pointers->slots[slot] - 1] != pointer)
		slot = (slot + 1) & (pointers->nslots - 1);
	return slot;
}

size_t pointers_add(struct pointers *pointers, const void *pointer, bool *fresh)
{
	size_t slot;

	if (pointers->count * 2 >= pointers->nslots) {
		free(pointers->slots);
		pointers->nslots = pointers->nslots ? pointers->nslots * 2 : 64;
		pointers->slots = xcalloc(pointers->nslots, sizeof(*pointers->slots));
		for (size_t i = 0; i < pointers->count; i++)
			pointers->slots[slot_of(pointers, pointers->items[i])] = i + 1;
	}
	slot = slot_of(pointers, pointer);
	if (fresh)
		*fresh = !pointers->slots[slot];
	if (!pointers->slots[slot]) {
		GROW(pointers->items, pointers->count, pointers->capacity);
		pointers->items[pointers->count++] = pointer;
		pointers->slots[slot] = pointers->count;
	}
	return pointers->slots[slot] - 1;
}

void pointers_free(struct pointers *pointers)
{
	free(pointers->items);
	free(pointers->slots);
	*pointers = (struct pointers){0};
}
