/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/topology.h"
#include "base/cleanup.h"

#define FILE_MAX (256 * 1024 * 1024)
#define LINE_PIECE 255 /* what ibsim reads at once */
#define INCLUDES_MAX 9
#define ID_MAX 64     /* ibsim cuts ids and descriptions */
#define PORTS_MAX 255 /* NodeInfo:NumPorts has 8 bits */

/** struct names - what included files share: the "module" in front of ids, and by type the base and the next of the
 * GUIDs */
struct names {
	char prefix[ID_MAX + 1];
	uint64_t base[3], next[3];
};

/** struct reader - one file on its way through */
struct reader {
	struct topology *topology;
	struct diag *diag;
	const char *path;
	char *data;
	size_t length, at;
	unsigned line;
	bool continued; /* the last piece was not the end of its line */
	char piece[LINE_PIECE + 1];
	struct names *names;
	unsigned depth;
};

static const char *const keywords[] = {
	"Switch", "Hca",	"Ca",	 "Rt",	  "switchguid", "hcaguids", "caguid",  "rtguid", "vendid",
	"devid",  "sysimgguid", "width", "speed", "extspeed",	"module",   "include", "pdebug", "do ",
};

static bool starts(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

static bool keyword(const char *line)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (starts(line, keywords[i]))
			return true;
	return false;
}

static int complain(struct reader *reader, const char *text)
{
	struct place place = {.file = reader->path, .line = reader->line, .column = 1};

	return diag_set(reader->diag, EINVAL, place, "%s", text);
}

static bool next_line(struct reader *reader)
{
	size_t left = reader->length - reader->at;
	size_t take = left < LINE_PIECE ? left : LINE_PIECE;
	const char *from = reader->data + reader->at;
	const char *end = memchr(from, '\n', take);

	if (!left)
		return false;
	memcpy(reader->piece, from, take);
	reader->piece[end ? (size_t)(end - from) : take] = '\0';
	reader->at += end ? (size_t)(end - from) + 1 : take;
	if (!reader->continued)
		reader->line++;
	reader->continued = !end;
	return true;
}

/* Between the first two quotes of @text; *rest is what follows. */
static char *quoted(char *text, char **rest)
{
	char *from = strchr(text, '"');
	char *to = from ? strchr(from + 1, '"') : NULL;

	if (!to)
		return NULL;
	*to = '\0';
	*rest = to + 1;
	return from + 1;
}

/* ibsim's rule: after '#', in quotes or up to the words that ibnetdiscover puts behind it. */
static const char *description(char *text)
{
	static const char *const ends[] = {" enhanced port ", " base port ", " lid ", " lmc "};
	char *from = strchr(text, '#');

	if (!from)
		return NULL;
	do
		from++;
	while (isspace((unsigned char)*from));
	if (*from == '"') {
		from++;
		from[strcspn(from, "\"")] = '\0';
		return from;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char *end = strstr(from, ends[i]);

		if (end) {
			*end = '\0';
			break;
		}
	}
	return from;
}

/* The port lines of a node: as many as it has ports, comments among them, until one of another kind. */
static int read_ports(struct reader *reader, struct topology_node *node)
{
	for (unsigned left = node->ports; left;) {
		if (!next_line(reader))
			return 0;
		if (*reader->piece == '#')
			continue;
		if (*reader->piece == '[' || *reader->piece == '@') {
			const char *number = strchr(reader->piece, '[');

			if (*reader->piece == '[' && strtoul(number + 1, NULL, 10) == 1)
				node->linked = true;
			left--;
			continue;
		}
		if (keyword(reader->piece))
			return complain(reader,
					"a blank line is missing before this one: ibsim takes it for the end of "
					"the node above and drops it");
		return 0;
	}
	return 0;
}

static int read_node(struct reader *reader, enum topology_type type, const char *after)
{
	struct topology *topology = reader->topology;
	const char *digits = after + strcspn(after, "0123456789");
	unsigned long ports = strtoul(digits, NULL, 0);
	struct topology_node *node;
	const char *text;
	char *rest, *id;

	id = quoted(reader->piece, &rest);
	if (!id || !ports)
		return complain(reader, "a node is written TYPE PORTS \"ID\", such as: Switch 36 \"leaf-1\"");
	if (ports > PORTS_MAX)
		return complain(reader, "a node has at most 255 ports");
	text = description(rest);
	GROW(topology->nodes, topology->count, topology->capacity);
	node = &topology->nodes[topology->count++];
	*node = (struct topology_node){.type = type, .ports = ports, .guid = reader->names->next[type]};
	reader->names->next[type] += type == TOPOLOGY_SWITCH ? 1 : ports + 1;
	node->id = *reader->names->prefix ? arena_printf(&topology->arena, "%s#%s", reader->names->prefix, id)
					  : arena_text(&topology->arena, id, strnlen(id, ID_MAX));
	node->description = text && *text ? arena_text(&topology->arena, text, strnlen(text, ID_MAX)) : node->id;
	topology->switches += type == TOPOLOGY_SWITCH;
	topology->ports += ports + (type == TOPOLOGY_SWITCH);
	return read_ports(reader, node);
}

