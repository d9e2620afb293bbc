/* jm-job-fields.c: sets of job fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-job-fields-private.h"

guint
jm_job_fields_from_names (const char *const *names)
{
  /* Without these two, nothing could be joined with the set. */
  guint fields =
    JM_JOB_FIELD_BIT (JM_JOB_FIELD_ID) | JM_JOB_FIELD_BIT (JM_JOB_FIELD_UUID);
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
