/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop over libyaml's events. It stops as soon as the text is nested too deep, for libyaml's scanner takes a time
 * that grows with the square of the depth.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define ANCHORS_KEPT 64

/* One list or map that is open. */
struct frame {
	struct node *node;
	const struct node **tail; /* where the next child is linked */
	bool at_value;		  /* of a map: the next node is a value */
	bool drop;		  /* the pair's key was refused: its value is read, but not kept */
};

struct parse {
	struct text *text;
	const struct source *source;
	struct diags *diags;
	yaml_parser_t yaml;
	struct frame frames[DEPTH_MAX];
	size_t depth;
	const struct node *root;
	unsigned documents;
	struct cut cut;
	struct place cut_value;	     /* the last value that was cut at " #" */
	bool cut_unsaid;	     /* its warning waits for the next event: it may explain a syntax error */
	char *anchors[ANCHORS_KEPT]; /* a NULL ends them */
	bool failed, done;
};

static void parse_free(struct parse *parse)
{
	yaml_parser_delete(&parse->yaml);
	for (size_t i = 0; i < ANCHORS_KEPT; i++)
		free(parse->anchors[i]);
}

static struct place mark_place(const struct parse *parse, yaml_mark_t mark)
{
	return (struct place){
		.file = parse->source->path, .line = (uint32_t)mark.line + 1, .column = (uint32_t)mark.column + 1};
}

#define REFUSE(parse, mark, ...)                                                                                       \
	do {                                                                                                           \
		(parse)->failed = true;                                                                                \
		diags_error((parse)->diags, mark_place((parse), (mark)), __VA_ARGS__);                                 \
	} while (0)

static void refuse_tag(struct parse *parse, const yaml_event_t *event, const yaml_char_t *tag)
{
	static const char standard[] = "tag:yaml.org,2002:";
	const char *name = (const char *)tag;
	bool shorten = !strncmp(name, standard, sizeof(standard) - 1);

	REFUSE(parse, event->start_mark, "tags are refused: '%s%s'; if it is the value, quote it", shorten ? "!!" : "",
	       shorten ? name + sizeof(standard) - 1 : name);
}

static void refuse_anchor(struct parse *parse, const yaml_event_t *event, const yaml_char_t *anchor)
{
	REFUSE(parse, event->start_mark,
	       "anchors and aliases are refused: '&%s'; for a value that is used twice there are variables",
	       (const char *)anchor);
	for (size_t i = 0; i < ANCHORS_KEPT; i++) {
		if (parse->anchors[i])
			continue;
		parse->anchors[i] = xstrdup((const char *)anchor);
		break;
	}
}

/* With its anchor refused, an alias is no news; without one it most likely was meant as a glob. */
static void refuse_alias(struct parse *parse, const yaml_event_t *event, const char *name)
{
	for (size_t i = 0; i < ANCHORS_KEPT && parse->anchors[i]; i++)
		if (!strcmp(parse->anchors[i], name))
			return;
	if (!parse->anchors[ANCHORS_KEPT - 1])
		REFUSE(parse, event->start_mark,
		       "'*' begins an alias of YAML, and aliases are refused: quote it: \"*%s\"", name);
}

static struct node *new_node(struct parse *parse, enum node_kind kind, const yaml_event_t *event)
{
	struct node *node = arena_alloc(&parse->text->arena, sizeof(*node));

	node->kind = (uint8_t)kind;
	node->file = parse->source->file;
	node->line = (uint32_t)event->start_mark.line + 1;
	node->column = (uint32_t)event->start_mark.column + 1;
	return node;
}

/* Whether a map's key can stay; what is refused was said. */
static bool take_key(struct parse *parse, const struct node *key, yaml_mark_t mark)
{
	if (key->kind != NODE_SCALAR) {
		REFUSE(parse, mark, "a key is a %s: only scalars can be keys; if it is one, quote it",
		       key->kind == NODE_LIST ? "list" : "map");
		return false;
	}
	if (key->length == 2 && !(key->flags & NODE_QUOTED) && !memcmp(key->text, "<<", 2)) {
		REFUSE(parse, mark, "merge keys ('<<') are refused");
		return false;
	}
	return true;
}

static void add_node(struct parse *parse, struct node *node, yaml_mark_t mark)
{
	struct frame *frame = parse->depth ? &parse->frames[parse->depth - 1] : NULL;
	bool keep = true;

	if (!frame) {
		parse->root = node;
		return;
	}
	if (frame->node->kind == NODE_MAP) {
		if (frame->at_value)
			keep = !frame->drop;
		else
			frame->drop = !(keep = take_key(parse, node, mark));
		frame->at_value = !frame->at_value;
	}
	if (!keep)
		return;
	frame->node->length++;
	frame->node->flags |= node->flags & (NODE_VARIABLE | NODE_LATER);
	*frame->tail = node;
	frame->tail = &node->next;
}

static void note_cut(struct parse *parse, const yaml_event_t *event)
{
	parse->cut_value = mark_place(parse, event->start_mark);
	parse->cut_unsaid = true;
}

static void warn_of_cut(struct parse *parse)
{
	if (parse->cut_unsaid)
		diags_warning(parse->diags, parse->cut_value,
			      "the value ends at ' #', what follows is a comment: if it is none, quote the value");
	parse->cut_unsaid = false;
}

