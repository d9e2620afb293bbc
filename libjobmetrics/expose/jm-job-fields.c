/* jm-job-fields.c: sets of job fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-job-fields-private.h"

#include "core/jm-further-fields-private.h"
#include "core/jm-job-private.h"

guint
jm_job_fields_from_names (const char *const *names)
{
  guint fields = 0;
  JmJobField field;

  for (guint i = 0; names[i] != NULL; i++)
    if (jm_job_field_from_name (names[i], &field))
      fields |= JM_JOB_FIELD_BIT (field);

  return fields;
}

char **
jm_job_fields_to_names (guint fields)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if ((fields & JM_JOB_FIELD_BIT (i)) != 0)
      g_strv_builder_add (names, jm_job_field_get_name (i));

  return g_strv_builder_end (names);
}

gboolean
jm_job_fields_is_further_label (const char *name)
{
  return g_str_has_prefix (name, JM_FURTHER_FIELD_PREFIX) &&
         jm_further_field_check_name (name + strlen (JM_FURTHER_FIELD_PREFIX));
}

char **
jm_job_fields_list_further_labels (const char *const *names)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);

  /* a label twice would spoil the whole scrape */
  for (guint i = 0; names[i] != NULL; i++)
    if (jm_job_fields_is_further_label (names[i]) &&
        !g_ptr_array_find_with_equal_func (labels, names[i], g_str_equal, NULL))
      g_ptr_array_add (labels, g_strdup (names[i]));
  g_ptr_array_add (labels, NULL);

  return (char **) g_ptr_array_steal (labels, NULL);
}
