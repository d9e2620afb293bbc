/* fuzz-accounting-log.c: any bytes as lines of schedulers' accounting files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "core/jm-run-field-private.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check (JmLogParse parse, JmSlice line)
{
  g_autoptr (JmRun) run = NULL;
  const char *bad = NULL;
  JmLogRow row = parse (line, "fuzz", &run, &bad);

  g_assert_true (run == NULL || row == JM_LOG_ROW_READ);
  g_assert_true (run == NULL || *jm_run_get_raw_id (run) != '\0');
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (data, size);
  const char *cursor = text;
  JmSlice line;

  while (text != NULL && jm_parse_next_line (&cursor, text + size, &line))
    {
      check (jm_gridengine_parse_row, line);
      check (jm_htcondor_parse_ad, line);
      check (jm_pbs_parse_record, line);
    }

  return 0;
}
