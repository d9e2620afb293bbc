/* jmc-accounts-source.c: where a site's runs come from, and which of them are wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-accounts-source.h"

#include <string.h>

#include "accounts/jmc-run-columns.h"
#include "accounts/jmc-usage-group.h"
#include "core/jm-error.h"
#include "core/jm-moment-private.h"
#include "core/jm-tsdb-series.h"
#include "jmc-output.h"

static const JmSetting settings[] = {
  { .name = "user",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME,...",
    .help = "Only what these users had" },
  { .name = "account",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME,...",
    .help = "Only what these accounts had" },
  { .name = "partition",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only what was in this partition" },
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only what was on this cluster" },
  { .name = "since",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Only what went on after that, such as yesterday or -7d" },
  { .name = "until",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "TIME",
    .help = "Only what went on before that, such as '2026-11-22 10:00'" },
};

static const JmSetting run_settings[] = {
  { .name = "state",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "STATE,...",
    .help = "Only runs in these states, such as FAILED" },
  { .name = "job",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "JOB",
    .help = "Only runs of this job, or of this job array" },
  { .name = "name",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs of jobs of this name" },
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
    .help = "How many runs; 0 for all",
    .preset = "20",
    .low = 0,
    .high = G_MAXINT },
};

/* --- options --- */

void
jmc_accounts_query_add_settings (JmcOptions *options, GOptionGroup *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (options, &settings[i], group);
}

void
jmc_accounts_query_add_run_settings (JmcOptions *options, GOptionGroup *group)
{
  jmc_accounts_query_add_settings (options, group);
  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    jmc_options_add_setting (options, &run_settings[i], group);
}

void
jmc_accounts_query_clear (JmcAccountsQuery *self)
{
  g_clear_pointer (&self->users, g_strfreev);
  g_clear_pointer (&self->accounts, g_strfreev);
  g_clear_pointer (&self->states, g_strfreev);
  g_clear_pointer (&self->partition, g_free);
  g_clear_pointer (&self->cluster, g_free);
  g_clear_pointer (&self->job, g_free);
  g_clear_pointer (&self->name, g_free);
}

/* Names with commas between them. */
static char **
split (const char *text)
{
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

static gboolean
parse_period (JmcAccountsQuery *self, const JmcOptions *options, GDateTime *now)
{
  if (!parse_moment (options, "since", now, &self->since) ||
      !parse_moment (options, "until", now, &self->until))
    return FALSE;
  if (self->until == 0 || self->since <= self->until)
    return TRUE;

  jmc_output_complain ("--since=%s is later than --until=%s",
                       jmc_options_get_text (options, "since"),
                       jmc_options_get_text (options, "until"));

  return FALSE;
}

/* The archive sorts by what it keeps. */
static gboolean
parse_sort (JmcAccountsQuery *self, const char *text)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GError) error = NULL;

  self->sort = text;
  self->ascends = *text != '-';
  if (jm_run_filter_set_sort (filter, text, &error))
    return TRUE;

  self->sort = NULL;
  self->by = jmc_run_columns_find_quantity (text + (self->ascends ? 0 : 1));
  if (self->by != NULL && self->by->format != JM_FORMAT_TEXT)
    return TRUE;

  jmc_output_complain ("--sort: %s", error->message);

  return FALSE;
}

/* What a list of runs has beside a sum of them. */
static gboolean
parse_run_settings (JmcAccountsQuery *self, const JmcOptions *options)
{
  const char *sort = jmc_options_get_text (options, "sort");

  if (sort == NULL)
    return TRUE;
  self->states = split (jmc_options_get_text (options, "state"));
  self->job = g_strdup (jmc_options_get_text (options, "job"));
  self->name = g_strdup (jmc_options_get_text (options, "name"));
  self->limit = jm_settings_get_number (options->settings, "limit");

  return parse_sort (self, sort);
}

gboolean
jmc_accounts_query_parse (JmcAccountsQuery *self,
                          const JmcOptions *options,
                          GDateTime *now)
{
  self->users = split (jmc_options_get_text (options, "user"));
  self->accounts = split (jmc_options_get_text (options, "account"));
  self->partition = g_strdup (jmc_options_get_text (options, "partition"));
  self->cluster = g_strdup (jmc_options_get_text (options, "cluster"));

  return parse_period (self, options, now) && parse_run_settings (self, options);
}

/* --- asking --- */

JmRunFilter *
jmc_accounts_query_make_filter (const JmcAccountsQuery *self)
{
  JmRunFilter *filter = jm_run_filter_new ();

  jm_run_filter_set_users (filter, (const char *const *) self->users);
  jm_run_filter_set_accounts (filter, (const char *const *) self->accounts);
  jm_run_filter_set_states (filter, (const char *const *) self->states);
  jm_run_filter_set_partition (filter, self->partition);
  jm_run_filter_set_cluster (filter, self->cluster);
  jm_run_filter_set_job (filter, self->job);
  jm_run_filter_set_name (filter, self->name);
  jm_run_filter_set_period (filter, self->since, self->until);
  if (self->sort != NULL)
    jm_run_filter_set_sort (filter, self->sort, NULL);

  return filter;
}

