/* jm-slurm-rest-history.c: the runs of Slurm's accounting, as slurmrestd has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-types-private.h"

#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "host/jm-secret-file-private.h"
#include "io/jm-http-private.h"
#include "schedulers/jm-accounting-private.h"
#include "schedulers/slurm/jm-slurm-answer-past-private.h"
#include "schedulers/slurm/jm-slurm-rest-private.h"

#define NAME "slurmrestd"
/* ESLURM_REST_EMPTY_RESULT: by which releases before 23.02 say that there is none */
#define NOTHING_FOUND 9003
/* Their numbers are a part of the address, which proxies let have 8 KiB. */
#define MAX_JOBS_AT_ONCE 500

/*
 * JmSlurmRestHistory:
 *
 * The runs that Slurm's accounting knows, and who coordinates which account and
 * administrates the cluster, as slurmrestd has them. It is read day by day; each
 * reading begins before the end of the one before, as slurmdbd may learn late of what
 * has ended. Jobs that wait are no runs yet.
 *
 * - Errors: `INVALID` for an invalid URL, or where the cluster's name is
 *   not known; where #JmSlurmRestHistory:cluster is not given, as of #JmSlurmRest.
 *
 * Since: 0.1
 */
struct _JmSlurmRestHistory
{
  JmAccounting parent;
  JmSlurmRestPlace place;
  JmSlurmRest *rest; /* NULL until it is asked */
};

G_DEFINE_FINAL_TYPE (JmSlurmRestHistory, jm_slurm_rest_history, JM_TYPE_ACCOUNTING)

/* --- asking --- */

/* Anew for each reading: it may be begun after us, and come back as a later release. */
static gboolean
connect_to_rest (JmSlurmRestHistory *self, GError **error)
{
  g_clear_object (&self->rest);
  self->rest =
    g_initable_new (JM_TYPE_SLURM_REST, NULL, error, "host",
                    jm_source_get_host (JM_SOURCE (self)), "cluster",
                    self->parent.cluster, "url", self->place.url, "socket",
                    self->place.socket, "user", self->place.user, "token-file",
                    self->place.token_file, "ca-file", self->place.ca_file, "timeout",
                    self->parent.timeout, "api-version", self->place.version, NULL);

  return self->rest != NULL;
}

static guint
get_version (JmSlurmRestHistory *self)
{
  guint version;

  g_object_get (self->rest, "api-version", &version, NULL);

  return version;
}

/* An empty answer is an error to earlier releases. */
static gboolean
ask (JmSlurmRestHistory *self,
     const char *path,
     const char *query,
     JmSlurmAnswer *answer,
     GCancellable *cancellable,
     GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (jm_slurm_rest_ask (self->rest, path, query, answer, cancellable, &reason))
    return TRUE;
  if (g_error_matches (reason, JM_ERROR, JM_ERROR_UNAVAILABLE) &&
      jm_slurm_answer_get_problem_number (answer) == NOTHING_FOUND)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));

  return FALSE;
}

/* --- who may see what --- */

static gboolean
ask_for_roles (JmSlurmRestHistory *self,
               const char *path,
               const JmSlurmShape *shape,
               JmSlurmRoles *roles,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_LIMITS);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (shape, report, self->parent.cluster);

  jm_slurm_answer_set_taker (answer, roles);

  return ask (self, path, NULL, answer, cancellable, error);
}

/* Runs are read without them. */
static gboolean
has_roles (JmSlurmRestHistory *self,
           const char *path,
           const JmSlurmShape *shape,
           JmSlurmRoles *roles,
           GCancellable *cancellable)
{
  g_autoptr (GError) reason = NULL;

  if (ask_for_roles (self, path, shape, roles, cancellable, &reason))
    return TRUE;
  if (!g_cancellable_is_cancelled (cancellable))
    g_warning ("%s", reason->message);

  return FALSE;
}

static gboolean
read_roles (JmSlurmRestHistory *self,
            JmHistoryTake take,
            gpointer user_data,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (JmRunBatch) coordinators = jm_run_batch_new ();
  g_autoptr (JmRunBatch) administrators = jm_run_batch_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JmSlurmRoles roles = { self->parent.cluster, coordinators, builder, FALSE };

  if (has_roles (self, "/slurmdb/v0.0.%u/accounts", &jm_slurm_accounts_shape, &roles,
                 cancellable) &&
      !take (coordinators, user_data, error))
    return FALSE;

  if (has_roles (self, "/slurmdb/v0.0.%u/users", &jm_slurm_users_shape, &roles,
                 cancellable))
    {
      g_auto (GStrv) names = g_strv_builder_end (builder);

      jm_run_batch_set_administrators (administrators, self->parent.cluster,
                                       (const char *const *) names);
      return take (administrators, user_data, error);
    }

  return TRUE;
}

/* Of a cluster that there is not there is no error, but no run either. */
static gboolean
check_cluster (JmSlurmRestHistory *self, GCancellable *cancellable, GError **error)
{
  JmSlurmRoles roles = { .cluster = self->parent.cluster };

  if (!ask_for_roles (self, "/slurmdb/v0.0.%u/clusters", &jm_slurm_clusters_shape,
                      &roles, cancellable, error))
    return FALSE;
  if (!roles.has_cluster)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                 NAME ": cluster: it knows none of that name: %s",
                 self->parent.cluster);

  return roles.has_cluster;
}

/* --- a window --- */

