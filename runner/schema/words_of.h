/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: types, limits and defaults in words, for describe and for the reference; examples */
#pragma once

#include "schema/internal.h"

/** words_of_param - "integer, 1 to 255", "one of write, read (one or a list)" */
void words_of_param(struct buf *out, const struct rs_param *param);

/** words_of_fact - "one of Down, Init, Armed, Active (ordered)" */
void words_of_fact(struct buf *out, const struct rs_fact *fact);

/** words_of_key - of an envelope's key: "integer, 0 to 1000" */
void words_of_key(struct buf *out, const struct schema_key *key);

/** words_of_source - where and how it is observed, in sentences */
void words_of_source(struct buf *out, const struct rs_source *source);

/** example_step - a step of this probe that passes the check; @indent blanks before each line */
void example_step(struct buf *out, const struct rs_source *source, const struct rs_probe *probe, int indent);
