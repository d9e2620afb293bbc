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

gboolean
jm_slurm_table_parse (const JmSlurmColumn *columns,
                      guint n_columns,
                      JmSlice line,
                      JmSchedulerReport *report,
                      gpointer record,
                      const char *command)
{
  JmSlice rest = line;
  JmSlice word;

  for (guint i = 0; i < n_columns; i++)
    {
      jm_slurm_take_word (&rest, JM_SLURM_SEPARATOR, &word);
      /* behind the last column a separator stands, too */
      if (rest.text == NULL)
        return refuse (report, command, "a line that is cut", line);
      if (!columns[i].take (report, record, word))
        return refuse (report, command, columns[i].name, word);
    }

  return rest.length == 0 || refuse (report, command, "more than was asked for", line);
}
