/* jmc-run-details.c: one run of a site, with all of its parts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-details.h"

#include "core/jm-json-writer-private.h"
#include "core/jm-run-document-private.h"

static const char *const names[JMC_N_DETAIL_KINDS] = {
  [JM_RUN_PART_KIND_STEP] = "steps",
  [JM_RUN_PART_KIND_NODE] = "nodes",
  [JM_RUN_PART_KIND_DEVICE] = "devices",
  [JM_RUN_PART_KIND_ENERGY] = "energy",
};

/* Its parts are still to be filled in. */
JmcRunDetails *
jmc_run_details_new (JmRun *run)
{
  JmcRunDetails *self = g_new0 (JmcRunDetails, 1);

  self->run = jm_run_ref (run);

  return self;
}

void
jmc_run_details_free (JmcRunDetails *self)
{
  jm_run_unref (self->run);
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
add_parts (JmJsonWriter *json, const char *name, GPtrArray *parts)
{
  jm_json_writer_break_line (json);
  jm_json_writer_begin_array (json, name);
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      jm_json_writer_break_line (json);
      jm_run_document_append_part (json->out, parts->pdata[i]);
    }
  jm_json_writer_end_array (json);
}

void
jmc_run_details_append_json (JmcRunDetails *self, GString *text)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_append (jm_json_writer_begin_value (&json, "job"), self->run);
  for (guint i = 0; i < JMC_N_DETAIL_KINDS; i++)
    add_parts (&json, names[i], self->parts[i]);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');
}
