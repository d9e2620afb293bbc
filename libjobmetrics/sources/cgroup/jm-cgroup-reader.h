/* jm-cgroup-reader.h: what a cgroup has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_CGROUP_READER (jm_cgroup_reader_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmCgroupReader, jm_cgroup_reader, JM, CGROUP_READER, JmSource)

/**
 * JmCgroupReaderInterface:
 * @parent_iface: the parent interface
 * @list_children: see jm_cgroup_reader_list_children()
 * @take_changes: see jm_cgroup_reader_take_changes(); may be left out, then the
 *   hierarchy is listed in every round
 * @get_event_fd: see jm_cgroup_reader_get_event_fd(); may be left out
 * @get_inode: see jm_cgroup_reader_get_inode(); may be left out
 * @get_owner: see jm_cgroup_reader_get_owner(); may be left out
 * @open_cgroup: see jm_cgroup_reader_open_cgroup()
 * @read: see jm_cgroup_reader_read()
 * @list_processes: see jm_cgroup_reader_list_processes()
 * @note_processes: see jm_cgroup_reader_note_processes(); may be left out
 * @close_cgroup: see jm_cgroup_reader_close_cgroup()
 *
 * What a version of cgroups, or anything like them, has to do.
 *
 * Since: 0.1
 */
struct _JmCgroupReaderInterface
{
  GTypeInterface parent_iface;

  char **(*list_children) (JmCgroupReader *self, const char *path, GError **error);
  char **(*take_changes) (JmCgroupReader *self);
  int (*get_event_fd) (JmCgroupReader *self);
  guint64 (*get_inode) (JmCgroupReader *self, const char *path, guint hierarchy);
  guint (*get_owner) (JmCgroupReader *self, const char *path);
  guint (*open_cgroup) (JmCgroupReader *self,
                        const char *path,
                        JmSubjectKind level,
                        GError **error);
  gboolean (*read) (JmCgroupReader *self,
                    guint cgroup,
                    JmReadings *readings,
                    GError **error);
  gboolean (*list_processes) (JmCgroupReader *self,
                              guint cgroup,
                              JmReadings *readings,
                              GError **error);
  void (*note_processes) (JmCgroupReader *self, guint cgroup, JmReadings *readings);
  void (*close_cgroup) (JmCgroupReader *self, guint cgroup);

  gpointer padding[6];
};

JM_AVAILABLE_IN_ALL
char **
jm_cgroup_reader_list_children (JmCgroupReader *self, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
char **jm_cgroup_reader_take_changes (JmCgroupReader *self);

JM_AVAILABLE_IN_ALL
int jm_cgroup_reader_get_event_fd (JmCgroupReader *self);

JM_AVAILABLE_IN_ALL
guint64
jm_cgroup_reader_get_inode (JmCgroupReader *self, const char *path, guint hierarchy);

JM_AVAILABLE_IN_ALL
guint jm_cgroup_reader_get_owner (JmCgroupReader *self, const char *path);

JM_AVAILABLE_IN_ALL
guint jm_cgroup_reader_open_cgroup (JmCgroupReader *self,
                                    const char *path,
                                    JmSubjectKind level,
                                    GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_cgroup_reader_read (JmCgroupReader *self,
                                guint cgroup,
                                JmReadings *readings,
                                GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_cgroup_reader_list_processes (JmCgroupReader *self,
                                          guint cgroup,
                                          JmReadings *readings,
                                          GError **error);

JM_AVAILABLE_IN_ALL
void jm_cgroup_reader_note_processes (JmCgroupReader *self,
                                      guint cgroup,
                                      JmReadings *readings);

JM_AVAILABLE_IN_ALL
void jm_cgroup_reader_close_cgroup (JmCgroupReader *self, guint cgroup);

JM_AVAILABLE_IN_ALL
JmCgroupReader *jm_cgroup_reader_new_for_host (JmHost *host, GError **error);

G_END_DECLS
