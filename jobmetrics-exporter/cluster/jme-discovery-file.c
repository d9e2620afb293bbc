/* jme-discovery-file.c: the nodes of clusters, in a file for Prometheus to read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jme-discovery-file.h"

#include <errno.h>
#include <glib/gstdio.h>

#define MODE 0644

struct _JmeDiscoveryFile
{
  char *path;
  char *new_path;  /* beside it, where it is written */
  GBytes *written; /* last; NULL before */
};

JmeDiscoveryFile *
jme_discovery_file_new (const char *path)
{
  JmeDiscoveryFile *self = g_new0 (JmeDiscoveryFile, 1);

  self->path = g_strdup (path);
  self->new_path = g_strconcat (path, ".new", NULL);

  return self;
}

void
jme_discovery_file_free (JmeDiscoveryFile *self)
{
  g_clear_pointer (&self->written, g_bytes_unref);
  g_free (self->path);
  g_free (self->new_path);
  g_free (self);
}

static gboolean
refuse (const JmeDiscoveryFile *self, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (code), "%s: %s",
               self->path, g_strerror (code));

  return FALSE;
}

gboolean
jme_discovery_file_write (JmeDiscoveryFile *self, GBytes *targets, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (targets, &length);

  if (self->written != NULL && g_bytes_equal (self->written, targets))
    return TRUE;

  if (!g_file_set_contents_full (self->new_path, text, (gssize) length,
                                 G_FILE_SET_CONTENTS_CONSISTENT, MODE, error))
    return FALSE;
  /* the daemon's own umask lets nobody else read what it writes */
  if (g_chmod (self->new_path, MODE) != 0 || g_rename (self->new_path, self->path) != 0)
    return refuse (self, errno, error);

  g_clear_pointer (&self->written, g_bytes_unref);
  self->written = g_bytes_ref (targets);

  return TRUE;
}
