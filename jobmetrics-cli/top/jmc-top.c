/* jmc-top.c: jobmetrics-cli top: the jobs of a node as they go
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jmc-options.h"
#include "jmc-output.h"
#include "jmc-snapshot.h"
#include "node/jm-node.h"
#include "top/jmc-top-draw.h"
#include "top/jmc-top-live.h"
#include "top/jmc-top-model.h"
#include "top/jmc-top-replay.h"

#define MAX_HOST_NAME 256
#define USUAL_SORT "-CPU%"

/* What the lines show: no more is read. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PRESSURE,       \
                   JM_COLLECTOR_IO, JM_COLLECTOR_PROCESS, JM_COLLECTOR_THREADS,        \
                   JM_COLLECTOR_NODE, JM_COLLECTOR_POWER, JM_COLLECTOR_GPU)

typedef struct
{
  JmcOptions common;
  JmcLedgerMoment moment;
  double interval;
  char *sort;
  char *user;
  gboolean is_once;
  gboolean is_expanded;
  int n_pages; /* 0 for a live view */
  guint column;
  gboolean is_descending;
} Options;

/* Follows the node meanwhile, so that a job's last figures are not missed. */
static void
wait_for (JmNode *node, double seconds)
{
  GPollFD fd = { jm_node_get_event_fd (node), G_IO_IN, 0 };
  gint64 end_us = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  gint64 left_us = end_us - g_get_monotonic_time ();

  while (left_us > 0)
    {
      if (g_poll (&fd, fd.fd >= 0 ? 1 : 0, (int) ((left_us + 999) / 1000)) > 0)
        jm_node_follow (node);
      left_us = end_us - g_get_monotonic_time ();
    }
}

static void
sweep (JmNode *node, JmcTopModel *model, gboolean is_first)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);

  jmc_top_model_update (model, snapshot, now_us);
  for (guint i = 0; is_first && i < JM_N_COLLECTORS; i++)
    {
      g_autofree char *error = jmc_snapshot_describe_loss (snapshot, i, NULL);

      if (error != NULL)
        jmc_output_complain ("%s", error);
    }
}

/* Prints @n_pages, one after each interval: rates need two sweeps. */
static int
print_pages (JmNode *node,
             JmcTopModel *model,
             const char *host,
             double interval,
             guint n_pages)
{
  int status = JMC_EXIT_OK;

  sweep (node, model, TRUE);
  for (guint i = 0; i < n_pages && status == JMC_EXIT_OK; i++)
    {
      g_autofree char *text = NULL;

      wait_for (node, interval);
      sweep (node, model, FALSE);
      text =
        jmc_top_draw_page (model, host, NULL, jmc_output_get_width (STDOUT_FILENO));
      if (i > 0)
        jmc_output_print ("\n");
      jmc_output_print (text);
      status = jmc_output_finish (status);
    }

  return status;
}

static void
options_clear (Options *self)
{
  jmc_options_clear (&self->common);
  jmc_ledger_moment_clear (&self->moment);
  g_free (self->sort);
  g_free (self->user);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The name of a column, with a minus before it for the other way round. */
static gboolean
parse_sort (Options *self)
{
  const char *text = self->sort != NULL ? self->sort : USUAL_SORT;
  g_autofree char *titles = NULL;

  if (strchr (text, ',') != NULL)
    {
      jmc_output_complain ("--sort=%s: top sorts by one column", text);
      return FALSE;
    }

  self->is_descending = *text == '-';
  if (jmc_top_column_from_name (text + (self->is_descending ? 1 : 0), &self->column))
    return TRUE;

  titles = jmc_top_column_list_titles ();
  if (*text == '\0')
    jmc_output_complain ("--sort: no column is named (there are %s)", titles);
  else
    jmc_output_complain ("--sort: no such column: '%s' (there are %s)", text, titles);

  return FALSE;
}

static gboolean
check (Options *self, int argc, char **argv)
{
  if (argc > 1)
    {
      jmc_output_complain ("%s: top takes no arguments", argv[1]);
      return FALSE;
    }
  /* Written so that what is no number is refused as well. */
  if (!(self->interval >= JMC_TOP_MIN_INTERVAL &&
        self->interval <= JMC_TOP_MAX_INTERVAL))
    {
      jmc_output_complain ("--interval=%g: not from %g to %g seconds", self->interval,
                           JMC_TOP_MIN_INTERVAL, JMC_TOP_MAX_INTERVAL);
      return FALSE;
    }
  if (self->n_pages < 0)
    {
      jmc_output_complain ("--count=%d: not a number of pages", self->n_pages);
      return FALSE;
    }

  if (self->moment.text != NULL && self->n_pages > 1)
    {
      jmc_output_complain ("--at and --count cannot be combined");
      return FALSE;
    }

  return parse_sort (self) && jmc_options_check (&self->common) &&
         jmc_ledger_moment_parse (&self->moment, &self->common);
}

static gboolean
parse (Options *self, int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "interval", 0, 0, G_OPTION_ARG_DOUBLE, &self->interval,
      "Time between two sweeps (default 2)", "SECONDS" },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &self->sort,
      "Sort by a column; - before it is for descending order (default -CPU%)",
      "[-]NAME" },
    { "user", 0, 0, G_OPTION_ARG_STRING, &self->user, "Only jobs of this user",
      "USER" },
    { "expand", 0, 0, G_OPTION_ARG_NONE, &self->is_expanded,
      "Show steps, tasks, executables and processes of all jobs", NULL },
    { "once", 0, 0, G_OPTION_ARG_NONE, &self->is_once,
      "Print a single page, after one interval", NULL },
    { "count", 0, 0, G_OPTION_ARG_INT, &self->n_pages,
      "Print that many pages, one after each interval", "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group =
    jmc_options_make_group (&self->common, "color", "host", "jobs", "gpus", "power",
                            "sharing", "exporter-accounts", NULL);

  jmc_options_add_entries (group, entries);
  jmc_ledger_moment_add_entries (&self->moment, &self->common, group);
  g_option_context_set_summary (context, "Shows the jobs of this node live.");
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (&self->common, context, &argc, &argv) ||
      !check (self, argc, argv))
    return FALSE;

  if (self->is_once && self->n_pages == 0)
    self->n_pages = 1;

  return TRUE;
}

