/* jm-cgroup-reader.c: what a cgroup has used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-reader.h"

/**
 * JmCgroupReader:
 *
 * Reads what cgroups have used. A path names a cgroup from the root of its hierarchy,
 * such as `/system.slice/slurmstepd.scope/job_1`; in cgroup v1 one path stands for the
 * directories of that name in all controllers' hierarchies.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmCgroupReader, jm_cgroup_reader, JM_TYPE_SOURCE)

static void
jm_cgroup_reader_default_init (JmCgroupReaderInterface *iface)
{
}

/* A binding that cannot hand on what an implementation raised prints it instead. */
static GError **
some_place (GError **error, GError **unwanted)
{
  return error != NULL ? error : unwanted;
}

/**
 * jm_cgroup_reader_list_children:
 * @self: a cgroup reader
 * @path: path of a cgroup, `/` for the root
 * @error: return location for an error
 *
 * Lists the cgroups directly below a cgroup, and from then on watches it: its births
 * and deaths show in jm_cgroup_reader_take_changes().
 *
 * - Shape: names, not paths, in no order.
 * - Errors: `ABSENT` when the cgroup went away; else as the host reports.
 *
 * Returns: (transfer full): the names
 * Since: 0.1
 */
char **
jm_cgroup_reader_list_children (JmCgroupReader *self, const char *path, GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  return JM_CGROUP_READER_GET_IFACE (self)->list_children (self, path,
                                                           some_place (error,
                                                                       &unwanted));
}

/**
 * jm_cgroup_reader_take_changes:
 * @self: a cgroup reader
 *
 * Takes what has changed since it was asked last, without waiting.
 *
 * - Shape: paths of listed cgroups whose children changed; behind them, where that is
 *   known, those of the children that came, be they there still or not; and paths of
 *   opened cgroups from which the last process went, or may have: these should be read
 *   at once, for their directory is about to go. A path may stand in it more than once.
 *
 * Returns: (transfer full) (nullable): the paths; %NULL when changes may have been
 *   missed, so that all must be listed again; whoever asks once more gets those that
 *   were not missed
 * Since: 0.1
 */
char **
jm_cgroup_reader_take_changes (JmCgroupReader *self)
{
  JmCgroupReaderInterface *iface;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), NULL);

  iface = JM_CGROUP_READER_GET_IFACE (self);

  return iface->take_changes != NULL ? iface->take_changes (self) : NULL;
}

/**
 * jm_cgroup_reader_get_event_fd:
 * @self: a cgroup reader
 *
 * Gets a descriptor to poll: it becomes readable when jm_cgroup_reader_take_changes()
 * has something to report. It stays the reader's own.
 *
 * Returns: the descriptor; -1 where there is none
 * Since: 0.1
 */
int
jm_cgroup_reader_get_event_fd (JmCgroupReader *self)
{
  JmCgroupReaderInterface *iface;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), -1);

  iface = JM_CGROUP_READER_GET_IFACE (self);

  return iface->get_event_fd != NULL ? iface->get_event_fd (self) : -1;
}

/**
 * jm_cgroup_reader_get_inode:
 * @self: a cgroup reader
 * @path: path of a cgroup
 * @hierarchy: which, where there are several as in cgroup v1; they are numbered from 0
 *
 * Gets what distinguishes a cgroup from one of the same path that was there before it:
 * the number of its directory, which the kernel does not give again until it is booted.
 *
 * Returns: the number; 0 where it is not known, where the cgroup is not in that
 *   hierarchy, and where there is no such hierarchy
 * Since: 0.1
 */
guint64
jm_cgroup_reader_get_inode (JmCgroupReader *self, const char *path, guint hierarchy)
{
  g_return_val_if_fail (JM_IS_CGROUP_READER (self), 0);
  g_return_val_if_fail (path != NULL, 0);

  if (JM_CGROUP_READER_GET_IFACE (self)->get_inode == NULL)
    return 0;

  return JM_CGROUP_READER_GET_IFACE (self)->get_inode (self, path, hierarchy);
}

/**
 * jm_cgroup_reader_get_owner:
 * @self: a cgroup reader
 * @path: path of a cgroup
 *
 * Gets the user who may make cgroups in a cgroup, for root has given it to them.
 *
 * Returns: the user id; 0 where it is root's alone, and where that is not known
 * Since: 0.1
 */
