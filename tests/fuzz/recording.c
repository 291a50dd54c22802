/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as a recording, compressed or not: it is refused with one message, or each of its observations is one, with
 * tables whose cells are what their facts can have, or with an error.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "record/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

static const char *const speeds[] = {"SDR", "DDR", NULL};
static const struct rs_fact facts[] = {
	{"a", RS_TEXT},
	{"b", RS_INTEGER},
	{"c", RS_UNSIGNED},
	{"d", RS_NUMBER},
	{"e", RS_BOOLEAN},
	{"f", RS_ENUM, .choices = speeds},
	{"g", RS_GUID},
	{"h", RS_GID},
	{"i", RS_IP},
	{"j", RS_TEXT, RS_F_LIST},
	{NULL},
};
static const struct rs_fact few[] = {{"a", RS_TEXT}, {"b", RS_INTEGER, RS_F_LIST}, {NULL}};
static const struct rs_probe probes[] = {{.name = "t.a", .facts = facts}, {.name = "t.b", .facts = few}};
static const struct rs_source source = {.name = "t.s", .probes = probes, .nprobes = 2};

static void check_table(const struct table *table)
{
	for (size_t i = 0; i < table->rows * table->columns; i++) {
		AUTO_BUF struct buf out = {0};

		value_write(&out, value_type_of_fact(&table->probe->facts[i % table->columns]), &table->cells[i]);
	}
}

static void check_observation(const struct recording *recording, const struct recorded *recorded, uint32_t wanted)
{
	struct observation *observation = recorded_observation(recording, recorded, &source, wanted);

	CHECK(observation && !strcmp(observation->host, recorded->host));
	for (unsigned i = 0; i < 2; i++) {
		CHECK(!observation->tables[i] || wanted & 1u << i);
		CHECK(observation->tables[i] || observation->error || !(wanted & 1u << i));
		if (observation->tables[i])
			check_table(observation->tables[i]);
	}
	for (size_t i = 0; i < observation->nevidence; i++)
		CHECK(observation->evidence[i].total >=
		      observation->evidence[i].head.length + observation->evidence[i].tail.length);
	observation_unref(observation);
}

static void check(const struct recording *recording)
{
	size_t count, followers = 0;
	const struct recorded *list = recording_observations(recording, &count);

	for (size_t i = 0; i < count; i++) {
		CHECK(list[i].host && list[i].source && list[i].params);
		CHECK(list[i].next == SIZE_MAX || (list[i].next > i && list[i].next < count));
		followers += list[i].next != SIZE_MAX;
		check_observation(recording, &list[i], 3);
		check_observation(recording, &list[i], 2);
	}
	CHECK(followers < count || !count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_CLOSE int fd = memfd_create("recording", 0);
	AUTO_DIAG struct diag diag = {0};
	struct recording *recording;
	char path[40];

	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	recording = recording_load(path, &diag);
	CHECK(!recording == !!diag.text);
	if (recording)
		check(recording);
	recording_free(recording);
	return 0;
}
