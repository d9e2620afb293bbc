/* jme-groups.c: runs of a site by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-groups.h"

#include "report/jm-table.h"
#include "server/jme-server-routes.h"

#define GROUPS "/api/v1/groups"
/* All of these are read. */
#define MAX_RUNS 5000

GPtrArray *
jme_groups_list (JmeAnswer *self,
                 const JmeArchiveQuery *query,
                 const char *sort,
                 gboolean *has_more,
                 GError **error)
{
  g_autoptr (JmArchive) archive =
    jm_archive_new_for_view (&(JmArchiveView){ .database = self->store,
                                               .viewer = self->viewer,
                                               .user = self->user });

  return jm_archive_list_groups (archive, query->filter, query->by->group, MAX_RUNS,
                                 sort, has_more, NULL, error);
}

static void
append_groups (JmeAnswer *self,
               const JmeArchiveQuery *query,
               GPtrArray *groups,
               gboolean has_more)
{
  g_autofree char *columns =
    g_strconcat (query->by->name, ",", JM_ARCHIVE_GROUP_COLUMNS, NULL);
  g_autoptr (JmTable) table = jm_table_new_of_sums (columns, NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < groups->len; i++)
    jm_table_add_totals (table, groups->pdata[i]);
  text = query->is_csv ? jm_table_to_csv (table, TRUE) : jm_table_to_json (table);
  if (query->is_csv)
    {
      g_string_append (self->text, text);
      return;
    }

  jm_json_writer_begin_object (&self->json, NULL);
  g_string_append (jm_json_writer_begin_value (&self->json, "groups"),
                   g_strchomp (text));
  jm_json_writer_break_line (&self->json);
  jm_json_writer_add_boolean (&self->json, "has_more", has_more);
  jm_json_writer_end_object (&self->json);
}

static void
on_groups (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) groups = NULL;
  gboolean has_more;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_GROUPS, &error))
    groups = jme_groups_list (&answer, &query, query.sort, &has_more, &error);
  if (groups == NULL)
    {
      jme_answer_fail (&answer, error);
      return;
    }

  append_groups (&answer, &query, groups, has_more);
  if (query.is_csv)
    jme_answer_reply_csv (&answer);
  else
    jme_answer_reply_json (&answer);
}

const JmeRoute jme_groups_routes[] = {
  { .path = GROUPS, JME_ANSWER_ROUTE, .handler = on_groups },
  { NULL },
};
