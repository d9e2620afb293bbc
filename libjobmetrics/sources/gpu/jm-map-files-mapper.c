/* jm-map-files-mapper.c: accelerators in files that are called like them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/gpu/jm-gpu-types-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-complaints-private.h"
#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "core/jm-gpu-list-private.h"
#include "host/jm-dir-private.h"
#include "host/jm-source-private.h"
#include "host/jm-trust-private.h"

#define USUAL_DIRECTORY "/run/gpujobmap"
/* A file for each device and instance; a line for each job on it. */
#define MAX_FILES 1024
#define FILE_MAX 4096
#define JOB_ID_MAX 128
#define PATIENCE_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

/* One job in one file. */
typedef struct
{
  char *device; /* the file's name */
  char *job;
  gint64 claimed_us; /* when somebody asked of the job; else when it was read first */
} Entry;

struct _JmMapFilesMapper
{
  JmSource parent_instance;
  char *directory;
  gint64 patience_us;
  GArray *entries;   /* of Entry */
  GHashTable *asked; /* ids of jobs that were asked of since the files were looked at */
  guint seen;        /* what the files looked like then, in one number */
  JmComplaints *complaints; /* what was already warned of */
};

static void gpu_mapper_iface_init (JmGpuMapperInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmMapFilesMapper,
                               jm_map_files_mapper,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_GPU_MAPPER,
                                                      gpu_mapper_iface_init))

static const char *
get_directory (JmMapFilesMapper *self)
{
  return self->directory != NULL ? self->directory : USUAL_DIRECTORY;
}

static void
entry_clear (gpointer data)
{
  Entry *self = data;

  g_free (self->device);
  g_free (self->job);
}

static Entry *
get_entry (GArray *entries, guint i)
{
  return &g_array_index (entries, Entry, i);
}

/* --- one file --- */

static gboolean
is_job_id (JmSlice word)
{
  for (gsize i = 0; i < word.length; i++)
    if (!g_ascii_isalnum (word.text[i]) && strchr ("_.+-[]", word.text[i]) == NULL)
      return FALSE;

  return word.length <= JOB_ID_MAX;
}

static gboolean
is_device (const char *name)
{
  g_autoptr (JmGpuGrants) scratch = jm_gpu_grants_new ();

  return jm_gpu_list_take (name, JM_GPU_NUMBERS_OF_DRIVER, JM_GPU_ORIGIN_HOOK, scratch);
}

/* An entry that was there before keeps the time at which it was claimed last. */
static void
add_entry (JmMapFilesMapper *self, GArray *entries, const char *device, JmSlice job)
{
  Entry entry = { g_strdup (device), g_strndup (job.text, job.length),
                  g_get_monotonic_time () };

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *before = get_entry (self->entries, i);

      if (g_str_equal (before->device, device) && g_str_equal (before->job, entry.job))
        entry.claimed_us = before->claimed_us;
    }
  g_array_append_val (entries, entry);
}

/* The id of a job, and what else a hook may have written behind it. */
static void
take_text (JmMapFilesMapper *self,
           GArray *entries,
           const char *device,
           const char *path,
           const GString *text)
{
  const char *cursor = text->str;
  const char *end = text->str + text->len;
  JmSlice line, word;

  while (jm_parse_next_line (&cursor, end, &line))
    {
      const char *p = line.text;
      g_autoptr (GError) error = NULL;

      if (!jm_parse_next_word (&p, line.text + line.length, &word))
        continue;
      if (is_job_id (word))
        {
          add_entry (self, entries, device, word);
          continue;
        }

      jm_path_error_set_malformed (&error, path, "not a job id", word.text,
                                   word.length);
      jm_complaints_warn (self->complaints, error->message, error->message);
    }
}

static gboolean
read_text (const JmDir *dir, const char *name, GString *text, GError **error)
{
  g_autofree char *path = jm_dir_get_child_path (dir, name);
  int fd = jm_dir_open_child (dir, name, O_RDONLY | O_NOFOLLOW);
  gboolean ok;

  if (fd < 0)
    {
      jm_path_error_set_errno (error, path, -fd);
      return FALSE;
    }

  ok = jm_trust_check_fd (dir->host, fd, S_IFREG, 0, path, error) &&
       jm_bounded_read (fd, FILE_MAX, text, path, error);
  close (fd);

  return ok;
}

