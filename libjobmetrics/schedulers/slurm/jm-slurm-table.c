/* jm-slurm-table.c: lines of columns that Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-table-private.h"

#include <sys/random.h>

/* Of what cannot be read. */
#define QUOTE_MAX 80

/* Users of the machine see a separator among the arguments of the command: by those
 * that they saw they must not guess the next. */
char *
jm_slurm_make_separator (void)
{
  guint32 chance;

  if (getrandom (&chance, sizeof chance, 0) != sizeof chance)
    g_error ("the kernel gives no random bytes");

  return g_strdup_printf ("\x1f%08x", chance);
}

/* A row of Slurm's begins with an id and a separator, before anything that users
 * write: they cannot have this shortened. */
gboolean
jm_slurm_settle_separator (char *separator, JmSlice line)
{
  if (memchr (line.text, separator[0], line.length) == NULL)
    return FALSE;
  if (jm_slurm_count_separators (line, separator) == 0)
    separator[1] = '\0';

  return TRUE;
}

static const char *
find (JmSlice text, const char *separator)
{
  return text.length > 0
           ? memmem (text.text, text.length, separator, strlen (separator))
           : NULL;
}

gboolean
jm_slurm_take_cell (JmSlice *rest, const char *separator, JmSlice *cell)
{
  const char *found = find (*rest, separator);

  if (rest->text == NULL)
    return FALSE;

  *cell = *rest;
  *rest = (JmSlice){ NULL, 0 };
  if (found != NULL)
    {
      gsize length = (gsize) (found - cell->text);

      *rest = (JmSlice){ found + strlen (separator),
                         cell->length - length - strlen (separator) };
      cell->length = length;
    }

  return TRUE;
}

guint
jm_slurm_count_separators (JmSlice text, const char *separator)
{
  JmSlice cell;
  guint n = 0;

  while (jm_slurm_take_cell (&text, separator, &cell))
    n += text.text != NULL;

  return n;
}

char *
jm_slurm_table_make_format (const JmSlurmTable *self, const char *separator)
{
  GString *format = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (format, "%s%s:%s", i > 0 ? "," : "", self->columns[i].name,
                            separator);

  return g_string_free (format, FALSE);
}

static char *
describe (const char *command, const char *column, JmSlice text)
{
  return g_strdup_printf ("%s: %s: %.*s", command, column,
                          (int) MIN (text.length, QUOTE_MAX), text.text);
}

/* Of a row that is passed over. */
static gboolean
refuse (JmSchedulerReport *report,
        const char *command,
        const char *column,
        JmSlice text)
{
  g_autofree char *problem = describe (command, column, text);

  jm_scheduler_report_pass_over (report, problem);

  return FALSE;
}

static void
complain (JmSchedulerReport *report,
          const char *command,
          const char *column,
          JmSlice text)
{
  g_autofree char *problem = describe (command, column, text);

  jm_scheduler_report_complain (report, problem);
}

/* Behind the last column a separator stands, too. A complaint quotes the first column:
 * it is to be the same at each reading, whatever the separator. */
static gboolean
check_columns (const JmSlurmTable *self,
               const char *separator,
               JmSlice row,
               JmSchedulerReport *report)
{
  gsize length = strlen (separator);
  guint n = jm_slurm_count_separators (row, separator);
  JmSlice rest = row;
  JmSlice first = row;

  jm_slurm_take_cell (&rest, separator, &first);
  if (n + 1 < self->n_columns || (n + 1 == self->n_columns && !self->may_lack_last))
    return refuse (report, self->command, "a line that is cut", first);
  if (n > self->n_columns ||
      memcmp (row.text + row.length - length, separator, length) != 0)
    return refuse (report, self->command, "more than was asked for", first);

  return TRUE;
}

gboolean
jm_slurm_table_parse (const JmSlurmTable *self,
                      const char *separator,
                      JmSlice row,
                      JmSchedulerReport *report,
                      gpointer record)
{
  JmSlice rest = row;
  JmSlice cell;

  if (!check_columns (self, separator, row, report))
    return FALSE;

  for (guint i = 0; i < self->n_columns; i++)
    {
      const JmSlurmColumn *column = &self->columns[i];

      jm_slurm_take_cell (&rest, separator, &cell);
      if (column->take (report, record, cell))
        continue;
      if (column->is_key)
        return refuse (report, self->command, column->name, cell);
      complain (report, self->command, column->name, cell);
    }

  return TRUE;
}
