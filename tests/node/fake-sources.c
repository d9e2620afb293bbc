/* fake-sources.c: cgroups and jobs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fake-sources.h"
#include "core/jm-readings-private.h"

#include <string.h>

#include "../core/made-job.h"
#include "base/jm-error.h"
#include "core/jm-job-private.h"
#include "core/jm-place-private.h"

typedef struct
{
  guint64 cpu_ns;
  guint64
    waited_ns; /* reported instead, of processes that were waited for; 0 for not */
  guint64 peak_bytes;
  guint64 start_ns; /* of its first process; 0 where unknown */
  GArray *pids;     /* of guint; NULL for none */
  guint64 inode;
  gboolean is_secret;   /* its processes cannot be listed */
  gboolean is_nameless; /* its number cannot be read, though others can */
  gboolean is_another;  /* than the one that was opened under its path */
  gboolean is_fleeting; /* it is gone when it is opened */
  gboolean is_leaving;  /* it is gone when its processes are listed */
  void (*on_read) (FakeReader *reader);
} Cgroup;

struct _FakeReader
{
  JmSource parent_instance;
  GHashTable *cgroups;    /* path -> Cgroup */
  GPtrArray *open;        /* of path; the number is the index + 1; NULL when closed */
  GPtrArray *changes;     /* of path */
  GHashTable *unlistable; /* set of path */
  GHashTable *unopenable; /* likewise */
  gboolean is_blind;
  gboolean hides_inodes;
  guint64 last_inode;
  int event_fd; /* borrowed; -1 for none */
};

#define ROOT_INODE 1

static void reader_iface_init (JmCgroupReaderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeReader,
                               fake_reader,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_CGROUP_READER,
                                                      reader_iface_init))

static Cgroup *
find (FakeReader *self, guint number, GError **error)
{
  const char *path = g_ptr_array_index (self->open, number - 1);
  Cgroup *cgroup = g_hash_table_lookup (self->cgroups, path);

  if (cgroup != NULL && !cgroup->is_another)
    return cgroup;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: gone", path);

  return NULL;
}

static gboolean
is_failing (GHashTable *paths, const char *path, GError **error)
{
  if (!g_hash_table_contains (paths, path))
    return FALSE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: Input/output error", path);

  return TRUE;
}

static char **
fake_reader_list_children (JmCgroupReader *reader, const char *path, GError **error)
{
  FakeReader *self = FAKE_READER (reader);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *parent = g_str_equal (path, "/") ? "" : path;
  gsize length = strlen (parent);
  GHashTableIter iter;
  gpointer key;

  if (is_failing (self->unlistable, path, error))
    return NULL;

  g_hash_table_iter_init (&iter, self->cgroups);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (g_str_has_prefix (key, parent) && ((char *) key)[length] == '/' &&
        strchr ((char *) key + length + 1, '/') == NULL)
      g_strv_builder_add (names, (char *) key + length + 1);

  return g_strv_builder_end (names);
}

static char **
fake_reader_take_changes (JmCgroupReader *reader)
{
  FakeReader *self = FAKE_READER (reader);
  g_autoptr (GPtrArray) changes = self->changes;

  if (self->is_blind)
    {
      g_ptr_array_ref (changes);
      return NULL;
    }

  self->changes = g_ptr_array_new ();
  g_ptr_array_add (changes, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&changes), FALSE);
}

static int
fake_reader_get_event_fd (JmCgroupReader *reader)
{
  return FAKE_READER (reader)->event_fd;
}

static guint64
fake_reader_get_inode (JmCgroupReader *reader, const char *path, guint hierarchy)
{
  FakeReader *self = FAKE_READER (reader);
  const Cgroup *cgroup = g_hash_table_lookup (self->cgroups, path);

  if (hierarchy != 0 || self->hides_inodes)
    return 0;
  if (g_str_equal (path, "/"))
    return ROOT_INODE;

  return cgroup != NULL && !cgroup->is_nameless ? cgroup->inode : 0;
}

