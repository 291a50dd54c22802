/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Markdown for a comment on a pull request and for a CI's summary page. Its tables are HTML, which all of those render:
 * within an HTML block nothing is markup but tags, and what stands in <code> is no mention, no reference and no link
 * for GitHub and GitLab either. So hostile text only needs the escapes of HTML. No line in a block may be empty: that
 * would end it.
 */
#include <errno.h>
#include <string.h>

#include "report/grouping.h"
#include "report/print.h"
#include "report/target.h"
#include "report/waivers.h"

/* A comment on GitHub takes 65,536 characters; a step's summary 1 MiB. Counted in bytes, which are never fewer. */
#define PAGE_MAX 65000
#define FAILURES_MAX 44000
#define WAIVERS_MAX 6000
#define HEAD_MAX 6000
#define LEFT_OUT_MAX 500 /* what is said of that */
#define FINDINGS_SHOWN 5 /* of one group of cases */
#define TEXT_MAX 240	 /* columns */

/* ---- Text ---- */

static void put_escaped(struct buf *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case '&':
			buf_puts(out, "&amp;");
			break;
		case '<':
			buf_puts(out, "&lt;");
			break;
		case '>':
			buf_puts(out, "&gt;");
			break;
		case '"':
			buf_puts(out, "&quot;");
			break;
		default:
			buf_putc(out, text[i]);
		}
	}
}

/* Text that is not ours: one line, cut where it is long. */
static void put_code(struct buf *out, const char *text)
{
	AUTO_BUF struct buf line = {0};
	size_t length;

	text_words(&line, text);
	if (!line.length)
		return;
	length = text_cut(line.data, line.length, TEXT_MAX);
	buf_puts(out, "<code>");
	put_escaped(out, line.data, length);
	buf_puts(out, length < line.length ? "…</code>" : "</code>");
}

static void put_cell(struct buf *out, const char *text)
{
	buf_puts(out, "<td>");
	put_code(out, text);
	buf_puts(out, "</td>");
}

static void put_place(struct buf *out, struct place place)
{
	AUTO_BUF struct buf text = {0};

	view_place(&text, place);
	put_cell(out, text.data);
}

static void put_title(struct buf *out, const struct result_step *step)
{
	AUTO_BUF struct buf title = {0};

	view_title(&title, step->plan->step);
	put_code(out, title.data);
}

/* ---- What did not pass ---- */

/**
 * struct rows - the rows of a table, as many as have room
 * @left_out, @cases_left_out: rows and the cases that they are about
 */
struct rows {
	struct buf text;
	size_t room, left_out, cases_left_out;
};

/* Takes a row whole or not at all; what follows the first that has no room is left out too, so that none is missed in
 * between. */
static void add_row(struct rows *rows, const struct buf *row, size_t cases)
{
	if (rows->left_out || rows->text.length + row->length > rows->room) {
		rows->left_out++;
		rows->cases_left_out += cases;
		return;
	}
	buf_add(&rows->text, row->data, row->length);
}

static void put_finding(struct buf *out, const struct finding *finding)
{
	if (view_tabular(finding)) {
		buf_puts(out, "<td>");
		put_code(out, finding->row);
		buf_puts(out, ": ");
		put_code(out, finding->fact);
		buf_puts(out, "</td>");
		put_cell(out, finding->expected);
		put_cell(out, finding->observed);
	} else {
		buf_puts(out, "<td colspan=\"3\">");
		put_code(out, finding->sentence);
		buf_puts(out, "</td>");
	}
	put_place(out, finding->place);
}

/* The step, and the cases where they are not all of it. */
static void put_who(struct buf *out, const struct result_step *step, const struct case_group *group)
{
	AUTO_BUF struct buf labels = {0};

	put_title(out, step);
	if (step->ncases > 1)
		view_labels(&labels, group->cases, group->count);
	if (!labels.length)
		return;
	buf_puts(out, "<br>");
	put_code(out, labels.data);
}

static void begin_row(struct buf *out, const struct result_step *step, const struct case_group *group)
{
	buf_clear(out);
	buf_printf(out, "<tr><td>%s</td><td>", view_outcome_word(group->outcome));
	put_who(out, step, group);
	buf_puts(out, "</td>");
}

