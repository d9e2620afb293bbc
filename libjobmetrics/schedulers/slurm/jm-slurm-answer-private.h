/* jm-slurm-answer-private.h: what slurmrestd answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "schedulers/slurm/jm-slurm-field-private.h"

G_BEGIN_DECLS

/* An answer of any of the releases 21.08 to 26.05 (API versions 0.0.37 to 0.0.45), read
 * as it comes. What differs between them is read in all of its forms: a number alone,
 * or as an object of `set`, `infinite` and `number`; a state as a word, or as a list.
 * What is not known is passed over. Negative numbers are those by which older releases
 * say that there is none. */
typedef struct _JmSlurmAnswer JmSlurmAnswer;

/* What makes records of one topic. */
typedef struct
{
  const char *records; /* where they are: the members that lead there, with dots */
  gsize draft_size;
  /* The names are members of a record, with dots; those of objects in a list are the
   * list's. Several fields of one name stand behind each other. */
  const JmSlurmField *fields;
  guint n_fields;
  void (*begin) (gpointer draft);
  void (*end) (JmSlurmAnswer *answer, gpointer draft);
  /* An object in a list of the record begins, or ended; may be NULL. */
  void (*begin_element) (gpointer draft, const char *name);
  void (*end_element) (JmSlurmAnswer *answer, gpointer draft, const char *name);
} JmSlurmShape;

extern const JmSlurmShape jm_slurm_jobs_shape;
extern const JmSlurmShape jm_slurm_nodes_shape;
extern const JmSlurmShape jm_slurm_partitions_shape;
extern const JmSlurmShape jm_slurm_reservations_shape;
extern const JmSlurmShape jm_slurm_licenses_shape;
extern const JmSlurmShape jm_slurm_shares_shape;
extern const JmSlurmShape jm_slurm_limits_shape;
extern const JmSlurmShape jm_slurm_diagnostics_shape;

/* @shape may be NULL of an answer of which only the head is of interest; @cluster is
 * the one that is asked for, or NULL. */
JmSlurmAnswer *jm_slurm_answer_new (const JmSlurmShape *shape,
                                    JmSchedulerReport *report,
                                    const char *cluster);
void jm_slurm_answer_free (JmSlurmAnswer *self);

/* Who takes the records of a shape that makes none of the report's. */
void jm_slurm_answer_set_taker (JmSlurmAnswer *self, gpointer taker);
gpointer jm_slurm_answer_get_taker (JmSlurmAnswer *self);

JmSchedulerReport *jm_slurm_answer_get_report (JmSlurmAnswer *self);
const char *jm_slurm_answer_get_asked_cluster (JmSlurmAnswer *self);

/* Some of the text; FALSE where it is of no use to go on. @self is a gpointer, to be
 * handed on as one. */
gboolean jm_slurm_answer_feed (const char *text, gsize length, gpointer self);

/* At the end. Errors: `MALFORMED` of what is no answer, `UNAVAILABLE` of one that says
 * that there was an error. @name is for messages. */
gboolean jm_slurm_answer_finish (JmSlurmAnswer *self, const char *name, GError **error);

/* The number of the error that it says that there was, or -1. */
gint64 jm_slurm_answer_get_problem_number (JmSlurmAnswer *self);

/* Of the whole answer: */
guint jm_slurm_answer_get_n_records (JmSlurmAnswer *self);
gboolean jm_slurm_answer_has_warning (JmSlurmAnswer *self);
/* NULL, and 0, where it is not known */
const char *jm_slurm_answer_get_cluster (JmSlurmAnswer *self);
gint64 jm_slurm_answer_get_update_time (JmSlurmAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmAnswer, jm_slurm_answer_free)

G_END_DECLS