static guint
fake_reader_open_cgroup (JmCgroupReader *reader,
                         const char *path,
                         JmSubjectKind level,
                         GError **error)
{
  FakeReader *self = FAKE_READER (reader);
  Cgroup *cgroup = g_hash_table_lookup (self->cgroups, path);

  if (is_failing (self->unopenable, path, error))
    return 0;
  if (cgroup == NULL || cgroup->is_fleeting)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: gone", path);
      return 0;
    }

  cgroup->is_another = FALSE;
  for (guint i = 0; i < self->open->len; i++)
    if (g_ptr_array_index (self->open, i) == NULL)
      {
        g_ptr_array_index (self->open, i) = g_strdup (path);
        return i + 1;
      }
  g_ptr_array_add (self->open, g_strdup (path));

  return self->open->len;
}

static gboolean
fake_reader_read (JmCgroupReader *reader,
                  guint number,
                  JmReadings *readings,
                  GError **error)
{
  Cgroup *cgroup = find (FAKE_READER (reader), number, error);

  if (cgroup == NULL)
    return FALSE;

  if (cgroup->on_read != NULL)
    cgroup->on_read (FAKE_READER (reader));
  if (cgroup->waited_ns == 0 && jm_readings_begin (readings, JM_COLLECTOR_CPU))
    jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cgroup->cpu_ns);
  if (cgroup->waited_ns != 0 && jm_readings_begin (readings, JM_COLLECTOR_PROCESS))
    {
      jm_readings_add (readings, JM_METRIC_PROCESS_CPU_USER, cgroup->waited_ns);
      jm_readings_add (readings, JM_METRIC_PROCESS_CPU_SYSTEM, 0);
    }
  if (jm_readings_begin (readings, JM_COLLECTOR_MEMORY) && cgroup->peak_bytes != 0)
    jm_readings_add (readings, JM_METRIC_MEMORY_PEAK, cgroup->peak_bytes);
  if (jm_readings_begin (readings, JM_COLLECTOR_PROCESS) && cgroup->start_ns != 0)
    jm_readings_add (readings, JM_METRIC_PROCESS_FIRST_START, cgroup->start_ns);

  return TRUE;
}

static gboolean
fake_reader_list_processes (JmCgroupReader *reader,
                            guint number,
                            JmReadings *readings,
                            GError **error)
{
  FakeReader *self = FAKE_READER (reader);
  Cgroup *cgroup = find (self, number, error);

  if (cgroup != NULL && cgroup->is_leaving)
    {
      fake_reader_remove (self, g_ptr_array_index (self->open, number - 1));
      cgroup = find (self, number, error);
    }
  if (cgroup == NULL)
    return FALSE;
  for (guint i = 0; cgroup->pids != NULL && i < cgroup->pids->len; i++)
    jm_readings_add_process (readings, g_array_index (cgroup->pids, guint, i));
  if (!cgroup->is_secret)
    return TRUE;

  g_set_error_literal (error, JM_ERROR, JM_ERROR_DENIED, "not to be listed");

  return FALSE;
}

static void
fake_reader_close_cgroup (JmCgroupReader *reader, guint number)
{
  gpointer *path = &g_ptr_array_index (FAKE_READER (reader)->open, number - 1);

  g_clear_pointer (path, g_free);
}

static void
reader_iface_init (JmCgroupReaderInterface *iface)
{
  iface->list_children = fake_reader_list_children;
  iface->take_changes = fake_reader_take_changes;
  iface->get_event_fd = fake_reader_get_event_fd;
  iface->get_inode = fake_reader_get_inode;
  iface->open_cgroup = fake_reader_open_cgroup;
  iface->read = fake_reader_read;
  iface->list_processes = fake_reader_list_processes;
  iface->close_cgroup = fake_reader_close_cgroup;
}

static void
fake_reader_finalize (GObject *object)
{
  FakeReader *self = FAKE_READER (object);

  for (guint i = 0; i < self->open->len; i++)
    g_free (g_ptr_array_index (self->open, i));
  g_ptr_array_unref (self->open);
  for (guint i = 0; i < self->changes->len; i++)
    g_free (g_ptr_array_index (self->changes, i));
  g_ptr_array_unref (self->changes);
  g_hash_table_unref (self->unlistable);
  g_hash_table_unref (self->unopenable);
  g_hash_table_unref (self->cgroups);

  G_OBJECT_CLASS (fake_reader_parent_class)->finalize (object);
}

static void
fake_reader_class_init (FakeReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_reader_finalize;
}

