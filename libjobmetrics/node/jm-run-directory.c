/* jm-run-directory.c: what the programs of a machine agree on of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-run-directory-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-job-json-private.h"
#include "core/jm-job-private.h"
#include "host/jm-host-private.h"
#include "sources/jobs/jm-property-file-private.h"

#define DIRECTORY_MODE 0755
#define FILE_MODE 0644
#define UUID_LENGTH 36
#define MAX_FILES 65536
#define ENDED ".ended"

struct _JmRunDirectory
{
  JmHost *host;
  char *path;
  char *boot_id; /* NULL where the machine does not have it */
  gboolean is_writing;
  GHashTable *written;    /* file name -> text */
  GHashTable *remembered; /* run key -> JmJob */
};

char *
jm_run_record_format (JmJob *job)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  jm_job_json_add (object, job, 0);
  jm_job_json_add_alias (object, job);
  json_node_set_object (node, object);

  return jm_json_format (node, FALSE);
}

JmJob *
jm_run_record_parse (const char *text, gsize length, const char *run_key)
{
  g_autoptr (JsonNode) node = jm_json_parse (text, length);
  g_autoptr (JmJob) job = NULL;
  const char *bad;

  job = jm_job_json_read (node, &bad);
  if (job == NULL || g_strcmp0 (jm_job_get_run_key (job), run_key) != 0)
    return NULL;

  return g_steal_pointer (&job);
}

JmRunDirectory *
jm_run_directory_new (JmHost *host, const char *path)
{
  JmRunDirectory *self = g_new0 (JmRunDirectory, 1);

  self->host = g_object_ref (host);
  self->path = g_strdup (path);
  self->boot_id = jm_host_read_boot_id (host);
  self->written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->remembered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify) jm_job_unref);

  return self;
}

void
jm_run_directory_free (JmRunDirectory *self)
{
  g_hash_table_unref (self->remembered);
  g_hash_table_unref (self->written);
  g_free (self->boot_id);
  g_free (self->path);
  g_object_unref (self->host);
  g_free (self);
}

void
jm_run_directory_begin_writing (JmRunDirectory *self)
{
  self->is_writing = TRUE;
}

gboolean
jm_run_directory_is_writing (JmRunDirectory *self)
{
  return self->is_writing;
}

char *
jm_run_directory_make_key (JmRunDirectory *self, guint64 inode)
{
  if (self->boot_id == NULL || inode == 0)
    return NULL;

  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT, self->boot_id, inode);
}

/* The file of a run is called as its key, which has one slash. */
static char *
make_name (const char *run_key)
{
  return g_strdelimit (g_strdup (run_key), "/", '.');
}

static char *
make_end_name (const char *run_key)
{
  g_autofree char *name = make_name (run_key);

  return g_strconcat (name, ENDED, NULL);
}

/* Up to the end of a name that make_name() may have made; NULL of others. */
static const char *
skip_name (const char *name)
{
  gsize n_digits;

  if (strlen (name) <= UUID_LENGTH + 1 || name[UUID_LENGTH] != '.')
    return NULL;

  n_digits = strspn (name + UUID_LENGTH + 1, "0123456789");

  return n_digits > 0 ? name + UUID_LENGTH + 1 + n_digits : NULL;
}

static gboolean
is_end_name (const char *name)
{
  const char *rest = skip_name (name);

  return rest != NULL && g_str_equal (rest, ENDED);
}

static gboolean
is_name (const char *name)
{
  const char *rest = skip_name (name);

  return rest != NULL && (*rest == '\0' || g_str_equal (rest, ENDED));
}

static JmPropertyFile *
read_file (JmRunDirectory *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  JmPropertyFile *file =
    jm_property_file_read_of_daemon (self->host, self->path, name, &error);

  if (file == NULL)
    g_debug ("%s", error->message);

  return file;
}

static gboolean
is_of_this_boot (const JmRunDirectory *self, const char *run_key)
{
  return self->boot_id != NULL && g_str_has_prefix (run_key, self->boot_id);
}

void
jm_run_directory_remember (JmRunDirectory *self, JmJob *job)
{
  const char *run_key = jm_job_get_run_key (job);

  if (run_key != NULL && is_of_this_boot (self, run_key))
    g_hash_table_replace (self->remembered, g_strdup (run_key), jm_job_ref (job));
}

gboolean
jm_run_directory_remembers (JmRunDirectory *self, const char *id)
{
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->remembered);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    if (jm_job_is_called (job, id))
      return TRUE;

  return FALSE;
}

static JmJob *
read_published (JmRunDirectory *self, const char *run_key)
{
  g_autofree char *name = make_name (run_key);
  g_autoptr (JmPropertyFile) file = read_file (self, name);
  const char *text;
  gsize length;

  if (file == NULL)
    return NULL;

  text = jm_property_file_get_text (file, &length);

  return jm_run_record_parse (text, length, run_key);
}

