/* jm-stored-run-private.h: a run of a job, field by field
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-field-private.h"
#include "core/jm-stored-run.h"

G_BEGIN_DECLS

struct _JmStoredRun
{
  char *cluster;
  char *scheduler; /* empty where it is not known */
  char *raw_id;
  gint64 id; /* of its row; 0 where it has none */
  char *texts[JM_N_RUN_TEXTS];
  gint64 numbers[JM_N_RUN_NUMBERS]; /* JM_RUN_UNKNOWN, or 0 of a time */
  /* a JmRunSource for each field, as a digit; ends with a NUL */
  char sources[JM_N_RUN_FIELDS + 1];
};

/* The number of a field that is one. */
static inline gint64
jm_stored_run_peek (const JmStoredRun *self, JmRunField field)
{
  return self->numbers[field - JM_N_RUN_TEXTS];
}

static inline gboolean
jm_stored_run_has (const JmStoredRun *self, JmRunField field)
{
  return jm_run_field_holds_text (field)
           ? self->texts[field] != NULL
           : jm_stored_run_peek (self, field) !=
               (jm_run_field_is_time (field) ? 0 : JM_RUN_UNKNOWN);
}

JmStoredRun *jm_stored_run_copy (const JmStoredRun *self);

/* Forgets a field. */
void jm_stored_run_clear (JmStoredRun *self, JmRunField field);

/* Whether its times can be: none ends before it begins, or lasts for ever. */
gboolean jm_stored_run_is_sound (const JmStoredRun *self);

/* What @told, all of which @source tells, says of a run that is known: a less reliable
 * word replaces none, one of as reliable a source does. Facts and figures apart.
 *
 * Returns: whether anything has changed */
gboolean jm_stored_run_merge_facts (JmStoredRun *self,
                                    const JmStoredRun *told,
                                    JmRunSource source);
gboolean jm_stored_run_merge_figures (JmStoredRun *self,
                                      const JmStoredRun *told,
                                      JmRunSource source);

/* Until when it ran, as far as is known: 0 for one that has not begun. */
gint64 jm_stored_run_get_until (const JmStoredRun *self);

/* Whether both can be of one job: the same number of another scheduler, or of another
 * user, is another job. What is unknown of one decides nothing, but a job that anybody
 * may make is never that of a scheduler. */
gboolean jm_stored_run_is_of_same_scheduler (const JmStoredRun *self,
                                             const JmStoredRun *told);
gboolean jm_stored_run_is_of_same_user (const JmStoredRun *self,
                                        const JmStoredRun *told);

/* `id, raw_id, sources, scheduler`, then the fields. */
void jm_stored_run_append_columns (GString *sql);

/* A condition: whether the scheduler's accounting knows the run. */
void jm_stored_run_append_is_accounted (GString *sql);
gboolean jm_stored_run_is_accounted (const JmStoredRun *self);

/* The source of each field, as the column `sources` has it. A text may have been
 * written before a field came, and be NULL. */
void jm_stored_run_read_sources (JmStoredRun *self, const char *text);
void jm_stored_run_write_sources (const JmStoredRun *self,
                                  char text[JM_N_RUN_FIELDS + 1]);

/* Fills in the uuid where the run has one that is strong and none told it. */
void jm_stored_run_name (JmStoredRun *self);

G_END_DECLS
