/* jmc-run-details.c: one run of a site, with all of its parts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-details.h"

#include "report/jm-run-document-private.h"

static const char *const names[JMC_N_DETAIL_KINDS] = {
  [JM_RUN_PART_KIND_STEP] = "steps",
  [JM_RUN_PART_KIND_NODE] = "nodes",
  [JM_RUN_PART_KIND_DEVICE] = "devices",
  [JM_RUN_PART_KIND_ENERGY] = "energy",
};

/* Its parts are still to be filled in. */
JmcRunDetails *
jmc_run_details_new (JmStoredRun *run)
{
  JmcRunDetails *self = g_new0 (JmcRunDetails, 1);

  self->run = jm_stored_run_ref (run);

  return self;
}

void
jmc_run_details_free (JmcRunDetails *self)
{
  jm_stored_run_unref (self->run);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    g_clear_pointer (&self->parts[i], g_ptr_array_unref);
  g_free (self);
}

const char *
jmc_run_details_get_name (JmRunPartKind kind)
{
  return names[kind];
}

static void
append_parts (GString *json, const char *name, GPtrArray *parts)
{
  g_string_append_printf (json, ",\n\"%s\": [", name);
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      g_string_append (json, i > 0 ? ",\n" : "");
      jm_run_document_append_part (json, parts->pdata[i]);
    }
  g_string_append_c (json, ']');
}

void
jmc_run_details_append_json (JmcRunDetails *self, GString *json)
{
  g_string_append (json, "{\"job\": ");
  jm_run_document_append (json, self->run);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    append_parts (json, names[i], self->parts[i]);
  g_string_append (json, "}\n");
}
