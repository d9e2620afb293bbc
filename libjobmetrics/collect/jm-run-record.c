/* jm-run-record.c: who a job is, as a file tells it to other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-run-record-private.h"

#include "core/jm-further-fields-private.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-private.h"
#include "sources/jobs/jm-property-file-private.h"

/* --- writing --- */

/* Pairs of a character and of the letter that stands for it behind a backslash. */
static const char escapes[] = "\nn\tt\\\\";

void
jm_run_record_append_escaped (GString *text, const char *value)
{
  for (; *value != '\0'; value++)
    {
      const char *pair = escapes;

      while (*pair != '\0' && *pair != *value)
        pair += 2;
      if (*pair != '\0')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *pair != '\0' ? pair[1] : *value);
    }
}

static void
append_field (GString *text,
              const char *prefix,
              const char *name,
              JmOrigin origin,
              const char *value)
{
  g_string_append_printf (text, "%s%s=%s ", prefix, name, jm_origin_get_name (origin));
  jm_run_record_append_escaped (text, value);
  g_string_append_c (text, '\n');
}

char *
jm_run_record_format (JmJob *job)
{
  GString *text = g_string_new (NULL);
  g_auto (GStrv) further = jm_job_list_further_fields (job);

  g_string_append_printf (text, "run=%s\nuuid=%s\nweak=%d\ndecided=%d\n",
                          jm_job_get_run_key (job), jm_job_get_uuid (job),
                          jm_job_is_uuid_weak (job), jm_job_is_decided (job));

  if (job->alias != NULL)
    g_string_append_printf (text, "alias=%s\n", job->alias);
  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_UUID && jm_job_get_field (job, i) != NULL)
      append_field (text, "", jm_job_field_get_name (i), jm_job_get_origin (job, i),
                    jm_job_get_field (job, i));
  for (guint i = 0; further[i] != NULL; i++)
    append_field (text, JM_FURTHER_FIELD_PREFIX, further[i],
                  jm_job_get_further_origin (job, further[i]),
                  jm_job_get_further_field (job, further[i]));

  return g_string_free (text, FALSE);
}

/* --- reading --- */

static gboolean
append_meant (GString *value, char letter)
{
  for (const char *pair = escapes; *pair != '\0'; pair += 2)
    if (pair[1] == letter)
      {
        g_string_append_c (value, *pair);
        return TRUE;
      }

  return FALSE;
}

char *
jm_run_record_unescape (const char *text, const char *end)
{
  g_autoptr (GString) value = g_string_new (NULL);

  for (; text < end; text++)
    if (*text == '\0')
      return NULL;
    else if (*text != '\\')
      g_string_append_c (value, *text);
    else if (++text == end || !append_meant (value, *text))
      return NULL;

  return g_string_free (g_steal_pointer (&value), FALSE);
}

/* Returns: (nullable): the value of `ORIGIN VALUE` */
static char *
read_value (JmSlice line, JmOrigin *origin)
{
  const char *space = memchr (line.text, ' ', line.length);
  g_autofree char *name = NULL;

  if (space == NULL)
    return NULL;

  name = g_strndup (line.text, (gsize) (space - line.text));

  return jm_origin_from_name (name, origin)
           ? jm_run_record_unescape (space + 1, line.text + line.length)
           : NULL;
}

static gboolean
read_field (JmJobDraft *draft, JmJobField field, JmSlice line)
{
  JmOrigin origin;
  g_autofree char *value = read_value (line, &origin);

  return value != NULL && jm_job_draft_set (draft, field, origin, value, -1);
}

/* A line `NAME=ORIGIN VALUE` */
static gboolean
read_further_field (JmJobDraft *draft, JmSlice line)
{
  const char *equals = memchr (line.text, '=', line.length);
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  JmOrigin origin;

  if (equals == NULL)
    return FALSE;

  name = g_strndup (line.text, (gsize) (equals - line.text));
  value =
    read_value ((JmSlice){ equals + 1, line.length - (gsize) (equals + 1 - line.text) },
                &origin);

  return value != NULL && jm_job_draft_set_further (draft, name, origin, value, -1);
}

static gboolean
read_further_fields (JmJobDraft *draft, const char *text, gsize length)
{
  const gsize skipped = strlen (JM_FURTHER_FIELD_PREFIX);

  while (length > 0)
    {
      const char *newline = memchr (text, '\n', length);
      gsize line_length = newline != NULL ? (gsize) (newline - text) : length;
      gsize taken = newline != NULL ? line_length + 1 : line_length;

      if (line_length > skipped &&
          memcmp (text, JM_FURTHER_FIELD_PREFIX, skipped) == 0 &&
          !read_further_field (draft,
                               (JmSlice){ text + skipped, line_length - skipped }))
        return FALSE;

      text += taken;
      length -= taken;
    }

  return TRUE;
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

  return read_further_fields (draft, text, length) &&
         jm_job_draft_get (draft, JM_JOB_FIELD_ID) != NULL;
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

static void
read_alias (JmJobDraft *draft, const char *text, gsize length)
{
  JmSlice value;

  if (jm_properties_find (text, length, "alias", &value))
    {
      g_autofree char *alias = g_strndup (value.text, value.length);

      jm_job_draft_set_alias (draft, alias);
    }
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

  read_alias (draft, text, length);
  jm_job_draft_set_run_key (draft, run_key);
  if (is_decided)
    jm_job_draft_set_decided (draft);

  return jm_job_draft_to_job (draft);
}
