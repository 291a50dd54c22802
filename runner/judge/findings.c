/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "judge/judging.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_PASS] = "pass", [VERDICT_FAIL] = "fail",     [VERDICT_ERROR] = "error",
		[VERDICT_SKIP] = "skip", [VERDICT_WAIVED] = "waived",
	};

	return names[verdict];
}

struct finding *findings_add(struct findings *findings, enum verdict verdict)
{
	struct finding *finding;

	if (verdict == VERDICT_FAIL) {
		if (findings->nfails == FINDINGS_KEPT)
			return NULL;
		GROW(findings->fails, findings->nfails, findings->fails_capacity);
		finding = &findings->fails[findings->nfails++];
	} else {
		if (findings->nerrors == FINDINGS_KEPT)
			return NULL;
		GROW(findings->errors, findings->nerrors, findings->errors_capacity);
		finding = &findings->errors[findings->nerrors++];
	}
	*finding = (struct finding){.verdict = verdict, .row_number = SIZE_MAX};
	return finding;
}

static void finding_free(struct finding *finding)
{
	free(finding->row);
	free(finding->expected);
	free(finding->observed);
	free(finding->sentence);
}

void judgement_free(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->nfindings; i++)
		finding_free(&judgement->findings[i]);
	free(judgement->findings);
	free(judgement->sentence);
	free(judgement->kept);
	*judgement = (struct judgement){0};
}

/* As many of @from as still fit; the others are freed. */
static void take(struct judgement *judgement, struct finding *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (judgement->nfindings < FINDINGS_KEPT)
			judgement->findings[judgement->nfindings++] = from[i];
		else
			finding_free(&from[i]);
	}
	free(from);
}

static char *whole_sentence(const struct finding *finding, const char *share)
{
	struct buf sentence = {0};

	buf_puts(&sentence, finding->sentence);
	if (finding->place.file) {
		buf_printf(&sentence, " (%s", finding->place.file);
		if (finding->place.line)
			buf_printf(&sentence, ":%u:%u", finding->place.line, finding->place.column);
		buf_putc(&sentence, ')');
	}
	if (share)
		buf_printf(&sentence, "; %s", share);
	return buf_take(&sentence);
}

void judging_end(struct judgement *judgement, struct findings *findings, bool broken, char *share)
{
	size_t all = findings->nfails + findings->nerrors;

	judgement->verdict = VERDICT_PASS;
	if (findings->nerrors)
		judgement->verdict = VERDICT_ERROR;
	if (findings->nfails && !broken)
		judgement->verdict = VERDICT_FAIL;
	if (all)
		judgement->findings = xcalloc(all < FINDINGS_KEPT ? all : FINDINGS_KEPT, sizeof(struct finding));
	if (judgement->verdict == VERDICT_ERROR)
		take(judgement, findings->errors, findings->nerrors);
	take(judgement, findings->fails, findings->nfails);
	if (judgement->verdict != VERDICT_ERROR)
		take(judgement, findings->errors, findings->nerrors);
	if (judgement->nfindings)
		judgement->sentence = whole_sentence(&judgement->findings[0], share);
	free(share);
	*findings = (struct findings){0};
}
