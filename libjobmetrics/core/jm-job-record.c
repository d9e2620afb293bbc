/* jm-job-record.c: what a run of a job was, for good
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-record-private.h"

#include <math.h>
#include <string.h>

#include "core/jm-job-private.h"
#include "core/jm-job-profile-private.h"

struct _JmJobRecord
{
  JmJob *job;
  char *node;
  char *key;
  guint64 position;
  JmRunState state;
  gint64 begin_us;
  gint64 end_us;
  gint64 seen_us;
  JmSnapshot *snapshot;
  JmJobProfile *profile;
  GArray *coverage; /* of JmCoverage; nobody changes it */
  char *text;       /* NULL where it was not read from one that may be passed on */
};

G_DEFINE_BOXED_TYPE (JmJobRecord, jm_job_record, jm_job_record_ref, jm_job_record_unref)

static const char *const state_names[JM_N_RUN_STATES] = {
  [JM_RUN_STATE_RUNNING] = "running",
  [JM_RUN_STATE_ENDED] = "ended",
  [JM_RUN_STATE_LOST] = "lost",
};

static const char *const method_names[JM_N_TOTAL_METHODS] = {
  [JM_TOTAL_METHOD_UNKNOWN] = "unknown",
  [JM_TOTAL_METHOD_FINAL] = "final",
  [JM_TOTAL_METHOD_LAST] = "last",
  [JM_TOTAL_METHOD_CHECKPOINT] = "checkpoint",
};

static gboolean
find_name (const char *const *names, guint n_names, const char *name, guint *i)
{
  for (*i = 0; *i < n_names; (*i)++)
    if (g_str_equal (names[*i], name))
      return TRUE;

  return FALSE;
}

/**
 * jm_run_state_get_name:
 * @state: a state
 *
 * Gets the name of a state, such as `ended`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_run_state_get_name (JmRunState state)
{
  g_return_val_if_fail ((guint) state < JM_N_RUN_STATES, NULL);

  return state_names[state];
}

/**
 * jm_run_state_from_name:
 * @name: a name, such as `ended`
 * @state: (out): the state
 *
 * Finds a state by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_run_state_from_name (const char *name, JmRunState *state)
{
  guint i;

  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (state != NULL, FALSE);

  if (!find_name (state_names, JM_N_RUN_STATES, name, &i))
    return FALSE;
  *state = i;

  return TRUE;
}

/**
 * jm_total_method_get_name:
 * @method: a method
 *
 * Gets the name of how a total was got, such as `final`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_total_method_get_name (JmTotalMethod method)
{
  g_return_val_if_fail ((guint) method < JM_N_TOTAL_METHODS, NULL);

  return method_names[method];
}

gboolean
jm_total_method_from_name (const char *name, JmTotalMethod *method)
{
  guint i;

  if (!find_name (method_names, JM_N_TOTAL_METHODS, name, &i))
    return FALSE;
  *method = i;

  return TRUE;
}

/* A strong uuid would do without the begin; one that is made of a job id alone says
 * nothing of which run it was. */
static char *
make_key (JmJob *job, gint64 begin_us)
{
  const char *run_key = jm_job_get_run_key (job);

  if (run_key != NULL)
    return g_strdup (run_key);

  return g_strdup_printf ("%s/%" G_GINT64_FORMAT, jm_job_get_uuid (job), begin_us);
}

/* `energy.`, the longest name of a domain, and its socket. */
#define MAX_COVERAGE_NAME 128

