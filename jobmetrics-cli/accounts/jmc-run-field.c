/* jmc-run-field.c: whatever is known of a site's run, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-run-field.h"

#include "core/jm-number.h"
#include "report/jm-run-derived-private.h"
#include "report/jm-run-document-private.h"

static const JmcRunField fields[] = {
  { JM_QUANTITY_JOBID, JM_N_RUN_FIELDS, NULL, jmc_run_field_get_job_id },
  { JM_QUANTITY_RAW_ID, JM_N_RUN_FIELDS, NULL, jm_stored_run_get_raw_id },
  { JM_QUANTITY_UUID, JM_RUN_FIELD_UUID, NULL, NULL },
  { JM_QUANTITY_CLUSTER, JM_N_RUN_FIELDS, NULL, jm_stored_run_get_cluster },
  { JM_QUANTITY_USER, JM_RUN_FIELD_USER, NULL, NULL },
  { JM_QUANTITY_UID, JM_RUN_FIELD_UID, NULL, NULL },
  { JM_QUANTITY_ACCOUNT, JM_RUN_FIELD_ACCOUNT, NULL, NULL },
  { JM_QUANTITY_PARTITION, JM_RUN_FIELD_PARTITION, NULL, NULL },
  { JM_QUANTITY_QOS, JM_RUN_FIELD_QOS, NULL, NULL },
  { JM_QUANTITY_NAME, JM_RUN_FIELD_NAME, NULL, NULL },
  { JM_QUANTITY_STATE, JM_RUN_FIELD_STATE, NULL, NULL },
  { JM_QUANTITY_NODE_LIST, JM_RUN_FIELD_NODE_LIST, NULL, NULL },
  { JM_QUANTITY_SUBMIT_TIME, JM_RUN_FIELD_SUBMIT_TIME, NULL, NULL },
  { JM_QUANTITY_START_TIME, JM_RUN_FIELD_START_TIME, NULL, NULL },
  { JM_QUANTITY_END_TIME, JM_RUN_FIELD_END_TIME, NULL, NULL },
  { JM_QUANTITY_WAIT, JM_N_RUN_FIELDS, jm_run_derived_get_wait, NULL },
  { JM_QUANTITY_ELAPSED, JM_N_RUN_FIELDS, jm_run_derived_get_elapsed, NULL },
  { JM_QUANTITY_TIME_LIMIT, JM_RUN_FIELD_TIME_LIMIT, NULL, NULL },
  { JM_QUANTITY_EXIT_CODE, JM_RUN_FIELD_EXIT_CODE, NULL, NULL },
  { JM_QUANTITY_EXIT_SIGNAL, JM_RUN_FIELD_EXIT_SIGNAL, NULL, NULL },
  { JM_QUANTITY_NODES, JM_RUN_FIELD_NODES, NULL, NULL },
  { JM_QUANTITY_CPUS, JM_RUN_FIELD_CPUS, NULL, NULL },
  { JM_QUANTITY_GPUS_ALLOCATED, JM_RUN_FIELD_GPUS_ALLOCATED, NULL, NULL },
  { JM_QUANTITY_MEMORY_ALLOCATED, JM_RUN_FIELD_MEMORY_ALLOCATED, NULL, NULL },
  { JM_QUANTITY_CPU_TOTAL, JM_RUN_FIELD_CPU_TOTAL, NULL, NULL },
  { JM_QUANTITY_CPU_EFFICIENCY, JM_N_RUN_FIELDS, jm_run_derived_get_efficiency, NULL },
  { JM_QUANTITY_MEMORY_PEAK, JM_RUN_FIELD_MEMORY_PEAK, NULL, NULL },
  { JM_QUANTITY_MEMORY_SHARE, JM_N_RUN_FIELDS, jm_run_derived_get_memory_share, NULL },
  { JM_QUANTITY_ENERGY, JM_RUN_FIELD_ENERGY, NULL, NULL },
  { JM_QUANTITY_EMISSIONS, JM_RUN_FIELD_EMISSIONS, NULL, NULL },
};

guint
jmc_run_field_count (void)
{
  return G_N_ELEMENTS (fields);
}

const JmcRunField *
jmc_run_field_get (guint i)
{
  return &fields[i];
}

const JmQuantity *
jmc_run_field_get_quantity (const JmcRunField *self)
{
  return jm_quantity_get (self->quantity);
}

const JmcRunField *
jmc_run_field_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (jm_quantity_is_called (jmc_run_field_get_quantity (&fields[i]), name))
      return &fields[i];

  return NULL;
}

const char *
jmc_run_field_get_job_id (JmStoredRun *run)
{
  const char *id = jm_stored_run_get_text (run, JM_RUN_FIELD_JOBID);

  return id != NULL ? id : jm_stored_run_get_raw_id (run);
}

static JmFigure
get_figure (const JmcRunField *self, JmStoredRun *run)
{
  return self->get_figure != NULL ? self->get_figure (run)
                                  : jm_run_derived_get_figure (run, self->field);
}

/* The heading of a share has the sign of per cent already. */
char *
jmc_run_field_format (const JmcRunField *self, JmStoredRun *run)
{
  const JmFormat format = jmc_run_field_get_quantity (self)->format;
  JmFigure figure;

  if (format == JM_FORMAT_TEXT)
    return jmc_run_field_to_string (self, run);

  figure = get_figure (self, run);
  if (!figure.is_known)
    return NULL;

  if (format == JM_FORMAT_PERCENT)
    return g_strdup_printf ("%.1f", figure.value);
  /* a number of nodes or CPUs is written to the last one */
  if (format == JM_FORMAT_COUNT)
    return g_strdup_printf ("%.0f", figure.value);

  return jm_format_to_string (format, figure.value);
}

char *
jmc_run_field_to_string (const JmcRunField *self, JmStoredRun *run)
{
  JmFigure figure;

  if (self->get_text != NULL)
    return g_strdup (self->get_text (run));
  if (self->get_figure == NULL)
    return jm_run_document_format (run, self->field);

  figure = self->get_figure (run);

  return figure.is_known ? jm_number_to_string (figure.value) : NULL;
}
