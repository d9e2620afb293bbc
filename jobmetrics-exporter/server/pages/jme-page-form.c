/* jme-page-form.c: what is chosen on a page, and the links that keep it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page-form.h"

#include "archive/jm-archive-database-private.h"
#include "web/jme-html.h"

/* As many as are suggested. */
#define MAX_CHOICES 200

typedef JmeFormChoice Choice;

static const Choice states[] = {
  { "", "Any" },
  { "PENDING", "Pending" },
  { "RUNNING", "Running" },
  { "COMPLETED", "Completed" },
  { "FAILED", "Failed" },
  { "TIMEOUT", "Timeout" },
  { "OUT_OF_MEMORY", "Out of memory" },
  { "CANCELLED", "Cancelled" },
  { "PREEMPTED", "Preempted" },
  { "NODE_FAIL", "Node failed" },
};

static const Choice verdicts[] = {
  { "", "Any" },
  { "good", "Good" },
  { "waste", "Waste" },
  { "trouble", "Trouble" },
  { "too-short", "Too short to judge" },
  { "not-enough-data", "Not enough data" },
  { "running", "Running" },
  { "waiting", "Waiting" },
};

static const Choice orders[] = {
  { "", "Submitted last" },
  { "submit", "Submitted first" },
  { "-start", "Began last" },
  { "start", "Began first" },
  { "-end", "Ended last" },
  { "end", "Ended first" },
  { "-cpu_unused_seconds", "Most CPU time unused" },
  { "-memory_unused_byte_seconds", "Most memory unused" },
  { "-gpu_unused_seconds", "Most GPU time unused" },
  { "cpu_efficiency_percent", "Lowest CPU efficiency" },
  { "-energy_joules", "Most energy" },
  { "-elapsed_seconds", "Longest" },
  { "-wait_seconds", "Waited longest" },
};

/* In the order of the form. */
static const char *const keys[] = {
  "state",  "verdict", "cluster", "partition", "account", "user",
  "job",    "name",    "node",    "uuid",      "since",   "until",
  "column", "by",      "sort",    "limit",     "group",
};

char *
jme_form_get_value (JmeRequest *request, const char *key)
{
  g_auto (GStrv) values = jme_request_get_values (request, key);

  return values[0] != NULL && *values[0] != '\0' ? g_strdup (values[0]) : NULL;
}

gboolean
jme_form_is_narrow (JmeRequest *request)
{
  static const char *const of_tables[] = { "column", "by", "sort", "limit", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *value = jme_form_get_value (request, keys[i]);

      if (value != NULL && !g_strv_contains (of_tables, keys[i]))
        return TRUE;
    }

  return FALSE;
}

/* --- links --- */

static void
append_pair (GString *out, const char *mark, const char *key, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);
  g_autofree char *escaped = g_uri_escape_string (valid, NULL, FALSE);

  g_string_append_printf (out, "%s%s=%s", mark, key, escaped);
}

/* Another begin needs another end, one of the groups is not grouped again, and a
 * table for programs is whole. */
static gboolean
is_replaced (const char *name, const char *key)
{
  if (g_strcmp0 (name, key) == 0 ||
      (g_str_equal (name, "until") && g_strcmp0 (key, "since") == 0))
    return TRUE;
  if (g_strcmp0 (key, "format") == 0)
    return g_str_equal (name, "column") || g_str_equal (name, "by") ||
           g_str_equal (name, "limit");
  for (guint i = 0; i < jme_run_groupings_n; i++)
    if (g_str_equal (name, "by") && g_strcmp0 (key, jme_run_groupings[i].name) == 0)
      return TRUE;

  return FALSE;
}

void
jme_form_append_query (GString *out,
                       JmeRequest *request,
                       const char *key,
                       const char *value)
{
  const char *mark = "?";

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_auto (GStrv) chosen = jme_request_get_values (request, keys[i]);

      for (guint n = 0; chosen[n] != NULL && !is_replaced (keys[i], key); n++)
        {
          if (*chosen[n] == '\0')
            continue;
          append_pair (out, mark, keys[i], chosen[n]);
          mark = "&amp;";
        }
    }
  if (key != NULL)
    append_pair (out, mark, key, value);
}

