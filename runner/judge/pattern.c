/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/pattern.h"

#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* States up to here, and what is repeated next: enough to see an explosion before regcomp() makes it happen. */
struct size {
	uint64_t all;
	uint64_t last;
};

static const char *skip_set(const char *c)
{
	c++;
	if (*c == '^')
		c++;
	if (*c == ']')
		c++;
	while (*c && *c != ']') {
		/* [:alpha:], [.x.], [=x=] hold a ] of their own */
		if (*c == '[' && (c[1] == ':' || c[1] == '.' || c[1] == '=')) {
			const char close[3] = {c[1], ']', 0};
			const char *end = strstr(c + 2, close);

			if (!end)
				return c + strlen(c);
			c = end + 2;
		} else {
			c++;
		}
	}
	return *c ? c + 1 : c;
}

/* "{2,5}": the larger number; what is no interval repeats once. */
static const char *read_repeat(const char *c, uint64_t *times)
{
	char *end;

	*times = 1;
	if (*c != '{') {
		*times = 2;
		return c + 1;
	}
	*times = strtoul(c + 1, &end, 10);
	if (*end == ',') {
		uint64_t most = strtoul(end + 1, &end, 10);

		if (most > *times)
			*times = most;
	}
	if (*times < 1)
		*times = 1;
	return *end == '}' ? end + 1 : c + 1;
}

static const char *limits(const char *c)
{
	struct size levels[PATTERN_DEEPEST + 1] = {0};
	struct size *level = levels;

	while (*c) {
		uint64_t atom = 1, times;

		if (level->all > PATTERN_LARGEST)
			return "is too large";
		switch (*c) {
		case '\\':
			if (c[1] >= '1' && c[1] <= '9')
				return "has a back-reference, which extended regular expressions do not have";
			c += c[1] ? 2 : 1;
			break;
		case '[':
			c = skip_set(c);
			break;
		case '(':
			if (level == levels + PATTERN_DEEPEST)
				return "is nested too deeply";
			*++level = (struct size){0};
			c++;
			continue;
		case ')':
			c++;
			if (level > levels)
				atom = (level--)->all + 1;
			break;
		case '*':
		case '+':
		case '{':
			c = read_repeat(c, &times);
			atom = level->last * times;
			level->all -= level->last;
			break;
		default:
			c++;
			break;
		}
		level->last = atom;
		level->all += atom;
	}
	/* Groups that were left open are regcomp()'s to refuse. */
	for (; level >= levels; level--)
		if (level->all > PATTERN_LARGEST)
			return "is too large";
	return NULL;
}

bool pattern_check(const char *text, char **why)
{
	const char *limit = limits(text);
	regex_t regex;
	char message[256];
	int error;

	if (limit) {
		*why = xstrdup(limit);
		return false;
	}
	error = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, &regex, message, sizeof(message));
		*why = xstrdup(message);
		return false;
	}
	regfree(&regex);
	return true;
}

struct compiled {
	struct compiled *next;
	char *text;
	regex_t regex;
};

static struct compiled *pool[256];

static void __attribute__((destructor)) pool_free(void)
{
	for (size_t i = 0; i < 256; i++) {
		while (pool[i]) {
			struct compiled *first = pool[i];

			pool[i] = first->next;
			regfree(&first->regex);
			free(first->text);
			free(first);
		}
	}
}

static const regex_t *compiled(const char *text)
{
	struct compiled **slot, *entry;
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	slot = &pool[(hash ^ hash >> 16) & 255];
	for (entry = *slot; entry; entry = entry->next)
		if (!strcmp(entry->text, text))
			return &entry->regex;
	entry = xcalloc(1, sizeof(*entry));
	if (regcomp(&entry->regex, text, REG_EXTENDED | REG_NOSUB)) {
		free(entry);
		return NULL;
	}
	entry->text = xstrdup(text);
	entry->next = *slot;
	*slot = entry;
	return &entry->regex;
}

int pattern_match(struct pattern *pattern, const char *text, size_t length)
{
	regmatch_t range = {.rm_so = 0, .rm_eo = (regoff_t)length};

	if (!pattern->compiled)
		pattern->compiled = compiled(pattern->text);
	if (!pattern->compiled)
		return -1;
	switch (regexec(pattern->compiled, text, 1, &range, REG_STARTEND)) {
	case 0:
		return 1;
	case REG_NOMATCH:
		return 0;
	default:
		return -1;
	}
}
