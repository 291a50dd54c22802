/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/junit_tree.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "report/target.h"

#define CASE_COST 150 /* markup of a case, and its time */

static const char *token(struct junit_tree *tree, const char *text, const char *fallback)
{
	AUTO_BUF struct buf out = {0};

	text_words(&out, text);
	return arena_text(&tree->arena, out.length ? out.data : fallback, out.length ? out.length : strlen(fallback));
}

static const char *timestamp(struct junit_tree *tree, double seconds)
{
	time_t time = (time_t)seconds;
	struct tm tm;
	char text[32];

	if (!gmtime_r(&time, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		return "1970-01-01T00:00:00";
	return arena_text(&tree->arena, text, strlen(text));
}

static const char *classname(struct junit_tree *tree, const struct scenario *scenario, const struct rs_probe *probe)
{
	const char *dot = strchr(probe->name, '.');
	int length = dot ? (int)(dot - probe->name) : (int)strlen(probe->name);

	return arena_printf(&tree->arena, "%s.%.*s", token(tree, scenario->name, "scenario"), length, probe->name);
}

static void build_cases(struct junit_tree *tree, const struct junit_part *part, struct junit_case *item, bool positions)
{
	for (size_t i = 0; i < part->nsteps; i++) {
		const struct scenario_step *step = part->steps[i]->plan->step;
		const char *class = classname(tree, part->scenario, step->probe.probe);

		for (size_t c = 0; c < part->steps[i]->ncases; c++, item++) {
			const struct result_case *result = &part->steps[i]->cases[c];

			item->classname = class;
			item->name =
				labels_unique(&tree->labels, &tree->arena, class, token(tree, result->name, "step"));
			item->seconds = result->seconds;
			if (positions && step->place.file) {
				item->file = token(tree, step->place.file, "scenario");
				item->line = step->place.line;
			}
			junit_outcome_of(tree, result, item);
			tree->spent += CASE_COST + junit_cost(class, strlen(class)) +
				       junit_cost(item->name, strlen(item->name));
		}
	}
}

/* From the start of the first step to the end of the last. */
static double span(const struct junit_part *part, double *first)
{
	double last = 0;

	*first = 0;
	for (size_t i = 0; i < part->nsteps; i++) {
		const struct result_step *step = part->steps[i];

		if (!(step->started > 0))
			continue;
		if (!(*first > 0) || step->started < *first)
			*first = step->started;
		if (step->started + step->seconds > last)
			last = step->started + step->seconds;
	}
	return last > *first ? last - *first : 0;
}

static void build_suite(struct junit_tree *tree, struct junit_part *part, struct junit_suite *suite, bool positions)
{
	struct junit_case *cases;
	double started;

	suite->name = token(tree, part->scenario->name, "scenario");
	suite->package = token(tree, part->scenario->text.nfiles ? part->scenario->text.files[0].path : "", "scenario");
	suite->hostname = token(tree, part->result->hostname, "localhost");
	suite->seconds = span(part, &started);
	suite->timestamp = timestamp(tree, started > 0 ? started : part->result->started);
	for (size_t i = 0; i < part->nsteps; i++)
		suite->ncases += part->steps[i]->ncases;
	cases = arena_alloc(&tree->arena, (suite->ncases + 1) * sizeof(*cases));
	build_cases(tree, part, cases, positions);
	suite->cases = cases;
	part->cases = cases;
	suite->output = suite->errors = "";
}

/* What no step tells gets a case of its own: without it such a file would look green. */
static void add_run_case(struct junit_tree *tree, const struct result *result)
{
	struct junit_suite *suite = &tree->suites[0];
	struct junit_case *item = &suite->cases[suite->ncases];
	AUTO_BUF struct buf text = {0};

	item->type = view_run(&text, result);
	if (!item->type)
		return;
	item->classname = arena_printf(&tree->arena, "%s.rdmaspec", suite->name);
	item->name = labels_unique(&tree->labels, &tree->arena, item->classname, "the run as a whole");
	item->seconds = 0;
	item->outcome = JUNIT_ERROR;
	item->message = item->text = arena_text(&tree->arena, text.data, text.length);
	suite->ncases++;
}

/* A run without any step still makes a file that says so. */
static void build_empty(struct junit_tree *tree, const struct result *result, struct registry *registry)
{
	static const struct scenario nothing = {.name = "rdmaspec"};
	struct junit_part part = {.result = result, .scenario = &nothing};

	tree->suites = arena_alloc(&tree->arena, sizeof(*tree->suites));
	tree->nsuites = 1;
	build_suite(tree, &part, tree->suites, false);
	add_run_case(tree, result);
	junit_properties(tree, &part, registry, tree->suites);
}

/* A part a scenario, in the order in which their first steps stand in the plan. */
static struct junit_part *collect(struct junit_tree *tree, const struct result *result, size_t *count)
{
	struct pointers scenarios = {0};
	struct junit_part *parts;

	for (size_t i = 0; i < result->nsteps; i++)
		pointers_add(&scenarios, result->steps[i].plan->scenario, NULL);
	parts = arena_alloc(&tree->arena, (scenarios.count + 1) * sizeof(*parts));
	for (size_t i = 0; i < result->nsteps; i++)
		parts[pointers_add(&scenarios, result->steps[i].plan->scenario, NULL)].nsteps++;
	for (size_t i = 0; i < scenarios.count; i++) {
		parts[i].result = result;
		parts[i].scenario = scenarios.items[i];
		parts[i].steps = arena_alloc(&tree->arena, parts[i].nsteps * sizeof(*parts[i].steps));
		parts[i].nsteps = 0;
	}
	for (size_t i = 0; i < result->nsteps; i++) {
		struct junit_part *part = &parts[pointers_add(&scenarios, result->steps[i].plan->scenario, NULL)];

		part->steps[part->nsteps++] = &result->steps[i];
	}
	*count = scenarios.count;
	pointers_free(&scenarios);
	return parts;
}

static void build(struct junit_tree *tree, const struct result *result, struct registry *registry, bool positions)
{
	struct junit_part *parts = collect(tree, result, &tree->nsuites);

	if (!tree->nsuites) {
		build_empty(tree, result, registry);
		return;
	}
	tree->suites = arena_alloc(&tree->arena, tree->nsuites * sizeof(*tree->suites));
	for (size_t i = 0; i < tree->nsuites; i++)
		build_suite(tree, &parts[i], &tree->suites[i], positions);
	add_run_case(tree, result);
	for (size_t i = 0; i < tree->nsuites; i++)
		junit_properties(tree, &parts[i], registry, &tree->suites[i]);
	for (size_t i = 0; i < tree->nsuites; i++) {
		size_t left = tree->spent < JUNIT_FILE_MAX ? JUNIT_FILE_MAX - tree->spent : 0;

		junit_output(tree, &parts[i], &tree->suites[i], left / (tree->nsuites - i));
	}
}

int junit_write(FILE *out, const struct result *result, struct registry *registry, bool positions, struct diag *diag)
{
	const struct junit_module *module = module_load(diag);
	struct junit_tree tree = {0};
	int error;

	if (!module)
		return -ENOENT;
	build(&tree, result, registry, positions);
	error = module->write(out, tree.suites, tree.nsuites);
	labels_free(&tree.labels);
	arena_free(&tree.arena);
	return error;
}
