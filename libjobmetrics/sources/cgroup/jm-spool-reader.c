/* jm-spool-reader.c: what the jobs of a scheduler without cgroups have used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-spool-reader-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-proc-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-source-private.h"
#include "sources/cgroup/jm-cgroup-slots-private.h"
#include "sources/cgroup/jm-spool-private.h"

/*
 * JmSpoolReader:
 *
 * Makes cgroups of the jobs of a scheduler that makes none, such as Grid Engine: it
 * keeps a folder for each job in a spool directory, and gives the job's processes an
 * additional group, whose number is in a file there. The cgroup of a job is called
 * `/NAME/FOLDER`, where NAME is the scheduler's; that of a task with a folder and a
 * group of its own `/NAME/FOLDER/TASK`.
 *
 * - Shape: processes; the CPUs that the scheduler granted (`pe_hostfile`); the CPU time
 *   of ended processes that it learnt when it waited for them. All else of a job is
 *   read of its processes.
 * - Source: the spool directories, `/proc` and `Groups:` of `/proc/PID/status`.
 * - Errors: `INVALID` for invalid settings.
 *
 * Since: 0.1
 */
struct _JmSpoolReader
{
  JmSource parent_instance;

  char *name;
  char **directories;
  char *group_file;
  char *node_name;
  JmSpoolIsJob is_job;
  gpointer is_job_data;
  GDestroyNotify is_job_destroy;

  JmSpool *spool;   /* NULL before it is opened */
  GPtrArray *slots; /* of Slot */
};

/* An opened cgroup. */
typedef struct
{
  char *job;
  char *task; /* NULL for the job's own */
  guint64 number;
} Slot;

static void cgroup_reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmSpoolReader,
                               jm_spool_reader,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                      cgroup_reader_iface_init))

/* --- paths --- */

static void
slot_free (gpointer data)
{
  Slot *slot = data;

  if (slot == NULL)
    return;

  g_free (slot->job);
  g_free (slot->task);
  g_free (slot);
}

/* The parts of `/NAME/JOB/TASK`, of which the later may be missing; %FALSE for whatever
 * is none of ours. */
static gboolean
split_path (JmSpoolReader *self, const char *path, char **job, char **task)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", 5);
  guint n = g_strv_length (parts);

  *job = *task = NULL;
  if (n < 2 || n > 4 || parts[0][0] != '\0' || !g_str_equal (parts[1], self->name))
    return FALSE;

  *job = g_strdup (n > 2 ? parts[2] : NULL);
  *task = g_strdup (n > 3 ? parts[3] : NULL);

  return TRUE;
}

static JmSpoolFolder *
find_folder (JmSpoolReader *self, const char *path, char **job, char **task)
{
  return split_path (self, path, job, task) && *job != NULL
           ? jm_spool_find (self->spool, *job, *task)
           : NULL;
}

/* --- the interface --- */

static char **
list_root (JmSpoolReader *self)
{
  char **names = g_new0 (char *, 2);

  names[0] = g_strdup (self->name);

  return names;
}

static char **
jm_spool_reader_list_children (JmCgroupReader *reader, const char *path, GError **error)
{
  JmSpoolReader *self = JM_SPOOL_READER (reader);
  g_autofree char *job = NULL;
  g_autofree char *task = NULL;

  if (g_str_equal (path, "/"))
    return list_root (self);
  if (split_path (self, path, &job, &task) && task == NULL)
    return jm_spool_list (self->spool, job);

  return g_new0 (char *, 1);
}

static char **
jm_spool_reader_take_changes (JmCgroupReader *reader)
{
  JmSpoolReader *self = JM_SPOOL_READER (reader);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  jm_spool_take (self->spool, names);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path =
        g_strconcat ("/", self->name, name[0] != '\0' ? "/" : "", name, NULL);

      g_strv_builder_add (paths, path);
    }

  return g_strv_builder_end (paths);
}

static int
jm_spool_reader_get_event_fd (JmCgroupReader *reader)
{
  return jm_spool_get_fd (JM_SPOOL_READER (reader)->spool);
}

