/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: YAML as text_load() reads it: written by libyaml's emitter, which knows what is to be quoted */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct emitter;

/** emit_open - one document onto @out, which stays open */
struct emitter *emit_open(FILE *out);

/** emit_map, emit_list - begin one; @flow: on a line, in brackets. emit_end - the innermost one ends. */
void emit_map(struct emitter *emitter, bool flow);
void emit_list(struct emitter *emitter, bool flow);
void emit_end(struct emitter *emitter);

/** emit_text - a key or a value; a "$" is doubled, so that no variable is seen in it. It has to be emit_able(). */
void emit_text(struct emitter *emitter, const char *text);

/** emit_able - whether a scenario can hold these bytes: UTF-8 without control characters */
bool emit_able(const char *text, size_t length);

/** emit_close - the document ends; 0 or -EIO where something could not be written */
int emit_close(struct emitter *emitter);
