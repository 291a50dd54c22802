/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: descriptors: how many there may be, and which of them a child keeps */
#pragma once

#include <sys/types.h>

/** descriptors_restore - give a child (0: this process, which is one) the limit that there was before link_reserve() */
void descriptors_restore(pid_t child);

/** descriptors_close - close all above @most */
void descriptors_close(int most);