static void
cgroup_free (gpointer data)
{
  Cgroup *cgroup = data;

  g_clear_pointer (&cgroup->pids, g_array_unref);
  g_free (cgroup);
}

static void
fake_reader_init (FakeReader *self)
{
  self->cgroups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, cgroup_free);
  self->open = g_ptr_array_new ();
  self->changes = g_ptr_array_new ();
  self->unlistable = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->unopenable = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->event_fd = -1;
}

FakeReader *
fake_reader_new (JmHost *host)
{
  return g_initable_new (FAKE_TYPE_READER, NULL, NULL, "host", host, NULL);
}

void
fake_reader_announce (FakeReader *self, const char *path)
{
  g_ptr_array_add (self->changes, g_strdup (path));
}

static void
announce_parent (FakeReader *self, const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);

  fake_reader_announce (self, parent);
}

static Cgroup *
get (FakeReader *self, const char *path)
{
  Cgroup *cgroup = g_hash_table_lookup (self->cgroups, path);

  if (cgroup == NULL)
    {
      cgroup = g_new0 (Cgroup, 1);
      cgroup->inode = ++self->last_inode;
      g_hash_table_insert (self->cgroups, g_strdup (path), cgroup);
      announce_parent (self, path);
    }

  return cgroup;
}

void
fake_reader_set_cpu (FakeReader *self, const char *path, guint64 seconds)
{
  get (self, path)->cpu_ns = seconds * 1000000000;
}

void
fake_reader_set_peak (FakeReader *self, const char *path, guint64 bytes)
{
  get (self, path)->peak_bytes = bytes;
}

void
fake_reader_set_start (FakeReader *self, const char *path, guint64 seconds)
{
  get (self, path)->start_ns = seconds * 1000000000;
}

void
fake_reader_set_waited (FakeReader *self, const char *path, guint64 seconds)
{
  get (self, path)->waited_ns = seconds * 1000000000;
}

void
fake_reader_watch_reading (FakeReader *self,
                           const char *path,
                           void (*func) (FakeReader *self))
{
  get (self, path)->on_read = func;
}

void
fake_reader_set_event_fd (FakeReader *self, int fd)
{
  self->event_fd = fd;
}

static gboolean
is_at_or_below (gpointer key, gpointer value, gpointer path)
{
  gsize length = strlen (path);

  return g_str_has_prefix (key, path) &&
         (((char *) key)[length] == '\0' || ((char *) key)[length] == '/');
}

void
fake_reader_remove_unseen (FakeReader *self, const char *path)
{
  g_hash_table_foreach_remove (self->cgroups, is_at_or_below, (gpointer) path);
}

void
fake_reader_remove (FakeReader *self, const char *path)
{
  fake_reader_remove_unseen (self, path);
  announce_parent (self, path);
}

void
fake_reader_add_process (FakeReader *self, const char *path, guint pid)
{
  Cgroup *cgroup = get (self, path);

  if (cgroup->pids == NULL)
    cgroup->pids = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (cgroup->pids, pid);
}

void
fake_reader_fail_numbering (FakeReader *self, const char *path, gboolean is_failing)
{
  get (self, path)->is_nameless = is_failing;
}

void
fake_reader_refuse_processes (FakeReader *self, const char *path)
{
  get (self, path)->is_secret = TRUE;
}

void
fake_reader_lose_on_open (FakeReader *self, const char *path)
{
  get (self, path)->is_fleeting = TRUE;
}

void
fake_reader_lose_on_listing_processes (FakeReader *self, const char *path)
{
  get (self, path)->is_leaving = TRUE;
}

static void
set_failing (GHashTable *paths, const char *path, gboolean is_failing)
{
  if (is_failing)
    g_hash_table_add (paths, g_strdup (path));
  else
    g_hash_table_remove (paths, path);
}

void
fake_reader_fail_listing (FakeReader *self, const char *path, gboolean is_failing)
{
  set_failing (self->unlistable, path, is_failing);
}

void
fake_reader_fail_opening (FakeReader *self, const char *path, gboolean is_failing)
{
  set_failing (self->unopenable, path, is_failing);
}

