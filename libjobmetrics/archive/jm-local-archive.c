/* jm-local-archive.c: an archive that is a database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-database-private.h"
#include "archive/jm-archive-private.h"
#include "archive/jm-run-filter-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-record-private.h"

#define JM_TYPE_LOCAL_ARCHIVE (jm_local_archive_get_type ())
G_DECLARE_FINAL_TYPE (JmLocalArchive, jm_local_archive, JM, LOCAL_ARCHIVE, GObject)

struct _JmLocalArchive
{
  GObject parent_instance;
  JmArchiveView view;
};

static void archive_iface_init (JmArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmLocalArchive,
                               jm_local_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_ARCHIVE,
                                                      archive_iface_init))

/* A URI may have a password in it. */
static const char *
jm_local_archive_get_name (JmArchive *archive)
{
  return "the archive";
}

static const char *
jm_local_archive_get_user (JmArchive *archive)
{
  return JM_LOCAL_ARCHIVE (archive)->view.user;
}

static const char *
jm_local_archive_get_url (JmArchive *archive)
{
  return NULL;
}

static GPtrArray *
jm_local_archive_list_runs (JmArchive *archive,
                            JmRunFilter *filter,
                            guint limit,
                            const char *cursor,
                            char **next,
                            GCancellable *cancellable,
                            GError **error)
{
  JmLocalArchive *self = JM_LOCAL_ARCHIVE (archive);
  g_autoptr (JmRunFilter) page = jm_run_filter_copy (filter);

  jm_run_filter_set_limit (page, limit);
  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      (cursor != NULL && !jm_run_filter_set_cursor (page, cursor, error)))
    return NULL;

  return jm_archive_database_list_runs (self->view.database, page, self->view.viewer,
                                        next, error);
}

static GPtrArray *
jm_local_archive_list_usage (JmArchive *archive,
                             JmRunFilter *filter,
                             JmUsageGroups groups,
                             GCancellable *cancellable,
                             GError **error)
{
  JmLocalArchive *self = JM_LOCAL_ARCHIVE (archive);

  return jm_archive_database_list_usage (self->view.database, filter, groups,
                                         self->view.viewer, error);
}

static GVariant *
jm_local_archive_list_statistics (JmArchive *archive,
                                  JmRunFilter *filter,
                                  JmUsageGroups groups,
                                  GCancellable *cancellable,
                                  GError **error)
{
  JmLocalArchive *self = JM_LOCAL_ARCHIVE (archive);
  g_autoptr (JmRunFilter) ended = jm_run_filter_copy (filter);
  g_autoptr (GPtrArray) rows = NULL;
  gint64 since, until;

  /* when they began does not count */
  jm_run_filter_get_period (filter, &since, &until);
  jm_run_filter_set_period (ended, 0, 0);
  rows = jm_archive_database_list_statistics (self->view.database, ended, since, until,
                                              groups, self->view.viewer, error);

  return rows != NULL ? jm_run_statistics_pack (rows) : NULL;
}

static gboolean
read_parts (JmLocalArchive *self, JmRun *run, JmRunPartKind kind, GError **error)
{
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (self->view.database, run, kind, self->view.viewer,
                                    error);

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    jm_run_add_part (run, parts->pdata[i]);

  return parts != NULL;
}

static JmRun *
jm_local_archive_find_run (JmArchive *archive,
                           const char *uuid,
                           GCancellable *cancellable,
                           GError **error)
{
  JmLocalArchive *self = JM_LOCAL_ARCHIVE (archive);
  g_autoptr (JmRun) run =
    jm_archive_database_find_run (self->view.database, uuid, self->view.viewer, error);

  for (JmRunPartKind kind = 0; run != NULL && kind < JM_RUN_PART_KIND_RECORD; kind++)
    if (!read_parts (self, run, kind, error))
      return NULL;

  return g_steal_pointer (&run);
}

static GPtrArray *
jm_local_archive_list_records (JmArchive *archive,
                               JmRun *run,
                               GCancellable *cancellable,
                               GError **error)
{
  return read_parts (JM_LOCAL_ARCHIVE (archive), run, JM_RUN_PART_KIND_RECORD, error)
           ? jm_run_record_unpack_all (run)
           : NULL;
}

static void
archive_iface_init (JmArchiveInterface *iface)
{
  iface->get_name = jm_local_archive_get_name;
  iface->get_user = jm_local_archive_get_user;
  iface->get_url = jm_local_archive_get_url;
  iface->list_runs = jm_local_archive_list_runs;
  iface->list_usage = jm_local_archive_list_usage;
  iface->list_statistics = jm_local_archive_list_statistics;
  iface->find_run = jm_local_archive_find_run;
  iface->list_records = jm_local_archive_list_records;
}

static void
jm_local_archive_finalize (GObject *object)
{
  JmLocalArchive *self = JM_LOCAL_ARCHIVE (object);

  g_clear_object (&self->view.database);
  g_clear_pointer (&self->view.viewer, jm_viewer_free);
  g_free ((char *) self->view.user);

  G_OBJECT_CLASS (jm_local_archive_parent_class)->finalize (object);
}

static void
jm_local_archive_class_init (JmLocalArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_local_archive_finalize;
}

static void
jm_local_archive_init (JmLocalArchive *self)
{
}

JmArchive *
jm_archive_new_for_view (const JmArchiveView *view)
{
  JmLocalArchive *self = g_object_new (JM_TYPE_LOCAL_ARCHIVE, NULL);

  self->view = (JmArchiveView){ .database = g_object_ref (view->database),
                                .viewer = jm_viewer_copy (view->viewer),
                                .user = g_strdup (view->user),
                                .site = view->site };

  return JM_ARCHIVE (self);
}

JmArchive *
jm_archive_open_database (const char *uri, GError **error)
{
  g_autoptr (JmArchiveDatabase) database =
    jm_archive_database_open_for_reading (uri, NULL, error);
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();

  return database != NULL ? jm_archive_new_for_view (&(JmArchiveView){
                              database, viewer, g_get_user_name (), NULL })
                          : NULL;
}

const JmArchiveView *
jm_archive_get_view (JmArchive *self)
{
  return JM_IS_LOCAL_ARCHIVE (self) ? &JM_LOCAL_ARCHIVE (self)->view : NULL;
}
