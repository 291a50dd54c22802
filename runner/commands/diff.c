/* SPDX-License-Identifier: BSD-2-Clause */
/* What two recorded runs do not have in common. */
#include <string.h>

#include "base/cleanup.h"
#include "commands/commands.h"
#include "report/diff.h"

/** struct differing - @list: of observations, in JSON; NULL: for people */
struct differing {
	const struct settings *settings;
	struct registry *registry;
	struct recording *a, *b;
	struct diff_counts counts;
	json_t *list;
	bool failed;
};

static const struct rs_source *source_of(struct differing *differing, const struct recorded *item)
{
	AUTO_FREE char *why = NULL;
	const struct rs_source *source = registry_source(differing->registry, item->source, &why);

	if (!source) {
		complain("%s was not compared: %s", item->source, why);
		differing->failed = true;
	}
	return source;
}

/* "node-1→node-2 ib.bandwidth", with the parameters where the same was asked with others. */
static void where(struct buf *out, const struct differing *differing, const struct recorded *item, const char *name)
{
	buf_puts(out, item->host);
	if (item->server)
		buf_printf(out, "→%s", item->server);
	buf_printf(out, " %s", name);
	if (recording_asks_otherwise(differing->a, item) || recording_asks_otherwise(differing->b, item))
		buf_printf(out, " %s", item->params);
}

static json_t *about_json(const struct recorded *item, const char *status)
{
	json_t *object = json_pack("{s:s, s:s, s:s}", "status", status, "host", item->host, "source", item->source);

	if (item->server)
		json_object_set_new(object, "server", json_string(item->server));
	json_object_set_new(object, "params", json_loads(item->params, 0, NULL));
	return object;
}

/* One side has it, or could observe it, and the other has not: @why. */
static void one_sided(struct differing *differing, const struct recorded *item, const char *status, const char *why)
{
	AUTO_BUF struct buf label = {0};

	differing->counts.observations++;
	if (differing->list) {
		json_t *object = about_json(item, status);

		json_object_set_new(object, "why", json_string(why));
		json_array_append_new(differing->list, object);
		return;
	}
	where(&label, differing, item, item->source);
	diff_line(stdout, status, label.data, why);
}

static bool compare_table(struct differing *differing, const struct recorded *item, const struct rs_source *source,
			  const struct table *a, const struct table *b, json_t *tables)
{
	struct diff_counts before = differing->counts;
	struct comparison comparison = {0};
	AUTO_BUF struct buf label = {0};

	compare_tables(a, b, compare_moving(source, a->probe), &comparison);
	where(&label, differing, item, a->probe->name);
	if (!tables)
		diff_table(stdout, label.data, a, b, &comparison, differing->settings->verbose, &differing->counts);
	else if (comparison.count)
		json_array_append_new(tables, diff_table_json(a, b, &comparison, &differing->counts));
	comparison_free(&comparison);
	return before.changed == differing->counts.changed && before.added == differing->counts.added &&
	       before.gone == differing->counts.gone;
}

static void compare_observed(struct differing *differing, const struct recorded *item, const struct observation *a,
			     const struct observation *b)
{
	json_t *tables = differing->list ? json_array() : NULL, *object;
	bool same = true;

	for (size_t i = 0; i < a->source->nprobes && i < 32; i++)
		if (a->tables[i] && b->tables[i])
			same &= compare_table(differing, item, a->source, a->tables[i], b->tables[i], tables);
	differing->counts.same += same;
	if (!tables)
		return;
	if (!json_array_size(tables)) {
		json_decref(tables);
		return;
	}
	object = about_json(item, same ? "moved" : "changed");
	json_object_set_new(object, "tables", tables);
	json_array_append_new(differing->list, object);
}

