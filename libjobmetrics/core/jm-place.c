/* jm-place.c: which job, step and task a cgroup is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-place-private.h"

struct _JmPlace
{
  char *root;
  char *job;
  char *step;
  char *task;
  gboolean is_helper;
};

G_DEFINE_BOXED_TYPE (JmPlace, jm_place, jm_place_ref, jm_place_unref)

/**
 * jm_place_new:
 * @job: what the path calls the job: its id, or Slurm's SLUID
 * @step: (nullable): the step's name; %NULL for the job itself
 * @task: (nullable): the task's number; %NULL for the step itself
 *
 * Makes the record of a cgroup that holds a job, one of its steps, or one task.
 *
 * Returns: (transfer full): the place
 * Since: 0.1
 */
JmPlace *
jm_place_new (const char *job, const char *step, const char *task)
{
  JmPlace *self;

  g_return_val_if_fail (job != NULL, NULL);
  g_return_val_if_fail (task == NULL || step != NULL, NULL);

  self = g_atomic_rc_box_new0 (JmPlace);
  self->job = g_utf8_make_valid (job, -1);
  self->step = step != NULL ? g_utf8_make_valid (step, -1) : NULL;
  self->task = task != NULL ? g_utf8_make_valid (task, -1) : NULL;

  return self;
}

/* Makes the record of a cgroup below a job that holds the scheduler's own processes,
 * which do not count as the job's.
 *
 * Returns the place. */
JmPlace *
jm_place_new_helper (const char *job, const char *step)
{
  JmPlace *self = jm_place_new (job, step, NULL);

  if (self != NULL)
    self->is_helper = TRUE;

  return self;
}

void
jm_place_set_root (JmPlace *self, const char *root)
{
  g_free (self->root);
  self->root = g_strdup (root);
}

const char *
jm_place_get_root (JmPlace *self)
{
  return self->root;
}

JmPlace *
jm_place_ref (JmPlace *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
place_clear (JmPlace *self)
{
  g_free (self->root);
  g_free (self->job);
  g_free (self->step);
  g_free (self->task);
}

/**
 * jm_place_unref:
 * @self: (transfer full): a place
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_place_unref (JmPlace *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) place_clear);
}

/* Whether the cgroup holds the scheduler's own processes.
 *
 * Returns TRUE for a helper. */
gboolean
jm_place_is_helper (JmPlace *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_helper;
}

/**
 * jm_place_get_job:
 * @self: a place
 *
 * Gets what the path calls the job: its id, or Slurm's SLUID.
 *
 * Returns: the word
 * Since: 0.1
 */
const char *
jm_place_get_job (JmPlace *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->job;
}

/**
 * jm_place_get_step:
 * @self: a place
 *
 * Gets the name of the step.
 *
 * Returns: (nullable): the name, such as `0`, `batch` or `extern`; %NULL for a job
 * Since: 0.1
 */
const char *
jm_place_get_step (JmPlace *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->step;
}

/**
 * jm_place_get_task:
 * @self: a place
 *
 * Gets the number of the task.
 *
 * Returns: (nullable): the number; %NULL for a job or step
 * Since: 0.1
 */
const char *
jm_place_get_task (JmPlace *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->task;
}
