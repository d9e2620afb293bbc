/* fuzz-slurmdbd.c: any texts as rows of slurmdbd's database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#define MAX_RUNS 3
#define NULL_COLUMN "NULL"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static GHashTable *
make_tres (void)
{
  static const gint64 ids[] = { 1, 2, 1001 };
  static const char *const names[] = { "cpu", "mem", "gres/gpu" };
  GHashTable *tres = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_hash_table_insert (tres, (gpointer) &ids[i], (gpointer) names[i]);

  return tres;
}

/* A line is a row, with commas in lists written as they are and bars between columns.
 */
static void
take_line (JmSlurmdbdRows *records, const char *line)
{
  guint n = jm_slurmdbd_count_columns ();
  g_auto (GStrv) words = g_strsplit (line, "|", (gint) n);
  g_autofree const char **columns = g_new0 (const char *, n);

  for (guint i = 0; i < n && words[i] != NULL; i++)
    columns[i] = g_str_equal (words[i], NULL_COLUMN) ? NULL : words[i];
  jm_slurmdbd_rows_take (columns, records);
}

static void
check_run (const JmRunItem *item)
{
  const char *id = jm_run_get_raw_id (item->run);

  g_assert_true (*id != '\0' && strspn (id, "0123456789") == strlen (id));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      gint64 number = 0;

      if (!jm_run_field_holds_text (i) && jm_run_get_number (item->run, i, &number))
        g_assert_cmpint (number, >=, 0);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) tres = make_tres ();
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("fuzzed", "\x1f", 1, MAX_RUNS);
  g_autoptr (JmSlurmdbdRows) records = jm_slurmdbd_rows_new (rows, tres, 1);
  g_autoptr (GPtrArray) batches = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    take_line (records, lines[i]);
  jm_slurmdbd_rows_finish (records);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_true ((batches == NULL) == (error != NULL));

  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) batches->pdata[i])->items;

      g_assert_cmpuint (items->len, <=, MAX_RUNS);
      for (guint k = 0; k < items->len; k++)
        check_run (&g_array_index (items, JmRunItem, k));
    }

  return 0;
}
