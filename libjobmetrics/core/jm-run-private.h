/* jm-run-private.h: a run of a job, field by field
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-field-private.h"

G_BEGIN_DECLS

struct _JmRun
{
  char *cluster;
  char *scheduler; /* empty where it is not known */
  char *raw_id;
  gint64 id; /* of its row; 0 where it has none */
  char *texts[JM_N_RUN_TEXTS];
  gint64 numbers[JM_N_RUN_NUMBERS]; /* JM_RUN_UNKNOWN, or 0 of a time */
  /* a JmRunSource for each field, as a digit; ends with a NUL */
  char sources[JM_N_RUN_FIELDS + 1];
  GPtrArray *parts[JM_N_RUN_PART_KINDS]; /* of JmRunPart; NULL until one is added */
  gboolean has_estimates; /* whether any of its energy was estimated: its row says so */
};

/* The number of a field that is one. */
static inline gint64
jm_run_peek (const JmRun *self, JmRunField field)
{
  return self->numbers[field - JM_N_RUN_TEXTS];
}

static inline gboolean
jm_run_has (const JmRun *self, JmRunField field)
{
  return jm_run_field_holds_text (field)
           ? self->texts[field] != NULL
           : jm_run_peek (self, field) !=
               (jm_run_field_is_time (field) ? 0 : JM_RUN_UNKNOWN);
}

/* Without its parts. */
JmRun *jm_run_copy (const JmRun *self);

/* Forgets a field. */
void jm_run_clear (JmRun *self, JmRunField field);

/* Whether its times can be: none ends before it begins, or lasts for ever. */
gboolean jm_run_is_sound (const JmRun *self);

/* Adds what @other, all of it from @source, has of a run that is known: a less reliable
 * word replaces none, one of as reliable a source does. Facts and figures apart.
 *
 * Returns: whether anything has changed */
gboolean jm_run_merge_facts (JmRun *self, const JmRun *other, JmRunSource source);
gboolean jm_run_merge_figures (JmRun *self, const JmRun *other, JmRunSource source);

/* Until when it ran, as far as is known: 0 for one that has not begun. */
gint64 jm_run_get_until (const JmRun *self);

/* Whether anything else is known than before, but that it still ran later. */
gboolean jm_run_has_news (const JmRun *self, const JmRun *before);

/* Whether both can be of one job: the same number of another scheduler, or of another
 * user, is another job. What is unknown of one decides nothing, but a job that anybody
 * may make is never that of a scheduler. */
gboolean jm_run_is_of_same_scheduler (const JmRun *self, const JmRun *other);
gboolean jm_run_is_of_same_user (const JmRun *self, const JmRun *other);

/* `id, raw_id, sources, scheduler`, then the fields. */
void jm_run_append_columns (GString *sql);

/* A condition: whether the scheduler's accounting knows the run. */
void jm_run_append_is_accounted (GString *sql);
gboolean jm_run_is_accounted (const JmRun *self);

/* The source of each field, as the column `sources` has it. A text may have been
 * written before a field came, and be NULL. */
void jm_run_read_sources (JmRun *self, const char *text);
void jm_run_write_sources (const JmRun *self, char text[JM_N_RUN_FIELDS + 1]);

/* Fills in the uuid where the run has one that is strong and none was given. */
void jm_run_name (JmRun *self);

void jm_run_set_scheduler (JmRun *self, const char *scheduler);

const char *jm_run_get_scheduler (JmRun *self);

G_END_DECLS
