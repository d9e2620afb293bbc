/* jm-slurm-task-list-private.h: the tasks of an array that slurmdbd keeps as bits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `0x1E` as `1-4`, as sacct shows it; cut with dots where it is long. Any other text is
 * one already. NULL where there is none. @at_once is how many may run, or 0. */
char *jm_slurm_make_task_list (const char *text, gint64 at_once);

G_END_DECLS
