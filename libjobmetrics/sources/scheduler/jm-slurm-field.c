/* jm-slurm-field.c: a value that Slurm tells, and where it goes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-field-private.h"

#include "sources/scheduler/jm-slurm-tres-private.h"

#define NUMBER_MAX 64
#define MICROSECONDS 1e6

/* A share that is its parent's is no number either. */
static gboolean
is_absent (JmSlice text, JmSlurmKind kind)
{
  return kind == JM_SLURM_TEXT
           ? jm_slurm_is_no_name (text)
           : jm_slurm_is_absent (text) || jm_slice_equal (text, "parent");
}

static gboolean
take_real (JmSlice text, double divisor, double *real)
{
  char number[NUMBER_MAX];
  char *end;
  double value;

  if (text.length >= sizeof number)
    return FALSE;

  memcpy (number, text.text, text.length);
  number[text.length] = '\0';
  value = g_ascii_strtod (number, &end);
  if (end != number + text.length || !(value >= 0))
    return FALSE;
  *real = value / divisor;

  return TRUE;
}

static gboolean
take_yes (JmSlice text, gint64 *yes)
{
  if (text.length == 0 || (text.text[0] | 0x20) != 'y')
    {
      *yes = 0;
      return jm_slice_equal (text, "no") || jm_slice_equal (text, "NO");
    }
  *yes = 1;

  return jm_slice_equal (text, "yes") || jm_slice_equal (text, "YES");
}

static gboolean
keep (gint64 *place, guint64 value, gboolean has)
{
  if (has && value > G_MAXINT64)
    return FALSE;
  if (has)
    *place = (gint64) value;

  return TRUE;
}

static gboolean
take_tres (JmSlice text, JmSlurmKind kind, gint64 *place)
{
  JmSlurmTres tres;

  if (!jm_slurm_parse_tres (text, &tres))
    return FALSE;

  switch (kind)
    {
    case JM_SLURM_TRES_CPUS:
      return keep (place, tres.cpus, tres.has_cpus);
    case JM_SLURM_TRES_MEMORY:
      return keep (place, tres.memory_bytes, tres.has_memory);
    case JM_SLURM_TRES_NODES:
      return keep (place, tres.nodes, tres.has_nodes);
    default:
      return keep (place, tres.gpus, tres.has_gpus);
    }
}

static gboolean
take (const JmSlurmField *field,
      JmSchedulerReport *report,
      gpointer record,
      JmSlice text)
{
  gpointer place = G_STRUCT_MEMBER_P (record, field->offset);

  switch (field->kind)
    {
    case JM_SLURM_TEXT:
      *(const char **) place = jm_scheduler_report_keep_slice (report, text);
      return TRUE;
    case JM_SLURM_COUNT:
      return jm_slurm_take_value (text, jm_slurm_parse_count, place);
    case JM_SLURM_TIME:
      return jm_slurm_take_value (text, jm_slurm_parse_time, place);
    case JM_SLURM_REAL:
      return take_real (text, 1, place);
    case JM_SLURM_MICROSECONDS:
      return take_real (text, MICROSECONDS, place);
    case JM_SLURM_YES:
      return take_yes (text, place);
    case JM_SLURM_DURATION:
      return jm_slurm_take_value (text, jm_slurm_parse_duration, place);
    case JM_SLURM_TRES_CPUS:
    case JM_SLURM_TRES_MEMORY:
    case JM_SLURM_TRES_NODES:
    case JM_SLURM_TRES_GPUS:
      return take_tres (text, field->kind, place);
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
jm_slurm_field_take (const JmSlurmField *field,
                     JmSchedulerReport *report,
                     gpointer record,
                     JmSlice text)
{
  g_autofree char *complaint = NULL;

  if (is_absent (text, field->kind) || take (field, report, record, text))
    return TRUE;

  complaint = g_strdup_printf ("%s: not understood: %.*s", field->name,
                               (int) MIN (text.length, NUMBER_MAX), text.text);
  jm_scheduler_report_complain (report, complaint);

  return FALSE;
}

gboolean
jm_slurm_field_take_columns (const JmSlurmField *fields,
                             guint n_fields,
                             JmSchedulerReport *report,
                             gpointer record,
                             JmSlice line,
                             const char *command)
{
  g_autofree char *complaint = NULL;
  JmSlice column;

  for (guint i = 0; i < n_fields; i++)
    {
      gboolean is_same = i > 0 && g_str_equal (fields[i].name, fields[i - 1].name);

      if (!is_same && !jm_slurm_take_word (&line, '|', &column))
        break;
      if (i == n_fields - 1 && line.text != NULL)
        break;
      if (!jm_slurm_field_take (&fields[i], report, record, jm_slice_trim (column)))
        return FALSE;
      if (i == n_fields - 1)
        return TRUE;
    }

  complaint = g_strdup_printf ("%s: another number of columns", command);
  jm_scheduler_report_complain (report, complaint);

  return FALSE;
}
