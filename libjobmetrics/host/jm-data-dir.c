/* jm-data-dir.c: where the files are that are installed beside the programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-data-dir-private.h"

#include "host/jm-data-dir-path.h"

char *
jm_data_dir_build_path (const char *name)
{
  const char *data_dir = g_getenv ("JOBMETRICS_DATA_DIR");

  return g_build_filename (data_dir != NULL ? data_dir : JM_DATA_DIR, name, NULL);
}
