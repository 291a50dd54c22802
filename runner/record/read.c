/* SPDX-License-Identifier: BSD-2-Clause */
/* A recording's text: checked as a whole, with everything but the tables taken out of it. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "record/internal.h"

#define FORMAT_NAME "rdmaspec.recording"

struct reader {
	struct recording *recording;
	struct scan scan;
	struct diag *diag;
	bool named, observed; /* its format; its observations */
	int64_t version;
};

bool arena_scan(struct scan *scan, struct arena *arena, const char **text)
{
	const char *data;
	size_t length;

	*text = NULL;
	if (scan_word(scan, "null"))
		return true;
	if (!scan_text(scan, &data, &length) || memchr(data, 0, length))
		return false;
	*text = arena_text(arena, data, length);
	return true;
}

static int complain_at(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* With the line that it is in. */
static int complain_at(struct reader *reader, const char *format, ...)
{
	AUTO_BUF struct buf text = {0};
	size_t line = 1;
	va_list args;

	for (const char *at = reader->scan.start; at < reader->scan.at; at++)
		line += *at == '\n';
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	return diag_set(reader->diag, EINVAL, NO_PLACE, "recording '%s', line %zu: %s", reader->recording->about.path,
			line, text.data);
}

static int bad(struct reader *reader, const char *key)
{
	return complain_at(reader, "'%s' is not what a recording has there", key);
}

static bool scan_unsigned(struct scan *scan, unsigned *value)
{
	int64_t number;

	if (!scan_integer(scan, &number) || number < 0 || number > INT32_MAX)
		return false;
	*value = (unsigned)number;
	return true;
}

/* A value as it stands, its keys sorted. */
static bool scan_json(struct reader *reader, const char **json)
{
	const char *start;
	AUTO_FREE char *sorted = NULL;

	scan_peek(&reader->scan);
	start = reader->scan.at;
	if (*start != '{' || !scan_skip(&reader->scan))
		return false;
	sorted = json_sorted(start, (size_t)(reader->scan.at - start));
	if (!sorted)
		return false;
	*json = arena_text(&reader->recording->arena, sorted, strlen(sorted));
	return true;
}

static bool scan_phase(struct scan *scan, enum record_phase *phase)
{
	const char *text;
	size_t length;

	if (!scan_string(scan, &text, &length))
		return false;
	for (int i = 0; record_phases[i]; i++) {
		if (strlen(record_phases[i]) == length && !memcmp(record_phases[i], text, length)) {
			*phase = i;
			return true;
		}
	}
	return false;
}

typedef int take_member(struct reader *reader, const char *key, void *user);

/* The members of an object; what @take does not know it steps over. */
static int each_member(struct reader *reader, const char *what, take_member *take, void *user)
{
	struct scan *scan = &reader->scan;

	if (!scan_take(scan, '{'))
		return bad(reader, what);
	if (scan_take(scan, '}'))
		return 0;
	do {
		char name[32] = "";
		const char *key;
		size_t length;
		int rc;

		if (!scan_string(scan, &key, &length) || length >= sizeof(name))
			return bad(reader, what);
		memcpy(name, key, length);
		if (!scan_take(scan, ':'))
			return bad(reader, name);
		rc = take(reader, name, user);
		if (rc < 0)
			return rc;
	} while (scan_take(scan, ','));
	return scan_take(scan, '}') ? 0 : bad(reader, what);
}

typedef int take_element(struct reader *reader);

static int each_element(struct reader *reader, const char *what, take_element *take)
{
	if (!scan_take(&reader->scan, '['))
		return bad(reader, what);
	if (scan_take(&reader->scan, ']'))
		return 0;
	do {
		int rc = take(reader);

		if (rc < 0)
			return rc;
	} while (scan_take(&reader->scan, ','));
	return scan_take(&reader->scan, ']') ? 0 : bad(reader, what);
}

/* ---- Observations ---- */

static int take_observation_member(struct reader *reader, const char *key, void *user)
{
	struct recorded *item = user;
	struct arena *arena = &reader->recording->arena;
	struct scan *scan = &reader->scan;
	bool good;

	if (!strcmp(key, "host"))
		good = arena_scan(scan, arena, &item->host);
	else if (!strcmp(key, "server"))
		good = arena_scan(scan, arena, &item->server);
	else if (!strcmp(key, "source"))
		good = arena_scan(scan, arena, &item->source);
	else if (!strcmp(key, "step"))
		good = arena_scan(scan, arena, &item->step);
	else if (!strcmp(key, "params"))
		good = scan_json(reader, &item->params);
	else if (!strcmp(key, "server_params"))
		good = scan_json(reader, &item->server_params);
	else if (!strcmp(key, "at_once"))
		good = scan_unsigned(scan, &item->at_once);
	else if (!strcmp(key, "run"))
		good = scan_unsigned(scan, &item->run);
	else if (!strcmp(key, "attempt"))
		good = scan_unsigned(scan, &item->attempt);
	else if (!strcmp(key, "phase"))
		good = scan_phase(scan, &item->phase);
	else if (!strcmp(key, "started"))
		good = scan_number(scan, &item->started);
	else if (!strcmp(key, "seconds"))
		good = scan_number(scan, &item->seconds);
	else
		good = scan_skip(scan);
	return good ? 0 : bad(reader, key);
}

static void note_asked(struct recording *recording, size_t index)
{
	AUTO_BUF struct buf asked = {0};
	size_t first;

	record_asked(&asked, &recording->items[index]);
	first = names_add(&recording->asked, arena_text(&recording->arena, asked.data, asked.length), index);
	if (first != NAMES_NONE)
		recording->items[first].varies = true;
}

static void add_key(struct recording *recording, size_t index)
{
	const struct recorded *item = &recording->items[index];
	AUTO_BUF struct buf key = {0};
	size_t first;

	record_key(&key, item->host, item->server, item->source, item->params, item->server_params, item->at_once);
	first = names_add(&recording->keys, arena_text(&recording->arena, key.data, key.length), index);
	if (first == NAMES_NONE) {
		note_asked(recording, index);
		return;
	}
	/* Retries and repeats of one key may be many. */
	recording->items[recording->items[first].last].next = index;
	recording->items[first].last = index;
}

static int take_observation(struct reader *reader)
{
	struct recording *recording = reader->recording;
	struct recorded item = {.next = SIZE_MAX};
	int rc;

	scan_peek(&reader->scan);
	item.at = (size_t)(reader->scan.at - reader->scan.start);
	rc = each_member(reader, "observations", take_observation_member, &item);
	if (rc < 0)
		return rc;
	item.length = (size_t)(reader->scan.at - reader->scan.start) - item.at;
	if (!item.host || !item.source || !item.params)
		return complain_at(reader, "an observation without %s",
				   !item.host	  ? "'host'"
				   : !item.source ? "'source'"
						  : "'params'");
	GROW(recording->items, recording->count, recording->capacity);
	item.last = recording->count;
	recording->items[recording->count] = item;
	add_key(recording, recording->count++);
	return 0;
}

/* ---- What is said of the run ---- */

static int take_host_member(struct reader *reader, const char *key, void *user)
{
	const char **texts = user;
	struct arena *arena = &reader->recording->arena;
	bool good;

	if (!strcmp(key, "name"))
		good = arena_scan(&reader->scan, arena, &texts[0]);
	else if (!strcmp(key, "absent"))
		good = arena_scan(&reader->scan, arena, &texts[1]);
	else
		good = scan_skip(&reader->scan);
	return good ? 0 : bad(reader, key);
}

static int take_host(struct reader *reader)
{
	struct recording *recording = reader->recording;
	const char *texts[2] = {NULL, NULL};
	int rc = each_member(reader, "hosts", take_host_member, texts);

	if (rc < 0 || !texts[0])
		return rc < 0 ? rc : bad(reader, "hosts");
	names_add(&recording->hosts, texts[0], 0);
	if (!texts[1])
		return 0;
	GROW(recording->reasons, recording->nabsent, recording->reasons_capacity);
	names_add(&recording->absent, texts[0], recording->nabsent);
	recording->reasons[recording->nabsent++] = texts[1];
	return 0;
}

static int take_note(struct reader *reader)
{
	struct recording_about *about = &reader->recording->about;
	const char **notes = arena_alloc(&reader->recording->arena, (about->nnotes + 1) * sizeof(*notes));

	/* Of these there are a few. */
	if (about->nnotes)
		memcpy(notes, about->notes, about->nnotes * sizeof(*notes));
	if (!arena_scan(&reader->scan, &reader->recording->arena, &notes[about->nnotes]) || !notes[about->nnotes])
		return bad(reader, "notes");
	about->notes = notes;
	about->nnotes++;
	return 0;
}

static int take_format(struct reader *reader)
{
	const char *text;

	if (!arena_scan(&reader->scan, &reader->recording->arena, &text) || !text || strcmp(text, FORMAT_NAME) != 0)
		return bad(reader, "format");
	reader->named = true;
	return 0;
}

static int take_version(struct reader *reader)
{
	if (!scan_integer(&reader->scan, &reader->version))
		return bad(reader, "format_version");
	if (reader->version == RECORDING_FORMAT)
		return 0;
	return complain_at(reader, "its format is version %lld, and this rdmaspec reads version %d",
			   (long long)reader->version, RECORDING_FORMAT);
}

static int take_observations(struct reader *reader)
{
	reader->observed = true;
	return each_element(reader, "observations", take_observation);
}

static int take_about(struct reader *reader, const char *key)
{
	struct recording_about *about = &reader->recording->about;
	struct arena *arena = &reader->recording->arena;
	struct scan *scan = &reader->scan;
	unsigned signal;
	bool good;

	if (!strcmp(key, "rdmaspec"))
		good = arena_scan(scan, arena, &about->version);
	else if (!strcmp(key, "host"))
		good = arena_scan(scan, arena, &about->hostname);
	else if (!strcmp(key, "simulated"))
		good = arena_scan(scan, arena, &about->simulated);
	else if (!strcmp(key, "started"))
		good = scan_number(scan, &about->started);
	else if (!strcmp(key, "seconds"))
		good = scan_number(scan, &about->seconds);
	else if (!strcmp(key, "min_hosts"))
		good = scan_unsigned(scan, &about->min_hosts);
	else if (!strcmp(key, "signal")) {
		good = scan_unsigned(scan, &signal);
		about->signal = good ? (int)signal : 0;
	} else
		good = scan_skip(scan);
	return good ? 0 : bad(reader, key);
}

static int take_top(struct reader *reader, const char *key, void *user)
{
	static const struct {
		const char *key;
		take_element *take;
	} parts[] = {{"format", take_format}, {"format_version", take_version}, {"observations", take_observations}};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].key, key))
			return parts[i].take(reader);
	if (!strcmp(key, "hosts"))
		return each_element(reader, key, take_host);
	if (!strcmp(key, "notes"))
		return each_element(reader, key, take_note);
	return take_about(reader, key);
}

