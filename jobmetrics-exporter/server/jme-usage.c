/* jme-usage.c: what users and accounts have used, day by day
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-server-routes.h"

#include "core/jm-run-document-private.h"
#include "server/jme-answer.h"
#include "server/jme-archive-query.h"

#define USAGE "/api/v1/usage"

static void
append_usages (JmeAnswer *self, JmUsageGroups groups, GPtrArray *usages)
{
  jm_json_writer_begin_object (&self->json, NULL);
  jm_json_writer_begin_array (&self->json, "usage");
  for (guint i = 0; i < usages->len; i++)
    {
      jm_json_writer_break_line (&self->json);
      jm_run_document_append_usage (self->text, usages->pdata[i], groups);
    }
  jm_json_writer_end_array (&self->json);
  jm_json_writer_end_object (&self->json);
}

static void
append_usage_table (JmeAnswer *self, JmUsageGroups groups, GPtrArray *usages)
{
  jm_run_document_append_usage_csv (self->text, NULL, groups);
  for (guint i = 0; i < usages->len; i++)
    jm_run_document_append_usage_csv (self->text, usages->pdata[i], groups);
}

static void
on_usage (JmeRequest *request, gpointer accounts)
{
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) usages = NULL;

  if (!jme_answer_begin (&answer, accounts, request))
    return;
  if (jme_archive_query_init (&query, request, JME_ARCHIVE_SUMS, &error))
    usages = jm_archive_database_list_usage (answer.store, query.filter, query.groups,
                                             answer.viewer, &error);
  if (usages == NULL)
    {
      jme_answer_fail (&answer, error);
      return;
    }

  if (query.is_csv)
    {
      append_usage_table (&answer, query.groups, usages);
      jme_answer_reply_csv (&answer);
    }
  else
    {
      append_usages (&answer, query.groups, usages);
      jme_answer_reply_json (&answer);
    }
}

const JmeRoute jme_usage_routes[] = {
  { .path = USAGE, JME_ANSWER_ROUTE, .handler = on_usage },
  { NULL },
};
