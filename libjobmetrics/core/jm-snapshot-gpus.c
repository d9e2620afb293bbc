/* jm-snapshot-gpus.c: the accelerators of a snapshot
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-grants-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-snapshot-private.h"

static gboolean
is_gpu (const JmSubject *subject)
{
  return subject->kind == JM_SUBJECT_KIND_GPU ||
         subject->kind == JM_SUBJECT_KIND_JOB_GPU;
}

/**
 * jm_snapshot_list_gpus:
 * @self: a snapshot
 * @subject: %JM_NODE_SUBJECT, or a job
 *
 * Lists the accelerators of the node, each instance somewhere behind the device that it
 * is a part of; or what a job has of them.
 *
 * Returns: (transfer full) (element-type guint): numbers of subjects
 * Since: 0.1
 */
GArray *
jm_snapshot_list_gpus (JmSnapshot *self, guint subject)
{
  GArray *gpus;
  const JmSubject *subjects;
  guint n_subjects;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  gpus = g_array_new (FALSE, FALSE, sizeof (guint));
  subjects = jm_snapshot_get_subjects (self, &n_subjects);
  for (guint i = subject + 1; i < n_subjects; i++)
    {
      /* what a job consists of stands before the next */
      if (subject != JM_NODE_SUBJECT && subjects[i].kind == JM_SUBJECT_KIND_JOB)
        break;
      if (is_gpu (&subjects[i]) && subjects[i].parent == subject)
        g_array_append_val (gpus, i);
    }

  return gpus;
}

/**
 * jm_snapshot_get_gpu:
 * @self: a snapshot
 * @subject: number of a subject
 *
 * Gets the name of an accelerator, or of the one that a job has something of.
 *
 * Returns: (nullable): the name, such as `0` or `amd1`; %NULL for all that is none
 * Since: 0.1
 */
const char *
jm_snapshot_get_gpu (JmSnapshot *self, guint subject)
{
  const JmSubject *it;
  guint n_subjects;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);

  it = jm_snapshot_get_subjects (self, &n_subjects) + subject;

  return is_gpu (it) ? jm_labels_get_value (it->labels, 0) : NULL;
}

/**
 * jm_snapshot_find_gpu:
 * @self: a snapshot
 * @name: (nullable): name of an accelerator
 * @subject: (out): number of its subject
 *
 * Finds an accelerator of the node.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_snapshot_find_gpu (JmSnapshot *self, const char *name, guint *subject)
{
  const JmSubject *subjects;
  guint n_subjects, first;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (subject != NULL, FALSE);

  if (name == NULL || !jm_snapshot_look_up_kind (self, JM_SUBJECT_KIND_GPU, &first))
    return FALSE;

  subjects = jm_snapshot_get_subjects (self, &n_subjects);
  for (guint i = first; i < n_subjects && subjects[i].kind != JM_SUBJECT_KIND_JOB; i++)
    if (subjects[i].kind == JM_SUBJECT_KIND_GPU &&
        g_str_equal (jm_labels_get_value (subjects[i].labels, 0), name))
      {
        *subject = i;
        return TRUE;
      }

  return FALSE;
}

/* The first reading of a metric, which may have others. */
static const JmReading *
find_reading (JmSnapshot *self, guint subject, JmMetric metric)
{
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (self, subject, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric && readings[i].labels != NULL)
      return &readings[i];

  return NULL;
}

/**
 * jm_snapshot_get_gpu_field:
 * @self: a snapshot
 * @subject: number of a subject
 * @field: which text
 *
 * Gets a text about an accelerator, or about the one that a job has
 * something of.
 *
 * Returns: (nullable): the words; %NULL where they are not known, and for all that is
 *   no accelerator
 * Since: 0.1
 */
const char *
jm_snapshot_get_gpu_field (JmSnapshot *self, guint subject, JmGpuField field)
{
  const JmReading *info;
  const char *text;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), NULL);
  g_return_val_if_fail ((guint) field < JM_N_GPU_FIELDS, NULL);

  if (!jm_snapshot_find_gpu (self, jm_snapshot_get_gpu (self, subject), &subject))
    return NULL;

  info = find_reading (self, subject, JM_METRIC_GPU_INFO);
  text = info != NULL ? jm_metric_find_label (JM_METRIC_GPU_INFO, info->labels,
                                              jm_gpu_field_get_name (field))
                      : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

/**
 * jm_snapshot_get_gpu_share:
 * @self: a snapshot
 * @subject: what a job has of an accelerator
 * @share: (out): how much of it the job was given, 0 to 1; 0 where it uses it without
 *   that
 * @origin: (out) (optional) (transfer none) (nullable): the name of the
 *   #JmGpuOrigin
 *
 * Gets a job's share of an accelerator.
 *
 * Returns: whether anybody says so; not of a job that has ended
 * Since: 0.1
 */
gboolean
jm_snapshot_get_gpu_share (JmSnapshot *self,
                           guint subject,
                           double *share,
                           const char **origin)
{
  const JmReading *reading;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (subject < jm_snapshot_get_n_subjects (self), FALSE);
  g_return_val_if_fail (share != NULL, FALSE);

  reading = find_reading (self, subject, JM_METRIC_GPU_SHARE);
  *share =
    reading != NULL ? jm_unit_to_base (JM_UNIT_PARTS_PER_MILLION, reading->value) : 0;
  if (origin != NULL)
    *origin = reading != NULL ? jm_labels_get_value (reading->labels, 0) : NULL;

  return reading != NULL;
}