JmJob *
jm_run_directory_read (JmRunDirectory *self, const char *run_key)
{
  JmJob *job = read_published (self, run_key);
  JmJob *remembered = g_hash_table_lookup (self->remembered, run_key);

  return job == NULL && remembered != NULL ? jm_job_ref (remembered) : job;
}

GStrv
jm_run_directory_list_ended (JmRunDirectory *self)
{
  g_auto (GStrv) names = jm_host_list_dir (self->host, self->path, NULL);
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();

  for (guint i = 0; names != NULL && names[i] != NULL && i < MAX_FILES; i++)
    if (is_end_name (names[i]))
      {
        names[i][UUID_LENGTH] = '/';
        names[i][strlen (names[i]) - strlen (ENDED)] = '\0';
        g_strv_builder_add (keys, names[i]);
      }

  return g_strv_builder_end (keys);
}

gboolean
jm_run_directory_read_end (JmRunDirectory *self,
                           const char *run_key,
                           JmEndedRun *run,
                           JmReadings *readings)
{
  g_autofree char *name = make_end_name (run_key);
  g_autoptr (JmPropertyFile) file = read_file (self, name);
  const char *text;
  gsize length;

  if (file == NULL)
    return FALSE;

  text = jm_property_file_get_text (file, &length);

  return jm_ended_run_parse (run, text, length, run_key, readings);
}

/* --- writing --- */

static gboolean
write_text (int fd, const char *text)
{
  gsize length = strlen (text);

  while (length > 0)
    {
      gssize n = write (fd, text, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      text += n;
      length -= (gsize) n;
    }

  return TRUE;
}

/* Whoever reads sees the whole file or none. No umask may hide it from users. */
static gboolean
replace_file (const char *path, const char *text)
{
  g_autofree char *new = g_strconcat (path, ".XXXXXX", NULL);
  int fd = g_mkstemp (new);
  gboolean ok;

  if (fd < 0)
    return FALSE;

  ok = write_text (fd, text) && fchmod (fd, FILE_MODE) == 0;
  ok = close (fd) == 0 && ok && g_rename (new, path) == 0;
  if (!ok)
    g_unlink (new);

  return ok;
}

static gboolean
make_directory (const char *path)
{
  g_autofree char *above = g_path_get_dirname (path);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;

  return g_mkdir_with_parents (above, DIRECTORY_MODE) == 0 &&
         g_mkdir (path, DIRECTORY_MODE) == 0 && g_chmod (path, DIRECTORY_MODE) == 0;
}

/* What cannot be written is tried again when more is known of a job; others then go by
 * what they read themselves. Takes both. */
static void
write_file (JmRunDirectory *self, char *name, char *text)
{
  g_autofree char *own_name = name;
  g_autofree char *own_text = text;
  g_autofree char *directory = NULL;
  g_autofree char *path = NULL;

  if (g_strcmp0 (g_hash_table_lookup (self->written, name), text) == 0)
    return;

  directory = jm_host_resolve (self->host, self->path);
  path = g_build_filename (directory, name, NULL);
  if (make_directory (directory) && replace_file (path, text))
    g_hash_table_replace (self->written, g_steal_pointer (&own_name),
                          g_steal_pointer (&own_text));
  else
    g_debug ("%s: %s", path, g_strerror (errno));
}

void
jm_run_directory_write (JmRunDirectory *self, JmJob *job)
{
  const char *run_key = jm_job_get_run_key (job);

  if (self->is_writing && run_key != NULL)
    write_file (self, make_name (run_key), jm_run_record_format (job));
}

void
jm_run_directory_write_end (JmRunDirectory *self,
                            JmJob *job,
                            gint64 end_us,
                            gint64 until_us,
                            const JmReading *readings,
                            guint n_readings)
{
  const char *run_key = jm_job_get_run_key (job);

  if (self->is_writing && run_key != NULL)
    write_file (self, make_end_name (run_key),
                jm_ended_run_format (job, end_us, until_us, readings, n_readings));
}

static void
remove_file (JmRunDirectory *self, const char *name)
{
  g_autofree char *directory = jm_host_resolve (self->host, self->path);
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_unlink (path);
}

void
jm_run_directory_remove (JmRunDirectory *self, const char *run_key)
{
  g_autofree char *name = make_name (run_key);
  g_autofree char *end_name = make_end_name (run_key);

  if (g_hash_table_remove (self->written, name))
    remove_file (self, name);
  if (g_hash_table_remove (self->written, end_name))
    remove_file (self, end_name);
}

void
jm_run_directory_prune (JmRunDirectory *self)
{
  g_auto (GStrv) names = NULL;

  if (!self->is_writing)
    return;

  names = jm_host_list_dir (self->host, self->path, NULL);
  for (guint i = 0; names != NULL && names[i] != NULL && i < MAX_FILES; i++)
    if (is_name (names[i]) && !g_hash_table_contains (self->written, names[i]))
      remove_file (self, names[i]);
}