static void end_row(struct rows *rows, struct buf *row, size_t cases)
{
	buf_puts(row, "</tr>\n");
	add_row(rows, row, cases);
}

static void add_sentence(struct rows *rows, const struct result_step *step, const struct case_group *group)
{
	AUTO_BUF struct buf row = {0};

	begin_row(&row, step, group);
	buf_puts(&row, "<td colspan=\"3\">");
	put_code(&row, group->said ? view_sentence(group->cases[0]) : "for other reasons");
	buf_puts(&row, "</td>");
	put_place(&row, step->plan->step->place);
	end_row(rows, &row, group->count);
}

static void add_group(struct rows *rows, const struct result_step *step, const struct case_group *group)
{
	const struct result_attempt *last = view_last(group->cases[0]);
	const struct judgement *judgement = last ? &last->judgement : NULL;
	size_t shown = 0, all;
	AUTO_BUF struct buf row = {0};

	if (!judgement || !judgement->nfindings || !group->said) {
		add_sentence(rows, step, group);
		return;
	}
	for (; shown < judgement->nfindings && shown < FINDINGS_SHOWN; shown++) {
		begin_row(&row, step, group);
		put_finding(&row, &judgement->findings[shown]);
		end_row(rows, &row, shown ? 0 : group->count);
	}
	all = judgement->offending_rows > judgement->nfindings ? judgement->offending_rows : judgement->nfindings;
	if (shown == all)
		return;
	begin_row(&row, step, group);
	buf_printf(&row, "<td colspan=\"4\">… and %zu%s more</td>", all - shown,
		   judgement->nfindings == FINDINGS_KEPT ? " or" : "");
	end_row(rows, &row, 0);
}

static void add_groups(struct rows *rows, const struct result_step *step, enum outcome outcome)
{
	struct grouping grouping;

	grouping_make(&grouping, step);
	for (size_t i = 0; i < grouping.count; i++)
		if (grouping.groups[i].outcome == outcome)
			add_group(rows, step, &grouping.groups[i]);
	grouping_free(&grouping);
}

static void put_table(struct buf *out, const char *headings, const struct rows *rows)
{
	if (rows->text.length)
		buf_printf(out, "<table><thead><tr>%s</tr></thead><tbody>\n%s</tbody></table>\n", headings,
			   rows->text.data);
}

static void put_failures(struct buf *out, const struct result *result)
{
	struct rows rows = {.room = FAILURES_MAX};

	for (enum outcome outcome = OUTCOME_FAIL; outcome <= OUTCOME_WARNING; outcome++)
		for (size_t i = 0; i < result->nsteps; i++)
			add_groups(&rows, &result->steps[i], outcome);
	if (rows.text.length) {
		buf_puts(out, "#### What did not pass\n\n");
		put_table(out,
			  "<th>verdict</th><th>step</th><th>fact</th><th>expected</th><th>observed</th>"
			  "<th>place</th>",
			  &rows);
		if (rows.left_out)
			buf_printf(out,
				   "<p><b>%zu more rows of this table are left out</b>, %zu cases among them: the JSON "
				   "and HTML reports have them all.</p>\n",
				   rows.left_out, rows.cases_left_out);
		buf_putc(out, '\n');
	}
	buf_free(&rows.text);
}

/* ---- Waivers that end soon, and the rest ---- */

static void put_waivers(struct buf *out, const struct result *result)
{
	AUTO_FREE struct waiver_use *list = NULL;
	size_t count = waivers_of(result, &list);
	struct rows rows = {.room = WAIVERS_MAX};

	for (size_t i = 0; i < count && waiver_is_soon(&list[i]); i++) {
		AUTO_BUF struct buf row = {0}, days = {0};

		buf_puts(&row, "<tr><td>");
		put_title(&row, list[i].step);
		buf_puts(&row, "</td>");
		put_cell(&row, list[i].waiver->reason);
		waiver_days(&days, &list[i]);
		buf_printf(&row, "<td>%s (%s)</td></tr>\n", days.data, list[i].waiver->until);
		add_row(&rows, &row, 1);
	}
	if (rows.text.length) {
		buf_puts(out, "#### Waivers that end soon\n\n");
		put_table(out, "<th>step</th><th>reason</th><th>end</th>", &rows);
		if (rows.left_out)
			buf_printf(out, "<p><b>%zu more are left out</b>: the JSON report has them all.</p>\n",
				   rows.left_out);
		buf_putc(out, '\n');
	}
	buf_free(&rows.text);
}

