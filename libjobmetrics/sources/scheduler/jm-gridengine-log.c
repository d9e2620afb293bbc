/* jm-gridengine-log.c: the runs in Grid Engine's accounting file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-scheduler-types-private.h"

#include "core/jm-error.h"
#include "sources/scheduler/jm-gridengine-row-private.h"

/*
 * JmGridEngineLog:
 *
 * Tells the runs that Grid Engine's accounting file has, and what it was called before
 * it was rotated. Sun's, Son of Grid Engine's and Univa's are read; not the JSON that
 * later ones may write.
 *
 * - Each start of a job has a row, so a rerun is a run of its own.
 * - Of a job with slaves only what its first host used is told, unless its parallel
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

enum
{
  PROP_CLUSTER = 1,
  PROP_PATH,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

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
jm_grid_engine_log_get_property (GObject *object,
                                 guint id,
                                 GValue *value,
                                 GParamSpec *pspec)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (object);

  switch (id)
    {
    case PROP_CLUSTER:
      g_value_set_string (value, self->cluster);
      break;
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_grid_engine_log_set_property (GObject *object,
                                 guint id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (object);

  switch (id)
    {
    case PROP_CLUSTER:
      self->cluster = g_value_dup_string (value);
      break;
    case PROP_PATH:
      self->path = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_grid_engine_log_finalize (GObject *object)
{
  JmGridEngineLog *self = JM_GRID_ENGINE_LOG (object);

  g_free (self->cluster);
  g_free (self->path);
  g_free (self->position_name);

  G_OBJECT_CLASS (jm_grid_engine_log_parent_class)->finalize (object);
}

static void
jm_grid_engine_log_class_init (JmGridEngineLogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = jm_grid_engine_log_get_property;
  object_class->set_property = jm_grid_engine_log_set_property;
  object_class->finalize = jm_grid_engine_log_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_grid_engine_log_open;

  /*
   * JmGridEngineLog:cluster:
   *
   * Name of the cluster whose runs these are.
   *
   * Since: 0.1
   */
  properties[PROP_CLUSTER] = g_param_spec_string ("cluster", NULL, NULL, NULL, flags);

  /*
   * JmGridEngineLog:path:
   *
   * The file.
   *
   * Since: 0.1
   */
  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_grid_engine_log_init (JmGridEngineLog *self)
{
}
