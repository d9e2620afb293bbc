/* jm-host.h: the one owner of every root directory and kept-open file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

#define JM_TYPE_HOST (jm_host_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmHost, jm_host, JM, HOST, GObject)

JM_AVAILABLE_IN_ALL
JmHost *jm_host_new (const char *root);

JM_AVAILABLE_IN_ALL
JmHost *jm_host_new_with_paths (const char *root,
                                const char *procfs,
                                const char *sysfs,
                                const char *cgroupfs);

JM_AVAILABLE_IN_ALL
const char *jm_host_get_root (JmHost *self);

JM_AVAILABLE_IN_ALL
guint jm_host_raise_open_files_limit (void);

JM_AVAILABLE_IN_ALL
char *jm_host_resolve (JmHost *self, const char *path);

JM_AVAILABLE_IN_ALL
gboolean jm_host_exists (JmHost *self, const char *path);

JM_AVAILABLE_IN_ALL
gssize
jm_host_read (JmHost *self, const char *path, char *buffer, gsize size, GError **error);

JM_AVAILABLE_IN_ALL
gboolean
jm_host_read_uint64 (JmHost *self, const char *path, guint64 *value, GError **error);

JM_AVAILABLE_IN_ALL
char *jm_host_read_all (JmHost *self,
                        const char *path,
                        gsize max,
                        gsize *length,
                        GError **error);

JM_AVAILABLE_IN_ALL
char *jm_host_read_link (JmHost *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
char **jm_host_list_dir (JmHost *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_host_get_owner (JmHost *self, const char *path, guint *uid, GError **error);

JM_AVAILABLE_IN_ALL
guint jm_host_get_open_files (JmHost *self);

G_END_DECLS
