/* jm-host-private.h: what kept files and directories ask of their host
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <limits.h>

#include "host/jm-dir-private.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

int jm_host_map_path (JmHost *self, const char *path, char real[PATH_MAX]);
int jm_host_open_real (JmHost *self, const char *real, int flags);
int jm_host_open_in (JmHost *self, int dir_fd, const char *name, int flags);
const JmDir *jm_host_get_base (JmHost *self);
gboolean jm_host_take_descriptor (JmHost *self, JmWorth worth);
gboolean jm_host_has_room (JmHost *self, JmWorth worth);
void jm_host_give_descriptor (JmHost *self);
gboolean jm_host_has_sized_fd_dirs (JmHost *self);

/* Identifies this boot of the machine: a uuid; NULL where the kernel does not have it.
 */
char *jm_host_read_boot_id (JmHost *self);

/* When this machine was booted, by its clock as it is set now: since 1970. */
gint64 jm_clock_get_boot_ns (void);

const char *jm_host_get_procfs (JmHost *self);

const char *jm_host_get_cgroupfs (JmHost *self);

guint jm_host_get_max_open_files (JmHost *self);

gboolean
jm_host_get_inode (JmHost *self, const char *path, guint64 *inode, GError **error);

gboolean jm_host_is_live (JmHost *self);

G_END_DECLS
