/* jme-names.c: what there is to choose from in a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "archive/jm-archive-database-private.h"
#include "server/jme-answer.h"
#include "server/jme-archive-query.h"
#include "server/jme-table.h"

static const struct
{
  const char *path;
  const char *name; /* of the list */
  JmUsageGroups kind;
} lists[] = {
  { "/api/v1/clusters", "clusters", JM_USAGE_GROUPS_CLUSTER },
  { "/api/v1/accounts", "accounts", JM_USAGE_GROUPS_ACCOUNT },
  { "/api/v1/users", "users", JM_USAGE_GROUPS_USER },
  { "/api/v1/partitions", "partitions", JM_USAGE_GROUPS_PARTITION },
};

static guint
find_list (JmeRequest *request)
{
  guint i = 0;

  while (!g_str_equal (jme_request_get_path (request), lists[i].path))
    i++;

  return i;
}

static void
append_head (JmeTable *table)
{
  jme_table_begin_head (table);
  jme_table_add_text (table, "name", NULL);
  jme_table_add_number (table, "runs", NULL);
  jme_table_add_time (table, "first_day_start_time", NULL);
  jme_table_add_time (table, "last_day_start_time", NULL);
  jme_table_end_head (table);
}

static void
append_listing (JmeTable *table, JmListing *listing)
{
  double n_runs = (double) jm_listing_get_n_runs (listing);
  gint64 first = jm_listing_get_first_day (listing);
  gint64 last = jm_listing_get_last_day (listing);

  jme_table_begin_row (table);
  jme_table_add_text (table, "name", jm_listing_get_name (listing));
  jme_table_add_number (table, "runs", &n_runs);
  jme_table_add_time (table, "first_day_start_time", &first);
  jme_table_add_time (table, "last_day_start_time", &last);
  jme_table_end_row (table);
}

static void
append_document (JmeAnswer *self, const char *name, GPtrArray *list, const char *next)
{
  JmeTable table = { .text = self->text };

  jm_json_writer_begin_object (&self->json, NULL);
  jm_json_writer_begin_array (&self->json, name);
  for (guint i = 0; i < list->len; i++)
    append_listing (&table, list->pdata[i]);
  jm_json_writer_end_array (&self->json);
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_text (&self->json, "next", next);
  jm_json_writer_end_object (&self->json);
}

/* A name may hold what ends a line of a header. */
static void
append_table (JmeAnswer *self, GPtrArray *list, const char *next)
{
  JmeTable table = { .text = self->text, .form = JME_TABLE_CSV };
  g_autofree char *escaped =
    next != NULL ? g_uri_escape_string (next, NULL, FALSE) : NULL;

  append_head (&table);
  for (guint i = 0; i < list->len; i++)
    append_listing (&table, list->pdata[i]);
  if (escaped != NULL)
    jme_request_set_header (self->request, "X-Next-Cursor", escaped);
}

static gboolean
list_names (JmeAnswer *self, const JmeArchiveQuery *query, GError **error)
{
  guint i = find_list (self->request);
  gboolean has_more;
  g_autoptr (GPtrArray) list =
    jm_archive_database_list_names (self->store, lists[i].kind, query->filter,
                                    query->after, self->viewer, &has_more, error);
  const char *next = NULL;

  if (list == NULL)
    return FALSE;
  if (has_more)
    next = jm_listing_get_name (list->pdata[list->len - 1]);
  if (query->is_csv)
    append_table (self, list, next);
  else
    append_document (self, lists[i].name, list, next);

  return TRUE;
}

static void
on_names (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_NAMES, &error) ||
      !list_names (&answer, &query, &error))
    jme_answer_fail (&answer, error);
  else if (query.is_csv)
    jme_answer_reply_csv (&answer);
  else
    jme_answer_reply_json (&answer);
}

#define NAMES JME_ANSWER_ROUTE, .handler = on_names

const JmeRoute jme_names_routes[] = {
  { .path = "/api/v1/clusters", NAMES },
  { .path = "/api/v1/accounts", NAMES },
  { .path = "/api/v1/users", NAMES },
  { .path = "/api/v1/partitions", NAMES },
  { NULL },
};