static int read_all(struct reader *reader)
{
	const struct buf *text = &reader->recording->text;
	int rc;

	scan_begin(&reader->scan, text->data ? text->data : "", text->length);
	if (scan_peek(&reader->scan) != '{')
		return complain_at(reader, "this is no recording");
	rc = each_member(reader, "recording", take_top, NULL);
	if (rc < 0)
		return rc;
	if (scan_peek(&reader->scan) || reader->scan.at != reader->scan.end)
		return complain_at(reader, "something follows the end of the recording");
	if (!reader->named || !reader->version || !reader->observed)
		return complain_at(reader, "this is no recording: it has no '%s'",
				   !reader->named     ? "format"
				   : !reader->version ? "format_version"
						      : "observations");
	return 0;
}

struct recording *recording_load(const char *path, struct diag *diag)
{
	struct recording *recording = xcalloc(1, sizeof(*recording));
	struct reader reader = {.recording = recording, .diag = diag};
	int rc;

	recording->about.path = arena_text(&recording->arena, path, strlen(path));
	rc = packed_read(path, &recording->text, diag);
	if (rc == 0)
		rc = read_all(&reader);
	scan_free(&reader.scan);
	if (rc == 0)
		return recording;
	recording_free(recording);
	return NULL;
}

void recording_free(struct recording *recording)
{
	if (!recording)
		return;
	names_free(&recording->keys);
	names_free(&recording->asked);
	names_free(&recording->hosts);
	names_free(&recording->absent);
	free(recording->reasons);
	free(recording->items);
	buf_free(&recording->text);
	arena_free(&recording->arena);
	free(recording);
}

const struct recording_about *recording_about(const struct recording *recording)
{
	return &recording->about;
}

const struct recorded *recording_observations(const struct recording *recording, size_t *count)
{
	*count = recording->count;
	return recording->items;
}
