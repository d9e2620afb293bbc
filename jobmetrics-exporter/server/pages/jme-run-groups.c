/* jme-run-groups.c: runs of a page by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-run-groups.h"

#include "base/jm-name-pattern-private.h"
#include "base/jm-number-private.h"
#include "judge/jm-run-report-private.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

/* All of these are read. */
#define MAX_RUNS 5000
/* Those of a node are few of each page. */
#define MAX_PAGES 16
#define MAX_GROUPS 200

/* Without a median it is the sum of the runs of which it is known. */
static const struct
{
  const char *title;
  JmQuantityId quantity;
  gboolean is_median;
} columns[] = {
  { "Median run time", JM_QUANTITY_ELAPSED, TRUE },
  { "Median CPU efficiency", JM_QUANTITY_CPU_EFFICIENCY, TRUE },
  { "CPU unused", JM_QUANTITY_CPU_UNUSED, FALSE },
  { "Median memory efficiency", JM_QUANTITY_MEMORY_SHARE, TRUE },
  { "Memory unused", JM_QUANTITY_MEMORY_UNUSED_TIME, FALSE },
  { "GPU unused", JM_QUANTITY_GPU_UNUSED, FALSE },
  { "Energy", JM_QUANTITY_ENERGY, FALSE },
};

/* CPU unused, the most first. */
#define FIRST_COLUMN 2

typedef struct
{
  const char *name; /* of the first run */
  GPtrArray *runs;
  JmFigure figures[G_N_ELEMENTS (columns)];
} Group;

/* What the groups are put in order by. */
typedef struct
{
  guint column;
  gboolean descends;
} Order;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_ptr_array_unref (self->runs);
  g_free (self);
}

/* --- runs --- */

/* The last of them to begin. */
static GPtrArray *
list_runs (JmeAnswer *answer,
           const JmeArchiveQuery *query,
           gboolean *has_more,
           GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_copy (query->filter);
  g_autoptr (GPtrArray) all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  g_autofree char *cursor = NULL;
  guint n_pages = 0;

  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);
  if (!jm_run_filter_set_cursor (filter, NULL, error) ||
      !jm_run_filter_set_sort (filter, "-start", error))
    return NULL;
  do
    {
      g_autofree char *next = NULL;
      GPtrArray *runs;

      if (cursor != NULL && !jm_run_filter_set_cursor (filter, cursor, error))
        return NULL;
      runs = jm_archive_database_list_runs (answer->store, filter, answer->viewer,
                                            &next, error);
      if (runs == NULL)
        return NULL;
      g_ptr_array_extend_and_steal (all, runs);
      g_free (cursor);
      cursor = g_steal_pointer (&next);
    }
  while (cursor != NULL && all->len < MAX_RUNS && ++n_pages < MAX_PAGES);
  *has_more = cursor != NULL;

  return g_steal_pointer (&all);
}

/* --- groups --- */

static JmFigure
find_median (GPtrArray *runs, JmQuantityId quantity)
{
  const JmRunMembers members = jm_run_members_of_runs (runs);
  JmFigure spread[3] = { 0 };
  guint n_known;

  return jm_run_members_get_spread (&members, quantity, spread, &n_known)
           ? spread[1]
           : (JmFigure){ 0 };
}

static JmFigure
add_up (GPtrArray *runs, JmQuantityId quantity)
{
  const char *name = jm_quantity_get (quantity)->name;
  JmFigure sum = { 0 };

  for (guint i = 0; i < runs->len; i++)
    sum = jm_figure_add (sum, jm_run_get_figure (runs->pdata[i], name));

  return sum;
}

static void
settle (gpointer data, gpointer unused)
{
  Group *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    self->figures[i] = columns[i].is_median
                         ? find_median (self->runs, columns[i].quantity)
                         : add_up (self->runs, columns[i].quantity);
}

static GPtrArray *
list_groups (GPtrArray *runs, const char *by)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < runs->len; i++)
    {
      const char *text = jm_run_get_text (runs->pdata[i], by);
      const char *name = text != NULL ? text : "";
      Group *group = g_hash_table_lookup (by_name, name);

      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->name = name;
          group->runs = g_ptr_array_new ();
          g_ptr_array_add (groups, group);
          g_hash_table_insert (by_name, (gpointer) name, group);
        }
      g_ptr_array_add (group->runs, runs->pdata[i]);
    }
  g_ptr_array_foreach (groups, settle, NULL);

  return groups;
}