static void add_scalar(struct parse *parse, const yaml_event_t *event)
{
	struct node *node = new_node(parse, NODE_SCALAR, event);
	const char *value = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;

	/* Only an escape can bring a NUL: the bytes had none. */
	if (event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && memchr(value, '\0', length)) {
		REFUSE(parse, event->start_mark, "a NUL (\"\\0\") in a scalar");
		length = strlen(value);
	}
	node->text = arena_text(&parse->text->arena, value, length);
	node->length = (uint32_t)length;
	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		node->flags |= NODE_QUOTED;
	else if (cut_matches(&parse->cut, event->end_mark))
		note_cut(parse, event);
	for (const char *dollar = value; (dollar = memchr(dollar, '$', length - (size_t)(dollar - value))); dollar++)
		if (dollar[1] == '(' || dollar[1] == '$')
			node->flags |= NODE_VARIABLE;
	if (event->data.scalar.tag)
		refuse_tag(parse, event, event->data.scalar.tag);
	if (event->data.scalar.anchor)
		refuse_anchor(parse, event, event->data.scalar.anchor);
	add_node(parse, node, event->start_mark);
}

static void add_alias(struct parse *parse, const yaml_event_t *event)
{
	struct node *node = new_node(parse, NODE_SCALAR, event);
	const char *name = (const char *)event->data.alias.anchor;

	refuse_alias(parse, event, name);
	node->text = arena_printf(&parse->text->arena, "*%s", name);
	node->length = (uint32_t)strlen(node->text);
	node->flags = NODE_LATER | NODE_WRONG;
	add_node(parse, node, event->start_mark);
}

static void open_node(struct parse *parse, enum node_kind kind, const yaml_event_t *event, const yaml_char_t *tag,
		      const yaml_char_t *anchor)
{
	struct node *node;

	if (parse->depth == DEPTH_MAX) {
		REFUSE(parse, event->start_mark, "nested deeper than %d levels", DEPTH_MAX);
		parse->root = NULL;
		parse->done = true;
		return;
	}
	node = new_node(parse, kind, event);
	if (tag)
		refuse_tag(parse, event, tag);
	if (anchor)
		refuse_anchor(parse, event, anchor);
	parse->frames[parse->depth++] = (struct frame){.node = node, .tail = &node->first};
}

/* Linked only now: its flags are complete, and so the parent's will be. */
static void close_node(struct parse *parse)
{
	struct node *node = parse->frames[--parse->depth].node;
	yaml_mark_t mark = {.line = node->line - 1, .column = node->column - 1};

	if (node->kind == NODE_MAP && check_keys(parse->text, node, parse->diags) < 0)
		parse->failed = true;
	add_node(parse, node, mark);
}

static void begin_document(struct parse *parse, const yaml_event_t *event)
{
	if (!parse->documents++)
		return;
	REFUSE(parse, event->start_mark, "a second document begins here: a file holds one");
	parse->done = true;
}

static void take_event(struct parse *parse, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		add_scalar(parse, event);
		break;
	case YAML_ALIAS_EVENT:
		add_alias(parse, event);
		break;
	case YAML_SEQUENCE_START_EVENT:
		open_node(parse, NODE_LIST, event, event->data.sequence_start.tag, event->data.sequence_start.anchor);
		break;
	case YAML_MAPPING_START_EVENT:
		open_node(parse, NODE_MAP, event, event->data.mapping_start.tag, event->data.mapping_start.anchor);
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_node(parse);
		break;
	case YAML_DOCUMENT_START_EVENT:
		begin_document(parse, event);
		break;
	case YAML_STREAM_END_EVENT:
		parse->done = true;
		break;
	default:
		break;
	}
}

static bool is_empty(const struct parse *parse)
{
	const struct node *root = parse->root;

	return !parse->documents ||
	       (root && root->kind == NODE_SCALAR && !root->length && !(root->flags & NODE_QUOTED));
}

static void run(struct parse *parse)
{
	yaml_event_t event;

	while (!parse->done) {
		if (!yaml_parser_parse(&parse->yaml, &event)) {
			if (!explain(parse->source, &parse->yaml, parse->cut_value, parse->diags))
				warn_of_cut(parse);
			parse->failed = true;
			parse->root = NULL;
			return;
		}
		warn_of_cut(parse);
		take_event(parse, &event);
		yaml_event_delete(&event);
	}
	if (!parse->failed && is_empty(parse)) {
		diags_error(parse->diags, (struct place){.file = parse->source->path, .line = 1, .column = 1},
			    parse->source->length ? "there is nothing but blanks and comments in it"
						  : "the file is empty");
		parse->failed = true;
		parse->root = NULL;
	}
}

int parse_source(struct text *text, const struct source *source, const struct node **root, struct diags *diags)
{
	__attribute__((cleanup(parse_free))) struct parse parse = {.text = text, .source = source, .diags = diags};

	*root = NULL;
	if (!yaml_parser_initialize(&parse.yaml))
		out_of_memory();
	yaml_parser_set_encoding(&parse.yaml, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parse.yaml, (const unsigned char *)source->data, source->length);
	cut_begin(&parse.cut, source);
	run(&parse);
	*root = parse.root;
	return parse.failed ? -EINVAL : 0;
}

const struct node *text_parse(struct text *text, const char *name, const char *data, size_t length, struct diags *diags)
{
	struct source source = {.data = data, .length = length, .file = text_add_file(text, name)};
	const struct node *root;

	source.path = text->files[source.file].path;
	if (scan_bytes(&source, diags) < 0 || parse_source(text, &source, &root, diags) < 0)
		return NULL;
	return root;
}
