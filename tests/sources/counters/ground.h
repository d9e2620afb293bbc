/* ground.h: a cgroup of version 2 for a test, and a process in it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

/* What a process in the cgroup does. */
typedef void (*GroundWork) (gconstpointer user_data);

typedef struct _Ground Ground;

/* Makes the cgroup; skips the test, and returns NULL, where that cannot be. */
Ground *ground_new (void);
void ground_free (Ground *self);

const char *ground_get_dir (Ground *self);

/* Has a process enter the cgroup, or the one of that name below it, do its work and
 * end. */
void
ground_work (Ground *self, const char *below, GroundWork work, gconstpointer user_data);

/* Removes what was made below it. */
void ground_remove_below (Ground *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ground, ground_free)
