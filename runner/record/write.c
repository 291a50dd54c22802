/* SPDX-License-Identifier: BSD-2-Clause */
/* A run onto its recording: one observation a line, one row a line. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "agent/answer.h"
#include "agent/cell.h"
#include "agent/wire.h"
#include "base/cleanup.h"
#include "record/internal.h"

/** struct writer - @line: what is being put together, and goes out now and then */
struct writer {
	FILE *out;
	struct buf line;
};

static void flush(struct writer *writer)
{
	if (writer->line.length)
		fwrite(writer->line.data, 1, writer->line.length, writer->out);
	buf_clear(&writer->line);
}

static void flush_full(struct writer *writer)
{
	if (writer->line.length > 64 * 1024)
		flush(writer);
}

/* ,"KEY":"TEXT", or nothing where there is no text */
static void put_text(struct buf *out, const char *key, const char *text)
{
	if (!text)
		return;
	buf_printf(out, ",\"%s\":", key);
	wire_string(out, text);
}

static void put_texts(struct buf *out, const char *key, const char *const *items, size_t count)
{
	buf_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_putc(out, ',');
		wire_string(out, items[i]);
	}
	buf_putc(out, ']');
}

static void put_strings(struct buf *out, const char *key, const struct strings *list)
{
	put_texts(out, key, (const char *const *)list->items, list->count);
}

/* ---- Ahead of the observations ---- */

static bool is_first(const struct result *result, size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (result->steps[i].plan->scenario == result->steps[step].plan->scenario)
			return false;
	return true;
}

static void put_scenario(struct buf *out, const struct scenario *scenario)
{
	buf_puts(out, "{\"name\":");
	wire_string(out, scenario->name);
	buf_puts(out, ",\"files\":[");
	for (size_t i = 0; i < scenario->text.nfiles; i++) {
		buf_puts(out, i ? ",{\"path\":" : "{\"path\":");
		wire_string(out, scenario->text.files[i].path);
		buf_printf(out, ",\"sha256\":\"%s\"}", scenario->text.files[i].sha256);
	}
	buf_puts(out, "]}");
}

static void put_scenarios(struct buf *out, const struct result *result)
{
	bool any = false;

	buf_puts(out, ",\n\"scenarios\":[");
	for (size_t i = 0; i < result->nsteps; i++) {
		if (!is_first(result, i))
			continue;
		if (any)
			buf_putc(out, ',');
		put_scenario(out, result->steps[i].plan->scenario);
		any = true;
	}
	buf_putc(out, ']');
}

static void put_plugins(struct buf *out, struct registry *registry)
{
	size_t count = 0;
	const struct rs_plugin *const *plugins = registry_plugins(registry, &count);

	buf_puts(out, ",\n\"plugins\":[");
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, i ? ",{\"name\":" : "{\"name\":");
		wire_string(out, plugins[i]->name);
		put_text(out, "version", plugins[i]->version);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

