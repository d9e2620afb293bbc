/* jm-job-json.c: who a job is, as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-json-private.h"

#include "base/jm-json-private.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-private.h"

static gboolean
is_number (JmJobField field)
{
  switch (field)
    {
    case JM_JOB_FIELD_UID:
    case JM_JOB_FIELD_NODES:
    case JM_JOB_FIELD_CPUS_GRANTED:
    case JM_JOB_FIELD_SUBMIT_TIME:
    case JM_JOB_FIELD_START_TIME:
      return TRUE;
    default:
      return FALSE;
    }
}

static void
add_field (JsonObject *object, JmJob *job, JmJobField field)
{
  const char *name = jm_job_field_get_name (field);
  const char *text = jm_job_get_field (job, field);
  gint64 number;

  if (text == NULL)
    return;

  if (is_number (field) &&
      g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &number, NULL))
    json_object_set_int_member (object, name, number);
  else
    json_object_set_string_member (object, name, text);
}

static void
add_further_fields (JsonObject *object, JmJob *job)
{
  g_auto (GStrv) names = jm_job_list_further_fields (job);
  JsonObject *fields;

  if (names[0] == NULL)
    return;

  fields = json_object_new ();
  for (guint i = 0; names[i] != NULL; i++)
    json_object_set_string_member (fields, names[i],
                                   jm_job_get_further_field (job, names[i]));
  json_object_set_object_member (object, "fields", fields);
}

/* The origin of each field; the uuid is made of them. */
static JsonObject *
encode_origins (JmJob *job)
{
  JsonObject *origins = json_object_new ();
  g_auto (GStrv) further = jm_job_list_further_fields (job);

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      JmOrigin origin = jm_job_get_origin (job, i);

      if (i != JM_JOB_FIELD_UUID && origin != JM_ORIGIN_NONE)
        json_object_set_string_member (origins, jm_job_field_get_name (i),
                                       jm_origin_get_name (origin));
    }
  for (guint i = 0; further[i] != NULL; i++)
    json_object_set_string_member (origins, further[i],
                                   jm_origin_get_name (
                                     jm_job_get_further_origin (job, further[i])));

  return origins;
}

void
jm_job_json_add (JsonObject *object, JmJob *job, gint64 end_us)
{
  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    add_field (object, job, i);
  add_further_fields (object, job);
  json_object_set_object_member (object, "origin", encode_origins (job));
  json_object_set_boolean_member (object, "uuid_weak", jm_job_is_uuid_weak (job));
  json_object_set_boolean_member (object, "decided", jm_job_is_decided (job));
  if (jm_job_get_run_key (job) != NULL)
    json_object_set_string_member (object, "run_key", jm_job_get_run_key (job));
  json_object_set_boolean_member (object, "ended", end_us != 0);
  if (end_us != 0)
    json_object_set_double_member (object, "end_time", (double) end_us / 1e6);
}

void
jm_job_json_add_alias (JsonObject *object, JmJob *job)
{
  if (job->alias != NULL)
    json_object_set_string_member (object, "alias", job->alias);
}

/* --- reading --- */

/* The first member that breaks the format is named. */
typedef struct
{
  JsonNode *node;
  const char *bad;
} Reader;

static gboolean
refuse (Reader *self, const char *member)
{
  self->bad = member;

  return FALSE;
}

static JmOrigin
find_origin (Reader *self, const char *field)
{
  const char *name = jm_json_get_string (jm_json_get (self->node, "origin"), field);
  JmOrigin origin;

  return name != NULL && jm_origin_from_name (name, &origin) ? origin : JM_ORIGIN_NONE;
}

static gboolean
read_field (Reader *self, JmJobDraft *draft, JmJobField field, JmOrigin origin)
{
  const char *name = jm_job_field_get_name (field);
  JsonNode *node = jm_json_get (self->node, name);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;
  g_autofree char *text = NULL;

  if (type == G_TYPE_STRING)
    text = g_strdup (json_node_get_string (node));
  else if (type == G_TYPE_INT64 && is_number (field))
    text = g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));

  return jm_job_draft_set (draft, field, origin, text, -1) || refuse (self, name);
}

/* The most reliable first: a name and a number of a user from others belong
 * together only as long as the less reliable word comes last. */
static gboolean
read_fields (Reader *self, JmJobDraft *draft)
{
  for (JmOrigin origin = JM_N_ORIGINS - 1; origin > JM_ORIGIN_NONE; origin--)
    for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
      if (i != JM_JOB_FIELD_UUID &&
          find_origin (self, jm_job_field_get_name (i)) == origin &&
          !read_field (self, draft, i, origin))
        return FALSE;

  return jm_job_draft_get (draft, JM_JOB_FIELD_ID) != NULL ||
         refuse (self, jm_job_field_get_name (JM_JOB_FIELD_ID));
}

static gboolean
read_further_fields (Reader *self, JmJobDraft *draft)
{
  JsonNode *node = jm_json_get (self->node, "fields");
  JsonObjectIter iter;
  const char *name;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (self, "fields");

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &name, NULL))
    {
      const char *value = jm_json_get_string (node, name);

      if (value == NULL ||
          !jm_job_draft_set_further (draft, name, find_origin (self, name), value, -1))
        return refuse (self, "fields");
    }

  return TRUE;
}

static gboolean
read_names (Reader *self, JmJobDraft *draft)
{
  const char *uuid = jm_json_get_string (self->node, "uuid");
  gboolean is_weak, is_decided;

  if (uuid == NULL || !g_uuid_string_is_valid (uuid))
    return refuse (self, "uuid");
  if (!jm_json_get_boolean (self->node, "uuid_weak", &is_weak))
    return refuse (self, "uuid_weak");
  if (!jm_json_get_boolean (self->node, "decided", &is_decided))
    return refuse (self, "decided");

  jm_job_draft_set_uuid (draft, uuid, is_weak);
  jm_job_draft_set_run_key (draft, jm_json_get_string (self->node, "run_key"));
  jm_job_draft_set_alias (draft, jm_json_get_string (self->node, "alias"));
  if (is_decided)
    jm_job_draft_set_decided (draft);

  return TRUE;
}

JmJob *
jm_job_json_read (JsonNode *node, const char **bad)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  Reader reader = { .node = node };

  if (read_fields (&reader, draft) && read_further_fields (&reader, draft) &&
      read_names (&reader, draft))
    return jm_job_draft_to_job (draft);

  *bad = reader.bad;

  return NULL;
}
