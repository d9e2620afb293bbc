/* jmc-cluster-list.c: jobmetrics-cli queue, nodes, partitions, shares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "cluster/jm-cluster-settings-private.h"
#include "cluster/jm-cluster.h"
#include "jmc-columns.h"
#include "jmc-options.h"
#include "report/jm-table.h"
#include "schedulers/jm-scheduler-records.h"

/* What one of the commands is. */
typedef struct
{
  const char *name;
  const char *summary;
  JmSchedulerTopic topic;
  const char *choices; /* by which rows are chosen, each by an option of its name */
  const char
    *columns;      /* of a table: those first that a line of 80 cells has room for */
  const char *csv; /* of CSV, in the order that programs know */
  const char *of_reasons; /* of --reasons, or NULL where there is none */
} View;

typedef struct
{
  const View *view;
  JmcOptions options;
  gboolean csv;
  gboolean is_bare;
  gboolean has_reasons_alone;
  char *columns;     /* of the command line, or NULL */
  char **choices;    /* names, as the view has them */
  char **wanted;     /* for each of these what is asked for, or NULL */
  JmTable *choosing; /* of all choices and the reason, a row at a time */
  JmTable *table;
  gboolean is_whole; /* no scheduler that was asked failed */
} List;

static void
list_clear (List *self)
{
  for (guint i = 0; self->wanted != NULL && self->choices[i] != NULL; i++)
    g_free (self->wanted[i]);
  g_free (self->wanted);
  g_strfreev (self->choices);
  g_free (self->columns);
  g_clear_object (&self->choosing);
  g_clear_object (&self->table);
  jmc_options_clear (&self->options);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (List, list_clear)

/* --- options --- */

static void
add_own_entries (List *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "columns", 0, 0, G_OPTION_ARG_STRING, &self->columns,
      "Columns, with commas between them; help lists them", "NAME,..." },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv,
      "Print comma-separated values, in base units", NULL },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &self->is_bare, "Print no column titles",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  const GOptionEntry reasons[] = {
    { "reasons", 0, 0, G_OPTION_ARG_NONE, &self->has_reasons_alone,
      "Only nodes that are not used for a reason: the reason, since when, by whom",
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (self->view->of_reasons != NULL)
    jmc_options_add_entries (group, reasons);
  jmc_options_add_entries (group, entries);
}

static void
add_choices (List *self, GOptionGroup *group)
{
  self->choices = g_strsplit (self->view->choices, ",", -1);
  self->wanted = g_new0 (char *, g_strv_length (self->choices));
  for (guint i = 0; self->choices[i] != NULL; i++)
    {
      const GOptionEntry entries[] = {
        { self->choices[i], 0, 0, G_OPTION_ARG_STRING, &self->wanted[i],
          "Only rows with one of these values", "TEXT,..." },
        G_OPTION_ENTRY_NULL,
      };

      jmc_options_add_entries (group, entries);
    }
}

static void
add_scheduler (List *self)
{
  g_autoptr (JmSettings) all = jm_settings_new ();

  jm_cluster_settings_add (all);
  for (gsize i = 0; i < jm_settings_get_size (all); i++)
    if (g_str_equal (jm_settings_get_setting (all, i)->name, JM_CLUSTER_SCHEDULER))
      jmc_options_add_last (&self->options, jm_settings_get_setting (all, i));
}

static JmTable *
make_table (const List *self, const char *columns, GError **error)
{
  return self->view->topic == JM_SCHEDULER_TOPIC_PARTITIONS
           ? jm_table_new_of_partitions (columns, error)
           : jm_table_new_of_scheduler (self->view->topic, columns, error);
}

static const char *
get_columns (const List *self)
{
  if (self->columns != NULL)
    return self->columns;
  if (self->has_reasons_alone)
    return self->view->of_reasons;

  return self->csv ? self->view->csv : self->view->columns;
}

static void
add_all_columns (JmTable *table)
{
  g_autoptr (GPtrArray) all = jm_table_list_quantities (table);

  for (guint i = 0; i < all->len; i++)
    jm_table_add_optional_columns (table, ((const JmQuantity *) all->pdata[i])->name);
}

/* JSON has all, unless columns are named. */
static gboolean
choose_columns (List *self)
{
  const gboolean has_all = self->options.json && self->columns == NULL;
  g_autoptr (GError) error = NULL;

  self->choosing = make_table (self, self->view->choices, NULL);
  if (self->has_reasons_alone)
    jm_table_add_columns (self->choosing, "reason", NULL);
  self->table =
    make_table (self, has_all ? self->choices[0] : get_columns (self), &error);
  if (self->table == NULL)
    {
      jmc_output_complain ("%s (see %s --columns=help)", error->message,
                           self->view->name);
      return FALSE;
    }
  if (has_all)
    add_all_columns (self->table);

  return TRUE;
}

static gboolean
parse (List *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group = jmc_options_make_group (&self->options, "output", NULL);

  add_own_entries (self, group);
  add_choices (self, group);
  add_scheduler (self);
  g_option_context_set_summary (context, self->view->summary);
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  if (argc > 1)
    {
      jmc_output_complain ("%s: %s takes no arguments", argv[1], self->view->name);
      return FALSE;
    }
  if (self->csv && self->options.json)
    {
      jmc_output_complain ("--csv and --json cannot be combined");
      return FALSE;
    }

  return TRUE;
}

/* --- rows --- */

static gboolean
has_word (const char *text, const char *word)
{
  g_auto (GStrv) words = g_strsplit_set (text, ",+", -1);

  if (g_ascii_strcasecmp (text, word) == 0)
    return TRUE;
  for (char **p = words; *p != NULL; p++)
    if (g_ascii_strcasecmp (*p, word) == 0)
      return TRUE;

  return FALSE;
}

/* One of the words that were asked for is enough. */
static gboolean
matches (const char *text, const char *wanted)
{
  g_auto (GStrv) words = g_strsplit (wanted, ",", -1);

  for (char **p = words; text != NULL && *p != NULL; p++)
    if (has_word (text, *p))
      return TRUE;

  return FALSE;
}

/* What was added to the table by which rows are chosen. */
static gboolean
is_chosen (const List *self)
{
  guint i;

  for (i = 0; self->choices[i] != NULL; i++)
    {
      g_autofree char *text = NULL;

      if (self->wanted[i] == NULL)
        continue;
      text = jm_table_format_cell (self->choosing, 0, i);
      if (!matches (text, self->wanted[i]))
        return FALSE;
    }
  if (self->has_reasons_alone)
    {
      g_autofree char *reason = jm_table_format_cell (self->choosing, 0, i);

      return reason != NULL && *reason != '\0';
    }

  return TRUE;
}

static void
fail (List *self, const char *why)
{
  jmc_output_complain ("%s", why);
  self->is_whole = FALSE;
}

/* --- what a scheduler lists --- */

static guint
count_listed (JmSchedulerReport *report, JmSchedulerTopic topic)
{
  if (topic == JM_SCHEDULER_TOPIC_JOBS)
    return jm_scheduler_report_get_n_jobs (report);

  return topic == JM_SCHEDULER_TOPIC_NODES ? jm_scheduler_report_get_n_nodes (report)
                                           : jm_scheduler_report_get_n_shares (report);
}

/* Neither a sum nor a job that has ended. */
static gboolean
is_in_queue (const JmSchedulerJob *job)
{
  return job->sum_of == JM_SCHEDULER_SUM_NONE &&
         !jm_scheduler_job_state_has_ended (job->state);
}

/* Whether its jobs were reported as sums, of which there is no list. */
static gboolean
has_only_sums (JmSchedulerReport *report)
{
  const guint n = jm_scheduler_report_get_n_jobs (report);

  for (guint i = 0; i < n; i++)
    if (jm_scheduler_report_get_job (report, i)->sum_of == JM_SCHEDULER_SUM_NONE)
      return FALSE;

  return n > 0;
}

static void
add_listed (List *self, JmSchedulerReport *report, const char *cluster)
{
  const JmSchedulerTopic topic = self->view->topic;
  const guint n = count_listed (report, topic);

  for (guint i = 0; i < n; i++)
    {
      if (topic == JM_SCHEDULER_TOPIC_JOBS &&
          !is_in_queue (jm_scheduler_report_get_job (report, i)))
        continue;
      jm_table_clear (self->choosing);
      jm_table_add_listed (self->choosing, report, i, cluster);
      if (is_chosen (self))
        jm_table_add_listed (self->table, report, i, cluster);
    }
}

static void
read_scheduler (List *self, JmCluster *cluster, guint i)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerReport) report =
    jm_cluster_read (cluster, i, self->view->topic, NULL, &error);
  /* which it may have learned by its answer */
  const char *name = jm_scheduler_get_cluster (jm_cluster_get_scheduler (cluster, i));

  if (report == NULL)
    fail (self, error->message);
  else if (has_only_sums (report))
    {
      g_autofree char *why =
        g_strdup_printf ("%s: its scheduler reports sums of jobs, and lists none: see "
                         "jobmetrics-cli partitions",
                         name);

      fail (self, why);
    }
  else
    add_listed (self, report, name);
}

