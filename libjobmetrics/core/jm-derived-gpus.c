/* jm-derived-gpus.c: what follows from figures of accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-derived-private.h"

#include "base/jm-natural-order-private.h"
#include "core/jm-figure-private.h"
#include "core/jm-job.h"
#include "core/jm-snapshot-private.h"

static const JmFigure absent = { 0, FALSE, FALSE };

static const struct
{
  const char *name;
  const char *help;
} states[JM_N_GPU_STATES] = {
  [JM_GPU_STATE_FREE] = { "free", "no job was given it" },
  [JM_GPU_STATE_BUSY] = { "busy", "works for a job that was given it" },
  [JM_GPU_STATE_IDLE] = { "idle", "a job was given it, and it does nothing now" },
  [JM_GPU_STATE_GIVEN] = { "given",
                           "a job was given it; no source reports whether it works" },
  [JM_GPU_STATE_TAKEN] = { "taken", "a job uses it, and none was given it" },
  [JM_GPU_STATE_SPLIT] = { "split", "it is divided into instances" },
  [JM_GPU_STATE_LOST] = { "lost", "it could not be read" },
};

/**
 * jm_gpu_state_get_name:
 * @state: a state
 *
 * Gets what a state is called.
 *
 * Returns: the name, such as `idle`
 * Since: 0.1
 */
const char *
jm_gpu_state_get_name (JmGpuState state)
{
  g_return_val_if_fail ((guint) state < JM_N_GPU_STATES, NULL);

  return states[state].name;
}

/**
 * jm_gpu_state_get_help:
 * @state: a state
 *
 * Gets what a state means, for people.
 *
 * Returns: a part of a sentence
 * Since: 0.1
 */
const char *
jm_gpu_state_get_help (JmGpuState state)
{
  g_return_val_if_fail ((guint) state < JM_N_GPU_STATES, NULL);

  return states[state].help;
}

/* --- who has what --- */

/**
 * jm_derived_list_gpu_jobs: (skip)
 * @snapshot: a snapshot
 * @subject: one of the node's accelerators
 *
 * Lists what running jobs have of an accelerator.
 *
 * Returns: (transfer full) (element-type guint): numbers of subjects, whose parents are
 *   the jobs
 * Since: 0.1
 */
GArray *
jm_derived_list_gpu_jobs (JmSnapshot *snapshot, guint subject)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (guint));
  const char *name = jm_snapshot_get_gpu (snapshot, subject);

  for (guint i = 0; name != NULL && i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB_GPU &&
        jm_snapshot_get_end_time (snapshot, jm_snapshot_get_parent (snapshot, i)) ==
          0 &&
        g_str_equal (jm_snapshot_get_gpu (snapshot, i), name))
      g_array_append_val (parts, i);

  return parts;
}

static int
compare_gpus (gconstpointer a, gconstpointer b, gpointer snapshot)
{
  return jm_natural_order_compare (jm_snapshot_get_gpu (snapshot, *(const guint *) a),
                                   jm_snapshot_get_gpu (snapshot, *(const guint *) b));
}

/**
 * jm_derived_list_gpu_tree: (skip)
 * @snapshot: a snapshot
 *
 * Lists the node's accelerators in the order of their names, each right before the
 * instances that it is divided into.
 *
 * Returns: (transfer full) (element-type guint): numbers of subjects
 * Since: 0.1
 */
GArray *
jm_derived_list_gpu_tree (JmSnapshot *snapshot)
{
  GArray *gpus = jm_snapshot_list_gpus (snapshot, JM_NODE_SUBJECT);

  g_array_sort_with_data (gpus, compare_gpus, snapshot);

  return gpus;
}

static gboolean
has_instances (JmSnapshot *snapshot, guint subject)
{
  const char *name = jm_snapshot_get_gpu (snapshot, subject);
  g_autoptr (GArray) gpus = jm_snapshot_list_gpus (snapshot, JM_NODE_SUBJECT);

  for (guint i = 0; i < gpus->len; i++)
    if (g_strcmp0 (jm_snapshot_get_gpu_field (snapshot, g_array_index (gpus, guint, i),
                                              JM_GPU_FIELD_PARENT),
                   name) == 0)
      return TRUE;

  return FALSE;
}

/* Whether a job uses it that was not given it. */
static gboolean
is_taken (JmSnapshot *snapshot, guint part)
{
  double share;

  return jm_snapshot_get_gpu_share (snapshot, part, &share, NULL) && share <= 0;
}

static gboolean
is_given_any (JmSnapshot *snapshot, GArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    if (!is_taken (snapshot, g_array_index (parts, guint, i)))
      return TRUE;

  return FALSE;
}

/**
 * jm_derived_get_gpu_state:
 * @snapshot: a snapshot
 * @subject: one of the node's accelerators
 *
 * Finds out whether an accelerator is given to a job, and does something.
 *
 * Returns: the state
 * Since: 0.1
 */
