/* jm-slurm-tres-list-private.h: a list of what Slurm counts, as sacct writes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `billing=1,cpu=1,gres/gpu:a100=1,mem=50M,node=1`: in the order of its words. */
typedef struct
{
  GPtrArray *words; /* no more than there are kinds on any cluster */
  /* -1 of what is not in the list */
  gint64 cpus;
  gint64 memory_bytes;
  gint64 energy_joules;
  gint64 gpus;       /* of all types */
  gint64 typed_gpus; /* the sum of those of a type */
  gboolean is_bad;   /* a count was larger than any can be, and is left out */
} JmSlurmTresList;

void jm_slurm_tres_list_init (JmSlurmTresList *self);
void jm_slurm_tres_list_clear (JmSlurmTresList *self);
void jm_slurm_tres_list_reset (JmSlurmTresList *self);

/* @name is NULL or empty of a kind that has none; memory is in MiB. */
void jm_slurm_tres_list_add (JmSlurmTresList *self,
                             const char *type,
                             const char *name,
                             gint64 count);

/* Whether they have a type or not; -1 where there are none. */
gint64 jm_slurm_tres_list_count_gpus (const JmSlurmTresList *self);

/* NULL where there is none. */
char *jm_slurm_tres_list_make_text (JmSlurmTresList *self);

G_END_DECLS
