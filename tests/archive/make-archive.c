/* make-archive.c: an archive of the runs that its input describes, for tests of what
 * reads one
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#define MAX_LINE 4096
#define STEP "step."

/* Of the last step, by the name of its column. */
static void
set_number_of_step (JmRunBatch *batch, const char *name, const char *value)
{
  JmRunItem *item = &g_array_index (batch->items, JmRunItem, batch->items->len - 1);
  guint n;
  const JmRunPartColumn *columns =
    jm_run_part_kind_get_columns (JM_RUN_PART_KIND_STEP, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (columns[i].name, name))
      jm_run_part_set_number (item->parts->pdata[item->parts->len - 1],
                              columns[i].quantity, g_ascii_strtoll (value, NULL, 10));
}

/* `step=NAME` is a step of the run, and `step.COLUMN=NUMBER` a figure of it; other
 * words are columns of the table of runs. */
static void
add_word (JmRun *run, JmRunBatch *batch, const char *name, const char *value)
{
  g_autoptr (JmRunPart) step = NULL;
  JmRunField field;

  if (g_str_equal (name, "step"))
    {
      step = jm_run_part_new (JM_RUN_PART_KIND_STEP);
      jm_run_part_set_text (step, JM_QUANTITY_NAME, value);
      jm_run_batch_add_part (batch, step);
    }
  else if (g_str_has_prefix (name, STEP))
    set_number_of_step (batch, name + strlen (STEP), value);
  else if (!jm_run_field_from_name (name, &field))
    g_error ("no such column: %s", name);
  else if (jm_run_field_holds_text (field))
    jm_run_keep_text (run, field, value);
  else
    jm_run_keep_number (run, field, g_ascii_strtoll (value, NULL, 10));
}

/* A line is the job's id, and NAME=VALUE as often as it comes. */
static void
add_line (JmRunBatch *batch, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (JmRun) run = jm_run_new ("alps", words[0]);

  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  for (char **word = words + 1; *word != NULL; word++)
    {
      char *equals = strchr (*word, '=');

      g_assert (equals != NULL);
      *equals = '\0';
      add_word (run, batch, *word, equals + 1);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmArchiveDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  char line[MAX_LINE];

  if (argc != 2)
    {
      g_printerr ("usage: make-archive URI < RUNS\n");
      return 2;
    }

  while (fgets (line, sizeof line, stdin) != NULL)
    add_line (batch, g_strchomp (line));

  database = jm_archive_database_open (argv[1], &error);
  if (database == NULL || !jm_archive_database_merge (database, batch, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }

  return 0;
}
