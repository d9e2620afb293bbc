/* jm-listing.c: what there is to choose from in a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "access/jm-viewer-private.h"
#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-filter-private.h"
#include "sql/jm-sql-list-private.h"

#define DAY_SECONDS 86400

struct _JmListing
{
  char *name;
  gint64 n_runs;
  gint64 first_day; /* since 1970 */
  gint64 last_day;
};

G_DEFINE_BOXED_TYPE (JmListing, jm_listing, jm_listing_ref, jm_listing_unref)

/* Adds a reference.
 *
 * Returns @self. */
JmListing *
jm_listing_ref (JmListing *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  g_free (((JmListing *) data)->name);
}

/* Drops a reference. */
void
jm_listing_unref (JmListing *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* Gets what it is called.
 *
 * Returns the name, which is empty for runs of which nobody knows it. */
const char *
jm_listing_get_name (JmListing *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/* Gets how many runs began, of those that the viewer may see.
 *
 * Returns the number. */
gint64
jm_listing_get_n_runs (JmListing *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_runs;
}

/* Gets the first day on which there was a run.
 *
 * Returns when it begins by UTC, seconds since 1970. */
gint64
jm_listing_get_first_day (JmListing *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->first_day * DAY_SECONDS;
}

/* Gets the last day on which there was a run.
 *
 * Returns when it begins by UTC, seconds since 1970. */
gint64
jm_listing_get_last_day (JmListing *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->last_day * DAY_SECONDS;
}

/* --- the list --- */

static const struct
{
  JmUsageGroups kind;
  const char *column;
  const char *tables;
} kinds[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster.name",
    "usage_daily JOIN cluster ON cluster.id = cluster_id" },
  { JM_USAGE_GROUPS_USER, "user_name", "usage_daily" },
  { JM_USAGE_GROUPS_ACCOUNT, "account", "usage_daily" },
  { JM_USAGE_GROUPS_PARTITION, "partition", "usage_daily" },
};

static gboolean
find_kind (JmUsageGroups kind, guint *index)
{
  for (*index = 0; *index < G_N_ELEMENTS (kinds); (*index)++)
    if (kinds[*index].kind == kind)
      return TRUE;

  return FALSE;
}

static gpointer
read_listing (JmSqlStatement *row, gconstpointer data)
{
  JmListing *self = g_atomic_rc_box_new0 (JmListing);
  const char *name = jm_sql_get_text (row, 0);

  self->name = g_strdup (name != NULL ? name : "");
  jm_sql_get_number (row, 1, &self->n_runs);
  jm_sql_get_number (row, 2, &self->first_day);
  jm_sql_get_number (row, 3, &self->last_day);

  return self;
}

/* Of the days' sums: there are far fewer of these than of runs. */
static void
append_query (JmSqlQuery *query,
              guint index,
              JmRunFilter *filter,
              const char *after,
              JmViewer *viewer)
{
  const char *column = kinds[index].column;

  g_string_append_printf (query->text,
                          "SELECT %s, sum (runs), min (day), max (day) FROM %s WHERE",
                          column, kinds[index].tables);
  jm_viewer_append_condition (viewer, query);
  jm_run_filter_append_usage_conditions (filter, query);
  if (after != NULL)
    {
      g_string_append_printf (query->text, " AND %s > ", column);
      jm_sql_query_append_text (query, after);
    }
  g_string_append_printf (query->text, " GROUP BY %s ORDER BY %s LIMIT ", column,
                          column);
  jm_sql_query_append_number (query, (gint64) jm_run_filter_get_limit (filter) + 1);
}

static GPtrArray *
list_names (JmSql *sql,
            guint index,
            JmRunFilter *filter,
            const char *after,
            JmViewer *viewer,
            GError **error)
{
  g_autofree char *valid = after != NULL ? g_utf8_make_valid (after, -1) : NULL;
  g_auto (JmSqlQuery) query = { 0 };

  jm_sql_query_init (&query);
  append_query (&query, index, filter, valid, viewer);

  return jm_sql_list (&query, sql, read_listing, NULL,
                      (GDestroyNotify) jm_listing_unref, error);
}

/* Lists what there is to choose from, with the days of it. It reads the sums of days,
 * which outlive runs.
 *
 * - Shape: by name; what the viewer may not see is not there.
 * - Errors: as jm_archive_database_open().
 *
 * Returns the list. */
GPtrArray *
jm_archive_database_list_names (JmArchiveDatabase *self,
                                JmUsageGroups kind,
                                JmRunFilter *filter,
                                const char *after,
                                JmViewer *viewer,
                                gboolean *has_more,
                                GError **error)
{
  GPtrArray *list;
  guint index, limit;
  JmSql *sql;

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (self), NULL);
  g_return_val_if_fail (find_kind (kind, &index), NULL);
  g_return_val_if_fail (filter != NULL && viewer != NULL && has_more != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *has_more = FALSE;
  limit = jm_run_filter_get_limit (filter);
  sql = jm_archive_database_get_sql (self, error);
  list = sql != NULL ? list_names (sql, index, filter, after, viewer, error) : NULL;
  if (list != NULL && list->len > limit)
    {
      *has_more = TRUE;
      g_ptr_array_set_size (list, (int) limit);
    }

  return list;
}
