/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/grouping.h"

#include <string.h>

#include "base/nodeset.h"

#define LABELS_WIDTH 64 /* columns that folded labels may take */

/* Everything that is told of a case and could differ between hosts. */
static void say(struct buf *out, const struct result_case *item)
{
	const struct result_attempt *last = view_last(item);

	buf_printf(out, "%s\n%s\n%s\n", item->reason ? item->reason : "", item->note ? item->note : "",
		   view_sentence(item) ? view_sentence(item) : "");
	for (size_t i = 0; last && i < last->judgement.nfindings; i++)
		buf_printf(out, "%s\n", last->judgement.findings[i].sentence);
	for (size_t i = 0; i + 1 < item->nattempts; i++)
		buf_printf(out, "%s\n", view_attempt_sentence(&item->attempts[i]) ?: "");
	for (size_t i = 0; last && last->observation && i < last->observation->notes.count; i++)
		buf_printf(out, "%s\n", last->observation->notes.items[i]);
}

static struct case_group *group_of(struct grouping *grouping, enum outcome outcome, const char *said)
{
	struct case_group *group;

	for (size_t i = 0; i < grouping->count; i++) {
		group = &grouping->groups[i];
		if (group->outcome == outcome && (!group->said || !strcmp(group->said, said)))
			return group;
	}
	group = &grouping->groups[grouping->count++];
	*group = (struct case_group){.outcome = outcome};
	if (grouping->count <= GROUPS_KEPT)
		group->said = xstrdup(said);
	return group;
}

void grouping_make(struct grouping *grouping, const struct result_step *step)
{
	AUTO_BUF struct buf said = {0};

	grouping->count = 0;
	for (size_t i = 0; i < step->ncases; i++) {
		struct case_group *group;

		buf_clear(&said);
		say(&said, &step->cases[i]);
		group = group_of(grouping, view_outcome(&step->cases[i]), said.data);
		GROW(group->cases, group->count, group->capacity);
		group->cases[group->count++] = &step->cases[i];
	}
}

void grouping_free(struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->count; i++) {
		free(grouping->groups[i].said);
		free(grouping->groups[i].cases);
	}
	grouping->count = 0;
}

enum outcome grouping_worst(const struct grouping *grouping)
{
	enum outcome worst = OUTCOME_PASS;

	for (size_t i = 0; i < grouping->count; i++)
		if (grouping->groups[i].outcome < worst)
			worst = grouping->groups[i].outcome;
	return grouping->count ? worst : OUTCOME_SKIP;
}

void view_labels(struct buf *out, const struct result_case *const *cases, size_t count)
{
	AUTO_STRINGS struct strings labels = {0};
	AUTO_BUF struct buf folded = {0}, line = {0};

	for (size_t i = 0; i < count; i++) {
		const char *label = cases[i]->label ? cases[i]->label : "";
		AUTO_FREE char *text = NULL;

		if (cases[i]->run)
			text = xasprintf("%s%srun %u", label, *label ? " " : "", cases[i]->run);
		if (text || *label)
			strings_add(&labels, text ? text : label);
	}
	if (!labels.count)
		return;
	nodeset_fold(&folded, (const char *const *)labels.items, labels.count);
	text_line(&line, folded.data);
	if (count > 1 && text_width(line.data, line.length) > LABELS_WIDTH)
		buf_printf(out, "%zu cases", count);
	else
		buf_add(out, line.data, line.length);
}
