/* jm-run-record.c: who a job is, as a file tells it to other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-run-record-private.h"

#include "core/jm-job-json-private.h"
#include "core/jm-json-private.h"
#include "core/jm-json-text.h"

char *
jm_run_record_format (JmJob *job)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  jm_job_json_add (object, job, 0);
  jm_job_json_add_alias (object, job);
  json_node_set_object (node, object);

  return jm_json_to_string (node, FALSE);
}

JmJob *
jm_run_record_parse (const char *text, gsize length, const char *run_key)
{
  g_autoptr (JsonNode) node = jm_json_parse (text, length);
  g_autoptr (JmJob) job = NULL;
  const char *bad;

  job = jm_job_json_read (node, &bad);
  if (job == NULL || g_strcmp0 (jm_job_get_run_key (job), run_key) != 0)
    return NULL;

  return g_steal_pointer (&job);
}
