/* jmc-power.c: jobmetrics-cli power: what a node takes, and who takes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <unistd.h>

#include "doctor/jm-doctor.h"
#include "jmc-options.h"
#include "jmc-watch.h"
#include "pages/jmc-doctor-page.h"
#include "power/jmc-power-page.h"
#include "power/jmc-power-source.h"
#include "report/jm-power-split.h"

#define TOPICS "power."

#define DEFAULT_INTERVAL 1.0
#define MIN_INTERVAL 0.1
#define MAX_INTERVAL 3600.0

/* Who has done what is needed for the split. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PROCESS,        \
                   JM_COLLECTOR_POWER)

typedef struct
{
  JmcOptions options;
  JmcWatch watch;
  double interval;
  JmSnapshot *before;
  JmPowerSplit *split;
  JmNode *node;
  gboolean is_any_up;
} Power;

static void
power_clear (Power *self)
{
  jmc_options_clear (&self->options);
  jmc_watch_clear (&self->watch);
  g_clear_pointer (&self->before, jm_snapshot_unref);
  g_clear_pointer (&self->split, jm_power_split_unref);
  g_clear_object (&self->node);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Power, power_clear)

/* --- options --- */

static gboolean
check_interval (Power *self)
{
  /* written so that what is no number is refused as well */
  if (self->interval >= MIN_INTERVAL && self->interval <= MAX_INTERVAL)
    {
      self->options.metering.lead_us = (gint64) (self->interval * G_USEC_PER_SEC);
      return TRUE;
    }

  jmc_output_complain ("--interval=%g: not from %g to %g seconds", self->interval,
                       MIN_INTERVAL, MAX_INTERVAL);

  return FALSE;
}

static GOptionGroup *
make_group (Power *self)
{
  const GOptionEntry entries[] = {
    { "interval", 0, 0, G_OPTION_ARG_DOUBLE, &self->interval,
      "Time over which is measured (default 1)", "SECONDS" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "jobs", "gpus", "power",
                            "sharing", NULL);

  g_option_group_add_entries (group, entries);
  jmc_watch_add_entries (&self->watch, group);

  return group;
}

static gboolean
parse (Power *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = jmc_watch_copy_arguments (argc, argv);

  g_option_context_set_summary (
    context,
    "Shows the power that each source of this node measures, and its share of jobs,\n"
    "system and idle. The exit status is 1 if no source could be read.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse_strv (&self->options, context, &arguments))
    return FALSE;

  if (arguments[1] != NULL)
    {
      jmc_output_complain ("%s: power takes no arguments", arguments[1]);
      return FALSE;
    }
  self->watch.is_stream = self->options.json;

  return jmc_options_check (&self->options) && check_interval (self) &&
         jmc_watch_parse (&self->watch);
}

/* --- output --- */

static gboolean
is_any_up (GPtrArray *sources)
{
  for (guint i = 0; i < sources->len; i++)
    {
      const JmcPowerSource *source = sources->pdata[i];

      if (source->is_up)
        return TRUE;
    }

  return FALSE;
}

static void
keep (JmSnapshot *snapshot, gpointer data)
{
  Power *self = data;

  g_clear_pointer (&self->before, jm_snapshot_unref);
  self->before = jm_snapshot_ref (snapshot);
}

static void
begin (JmNode *node, gpointer data)
{
  Power *self = data;

  self->node = g_object_ref (node);
}

/* A snapshot may be drawn again, in a window of another size, and is split as before.
 */
static void
split (Power *self, JmSnapshot *snapshot)
{
  if (self->split != NULL &&
      jm_snapshot_get_time (snapshot) == jm_snapshot_get_time (self->before))
    return;

  g_clear_pointer (&self->split, jm_power_split_unref);
  self->split = jm_power_split_new (self->before, snapshot);
  keep (snapshot, self);
}

static gboolean
draw (JmSnapshot *snapshot, gboolean is_page, GString *text, gpointer data)
{
  Power *self = data;
  g_autoptr (GPtrArray) infos = jm_node_list_sources (self->node);
  g_autoptr (GPtrArray) sources = jmc_power_source_list (snapshot, infos);
  g_autoptr (GString) page = g_string_new (NULL);

  split (self, snapshot);
  self->is_any_up = is_any_up (sources);
  if (self->options.json)
    jmc_power_page_append_json (page, sources, self->split, self->watch.text == NULL);
  else
    jmc_power_page_append (page, sources, self->split,
                           jmc_output_has_color (self->options.color, STDOUT_FILENO));
  g_string_append (text, page->str);

  return TRUE;
}

/* --- where there is nothing --- */

/* What doctor has to say of power. */
static GPtrArray *
examine (const JmcOptions *options)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (GPtrArray) findings =
    jm_doctor_examine_full (host, jmc_options_get_list (options, "schedulers"),
                            jmc_options_get_text (options, "node.name"),
                            options->metering.sources, NULL, NULL);
  GPtrArray *chosen =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = findings->pdata[i];

      if (g_str_has_prefix (jm_finding_get_topic (finding), TOPICS) &&
          jm_finding_get_severity (finding) != JM_SEVERITY_GOOD)
        g_ptr_array_add (chosen, jm_finding_ref (finding));
    }

  return chosen;
}

static void
print_findings (const JmcOptions *options)
{
  g_autoptr (GPtrArray) findings = examine (options);
  const JmcDoctorStyle style = {
    .width = jmc_output_get_width (STDERR_FILENO),
    .color = jmc_output_has_color (options->color, STDERR_FILENO),
    .unicode = g_get_charset (NULL),
  };
  g_autofree char *text = jmc_doctor_page_render (findings, &style);

  jmc_output_complain ("no power source of this node could be read");
  g_printerr ("%s", text);
}

int
jmc_power_main (int argc, char **argv)
{
  g_auto (Power) self = { .interval = DEFAULT_INTERVAL,
                          .options.metering.meters = JMC_METERS_SOURCES };
  const JmcView view = { draw, NULL, &self, keep, begin };
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  status =
    jmc_watch_run (&self.watch, &self.options, JM_SUBJECT_KIND_JOB, COLLECTORS, &view);
  if (status != JMC_EXIT_OK || self.is_any_up)
    return status;

  print_findings (&self.options);

  return JMC_EXIT_FAILURE;
}
