/* jm-sacct.c: the runs that Slurm's accounting knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <string.h>

#include "base/jm-environment-private.h"
#include "base/jm-error.h"
#include "io/jm-command-runner-private.h"
#include "schedulers/jm-accounting-private.h"
#include "schedulers/jm-scheduler-value-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"
#include "schedulers/slurm/jm-slurm-record-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"

/* Half a million rows, of jobs and steps, in a day. */
#define WINDOW_BYTES_MAX ((gsize) 256 << 20)
#define LIST_BYTES_MAX ((gsize) 16 << 20)
#define CLUSTER_KEY "ClusterName"
#define SLURM "slurm"
/* The first release with SLUIDs is 26.05. */
#define SLUID_YEAR 26
#define SLUID_MONTH 5
/* Their numbers are one argument, which has 128 KiB at most. */
#define MAX_JOBS_AT_ONCE 8192

/*
 * JmSacct:
 *
 * The runs that Slurm's accounting knows, as `sacct` prints them, and who coordinates
 * which account and administrates the cluster, as `sacctmgr` prints it. It is read day
 * by day; each reading begins before the end of the one before, as slurmdbd may learn
 * late of what has ended. Jobs that wait are no runs yet.
 *
 * - Errors: `ABSENT` where there is no such command, `UNAVAILABLE` where it fails or
 *   does not end; both only where #JmSacct:cluster is not given.
 *
 * Since: 0.1
 */
struct _JmSacct
{
  JmAccounting parent;
  char *directory;
  char **environment;
  guint n_fields; /* that its sacct knows */
  char *doubled;  /* the account that was logged last for its two rows */
};

G_DEFINE_FINAL_TYPE (JmSacct, jm_sacct, JM_TYPE_ACCOUNTING)

/* --- commands --- */

static JmCommandRunner *
make_runner (JmSacct *self, const char *const *arguments, GError **error)
{
  return jm_command_runner_new_with_argv (self->directory, arguments,
                                          (const char *const *) self->environment,
                                          self->parent.timeout * 1000, error);
}

static gboolean
read_list (JmSacct *self,
           const char *const *arguments,
           JmCommandLineFunc func,
           gpointer data,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (JmCommandRunner) runner = make_runner (self, arguments, error);

  return runner != NULL && jm_command_runner_read_lines (runner, LIST_BYTES_MAX, func,
                                                         data, cancellable, error);
}

/* --- who may see what --- */

typedef struct
{
  JmSacct *self;
  GHashTable *coordinators; /* of accounts: as they are printed */
  const char *level;
  GStrvBuilder *users; /* who have that */
  guint n_clusters;
  gboolean has_cluster;
} Roles;

static char *
take_column (JmSlice *rest, char separator)
{
  JmSlice word;

  if (!jm_slice_take_word (rest, separator, &word))
    return NULL;
  word = jm_slice_trim (word);

  return word.length > 0 ? g_strndup (word.text, word.length) : NULL;
}

/* `physics|ada,ben`. Slurm has one row of an account: where there are two that differ a
 * name with line ends in it made up the other, and neither is believed. */
static void
on_account (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  Roles *roles = data;
  JmSlice rest = { line, length };
  g_autofree char *account = take_column (&rest, '|');
  g_autofree char *users = NULL;
  const char *others;

  if (!is_whole || account == NULL || rest.text == NULL)
    return;

  users = g_strndup (rest.text, rest.length);
  others = g_hash_table_lookup (roles->coordinators, account);
  if (others != NULL && !g_str_equal (others, users))
    {
      if (g_strcmp0 (account, roles->self->doubled) != 0)
        g_warning ("sacctmgr: two rows of an account; it has no coordinators: %s",
                   account);
      g_free (roles->self->doubled);
      roles->self->doubled = g_strdup (account);
      g_clear_pointer (&users, g_free);
      users = g_strdup ("");
    }
  g_hash_table_insert (roles->coordinators, g_steal_pointer (&account),
                       g_steal_pointer (&users));
}