static guint64
jm_spool_reader_get_inode (JmCgroupReader *reader, const char *path, guint hierarchy)
{
  g_autofree char *job = NULL;
  g_autofree char *task = NULL;
  const JmSpoolFolder *folder =
    find_folder (JM_SPOOL_READER (reader), path, &job, &task);

  return folder != NULL && hierarchy == 0 ? folder->number : 0;
}

static gboolean
set_absent (const char *name, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such job", name);

  return FALSE;
}

static guint
jm_spool_reader_open_cgroup (JmCgroupReader *reader,
                             const char *path,
                             JmSubjectKind level,
                             GError **error)
{
  JmSpoolReader *self = JM_SPOOL_READER (reader);
  g_autofree char *job = NULL;
  g_autofree char *task = NULL;
  const JmSpoolFolder *folder = find_folder (self, path, &job, &task);
  Slot *slot;

  if (folder == NULL)
    {
      set_absent (path, error);
      return 0;
    }

  slot = g_new0 (Slot, 1);
  slot->job = g_steal_pointer (&job);
  slot->task = g_steal_pointer (&task);
  slot->number = folder->number;

  return jm_cgroup_slots_add (self->slots, slot);
}

/* One of the same name that came later is another. */
static JmSpoolFolder *
find_opened (JmSpoolReader *self, guint cgroup, const Slot **slot, GError **error)
{
  JmSpoolFolder *folder;

  *slot = jm_cgroup_slots_get (self->slots, cgroup);
  if (*slot == NULL)
    {
      set_absent (self->name, error);
      return NULL;
    }

  folder = jm_spool_find (self->spool, (*slot)->job, (*slot)->task);
  if (folder != NULL && folder->number == (*slot)->number)
    return folder;

  set_absent ((*slot)->job, error);

  return NULL;
}

static gboolean
jm_spool_reader_read (JmCgroupReader *reader,
                      guint cgroup,
                      JmReadings *readings,
                      GError **error)
{
  JmSpoolReader *self = JM_SPOOL_READER (reader);
  guint64 user_ns, system_ns;
  const JmSpoolFolder *folder;
  const Slot *slot;

  folder = find_opened (self, cgroup, &slot, error);
  if (folder == NULL)
    return FALSE;

  if (folder->n_slots > 0 && jm_readings_begin (readings, JM_COLLECTOR_CPU))
    jm_readings_add (readings, JM_METRIC_CPUS, folder->n_slots);
  if (jm_spool_tell_usage (self->spool, slot->job, slot->task, &user_ns, &system_ns) &&
      jm_readings_begin (readings, JM_COLLECTOR_PROCESS))
    {
      jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, user_ns);
      jm_readings_add (readings, JM_METRIC_PROCESS_CPU_SYSTEM, system_ns);
    }

  return TRUE;
}

static gboolean
jm_spool_reader_list_processes (JmCgroupReader *reader,
                                guint cgroup,
                                JmReadings *readings,
                                GError **error)
{
  JmSpoolReader *self = JM_SPOOL_READER (reader);
  const JmSpoolFolder *folder;
  const Slot *slot;

  if (!jm_spool_look_for_processes (self->spool, error))
    return FALSE;

  folder = find_opened (self, cgroup, &slot, error);
  for (guint i = 0; folder != NULL && i < folder->pids->len; i++)
    jm_readings_add_process (readings, g_array_index (folder->pids, guint, i));

  return folder != NULL;
}

static void
jm_spool_reader_close_cgroup (JmCgroupReader *reader, guint cgroup)
{
  slot_free (jm_cgroup_slots_take (JM_SPOOL_READER (reader)->slots, cgroup));
}

static void
cgroup_reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = jm_spool_reader_list_children;
  iface->take_changes = jm_spool_reader_take_changes;
  iface->get_event_fd = jm_spool_reader_get_event_fd;
  iface->get_inode = jm_spool_reader_get_inode;
  iface->open_cgroup = jm_spool_reader_open_cgroup;
  iface->read = jm_spool_reader_read;
  iface->list_processes = jm_spool_reader_list_processes;
  iface->close_cgroup = jm_spool_reader_close_cgroup;
}

/* --- the object --- */

