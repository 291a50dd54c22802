/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libyaml says what its grammar missed, which seldom is what went wrong in the file. Most syntax errors of scenarios
 * are values that YAML takes for something else: their place is the value's, and the answer is "quote it".
 */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define WORD_SHOWN 60 /* longer ones are not repeated in the message */

struct trouble {
	const struct source *source;
	struct diags *diags;
	const char *problem, *context;
	yaml_mark_t problem_mark, context_mark;
	size_t at;	  /* byte of problem_mark */
	size_t line, end; /* bytes: that line */
	struct place cut; /* a value that was cut at " #" */
};

static struct place mark_place(const struct trouble *trouble, yaml_mark_t mark)
{
	return (struct place){
		.file = trouble->source->path, .line = (uint32_t)mark.line + 1, .column = (uint32_t)mark.column + 1};
}

static char byte_at(const struct trouble *trouble, size_t offset)
{
	return offset < trouble->source->length ? trouble->source->data[offset] : '\0';
}

static bool ends_word(char c)
{
	return strchr(" \t\r\n,{}[]", c) != NULL; /* strchr() finds the NUL too */
}

/* The bracket that matches the one at @at in direction @step on the line, or SIZE_MAX */
static size_t other_bracket(const struct trouble *trouble, size_t at, int step)
{
	char one = byte_at(trouble, at), other = step > 0 ? (one == '[' ? ']' : '}') : (one == ']' ? '[' : '{');
	size_t depth = 0;

	for (size_t i = at; i >= trouble->line && i < trouble->end; i += (size_t)step) {
		depth += byte_at(trouble, i) == one;
		depth -= byte_at(trouble, i) == other;
		if (!depth)
			return i;
		if (!i && step < 0)
			break;
	}
	return SIZE_MAX;
}

/* To the left of @at: letters, and brackets with all that is in them. SIZE_MAX where one has no opening on this line.
 */
static size_t word_start(const struct trouble *trouble, size_t at)
{
	while (at > trouble->line) {
		char c = byte_at(trouble, at - 1);

		if (c == ']' || c == '}')
			at = other_bracket(trouble, at - 1, -1);
		else if (ends_word(c))
			break;
		else
			at--;
		if (at == SIZE_MAX)
			break;
	}
	return at;
}

static size_t word_end(const struct trouble *trouble, size_t at)
{
	while (at < trouble->end) {
		char c = byte_at(trouble, at);

		if (c == '[' || c == '{')
			at = other_bracket(trouble, at, 1);
		else if (ends_word(c))
			break;
		if (at == SIZE_MAX)
			break;
		at++;
	}
	return at;
}

/* WHY, then "quote it", with the word as it should be written where it is short enough to be shown. */
static void quote_it(const struct trouble *trouble, yaml_mark_t mark, const char *why, size_t from, size_t to)
{
	size_t length = from == SIZE_MAX || to == SIZE_MAX ? 0 : to - from;
	const char *word = trouble->source->data + (length ? from : 0);
	char quote = memchr(word, '"', length) || memchr(word, '\\', length) ? '\'' : '"';

	if (!length || length > WORD_SHOWN || memchr(word, '\'', length))
		diags_error(trouble->diags, mark_place(trouble, mark), "%s: quote the value", why);
	else
		diags_error(trouble->diags, mark_place(trouble, mark), "%s: quote it: %c%.*s%c", why, quote,
			    (int)length, word, quote);
}

static void quote_word(const struct trouble *trouble, yaml_mark_t mark, const char *why)
{
	size_t at = source_offset(trouble->source, mark.line, mark.column);

	quote_it(trouble, mark, why, word_start(trouble, at), word_end(trouble, at));
}

/* "{device: mlx5_[0-7]}", "[1-2]x", "'a'b": brackets and quotes in the middle of a word */
static bool explain_word(const struct trouble *trouble)
{
	char before = trouble->at > trouble->line ? byte_at(trouble, trouble->at - 1) : ' ';
	char here = byte_at(trouble, trouble->at);
	bool opens = (here == '[' || here == '{') && !ends_word(before);
	bool closed = (before == ']' || before == '}') && !ends_word(here);

	if ((before == '"' || before == '\'') && !ends_word(here)) {
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "nothing can follow the closing quote: quote the value as a whole");
		return true;
	}
	if (!opens && !closed)
		return false;
	quote_word(trouble, trouble->problem_mark,
		   opens ? "inside {} and [] a bracket begins a list or a map of its own"
			 : "a value that begins with a bracket is a list or a map, and nothing can follow it");
	return true;
}

