/* jme-server-energy-page.c: energy and carbon on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "core/jm-quantity-private.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-usage-table.h"

/* The last ones, of which the factors are looked at. */
#define LOOKED_AT 50
#define REFRESH_SECONDS 300
/* Of which the energy is read meter by meter. */
#define MAX_MEASURED 3000
/* Of a table. */
#define MAX_ROWS 400
#define DAY_SECONDS 86400

/* What is shown of a factor, in the order of the table. */
static const char *const columns[] = {
  "provider", "zone", "method", "scope", "factor_quality",
};

/* Emissions that were reckoned with one factor, or energy of one quality. */
typedef struct
{
  JmRunPart *first; /* has its words */
  guint n_runs;
  guint last_run; /* that was counted */
  double amount;
} Sum;

/* --- sources of joules and grams --- */

static char *
make_key (JmRunPart *part)
{
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const char *text = jm_run_part_get_text (part, columns[i]);

      g_string_append_printf (key, "%s\n", text != NULL ? text : "");
    }

  return g_string_free (key, FALSE);
}

static void
sum_free (gpointer data)
{
  Sum *self = data;

  jm_run_part_unref (self->first);
  g_free (self);
}

static void
add (GHashTable *sums, char *key, JmRunPart *part, guint run, double amount)
{
  Sum *sum = g_hash_table_lookup (sums, key);

  if (sum == NULL)
    {
      sum = g_new0 (Sum, 1);
      sum->first = jm_run_part_ref (part);
      g_hash_table_insert (sums, g_strdup (key), sum);
    }
  if (sum->last_run != run)
    sum->n_runs++;
  sum->last_run = run;
  sum->amount += amount;
  g_free (key);
}

/* @run counts from 1. */
static void
add_part (GHashTable *factors, GHashTable *qualities, JmRunPart *part, guint run)
{
  const char *provider = jm_run_part_get_text (part, "provider");
  const char *quality = jm_run_part_get_text (part, "quality");
  const JmFigure emissions = jm_run_part_get_figure (part, "emissions_grams");
  const JmFigure energy = jm_run_part_get_figure (part, "energy_joules");

  if (provider != NULL && emissions.is_known)
    add (factors, make_key (part), part, run, emissions.value);
  if (quality != NULL && energy.is_known)
    add (qualities, g_strdup (quality), part, run, energy.value);
}

static gboolean
add_run (JmeAnswer *answer,
         JmRun *run,
         guint number,
         GHashTable *factors,
         GHashTable *qualities,
         GError **error)
{
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (answer->store, run, JM_RUN_PART_KIND_ENERGY,
                                    answer->viewer, error);

  if (parts == NULL)
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    add_part (factors, qualities, parts->pdata[i], number);

  return TRUE;
}

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const Sum *first = a;
  const Sum *second = b;

  return (second->amount > first->amount) - (second->amount < first->amount);
}

static void
append_count (GString *out, const Sum *sum, JmFormat format, double greatest)
{
  jme_part_append_figure_cell (out, jm_figure_known (sum->n_runs), JM_FORMAT_COUNT);
  jme_part_append_figure_beside (out, jm_figure_known (sum->amount), format, greatest);
  g_string_append (out, "</tr>\n");
}

static void
append_factors (GString *out, GHashTable *factors)
{
  g_autoptr (GList) sums =
    g_list_sort (g_hash_table_get_values (factors), compare_sums);

  if (sums == NULL)
    {
      g_string_append (out, "<p>No emissions are known of these runs.</p>\n");
      return;
    }

  jme_part_begin_table (out, "factors", "Emission factors",
                        (const char *const[]){ "Source", "Zone", "Method", "Counts in",
                                               "Factor is", "#Runs", "#CO₂e", NULL });
  for (GList *at = sums; at != NULL; at = at->next)
    {
      const Sum *sum = at->data;

      g_string_append (out, "<tr>");
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        jme_html_append_cell (out, jm_run_part_get_text (sum->first, columns[i]));
      append_count (out, sum, JM_FORMAT_GRAMS, ((Sum *) sums->data)->amount);
    }
  jme_part_end_table (out);
}

static void
append_qualities (GString *out, GHashTable *qualities)
{
  g_autoptr (GList) sums =
    g_list_sort (g_hash_table_get_values (qualities), compare_sums);

  if (sums == NULL)
    return;

  jme_part_begin_table (out, "qualities", "Sources of the energy figures",
                        (const char *const[]){ "Energy was", "#Runs", "#Energy",
                                               NULL });
  for (GList *at = sums; at != NULL; at = at->next)
    {
      const Sum *sum = at->data;

      g_string_append (out, "<tr>");
      jme_html_append_cell (out, jm_run_part_get_text (sum->first, "quality"));
      append_count (out, sum, JM_FORMAT_JOULES, ((Sum *) sums->data)->amount);
    }
  jme_part_end_table (out);
}