static void put_hosts(struct buf *out, const struct result *result)
{
	buf_puts(out, ",\n\"hosts\":[");
	for (size_t i = 0; i < result->plan->nhosts; i++) {
		const struct scenario_host *host = result->plan->hosts[i].host;

		buf_puts(out, i ? ",\n{\"name\":" : "{\"name\":");
		wire_string(out, host->name);
		put_text(out, "address", host->address);
		for (size_t j = 0; j + 1 < result->absent.count; j += 2)
			if (!strcmp(result->absent.items[j], host->name))
				put_text(out, "absent", result->absent.items[j + 1]);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

static void put_head(struct buf *out, const struct result *result, struct registry *registry)
{
	buf_printf(out, "{\"format\":\"rdmaspec.recording\",\"format_version\":%d,\"rdmaspec\":\"%s\"",
		   RECORDING_FORMAT, VERSION);
	put_text(out, "host", result->hostname ? result->hostname : "localhost");
	put_text(out, "simulated", result->simulated);
	buf_printf(out, ",\"started\":%.6f,\"seconds\":%.6f,\"min_hosts\":%u,\"signal\":%d", result->started,
		   result->seconds, result->min_hosts, result->signal);
	put_strings(out, "notes", &result->notes);
	put_scenarios(out, result);
	put_plugins(out, registry);
	put_hosts(out, result);
}

/* ---- Observations ---- */

static void put_table(struct writer *writer, const struct table *table)
{
	struct buf *out = &writer->line;

	buf_puts(out, "{\"probe\":");
	wire_string(out, table->probe->name);
	buf_puts(out, ",\"facts\":[");
	for (unsigned i = 0; i < table->columns; i++) {
		buf_puts(out, i ? "," : "");
		wire_string(out, table->probe->facts[i].name);
	}
	buf_puts(out, "],\"rows\":[");
	for (size_t row = 0; row < table->rows; row++) {
		const struct value *cells = table_row(table, row);

		buf_puts(out, row ? ",\n[" : "\n[");
		for (unsigned i = 0; i < table->columns; i++) {
			if (i)
				buf_putc(out, ',');
			cell_write(out, &table->probe->facts[i], &cells[i]);
		}
		buf_putc(out, ']');
		flush_full(writer);
	}
	buf_puts(out, "]}");
}

static void put_tables(struct writer *writer, const struct observation *observation)
{
	bool any = false;

	buf_puts(&writer->line, ",\"tables\":[");
	for (size_t i = 0; i < sizeof(observation->tables) / sizeof(observation->tables[0]); i++) {
		if (!observation->tables[i])
			continue;
		if (any)
			buf_putc(&writer->line, ',');
		put_table(writer, observation->tables[i]);
		any = true;
	}
	buf_putc(&writer->line, ']');
}

static void put_evidence(struct writer *writer, const struct observation *observation)
{
	struct buf *out = &writer->line;

	if (!observation->nevidence)
		return;
	buf_puts(out, ",\"evidence\":[");
	for (size_t i = 0; i < observation->nevidence; i++) {
		const struct evidence *evidence = &observation->evidence[i];

		buf_puts(out, i ? ",{\"name\":" : "{\"name\":");
		wire_string(out, evidence->name);
		buf_printf(out, ",\"bytes\":%zu,\"head\":", evidence->total);
		wire_text(out, evidence->head.data ? evidence->head.data : "", evidence->head.length);
		if (evidence->tail.length) {
			buf_puts(out, ",\"tail\":");
			wire_text(out, evidence->tail.data, evidence->tail.length);
		}
		buf_putc(out, '}');
		flush_full(writer);
	}
	buf_putc(out, ']');
}

static void put_json(struct buf *out, const char *key, const char *json)
{
	if (json)
		buf_printf(out, ",\"%s\":%s", key, json);
}

static void put_key(struct buf *out, const struct plan *plan, const struct result_record *record)
{
	const struct plan_observe *observe = &plan->observes[record->observe];

	buf_puts(out, "{\"host\":");
	wire_string(out, plan->hosts[observe->host].host->name);
	if (observe->server != SIZE_MAX)
		put_text(out, "server", plan->hosts[observe->server].host->name);
	put_text(out, "source", observe->source->name);
	put_json(out, "params", observe->params);
	put_json(out, "server_params", observe->server_params);
	if (observe->at_once)
		buf_printf(out, ",\"at_once\":%u", observe->at_once);
	if (record->step)
		put_text(out, "step", record->step->step->id ? record->step->step->id : record->step->step->name);
	if (record->run)
		buf_printf(out, ",\"run\":%u", record->run);
	buf_printf(out, ",\"attempt\":%u", record->attempt);
	if (record->phase)
		put_text(out, "phase", record_phases[record->phase]);
}

static void put_observation(struct writer *writer, const struct plan *plan, const struct result_record *record)
{
	const struct observation *observation = record->observation;
	struct buf *out = &writer->line;

	put_key(out, plan, record);
	buf_printf(out, ",\"started\":%.6f,\"seconds\":%.6f", observation->started, observation->seconds);
	put_text(out, "error", observation->error);
	if (observation->reason)
		put_text(out, "reason", reason_names[observation->reason - RS_FAILED]);
	put_text(out, "incomplete", observation->incomplete);
	put_text(out, "log", observation->log);
	if (observation->notes.count)
		put_strings(out, "notes", &observation->notes);
	put_evidence(writer, observation);
	put_tables(writer, observation);
	buf_putc(out, '}');
	flush_full(writer);
}

static int write_all(FILE *out, const struct result *result, struct registry *registry)
{
	struct writer writer = {.out = out};

	errno = 0;
	put_head(&writer.line, result, registry);
	buf_puts(&writer.line, ",\n\"observations\":[");
	for (size_t i = 0; i < result->nrecords; i++) {
		buf_puts(&writer.line, i ? ",\n" : "\n");
		put_observation(&writer, result->plan, &result->records[i]);
	}
	buf_puts(&writer.line, "]}\n");
	flush(&writer);
	buf_free(&writer.line);
	return fflush(out) != 0 || ferror(out) ? (errno ? -errno : -EIO) : 0;
}

int recording_write(FILE *out, const struct result *result, struct registry *registry, bool compress)
{
	FILE *packed;
	int rc;

	if (!compress)
		return write_all(out, result, registry);
	packed = packed_open(out);
	if (!packed)
		return -ENOMEM;
	rc = write_all(packed, result, registry);
	if (fclose(packed) != 0 && !rc)
		rc = errno ? -errno : -EIO;
	return rc;
}
