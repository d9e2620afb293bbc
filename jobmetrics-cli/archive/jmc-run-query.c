/* jmc-run-query.c: which runs of a site are wanted, as the command line says it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-run-query.h"

#include "base/jm-moment-private.h"
#include "jmc-output.h"
#include "report/jm-table.h"

static const JmSetting settings[] = {
  { .name = "user",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME,...",
    .help = "Only runs of these users" },
  { .name = "account",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME,...",
    .help = "Only runs of these accounts" },
  { .name = "partition",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs in this partition" },
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs on this cluster" },
  { .name = "since",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Only runs that went on after that, such as yesterday or -7d" },
  { .name = "until",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Only runs that went on before that, such as '2026-11-22 10:00'" },
};

static const JmSetting run_settings[] = {
  { .name = "at",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Only runs that went on at that moment, such as 'yesterday 14:00'" },
  { .name = "node",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs that had this node" },
  { .name = "state",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "STATE,...",
    .help = "Only runs in these states, such as FAILED" },
  { .name = "verdict",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "KIND,...",
    .help = "Only runs that the archive gave these verdicts: good, waste, trouble, "
            "too-short or not-enough-data; running and waiting are those of others" },
  { .name = "job",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "JOB",
    .help = "Only runs of this job, or of this job array" },
  { .name = "name",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "PATTERN",
    .help = "Only runs of jobs of this name, or of names such as 'align-*'" },
  { .name = "sort",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help =
      "By end, start, submit or a figure that --columns=help lists; with a - before "
      "it the last or the greatest comes first",
    .preset = "-end" },
  { .name = "limit",
    .group = "selection",
    .kind = JM_SETTING_COUNT,
    .argument = "N",
    .help = "How many runs, or groups of them; 0 for all",
    .preset = "20",
    .low = 0,
    .high = G_MAXINT },
};

/* --- options --- */

void
jmc_run_query_add_settings (JmcOptions *options, GOptionGroup *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (options, &settings[i], group);
}

void
jmc_run_query_add_run_settings (JmcOptions *options, GOptionGroup *group)
{
  jmc_run_query_add_settings (options, group);
  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    jmc_options_add_setting (options, &run_settings[i], group);
}

void
jmc_run_query_clear (JmcRunQuery *self)
{
  g_clear_pointer (&self->filter, jm_run_filter_free);
}

/* Names with commas between them. */
static char **
get_list (const JmcOptions *options, const char *name)
{
  const char *text = jmc_options_get_text (options, name);

  return text != NULL ? g_strsplit (text, ",", -1) : NULL;
}

static gboolean
parse_moment (const JmcOptions *options,
              const char *name,
              GDateTime *now,
              gint64 *seconds)
{
  const char *text = jmc_options_get_text (options, name);
  g_autoptr (GError) error = NULL;
  gint64 time_us;

  if (text == NULL)
    return TRUE;
  if (!jm_moment_parse (text, now, &time_us, &error))
    {
      jmc_output_complain ("--%s: %s", name, error->message);
      return FALSE;
    }
  *seconds = MAX (time_us / G_USEC_PER_SEC, 1); /* 0 is for open */

  return TRUE;
}

void
jmc_run_query_set_period (JmcRunQuery *self, gint64 since, gint64 until)
{
  self->since = since;
  self->until = until;
  jm_run_filter_set_period (self->filter, since, until);
}

static gboolean
parse_period (JmcRunQuery *self, const JmcOptions *options, GDateTime *now)
{
  gint64 since = 0;
  gint64 until = 0;
  gint64 at = 0;

  if (!parse_moment (options, "at", now, &at) ||
      !parse_moment (options, "since", now, &since) ||
      !parse_moment (options, "until", now, &until))
    return FALSE;
  if (at != 0 && (since != 0 || until != 0))
    {
      jmc_output_complain ("--at cannot be combined with --since and --until");
      return FALSE;
    }
  if (until != 0 && since > until)
    {
      jmc_output_complain ("--since=%s is later than --until=%s",
                           jmc_options_get_text (options, "since"),
                           jmc_options_get_text (options, "until"));
      return FALSE;
    }
  jmc_run_query_set_period (self, at != 0 ? at : since, at != 0 ? at + 1 : until);

  return TRUE;
}

/* By any name that people type; NULL for none. */
static const JmQuantity *
find_quantity (const char *name)
{
  g_autoptr (JmTable) table = jm_table_new_of_runs (name, NULL);
  g_autoptr (GPtrArray) columns = table != NULL ? jm_table_list_columns (table) : NULL;

  return columns != NULL && columns->len == 1 ? columns->pdata[0] : NULL;
}

/* The archive sorts by what it keeps; of running runs their nodes' records have more.
 */
static gboolean
parse_sort (JmcRunQuery *self, const char *text, gboolean are_running)
{
  g_autoptr (GError) error = NULL;

  self->ascends = *text != '-';
  self->figure = find_quantity (text + (self->ascends ? 0 : 1));
  if (!(are_running && self->figure != NULL) &&
      jm_run_filter_set_sort (self->filter, text, &error))
    return TRUE;

  self->by = self->figure;
  if (self->by != NULL && self->by->format != JM_FORMAT_TEXT)
    return TRUE;

  jmc_output_complain ("--sort: %s", error != NULL ? error->message : "not a figure");

  return FALSE;
}

/* What a list of runs has beside a sum of them. */
static gboolean
parse_run_settings (JmcRunQuery *self, const JmcOptions *options)
{
  const char *sort = jmc_options_get_text (options, "sort");
  g_auto (GStrv) states = NULL;
  g_auto (GStrv) verdicts = NULL;
  g_autoptr (GError) error = NULL;

  if (sort == NULL)
    return TRUE;
  states = get_list (options, "state");
  verdicts = get_list (options, "verdict");
  if (!jm_run_filter_set_verdicts (self->filter, (const char *const *) verdicts,
                                   &error))
    {
      jmc_output_complain ("--verdict: %s", error->message);
      return FALSE;
    }
  jm_run_filter_set_states (self->filter, (const char *const *) states);
  jm_run_filter_set_job (self->filter, jmc_options_get_text (options, "job"));
  jm_run_filter_set_name_pattern (self->filter, jmc_options_get_text (options, "name"));
  jm_run_filter_set_node (self->filter, jmc_options_get_text (options, "node"));
  self->is_narrow = self->is_narrow || jmc_options_get_text (options, "job") != NULL ||
                    jmc_options_get_text (options, "node") != NULL;
  self->limit = jm_settings_get_number (options->settings, "limit");

  return self->is_grouped ||
         parse_sort (self, sort,
                     states != NULL && g_str_equal (states[0], "RUNNING") &&
                       states[1] == NULL);
}

gboolean
jmc_run_query_parse (JmcRunQuery *self, const JmcOptions *options, GDateTime *now)
{
  g_auto (GStrv) users = get_list (options, "user");
  g_auto (GStrv) accounts = get_list (options, "account");

  self->filter = jm_run_filter_new ();
  self->is_narrow = users != NULL || accounts != NULL;
  jm_run_filter_set_users (self->filter, (const char *const *) users);
  jm_run_filter_set_accounts (self->filter, (const char *const *) accounts);
  jm_run_filter_set_partition (self->filter,
                               jmc_options_get_text (options, "partition"));
  jm_run_filter_set_cluster (self->filter, jmc_options_get_text (options, "cluster"));

  return parse_period (self, options, now) && parse_run_settings (self, options);
}
