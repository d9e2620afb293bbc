/* allocations.h: how often memory was asked for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

/* How many blocks the process has asked for so far: malloc() and its kin count where
 * allocations.c is linked into the program, or preloaded. A sanitizer has a malloc() of
 * its own, which cannot be counted. */
guint64 allocations_count (void);

/* Those of the calling thread: threads that others begin take what they need when they
 * like. */
guint64 allocations_count_of_thread (void);

/* Names the file, of eight bytes, in which a preloaded counter counts. */
#define ALLOCATIONS_FILE "ALLOCATIONS_FILE"