static int read_file(struct topology *topology, const char *path, struct names *names, unsigned depth,
		     struct place from, struct diag *diag);

static int read_include(struct reader *reader)
{
	struct place place = {.file = reader->path, .line = reader->line, .column = 1};
	char *rest, *path = quoted(reader->piece, &rest);

	if (!path)
		return complain(reader, "an include is written: include \"FILE\"");
	if (reader->depth + 1 >= INCLUDES_MAX)
		return complain(reader, "includes are nested too deep (ibsim takes 8)");
	return read_file(reader->topology, arena_text(&reader->topology->arena, path, strlen(path)), reader->names,
			 reader->depth + 1, place, reader->diag);
}

/* "caguid=0x2c9000001" sets the base and the next one, "caguid+16" the next one above the base. */
static void read_guid(struct reader *reader, enum topology_type type)
{
	const char *sign = strchr(reader->piece, '=');
	struct names *names = reader->names;

	if (!sign)
		sign = strchr(reader->piece, '+');
	if (!sign)
		return;
	if (*sign == '=')
		names->base[type] = strtoull(sign + 1, NULL, 0);
	names->next[type] = names->base[type] + (*sign == '+' ? strtoull(sign + 1, NULL, 0) : 0);
}

static int read_line(struct reader *reader)
{
	char *line = reader->piece, *rest, *name;

	if (starts(line, "Switch"))
		return read_node(reader, TOPOLOGY_SWITCH, line + 6);
	if (starts(line, "Hca"))
		return read_node(reader, TOPOLOGY_CA, line + 3);
	if (starts(line, "Ca"))
		return read_node(reader, TOPOLOGY_CA, line + 2);
	if (starts(line, "Rt"))
		return read_node(reader, TOPOLOGY_ROUTER, line + 2);
	if (starts(line, "switchguid"))
		read_guid(reader, TOPOLOGY_SWITCH);
	if (starts(line, "caguid") || starts(line, "hcaguids"))
		read_guid(reader, TOPOLOGY_CA);
	if (starts(line, "rtguid"))
		read_guid(reader, TOPOLOGY_ROUTER);
	if (starts(line, "include"))
		return read_include(reader);
	if (starts(line, "module")) {
		name = quoted(line, &rest);
		if (name)
			snprintf(reader->names->prefix, ID_MAX + 1, "%.20s", name);
	}
	return 0;
}

/* The whole file in memory: ibsim reads it a second time, so that a pipe would not do. */
static int slurp(const char *path, char **data, size_t *length, struct place from, struct diag *diag)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	AUTO_FREE char *bytes = NULL;
	size_t got = 0;

	if (fd < 0 || fstat(fd, &status) < 0)
		return diag_set(diag, errno, from, "cannot read topology file '%s': %s", path, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return diag_set(diag, EISDIR, from, "topology file '%s' is a directory", path);
	if (!S_ISREG(status.st_mode))
		return diag_set(diag, EINVAL, from, "topology file '%s' is not a regular file, and is read twice",
				path);
	if (status.st_size > FILE_MAX)
		return diag_set(diag, EFBIG, from, "topology file '%s' is larger than 256 MiB", path);
	bytes = xmalloc(status.st_size + 1);
	while (got < (size_t)status.st_size) {
		ssize_t step = read(fd, bytes + got, status.st_size - got);

		if (step < 0)
			return diag_set(diag, errno, from, "cannot read topology file '%s': %s", path, strerror(errno));
		if (!step)
			break;
		got += step;
	}
	*data = bytes;
	*length = got;
	bytes = NULL;
	return 0;
}

static int read_file(struct topology *topology, const char *path, struct names *names, unsigned depth,
		     struct place from, struct diag *diag)
{
	struct reader reader = {.topology = topology, .diag = diag, .path = path, .names = names, .depth = depth};
	int error = slurp(path, &reader.data, &reader.length, from, diag);

	while (!error && next_line(&reader))
		error = read_line(&reader);
	free(reader.data);
	return error;
}