static bool is_behind(struct place place, struct place other)
{
	return place.line > other.line || (place.line == other.line && place.column > other.column);
}

static void explain_flow(const struct trouble *trouble)
{
	bool map = strchr(trouble->problem, '}');
	struct place open = mark_place(trouble, trouble->context_mark);

	if (explain_word(trouble))
		return;
	if (byte_at(trouble, trouble->at) == ':' &&
	    memchr(trouble->source->data + trouble->line, ':', trouble->at - trouble->line))
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "a second ':' behind one key: quote the value if it belongs to it");
	else if (is_behind(trouble->cut, open))
		diags_error(trouble->diags, trouble->cut,
			    "the value ends at ' #', and with it what began with '%c' at line %" PRIu32
			    ", column %" PRIu32 ": what follows is a comment; quote the value",
			    map ? '{' : '[', open.line, open.column);
	else
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "expected ',' or '%c' here: '%c' is open since line %" PRIu32 ", column %" PRIu32,
			    map ? '}' : ']', map ? '{' : '[', open.line, open.column);
}

static void explain_first_character(const struct trouble *trouble)
{
	char why[64], c = byte_at(trouble, trouble->at);

	if (c == '\t') {
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "a tab where YAML wants blanks for indentation");
		return;
	}
	snprintf(why, sizeof(why), "a value cannot begin with '%c' here", c);
	quote_word(trouble, trouble->problem_mark, why);
}

/* "name: rack 12: east", or a line that is indented more than the one that it belongs beside */
static void explain_colon(const struct trouble *trouble)
{
	size_t from = trouble->line, to = trouble->end;

	while (from < trouble->at && (byte_at(trouble, from) != ':' || byte_at(trouble, from + 1) != ' '))
		from++;
	if (from == trouble->at) {
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "no key can be here: check the indentation, or quote the value if the ':' belongs to it");
		return;
	}
	for (from++; byte_at(trouble, from) == ' ';)
		from++;
	while (to > from && strchr(" \t\r\n", byte_at(trouble, to - 1)))
		to--;
	quote_it(trouble, trouble->problem_mark, "a second ':' in one line makes the value a key", from, to);
}

static void explain_missing_node(const struct trouble *trouble)
{
	char c = byte_at(trouble, trouble->at);

	if (c == ':')
		quote_word(trouble, trouble->problem_mark, "inside {} and [] a ':' ends a key");
	else
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    c == ']' || c == '}' ? "'%c' closes nothing; if it belongs to the value, quote it"
			    : c == ','		 ? "a value cannot begin with '%c': quote it"
						 : "expected a value here",
			    c);
}

/* Most often a line that is indented less or more than its neighbours. */
static void explain_missing_key(const struct trouble *trouble)
{
	char c = byte_at(trouble, trouble->at);

	if (explain_word(trouble))
		return;
	if (c == ']' || c == '}')
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark), "'%c' closes nothing", c);
	else
		diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark),
			    "expected a key here: check the indentation against line %zu",
			    trouble->context_mark.line + 1);
}

static void explain_context(const struct trouble *trouble, const char *why)
{
	quote_word(trouble, trouble->context_mark, why);
}

static void explain_place(const struct trouble *trouble, const char *why)
{
	diags_error(trouble->diags, mark_place(trouble, trouble->problem_mark), "%s", why);
}

static void explain_start(const struct trouble *trouble, const char *why)
{
	diags_error(trouble->diags, mark_place(trouble, trouble->context_mark), "%s", why);
}

static void explain_otherwise(const struct trouble *trouble)
{
	AUTO_BUF struct buf text = {0};

	buf_puts(&text, trouble->problem);
	if (trouble->context)
		buf_printf(&text, " %s that began at line %zu, column %zu", trouble->context,
			   trouble->context_mark.line + 1, trouble->context_mark.column + 1);
	explain_place(trouble, text.data);
}