JmGpuState
jm_derived_get_gpu_state (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GArray) parts = jm_derived_list_gpu_jobs (snapshot, subject);
  JmFigure up = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_UP);
  JmFigure busy = jm_derived_get_gpu_utilization (snapshot, subject);

  if (up.is_known && up.value < 1)
    return JM_GPU_STATE_LOST;
  if (parts->len == 0)
    return has_instances (snapshot, subject) ? JM_GPU_STATE_SPLIT : JM_GPU_STATE_FREE;
  if (!is_given_any (snapshot, parts))
    return JM_GPU_STATE_TAKEN;
  if (!busy.is_known)
    return JM_GPU_STATE_GIVEN;

  return busy.value > 0 ? JM_GPU_STATE_BUSY : JM_GPU_STATE_IDLE;
}

/* --- figures --- */

/* The mean over the devices that the job was given; not a part of it. */
static JmFigure
average_utilization (JmSnapshot *snapshot, guint job)
{
  g_autoptr (GArray) parts = jm_snapshot_list_gpus (snapshot, job);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      guint part = g_array_index (parts, guint, i);
      JmFigure one = jm_derived_get_gpu_utilization (snapshot, part);

      if (is_taken (snapshot, part))
        continue;
      if (!one.is_known)
        return absent;
      sum += one.value;
      n++;
    }

  return n > 0 ? jm_figure_known (sum / n) : absent;
}

/**
 * jm_derived_get_gpu_utilization: (skip)
 * @snapshot: a snapshot
 * @subject: an accelerator, what a job has of one, or a job
 *
 * Gets in which part of the time an accelerator was busy; of a job the mean over those
 * that it was given.
 *
 * Returns: per cent; absent where it is not known, of one of them even
 * Since: 0.1
 */
JmFigure
jm_derived_get_gpu_utilization (JmSnapshot *snapshot, guint subject)
{
  JmFigure ratio = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_UTILIZATION);

  /* A record's profile has the mean alone. */
  if (!ratio.is_known && jm_snapshot_get_gpu (snapshot, subject) == NULL)
    return average_utilization (snapshot, subject);

  ratio.value *= 100;

  return ratio;
}

/**
 * jm_derived_get_gpu_memory_used: (skip)
 * @snapshot: a snapshot
 * @subject: an accelerator, what a job has of one, or a job
 *
 * Gets how much device memory is in use; of a job the sum over all that it has or uses.
 *
 * Returns: bytes; absent where it is not known of any
 * Since: 0.1
 */
JmFigure
jm_derived_get_gpu_memory_used (JmSnapshot *snapshot, guint subject)
{
  JmFigure sum = jm_figure_of_metric (snapshot, subject, JM_METRIC_GPU_MEMORY_USED);
  g_autoptr (GArray) parts = NULL;

  if (sum.is_known || jm_snapshot_get_gpu (snapshot, subject) != NULL)
    return sum;

  parts = jm_snapshot_list_gpus (snapshot, subject);
  for (guint i = 0; i < parts->len; i++)
    sum = jm_figure_add (sum,
                         jm_figure_of_metric (snapshot, g_array_index (parts, guint, i),
                                              JM_METRIC_GPU_MEMORY_USED));

  return sum;
}

/* Gets how warm an accelerator is at the sensor that its library reports first: that of
 * the processor.
 *
 * Returns degrees Celsius; absent where it is not known. */
JmFigure
jm_derived_get_gpu_temperature (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GPtrArray) sensors =
    jm_snapshot_list_metric_labels (snapshot, subject, JM_METRIC_GPU_TEMPERATURE);

  return sensors->len > 0
           ? jm_figure_of_metric_label (snapshot, subject, JM_METRIC_GPU_TEMPERATURE,
                                        sensors->pdata[0])
           : absent;
}

/* --- words --- */

static void
append_item (GString *list, const char *separator, const char *item)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? separator : "", item);
}

/* Names the accelerators that a job has something of.
 *
 * Returns the names with commas between them; NULL where it has none. */
char *
jm_derived_format_gpu_devices (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GArray) parts = jm_snapshot_list_gpus (snapshot, subject);
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < parts->len; i++)
    append_item (names, ",",
                 jm_snapshot_get_gpu (snapshot, g_array_index (parts, guint, i)));

  return g_string_free (names, parts->len == 0);
}

/* `101`, `101 50%` where it has a part, `101 used` where it was not given it. */
static char *
format_part (JmSnapshot *snapshot, guint part)
{
  g_autofree char *id = jm_job_format_id (jm_snapshot_get_job (snapshot, part));
  const char *origin;
  double share;

  if (!jm_snapshot_get_gpu_share (snapshot, part, &share, &origin))
    return g_steal_pointer (&id);
  if (share <= 0)
    return g_strdup_printf ("%s (used, %s)", id, origin);
  if (share < 1)
    return g_strdup_printf ("%s (%.0f%%, %s)", id, share * 100, origin);

  return g_strdup_printf ("%s (%s)", id, origin);
}

/* Names the running jobs that have something of an accelerator, with the share of each
 * that has not all of it, and by whose word: `101 (cgroup), 102 (50%, hook)`.
 *
 * Returns the jobs; NULL where there is none. */
char *
jm_derived_format_gpu_jobs (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (GArray) parts = jm_derived_list_gpu_jobs (snapshot, subject);
  GString *jobs = g_string_new (NULL);

  for (guint i = 0; i < parts->len; i++)
    {
      g_autofree char *part = format_part (snapshot, g_array_index (parts, guint, i));

      append_item (jobs, ", ", part);
    }

  return g_string_free (jobs, parts->len == 0);
}