/* --- fields --- */

static void
append_label (GString *out, const char *name, const char *label)
{
  g_string_append_printf (out, "<div><label for=\"by-%s\">%s</label>\n", name, label);
}

static void
append_select (GString *out,
               JmeRequest *request,
               const char *name,
               const char *label,
               const Choice *choices,
               guint n)
{
  g_autofree char *chosen = jme_form_get_value (request, name);
  gboolean is_known = chosen == NULL;

  append_label (out, name, label);
  g_string_append_printf (out, "<select id=\"by-%s\" name=\"%s\">\n", name, name);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_chosen = g_str_equal (choices[i].value, chosen != NULL ? chosen : "");

      g_string_append_printf (out, "<option value=\"%s\"%s>%s</option>\n",
                              choices[i].value, is_chosen ? " selected" : "",
                              choices[i].text);
      is_known = is_known || is_chosen;
    }
  if (!is_known)
    {
      g_string_append (out, "<option selected>");
      jme_html_append_escaped (out, chosen);
      g_string_append (out, "</option>\n");
    }
  g_string_append (out, "</select></div>\n");
}

static void
append_input (GString *out,
              JmeRequest *request,
              const char *name,
              const char *label,
              const char *attribute)
{
  g_autofree char *chosen = jme_form_get_value (request, name);

  append_label (out, name, label);
  g_string_append_printf (out, "<input id=\"by-%s\" name=\"%s\" maxlength=\"256\" %s",
                          name, name, attribute);
  g_string_append (out, " value=\"");
  jme_html_append_escaped (out, chosen != NULL ? chosen : "");
  g_string_append (out, "\">");
}

/* A name that was used before is suggested; any other may be typed. */
static gboolean
append_name (JmeAnswer *answer,
             const char *name,
             const char *label,
             JmUsageGroups kind,
             GError **error)
{
  GString *out = answer->text;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *attribute = g_strdup_printf ("list=\"all-%s\"", name);
  g_autoptr (GPtrArray) list = NULL;
  gboolean has_more;

  jm_run_filter_set_limit (filter, MAX_CHOICES);
  list = jm_archive_database_list_names (answer->store, kind, filter, NULL,
                                         answer->viewer, &has_more, error);
  if (list == NULL)
    return FALSE;

  append_input (out, answer->request, name, label, attribute);
  g_string_append_printf (out, "<datalist id=\"all-%s\">\n", name);
  for (guint i = 0; i < list->len; i++)
    {
      g_string_append (out, "<option value=\"");
      jme_html_append_escaped (out, jm_listing_get_name (list->pdata[i]));
      g_string_append (out, "\"></option>\n");
    }
  g_string_append (out, "</datalist></div>\n");

  return TRUE;
}

static void
append_moments (JmeAnswer *answer)
{
  static const struct
  {
    const char *name;
    const char *label;
    const char *attribute;
  } moments[] = {
    { "since", "Since", "placeholder=\"yesterday 14:00, -7d\"" },
    { "until", "Until before", "placeholder=\"today, 2026-04-01\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      append_input (answer->text, answer->request, moments[i].name, moments[i].label,
                    moments[i].attribute);
      g_string_append (answer->text, "</div>\n");
    }
}

/* A link chooses a job: once one is chosen it can be seen, changed, and is kept. */
static void
append_job (JmeAnswer *answer)
{
  g_autofree char *job = jme_form_get_value (answer->request, "job");

  if (job == NULL)
    return;
  append_input (answer->text, answer->request, "job", "Job", "");
  g_string_append (answer->text, "</div>\n");
}

static void
append_groupings (JmeAnswer *answer, gboolean has_users)
{
  Choice choices[8] = { { "", "Nothing" } };
  const guint n =
    MIN (jme_run_groupings_n - (has_users ? 0 : 1), G_N_ELEMENTS (choices) - 1);

  for (guint i = 0; i < n; i++)
    choices[i + 1] = (Choice){ jme_run_groupings[i].name, jme_run_groupings[i].title };
  append_select (answer->text, answer->request, "by", "Group by", choices, n + 1);
}