void
fake_reader_replace_unseen (FakeReader *self, const char *path, guint64 seconds)
{
  Cgroup *cgroup = g_hash_table_lookup (self->cgroups, path);

  cgroup->cpu_ns = seconds * 1000000000;
  cgroup->is_another = TRUE;
}

void
fake_reader_stop_watching (FakeReader *self)
{
  self->is_blind = TRUE;
}

void
fake_reader_hide_inodes (FakeReader *self, gboolean hides)
{
  self->hides_inodes = hides;
}

guint
fake_reader_count_open (FakeReader *self)
{
  guint n = 0;

  for (guint i = 0; i < self->open->len; i++)
    n += g_ptr_array_index (self->open, i) != NULL;

  return n;
}

/* --- jobs --- */

struct _FakeJobs
{
  JmSource parent_instance;
  JmOrigin origin;
  char *user;
  const char *known_in;
  const char *told[JM_N_JOB_FIELDS];
  gboolean is_partial;
};

static void jobs_iface_init (JmJobSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeJobs,
                               fake_jobs,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_JOB_SOURCE,
                                                      jobs_iface_init))

/* The rest of an element that begins with @prefix; %NULL if there is none. */
static const char *
find_element (char **elements, const char *prefix)
{
  for (char **element = elements; *element != NULL; element++)
    if (g_str_has_prefix (*element, prefix))
      return *element + strlen (prefix);

  return NULL;
}

static JmPlace *
fake_jobs_match (JmJobSource *source, const char *path)
{
  g_auto (GStrv) elements = g_strsplit (path, "/", -1);
  const char *job = find_element (elements, "job_");
  JmPlace *place;

  if (job == NULL || g_str_has_suffix (path, "/user"))
    return NULL;
  if (g_str_has_suffix (path, "/helper"))
    return jm_place_new_helper (job, find_element (elements, "step_"));

  place = jm_place_new (job, find_element (elements, "step_"),
                        find_element (elements, "task_"));
  jm_place_set_root (place, find_element (elements, "root_"));

  return place;
}

static JmJob *
fake_jobs_identify (JmJobSource *source, const char *path, JmPlace *place, guint pid)
{
  FakeJobs *self = FAKE_JOBS (source);
  gboolean is_known = self->known_in == NULL || g_str_has_suffix (path, self->known_in);
  const char *user = is_known ? self->user : NULL;
  const char *fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_ID] = jm_place_get_job (place),
    [JM_JOB_FIELD_USER] = user,
    [JM_JOB_FIELD_NAME] = user,
    [JM_JOB_FIELD_CLUSTER] = user != NULL ? "test" : NULL,
  };
  JmJob *job;

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if (self->told[i] != NULL)
      fields[i] = self->told[i];

  if (self->origin == JM_ORIGIN_NONE)
    return NULL;

  job = made_job_new (fields, is_known ? self->origin : JM_ORIGIN_PATH);
  job->is_partial = self->is_partial;

  return job;
}

static void
jobs_iface_init (JmJobSourceInterface *iface)
{
  iface->match = fake_jobs_match;
  iface->identify = fake_jobs_identify;
}

static void
fake_jobs_finalize (GObject *object)
{
  FakeJobs *self = FAKE_JOBS (object);

  g_free (self->user);

  G_OBJECT_CLASS (fake_jobs_parent_class)->finalize (object);
}

static void
fake_jobs_class_init (FakeJobsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fake_jobs_finalize;
}

static void
fake_jobs_init (FakeJobs *self)
{
  fake_jobs_set_identity (self, JM_ORIGIN_HOOK, "alice");
}

FakeJobs *
fake_jobs_new (JmHost *host)
{
  return g_initable_new (FAKE_TYPE_JOBS, NULL, NULL, "host", host, NULL);
}

void
fake_jobs_set_identity (FakeJobs *self, JmOrigin origin, const char *user)
{
  g_free (self->user);
  self->origin = origin;
  self->user = g_strdup (user);
}

void
fake_jobs_tell (FakeJobs *self, JmJobField field, const char *value)
{
  self->told[field] = value;
}

void
fake_jobs_set_partial (FakeJobs *self, gboolean is_partial)
{
  self->is_partial = is_partial;
}

void
fake_jobs_know_only_in (FakeJobs *self, const char *path_end)
{
  self->known_in = path_end;
}