/* An account without any has lost those that it had. */
static void
add_coordinators (Roles *roles, JmRunBatch *batch)
{
  GHashTableIter iter;
  gpointer account, list;

  g_hash_table_iter_init (&iter, roles->coordinators);
  while (g_hash_table_iter_next (&iter, &account, &list))
    {
      JmSlice rest = { list, strlen (list) };
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) users = NULL;

      while (rest.text != NULL)
        {
          g_autofree char *user = take_column (&rest, ',');

          if (user != NULL)
            g_strv_builder_add (builder, user);
        }
      users = g_strv_builder_end (builder);
      jm_run_batch_set_coordinators (batch, roles->self->parent.cluster, account,
                                     (const char *const *) users);
    }
}

/* `root|Administrator` */
static void
on_user (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  Roles *roles = data;
  JmSlice rest = { line, length };
  g_autofree char *user = take_column (&rest, '|');
  JmSlice level = jm_slice_trim (rest);

  if (is_whole && user != NULL && rest.text != NULL &&
      jm_slice_equal (level, roles->level))
    g_strv_builder_add (roles->users, user);
}

static void
on_cluster (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  Roles *roles = data;
  JmSlice rest = { line, length };
  g_autofree char *cluster = take_column (&rest, '|');

  if (!is_whole || cluster == NULL)
    return;

  roles->n_clusters++;
  if (g_ascii_strcasecmp (cluster, roles->self->parent.cluster) == 0)
    roles->has_cluster = TRUE;
}

/* Runs are read without them. */
static gboolean
ask_for_roles (Roles *roles,
               const char *const *arguments,
               JmCommandLineFunc func,
               GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (read_list (roles->self, arguments, func, roles, cancellable, &error))
    return TRUE;

  if (!g_cancellable_is_cancelled (cancellable))
    g_warning ("%s: %s", arguments[3], error->message);

  return FALSE;
}

/* sacct has no error for a cluster that there is not, but prints no run. */
static gboolean
check_cluster (JmSacct *self, GCancellable *cancellable, GError **error)
{
  static const char *const clusters[] = { "sacctmgr",       "-nP", "show", "cluster",
                                          "format=cluster", NULL };
  Roles roles = { .self = self };

  if (!ask_for_roles (&roles, clusters, on_cluster, cancellable) ||
      roles.n_clusters == 0 || roles.has_cluster)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "sacct: cluster: sacctmgr shows none of that name: %s",
               self->parent.cluster);

  return FALSE;
}

/* An operator sees all, too. Those of other levels are not asked for: what others may
 * call a user is a row of this answer neither as a whole nor in parts. */
static gboolean
read_administrators (JmSacct *self,
                     JmHistoryTake take,
                     gpointer user_data,
                     GCancellable *cancellable,
                     GError **error)
{
  static const char *const levels[] = { "Administrator", "Operator" };
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_autofree char *condition = g_strconcat ("adminlevel=", levels[i], NULL);
      const char *const users[] = { "sacctmgr", "-nP",     "show",
                                    "user",     condition, "format=user,adminlevel",
                                    NULL };
      Roles roles = { .self = self, .level = levels[i], .users = builder };

      if (!ask_for_roles (&roles, users, on_user, cancellable))
        return TRUE;
    }
  names = g_strv_builder_end (builder);
  jm_run_batch_set_administrators (batch, self->parent.cluster,
                                   (const char *const *) names);

  return take (batch, user_data, error);
}

static gboolean
read_roles (JmSacct *self,
            JmHistoryTake take,
            gpointer user_data,
            GCancellable *cancellable,
            GError **error)
{
  static const char *const accounts[] = { "sacctmgr",  "-nP",
                                          "show",      "account",
                                          "withcoord", "format=account,coordinators",
                                          NULL };
  g_autoptr (JmRunBatch) coordinators = jm_run_batch_new ();
  g_autoptr (GHashTable) lists =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Roles roles = { .self = self, .coordinators = lists };

  if (ask_for_roles (&roles, accounts, on_account, cancellable))
    {
      add_coordinators (&roles, coordinators);
      if (!take (coordinators, user_data, error))
        return FALSE;
    }

  return read_administrators (self, take, user_data, cancellable, error);
}

