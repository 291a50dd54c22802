/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folding works on one number of the names at a time, the last first: names that differ in nothing else become one name
 * with a bracket in that place, which in the next round is text like any other. What was a full product of ranges ends
 * up as one name with several brackets.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nodeset.h"

#define NUMBERS_MAX 8 /* numbers of a name that are looked at */
#define NUMBER_DIGITS 18

/* A run of digits, as offsets into the name. */
struct number {
	size_t at, length;
};

struct entry {
	char *name;
	const char *digits; /* of the number in turn; NULL: has no such number */
	size_t length;
	uint64_t value;
	size_t order; /* of the first name in it */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The runs of digits outside of brackets, and brackets as one; those that are too long are text. */
static size_t find_numbers(const char *name, struct number *numbers)
{
	size_t count = 0;

	for (size_t i = 0; name[i] && count < NUMBERS_MAX;) {
		size_t start = i;

		if (name[i] == '[') {
			i += strcspn(name + i, "]");
			numbers[count++] = (struct number){start, 0};
		} else if (!is_digit(name[i])) {
			i++;
		} else {
			while (is_digit(name[i]))
				i++;
			if (i - start <= NUMBER_DIGITS)
				numbers[count++] = (struct number){start, i - start};
		}
	}
	return count;
}

static void look_at(struct entry *entry, size_t turn)
{
	struct number numbers[NUMBERS_MAX];
	size_t count = find_numbers(entry->name, numbers);

	entry->digits = NULL;
	if (turn >= count || !numbers[turn].length)
		return;
	entry->digits = entry->name + numbers[turn].at;
	entry->length = numbers[turn].length;
	entry->value = strtoull(entry->digits, NULL, 10); /* ends at the letter behind the run */
}

/* By what is before the number, then what is behind it: equal ones fold. */
static int compare_around(const struct entry *a, const struct entry *b)
{
	size_t before_a, before_b;
	int order;

	if (!a->digits || !b->digits)
		return a->digits || b->digits ? (a->digits ? 1 : -1) : strcmp(a->name, b->name);
	before_a = (size_t)(a->digits - a->name);
	before_b = (size_t)(b->digits - b->name);
	order = memcmp(a->name, b->name, before_a < before_b ? before_a : before_b);
	if (!order && before_a != before_b)
		order = before_a < before_b ? -1 : 1;
	return order ? order : strcmp(a->digits + a->length, b->digits + b->length);
}

static int compare_folding(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_around(a, b);

	if (order || !a->digits)
		return order;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->length > b->length) - (a->length < b->length);
}

static int compare_order(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return (a->order > b->order) - (a->order < b->order);
}

/* Whether "@first-..." with @first's padding would write @entry's number just as it is. */
static bool continues(const struct entry *first, const struct entry *last, const struct entry *entry)
{
	char digits[32];
	int width = first->length > 1 && first->digits[0] == '0' ? (int)first->length : 1;
	int length = snprintf(digits, sizeof(digits), "%0*" PRIu64, width, entry->value);

	return entry->value == last->value + 1 && (size_t)length == entry->length;
}

/* "[01-14,20]" of entries that are sorted and agree around their numbers */
static void write_bracket(struct buf *out, const struct entry *entries, size_t count)
{
	buf_putc(out, '[');
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && continues(&entries[i], &entries[next - 1], &entries[next]);)
			next++;
		if (i)
			buf_putc(out, ',');
		buf_add(out, entries[i].digits, entries[i].length);
		if (next > i + 1) {
			buf_putc(out, '-');
			buf_add(out, entries[next - 1].digits, entries[next - 1].length);
		}
	}
	buf_putc(out, ']');
}

/* The first of a group takes its bracket and the earliest place. */
static void fold_group(struct entry *group, size_t count)
{
	struct buf name = {0};

	buf_add(&name, group->name, (size_t)(group->digits - group->name));
	write_bracket(&name, group, count);
	buf_puts(&name, group->digits + group->length);
	for (size_t i = 1; i < count; i++)
		if (group[i].order < group->order)
			group->order = group[i].order;
	free(group->name);
	group->name = buf_take(&name);
}

static size_t fold_turn(struct entry *entries, size_t count, size_t turn)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		look_at(&entries[i], turn);
	qsort(entries, count, sizeof(*entries), compare_folding);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && !compare_around(&entries[i], &entries[next]);)
			next++;
		if (next > i + 1 && entries[i].digits)
			fold_group(&entries[i], next - i);
		for (size_t j = i + 1; j < next; j++)
			free(entries[j].name);
		entries[kept++] = entries[i];
	}
	return kept;
}

static int compare_names(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : compare_order(a, b);
}

/* A name that is there twice is one. */
static size_t drop_doubles(struct entry *entries, size_t count)
{
	size_t kept = 0;

	qsort(entries, count, sizeof(*entries), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (kept && !strcmp(entries[kept - 1].name, entries[i].name))
			free(entries[i].name);
		else
			entries[kept++] = entries[i];
	}
	return kept;
}

void nodeset_fold(struct buf *out, const char *const *names, size_t count)
{
	AUTO_FREE struct entry *entries = xcalloc(count, sizeof(*entries));

	for (size_t i = 0; i < count; i++)
		entries[i] = (struct entry){.name = xstrdup(names[i]), .order = i};
	count = drop_doubles(entries, count);
	for (size_t turn = NUMBERS_MAX; turn--;)
		count = fold_turn(entries, count, turn);
	qsort(entries, count, sizeof(*entries), compare_order);
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, i ? "," : "");
		buf_puts(out, entries[i].name);
		free(entries[i].name);
	}
}