gboolean
jm_coverage_check_name (const char *what)
{
  return *what != '\0' && strlen (what) <= MAX_COVERAGE_NAME &&
         what[strspn (what, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._:-")] == '\0';
}

static void
coverage_clear (gpointer coverage)
{
  g_free ((char *) ((JmCoverage *) coverage)->what);
}

static GArray *
copy_coverage (const JmCoverage *coverage, guint n_coverage)
{
  GArray *copy = g_array_sized_new (FALSE, FALSE, sizeof (JmCoverage), n_coverage);

  g_array_set_clear_func (copy, coverage_clear);
  for (guint i = 0; i < n_coverage; i++)
    {
      JmCoverage one = coverage[i];

      one.what = g_strdup (one.what);
      g_array_append_val (copy, one);
    }

  return copy;
}

JmJobRecord *
jm_job_record_new (const JmJobRecordContent *content)
{
  JmJobRecord *self;

  g_return_val_if_fail (content->job != NULL, NULL);
  g_return_val_if_fail (content->snapshot != NULL, NULL);
  g_return_val_if_fail (jm_snapshot_get_n_subjects (content->snapshot) >
                          JM_RECORD_SUBJECT,
                        NULL);
  g_return_val_if_fail (jm_snapshot_get_kind (content->snapshot, JM_RECORD_SUBJECT) ==
                          JM_SUBJECT_KIND_JOB,
                        NULL);

  self = g_atomic_rc_box_new0 (JmJobRecord);
  self->job = jm_job_ref (content->job);
  self->node = g_strdup (content->node);
  self->key = make_key (content->job, content->begin_us);
  self->state = content->state;
  self->begin_us = content->begin_us;
  self->end_us = content->end_us;
  self->seen_us = content->seen_us;
  self->snapshot = jm_snapshot_ref (content->snapshot);
  self->profile =
    content->profile != NULL ? jm_job_profile_ref (content->profile) : NULL;
  self->coverage = copy_coverage (content->coverage, content->n_coverage);
  self->text = g_strdup (content->text);

  return self;
}

JmJobRecord *
jm_job_record_at (JmJobRecord *self, guint64 position)
{
  guint n_coverage;
  JmJobRecordContent content = {
    .job = self->job,
    .node = self->node,
    .state = self->state,
    .begin_us = self->begin_us,
    .end_us = self->end_us,
    .seen_us = self->seen_us,
    .snapshot = self->snapshot,
    .profile = self->profile,
    .coverage = jm_job_record_get_coverages (self, &n_coverage),
    .n_coverage = n_coverage,
    .text = self->text,
  };
  JmJobRecord *record = jm_job_record_new (&content);

  g_return_val_if_fail (record != NULL, NULL);

  record->position = position;

  return record;
}

/**
 * jm_job_record_ref:
 * @self: a record
 *
 * Takes a reference; another thread may do so too.
 *
 * Returns: (transfer full): the same record
 * Since: 0.1
 */
JmJobRecord *
jm_job_record_ref (JmJobRecord *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
record_clear (JmJobRecord *self)
{
  jm_job_unref (self->job);
  g_free (self->node);
  g_free (self->key);
  jm_snapshot_unref (self->snapshot);
  g_clear_pointer (&self->profile, jm_job_profile_unref);
  g_array_unref (self->coverage);
  g_free (self->text);
}

/**
 * jm_job_record_unref:
 * @self: (transfer full): a record
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_job_record_unref (JmJobRecord *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) record_clear);
}

/**
 * jm_job_record_get_job:
 * @self: a record
 *
 * Gets who the job is.
 *
 * Returns: (transfer none): the job
 * Since: 0.1
 */
JmJob *
jm_job_record_get_job (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->job;
}

/**
 * jm_job_record_get_node:
 * @self: a record
 *
 * Gets the name of the node on which it ran: a job of several nodes has a record on
 * each.
 *
 * Returns: (nullable): the name; %NULL if unknown
 * Since: 0.1
 */
const char *
jm_job_record_get_node (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->node;
}

/**
 * jm_job_record_get_key:
 * @self: a record
 *
 * Gets what makes it the same run wherever it is kept: whoever gets a record twice
 * knows it by this.
 *
 * Returns: boot id and number of the cgroup where they are known, else the job's uuid
 *   and when it began
 * Since: 0.1
 */
const char *
jm_job_record_get_key (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->key;
}

/**
 * jm_job_record_get_position:
 * @self: a record
 *
 * Gets its place in the ledger, which only grows: to ask for what is behind it is to go
 * on reading.
 *
 * Returns: the position; 0 of a run that is not recorded for good
 * Since: 0.1
 */
guint64
jm_job_record_get_position (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->position;
}

/**
 * jm_job_record_get_state:
 * @self: a record
 *
 * Gets whether it ran when the record was made.
 *
 * Returns: the state
 * Since: 0.1
 */
JmRunState
jm_job_record_get_state (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, JM_RUN_STATE_RUNNING);

  return self->state;
}

/**
 * jm_job_record_get_begin_time:
 * @self: a record
 *
 * Gets when the run began: its first process, else when it was first seen.
 *
 * Returns: microseconds since 1970
 * Since: 0.1
 */
gint64
jm_job_record_get_begin_time (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->begin_us;
}

/**
 * jm_job_record_get_end_time:
 * @self: a record
 *
 * Gets when the run was seen to have ended.
 *
 * Returns: microseconds since 1970; 0 while it runs
 * Since: 0.1
 */
gint64
jm_job_record_get_end_time (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->end_us;
}

/**
 * jm_job_record_get_seen_time:
 * @self: a record
 *
 * Gets when its figures were read last.
 *
 * Returns: microseconds since 1970
 * Since: 0.1
 */
gint64
jm_job_record_get_seen_time (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->seen_us;
}

/**
 * jm_job_record_get_snapshot:
 * @self: a record
 *
 * Gets the figures, as a snapshot that has this job alone: subject 1 is the job, what
 * follows its steps, tasks and accelerators.
 *
 * Returns: (transfer none): the snapshot
 * Since: 0.1
 */
JmSnapshot *
jm_job_record_get_snapshot (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->snapshot;
}

/**
 * jm_job_record_get_profile:
 * @self: a record
 *
 * Gets the figures over the life of the run.
 *
 * Returns: (transfer none) (nullable): the profile; %NULL if there is none
 * Since: 0.1
 */
JmJobProfile *
jm_job_record_get_profile (JmJobRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->profile;
}

const JmCoverage *
jm_job_record_get_coverages (JmJobRecord *self, guint *n_coverage)
{
  *n_coverage = self->coverage->len;

  return (const JmCoverage *) (gpointer) self->coverage->data;
}

const char *
jm_job_record_get_text (JmJobRecord *self)
{
  return self->text;
}

/**
 * jm_job_record_list_coverage:
 * @self: a record
 *
 * Lists of what it is known how much was observed, such as `life`, `cpu`,
 * `energy.package`.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 * Since: 0.1
 */
char **
jm_job_record_list_coverage (JmJobRecord *self)
{
  g_autoptr (GStrvBuilder) names = NULL;
  guint n;
  const JmCoverage *all;

  g_return_val_if_fail (self != NULL, NULL);

  names = g_strv_builder_new ();
  all = jm_job_record_get_coverages (self, &n);
  for (guint i = 0; i < n; i++)
    g_strv_builder_add (names, all[i].what);

  return g_strv_builder_end (names);
}

static const JmCoverage *
find_coverage (JmJobRecord *self, const char *what)
{
  guint n;
  const JmCoverage *all = jm_job_record_get_coverages (self, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (all[i].what, what))
      return &all[i];

  return NULL;
}

/**
 * jm_job_record_get_coverage:
 * @self: a record
 * @what: of what, such as `cpu`
 *
 * Gets how much of something was observed.
 *
 * Returns: a ratio, 0 to 1; NaN where that is not known
 * Since: 0.1
 */
double
jm_job_record_get_coverage (JmJobRecord *self, const char *what)
{
  const JmCoverage *coverage;

  g_return_val_if_fail (self != NULL, NAN);
  g_return_val_if_fail (what != NULL, NAN);

  coverage = find_coverage (self, what);

  return coverage != NULL ? coverage->ratio : NAN;
}

/**
 * jm_job_record_get_method:
 * @self: a record
 * @what: of what, such as `cpu`
 *
 * Gets how a total was got.
 *
 * Returns: the method; %JM_TOTAL_METHOD_UNKNOWN where that is not known
 * Since: 0.1
 */
JmTotalMethod
jm_job_record_get_method (JmJobRecord *self, const char *what)
{
  const JmCoverage *coverage;

  g_return_val_if_fail (self != NULL, JM_TOTAL_METHOD_UNKNOWN);
  g_return_val_if_fail (what != NULL, JM_TOTAL_METHOD_UNKNOWN);

  coverage = find_coverage (self, what);

  return coverage != NULL ? coverage->method : JM_TOTAL_METHOD_UNKNOWN;
}
