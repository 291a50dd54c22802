/* SPDX-License-Identifier: BSD-2-Clause */
/* unique and same: over the kept rows of all observations of a step together. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/groups.h"
#include "judge/judging.h"
#include "judge/words.h"

/* So many names of a group are written out, and so many groups. */
#define NAMES 3
#define GROUPS 4

/** struct marks - rows that something is to be said of, each counted once; a bit a row, by part */
struct marks {
	uint64_t **bits;
	size_t count;
};

struct across {
	struct judging *parts;
	size_t nparts;
	const struct judge_spec *spec;
	struct judgement *judgement;
	struct findings findings;
	bool broken;
	struct marks failed, unjudged;
	size_t shared; /* rows of which another has the same unique values */
};

static void mark(struct across *across, struct marks *marks, struct row_ref ref)
{
	size_t words = (across->parts[ref.part].table->rows + 63) / 64;
	uint64_t bit = (uint64_t)1 << (ref.row % 64), *word;

	if (!marks->bits)
		marks->bits = xcalloc(across->nparts, sizeof(*marks->bits));
	if (!marks->bits[ref.part])
		marks->bits[ref.part] = xcalloc(words, sizeof(uint64_t));
	word = &marks->bits[ref.part][ref.row / 64];
	marks->count += !(*word & bit);
	*word |= bit;
}

static void marks_free(struct marks *marks, size_t parts)
{
	for (size_t i = 0; marks->bits && i < parts; i++)
		free(marks->bits[i]);
	free(marks->bits);
}

/* Over the rows that were kept, in order. */
static bool next_row(const struct across *across, struct row_ref *ref, bool *begun)
{
	if (*begun)
		ref->row++;
	*begun = true;
	for (; ref->part < across->nparts; ref->part++, ref->row = 0) {
		const struct judging *part = &across->parts[ref->part];

		for (; part->table && ref->row < part->table->rows; ref->row++)
			if (row_kept(part->judgement, ref->row))
				return true;
	}
	return false;
}

#define EACH_ROW(ref, across)                                                                                          \
	struct row_ref ref = {0};                                                                                      \
	for (bool begun_##ref = false; next_row(across, &ref, &begun_##ref);)

static void write_name(const struct across *across, struct buf *out, struct row_ref ref)
{
	const struct judging *part = &across->parts[ref.part];

	if (across->nparts > 1 && part->part->label && *part->part->label)
		buf_printf(out, "%s: ", part->part->label);
	table_row_name(out, part->table, ref.row);
}

static char *name_of(const struct across *across, struct row_ref ref)
{
	struct buf out = {0};

	write_name(across, &out, ref);
	return finding_text(&out, WORDS_LONGEST);
}

static size_t number_of(const struct across *across, struct row_ref ref)
{
	return across->nparts > 1 ? SIZE_MAX : ref.row;
}

/* Whether all of a row's facts in @list can be compared; where not, an error says so. */
static bool comparable(struct across *across, const struct groups *groups, struct row_ref ref, const char *expected,
		       struct place place)
{
	for (unsigned i = 0; i < groups->ncolumns; i++) {
		const struct value *cell = ref_cell(across->parts, ref, groups->indices[i]);
		struct finding *finding;

		if (cell_comparable(&groups->columns[i], cell))
			continue;
		mark(across, &across->unjudged, ref);
		finding = findings_add(&across->findings, VERDICT_ERROR);
		if (finding) {
			AUTO_FREE char *name = name_of(across, ref);

			sentence_incomparable(finding, name, groups->columns[i].fact, cell, expected);
			finding->row_number = number_of(across, ref);
			finding->place = place;
		}
		return false;
	}
	return true;
}

static char *written_values(const struct groups *groups, struct row_ref ref)
{
	struct buf out = {0};

	for (unsigned i = 0; i < groups->ncolumns; i++) {
		if (i)
			buf_puts(&out, ", ");
		value_write(&out, value_type_of_fact(groups->columns[i].fact),
			    ref_cell(groups->parts, ref, groups->indices[i]));
	}
	return finding_text(&out, WORDS_LONGEST);
}

static void add_duplicate(struct across *across, const struct groups *groups, struct row_ref first, struct row_ref ref)
{
	struct finding *finding = findings_add(&across->findings, VERDICT_FAIL);
	AUTO_FREE char *other = NULL;
	struct buf out = {0};

	if (!finding)
		return;
	other = name_of(across, first);
	finding->row = name_of(across, ref);
	finding->row_number = number_of(across, ref);
	finding->fact = groups->ncolumns == 1 ? groups->columns[0].fact->name : NULL;
	finding->expected = xstrdup("unique");
	finding->observed = written_values(groups, ref);
	finding->place = across->spec->unique.place;
	if (strcmp(other, finding->row) != 0)
		buf_printf(&out, "%s and %s: ", other, finding->row);
	else /* names repeat: the rows' numbers tell them apart */
		buf_printf(&out, "%s (rows %u and %u): ", other, first.row + 1, ref.row + 1);
	for (unsigned i = 0; i < groups->ncolumns; i++) {
		const struct rs_fact *fact = groups->columns[i].fact;

		buf_printf(&out, "%s%s is ", i ? " and " : "", fact->name);
		words_value(&out, value_type_of_fact(fact), ref_cell(groups->parts, ref, groups->indices[i]));
	}
	buf_puts(&out, " in both, expected to be unique");
	finding->sentence = buf_take(&out);
}

static void judge_unique(struct across *across)
{
	const struct fact_list *list = &across->spec->unique;
	struct groups groups;

	groups_begin(&groups, across->parts, list->columns, list->count, across->judgement->rows_kept);
	EACH_ROW(ref, across)
	{
		struct group *group;

		if (!comparable(across, &groups, ref, "unique", list->place))
			continue;
		group = groups_add(&groups, ref);
		if (group->count == 1)
			continue;
		mark(across, &across->failed, group->first);
		mark(across, &across->failed, ref);
		add_duplicate(across, &groups, group->first, ref);
	}
	across->shared = across->failed.count;
	groups_end(&groups);
}

/* The largest group first; of equal ones the one that was seen first. */
static int by_count(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->first.part != y->first.part)
		return x->first.part < y->first.part ? -1 : 1;
	return (x->first.row > y->first.row) - (x->first.row < y->first.row);
}

