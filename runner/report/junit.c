/* SPDX-License-Identifier: BSD-2-Clause */
/* The module that writes the JUnit tree as XML: the only file that knows libxml2. */
#include "report/junit.h"

#include <errno.h>
#include <libxml/xmlwriter.h>

extern const struct junit_module JUNIT_SYMBOL;

/* struct sink - the writer, where it writes to, and the first thing that went wrong */
struct sink {
	xmlTextWriter *writer;
	FILE *out;
	int error;
};

/* A failure is only remembered: libxml2 would print it. */
static int put(void *context, const char *data, int length)
{
	struct sink *sink = context;

	errno = 0;
	if (!sink->error && fwrite(data, 1, (size_t)length, sink->out) != (size_t)length)
		sink->error = errno ? -errno : -EIO;
	return length;
}

static void check(struct sink *sink, int written)
{
	if (written < 0 && !sink->error)
		sink->error = -ENOMEM;
}

static void attribute(struct sink *sink, const char *name, const char *value)
{
	check(sink, xmlTextWriterWriteAttribute(sink->writer, BAD_CAST name, BAD_CAST value));
}

static void number(struct sink *sink, const char *name, size_t value)
{
	check(sink, xmlTextWriterWriteFormatAttribute(sink->writer, BAD_CAST name, "%zu", value));
}

/* Digits and a point, three of them behind it: what every schema of the field takes. */
static void seconds(struct sink *sink, double value)
{
	char text[64];

	if (!(value >= 0 && value < 1e12))
		value = 0;
	snprintf(text, sizeof(text), "%.3f", value);
	for (char *c = text; *c; c++)
		if (*c == ',')
			*c = '.';
	attribute(sink, "time", text);
}

static void start(struct sink *sink, unsigned depth, const char *name)
{
	check(sink, xmlTextWriterWriteRawLen(sink->writer, BAD_CAST "\n\t\t\t", (int)depth + 1));
	check(sink, xmlTextWriterStartElement(sink->writer, BAD_CAST name));
}

static void end(struct sink *sink, unsigned depth)
{
	check(sink, xmlTextWriterWriteRawLen(sink->writer, BAD_CAST "\n\t\t\t", (int)depth + 1));
	check(sink, xmlTextWriterEndElement(sink->writer));
}

static void text_element(struct sink *sink, unsigned depth, const char *name, const char *text)
{
	start(sink, depth, name);
	check(sink, xmlTextWriterWriteString(sink->writer, BAD_CAST text));
	check(sink, xmlTextWriterEndElement(sink->writer));
}

static void write_outcome(struct sink *sink, const struct junit_case *item)
{
	if (item->outcome == JUNIT_SKIPPED) {
		text_element(sink, 3, "skipped", item->text);
		return;
	}
	start(sink, 3, item->outcome == JUNIT_FAILURE ? "failure" : "error");
	attribute(sink, "type", item->type);
	attribute(sink, "message", item->message);
	check(sink, xmlTextWriterWriteString(sink->writer, BAD_CAST item->text));
	check(sink, xmlTextWriterEndElement(sink->writer));
}

static void write_case(struct sink *sink, const struct junit_case *item)
{
	start(sink, 2, "testcase");
	attribute(sink, "classname", item->classname);
	attribute(sink, "name", item->name);
	seconds(sink, item->seconds);
	if (item->file) {
		attribute(sink, "file", item->file);
		number(sink, "line", item->line);
	}
	if (item->outcome != JUNIT_PASSED) {
		write_outcome(sink, item);
		end(sink, 2);
	} else {
		check(sink, xmlTextWriterEndElement(sink->writer));
	}
}

static void write_suite(struct sink *sink, const struct junit_suite *suite, size_t id)
{
	size_t counts[JUNIT_SKIPPED + 1] = {0};

	for (size_t i = 0; i < suite->ncases; i++)
		counts[suite->cases[i].outcome]++;
	start(sink, 1, "testsuite");
	attribute(sink, "name", suite->name);
	attribute(sink, "package", suite->package);
	number(sink, "id", id);
	attribute(sink, "timestamp", suite->timestamp);
	attribute(sink, "hostname", suite->hostname);
	number(sink, "tests", suite->ncases);
	number(sink, "failures", counts[JUNIT_FAILURE]);
	number(sink, "errors", counts[JUNIT_ERROR]);
	number(sink, "skipped", counts[JUNIT_SKIPPED]);
	seconds(sink, suite->seconds);

	start(sink, 2, "properties");
	for (size_t i = 0; i < suite->nproperties; i++) {
		start(sink, 3, "property");
		attribute(sink, "name", suite->properties[i].name);
		attribute(sink, "value", suite->properties[i].value);
		check(sink, xmlTextWriterEndElement(sink->writer));
	}
	end(sink, 2);
	for (size_t i = 0; i < suite->ncases; i++)
		write_case(sink, &suite->cases[i]);
	text_element(sink, 2, "system-out", suite->output);
	text_element(sink, 2, "system-err", suite->errors);
	end(sink, 1);
}

static int write_report(FILE *out, const struct junit_suite *suites, size_t count)
{
	struct sink sink = {.out = out};
	xmlOutputBuffer *output = xmlOutputBufferCreateIO(put, NULL, &sink, NULL);

	sink.writer = output ? xmlNewTextWriter(output) : NULL;
	if (!sink.writer) {
		if (output)
			xmlOutputBufferClose(output);
		return -ENOMEM;
	}
	check(&sink, xmlTextWriterStartDocument(sink.writer, NULL, "UTF-8", NULL));
	check(&sink, xmlTextWriterStartElement(sink.writer, BAD_CAST "testsuites"));
	for (size_t i = 0; i < count; i++)
		write_suite(&sink, &suites[i], i);
	end(&sink, 0);
	check(&sink, xmlTextWriterEndDocument(sink.writer));
	xmlFreeTextWriter(sink.writer);
	return sink.error;
}

__attribute__((visibility("default"))) const struct junit_module JUNIT_SYMBOL = {
	.version = VERSION,
	.write = write_report,
};