/* What libyaml 0.2 says, as prefixes of its context and problem, and who knows what to make of it. */
static const struct {
	const char *context, *problem;
	void (*explain)(const struct trouble *trouble);
	void (*say)(const struct trouble *trouble, const char *why);
	const char *why;
} table[] = {
	{"while parsing a flow", "did not find expected ','", explain_flow},
	{"while parsing a flow node", "did not find expected node", explain_missing_node},
	{"while parsing a block node", "did not find expected node", explain_missing_node},
	{"while parsing a block mapping", "did not find expected key", explain_missing_key},
	{"while parsing a block collection", "did not find expected '-'", NULL, explain_place,
	 "expected '- ' here: check the indentation of the list's entries"},
	{"while scanning an alias", "", NULL, explain_context, "'*' begins an alias of YAML, and aliases are refused"},
	{"while scanning an anchor", "", NULL, explain_context,
	 "'&' begins an anchor of YAML, and anchors are refused"},
	{"while scanning a tag", "", NULL, explain_context, "'!' begins a tag of YAML, and tags are refused"},
	{"while parsing a tag", "", NULL, explain_context, "'!' begins a tag of YAML, and tags are refused"},
	{"while parsing a node", "found undefined tag handle", NULL, explain_context,
	 "'!' begins a tag of YAML, and tags are refused"},
	{"while scanning for the next token", "found character that cannot start", explain_first_character},
	{"while scanning a plain scalar", "found unexpected ':'", NULL, explain_context,
	 "inside {} and [] a ':' before a bracket or a comma is refused"},
	{"while scanning a plain scalar", "found a tab", NULL, explain_place,
	 "a tab where YAML wants blanks for indentation"},
	{"while scanning a simple key", "could not find expected ':'", NULL, explain_start,
	 "a key without ':' behind it"},
	{"while scanning a quoted scalar", "found unexpected", NULL, explain_start, "the quote here is never closed"},
	{"while parsing a quoted scalar", "found unknown escape", NULL, explain_place,
	 "an escape that YAML does not know: double the backslash, or use single quotes"},
	{"while scanning a block scalar", "found a tab", NULL, explain_place,
	 "a tab where YAML wants blanks for indentation"},
	{"while scanning a block scalar", "did not find expected comment", NULL, explain_context,
	 "'|' and '>' begin a block of lines, and nothing can follow them"},
	{NULL, "mapping values are not allowed", explain_colon},
	{NULL, "block sequence entries are not allowed", NULL, explain_place,
	 "a list cannot begin here: put '-' on a line of its own, or quote the value if '-' belongs to it"},
	{NULL, "mapping keys are not allowed", NULL, explain_place,
	 "'? ' begins a key, and no key can be here: if it belongs to the value, quote it"},
	{NULL, "did not find expected <document start>", NULL, explain_place,
	 "the document has ended before this; check for a ':' without a blank behind it, and for '...'"},
};

static bool begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool explain(const struct source *source, const yaml_parser_t *parser, struct place cut, struct diags *diags)
{
	struct trouble trouble = {
		.source = source,
		.diags = diags,
		.problem = parser->problem ? parser->problem : "out of memory",
		.context = parser->context,
		.problem_mark = parser->problem_mark,
		.context_mark = parser->context_mark,
		.at = source_offset(source, parser->problem_mark.line, parser->problem_mark.column),
		.line = source_offset(source, parser->problem_mark.line, 0),
		.end = source_offset(source, parser->problem_mark.line, SIZE_MAX),
		.cut = cut,
	};

	if (parser->error == YAML_MEMORY_ERROR)
		out_of_memory();
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].context ? !trouble.context || !begins(trouble.context, table[i].context)
				     : trouble.context != NULL)
			continue;
		if (!begins(trouble.problem, table[i].problem))
			continue;
		if (table[i].explain)
			table[i].explain(&trouble);
		else
			table[i].say(&trouble, table[i].why);
		return table[i].explain == explain_flow && is_behind(cut, mark_place(&trouble, trouble.context_mark));
	}
	explain_otherwise(&trouble);
	return false;
}
