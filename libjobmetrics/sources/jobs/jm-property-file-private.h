/* jm-property-file-private.h: what a hook left about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmPropertyFile:
 *
 * Lines `NAME=VALUE` that a scheduler's hook wrote about one job.
 */
typedef struct _JmPropertyFile JmPropertyFile;

JmPropertyFile *jm_property_file_read (JmHost *host,
                                       const char *directory,
                                       const char *name,
                                       GError **error);
JmPropertyFile *jm_property_file_read_of_daemon (JmHost *host,
                                                 const char *directory,
                                                 const char *name,
                                                 GError **error);
JmPropertyFile *jm_property_file_read_any (JmHost *host,
                                           const char *path,
                                           guint *owner,
                                           gboolean *is_protected,
                                           GError **error);
void jm_property_file_free (JmPropertyFile *self);

gboolean jm_property_owner_is_trusted (JmHost *host, guint uid);
gboolean jm_property_directory_check (JmHost *host, const char *path, GError **error);

const char *jm_property_file_get_path (const JmPropertyFile *self);
gboolean jm_property_file_check (const JmPropertyFile *self, GError **error);
const char *jm_property_file_get_text (const JmPropertyFile *self, gsize *length);

gboolean
jm_properties_find (const char *text, gsize length, const char *name, JmSlice *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPropertyFile, jm_property_file_free)

G_END_DECLS