/* --- sums of partitions --- */

static void
complain_of (List *self, JmCluster *cluster, JmSchedulerTopic topic)
{
  const guint n = jm_cluster_get_n_schedulers (cluster);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = jm_cluster_get_error (cluster, i, topic);

      if (error != NULL)
        fail (self, error->message);
    }
}

static void
read_partitions (List *self, JmCluster *cluster)
{
  g_autoptr (JmSnapshot) snapshot = jm_cluster_sample (cluster, NULL);
  const guint n = snapshot != NULL ? jm_snapshot_get_n_subjects (snapshot) : 0;

  complain_of (self, cluster, JM_SCHEDULER_TOPIC_JOBS);
  complain_of (self, cluster, JM_SCHEDULER_TOPIC_NODES);
  for (guint i = 0; i < n; i++)
    {
      if (jm_snapshot_get_kind (snapshot, i) != JM_SUBJECT_KIND_PARTITION)
        continue;
      jm_table_clear (self->choosing);
      jm_table_add_subject (self->choosing, snapshot, i);
      if (is_chosen (self))
        jm_table_add_subject (self->table, snapshot, i);
    }
}

/* --- output --- */

static void
print_table (const List *self)
{
  g_autofree char *text = NULL;

  if (self->options.json)
    {
      text = jm_table_to_json (self->table);
      fputs (text, stdout); /* JSON is UTF-8 whatever the locale says */
      return;
    }
  text =
    self->csv
      ? jm_table_to_csv (self->table, !self->is_bare)
      : jm_table_to_text (self->table, jmc_output_get_width (STDOUT_FILENO),
                          !self->is_bare,
                          jmc_output_has_color (self->options.color, STDOUT_FILENO));
  jmc_output_print (text);
}

