/* jm-slurm-table.c: lines of columns that Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-slurm-table-private.h"

#include "sources/scheduler/jm-slurm-value-private.h"

/* Of what cannot be read. */
#define QUOTE_MAX 80

char *
jm_slurm_table_make_format (const JmSlurmColumn *columns, guint n_columns)
{
  GString *format = g_string_new (NULL);

  for (guint i = 0; i < n_columns; i++)
    g_string_append_printf (format, "%s%s:%c", i > 0 ? "," : "", columns[i].name,
                            JM_SLURM_SEPARATOR);

  return g_string_free (format, FALSE);
}

static gboolean
refuse (JmSchedulerReport *report,
        const char *command,
        const char *column,
        JmSlice text)
{
  g_autofree char *problem =
    g_strdup_printf ("%s: %s: %.*s", command, column,
                     (int) MIN (text.length, QUOTE_MAX), text.text);

  jm_scheduler_report_complain (report, problem);

  return FALSE;
}

guint
jm_slurm_table_count_separators (JmSlice text)
{
  JmSlice word;
  guint n = 0;

  while (jm_slice_take_word (&text, JM_SLURM_SEPARATOR, &word))
    n += text.text != NULL;

  return n;
}

/* Behind the last column a separator stands, too. A text that was cut has none, and one
 * may have others in it. */
static gboolean
check_columns (guint n_columns,
               gboolean ends_in_text,
               JmSlice line,
               JmSchedulerReport *report,
               const char *command)
{
  guint n = jm_slurm_table_count_separators (line);

  if (n + (ends_in_text ? 1 : 0) < n_columns)
    return refuse (report, command, "a line that is cut", line);
  if (!ends_in_text &&
      (n > n_columns || line.text[line.length - 1] != JM_SLURM_SEPARATOR))
    return refuse (report, command, "more than was asked for", line);

  return TRUE;
}

static JmSlice
take_column (JmSlice *rest, gboolean is_last)
{
  JmSlice word = *rest;

  if (!is_last)
    jm_slice_take_word (rest, JM_SLURM_SEPARATOR, &word);
  else if (word.length > 0 && word.text[word.length - 1] == JM_SLURM_SEPARATOR)
    word.length--;

  return word;
}

gboolean
jm_slurm_table_parse (const JmSlurmColumn *columns,
                      guint n_columns,
                      JmSlice line,
                      JmSchedulerReport *report,
                      gpointer record,
                      const char *command)
{
  /* Which column has one separator more is known only if all others make sense. */
  gboolean is_strict = jm_slurm_table_count_separators (line) > n_columns;
  JmSlice rest = line;

  if (!check_columns (n_columns, columns[n_columns - 1].is_text, line, report, command))
    return FALSE;

  for (guint i = 0; i < n_columns; i++)
    {
      JmSlice word = take_column (&rest, i == n_columns - 1);

      if (columns[i].take (report, record, word))
        continue;
      refuse (report, command, columns[i].name, word);
      if (columns[i].is_key || is_strict)
        return FALSE;
    }

  return TRUE;
}