static void
add (GString *text, const char *name, const char *value)
{
  g_autofree char *escaped =
    value != NULL ? g_uri_escape_string (value, NULL, FALSE) : NULL;

  if (escaped != NULL)
    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? "&" : "", name, escaped);
}

static void
add_list (GString *text, const char *name, char **values)
{
  for (; values != NULL && *values != NULL; values++)
    add (text, name, *values);
}

static void
add_number (GString *text, const char *name, gint64 number)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  if (number > 0)
    add (text, name, value);
}

static GString *
make_parameters (const JmcAccountsQuery *self)
{
  GString *text = g_string_new (NULL);

  add_list (text, "user", self->users);
  add_list (text, "account", self->accounts);
  add (text, "partition", self->partition);
  add (text, "cluster", self->cluster);
  add_number (text, "since", self->since);
  add_number (text, "until", self->until);

  return text;
}

char *
jmc_accounts_query_make_run_parameters (const JmcAccountsQuery *self,
                                        guint limit,
                                        const char *cursor)
{
  GString *text = make_parameters (self);

  add_list (text, "state", self->states);
  add (text, "job", self->job);
  add (text, "name", self->name);
  add (text, "sort", self->sort);
  add_number (text, "limit", limit);
  add (text, "cursor", cursor);

  return g_string_free (text, FALSE);
}

char *
jmc_accounts_query_make_usage_parameters (const JmcAccountsQuery *self,
                                          JmUsageGroups groups)
{
  GString *text = make_parameters (self);

  for (guint i = 0; i < jmc_usage_group_count (); i++)
    if ((groups & jmc_usage_group_get (i)->group) != 0)
      add (text, "group", jmc_usage_group_get (i)->name);

  return g_string_free (text, FALSE);
}

static guint
choose_limit (guint limit, guint n_read)
{
  return limit == 0 ? JM_RUN_FILTER_MAX_LIMIT
                    : MIN (limit - n_read, JM_RUN_FILTER_MAX_LIMIT);
}

/* A page must lead on, lest the same is asked for without an end. */
static gboolean
check_page (JmcAccountsSource *self,
            GPtrArray *runs,
            guint limit,
            const char *cursor,
            const char *next,
            GError **error)
{
  if (runs->len <= limit &&
      (next == NULL || (runs->len > 0 && g_strcmp0 (next, cursor) != 0)))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: a page leads nowhere",
               self->name);

  return FALSE;
}

gboolean
jmc_accounts_source_read_runs (JmcAccountsSource *self,
                               const JmcAccountsQuery *query,
                               JmcRunFunc func,
                               gpointer data,
                               GError **error)
{
  g_autofree char *cursor = NULL;
  guint n_read = 0;

  do
    {
      const guint limit = choose_limit (query->limit, n_read);
      g_autofree char *next = NULL;
      g_autoptr (GPtrArray) runs =
        self->class->list_runs (self, query, limit, cursor, &next, error);

      if (runs == NULL || !check_page (self, runs, limit, cursor, next, error))
        return FALSE;
      for (guint i = 0; i < runs->len; i++)
        func (runs->pdata[i], data);
      n_read += runs->len;
      g_free (cursor);
      cursor = g_steal_pointer (&next);
    }
  while (cursor != NULL && (query->limit == 0 || n_read < query->limit));

  return TRUE;
}

GPtrArray *
jmc_accounts_source_list_usage (JmcAccountsSource *self,
                                const JmcAccountsQuery *query,
                                JmUsageGroups groups,
                                GError **error)
{
  return self->class->list_usage (self, query, groups, error);
}

JmcRunDetails *
jmc_accounts_source_find_run (JmcAccountsSource *self, const char *uuid, GError **error)
{
  return self->class->find_run (self, uuid, error);
}

/* @run is what jmc_accounts_source_find_run() found of @uuid. */
GPtrArray *
jmc_accounts_source_list_records (JmcAccountsSource *self,
                                  const char *uuid,
                                  JmRun *run,
                                  GError **error)
{
  return self->class->list_records (self, uuid, run, error);
}

/* A database of accounts has none. */
GPtrArray *
jmc_accounts_source_list_series (JmcAccountsSource *self,
                                 const char *uuid,
                                 GError **error)
{
  return self->class->list_series != NULL
           ? self->class->list_series (self, uuid, error)
           : g_ptr_array_new_with_free_func ((GDestroyNotify) jm_tsdb_series_unref);
}

gboolean
jmc_accounts_source_refresh (JmcAccountsSource *self, GError **error)
{
  return self->class->refresh == NULL || self->class->refresh (self, error);
}

void
jmc_accounts_source_free (JmcAccountsSource *self)
{
  g_free (self->name);
  g_free (self->user);
  g_free (self->url);
  self->class->free (self);
}
