/* jmc-hook-directory.h: a folder of small files, each of which is seen whole or not at
 * all
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcHookDirectory:
 * @path: as messages call it
 * @fd: the folder itself, so that nobody puts another in its place; -1 if not open */
typedef struct
{
  const char *path;
  int fd;
} JmcHookDirectory;

#define JMC_HOOK_DIRECTORY_INIT                                                        \
 {                                                                                     \
  NULL, -1                                                                             \
 }

/* Opens a folder; with @is_made one is made where there is none. One that is there
 * keeps the mode that the site gave it.
 *
 * - Errors: #GFileError. */
gboolean jmc_hook_directory_open (JmcHookDirectory *self,
                                  const char *path,
                                  gboolean is_made,
                                  GError **error);

/* Puts a file that all may read in the place of the one that was there, if any. */
gboolean jmc_hook_directory_write (const JmcHookDirectory *self,
                                   const char *name,
                                   const GString *text,
                                   GError **error);

/* A file that is not there is removed, too. */
gboolean jmc_hook_directory_remove (const JmcHookDirectory *self,
                                    const char *name,
                                    GError **error);

void jmc_hook_directory_close (JmcHookDirectory *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcHookDirectory, jmc_hook_directory_close)

G_END_DECLS
