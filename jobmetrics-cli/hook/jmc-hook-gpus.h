/* jmc-hook-gpus.h: a file for each accelerator, with the jobs that have it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "hook/jmc-hook-directory.h"

G_BEGIN_DECLS

/* The devices of a scheduler's list, such as `0,2-3` or uuids; others are left out. */
GStrv jmc_hook_gpus_list (const char *text);

/* Writes a job into the file of each of its devices, beside the jobs that share it.
 * Gives
 * up when others write at @until_us, by the monotonic clock. */
gboolean jmc_hook_gpus_add (const JmcHookDirectory *directory,
                            const char *gpus,
                            const char *job,
                            gint64 until_us,
                            GError **error);

/* Takes a job out of all files; one that names no job any more goes. */
gboolean jmc_hook_gpus_remove (const JmcHookDirectory *directory,
                               const char *job,
                               gint64 until_us,
                               GError **error);

G_END_DECLS
