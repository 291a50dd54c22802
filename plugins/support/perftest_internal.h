/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: between the files of the perftest parser */
#pragma once

#include "support/perftest.h"

/** perftest_say - add a line; @length of @text with what is not printable as '?' */
void perftest_say(struct perftest_texts *texts, uint64_t line, const char *what, const char *text, size_t length);

/** perftest_header_line - whether it is one; it is then the header of what follows */
bool perftest_header_line(struct perftest *perftest, const char *line, size_t length);

/**
 * perftest_row_line - whether it is a row of the present table, or the ruin of one
 * @whole: false: it has no end of line
 */
bool perftest_row_line(struct perftest *perftest, const char *line, size_t length, bool whole);