/* Groups are put in order by the titles of their table. */
static void
append_order (JmeAnswer *answer)
{
  g_autofree char *by = jme_form_get_value (answer->request, "by");

  if (by == NULL)
    append_select (answer->text, answer->request, "sort", "Order", orders,
                   G_N_ELEMENTS (orders));
}

static gboolean
append_fields (JmeAnswer *answer, guint fields, GError **error)
{
  gboolean of_runs = (fields & JME_FORM_RUNS) != 0;

  if (of_runs)
    {
      append_select (answer->text, answer->request, "state", "State", states,
                     G_N_ELEMENTS (states));
      append_select (answer->text, answer->request, "verdict", "Verdict", verdicts,
                     G_N_ELEMENTS (verdicts));
    }
  if ((fields & JME_FORM_CLUSTER) != 0 &&
      !append_name (answer, "cluster", "Cluster", JM_USAGE_GROUPS_CLUSTER, error))
    return FALSE;
  if (of_runs &&
      (!append_name (answer, "partition", "Partition", JM_USAGE_GROUPS_PARTITION,
                     error) ||
       !append_name (answer, "account", "Account", JM_USAGE_GROUPS_ACCOUNT, error)))
    return FALSE;
  if ((fields & JME_FORM_USER) != 0 &&
      !append_name (answer, "user", "User", JM_USAGE_GROUPS_USER, error))
    return FALSE;
  if (of_runs)
    {
      append_input (answer->text, answer->request, "name", "Name",
                    "placeholder=\"such as align-*\"");
      g_string_append (answer->text, "</div>\n");
      append_input (answer->text, answer->request, "node", "Node", "");
      g_string_append (answer->text, "</div>\n");
      append_job (answer);
    }
  append_moments (answer);
  if (of_runs)
    {
      append_groupings (answer, (fields & JME_FORM_USER) != 0);
      append_order (answer);
    }

  return TRUE;
}

static void
append_periods (JmeAnswer *answer)
{
  static const struct
  {
    const char *since;
    const char *until; /* NULL for now */
    const char *text;
  } periods[] = {
    { "today", NULL, "Today" },
    { "-7d", NULL, "7 days" },
    { "last week", "this week", "Last week" },
    { "-30d", NULL, "30 days" },
    { "this month", NULL, "This month" },
    { "last month", "this month", "Last month" },
    { "-365d", NULL, "A year" },
  };
  GString *out = answer->text;
  g_autofree char *since = jme_form_get_value (answer->request, "since");
  g_autofree char *until = jme_form_get_value (answer->request, "until");

  g_string_append (out, "<nav class=\"pages\" aria-label=\"Periods\">");
  for (guint i = 0; i < G_N_ELEMENTS (periods); i++)
    {
      gboolean is_chosen = g_strcmp0 (until, periods[i].until) == 0 &&
                           g_strcmp0 (since, periods[i].since) == 0;

      g_string_append (out, i > 0 ? " · <a href=\"" : "<a href=\"");
      jme_form_append_query (out, answer->request, "since", periods[i].since);
      if (periods[i].until != NULL)
        append_pair (out, "&amp;", "until", periods[i].until);
      g_string_append_printf (out, "\"%s>%s</a>",
                              is_chosen ? " aria-current=\"true\"" : "",
                              periods[i].text);
    }
  g_string_append (out, "</nav>\n");
}

