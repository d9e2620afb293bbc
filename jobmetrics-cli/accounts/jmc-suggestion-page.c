/* jmc-suggestion-page.c: a suggestion as people read it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-suggestion-page.h"

#include <string.h>

#include "jmc-table.h"
#include "jmc-text.h"
#include "report/advice/jm-run-suggestion-private.h"

/* Of a text that goes nowhere in particular. */
#define USUAL_WIDTH 80

static const char *const policy_titles[JM_N_REQUEST_POLICIES] = {
  [JM_REQUEST_POLICY_SUGGESTION] = "suggested",
  [JM_REQUEST_POLICY_KEEP] = "what they asked for",
  [JM_REQUEST_POLICY_LAST] = "last use + 20%",
  [JM_REQUEST_POLICY_MOST] = "most of last 10",
};

static const char none[] = "-";

/* --- text --- */

static void
append_wrapped (GString *text, const char *sentence, guint width)
{
  g_auto (GStrv) words = g_strsplit (sentence, " ", -1);
  guint used = 0;

  for (char **word = words; *word != NULL; word++)
    {
      const guint cells = jmc_text_get_width (*word);

      if (used > 0 && used + 1 + cells > width)
        {
          g_string_append_c (text, '\n');
          used = 0;
        }
      g_string_append_printf (text, "%s%s", used > 0 ? " " : "", *word);
      used += cells + (used > 0 ? 1 : 0);
    }
  g_string_append_c (text, '\n');
}

static void
append_cpus (GString *text, JmRunSuggestion *suggestion)
{
  double cpus;

  if (jm_run_suggestion_get_suggested (suggestion, JM_REQUEST_KIND_CPUS, &cpus))
    g_string_append_printf (text, "# --ntasks times --cpus-per-task: %.0f\n", cpus);
}

static void
append_options (GString *text,
                JmRunSuggestion *suggestion,
                const JmcBatchScript *script)
{
  g_auto (GStrv) options = jm_run_suggestion_list_options (suggestion);

  if (*options == NULL)
    return;
  g_string_append_c (text, '\n');
  for (char **option = options; *option != NULL; option++)
    {
      g_string_append_printf (text, "#SBATCH %s", *option);
      if (g_str_has_prefix (*option, "--mem=") && script->memory_option != NULL)
        g_string_append_printf (text, "   # instead of %s", script->memory_option);
      g_string_append_c (text, '\n');
    }
  append_cpus (text, suggestion);
}

/* --- figures --- */

static void
take_known (JmcTable *table, char *cell)
{
  jmc_table_take (table, cell != NULL ? cell : g_strdup (none));
}

typedef gboolean (*GetFunc) (JmRunSuggestion *self, JmRequestKind kind, double *value);

static void
take_figure (JmcTable *table,
             JmRunSuggestion *suggestion,
             JmRequestKind kind,
             GetFunc get,
             gboolean is_at_least)
{
  double value;
  g_autofree char *cell = get (suggestion, kind, &value)
                            ? jm_request_kind_format (kind, jm_figure_known (value))
                            : NULL;

  take_known (table, cell != NULL && is_at_least ? g_strconcat (">=", cell, NULL)
                                                 : g_strdup (cell));
}

static char *
describe_failures (JmRunSuggestion *suggestion,
                   JmRequestKind kind,
                   JmRequestPolicy policy)
{
  const guint n_judged = jm_run_suggestion_get_n_judged (suggestion, kind, policy);

  return n_judged > 0
           ? g_strdup_printf ("%u/%u",
                              jm_run_suggestion_get_n_failed (suggestion, kind, policy),
                              n_judged)
           : NULL;
}

static char *
describe_saved_percent (JmRunSuggestion *suggestion,
                        JmRequestKind kind,
                        JmRequestPolicy policy)
{
  double amount, percent;

  return jm_run_suggestion_get_saved (suggestion, kind, policy, &amount, &percent)
           ? g_strdup_printf ("%.0f%%", percent)
           : NULL;
}

static char *
describe_saved (JmRunSuggestion *suggestion, JmRequestKind kind, JmRequestPolicy policy)
{
  double amount, percent;

  return jm_run_suggestion_get_saved (suggestion, kind, policy, &amount, &percent)
           ? jm_request_kind_format_saved (kind, amount)
           : NULL;
}

static void
take_trial (JmcTable *table,
            JmRunSuggestion *suggestion,
            JmRequestKind kind,
            JmRequestPolicy policy)
{
  take_known (table, describe_failures (suggestion, kind, policy));
  take_known (table, describe_saved_percent (suggestion, kind, policy));
}

