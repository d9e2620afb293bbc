/* jm-slurm-field.c: a value that Slurm reports, and where it goes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-field-private.h"

#include "schedulers/slurm/jm-slurm-tres-private.h"

#define NUMBER_MAX 64
#define MICROSECONDS 1e6
#define HUNDREDTHS 100
/* More flags than anything has. */
#define WORDS_MAX 8192

/* A ratio is infinite where it was divided by nothing. */
static gboolean
is_infinite (JmSlice text)
{
  static const char *const words[] = { "inf", "infinity" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (text.length == strlen (words[i]) &&
        g_ascii_strncasecmp (text.text, words[i], text.length) == 0)
      return TRUE;

  return FALSE;
}

/* A share that is its parent's is no number either. */
static gboolean
is_absent (JmSlice text, JmSlurmKind kind)
{
  if (kind == JM_SLURM_REAL && is_infinite (text))
    return FALSE;
  if (kind == JM_SLURM_ANY_TEXT)
    return text.length == 0;

  return kind == JM_SLURM_TEXT || kind == JM_SLURM_WORDS
           ? jm_scheduler_is_no_name (text)
           : jm_scheduler_is_absent (text) || jm_slice_equal (text, "parent");
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
  if (end != number + text.length)
    return FALSE;
  if (jm_scheduler_is_no_real (value))
    return TRUE;
  if (value < 0)
    return FALSE;
  *real = value / divisor;

  return TRUE;
}

static gboolean
take_yes (JmSlice text, gint64 *yes)
{
  static const struct
  {
    const char *word;
    gint64 yes;
  } words[] = { { "yes", 1 }, { "true", 1 }, { "no", 0 }, { "false", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (text.length == strlen (words[i].word) &&
        g_ascii_strncasecmp (text.text, words[i].word, text.length) == 0)
      {
        *yes = words[i].yes;
        return TRUE;
      }

  return FALSE;
}

static gboolean
take_minutes (JmSlice text, gint64 *seconds)
{
  gint64 minutes = -1;

  if (!jm_scheduler_take_value (text, jm_scheduler_parse_count, &minutes) ||
      minutes > G_MAXINT64 / 60)
    return FALSE;
  if (minutes >= 0)
    *seconds = minutes * 60;

  return TRUE;
}

static gboolean
take_word (JmSchedulerReport *report, JmSlice text, const char **words)
{
  g_autofree char *more = NULL;

  if (*words == NULL)
    {
      *words = jm_scheduler_report_keep_slice (report, text);
      return TRUE;
    }
  if (strlen (*words) + text.length > WORDS_MAX)
    return FALSE;

  more = g_strdup_printf ("%s,%.*s", *words, (int) text.length, text.text);
  *words = jm_scheduler_report_keep_slice (report, (JmSlice){ more, strlen (more) });

  return TRUE;
}

static gboolean
take_tres (JmSlice text, JmSlurmKind kind, gint64 *place)
{
  JmSlurmTres tres;
  gint64 value;
  guint item;

  jm_slurm_parse_tres (text, &tres);
  switch (kind)
    {
    case JM_SLURM_TRES_CPUS:
      value = tres.cpus;
      item = JM_SLURM_ITEM_CPU;
      break;
    case JM_SLURM_TRES_MEMORY:
      value = tres.memory_bytes;
      item = JM_SLURM_ITEM_MEM;
      break;
    case JM_SLURM_TRES_NODES:
      value = tres.nodes;
      item = JM_SLURM_ITEM_NODE;
      break;
    default:
      value = tres.gpus;
      item = JM_SLURM_ITEM_GPU;
      break;
    }
  if (value >= 0)
    *place = value;

  return value >= 0 || (tres.unread & (item | JM_SLURM_ITEM_OTHER)) == 0;
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
    case JM_SLURM_ANY_TEXT:
      *(const char **) place = jm_scheduler_report_keep_slice (report, text);
      return TRUE;
    case JM_SLURM_COUNT:
      return jm_scheduler_take_value (text, jm_scheduler_parse_count, place);
    case JM_SLURM_TIME:
      return jm_scheduler_take_value (text, jm_scheduler_parse_time, place);
    case JM_SLURM_REAL:
      return take_real (text, 1, place);
    case JM_SLURM_MICROSECONDS:
      return take_real (text, MICROSECONDS, place);
    case JM_SLURM_HUNDREDTHS:
      return take_real (text, HUNDREDTHS, place);
    case JM_SLURM_YES:
      return take_yes (text, place);
    case JM_SLURM_MINUTES:
      return take_minutes (text, place);
    case JM_SLURM_MEMORY:
      return jm_scheduler_take_value (text, jm_scheduler_parse_memory, place);
    case JM_SLURM_WORDS:
      return take_word (report, text, place);
    case JM_SLURM_DURATION:
      return jm_scheduler_take_value (text, jm_scheduler_parse_duration, place);
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

/* Those of the same name in turn are of the same column. */
static gboolean
begins_column (const JmSlurmField *fields, guint i)
{
  return i == 0 || !g_str_equal (fields[i].name, fields[i - 1].name);
}

static gboolean
has_all_columns (const JmSlurmField *fields, guint n_fields, JmSlice line)
{
  guint n_columns = 0;
  JmSlice column;

  for (guint i = 0; i < n_fields; i++)
    n_columns += begins_column (fields, i);
  while (n_columns > 0 && jm_slice_take_word (&line, '|', &column))
    n_columns--;

  return n_columns == 0 && line.text == NULL;
}

gboolean
jm_slurm_field_take_columns (const JmSlurmField *fields,
                             guint n_fields,
                             JmSchedulerReport *report,
                             gpointer record,
                             JmSlice line,
                             const char *command)
{
  JmSlice column = line;

  if (!has_all_columns (fields, n_fields, line))
    {
      g_autofree char *complaint =
        g_strdup_printf ("%s: another number of columns", command);

      jm_scheduler_report_pass_over (report, complaint);
      return FALSE;
    }

  for (guint i = 0; i < n_fields; i++)
    {
      if (begins_column (fields, i))
        jm_slice_take_word (&line, '|', &column);
      jm_slurm_field_take (&fields[i], report, record, jm_slice_trim (column));
    }

  return TRUE;
}
