/* jm-job-selection.c: which jobs are meant
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-selection.h"

#include "core/jm-filter-private.h"

/**
 * JmJobSelection:
 *
 * Which jobs of a snapshot are meant: those that all that was set is true of. Nothing
 * is set at first, and all jobs are meant.
 *
 * Since: 0.1
 */
struct _JmJobSelection
{
  GObject parent_instance;
  char **users;
  char **accounts;
  JmJobState state;
  JmFilter *filter;
};

G_DEFINE_FINAL_TYPE (JmJobSelection, jm_job_selection, G_TYPE_OBJECT)

static void
jm_job_selection_finalize (GObject *object)
{
  JmJobSelection *self = JM_JOB_SELECTION (object);

  g_strfreev (self->users);
  g_strfreev (self->accounts);
  g_clear_pointer (&self->filter, jm_filter_unref);

  G_OBJECT_CLASS (jm_job_selection_parent_class)->finalize (object);
}

static void
jm_job_selection_class_init (JmJobSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_job_selection_finalize;
}

static void
jm_job_selection_init (JmJobSelection *self)
{
}

/**
 * jm_job_selection_new:
 *
 * Makes a selection of all jobs.
 *
 * Returns: (transfer full): the selection
 * Since: 0.1
 */
JmJobSelection *
jm_job_selection_new (void)
{
  return g_object_new (JM_TYPE_JOB_SELECTION, NULL);
}

/**
 * jm_job_selection_set_users:
 * @self: a selection
 * @users: (nullable) (array zero-terminated=1): names or numbers; %NULL for all users
 *
 * Restricts the selection to jobs of some users.
 *
 * Since: 0.1
 */
void
jm_job_selection_set_users (JmJobSelection *self, const char *const *users)
{
  g_return_if_fail (JM_IS_JOB_SELECTION (self));

  g_strfreev (self->users);
  self->users = g_strdupv ((char **) users);
}

/**
 * jm_job_selection_set_accounts:
 * @self: a selection
 * @accounts: (nullable) (array zero-terminated=1): names; %NULL for all accounts
 *
 * Restricts the selection to jobs that are charged to some accounts.
 *
 * Since: 0.1
 */
void
jm_job_selection_set_accounts (JmJobSelection *self, const char *const *accounts)
{
  g_return_if_fail (JM_IS_JOB_SELECTION (self));

  g_strfreev (self->accounts);
  self->accounts = g_strdupv ((char **) accounts);
}

/**
 * jm_job_selection_set_state:
 * @self: a selection
 * @state: in which state jobs are meant to be
 *
 * Restricts the selection to jobs that are running, or that have ended.
 *
 * Since: 0.1
 */
void
jm_job_selection_set_state (JmJobSelection *self, JmJobState state)
{
  g_return_if_fail (JM_IS_JOB_SELECTION (self));

  self->state = state;
}

/**
 * jm_job_selection_set_filter:
 * @self: a selection
 * @filter: (nullable): a filter; %NULL for none
 *
 * Restricts the selection to jobs that a filter matches.
 *
 * Since: 0.1
 */
void
jm_job_selection_set_filter (JmJobSelection *self, JmFilter *filter)
{
  g_return_if_fail (JM_IS_JOB_SELECTION (self));

  g_clear_pointer (&self->filter, jm_filter_unref);
  if (filter != NULL)
    self->filter = jm_filter_ref (filter);
}

/**
 * jm_job_selection_is_everything:
 * @self: a selection
 *
 * Finds out whether the selection is restricted in any way.
 *
 * Returns: whether all jobs are meant
 * Since: 0.1
 */
gboolean
jm_job_selection_is_everything (JmJobSelection *self)
{
  g_return_val_if_fail (JM_IS_JOB_SELECTION (self), FALSE);

  return self->users == NULL && self->accounts == NULL &&
         self->state == JM_JOB_STATE_ANY && self->filter == NULL;
}

/**
 * jm_job_selection_add_collectors:
 * @self: a selection
 * @collectors: a set of collectors
 *
 * Adds the collectors that must run to find out which jobs are meant.
 *
 * Since: 0.1
 */
void
jm_job_selection_add_collectors (JmJobSelection *self, JmCollectorSet *collectors)
{
  g_return_if_fail (JM_IS_JOB_SELECTION (self));
  g_return_if_fail (collectors != NULL);

  if (self->filter != NULL)
    jm_filter_add_collectors (self->filter, collectors);
}

static gboolean
is_one_of (JmJob *job, JmJobField field, char **names)
{
  const char *text = jm_job_get_field (job, field);

  return text != NULL && g_strv_contains ((const char *const *) names, text);
}

static gboolean
has_user (JmJobSelection *self, JmJob *job)
{
  return self->users == NULL || is_one_of (job, JM_JOB_FIELD_USER, self->users) ||
         is_one_of (job, JM_JOB_FIELD_UID, self->users);
}

static gboolean
has_account (JmJobSelection *self, JmJob *job)
{
  return self->accounts == NULL ||
         is_one_of (job, JM_JOB_FIELD_ACCOUNT, self->accounts);
}

static gboolean
has_state (JmJobSelection *self, JmSnapshot *snapshot, guint subject)
{
  gboolean has_ended = jm_snapshot_get_end_time (snapshot, subject) > 0;

  return self->state == JM_JOB_STATE_ANY ||
         (self->state == JM_JOB_STATE_ENDED) == (has_ended != FALSE);
}

/**
 * jm_job_selection_has:
 * @self: a selection
 * @snapshot: a snapshot
 * @subject: a job in it
 *
 * Finds out whether a job is meant. One whose user or account is not known is not among
 * those of any user or account.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_job_selection_has (JmJobSelection *self, JmSnapshot *snapshot, guint subject)
{
  JmJob *job;

  g_return_val_if_fail (JM_IS_JOB_SELECTION (self), FALSE);
  g_return_val_if_fail (snapshot != NULL, FALSE);

  job = jm_snapshot_get_job (snapshot, subject);

  return job != NULL && has_user (self, job) && has_account (self, job) &&
         has_state (self, snapshot, subject) &&
         (self->filter == NULL || jm_filter_matches (self->filter, snapshot, subject));
}

/**
 * jm_job_selection_list:
 * @self: a selection
 * @snapshot: a snapshot
 *
 * Lists the jobs of a snapshot that are meant.
 *
 * Returns: (transfer full) (element-type guint): their subjects, in the snapshot's
 *   order
 * Since: 0.1
 */
GArray *
jm_job_selection_list (JmJobSelection *self, JmSnapshot *snapshot)
{
  GArray *jobs = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (JM_IS_JOB_SELECTION (self), jobs);
  g_return_val_if_fail (snapshot != NULL, jobs);

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB &&
        jm_job_selection_has (self, snapshot, i))
      g_array_append_val (jobs, i);

  return jobs;
}
