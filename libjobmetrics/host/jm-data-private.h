/* jm-data-private.h: the files that jobmetrics brings along, or a site's in their place
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* Where a site keeps its own files, each below the folder that jobmetrics' copy is in.
 */
#define JM_SITE_DIR "/etc/jobmetrics"

/**
 * JmDataFile:
 *
 * The copy of a file that counts: the one that is compiled into the library, or a file
 * of the site's or the caller's that replaces it.
 */
typedef struct
{
  char *name;   /* such as "slurm.conf"; a path where it has no built-in copy */
  JmHost *host; /* NULL where it is built in */
  char *path;   /* on that host; below the resources where it is built in */
} JmDataFile;

void jm_data_file_free (JmDataFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDataFile, jm_data_file_free)

JmDataFile *jm_data_file_new (JmHost *host, const char *path);
JmDataFile *jm_data_file_new_built_in (const char *name);
char *jm_data_file_describe (const JmDataFile *self);
GBytes *jm_data_file_read (const JmDataFile *self, gsize max_bytes, GError **error);

JmDataFile *jm_data_find (JmHost *host, const char *name, GError **error);
GPtrArray *jm_data_list (JmHost *host,
                         const char *folder,
                         const char *suffix,
                         const char *const *directories,
                         GPtrArray *problems);

G_END_DECLS