guint
jm_cgroup_reader_get_owner (JmCgroupReader *self, const char *path)
{
  g_return_val_if_fail (JM_IS_CGROUP_READER (self), 0);
  g_return_val_if_fail (path != NULL, 0);

  if (JM_CGROUP_READER_GET_IFACE (self)->get_owner == NULL)
    return 0;

  return JM_CGROUP_READER_GET_IFACE (self)->get_owner (self, path);
}

/**
 * jm_cgroup_reader_open_cgroup:
 * @self: a cgroup reader
 * @path: path of a cgroup
 * @level: what it is: some files are read of jobs only
 * @error: return location for an error
 *
 * Opens a cgroup for being read again and again.
 *
 * - Errors: `ABSENT` when the cgroup went away; else as the host reports.
 *
 * Returns: a number for the other calls; 0 on error
 * Since: 0.1
 */
guint
jm_cgroup_reader_open_cgroup (JmCgroupReader *self,
                              const char *path,
                              JmSubjectKind level,
                              GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), 0);
  g_return_val_if_fail (path != NULL, 0);

  return JM_CGROUP_READER_GET_IFACE (self)->open_cgroup (self, path, level,
                                                         some_place (error, &unwanted));
}

/**
 * jm_cgroup_reader_read:
 * @self: a cgroup reader
 * @cgroup: number of an opened cgroup
 * @readings: where the figures go
 * @error: return location for an error
 *
 * Reads what a cgroup and all below it have used.
 *
 * - Shape: the figures that the kernel has for this cgroup. One that cannot be
 *   read is left out; why goes to jm_readings_add_error().
 * - Errors: `ABSENT` when the cgroup went away: what was added before may be part of
 *   the whole.
 *
 * Returns: whether the cgroup is still there
 * Since: 0.1
 */
gboolean
jm_cgroup_reader_read (JmCgroupReader *self,
                       guint cgroup,
                       JmReadings *readings,
                       GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), FALSE);

  return JM_CGROUP_READER_GET_IFACE (self)->read (self, cgroup, readings,
                                                  some_place (error, &unwanted));
}

/**
 * jm_cgroup_reader_list_processes:
 * @self: a cgroup reader
 * @cgroup: number of an opened cgroup
 * @readings: where the processes go, by jm_readings_add_process()
 * @error: return location for an error
 *
 * Lists the processes in a cgroup itself, not those in cgroups below it.
 *
 * - Errors: `ABSENT` where the cgroup is not there any more; `MALFORMED` where some of
 *   what is listed are no processes, and the rest was added.
 *
 * Returns: whether all of them were listed
 * Since: 0.1
 */
gboolean
jm_cgroup_reader_list_processes (JmCgroupReader *self,
                                 guint cgroup,
                                 JmReadings *readings,
                                 GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_CGROUP_READER (self), FALSE);

  return JM_CGROUP_READER_GET_IFACE (self)->list_processes (self, cgroup, readings,
                                                            some_place (error,
                                                                        &unwanted));
}

/**
 * jm_cgroup_reader_note_processes:
 * @self: a cgroup reader
 * @cgroup: number of an opened cgroup
 * @readings: has the processes in that cgroup, and no others
 *
 * Says what jm_cgroup_reader_list_processes() would have reported, where it was learned
 * otherwise. A reader that waits for a process's end chooses among these.
 *
 * Since: 0.1
 */
void
jm_cgroup_reader_note_processes (JmCgroupReader *self,
                                 guint cgroup,
                                 JmReadings *readings)
{
  g_return_if_fail (JM_IS_CGROUP_READER (self));
  g_return_if_fail (readings != NULL);

  if (JM_CGROUP_READER_GET_IFACE (self)->note_processes != NULL)
    JM_CGROUP_READER_GET_IFACE (self)->note_processes (self, cgroup, readings);
}

/**
 * jm_cgroup_reader_close_cgroup:
 * @self: a cgroup reader
 * @cgroup: number of an opened cgroup
 *
 * Closes a cgroup; its number may be given to another one.
 *
 * Since: 0.1
 */
void
jm_cgroup_reader_close_cgroup (JmCgroupReader *self, guint cgroup)
{
  g_return_if_fail (JM_IS_CGROUP_READER (self));

  JM_CGROUP_READER_GET_IFACE (self)->close_cgroup (self, cgroup);
}