/* ---- Names ---- */

/* What a node can be called, the better kinds of name first. */
enum rank { RANK_CA_DESCRIPTION, RANK_CA_ID, RANK_DESCRIPTION, RANK_ID, RANK_CA_WORD };

struct topology_name {
	const char *text;
	size_t length;
	const struct topology_node *node;
	enum rank rank;
};

static int compare_text(const struct topology_name *a, const struct topology_name *b)
{
	size_t shorter = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->text, b->text, shorter);

	return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare_names(const void *left, const void *right)
{
	const struct topology_name *a = left, *b = right;
	int order = compare_text(a, b);

	if (!order)
		order = (int)a->rank - (int)b->rank;
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

static void index_names(struct topology *topology)
{
	struct topology_name *name = topology->names = xcalloc(topology->count * 3, sizeof(*topology->names));

	for (size_t i = 0; i < topology->count; i++) {
		const struct topology_node *node = &topology->nodes[i];
		bool ca = node->type == TOPOLOGY_CA;
		const char *text = node->description;
		size_t word = strcspn(text, " \t");

		*name++ = (struct topology_name){text, strlen(text), node, ca ? RANK_CA_DESCRIPTION : RANK_DESCRIPTION};
		if (node->id != text)
			*name++ = (struct topology_name){node->id, strlen(node->id), node, ca ? RANK_CA_ID : RANK_ID};
		if (ca && word && text[word])
			*name++ = (struct topology_name){text, word, node, RANK_CA_WORD};
	}
	topology->nnames = name - topology->names;
	qsort(topology->names, topology->nnames, sizeof(*topology->names), compare_names);
}

static const char *suggestion(const struct topology *topology, const char *name)
{
	AUTO_FREE const char **candidates = xcalloc(topology->count * 2, sizeof(*candidates));
	size_t count = 0;

	for (size_t i = 0; i < topology->count; i++)
		if (topology->nodes[i].type == TOPOLOGY_CA)
			candidates[count++] = topology->nodes[i].description;
	for (size_t i = 0; i < topology->count; i++)
		if (topology->nodes[i].type != TOPOLOGY_CA)
			candidates[count++] = topology->nodes[i].description;
	return suggest(name, candidates, count);
}

const struct topology_node *topology_find(const struct topology *topology, const char *name, char **why)
{
	struct topology_name wanted = {.text = name, .length = strlen(name)};
	size_t low = 0, high = topology->nnames, same = 0;
	const struct topology_name *found;
	const char *close;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_text(&topology->names[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	found = &topology->names[low];
	while (low + same < topology->nnames && !compare_text(&found[same], &wanted) && found[same].rank == found->rank)
		same++;
	if (same == 1)
		return found->node;
	if (same) {
		*why = xasprintf("%zu nodes of the fabric are called '%s' (such as %s and %s): name one by its id",
				 same, name, found[0].node->id, found[1].node->id);
		return NULL;
	}
	close = suggestion(topology, name);
	*why = close ? xasprintf("no node of the fabric is called '%s'; did you mean '%s'?", name, close)
		     : xasprintf("no node of the fabric is called '%s'", name);
	return NULL;
}

const struct topology_node *topology_first(const struct topology *topology)
{
	const struct topology_node *first = NULL;

	for (size_t i = 0; i < topology->count; i++) {
		const struct topology_node *node = &topology->nodes[i];

		if (node->type != TOPOLOGY_CA)
			continue;
		if (node->linked)
			return node;
		if (!first)
			first = node;
	}
	return first;
}

int topology_load(struct topology *topology, const char *path, struct diag *diag)
{
	struct place whole = {.file = path};
	struct names names = {
		.base = {[TOPOLOGY_CA] = 0x100000, [TOPOLOGY_SWITCH] = 0x200000},
		.next = {[TOPOLOGY_CA] = 0x100000, [TOPOLOGY_SWITCH] = 0x200000},
	};
	int error = read_file(topology, path, &names, 0, NO_PLACE, diag);

	if (error)
		return error;
	if (!topology->count)
		return diag_set(
			diag, EINVAL, whole,
			"no topology: it has no node in ibsim's format or ibnetdiscover's, such as: Ca 1 \"node-1\"");
	if (!topology_first(topology))
		return diag_set(diag, EINVAL, whole, "no CA is in this topology: nothing could observe it");
	index_names(topology);
	return 0;
}

void topology_free(struct topology *topology)
{
	arena_free(&topology->arena);
	free(topology->nodes);
	free(topology->names);
	*topology = (struct topology){0};
}
