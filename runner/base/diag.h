/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: diagnostics
 *
 * A diagnostic is a value with a place, never a printed line. One convention in the whole runner:
 * a function that can fail in one way returns 0 or a negative errno and fills a struct diag (untouched on success);
 * one that finds several problems adds them to a struct diags and returns 0, or -EINVAL where it added an error.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

/** struct place - where in the input; file is NULL where there is none; line and column from 1 (0: the whole file) */
struct place {
	const char *file; /* as the user wrote it; borrowed: outlives the diagnostics */
	uint32_t line;
	uint32_t column; /* in characters, not bytes */
};

#define NO_PLACE ((struct place){0})

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum diag_level level;
	struct place place;
	char *text; /* one line, may hold hostile bytes; NULL: nothing was said */
};

/** diag_set - fill @diag (which may be NULL); returns -@error, so that callers can "return diag_set(...)" */
int diag_set(struct diag *diag, int error, struct place place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void diag_free(struct diag *diag);

#define AUTO_DIAG __attribute__((cleanup(diag_free)))

/** struct diags - all that was found; {0} is an empty list. At most DIAGS_KEPT are kept, all are counted. */
#define DIAGS_KEPT 1000
struct diags {
	struct diag *items;
	size_t count, capacity;
	size_t errors, warnings; /* all, also those not kept */
};

void diags_error(struct diags *diags, struct place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void diags_warning(struct diags *diags, struct place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void diags_add(struct diags *diags, struct diag *diag); /* takes the text over, leaves @diag empty */

/**
 * diags_print - "FILE:LINE:COLUMN: error: TEXT" a line, grouped by file in order of appearance, then by line and
 * column; sanitised; what was said twice of the same place is printed once
 */
void diags_print(const struct diags *diags, FILE *out);
void diags_free(struct diags *diags);

/** suggest - the candidate most like @text (case and small edits apart), or NULL where none is close; borrowed */
const char *suggest(const char *text, const char *const *candidates, size_t count);
