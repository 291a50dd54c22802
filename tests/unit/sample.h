/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the tests of schema/ share */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sample_tables.h"
#include "schema/schema.h"

/* All diagnostics as they are printed. */
static inline char *sample_said(const struct diags *diags)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	diags_print(diags, out);
	fclose(out);
	return text;
}

/* A file that a test needs; its folder is the current one. */
static inline void sample_file(const char *path, const void *data, size_t length)
{
	AUTO_FCLOSE FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, length, file), length);
}
