/* jm-slurm-rest-private.h: a Slurm that is asked through slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler.h"
#include "sources/scheduler/jm-slurm-answer-private.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_REST (jm_slurm_rest_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmRest, jm_slurm_rest, JM, SLURM_REST, JmSource)

/* Asks for @path, in which a `%u` stands for the version, and for @query where it is
 * not NULL. */
gboolean jm_slurm_rest_ask (JmSlurmRest *self,
                            const char *path,
                            const char *query,
                            JmSlurmAnswer *answer,
                            GCancellable *cancellable,
                            GError **error);

G_END_DECLS