static gboolean
check_directories (JmSpoolReader *self, GError **error)
{
  for (guint i = 0; self->directories != NULL && self->directories[i] != NULL; i++)
    if (!g_path_is_absolute (self->directories[i]))
      {
        g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "not an absolute path: %s",
                     self->directories[i]);
        return FALSE;
      }

  return TRUE;
}

static gboolean
jm_spool_reader_open (JmSource *source, GError **error)
{
  JmSpoolReader *self = JM_SPOOL_READER (source);
  const char *const nowhere[] = { NULL };
  const JmSpoolPlan plan = {
    .host = jm_source_get_host (source),
    .directories =
      self->directories != NULL ? (const char *const *) self->directories : nowhere,
    .group_file = self->group_file,
    .node_name = self->node_name,
    .is_job = self->is_job,
    .user_data = self->is_job_data,
  };

  if (self->name == NULL || strchr (self->name, '/') != NULL ||
      self->group_file == NULL || strchr (self->group_file, '/') != NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "a spool needs a name and the name of a file");
      return FALSE;
    }
  if (!check_directories (self, error))
    return FALSE;

  self->spool = jm_spool_new (&plan);

  return TRUE;
}

static void
jm_spool_reader_finalize (GObject *object)
{
  JmSpoolReader *self = JM_SPOOL_READER (object);

  g_clear_pointer (&self->spool, jm_spool_free);
  g_ptr_array_foreach (self->slots, (GFunc) (void (*) (void)) slot_free, NULL);
  g_ptr_array_unref (self->slots);
  if (self->is_job_destroy != NULL)
    self->is_job_destroy (self->is_job_data);

  G_OBJECT_CLASS (jm_spool_reader_parent_class)->finalize (object);
}

static void
jm_spool_reader_class_init (JmSpoolReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_spool_reader_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_spool_reader_open;

  /*
   * JmSpoolReader:name:
   *
   * The scheduler's name, with which the paths of its cgroups begin.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "name", G_STRUCT_OFFSET (JmSpoolReader, name),
                            NULL);

  /*
   * JmSpoolReader:directories:
   *
   * The directories in which each job has a folder. `*` in a name stands for any text,
   * `%n` for what this machine is called.
   *
   * Since: 0.1
   */
  jm_source_class_add_boxed (object_class, "directories",
                             G_STRUCT_OFFSET (JmSpoolReader, directories), G_TYPE_STRV);

  /*
   * JmSpoolReader:group-file:
   *
   * The file in a job's folder that has the number of the group of its processes.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "group-file",
                            G_STRUCT_OFFSET (JmSpoolReader, group_file), NULL);

  /*
   * JmSpoolReader:node-name:
   *
   * What this machine is called; %NULL for what it calls itself.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "node-name",
                            G_STRUCT_OFFSET (JmSpoolReader, node_name), NULL);
}

static void
jm_spool_reader_init (JmSpoolReader *self)
{
  self->slots = g_ptr_array_new ();
}

void
jm_spool_reader_leave_out (JmSpoolReader *self,
                           JmSpoolIsJob is_job,
                           gpointer user_data,
                           GDestroyNotify destroy)
{
  self->is_job = is_job;
  self->is_job_data = user_data;
  self->is_job_destroy = destroy;
}

gboolean
jm_spool_reader_has_member (JmSpoolReader *self,
                            const char *path,
                            const char *status,
                            gsize length)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *job = NULL;
  g_autofree char *task = NULL;
  const JmSpoolFolder *folder = find_folder (self, path, &job, &task);

  if (folder == NULL || !jm_parse_proc_groups (status, length, groups))
    return FALSE;

  for (guint i = 0; i < groups->len; i++)
    if (g_array_index (groups, guint, i) == folder->group)
      return TRUE;

  return FALSE;
}

char *
jm_spool_reader_find_folder (JmSpoolReader *self, const char *path, guint *owner)
{
  g_autofree char *job = NULL;
  g_autofree char *task = NULL;
  const JmSpoolFolder *folder = find_folder (self, path, &job, &task);

  if (folder == NULL)
    return NULL;

  *owner = folder->admin;

  return g_strdup (folder->path);
}