/* --- a window --- */

/* Commands are given the time of UTC. */
static char *
make_time_option (const char *option, gint64 seconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *text = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");

  return g_strconcat (option, text, NULL);
}

/* @jobs->numbers is NULL for all. */
static JmCommandRunner *
make_sacct (JmSacct *self,
            const JmAccountingJobs *jobs,
            const char *format,
            const char *delimiter,
            GError **error)
{
  g_autofree char *begin = make_time_option ("--starttime=", jobs->window->begin);
  g_autofree char *end = make_time_option ("--endtime=", jobs->window->end);
  g_autofree char *cluster = g_strconcat ("--clusters=", self->parent.cluster, NULL);
  g_autofree char *between = g_strconcat ("--delimiter=", delimiter, NULL);
  g_autofree char *numbers = g_strconcat ("--jobs=", jobs->numbers, NULL);
  const char *arguments[16] = { "sacct",      "--allusers",  "--duplicates",
                                "--noheader", "--noconvert", "--parsable2",
                                between,      begin,         end,
                                cluster,      format };
  guint n = 11;

  if (jobs->numbers != NULL)
    arguments[n++] = numbers;
  if (jobs->without_steps)
    arguments[n++] = "--allocations";

  return make_runner (self, arguments, error);
}

/* What sacct said before it failed is thrown away: no reading is half of one. */
static GPtrArray *
read_jobs (JmAccounting *accounting,
           const JmAccountingJobs *jobs,
           GCancellable *cancellable,
           GError **error)
{
  JmSacct *self = JM_SACCT (accounting);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *format = jm_slurm_record_make_format (self->n_fields);
  g_autofree char *delimiter = jm_slurm_make_separator ();
  g_autoptr (JmCommandRunner) runner =
    make_sacct (self, jobs, format, delimiter, error);
  g_autoptr (JmSacctRows) rows = NULL;
  GPtrArray *batches;

  if (runner == NULL)
    return NULL;

  rows =
    jm_sacct_rows_new (self->parent.cluster, delimiter, now, JM_HISTORY_BATCH_RUNS);
  jm_sacct_rows_set_n_columns (rows, self->n_fields);
  if (!jm_command_runner_read_lines (runner, WINDOW_BYTES_MAX, jm_sacct_rows_take, rows,
                                     cancellable, error))
    return NULL;
  batches = jm_sacct_rows_finish (rows, error);
  if (batches != NULL)
    jm_accounting_pass_over (&self->parent, batches, jm_sacct_rows_get_n_bad (rows),
                             jm_sacct_rows_get_complaint (rows));

  return batches;
}

static void
on_number (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  JmSlice number = jm_slice_trim ((JmSlice){ line, length });
  guint64 value;

  if (is_whole && jm_parse_uint64 (number.text, number.length, &value))
    g_hash_table_add (data, g_strndup (number.text, number.length));
}

static gboolean
list_jobs (JmAccounting *accounting,
           const JmAccountingWindow *window,
           GHashTable *numbers,
           GCancellable *cancellable,
           GError **error)
{
  const JmAccountingJobs all = { window, .without_steps = TRUE };
  g_autoptr (JmCommandRunner) runner =
    make_sacct (JM_SACCT (accounting), &all, "--format=JobIDRaw", "|", error);

  return runner != NULL &&
         jm_command_runner_read_lines (runner, WINDOW_BYTES_MAX, on_number, numbers,
                                       cancellable, error);
}

/* `slurm 26.05.5`, or of Debian `slurm-wlm 26.05.5` */
static void
on_version (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  guint *n_fields = data;
  JmSlice rest = { line, length };
  JmSlice word, year, month;
  guint64 values[2];

  if (jm_slice_take_word (&rest, ' ', &word) && word.length >= strlen (SLURM) &&
      memcmp (word.text, SLURM, strlen (SLURM)) == 0 &&
      jm_slice_take_word (&rest, '.', &year) &&
      jm_slice_take_word (&rest, '.', &month) &&
      jm_parse_uint64 (year.text, year.length, &values[0]) &&
      jm_parse_uint64 (month.text, month.length, &values[1]) &&
      (values[0] > SLUID_YEAR || (values[0] == SLUID_YEAR && values[1] >= SLUID_MONTH)))
    *n_fields = JM_N_SLURM_RECORD_FIELDS;
}

