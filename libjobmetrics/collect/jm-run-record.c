/* jm-run-record.c: who a job is, as a file tells it to other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-run-record-private.h"

#include "core/jm-job-draft-private.h"
#include "sources/jobs/jm-property-file-private.h"

/* --- writing --- */

static void
append_escaped (GString *text, const char *value)
{
  for (; *value != '\0'; value++)
    if (*value == '\n')
      g_string_append (text, "\\n");
    else if (*value == '\\')
      g_string_append (text, "\\\\");
    else
      g_string_append_c (text, *value);
}

char *
jm_run_record_format (JmJob *job)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "run=%s\nuuid=%s\nweak=%d\ndecided=%d\n",
                          jm_job_get_run_key (job), jm_job_get_uuid (job),
                          jm_job_is_uuid_weak (job), jm_job_is_decided (job));

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_UUID && jm_job_get_field (job, i) != NULL)
      {
        g_string_append_printf (text, "%s=%s ", jm_job_field_get_name (i),
                                jm_origin_get_name (jm_job_get_origin (job, i)));
        append_escaped (text, jm_job_get_field (job, i));
        g_string_append_c (text, '\n');
      }

  return g_string_free (text, FALSE);
}

/* --- reading --- */

static char *
unescape (const char *text, const char *end)
{
  g_autoptr (GString) value = g_string_new (NULL);

  for (; text < end; text++)
    if (*text == '\0')
      return NULL;
    else if (*text != '\\')
      g_string_append_c (value, *text);
    else if (++text < end && (*text == 'n' || *text == '\\'))
      g_string_append_c (value, *text == 'n' ? '\n' : '\\');
    else
      return NULL;

  return g_string_free (g_steal_pointer (&value), FALSE);
}

static gboolean
read_field (JmJobDraft *draft, JmJobField field, JmSlice line)
{
  const char *space = memchr (line.text, ' ', line.length);
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  JmOrigin origin;

  if (space == NULL)
    return FALSE;

  name = g_strndup (line.text, (gsize) (space - line.text));
  value = unescape (space + 1, line.text + line.length);

  return value != NULL && jm_origin_from_name (name, &origin) &&
         jm_job_draft_set (draft, field, origin, value, -1);
}

static gboolean
read_fields (JmJobDraft *draft, const char *text, gsize length)
{
  JmSlice line;

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_UUID &&
        jm_properties_find (text, length, jm_job_field_get_name (i), &line) &&
        !read_field (draft, i, line))
      return FALSE;

  return jm_job_draft_get (draft, JM_JOB_FIELD_ID) != NULL;
}

static gboolean
read_flag (const char *text, gsize length, const char *name, gboolean *flag)
{
  JmSlice value;

  if (!jm_properties_find (text, length, name, &value))
    return FALSE;

  *flag = jm_slice_equal (value, "1");

  return *flag || jm_slice_equal (value, "0");
}

static gboolean
read_uuid (JmJobDraft *draft, const char *text, gsize length)
{
  g_autofree char *uuid = NULL;
  gboolean is_weak;
  JmSlice value;

  if (!jm_properties_find (text, length, "uuid", &value) ||
      !read_flag (text, length, "weak", &is_weak))
    return FALSE;

  uuid = g_strndup (value.text, value.length);
  if (!g_uuid_string_is_valid (uuid))
    return FALSE;

  jm_job_draft_set_uuid (draft, uuid, is_weak);

  return TRUE;
}

JmJob *
jm_run_record_parse (const char *text, gsize length, const char *run_key)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  gboolean is_decided;
  JmSlice value;

  if (!jm_properties_find (text, length, "run", &value) ||
      !jm_slice_equal (value, run_key) || !read_uuid (draft, text, length) ||
      !read_flag (text, length, "decided", &is_decided) ||
      !read_fields (draft, text, length))
    return NULL;

  jm_job_draft_set_run_key (draft, run_key);
  if (is_decided)
    jm_job_draft_set_decided (draft);

  return jm_job_draft_to_job (draft);
}
