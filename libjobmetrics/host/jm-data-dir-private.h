/* jm-data-dir-private.h: where the files are that are installed beside the programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The path of @name among the installed data, or below the directory that the
 * environment variable JOBMETRICS_DATA_DIR names. */
char *jm_data_dir_build_path (const char *name);

G_END_DECLS