/* A release refuses fields that it does not know. sacctmgr is of the same package, and
 * asks nobody for its version. */
static void
find_fields (JmSacct *self, GCancellable *cancellable)
{
  static const char *const arguments[] = { "sacctmgr", "--version", NULL };

  self->n_fields = JM_N_SLURM_RECORD_FIELDS_OF_ALL;
  read_list (self, arguments, on_version, &self->n_fields, cancellable, NULL);
}

static gboolean
begin (JmAccounting *accounting,
       JmHistoryTake take,
       gpointer user_data,
       GCancellable *cancellable,
       GError **error)
{
  JmSacct *self = JM_SACCT (accounting);

  find_fields (self, cancellable);

  return check_cluster (self, cancellable, error) &&
         read_roles (self, take, user_data, cancellable, error);
}

/* --- the source --- */

/* `ClusterName             = lab` */
static void
on_configuration (const char *line, gsize length, gboolean is_whole, gpointer data)
{
  char **cluster = data;
  JmSlice rest = { line, length };
  g_autofree char *key = take_column (&rest, '=');
  g_autofree char *value = NULL;

  if (*cluster != NULL || !is_whole || g_strcmp0 (key, CLUSTER_KEY) != 0)
    return;

  value = take_column (&rest, '\n');
  if (value != NULL && g_utf8_validate (value, -1, NULL))
    *cluster = g_steal_pointer (&value);
}

static gboolean
find_cluster (JmSacct *self, GError **error)
{
  static const char *const arguments[] = { "scontrol", "show", "config", NULL };

  if (!read_list (self, arguments, on_configuration, &self->parent.cluster, NULL,
                  error))
    return FALSE;
  if (self->parent.cluster == NULL)
    g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED,
                         "scontrol show config: there is no " CLUSTER_KEY);

  return self->parent.cluster != NULL;
}

static gboolean
jm_sacct_open (JmSource *source, GError **error)
{
  JmSacct *self = JM_SACCT (source);
  JmAccounting *accounting = &self->parent;
  static const char *const kept[] = { "SLURM_CONF", NULL };

  g_strfreev (self->environment);
  self->environment = jm_command_make_environment (kept);
  self->environment =
    g_environ_setenv (self->environment, "SLURM_TIME_FORMAT", "%s", TRUE);
  if (accounting->cluster == NULL && !find_cluster (self, error))
    return FALSE;
  /* sacct takes a comma for the end of one of several names */
  if (*accounting->cluster == '\0' || strchr (accounting->cluster, ',') != NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "sacct: cluster: not the name of one: %s", accounting->cluster);
      return FALSE;
    }
  jm_accounting_set_name (accounting, "sacct", NULL);

  return TRUE;
}

static void
jm_sacct_finalize (GObject *object)
{
  JmSacct *self = JM_SACCT (object);

  g_strfreev (self->environment);
  g_free (self->doubled);

  G_OBJECT_CLASS (jm_sacct_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{

  /*
   * JmSacct:directory:
   *
   * Where the commands are; by default they are looked for in `PATH`.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "directory",
                            G_STRUCT_OFFSET (JmSacct, directory), NULL);
}

static void
jm_sacct_class_init (JmSacctClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  JmAccountingClass *accounting_class = JM_ACCOUNTING_CLASS (klass);

  object_class->finalize = jm_sacct_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_sacct_open;
  accounting_class->begin = begin;
  accounting_class->list_jobs = list_jobs;
  accounting_class->read_jobs = read_jobs;
  accounting_class->max_jobs = MAX_JOBS_AT_ONCE;

  install_properties (object_class);
}

static void
jm_sacct_init (JmSacct *self)
{
  self->n_fields = JM_N_SLURM_RECORD_FIELDS_OF_ALL;
}
