/* jm-run-field.c: what an accounting database keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-run-field-private.h"

#include "core/jm-quantity-private.h"

#define WORD 255
#define LINE 1023
#define LIST 65535
#define MANY (G_GINT64_CONSTANT (1) << 24)
/* What a run of ten years can have of it a sum of a day still holds. */
#define MEMORY (G_GINT64_CONSTANT (1) << 52)
#define AMOUNT (G_GINT64_CONSTANT (1) << 60)

/* The names are those of the columns. None of what a row says of them may change, but
 * the maximum: databases have it. A new field takes the next place, and the next
 * version of the database. */
static const struct
{
  JmQuantityId quantity;
  const char *name;
  gint64 max;
  guint place; /* of its origin, in the column of origins */
  guint since; /* the database's version that has it; 0 for one of the first tables */
} fields[JM_N_RUN_FIELDS] = {
  [JM_RUN_FIELD_UUID] = { JM_QUANTITY_UUID, "uuid", 36, 0 },
  [JM_RUN_FIELD_JOB_ID] = { JM_QUANTITY_JOBID, "job_id", WORD, 1 },
  [JM_RUN_FIELD_ARRAY_JOB] = { JM_QUANTITY_ARRAY_JOBID, "array_job", WORD, 2 },
  [JM_RUN_FIELD_ARRAY_TASK] = { JM_QUANTITY_ARRAY_TASKID, "array_task", WORD, 3 },
  [JM_RUN_FIELD_HET_JOB] = { JM_QUANTITY_HET_JOBID, "het_job", WORD, 4 },
  [JM_RUN_FIELD_HET_OFFSET] = { JM_QUANTITY_HET_OFFSET, "het_offset", WORD, 5 },
  [JM_RUN_FIELD_USER] = { JM_QUANTITY_USER, "user_name", WORD, 6 },
  [JM_RUN_FIELD_ACCOUNT] = { JM_QUANTITY_ACCOUNT, "account", WORD, 7 },
  [JM_RUN_FIELD_PARTITION] = { JM_QUANTITY_PARTITION, "partition", WORD, 8 },
  [JM_RUN_FIELD_QOS] = { JM_QUANTITY_QOS, "qos", WORD, 9 },
  [JM_RUN_FIELD_NAME] = { JM_QUANTITY_NAME, "name", LINE, 10 },
  [JM_RUN_FIELD_STATE] = { JM_QUANTITY_STATE, "state", WORD, 11 },
  [JM_RUN_FIELD_NODE_LIST] = { JM_QUANTITY_NODE_LIST, "node_list", LIST, 12 },
  [JM_RUN_FIELD_TRES] = { JM_QUANTITY_TRES, "tres", LINE, 13 },
  [JM_RUN_FIELD_WORK_DIR] = { JM_QUANTITY_WORK_DIR, "work_dir", 4095, 14 },
  [JM_RUN_FIELD_UID] = { JM_QUANTITY_UID, "uid", G_MAXUINT32, 15 },
  [JM_RUN_FIELD_SUBMIT_TIME] = { JM_QUANTITY_SUBMIT_TIME, "submit_time",
                                 JM_RUN_TIME_MAX, 16 },
  [JM_RUN_FIELD_ELIGIBLE_TIME] = { JM_QUANTITY_ELIGIBLE_TIME, "eligible_time",
                                   JM_RUN_TIME_MAX, 17 },
  [JM_RUN_FIELD_START_TIME] = { JM_QUANTITY_START_TIME, "start_time", JM_RUN_TIME_MAX,
                                18 },
  [JM_RUN_FIELD_END_TIME] = { JM_QUANTITY_END_TIME, "end_time", JM_RUN_TIME_MAX, 19 },
  [JM_RUN_FIELD_SEEN_TIME] = { JM_QUANTITY_SEEN_TIME, "seen_time", JM_RUN_TIME_MAX,
                               20 },
  [JM_RUN_FIELD_TIME_LIMIT] = { JM_QUANTITY_TIME_LIMIT, "time_limit_seconds",
                                JM_RUN_TIME_MAX, 21 },
  [JM_RUN_FIELD_ELAPSED] = { JM_QUANTITY_ELAPSED, "elapsed_seconds", JM_RUN_LENGTH_MAX,
                             22 },
  [JM_RUN_FIELD_EXIT_CODE] = { JM_QUANTITY_EXIT_CODE, "exit_code", G_MAXINT32, 23 },
  [JM_RUN_FIELD_SIGNAL] = { JM_QUANTITY_EXIT_SIGNAL, "exit_signal", WORD, 24 },
  [JM_RUN_FIELD_NODES] = { JM_QUANTITY_NODES, "nodes", MANY, 25 },
  [JM_RUN_FIELD_CPUS] = { JM_QUANTITY_CPUS, "cpus", MANY, 26 },
  [JM_RUN_FIELD_MEMORY_REQUESTED] = { JM_QUANTITY_MEMORY_REQUESTED,
                                      "memory_requested_bytes", MEMORY, 27 },
  [JM_RUN_FIELD_MEMORY_ALLOCATED] = { JM_QUANTITY_MEMORY_ALLOCATED,
                                      "memory_allocated_bytes", MEMORY, 28 },
  [JM_RUN_FIELD_GPUS_REQUESTED] = { JM_QUANTITY_GPUS_REQUESTED, "gpus_requested", MANY,
                                    29 },
  [JM_RUN_FIELD_GPUS_ALLOCATED] = { JM_QUANTITY_GPUS_ALLOCATED, "gpus_allocated", MANY,
                                    30 },
  [JM_RUN_FIELD_CPU_TIME] = { JM_QUANTITY_CPU_TOTAL, "cpu_us", AMOUNT, 31 },
  [JM_RUN_FIELD_CPU_USER_TIME] = { JM_QUANTITY_CPU_USER, "cpu_user_us", AMOUNT, 32 },
  [JM_RUN_FIELD_CPU_SYSTEM_TIME] = { JM_QUANTITY_CPU_SYSTEM, "cpu_system_us", AMOUNT,
                                     33 },
  [JM_RUN_FIELD_MEMORY_PEAK] = { JM_QUANTITY_MEMORY_PEAK, "memory_peak_bytes", MEMORY,
                                 34 },
  [JM_RUN_FIELD_ENERGY] = { JM_QUANTITY_ENERGY, "energy_uj", AMOUNT, 35 },
  [JM_RUN_FIELD_EMISSIONS] = { JM_QUANTITY_EMISSIONS, "emissions_ug", AMOUNT, 36 },
};

/**
 * jm_run_field_get_quantity:
 * @field: a field
 *
 * Gets what a field is.
 *
 * Returns: (transfer none): the quantity
 * Since: 0.1
 */
const JmQuantity *
jm_run_field_get_quantity (JmRunField field)
{
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS, NULL);

  return jm_quantity_get (fields[field].quantity);
}

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

guint
jm_run_field_get_place (JmRunField field)
{
  return fields[field].place;
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

guint
jm_run_field_get_last_version (void)
{
  guint last = 0;

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    last = MAX (last, fields[i].since);

  return last;
}

void
jm_run_field_append_new_columns (guint version, GString *sql)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (fields[i].since == version)
      g_string_append_printf (sql, "ALTER TABLE run ADD COLUMN %s %s%s;",
                              fields[i].name,
                              jm_run_field_is_text (i) ? "TEXT" : "INTEGER",
                              jm_run_field_is_time (i) ? " NOT NULL DEFAULT 0" : "");
}
