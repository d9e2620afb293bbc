/* jm-run-field.c: what an accounting database keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-run-field-private.h"

#define WORD 255
#define LINE 1023
#define LIST 65535
#define MANY (G_GINT64_CONSTANT (1) << 24)
/* What a run of ten years can have of it a sum of a day still holds. */
#define MEMORY (G_GINT64_CONSTANT (1) << 52)
#define AMOUNT (G_GINT64_CONSTANT (1) << 60)

/* The names are those of the columns; no order may change, as the database tells by it
 * who told what. */
static const struct
{
  const char *name;
  gint64 max;
} fields[JM_N_RUN_FIELDS] = {
  [JM_RUN_FIELD_UUID] = { "uuid", 36 },
  [JM_RUN_FIELD_JOB_ID] = { "job_id", WORD },
  [JM_RUN_FIELD_ARRAY_JOB] = { "array_job", WORD },
  [JM_RUN_FIELD_ARRAY_TASK] = { "array_task", WORD },
  [JM_RUN_FIELD_HET_JOB] = { "het_job", WORD },
  [JM_RUN_FIELD_HET_OFFSET] = { "het_offset", WORD },
  [JM_RUN_FIELD_USER] = { "user_name", WORD },
  [JM_RUN_FIELD_ACCOUNT] = { "account", WORD },
  [JM_RUN_FIELD_PARTITION] = { "partition", WORD },
  [JM_RUN_FIELD_QOS] = { "qos", WORD },
  [JM_RUN_FIELD_NAME] = { "name", LINE },
  [JM_RUN_FIELD_STATE] = { "state", WORD },
  [JM_RUN_FIELD_NODE_LIST] = { "node_list", LIST },
  [JM_RUN_FIELD_TRES] = { "tres", LINE },
  [JM_RUN_FIELD_WORK_DIR] = { "work_dir", 4095 },
  [JM_RUN_FIELD_UID] = { "uid", G_MAXUINT32 },
  [JM_RUN_FIELD_SUBMIT_TIME] = { "submit_time", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_ELIGIBLE_TIME] = { "eligible_time", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_START_TIME] = { "start_time", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_END_TIME] = { "end_time", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_SEEN_TIME] = { "seen_time", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_TIME_LIMIT] = { "time_limit_seconds", JM_RUN_TIME_MAX },
  [JM_RUN_FIELD_ELAPSED] = { "elapsed_seconds", JM_RUN_LENGTH_MAX },
  [JM_RUN_FIELD_EXIT_CODE] = { "exit_code", G_MAXINT32 },
  [JM_RUN_FIELD_SIGNAL] = { "exit_signal", WORD },
  [JM_RUN_FIELD_NODES] = { "nodes", MANY },
  [JM_RUN_FIELD_CPUS] = { "cpus", MANY },
  [JM_RUN_FIELD_MEMORY_REQUESTED] = { "memory_requested_bytes", MEMORY },
  [JM_RUN_FIELD_MEMORY_ALLOCATED] = { "memory_allocated_bytes", MEMORY },
  [JM_RUN_FIELD_GPUS_REQUESTED] = { "gpus_requested", MANY },
  [JM_RUN_FIELD_GPUS_ALLOCATED] = { "gpus_allocated", MANY },
  [JM_RUN_FIELD_CPU_TIME] = { "cpu_us", AMOUNT },
  [JM_RUN_FIELD_CPU_USER_TIME] = { "cpu_user_us", AMOUNT },
  [JM_RUN_FIELD_CPU_SYSTEM_TIME] = { "cpu_system_us", AMOUNT },
  [JM_RUN_FIELD_MEMORY_PEAK] = { "memory_peak_bytes", MEMORY },
  [JM_RUN_FIELD_ENERGY] = { "energy_uj", AMOUNT },
  [JM_RUN_FIELD_EMISSIONS] = { "emissions_ug", AMOUNT },
};

/**
 * jm_run_field_get_name:
 * @field: a field
 *
 * Gets the name of a field: that of its column.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_run_field_get_name (JmRunField field)
{
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS, NULL);

  return fields[field].name;
}

/**
 * jm_run_field_from_name:
 * @name: a name
 * @field: (out) (optional): return location for the field
 *
 * Looks a field up by its name.
 *
 * Returns: whether there is one
 * Since: 0.1
 */
gboolean
jm_run_field_from_name (const char *name, JmRunField *field)
{
  g_return_val_if_fail (name != NULL, FALSE);

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (g_str_equal (fields[i].name, name))
      {
        if (field != NULL)
          *field = (JmRunField) i;
        return TRUE;
      }

  return FALSE;
}

/**
 * jm_run_field_is_text:
 * @field: a field
 *
 * Tells whether a field is text; else it is a whole number.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_run_field_is_text (JmRunField field)
{
  return (guint) field < JM_N_RUN_TEXTS;
}

/**
 * jm_run_field_is_figure:
 * @field: a field
 *
 * Tells whether a field is what a run has used; else it is who or when the run was.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_run_field_is_figure (JmRunField field)
{
  return field >= JM_RUN_FIELD_CPU_TIME && field < JM_N_RUN_FIELDS;
}

/**
 * jm_run_source_get_name:
 * @source: a source
 *
 * Gets the name of a source, such as `ledger`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_run_source_get_name (JmRunSource source)
{
  static const char *const names[JM_N_RUN_SOURCES] = { "none", "accounting",
                                                       "time-series", "ledger" };

  g_return_val_if_fail ((guint) source < JM_N_RUN_SOURCES, NULL);

  return names[source];
}

gint64
jm_run_field_get_max (JmRunField field)
{
  return fields[field].max;
}

gboolean
jm_run_field_is_time (JmRunField field)
{
  return field >= JM_RUN_FIELD_SUBMIT_TIME && field <= JM_RUN_FIELD_SEEN_TIME;
}

guint
jm_run_field_get_rank (JmRunField field, JmRunSource source)
{
  static const guint of_facts[JM_N_RUN_SOURCES] = {
    [JM_RUN_SOURCE_TIME_SERIES] = 1,
    [JM_RUN_SOURCE_LEDGER] = 2,
    [JM_RUN_SOURCE_ACCOUNTING] = 3,
  };

  return jm_run_field_is_figure (field) ? source : of_facts[source];
}

void
jm_run_field_append_columns (GString *sql)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", fields[i].name);
}