static gboolean
is_shown (JmRunSuggestion *suggestion, JmRequestKind kind)
{
  double asked;

  return jm_run_suggestion_get_asked (suggestion, kind, &asked) ||
         jm_run_suggestion_get_n_known (suggestion, kind) > 0;
}

static gboolean
is_tried (JmRunSuggestion *suggestion, JmRequestKind kind)
{
  double value;

  return jm_run_suggestion_get_suggested (suggestion, kind, &value) &&
         jm_run_suggestion_get_n_judged (suggestion, kind,
                                         JM_REQUEST_POLICY_SUGGESTION) > 0;
}

static void
add_kind (JmcTable *table, JmRunSuggestion *suggestion, JmRequestKind kind)
{
  jmc_table_add (table, jm_request_kind_get_title (kind));
  take_figure (table, suggestion, kind, jm_run_suggestion_get_asked, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_median, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_most, FALSE);
  take_figure (table, suggestion, kind, jm_run_suggestion_get_suggested,
               jm_run_suggestion_is_at_least (suggestion, kind));
  jmc_table_take (table,
                  g_strdup_printf ("%u",
                                   jm_run_suggestion_get_n_known (suggestion, kind)));
  if (is_tried (suggestion, kind))
    {
      take_trial (table, suggestion, kind, JM_REQUEST_POLICY_SUGGESTION);
      return;
    }
  jmc_table_add (table, none);
  jmc_table_add (table, none);
}

static JmcTable *
make_table (JmRunSuggestion *suggestion)
{
  static const JmcColumn columns[] = {
    { "", JMC_ALIGN_LEFT },         { "ASKED", JMC_ALIGN_RIGHT },
    { "MEDIAN", JMC_ALIGN_RIGHT },  { "MOST", JMC_ALIGN_RIGHT },
    { "SUGGEST", JMC_ALIGN_RIGHT }, { "RUNS", JMC_ALIGN_RIGHT },
    { "FAILED", JMC_ALIGN_RIGHT },  { "SAVED", JMC_ALIGN_RIGHT },
  };
  JmcTable *table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    if (is_shown (suggestion, i))
      add_kind (table, suggestion, i);

  return table;
}

static JmcTable *
make_policy_table (JmRunSuggestion *suggestion)
{
  static const JmcColumn columns[] = {
    { "", JMC_ALIGN_LEFT },        { "REQUEST", JMC_ALIGN_LEFT },
    { "FAILED", JMC_ALIGN_RIGHT }, { "SAVED", JMC_ALIGN_RIGHT },
    { "AMOUNT", JMC_ALIGN_RIGHT },
  };
  JmcTable *table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint kind = 0; kind < JM_N_REQUEST_KINDS; kind++)
    for (guint i = 0; i < JM_N_REQUEST_POLICIES && is_tried (suggestion, kind); i++)
      {
        jmc_table_add (table, jm_request_kind_get_title (kind));
        jmc_table_add (table, policy_titles[i]);
        take_trial (table, suggestion, kind, i);
        take_known (table, describe_saved (suggestion, kind, i));
      }

  return table;
}

static void
append_table (GString *text, JmcTable *table, guint width, gboolean color)
{
  g_autofree char *lines = jmc_table_render (table, width, color);

  if (jmc_table_get_n_rows (table) > 0)
    g_string_append_printf (text, "\n%s", lines);
}

static void
append_legend (GString *text, JmRunSuggestion *suggestion, guint width)
{
  gboolean is_any_tried = FALSE;

  for (guint i = 0; i < JM_N_REQUEST_KINDS; i++)
    is_any_tried = is_any_tried || is_tried (suggestion, i);
  if (!is_any_tried)
    return;
  g_string_append_c (text, '\n');
  append_wrapped (text,
                  "FAILED and SAVED: earlier runs, if each had asked for what the runs "
                  "before it suggest. With too few CPUs a run is slower and does not "
                  "fail.",
                  width);
}

void
jmc_suggestion_page_append (GString *text,
                            JmRunSuggestion *suggestion,
                            const JmcBatchScript *script,
                            gboolean is_full,
                            guint width,
                            gboolean color)
{
  const guint text_width = width > 0 ? MIN (width, USUAL_WIDTH) : USUAL_WIDTH;
  g_autofree char *sentence = jm_run_suggestion_to_string (suggestion);
  g_autoptr (JmcTable) table = make_table (suggestion);
  g_autoptr (JmcTable) policies = make_policy_table (suggestion);

  append_wrapped (text, sentence, text_width);
  append_options (text, suggestion, script);
  append_table (text, table, width, color);
  if (is_full)
    append_table (text, policies, width, color);
  append_legend (text, suggestion, text_width);
}