static int
print_columns (const List *self)
{
  g_autoptr (JmTable) table = make_table (self, self->choices[0], NULL);
  g_autofree char *text = jmc_columns_describe (table);

  jmc_output_print (text);

  return jmc_output_finish (JMC_EXIT_OK);
}

static int
ask (List *self, JmCluster *cluster)
{
  const guint n = jm_cluster_get_n_schedulers (cluster);

  self->is_whole = TRUE;
  if (self->view->topic == JM_SCHEDULER_TOPIC_PARTITIONS)
    read_partitions (self, cluster);
  else
    for (guint i = 0; i < n; i++)
      read_scheduler (self, cluster, i);
  if (self->is_whole || jm_table_get_n_rows (self->table) > 0)
    print_table (self);

  return jmc_output_finish (self->is_whole ? JMC_EXIT_OK : JMC_EXIT_FAILURE);
}

static int
run (const View *view, int argc, char **argv)
{
  g_auto (List) self = { .view = view };
  g_autoptr (JmCluster) cluster = NULL;
  g_autoptr (GError) error = NULL;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;
  if (g_strcmp0 (self.columns, "help") == 0)
    return print_columns (&self);
  if (!choose_columns (&self))
    return JMC_EXIT_USAGE;

  cluster = jm_cluster_settings_make (self.options.settings, &error);
  if (cluster == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_USAGE;
    }

  return ask (&self, cluster);
}

/* --- the commands --- */

int
jmc_queue_main (int argc, char **argv)
{
  static const View view = {
    "queue",
    "Shows the jobs that a cluster's scheduler knows, those that wait and those that "
    "run.",
    JM_SCHEDULER_TOPIC_JOBS,
    "cluster,jobid,user,account,partition,qos,state,reason",
    "jobid,user,state,cpus,waited,reason,gpus_alloc,account,partition,tasks,"
    "nodes,mem_alloc,limit",
    "jobid,user,account,partition,state,tasks,nodes,cpus,mem_alloc,gpus_alloc,"
    "limit,waited,reason",
    NULL,
  };

  return run (&view, argc, argv);
}

int
jmc_nodes_main (int argc, char **argv)
{
  static const View view = {
    "nodes",
    "Shows the nodes of a cluster, what is free on them, and why some are not used.",
    JM_SCHEDULER_TOPIC_NODES,
    "cluster,node,partition,state,features",
    "node,state,cpus,cpus_alloc,cpus_idle,gpus,gpus_alloc,partition,memory,mem_alloc,"
    "since,by,reason",
    "node,partition,state,cpus,cpus_alloc,cpus_idle,memory,mem_alloc,gpus,gpus_alloc,"
    "since,by,reason",
    "node,state,since,reason,by",
  };

  return run (&view, argc, argv);
}

int
jmc_partitions_main (int argc, char **argv)
{
  static const char columns[] =
    "partition,running,pending,oldest,nodes,nodes_idle,cpus_alloc,cpus_idle,cpus_other,"
    "memory,mem_alloc";
  static const View view = {
    "partitions",
    "Shows what runs, waits and is free in each partition of a cluster.",
    JM_SCHEDULER_TOPIC_PARTITIONS,
    "cluster,partition",
    columns,
    columns,
    NULL,
  };

  return run (&view, argc, argv);
}

int
jmc_shares_main (int argc, char **argv)
{
  static const char columns[] =
    "account,user,shares,norm_shares,usage,norm_usage,fairshare";
  static const View view = {
    "shares",
    "Shows fair shares, limits and usage of accounts and users.",
    JM_SCHEDULER_TOPIC_SHARES,
    "cluster,account,user",
    columns,
    columns,
    NULL,
  };

  return run (&view, argc, argv);
}