static gboolean
append_provenance (JmeAnswer *answer, JmRunFilter *filter, GError **error)
{
  g_autoptr (GHashTable) factors =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sum_free);
  g_autoptr (GHashTable) qualities =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sum_free);
  g_autofree char *unwanted = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_limit (filter, LOOKED_AT);
  runs = jm_archive_database_list_runs (answer->store, filter, answer->viewer,
                                        &unwanted, error);
  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    if (!add_run (answer, runs->pdata[i], i + 1, factors, qualities, error))
      return FALSE;
  if (runs->len == 0)
    return TRUE;

  g_string_append_printf (answer->text,
                          "<h2>Data sources</h2>\n"
                          "<p>Of the last %u runs of the period that you may see. The "
                          "page of a run shows its own.</p>\n",
                          runs->len);
  append_qualities (answer->text, qualities);
  append_factors (answer->text, factors);

  return TRUE;
}

/* --- how much of it is measured --- */

static void
append_name (GString *out, JmRunTotals *totals, JmUsageGroups group)
{
  g_autoptr (GDateTime) day =
    g_date_time_new_from_unix_utc (MAX (jm_run_totals_get_month (totals), 0));
  g_autofree char *text = group == JM_USAGE_GROUPS_DAY
                            ? g_date_time_format (day, "%Y-%m-%d")
                            : g_strdup (jm_run_totals_get_name (totals, group));

  g_string_append (out, "<tr><th scope=\"row\">");
  jme_html_append_escaped (out, text);
  g_string_append (out, "</th>");
}

/* The last day first, and accounts by name. */
static void
append_shares (GString *out, GPtrArray *all, JmUsageGroups group, const char *title)
{
  const gboolean is_day = group == JM_USAGE_GROUPS_DAY;

  jme_html_begin_table (out, is_day ? "measured-days" : "measured-accounts",
                        is_day ? "Measured by day, the last first"
                               : "Measured by account");
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, title, FALSE);
  jme_part_append_column (out, "CPU time with known energy", TRUE);
  jme_part_append_column (out, "Energy measured", TRUE);
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (all->len, MAX_ROWS); i++)
    {
      JmRunTotals *totals = all->pdata[is_day ? all->len - 1 - i : i];

      append_name (out, totals, group);
      jme_part_append_total_cell (out, totals,
                                  jm_quantity_get (JM_QUANTITY_ENERGY_KNOWN),
                                  JM_FORMAT_PERCENT);
      jme_part_append_total_cell (out, totals,
                                  jm_quantity_get (JM_QUANTITY_ENERGY_MEASURED_SHARE),
                                  JM_FORMAT_PERCENT);
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</tbody>\n");
  jme_html_end_table (out);
}

static gboolean
append_group (JmeAnswer *answer,
              JmRunFilter *filter,
              JmUsageGroups group,
              const char *title,
              gboolean *has_more,
              GError **error)
{
  g_autoptr (GPtrArray) totals =
    jm_archive_database_list_totals (answer->store, filter, group, MAX_MEASURED,
                                     answer->viewer, has_more, error);

  if (totals == NULL)
    return FALSE;
  if (totals->len > 0 && !*has_more)
    append_shares (answer->text, totals, group, title);

  return TRUE;
}

/* All of the runs are read: a part of them would be no answer. */
static gboolean
append_measured (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_copy (query->filter);
  gboolean has_more = FALSE;

  /* whole days, as the sums have them */
  jm_run_filter_set_period (filter, query->since - query->since % DAY_SECONDS,
                            (query->until + DAY_SECONDS - 1) / DAY_SECONDS *
                              DAY_SECONDS);
  jm_run_filter_set_has_energy (filter, TRUE);
  g_string_append (answer->text, "<h2>Measured and estimated</h2>\n");
  if (!append_group (answer, filter, JM_USAGE_GROUPS_DAY, "Day", &has_more, error) ||
      (!has_more && !append_group (answer, filter, JM_USAGE_GROUPS_ACCOUNT, "Account",
                                   &has_more, error)))
    return FALSE;
  if (has_more)
    g_string_append (answer->text,
                     "<p>There are too many runs for a page: choose a shorter period, "
                     "or ask <code>jobmetrics-cli usage --carbon "
                     "--by=day</code>.</p>\n");

  return TRUE;
}

/* --- the page --- */

static gboolean
append_page (JmeAnswer *answer, JmeArchiveQuery *query, GError **error)
{
  jme_usage_table_set_preset_period (query);
  g_string_append (answer->text,
                   "<h1>Energy and carbon</h1>\n"
                   "<p>Of all runs that you may see, the last 30 days unless you "
                   "choose "
                   "others. A dash stands for what was not measured.</p>\n");

  return jme_form_append (answer, JME_FORM_PERIOD | JME_FORM_CLUSTER, error) &&
         jme_usage_table_append_sum (answer, query->filter, error) &&
         jme_usage_table_append_days (answer, query->filter, TRUE, error) &&
         jme_usage_table_append_names (answer, query->filter, JM_USAGE_GROUPS_ACCOUNT,
                                       "Account", JME_PAGE_ACCOUNT, error) &&
         jme_usage_table_append_names (answer, query->filter, JM_USAGE_GROUPS_USER,
                                       "User", JME_PAGE_JOBS "?user=", error) &&
         append_measured (answer, query, error) &&
         append_provenance (answer, query->filter, error);
}

void
jme_server_energy_page_answer (JmeRequest *request, gpointer pages)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_SUMS, &error) ||
      !append_page (&answer, &query, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Energy and carbon",
                                             .section = JME_PAGE_ENERGY,
                                             .refresh_seconds = REFRESH_SECONDS });
}