/* As the tree that is read names its host. */
static char *
get_host_name (const Options *options)
{
  g_autoptr (JmHost) host = jmc_options_make_host (&options->common);
  gsize length;
  char *name;

  if (jmc_options_get_text (&options->common, "node.name") != NULL)
    return g_strdup (jmc_options_get_text (&options->common, "node.name"));

  name =
    jm_host_read_all (host, "/proc/sys/kernel/hostname", MAX_HOST_NAME, &length, NULL);

  return name != NULL && *name != '\0' ? g_strchomp (name) : g_strdup ("this node");
}

static GPtrArray *
list_processes (const char *uuid, gint64 *now_us, gpointer node)
{
  *now_us = g_get_monotonic_time ();

  return jm_node_list_processes (node, uuid, NULL, NULL);
}

static JmcTopModel *
make_model (const Options *options)
{
  JmcTopModel *model = jmc_top_model_new ();
  /* In top, words go from a to z, and figures from the largest on. */
  const gboolean is_reversed =
    options->is_descending == (options->column < JMC_TOP_N_TEXTS);

  jmc_top_model_sort (model, options->column, is_reversed);
  jmc_top_model_set_user (model, options->user);
  jmc_top_model_open_all (model, options->is_expanded);

  return model;
}

static int
run (const Options *options, JmNode *node)
{
  g_autoptr (JmcTopModel) model = make_model (options);
  g_autoptr (JmcTopControl) control = jmc_top_control_new (model, options->interval);
  g_autofree char *host = get_host_name (options);
  g_auto (GStrv) problems = NULL;
  JmcTopScene scene = { host, NULL, NULL };
  int status;

  jmc_top_model_set_lister (model, list_processes, node);

  if (options->n_pages > 0)
    return print_pages (node, model, host, options->interval, (guint) options->n_pages);

  problems = jm_node_list_problems (node);
  status =
    jmc_top_live_run (node, NULL, control, &scene, problems, options->common.color);
  g_free (scene.notice);

  return status;
}

static int
run_replay (Options *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmcTopModel) model = make_model (options);
  g_autoptr (JmcTopControl) control = jmc_top_control_new (model, options->interval);
  JmcTopScene scene = { get_host_name (options), NULL, NULL };
  JmcTopReplay replay = { &options->moment, &options->common, model, &scene, 0 };
  int status = JMC_EXIT_OK;

  control->is_past = TRUE;
  if (!jmc_top_replay_step (&replay, 0, &error))
    {
      jmc_output_complain ("%s", error->message);
      status = JMC_EXIT_FAILURE;
    }
  else if (options->n_pages > 0)
    status = jmc_top_replay_print (&replay);
  else
    status =
      jmc_top_live_run (NULL, &replay, control, &scene, NULL, options->common.color);
  g_free (scene.host);
  g_free (scene.notice);
  g_free (scene.points);

  return status;
}

int
jmc_top_main (int argc, char **argv)
{
  g_auto (Options) options = { .interval = JMC_TOP_DEFAULT_INTERVAL,
                               .common.metering.meters = JMC_METERS_FOUND };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = NULL;

  if (!parse (&options, argc, argv))
    return JMC_EXIT_USAGE;

  if (options.moment.text != NULL)
    return run_replay (&options);

  node =
    jmc_options_make_node (&options.common, JM_SUBJECT_KIND_TASK, COLLECTORS, &error);
  if (node == NULL)
    return jmc_options_refuse_node (error);

  /* a page is printed but once, so it had better wait */
  if (options.n_pages > 0 &&
      (options.common.metering.sources != NULL ||
       jmc_options_get_list (&options.common, "gpu.source") != NULL))
    jmc_metering_wait (node);

  return run (&options, node);
}
