/* jm-slurm-rest-private.h: a Slurm that is asked through slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/jm-scheduler.h"
#include "schedulers/slurm/jm-slurm-answer-private.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURM_REST (jm_slurm_rest_get_type ())

G_DECLARE_FINAL_TYPE (JmSlurmRest, jm_slurm_rest, JM, SLURM_REST, JmSource)

/* Where a slurmrestd listens, and who asks: a field of each type that asks one. */
typedef struct
{
  char *url;
  char *socket; /* of this machine, instead of @url */
  char *user;   /* NULL for whom the token was made for */
  char *token_file;
  char *ca_file; /* NULL for the authorities of the system */
  guint version; /* N of the API's 0.0.N; 0 for the latest that both know */
} JmSlurmRestPlace;

/* For class_init(): a property for each, at @offset of the instance. */
void jm_slurm_rest_place_install (GObjectClass *klass, gsize offset);

/* Asks for @path, in which a `%u` stands for the version, and for @query where it is
 * not NULL. */
gboolean jm_slurm_rest_ask (JmSlurmRest *self,
                            const char *path,
                            const char *query,
                            JmSlurmAnswer *answer,
                            GCancellable *cancellable,
                            GError **error);

G_END_DECLS