static void add_rest(struct rows *rows, const struct result_step *step, enum outcome outcome)
{
	AUTO_BUF struct buf row = {0};

	buf_printf(&row, "<tr><td>%s</td><td>", view_outcome_word(outcome));
	put_title(&row, step);
	buf_printf(&row, "</td><td>%zu</td>", step->ncases);
	put_cell(&row, outcome > OUTCOME_WARNING && step->ncases && step->cases[0].reason ? step->cases[0].reason
											  : step->cases[0].note);
	end_row(rows, &row, 1);
}

/* All steps but those of the first table, folded. */
static void put_rest(struct buf *out, const struct result *result)
{
	struct rows rows = {.room = PAGE_MAX - LEFT_OUT_MAX > out->length ? PAGE_MAX - LEFT_OUT_MAX - out->length : 0};
	size_t steps = 0;

	for (size_t i = 0; i < result->nsteps; i++) {
		struct grouping grouping;
		enum outcome outcome;

		grouping_make(&grouping, &result->steps[i]);
		outcome = grouping_worst(&grouping);
		grouping_free(&grouping);
		if (outcome <= OUTCOME_WARNING || !result->steps[i].ncases)
			continue;
		add_rest(&rows, &result->steps[i], outcome);
		steps++;
	}
	if (steps) {
		buf_printf(out, "<details><summary>%zu other step%s</summary>\n", steps, plural(steps));
		put_table(out, "<th>verdict</th><th>step</th><th>cases</th><th></th>", &rows);
		if (rows.left_out)
			buf_printf(out,
				   "<p><b>%zu more steps are left out</b>: the JSON and HTML reports have them "
				   "all.</p>\n",
				   rows.left_out);
		buf_puts(out, "</details>\n");
	}
	buf_free(&rows.text);
}

/* ---- The top ---- */

static void put_list(struct buf *out, const char *lead, const char *const *items, size_t count)
{
	size_t shown = 0;

	if (!count)
		return;
	buf_puts(out, lead);
	for (; shown < count && out->length < HEAD_MAX; shown++) {
		buf_puts(out, shown ? ", " : "");
		put_code(out, items[shown]);
	}
	if (shown < count)
		buf_printf(out, " and %zu more", count - shown);
}

static void put_head(struct buf *out, const struct result *result)
{
	struct pointers scenarios = {0};
	AUTO_BUF struct buf summary = {0};
	const char **names;

	for (size_t i = 0; i < result->nsteps; i++)
		pointers_add(&scenarios, result->steps[i].plan->scenario, NULL);
	names = xcalloc(scenarios.count + 1, sizeof(*names));
	for (size_t i = 0; i < scenarios.count; i++)
		names[i] = ((const struct scenario *)scenarios.items[i])->name;
	print_summary(&summary, result, false);
	buf_printf(out, "### rdmaspec: %s\n\n%s\n<p>", view_verdict(result), summary.data);
	put_list(out, "", names, scenarios.count);
	put_list(out, scenarios.count ? " on " : "on ", (const char *const *)&result->hostname,
		 result->hostname != NULL);
	put_list(out, ", simulated fabric ", (const char *const *)&result->simulated, result->simulated != NULL);
	put_list(out, "<br>note: ", (const char *const *)result->notes.items, result->notes.count);
	buf_puts(out, "</p>\n\n");
	free(names);
	pointers_free(&scenarios);
}

int markdown_write(FILE *out, const struct result *result)
{
	AUTO_BUF struct buf page = {0};

	put_head(&page, result);
	put_failures(&page, result);
	put_waivers(&page, result);
	put_rest(&page, result);
	errno = 0;
	fwrite(page.data, 1, page.length, out);
	return ferror(out) ? (errno ? -errno : -EIO) : 0;
}