static void compare_both(struct differing *differing, const struct recorded *item, const struct recorded *other,
			 const struct rs_source *source)
{
	struct observation *a = recorded_observation(differing->a, item, source, RECORDED_ALL);
	struct observation *b = recorded_observation(differing->b, other, source, RECORDED_ALL);

	if (!a->error && b->error)
		one_sided(differing, item, "error", b->error);
	else if (a->error && !b->error)
		one_sided(differing, item, "observed", "it could not be observed before");
	else if (a->error && strcmp(a->error, b->error) != 0)
		one_sided(differing, item, "error", b->error);
	else if (a->error)
		differing->counts.same++;
	else
		compare_observed(differing, item, a, b);
	observation_unref(a);
	observation_unref(b);
}

static void compare_from_a(struct differing *differing)
{
	size_t count;
	const struct recorded *items = recording_observations(differing->a, &count);

	for (size_t i = 0; i < count; i++) {
		const struct recorded *item = &items[i], *other = recording_last(differing->b, item);
		const struct rs_source *source;

		if (recording_last(differing->a, item) != item)
			continue;
		if (!other) {
			const char *absent = recording_absence(differing->b, item->host);

			one_sided(differing, item, "gone", absent ? absent : "it was not recorded");
			continue;
		}
		source = source_of(differing, item);
		if (source)
			compare_both(differing, item, other, source);
	}
}

static void find_added(struct differing *differing)
{
	size_t count;
	const struct recorded *items = recording_observations(differing->b, &count);

	for (size_t i = 0; i < count; i++)
		if (recording_last(differing->b, &items[i]) == &items[i] && !recording_last(differing->a, &items[i]))
			one_sided(differing, &items[i], "added", "it was not recorded before");
}

static json_t *side_json(const struct recording *recording)
{
	const struct recording_about *about = recording_about(recording);

	return json_pack("{s:s, s:f}", "path", about->path, "started", about->started);
}

static void print_json(struct differing *differing)
{
	const struct diff_counts *counts = &differing->counts;
	json_t *document = json_pack("{s:s, s:i, s:o, s:o, s:{s:I, s:I, s:I, s:I, s:I}, s:o}", "format",
				     "rdmaspec.diff", "format_version", 1, "a", side_json(differing->a), "b",
				     side_json(differing->b), "counts", "rows_changed", (json_int_t)counts->changed,
				     "rows_added", (json_int_t)counts->added, "rows_gone", (json_int_t)counts->gone,
				     "observations_on_one_side", (json_int_t)counts->observations, "observations_same",
				     (json_int_t)counts->same, "observations", differing->list);

	report_json_dump(stdout, document);
	json_decref(document);
}

static int compare(struct differing *differing)
{
	if (differing->settings->json)
		differing->list = json_array();
	compare_from_a(differing);
	find_added(differing);
	if (differing->list)
		print_json(differing);
	else
		diff_summary(stdout, &differing->counts);
	if (differing->failed)
		return flush_stdout(EXIT_UNJUDGED);
	return flush_stdout(diff_is_empty(&differing->counts) ? EXIT_PASS : EXIT_FAIL);
}

static int diff_main(struct settings *settings)
{
	struct differing differing = {.settings = settings};
	AUTO_DIAG struct diag diag = {0};
	int status = EXIT_UNJUDGED;

	if (settings->narguments != 2) {
		complain("diff takes two recordings; see 'rdmaspec diff --help'");
		return EXIT_USAGE;
	}
	differing.a = recording_load(settings->arguments[0], &diag);
	if (differing.a)
		differing.b = recording_load(settings->arguments[1], &diag);
	if (differing.b) {
		differing.registry = registry_new(settings->plugin_dir);
		status = compare(&differing);
		registry_free(differing.registry);
	} else {
		complain("%s", diag.text);
	}
	recording_free(differing.a);
	recording_free(differing.b);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.arguments = "A B",
	.summary = "what changed between two recorded runs",
	.about =
		"Compares what two runs observed that were kept with 'rdmaspec run --record': rows by their key facts, "
		"observation by observation; of those that were made several times, the last. What changes by itself "
		"(volatile facts, counters, what a measurement comes to) is no difference; --verbose shows it.\n\n"
		"The exit status is 0 where there is no difference, 1 where there is one, 2 where something could not "
		"be "
		"read or compared, and 64 for a wrong command line.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_JSON) | TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_VERBOSE),
	.main = diff_main,
};