/* The groups out of their slots, sorted; groups->count of them. */
static void sort_groups(struct groups *groups)
{
	size_t count = 0;

	for (size_t i = 0; i < groups->nslots; i++)
		if (groups->slots[i].count)
			groups->slots[count++] = groups->slots[i];
	qsort(groups->slots, count, sizeof(*groups->slots), by_count);
}

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Whether each part is one row of a host of its own: then hosts can be named, not rows. */
static bool are_hosts(const struct across *across)
{
	const char **labels;
	bool hosts = across->nparts > 1;

	labels = xcalloc(across->nparts, sizeof(*labels));
	for (size_t i = 0; i < across->nparts && hosts; i++) {
		labels[i] = across->parts[i].part->label;
		hosts = across->parts[i].judgement->rows_kept <= 1 && labels[i] && *labels[i] &&
			!strchr(labels[i], ' ') && !strstr(labels[i], "→");
	}
	if (hosts)
		qsort(labels, across->nparts, sizeof(*labels), by_text);
	for (size_t i = 1; i < across->nparts && hosts; i++)
		hosts = strcmp(labels[i - 1], labels[i]) != 0;
	free(labels);
	return hosts;
}

/* The names of the first rows of a group. */
static void write_names(const struct across *across, struct buf *out, const struct groups *groups,
			const struct group *group, bool hosts)
{
	uint32_t written = 0;

	EACH_ROW(ref, across)
	{
		if (!cell_comparable(&groups->columns[0], ref_cell(across->parts, ref, groups->indices[0])) ||
		    !groups_equal(groups, group->first, ref))
			continue;
		if (written)
			buf_puts(out, written + 1 == group->count ? " and " : ", ");
		if (hosts) {
			buf_puts(out, across->parts[ref.part].part->label);
		} else {
			AUTO_FREE char *name = name_of(across, ref);

			buf_puts(out, name);
		}
		if (++written == group->count)
			return;
		if (written == NAMES) {
			buf_puts(out, ", ...");
			return;
		}
	}
}

/* "14 hosts say lid 1", "node-07 says lid 3", "5 hosts (node-01, node-02, node-03, ...) say lid 3" */
static void write_group(const struct across *across, struct buf *out, const struct groups *groups,
			const struct group *group, bool largest, bool hosts)
{
	const struct rs_fact *fact = groups->columns[0].fact;

	if (group->count <= NAMES) {
		write_names(across, out, groups, group, hosts);
	} else {
		buf_printf(out, "%u %s", group->count, hosts ? "hosts" : "rows");
		if (!largest) {
			buf_puts(out, " (");
			write_names(across, out, groups, group, hosts);
			buf_putc(out, ')');
		}
	}
	buf_printf(out, " %s %s ", group->count == 1 ? "says" : "say", fact->name);
	words_value(out, value_type_of_fact(fact), ref_cell(across->parts, group->first, groups->indices[0]));
}

static char *compared_sentence(const struct across *across, const struct groups *groups)
{
	size_t named = groups->count > GROUPS ? GROUPS - 1 : groups->count, rest = 0;
	bool hosts = are_hosts(across);
	struct buf out = {0};

	for (size_t i = 0; i < named; i++) {
		if (i)
			buf_puts(&out, ", ");
		write_group(across, &out, groups, &groups->slots[i], !i, hosts);
	}
	for (size_t i = named; i < groups->count; i++)
		rest += groups->slots[i].count;
	if (rest)
		buf_printf(&out, ", %zu more %s say %zu other values", rest, hosts ? "hosts" : "rows",
			   groups->count - named);
	return buf_take(&out);
}

