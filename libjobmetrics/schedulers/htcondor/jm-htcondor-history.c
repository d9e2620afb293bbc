/* jm-htcondor-history.c: the runs in HTCondor's history
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include "base/jm-environment-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "io/jm-command-runner-private.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/jm-accounting-private.h"

/* A quarter of a million jobs in a day. */
#define WINDOW_BYTES_MAX ((gsize) 256 << 20)
/* How long a schedd keeps a job of `condor_submit -spool` in its queue after its end.
 */
#define SPOOLED_SECONDS (10 * JM_ACCOUNTING_SECONDS_OF_DAY)

/*
 * JmHtcondorHistory:
 *
 * The runs in the history of an HTCondor's schedd, as `condor_history` prints it: jobs
 * that have left its queue, each with its last execution. It is read day by day; each
 * reading begins before the end of the one before.
 *
 * - Errors: `INVALID` where there is no name of a cluster.
 *
 * Since: 0.1
 */
struct _JmHtcondorHistory
{
  JmAccounting parent;
  char *schedd;
  char *directory;
  char **environment;
};

G_DEFINE_FINAL_TYPE (JmHtcondorHistory, jm_htcondor_history, JM_TYPE_ACCOUNTING)

/* --- a window --- */

/* The runs of a window, until it is read to its end. */
typedef struct
{
  const char *cluster;
  GPtrArray *batches;
  guint n_runs; /* in the last of them */
  guint n_bad;
  char *first_bad;
} Reading;

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->batches, g_ptr_array_unref);
  g_free (self->first_bad);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static void
count_bad (Reading *self, JmSlice line, const char *bad)
{
  g_autofree char *quote = NULL;

  if (self->n_bad++ > 0)
    return;
  quote = jm_json_quote (line.text, line.length);
  self->first_bad = g_strdup_printf ("cannot read %s: %s", bad, quote);
}

static void
add_run (Reading *self, JmRun *run)
{
  if (self->batches->len == 0 || self->n_runs == JM_HISTORY_BATCH_RUNS)
    {
      g_ptr_array_add (self->batches, jm_run_batch_new ());
      self->n_runs = 0;
    }
  jm_run_batch_add_run (self->batches->pdata[self->batches->len - 1], run,
                        JM_RUN_SOURCE_ACCOUNTING);
  self->n_runs++;
}

static void
on_line (const char *text, gsize length, gboolean is_whole, gpointer data)
{
  Reading *self = data;
  JmSlice line = jm_slice_trim ((JmSlice){ text, length });
  g_autoptr (JmRun) run = NULL;
  const char *bad = NULL;

  if (!is_whole ||
      jm_htcondor_parse_ad (line, self->cluster, &run, &bad) == JM_LOG_ROW_BAD)
    count_bad (self, line, "the record");
  else if (bad != NULL)
    count_bad (self, line, bad);
  if (run != NULL)
    add_run (self, run);
}

/* EnteredCurrentStatus is when the job was done or removed, and comes into the history
 * a moment later. A job that has LeaveJobInQueue comes when its owner has fetched its
 * files: each reading asks again for those that may still come. */
static char *
make_constraint (const JmAccountingWindow *window)
{
  return g_strdup_printf ("EnteredCurrentStatus < %" G_GINT64_FORMAT
                          " && (EnteredCurrentStatus >= %" G_GINT64_FORMAT
                          " || (EnteredCurrentStatus >= %" G_GINT64_FORMAT
                          " && unparse(LeaveJobInQueue) =!= \"false\"))",
                          window->end, window->begin, window->begin - SPOOLED_SECONDS);
}

static JmCommandRunner *
make_runner (JmHtcondorHistory *self, const JmAccountingWindow *window, GError **error)
{
  g_autofree char *constraint = make_constraint (window);
  g_autofree char *attributes = jm_htcondor_list_attributes ();
  const char *arguments[] = {
    "condor_history", "-constraint", constraint, "-jsonl", "-attributes",
    attributes,       NULL,          NULL,       NULL
  };

  if (self->schedd != NULL)
    {
      arguments[6] = "-name";
      arguments[7] = self->schedd;
    }

  return jm_command_runner_new_with_argv (self->directory, arguments,
                                          (const char *const *) self->environment,
                                          self->parent.timeout * 1000, error);
}

static GPtrArray *
read_jobs (JmAccounting *accounting,
           const JmAccountingJobs *jobs,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (JmCommandRunner) runner =
    make_runner (JM_HTCONDOR_HISTORY (accounting), jobs->window, error);
  g_auto (Reading) reading = { .cluster = accounting->cluster };

  if (runner == NULL)
    return NULL;
  reading.batches =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  if (!jm_command_runner_read_lines (runner, WINDOW_BYTES_MAX, on_line, &reading,
                                     cancellable, error))
    return NULL;
  if (reading.batches->len == 0)
    g_ptr_array_add (reading.batches, jm_run_batch_new ());
  jm_accounting_pass_over (accounting, reading.batches, reading.n_bad,
                           reading.first_bad);

  return g_steal_pointer (&reading.batches);
}

/* --- the source --- */

static gboolean
jm_htcondor_history_open (JmSource *source, GError **error)
{
  JmHtcondorHistory *self = JM_HTCONDOR_HISTORY (source);
  JmAccounting *accounting = &self->parent;
  static const char *const kept[] = { "CONDOR_CONFIG", NULL };

  if (accounting->cluster == NULL || *accounting->cluster == '\0')
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "condor-history: it needs cluster=");
      return FALSE;
    }
  g_strfreev (self->environment);
  self->environment = jm_command_make_environment (kept);
  /* each schedd has a history of its own */
  jm_accounting_set_name (accounting, "condor-history", self->schedd);

  return TRUE;
}

static void
jm_htcondor_history_finalize (GObject *object)
{
  JmHtcondorHistory *self = JM_HTCONDOR_HISTORY (object);

  g_strfreev (self->environment);

  G_OBJECT_CLASS (jm_htcondor_history_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{

  /*
   * JmHtcondorHistory:schedd:
   *
   * Name of the schedd that is asked over the network; by default the history files of
   * this machine are read.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "schedd",
                            G_STRUCT_OFFSET (JmHtcondorHistory, schedd), NULL);

  /*
   * JmHtcondorHistory:directory:
   *
   * Where the command is; by default it is looked for in `PATH`.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "directory",
                            G_STRUCT_OFFSET (JmHtcondorHistory, directory), NULL);
}

static void
jm_htcondor_history_class_init (JmHtcondorHistoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_htcondor_history_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_htcondor_history_open;
  JM_ACCOUNTING_CLASS (klass)->read_jobs = read_jobs;

  install_properties (object_class);
}

static void
jm_htcondor_history_init (JmHtcondorHistory *self)
{
}
