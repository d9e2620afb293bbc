/* jm-snapshot-subjects.c: what the figures of a snapshot are about
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-snapshot-private.h"
#include "core/jm-subject-private.h"

static const JmSubject *
get_subject (JmSnapshot *self, guint subject)
{
  guint n_subjects;

  return jm_snapshot_get_subjects (self, &n_subjects) + subject;
}

/**
 * jm_snapshot_get_jobs:
 * @self: a snapshot
 *
 * Lists the jobs, in the order in which they were first seen.
 *
 * Returns: (transfer container) (element-type JmJob): the jobs
 * Since: 0.1
 */
GPtrArray *
jm_snapshot_get_jobs (JmSnapshot *self)
{
  const JmSubject *subjects;
  guint n_subjects;
  GPtrArray *jobs;

  g_return_val_if_fail (self != NULL, NULL);

  subjects = jm_snapshot_get_subjects (self, &n_subjects);
  jobs = g_ptr_array_new ();
  for (guint i = 0; i < n_subjects; i++)
    if (subjects[i].kind == JM_SUBJECT_KIND_JOB)
      g_ptr_array_add (jobs, subjects[i].job);

  return jobs;
}

/**
 * jm_snapshot_find_job:
 * @self: a snapshot
 * @id: a job id, `ARRAY_INDEX` of a job array, or a uuid
 * @subject: (out): number of the job's subject
 *
 * Finds a job; of several with the same id the one seen last.
 *
 * Returns: whether there is one
 * Since: 0.1
 */
gboolean
jm_snapshot_find_job (JmSnapshot *self, const char *id, guint *subject)
{
  guint n_compared;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (id != NULL, FALSE);
  g_return_val_if_fail (subject != NULL, FALSE);

  return jm_snapshot_look_up_job (self, id, subject, &n_compared);
}

/**
 * jm_snapshot_find_subject:
 * @self: a snapshot
 * @kind: a kind of subject
 * @subject: (out): number of the first subject of that kind
 *
 * Finds a subject of which there is but one, such as the node's system.
 *
 * Returns: whether there is one
 * Since: 0.1
 */
gboolean
jm_snapshot_find_subject (JmSnapshot *self, JmSubjectKind kind, guint *subject)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, FALSE);
  g_return_val_if_fail (subject != NULL, FALSE);

  return jm_snapshot_look_up_kind (self, kind, subject);
}

/**
 * jm_snapshot_get_kind:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets whether a subject is the node, a part of it, a job, a step or a task.
 *
 * Returns: the kind
 * Since: 0.1
 */
JmSubjectKind
jm_snapshot_get_kind (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, JM_SUBJECT_KIND_NODE);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self),
                        JM_SUBJECT_KIND_NODE);

  return get_subject (self, subject)->kind;
}

/**
 * jm_snapshot_get_job:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets the job that a subject is or belongs to.
 *
 * Returns: (transfer none) (nullable): the job; %NULL for the node
 * Since: 0.1
 */
JmJob *
jm_snapshot_get_job (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  return get_subject (self, subject)->job;
}

/**
 * jm_snapshot_get_parent:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets what a subject is a part of: a task's step, a step's job, the node of all else.
 *
 * Returns: number of the parent, lower than @subject; 0 for the node itself
 * Since: 0.1
 */
guint
jm_snapshot_get_parent (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), 0);

  return get_subject (self, subject)->parent;
}

/**
 * jm_snapshot_get_subject_labels:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets what distinguishes a subject from others of its kind and job, in the order
 * of the labels of its metrics.
 *
 * Returns: (transfer none) (nullable): the labels, such as a step's name; %NULL where
 *   the kind has none
 * Since: 0.1
 */
JmLabels *
jm_snapshot_get_subject_labels (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  return get_subject (self, subject)->labels;
}

static const char *
get_label (JmSnapshot *self, guint subject, const char *name)
{
  const JmSubject *it = get_subject (self, subject);
  const char *const *names = jm_subject_kind_get_label_names (it->kind);

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return jm_labels_get_value (it->labels, i);

  return NULL;
}

/**
 * jm_snapshot_get_step:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets the name of a step or of a task's step.
 *
 * Returns: (nullable): the name; %NULL for the node and for jobs
 * Since: 0.1
 */
const char *
jm_snapshot_get_step (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  return get_label (self, subject, "step");
}

/**
 * jm_snapshot_get_task:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets the number of a task.
 *
 * Returns: (nullable): the number; %NULL for all but tasks
 * Since: 0.1
 */
const char *
jm_snapshot_get_task (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  return get_label (self, subject, "task");
}

/**
 * jm_snapshot_get_start_time:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets when a job, step or task started: as the scheduler reported it, else when
 * the oldest of its processes that were seen began.
 *
 * Returns: microseconds since 1970; 0 if unknown
 * Since: 0.1
 */
gint64
jm_snapshot_get_start_time (JmSnapshot *self, guint subject)
{
  const JmSubject *it;
  const JmReading *reading;
  gint64 given_s = 0;
  guint n_compared;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), 0);

  it = get_subject (self, subject);
  if (it->kind == JM_SUBJECT_KIND_JOB)
    given_s = jm_job_get_start_time (it->job);
  if (given_s > 0)
    return given_s * G_USEC_PER_SEC;

  reading = jm_snapshot_look_up_reading (self, subject, JM_METRIC_PROCESS_FIRST_START,
                                         NULL, &n_compared);

  return reading != NULL ? (gint64) (reading->value / 1000) : 0;
}

/**
 * jm_snapshot_get_end_time:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets when a job was seen to have ended, whose last figures are still on display.
 *
 * Returns: microseconds since 1970; 0 while it runs
 * Since: 0.1
 */
gint64
jm_snapshot_get_end_time (JmSnapshot *self, guint subject)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), 0);

  return get_subject (self, subject)->end_time;
}
