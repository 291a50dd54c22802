/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a page of a whole run has room for. A browser takes some 100,000 cells without a pause; a run of 10,000 steps
 * has more. What did not pass has the larger share, and a step that is alone may take all of it.
 */
#include "report/html.h"

#define CELLS_PASSED 60000
#define CELLS_OTHER 120000
#define CELLS_LEAST 8
#define CELLS_MOST 20000 /* of one step */
#define EVIDENCE_PASSED (2 * 1024 * 1024)
#define EVIDENCE_OTHER (8 * 1024 * 1024)
#define EVIDENCE_MOST (64 * 1024) /* of one observation */

static size_t share(size_t all, size_t among, size_t least, size_t most)
{
	size_t part = all / (among ? among : 1);

	return part < least ? least : part > most ? most : part;
}

static bool is_good(enum outcome outcome)
{
	return outcome == OUTCOME_PASS || outcome == OUTCOME_SKIP;
}

static void own(struct html_sheet *sheet, size_t step, const struct result_case *item, size_t *capacity)
{
	for (size_t i = 0; i < item->nattempts; i++) {
		bool fresh;
		size_t number;

		if (!item->attempts[i].observation)
			continue;
		number = pointers_add(&sheet->observations, item->attempts[i].observation, &fresh);
		if (!fresh)
			continue;
		if (number >= *capacity) {
			*capacity = *capacity ? 2 * *capacity : 64;
			sheet->owners = xrealloc(sheet->owners, *capacity, sizeof(*sheet->owners));
		}
		sheet->owners[number] = step;
	}
}

static void own_all(struct html_sheet *sheet, const struct result *result, bool good, size_t *capacity)
{
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t c = 0; is_good(sheet->outcomes[i]) == good && c < result->steps[i].ncases; c++)
			own(sheet, i, &result->steps[i].cases[c], capacity);
}

static void count(struct html_sheet *sheet, const struct result *result)
{
	for (size_t i = 0; i < result->nsteps; i++) {
		const struct result_step *step = &result->steps[i];
		enum outcome worst = step->ncases ? OUTCOME_PASS : OUTCOME_SKIP;

		for (size_t c = 0; c < step->ncases; c++) {
			enum outcome outcome = view_outcome(&step->cases[c]);

			sheet->cases[outcome]++;
			worst = outcome < worst ? outcome : worst;
		}
		sheet->outcomes[i] = worst;
		sheet->steps[worst]++;
	}
}

void html_sheet_make(struct html_sheet *sheet, const struct result *result)
{
	size_t capacity = 0, good, other;

	*sheet = (struct html_sheet){.outcomes = xcalloc(result->nsteps + 1, sizeof(*sheet->outcomes))};
	count(sheet, result);
	own_all(sheet, result, false, &capacity);
	own_all(sheet, result, true, &capacity);
	good = sheet->steps[OUTCOME_PASS];
	other = result->nsteps - good - sheet->steps[OUTCOME_SKIP];
	sheet->cells_passed = share(CELLS_PASSED, good, CELLS_LEAST, CELLS_MOST);
	sheet->cells_other = share(CELLS_OTHER, other, CELLS_LEAST, CELLS_MOST);
	sheet->evidence_passed = share(EVIDENCE_PASSED, sheet->observations.count, 0, EVIDENCE_MOST);
	sheet->evidence_other = share(EVIDENCE_OTHER, sheet->observations.count, 0, EVIDENCE_MOST);
}

void html_sheet_free(struct html_sheet *sheet)
{
	free(sheet->outcomes);
	free(sheet->owners);
	pointers_free(&sheet->observations);
}
