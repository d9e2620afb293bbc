/* jm-pbs-log.c: the runs in PBS's accounting logs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"

/*
 * JmPbsLog:
 *
 * Reads the runs that the accounting logs of an OpenPBS or a PBS Professional have:
 * those that ended, and those that were begun anew. Jobs that were deleted before they
 * began are no runs.
 *
 * - Errors: `INVALID` where something is left out.
 *
 * Since: 0.1
 */
struct _JmPbsLog
{
  JmSource parent_instance;
  char *cluster;
  char *directory;
  char *path;
  char *position_name;
};

static void history_iface_init (JmHistoryInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmPbsLog,
                               jm_pbs_log,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_HISTORY,
                                                      history_iface_init))

static GPtrArray *
list_files (JmPbsLog *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  GPtrArray *paths;

  if (self->path == NULL)
    {
      g_autofree char *directory = jm_host_resolve (host, self->directory);

      return jm_log_list_dated (directory, error);
    }
  paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (paths, jm_host_resolve (host, self->path));

  return paths;
}

static gboolean
jm_pbs_log_read (JmHistory *history,
                 const char *position,
                 JmHistoryTake take,
                 gpointer user_data,
                 GCancellable *cancellable,
                 GError **error)
{
  JmPbsLog *self = JM_PBS_LOG (history);
  const JmLogKind kind = { self->position_name, self->cluster, jm_pbs_parse_record,
                           TRUE };
  g_autoptr (GPtrArray) paths = list_files (self, error);

  return paths != NULL && jm_log_follower_read (&kind, paths, position, take, user_data,
                                                cancellable, error);
}

static const char *
jm_pbs_log_get_position_name (JmHistory *history)
{
  return JM_PBS_LOG (history)->position_name;
}

static void
history_iface_init (JmHistoryInterface *iface)
{
  iface->read = jm_pbs_log_read;
  iface->get_position_name = jm_pbs_log_get_position_name;
}

static gboolean
jm_pbs_log_open (JmSource *source, GError **error)
{
  JmPbsLog *self = JM_PBS_LOG (source);

  if (self->cluster == NULL || *self->cluster == '\0' ||
      (self->directory == NULL) == (self->path == NULL))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "pbs-log: it needs cluster= and either directory= or path=");
      return FALSE;
    }
  g_free (self->position_name);
  self->position_name = g_strconcat ("pbs-log/", self->cluster, NULL);

  return TRUE;
}

static void
jm_pbs_log_finalize (GObject *object)
{
  JmPbsLog *self = JM_PBS_LOG (object);

  g_free (self->position_name);

  G_OBJECT_CLASS (jm_pbs_log_parent_class)->finalize (object);
}

static void
jm_pbs_log_class_init (JmPbsLogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_pbs_log_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_pbs_log_open;

  /*
   * JmPbsLog:cluster:
   *
   * Name of the cluster whose runs these are.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmPbsLog, cluster), NULL);

  /*
   * JmPbsLog:directory:
   *
   * The folder with a file for each day.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "directory",
                            G_STRUCT_OFFSET (JmPbsLog, directory), NULL);

  /*
   * JmPbsLog:path:
   *
   * One file of them, in place of a folder.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "path", G_STRUCT_OFFSET (JmPbsLog, path),
                            NULL);
}

static void
jm_pbs_log_init (JmPbsLog *self)
{
}
