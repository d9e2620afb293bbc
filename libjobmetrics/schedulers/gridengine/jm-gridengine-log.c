/* jm-gridengine-log.c: the runs in Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"

/*
 * JmGridEngineLog:
 *
 * Reads the runs that Grid Engine's accounting file has, and what it was called before
 * it was rotated. Sun's, Son of Grid Engine's and Univa's are read; not the JSON that
 * later ones may write.
 *
 * - Each start of a job has a row, so a rerun is a run of its own.
 * - Of a job with slaves only what its first host used is known, unless its parallel
 *   environment has `accounting_summary`.
 * - Errors: `INVALID` where something is left out.
 *
 * Since: 0.1
 */
struct _JmGridEngineLog
{
  JmSource parent_instance;
  char *cluster;
  char *path;
  char *position_name;
};

static void history_iface_init (JmHistoryInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmGridEngineLog,
                               jm_grid_engine_log,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_HISTORY,
                                                      history_iface_init))

static GPtrArray *
list_files (JmGridEngineLog *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *path = jm_host_resolve (host, self->path);

  return jm_log_list_rotated (path, error);
}

static gboolean
jm_grid_engine_log_read (JmHistory *history,
                         const char *position,
                         JmHistoryTake take,
                         gpointer user_data,
                         GCancellable *cancellable,
                         GError **error)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (history);
  const JmLogKind kind = { self->position_name, self->cluster, jm_gridengine_parse_row,
                           FALSE };
  g_autoptr (GPtrArray) paths = list_files (self, error);

  return paths != NULL && jm_log_follower_read (&kind, paths, position, take, user_data,
                                                cancellable, error);
}

static const char *
jm_grid_engine_log_get_position_name (JmHistory *history)
{
  return JM_GRID_ENGINE_LOG (history)->position_name;
}

static void
history_iface_init (JmHistoryInterface *iface)
{
  iface->read = jm_grid_engine_log_read;
  iface->get_position_name = jm_grid_engine_log_get_position_name;
}

static gboolean
jm_grid_engine_log_open (JmSource *source, GError **error)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (source);

  if (self->cluster == NULL || *self->cluster == '\0' || self->path == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "gridengine-log: it needs cluster= and path=");
      return FALSE;
    }
  g_free (self->position_name);
  self->position_name = g_strconcat ("gridengine-log/", self->cluster, NULL);

  return TRUE;
}

static void
jm_grid_engine_log_finalize (GObject *object)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (object);

  g_free (self->position_name);

  G_OBJECT_CLASS (jm_grid_engine_log_parent_class)->finalize (object);
}

static void
jm_grid_engine_log_class_init (JmGridEngineLogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_grid_engine_log_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_grid_engine_log_open;

  /*
   * JmGridEngineLog:cluster:
   *
   * Name of the cluster whose runs these are.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmGridEngineLog, cluster), NULL);

  /*
   * JmGridEngineLog:path:
   *
   * The file.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "path",
                            G_STRUCT_OFFSET (JmGridEngineLog, path), NULL);
}

static void
jm_grid_engine_log_init (JmGridEngineLog *self)
{
}
