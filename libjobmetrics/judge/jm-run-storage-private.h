/* jm-run-storage-private.h: the storage that a run was given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* Returns the bytes of @name that Slurm's list of what the run was given has, such as
 * `gres/localtmp` or `bb/datawarp`; 0 where the list does not name it. They are unknown
 * where there is no list, or one that the archive has shortened, and where the count
 * cannot be understood.
 *
 * @unit: bytes that a count of one stands for; 0 for Slurm's own units: mebibytes of
 * burst buffers without a letter, else bytes. See
 * slurmdb_make_tres_string_from_simple() in Slurm's src/common/slurmdb_defs.c. */
JmFigure jm_run_storage_get_bytes (JmRun *run, const char *name, guint64 unit);

G_END_DECLS
