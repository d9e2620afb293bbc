/* jme-run-groups.c: runs of a page by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-run-groups.h"

#include "base/jm-name-pattern-private.h"
#include "base/jm-number-private.h"
#include "core/jm-quantity-private.h"
#include "server/jme-groups.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

#define MAX_GROUPS 200

/* A link of the page sorts by the figure of runs, by which their list is sorted too. */
static const struct
{
  const char *title;
  JmQuantityId quantity;
  JmQuantityId of_run;
} columns[] = {
  { "Median run time", JM_QUANTITY_MEDIAN_ELAPSED, JM_QUANTITY_ELAPSED },
  { "Median CPU efficiency", JM_QUANTITY_MEDIAN_CPU_EFFICIENCY,
    JM_QUANTITY_CPU_EFFICIENCY },
  { "CPU unused", JM_QUANTITY_CPU_UNUSED, JM_QUANTITY_CPU_UNUSED },
  { "Median memory efficiency", JM_QUANTITY_MEDIAN_MEMORY_SHARE,
    JM_QUANTITY_MEMORY_SHARE },
  { "Memory unused", JM_QUANTITY_MEMORY_UNUSED_TIME, JM_QUANTITY_MEMORY_UNUSED_TIME },
  { "GPU unused", JM_QUANTITY_GPU_UNUSED, JM_QUANTITY_GPU_UNUSED },
  { "Energy", JM_QUANTITY_ENERGY, JM_QUANTITY_ENERGY },
};

/* CPU unused, the most first. */
#define FIRST_COLUMN 2

/* What the groups are put in order by. */
typedef struct
{
  guint column;
  gboolean descends;
} Order;

static Order
read_order (JmeRequest *request)
{
  g_autofree char *chosen = jme_form_get_value (request, "sort");
  const char *name = chosen != NULL ? chosen : "";
  const gboolean descends = *name == '-';

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_quantity_is_called (jm_quantity_get (columns[i].of_run), name + descends))
      return (Order){ i, descends };

  return (Order){ FIRST_COLUMN, TRUE };
}

/* --- a table --- */

static void
append_title (GString *out, JmeRequest *request, guint i, Order order)
{
  const gboolean is_chosen = order.column == i;
  g_autofree char *sort = g_strconcat (is_chosen && order.descends ? "" : "-",
                                       jm_quantity_get (columns[i].of_run)->name, NULL);

  g_string_append_printf (out, "<th scope=\"col\" class=\"number\"%s><a href=\"",
                          !is_chosen       ? ""
                          : order.descends ? " aria-sort=\"descending\""
                                           : " aria-sort=\"ascending\"");
  jme_form_append_query (out, request, "sort", sort);
  g_string_append_printf (out, "\">%s</a></th>", columns[i].title);
}

static JmFigure
get_figure (JmRunTotals *group, guint column)
{
  return jm_run_totals_get_figure (group, jm_quantity_get (columns[column].quantity));
}

static double
find_greatest (GPtrArray *groups, guint column)
{
  double greatest = 0;

  for (guint i = 0; i < groups->len; i++)
    greatest = MAX (greatest, get_figure (groups->pdata[i], column).value);

  return greatest;
}

static void
append_name (GString *out, JmeRequest *request, const char *by, const char *name)
{
  g_autofree char *pattern = jm_name_pattern_from_name (name);

  g_string_append (out, "<tr><th scope=\"row\" class=\"name\">");
  if (*name != '\0')
    {
      g_string_append (out, "<a href=\"");
      jme_form_append_query (out, request, by,
                             g_str_equal (by, "name") ? pattern : name);
      g_string_append (out, "\">");
      jme_html_append_escaped (out, name);
      g_string_append (out, "</a></th>");
    }
  else
    g_string_append (out, "–</th>");
}

static void
append_group (GString *out, JmRunTotals *group, const double *greatest)
{
  const JmQuantity *runs = jm_quantity_get (JM_QUANTITY_USAGE_RUNS);

  jme_part_append_total_cell (out, group, runs, runs->format);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const JmFormat format = jm_quantity_get (columns[i].quantity)->format;

      if (format == JM_FORMAT_PERCENT)
        jme_part_append_share_cell (out, get_figure (group, i));
      else
        jme_part_append_figure_beside (out, get_figure (group, i), format, greatest[i]);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_groups (JmeAnswer *answer,
               const JmeRunGrouping *by,
               GPtrArray *groups,
               Order order,
               const char *caption)
{
  GString *out = answer->text;
  double greatest[G_N_ELEMENTS (columns)];

  jme_html_begin_table (out, "groups", caption);
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, by->title, FALSE);
  jme_part_append_column (out, "Runs", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      greatest[i] = find_greatest (groups, i);
      append_title (out, answer->request, i, order);
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (groups->len, MAX_GROUPS); i++)
    {
      append_name (out, answer->request, by->name,
                   jm_run_totals_get_name (groups->pdata[i], by->group));
      append_group (out, groups->pdata[i], greatest);
    }
  jme_part_end_table (out);
}

static guint
count_runs (GPtrArray *groups)
{
  const JmQuantity *runs = jm_quantity_get (JM_QUANTITY_USAGE_RUNS);
  double n = 0;

  for (guint i = 0; i < groups->len; i++)
    n += jm_run_totals_get_figure (groups->pdata[i], runs).value;

  return (guint) n;
}

gboolean
jme_run_groups_append (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error)
{
  const Order order = read_order (answer->request);
  g_autofree char *sort =
    g_strconcat (order.descends ? "-" : "",
                 jm_quantity_get (columns[order.column].quantity)->name, NULL);
  gboolean has_more = FALSE;
  g_autoptr (GPtrArray) groups =
    jme_groups_list (answer, query, sort, &has_more, error);
  g_autofree char *of_runs = NULL;
  g_autofree char *caption = NULL;

  if (groups == NULL)
    return FALSE;

  of_runs = jm_number_count (count_runs (groups), "run");
  caption = g_strdup_printf ("%s%s; sums count only runs with a known figure%s",
                             has_more ? "The last " : "", of_runs,
                             groups->len > MAX_GROUPS ? "; the first 200 groups" : "");
  append_groups (answer, query->by, groups, order, caption);

  return TRUE;
}