static void
read_file (JmMapFilesMapper *self, GArray *entries, const JmDir *dir, const char *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = jm_dir_get_child_path (dir, name);
  g_autoptr (GError) error = NULL;

  if (!is_device (name))
    jm_path_error_set_malformed (&error, path, "not called like a device", name,
                                 strlen (name));
  else if (read_text (dir, name, text, &error))
    take_text (self, entries, name, path, text);

  if (error != NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_complaints_warn (self->complaints, error->message, error->message);
}

/* --- the directory --- */

/* What a hook writes before it gives it its name begins with a dot. */
static void
list_name (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  GPtrArray *names = user_data;

  if (name[0] != '.' && names->len < MAX_FILES)
    g_ptr_array_add (names, g_strdup (name));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static guint
mix (guint seen, guint64 value)
{
  for (guint i = 0; i < sizeof value; i++)
    seen = (seen ^ (guint) (value >> (8 * i) & 0xff)) * 16777619u;

  return seen;
}

static guint
mix_file (guint seen, const JmDir *dir, const char *name)
{
  struct stat st = { 0 };
  int fd = jm_dir_open_child (dir, name, O_PATH | O_NOFOLLOW);

  if (fd >= 0 && fstat (fd, &st) != 0)
    st.st_ino = 0;
  if (fd >= 0)
    close (fd);

  seen = mix (seen, g_str_hash (name));
  seen = mix (seen, st.st_ino);
  seen = mix (seen, (guint64) st.st_size);
  seen = mix (seen, (guint64) st.st_mtim.tv_sec);

  return mix (seen, (guint64) st.st_mtim.tv_nsec);
}

static void
read_directory (JmMapFilesMapper *self, const JmDir *dir)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint seen = 1;

  g_array_set_clear_func (entries, entry_clear);
  jm_dir_foreach (dir, list_name, names);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    seen = mix_file (seen, dir, names->pdata[i]);
  if (seen == self->seen)
    return;

  self->seen = seen;
  for (guint i = 0; i < names->len; i++)
    read_file (self, entries, dir, names->pdata[i]);
  g_array_unref (self->entries);
  self->entries = g_steal_pointer (&entries);
}

static void
forget (JmMapFilesMapper *self)
{
  g_array_set_size (self->entries, 0);
  self->seen = 0;
}

/* A directory that is not there names nobody; one that others may write is none. */
static gboolean
look (JmMapFilesMapper *self, GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  JmDir dir = JM_DIR_INIT;
  int result = jm_dir_open (&dir, host, get_directory (self));
  int fd;
  gboolean ok;

  if (result < 0)
    {
      forget (self);
      if (result != -ENOENT)
        jm_path_error_set_errno (error, get_directory (self), -result);
      return result == -ENOENT;
    }

  fd = jm_dir_open_child (&dir, ".", O_RDONLY | O_DIRECTORY);
  ok = fd >= 0 && jm_trust_check_fd (host, fd, S_IFDIR, 0, dir.path, error);
  if (fd >= 0)
    close (fd);
  if (ok)
    read_directory (self, &dir);
  else
    forget (self);
  jm_dir_close (&dir);

  return ok;
}

static void
complain_of_strays (JmMapFilesMapper *self)
{
  gint64 before_us = g_get_monotonic_time () - self->patience_us;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = get_entry (self->entries, i);

      if (entry->claimed_us < before_us)
        {
          g_autofree char *message =
            g_strdup_printf ("%s/%s: names a job that is not on this node: %s",
                             get_directory (self), entry->device, entry->job);

          jm_complaints_warn (self->complaints, message, message);
        }
    }
}

/* --- the mapper --- */

/* A job that is asked of again begins a new round, in which the files are looked at
 * once. */
static gboolean
begin_round (JmMapFilesMapper *self, JmJob *job, GError **error)
{
  const char *id = jm_job_get_id (job);

  if (g_hash_table_size (self->asked) > 0 && !g_hash_table_contains (self->asked, id))
    {
      g_hash_table_add (self->asked, g_strdup (id));
      return TRUE;
    }

  complain_of_strays (self);
  g_hash_table_remove_all (self->asked);
  g_hash_table_add (self->asked, g_strdup (id));

  return look (self, error);
}

static gboolean
jm_map_files_mapper_map_job (JmGpuMapper *mapper,
                             JmJob *job,
                             const char *const *cgroups,
                             JmGpuGrants *grants,
                             GError **error)
{
  JmMapFilesMapper *self = JM_MAP_FILES_MAPPER (mapper);

  if (!begin_round (self, job, error))
    return FALSE;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = get_entry (self->entries, i);

      if (!jm_job_is_called (job, entry->job))
        continue;
      entry->claimed_us = g_get_monotonic_time ();
      jm_gpu_list_take (entry->device, JM_GPU_NUMBERS_OF_DRIVER, JM_GPU_ORIGIN_HOOK,
                        grants);
    }

  return TRUE;
}

static void
gpu_mapper_iface_init (JmGpuMapperInterface *iface)
{
  iface->map_job = jm_map_files_mapper_map_job;
}

/* One that was asked for may come later: a prolog may make it. */
static gboolean
jm_map_files_mapper_open (JmSource *source, GError **error)
{
  JmMapFilesMapper *self = JM_MAP_FILES_MAPPER (source);

  if (self->directory != NULL && !g_path_is_absolute (self->directory))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "directory: an absolute one is needed: %s", self->directory);
      return FALSE;
    }
  if (self->directory != NULL ||
      jm_host_exists (jm_source_get_host (source), USUAL_DIRECTORY))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no such directory",
               USUAL_DIRECTORY);

  return FALSE;
}

static void
jm_map_files_mapper_finalize (GObject *object)
{
  JmMapFilesMapper *self = JM_MAP_FILES_MAPPER (object);

  g_array_unref (self->entries);
  g_hash_table_unref (self->asked);
  jm_complaints_free (self->complaints);

  G_OBJECT_CLASS (jm_map_files_mapper_parent_class)->finalize (object);
}

static void
jm_map_files_mapper_class_init (JmMapFilesMapperClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_map_files_mapper_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_map_files_mapper_open;

  /* The logical path of the directory. */
  jm_source_class_add_text (object_class, "directory",
                            G_STRUCT_OFFSET (JmMapFilesMapper, directory), NULL);
}

static void
jm_map_files_mapper_init (JmMapFilesMapper *self)
{
  self->patience_us = PATIENCE_US;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);
  self->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->complaints = jm_complaints_new ();
}

JmMapFilesMapper *
jm_map_files_mapper_new (JmHost *host, const char *directory, GError **error)
{
  return g_initable_new (JM_TYPE_MAP_FILES_MAPPER, NULL, error, "host", host,
                         "directory", directory, NULL);
}

void
jm_map_files_mapper_set_patience (JmMapFilesMapper *self, gint64 patience_us)
{
  self->patience_us = patience_us;
}