/* Lists to begin with, where somebody looks for what to improve. */
static void
append_worst (GString *out)
{
  static const Choice lists[] = {
    { "sort=-cpu_unused_seconds", "CPU time unused" },
    { "sort=-memory_unused_byte_seconds", "Memory unused" },
    { "sort=-gpu_unused_seconds", "GPU time unused" },
    { "sort=-energy_joules", "Energy" },
    { "sort=-wait_seconds", "Wait" },
    { "verdict=waste", "Waste" },
    { "state=FAILED", "Failed" },
    { "state=OUT_OF_MEMORY", "Out of memory" },
    { "state=TIMEOUT", "Timeout" },
  };

  g_string_append (out, "<nav class=\"pages\" aria-label=\"Most of 7 days\">"
                        "Most of 7 days: ");
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_string_append_printf (out, "%s<a href=\"?since=-7d&amp;%s\">%s</a>",
                            i > 0 ? " · " : "", lists[i].value, lists[i].text);
  g_string_append (out, "</nav>\n");
}

/* Boxes to tick, for each figure that a table of runs can have. */
static void
append_columns (JmeAnswer *answer)
{
  GString *out = answer->text;
  g_auto (GStrv) chosen = jme_request_get_values (answer->request, "column");
  g_autoptr (GPtrArray) all = jm_run_list_quantities ();

  g_string_append (out, "<details class=\"columns\"><summary>Columns</summary>\n");
  for (guint i = 0; i < all->len; i++)
    {
      const JmQuantity *column = all->pdata[i];

      if (column->title == NULL)
        continue;
      g_string_append_printf (
        out,
        "<label><input type=\"checkbox\" name=\"column\" value=\"%s\"%s> %s</label>\n",
        column->name,
        g_strv_contains ((const char *const *) chosen, column->name) ? " checked" : "",
        column->title);
    }
  g_string_append (out, "</details>\n");
}

gboolean
jme_form_append_with_groups (JmeAnswer *answer,
                             guint fields,
                             const JmeFormChoice *groups,
                             guint n_groups,
                             GError **error)
{
  g_string_append (answer->text, "<form class=\"filter\" aria-label=\"Filter\">\n");
  if (!append_fields (answer, fields, error))
    return FALSE;
  if (n_groups > 0)
    append_select (answer->text, answer->request, "group", "Group by", groups,
                   n_groups);
  if ((fields & JME_FORM_RUNS) != 0)
    append_columns (answer);
  g_string_append (answer->text, "<div class=\"do\"><button>Show</button> "
                                 "<a href=\"?\">Clear</a></div>\n</form>\n");
  append_periods (answer);
  if ((fields & JME_FORM_RUNS) != 0)
    append_worst (answer->text);

  return TRUE;
}

gboolean
jme_form_append (JmeAnswer *answer, guint fields, GError **error)
{
  return jme_form_append_with_groups (answer, fields, NULL, 0, error);
}

/* --- a part of the time --- */

static void
append_runs (GString *out, char **runs)
{
  for (guint i = 0; runs != NULL && runs[i] != NULL; i++)
    {
      g_string_append (out, "<input type=\"hidden\" name=\"run\" value=\"");
      jme_html_append_escaped (out, runs[i]);
      g_string_append (out, "\">\n");
    }
}

/* A link to the plots of the whole run. */
static void
append_whole (GString *out, char **runs)
{
  g_string_append (out, " <a href=\"");
  if (runs == NULL)
    g_string_append_c (out, '?');
  for (guint i = 0; runs != NULL && runs[i] != NULL; i++)
    append_pair (out, i == 0 ? "?" : "&amp;", "run", runs[i]);
  g_string_append (out, "\">Whole run</a>");
}

void
jme_form_append_zoom (JmeAnswer *answer, const JmeArchiveQuery *query)
{
  GString *out = answer->text;

  g_string_append (out, "<form class=\"filter\" id=\"zoom\" aria-label=\"Part of the "
                        "time\">\n");
  append_runs (out, query->runs);
  append_input (out, answer->request, "from", "Plots from", "placeholder=\"e.g. 10m\"");
  g_string_append (out, "</div>\n");
  append_input (out, answer->request, "to", "Plots to", "placeholder=\"e.g. 1h30m\"");
  g_string_append (out, "</div>\n<div class=\"do\"><button>Show</button>");
  if (query->from > 0 || query->to > 0)
    append_whole (out, query->runs);
  g_string_append (out, "</div>\n</form>\n");
}
