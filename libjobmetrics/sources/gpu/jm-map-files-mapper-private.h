/* jm-map-files-mapper-private.h: accelerators in files that are called like them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-gpu-mapper.h"

G_BEGIN_DECLS

/**
 * JmMapFilesMapper:
 *
 * Tells what a hook of the site's has left in a directory: a file for each device or
 * instance, called as the driver numbers it (`0`, `0.3`) or by its uuid, with the id of
 * a job that has it in front of each line. That is what prologs for several exporters
 * write, and the mapping directory of DCGM's exporter. Only what root alone may have
 * written counts.
 */
#define JM_TYPE_MAP_FILES_MAPPER (jm_map_files_mapper_get_type ())

G_DECLARE_FINAL_TYPE (JmMapFilesMapper,
                      jm_map_files_mapper,
                      JM,
                      MAP_FILES_MAPPER,
                      JmSource)

/* @directory: NULL for the usual one, which then has to be there. */
JmMapFilesMapper *
jm_map_files_mapper_new (JmHost *host, const char *directory, GError **error);

/* For how long a file may name a job of which nobody asks, before it is said so. */
void jm_map_files_mapper_set_patience (JmMapFilesMapper *self, gint64 patience_us);

G_END_DECLS