static void add_odd(struct across *across, const struct groups *groups, struct row_ref ref, char **summary)
{
	const struct rs_fact *fact = groups->columns[0].fact;
	struct finding *finding = findings_add(&across->findings, VERDICT_FAIL);

	if (!finding)
		return;
	finding->row = name_of(across, ref);
	finding->row_number = number_of(across, ref);
	finding->fact = fact->name;
	finding->expected = written_values(groups, groups->slots[0].first);
	finding->observed = written_values(groups, ref);
	finding->place = across->spec->same.place;
	finding->sentence = *summary ? *summary
				     : xasprintf("%s: %s is %s, expected %s as in %u rows", finding->row, fact->name,
						 finding->observed, finding->expected, groups->slots[0].count);
	*summary = NULL;
}

/* One fact in all rows; the rows that differ from most are the offending ones. */
static void judge_same(struct across *across, uint8_t column)
{
	struct groups groups;
	char *summary;

	groups_begin(&groups, across->parts, &column, 1, across->judgement->rows_kept);
	EACH_ROW(ref, across)
	{
		if (comparable(across, &groups, ref, "the same everywhere", across->spec->same.place))
			groups_add(&groups, ref);
	}
	if (groups.count < 2) {
		groups_end(&groups);
		return;
	}
	sort_groups(&groups);
	summary = compared_sentence(across, &groups);
	EACH_ROW(row, across)
	{
		if (!cell_comparable(&groups.columns[0], ref_cell(across->parts, row, column)) ||
		    groups_equal(&groups, groups.slots[0].first, row))
			continue;
		mark(across, &across->failed, row);
		add_odd(across, &groups, row, &summary);
	}
	free(summary);
	groups_end(&groups);
}

/* What keeps the comparison from being one of all rows. */
static void check_parts(struct across *across)
{
	for (size_t i = 0; i < across->nparts; i++) {
		const struct judging *part = &across->parts[i];
		const char *label = part->part->label;
		const char *why;
		struct finding *finding;

		across->judgement->rows += part->judgement->rows;
		across->judgement->rows_kept += part->judgement->rows_kept;
		if (!part->broken && !part->where_unjudged)
			continue;
		across->broken = true;
		finding = findings_add(&across->findings, VERDICT_ERROR);
		if (!finding)
			continue;
		/* A part that is broken, or has rows that "where" left open, has an error that says so: its first. */
		why = part->findings.errors[0].sentence;
		finding->sentence =
			across->nparts > 1 && label && *label ? xasprintf("%s: %s", label, why) : xstrdup(why);
		finding->place = part->findings.errors[0].place;
	}
}

/* Nothing to compare passes only where the step says that no row is right. */
static void check_rows(struct across *across)
{
	struct value none = {.state = VALUE_SET};
	const struct matcher *count = across->spec->count;
	struct finding *finding;

	if (across->judgement->rows_kept || across->broken)
		return;
	if (count && matcher_match(count, &none, NULL) == MATCH_YES)
		return;
	finding = findings_add(&across->findings, VERDICT_FAIL);
	sentence_no_row(finding, across->spec, across->judgement->rows);
}

/* How many rows are like the one that the sentence names; the sentence on "same" counts by itself. */
static char *share(const struct across *across)
{
	const struct findings *findings = &across->findings;
	bool fails = findings->nfails && !across->broken;
	size_t like = fails ? across->shared : across->unjudged.count, kept = across->judgement->rows_kept;
	struct buf out = {0};

	if ((!fails && across->broken) || !like || kept < 2)
		return NULL;
	buf_printf(&out, "%zu of ", like);
	words_rows(&out, kept);
	return buf_take(&out);
}

/* Rows that fail, and rows that do not but could not be judged. */
static size_t offending(const struct across *across)
{
	size_t count = across->failed.count + across->unjudged.count;

	if (!across->failed.count || !across->unjudged.count)
		return count;
	EACH_ROW(ref, across)
	{
		const uint64_t *failed = across->failed.bits[ref.part], *unjudged = across->unjudged.bits[ref.part];

		if (failed && unjudged)
			count -= failed[ref.row / 64] & unjudged[ref.row / 64] & (uint64_t)1 << (ref.row % 64) ? 1 : 0;
	}
	return count;
}

bool across_judge(struct judging *parts, size_t count, struct judgement *judgement)
{
	struct across across = {.parts = parts, .nparts = count, .judgement = judgement};

	*judgement = (struct judgement){0};
	if (!count || !(parts[0].spec->unique.count || parts[0].spec->same.count))
		return false;
	across.spec = parts[0].spec;
	check_parts(&across);
	check_rows(&across);
	if (across.spec->unique.count)
		judge_unique(&across);
	for (unsigned i = 0; i < across.spec->same.count; i++)
		judge_same(&across, across.spec->same.columns[i]);
	judgement->offending_rows = offending(&across);
	judging_end(judgement, &across.findings, across.broken, share(&across));
	marks_free(&across.failed, count);
	marks_free(&across.unjudged, count);
	return true;
}
