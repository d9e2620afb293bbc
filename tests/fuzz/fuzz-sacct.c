/* fuzz-sacct.c: any bytes as rows of Slurm's accounting
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "base/jm-parse-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

#define MAX_RUNS 3
/* As in the recorded rows. */
#define DELIMITER                                                                      \
 "\x1f"                                                                                \
 "12345678"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_run (const JmRunItem *item)
{
  const char *id = jm_run_get_raw_id (item->run);

  g_assert_true (*id != '\0' && strspn (id, "0123456789") == strlen (id));
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    {
      gint64 number = 0;

      if (jm_run_field_holds_text (i))
        {
          const char *text = jm_run_peek_text (item->run, i);

          g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
        }
      else if (jm_run_get_number (item->run, i, &number))
        g_assert_cmpint (number, >=, 0);
    }
}

static void
read_rows (const uint8_t *data, size_t size, const char *delimiter)
{
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("fuzzed", delimiter, 1, MAX_RUNS);
  g_autoptr (GPtrArray) batches = NULL;
  g_autoptr (GError) error = NULL;
  const char *cursor = (const char *) data;
  const char *end = cursor + size;
  JmSlice line;

  while (jm_parse_next_line (&cursor, end, &line))
    jm_sacct_rows_take (line.text, line.length, cursor < end || size % 2 == 0, rows);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_true ((batches == NULL) == (error != NULL));
  g_assert_true ((jm_sacct_rows_get_n_bad (rows) == 0) ==
                 (jm_sacct_rows_get_complaint (rows) == NULL));

  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      JmRunBatch *batch = batches->pdata[i];

      g_assert_cmpuint (batch->items->len, <=, MAX_RUNS);
      for (guint k = 0; k < batch->items->len; k++)
        check_run (&g_array_index (batch->items, JmRunItem, k));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  read_rows (data, size, DELIMITER);
  read_rows (data, size, ";");

  return 0;
}