/* All versions know these. */
static char *
make_query (JmSlurmRestHistory *self, const JmAccountingJobs *jobs)
{
  g_autofree char *cluster = g_uri_escape_string (self->parent.cluster, NULL, FALSE);
  g_autofree char *numbers =
    jobs->numbers != NULL ? g_uri_escape_string (jobs->numbers, NULL, FALSE) : NULL;

  /* `uts`: seconds since 1970, whatever the time zone there is */
  return g_strdup_printf ("start_time=uts%" G_GINT64_FORMAT
                          "&end_time=uts%" G_GINT64_FORMAT "&cluster=%s%s%s%s",
                          jobs->window->begin, jobs->window->end, cluster,
                          numbers != NULL ? "&step=" : "",
                          numbers != NULL ? numbers : "",
                          jobs->without_steps ? "&skip_steps=true" : "");
}

/* All where @jobs->numbers is NULL. */
static GPtrArray *
read_jobs (JmAccounting *accounting,
           const JmAccountingJobs *jobs,
           GCancellable *cancellable,
           GError **error)
{
  JmSlurmRestHistory *self = JM_SLURM_REST_HISTORY (accounting);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *query = make_query (self, jobs);
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new (self->parent.cluster, "\x1f", now, JM_HISTORY_BATCH_RUNS);
  g_autoptr (JmSlurmRuns) runs = jm_slurm_runs_new (rows, get_version (self));
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (jm_slurm_runs_get_shape (runs), report, self->parent.cluster);
  GPtrArray *batches;

  jm_sacct_rows_set_name (rows, NAME);
  jm_slurm_answer_set_taker (answer, runs);
  if (!ask (self, "/slurmdb/v0.0.%u/jobs", query, answer, cancellable, error))
    return NULL;
  batches = jm_sacct_rows_finish (rows, error);
  if (batches != NULL)
    {
      jm_accounting_pass_over (accounting, batches, jm_sacct_rows_get_n_bad (rows),
                               jm_sacct_rows_get_complaint (rows));
      jm_accounting_pass_over (accounting, batches,
                               jm_scheduler_report_get_n_complaints (report),
                               jm_scheduler_report_get_complaint (report));
    }

  return batches;
}

static gboolean
list_jobs (JmAccounting *accounting,
           const JmAccountingWindow *window,
           GHashTable *numbers,
           GCancellable *cancellable,
           GError **error)
{
  const JmAccountingJobs all = { window, .without_steps = TRUE };
  g_autoptr (GPtrArray) batches = read_jobs (accounting, &all, cancellable, error);

  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      const GArray *items = ((const JmRunBatch *) batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        g_hash_table_add (numbers, g_strdup (jm_run_get_raw_id (
                                     g_array_index (items, JmRunItem, k).run)));
    }

  return batches != NULL;
}

static gboolean
begin (JmAccounting *accounting,
       JmHistoryTake take,
       gpointer user_data,
       GCancellable *cancellable,
       GError **error)
{
  JmSlurmRestHistory *self = JM_SLURM_REST_HISTORY (accounting);

  return connect_to_rest (self, error) && check_cluster (self, cancellable, error) &&
         read_roles (self, take, user_data, cancellable, error);
}

/* --- the source --- */

static gboolean
jm_slurm_rest_history_open (JmSource *source, GError **error)
{
  JmSlurmRestHistory *self = JM_SLURM_REST_HISTORY (source);
  JmAccounting *accounting = &self->parent;

  if (self->place.socket == NULL && self->place.url != NULL &&
      !jm_http_check_url (self->place.url, error))
    return FALSE;
  if (accounting->cluster == NULL)
    {
      if (!connect_to_rest (self, error))
        return FALSE;
      accounting->cluster =
        g_strdup (jm_scheduler_get_cluster (JM_SCHEDULER (self->rest)));
    }
  /* it takes a comma for the end of one of several names */
  if (*accounting->cluster == '\0' || strchr (accounting->cluster, ',') != NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   NAME ": cluster: not the name of one: %s", accounting->cluster);
      return FALSE;
    }
  jm_accounting_set_name (accounting, NAME, NULL);

  return TRUE;
}

static void
jm_slurm_rest_history_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (JM_SLURM_REST_HISTORY (source)->place.token_file != NULL)
    jm_secret_file_advise (error, advice);
}

static void
jm_slurm_rest_history_finalize (GObject *object)
{
  JmSlurmRestHistory *self = JM_SLURM_REST_HISTORY (object);

  g_clear_object (&self->rest);

  G_OBJECT_CLASS (jm_slurm_rest_history_parent_class)->finalize (object);
}

static void
jm_slurm_rest_history_class_init (JmSlurmRestHistoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JmSourceClass *source_class = JM_SOURCE_CLASS (klass);
  JmAccountingClass *accounting_class = JM_ACCOUNTING_CLASS (klass);

  object_class->finalize = jm_slurm_rest_history_finalize;
  source_class->open = jm_slurm_rest_history_open;
  accounting_class->begin = begin;
  accounting_class->list_jobs = list_jobs;
  accounting_class->read_jobs = read_jobs;
  accounting_class->max_jobs = MAX_JOBS_AT_ONCE;
  source_class->advise = jm_slurm_rest_history_advise;

  jm_slurm_rest_place_install (object_class,
                               G_STRUCT_OFFSET (JmSlurmRestHistory, place));
}

static void
jm_slurm_rest_history_init (JmSlurmRestHistory *self)
{
}