/* --- their order --- */

/* Unknown figures come last, either way. */
static int
compare_groups (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  const JmFigure one = (*(Group *const *) a)->figures[order->column];
  const JmFigure other = (*(Group *const *) b)->figures[order->column];
  const int by_value = (one.value > other.value) - (one.value < other.value);

  if (!one.is_known || !other.is_known)
    return other.is_known - one.is_known;

  return order->descends ? -by_value : by_value;
}

static Order
read_order (JmeRequest *request)
{
  g_autofree char *chosen = jme_form_get_value (request, "sort");
  const char *name = chosen != NULL ? chosen : "";
  const gboolean descends = *name == '-';

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (jm_quantity_is_called (jm_quantity_get (columns[i].quantity), name + descends))
      return (Order){ i, descends };

  return (Order){ FIRST_COLUMN, TRUE };
}

/* --- a table --- */

static void
append_title (GString *out, JmeRequest *request, guint i, Order order)
{
  const gboolean is_chosen = order.column == i;
  g_autofree char *sort =
    g_strconcat (is_chosen && order.descends ? "" : "-",
                 jm_quantity_get (columns[i].quantity)->name, NULL);

  g_string_append_printf (out, "<th scope=\"col\" class=\"number\"%s><a href=\"",
                          !is_chosen       ? ""
                          : order.descends ? " aria-sort=\"descending\""
                                           : " aria-sort=\"ascending\"");
  jme_form_append_query (out, request, "sort", sort);
  g_string_append_printf (out, "\">%s</a></th>", columns[i].title);
}

static double
find_greatest (GPtrArray *groups, guint column)
{
  double greatest = 0;

  for (guint i = 0; i < groups->len; i++)
    greatest = MAX (greatest, ((Group *) groups->pdata[i])->figures[column].value);

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
append_group (GString *out, const Group *group, const double *greatest)
{
  jme_part_append_number_cell (out, group->runs->len, JM_FORMAT_COUNT);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const JmFormat format = jm_quantity_get (columns[i].quantity)->format;

      if (format == JM_FORMAT_PERCENT)
        jme_part_append_share_cell (out, group->figures[i]);
      else
        jme_part_append_figure_beside (out, group->figures[i], format, greatest[i]);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_groups (JmeAnswer *answer,
               const JmeArchiveQuery *query,
               GPtrArray *groups,
               const char *caption)
{
  GString *out = answer->text;
  const Order order = read_order (answer->request);
  double greatest[G_N_ELEMENTS (columns)];

  g_ptr_array_sort_with_data (groups, compare_groups, (gpointer) &order);
  jme_html_begin_table (out, "groups", caption);
  g_string_append (out, "<thead><tr>");
  jme_part_append_column (out, query->by->title, FALSE);
  jme_part_append_column (out, "Runs", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      greatest[i] = find_greatest (groups, i);
      append_title (out, answer->request, i, order);
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (groups->len, MAX_GROUPS); i++)
    {
      const Group *group = groups->pdata[i];

      append_name (out, answer->request, query->by->name, group->name);
      append_group (out, group, greatest);
    }
  jme_part_end_table (out);
}

gboolean
jme_run_groups_append (JmeAnswer *answer, const JmeArchiveQuery *query, GError **error)
{
  gboolean has_more = FALSE;
  g_autoptr (GPtrArray) runs = list_runs (answer, query, &has_more, error);
  g_autoptr (GPtrArray) groups = NULL;
  g_autofree char *of_runs = NULL;
  g_autofree char *caption = NULL;

  if (runs == NULL)
    return FALSE;

  groups = list_groups (runs, query->by->name);
  of_runs = jm_number_count (runs->len, "run");
  caption = g_strdup_printf ("%s%s; sums count only runs with a known figure%s",
                             has_more ? "The last " : "", of_runs,
                             groups->len > MAX_GROUPS ? "; the first 200 groups" : "");
  append_groups (answer, query, groups, caption);

  return TRUE;
}
