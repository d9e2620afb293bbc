/* jm-ledger-file.c: the file of a ledger, and whose it is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-safe-text-private.h"
#include "node/ledger/jm-ledger-schema-private.h"

/* Beside the ledger: it is held by the one that writes, and never removed. */
#define LOCK_SUFFIX "-lock"
#define BROKEN_SUFFIX ".broken"
#define READ_BYTES 65536
/* Who is in the daemon's group may read. */
#define MODE 0640
/* A larger one would hold the program's start up: where it is broken shows later. */
#define MAX_CHECKED_BYTES (32 * 1024 * 1024)
#define MAGIC "SQLite format 3"
#define APPLICATION_ID_OFFSET 68
#define HEADER_BYTES 100

static const char *const sqlite_suffixes[] = { "", "-wal", "-shm" };

static gboolean
refuse (GError **error, JmError code, const char *path, const char *problem)
{
  g_set_error (error, JM_ERROR, code, "%s: %s", path, problem);

  return FALSE;
}

static gboolean
refuse_errno (GError **error, const char *path, int error_number)
{
  return refuse (error, jm_error_from_errno (error_number), path,
                 g_strerror (error_number));
}

/* Of a ledger's files, one that is there has to be an ordinary file. */
static gboolean
check_file (const char *path, gboolean has_to_be_own, gboolean *exists, GError **error)
{
  struct stat status;

  *exists = lstat (path, &status) == 0;
  if (!*exists)
    return errno == ENOENT || refuse_errno (error, path, errno);
  if (!S_ISREG (status.st_mode))
    return refuse (error, JM_ERROR_DENIED, path, "not an ordinary file");
  if (has_to_be_own && status.st_uid != geteuid ())
    return refuse (error, JM_ERROR_DENIED, path,
                   "it belongs to another user than the one that is to write it");

  return TRUE;
}

static gboolean
check_files (const char *path, gboolean has_to_be_own, gboolean *exists, GError **error)
{
  for (guint i = G_N_ELEMENTS (sqlite_suffixes); i-- > 0;)
    {
      g_autofree char *name = g_strconcat (path, sqlite_suffixes[i], NULL);

      if (!check_file (name, has_to_be_own, exists, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
has_header (const char *path)
{
  guint8 header[HEADER_BYTES] = { 0 };
  guint32 id;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  gssize n;

  if (fd < 0)
    return FALSE;
  n = read (fd, header, sizeof header);
  close (fd);
  memcpy (&id, header + APPLICATION_ID_OFFSET, sizeof id);

  return n == 0 || (n == sizeof header && memcmp (header, MAGIC, sizeof MAGIC) == 0 &&
                    GUINT32_FROM_BE (id) == JM_LEDGER_APPLICATION_ID);
}

/* A wrong path must not cost somebody a file: one without a lock beside it was never
 * written by this program, or at least looks like a ledger. */
static gboolean
check_is_ours (const char *path, const char *lock_path, GError **error)
{
  if (g_access (lock_path, F_OK) == 0 || has_header (path))
    return TRUE;

  return refuse (error, JM_ERROR_INVALID, path, "not a ledger: it is left alone");
}

static int
take_lock (const char *path, const char *lock_path, GError **error)
{
  int fd =
    open (lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, MODE);

  if (fd < 0)
    refuse_errno (error, lock_path, errno);
  else if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  else if (errno == EWOULDBLOCK)
    refuse (error, JM_ERROR_UNAVAILABLE, path, "another program writes it");
  else
    refuse_errno (error, lock_path, errno);
  if (fd >= 0)
    close (fd);

  return -1;
}

/* SQLite would make it with other rights. Its further files get those of the first. */
static gboolean
create (const char *path, GError **error)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE);

  if (fd < 0)
    return refuse_errno (error, path, errno);

  /* whatever the program's umask is */
  fchmod (fd, MODE);
  close (fd);

  return TRUE;
}

/* A page that the system does not give says nothing of what is in it. */
static gboolean
tells_of_system (const char *verdict)
{
  const char *code = strstr (verdict, "error code=");
  int primary = code != NULL ? atoi (code + strlen ("error code=")) & 0xff : SQLITE_OK;

  return primary == SQLITE_IOERR || primary == SQLITE_NOMEM ||
         primary == SQLITE_CANTOPEN;
}

static gboolean
check_content (sqlite3 *db, GError **error)
{
  g_autofree char *verdict = NULL;
  g_autofree char *safe = NULL;
  gint64 n_pages, page_bytes;

  if (!jm_sqlite_get_number (db, "PRAGMA page_count", &n_pages, error) ||
      !jm_sqlite_get_number (db, "PRAGMA page_size", &page_bytes, error))
    return FALSE;
  if (n_pages * page_bytes > MAX_CHECKED_BYTES)
    return TRUE;

  verdict = jm_sqlite_get_text (db, "PRAGMA quick_check (1)", error);
  if (verdict == NULL || g_str_equal (verdict, "ok"))
    return verdict != NULL;

  safe = jm_safe_text_make (verdict);
  g_set_error (error, JM_ERROR,
               tells_of_system (verdict) ? JM_ERROR_UNAVAILABLE : JM_ERROR_MALFORMED,
               "%s: broken: %s", sqlite3_db_filename (db, "main"), safe);

  return FALSE;
}

static gboolean
open_database (JmLedgerFile *self, GError **error)
{
  int persist = TRUE;

  self->db = jm_sqlite_open (self->path, TRUE, error);
  if (self->db == NULL)
    return FALSE;

  /* Who may only read could not make these files. */
  sqlite3_file_control (self->db, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);

  return jm_ledger_schema_prepare (self->db, error) && check_content (self->db, error);
}

static gboolean
read_through (const char *path)
{
  char buffer[READ_BYTES];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  gssize n;

  if (fd < 0)
    return errno == ENOENT;

  do
    n = TEMP_FAILURE_RETRY (read (fd, buffer, sizeof buffer));
  while (n > 0);
  close (fd);

  return n == 0;
}

/* SQLite calls a file malformed, too, that the device does not give. */
gboolean
jm_ledger_file_can_be_read (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);

  return read_through (path) && read_through (log);
}

/* One that is broken is so the second time, and can be read all the same. */
static gboolean
open_if_whole (JmLedgerFile *self, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (open_database (self, &problem))
    return TRUE;

  if (g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    {
      g_clear_error (&problem);
      g_clear_pointer (&self->db, jm_sqlite_close);
      if (open_database (self, &problem))
        return TRUE;
    }
  if (g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED) &&
      !jm_ledger_file_can_be_read (self->path))
    problem->code = JM_ERROR_UNAVAILABLE;
  g_propagate_error (error, g_steal_pointer (&problem));

  return FALSE;
}

static gboolean
open_or_begin_anew (JmLedgerFile *self, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (open_if_whole (self, &problem))
    return TRUE;
  if (!g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  g_warning ("%s; it is put aside as %s" BROKEN_SUFFIX ", and a new one is begun",
             problem->message, self->path);
  jm_ledger_file_put_aside (self);

  return create (self->path, error) && open_database (self, error);
}

static gboolean
claim (JmLedgerFile *self, GError **error)
{
  g_autofree char *lock_path = g_strconcat (self->path, LOCK_SUFFIX, NULL);
  gboolean exists;

  if (!check_files (self->path, TRUE, &exists, error) ||
      (exists && !check_is_ours (self->path, lock_path, error)))
    return FALSE;

  self->lock = take_lock (self->path, lock_path, error);

  return self->lock >= 0 && (exists || create (self->path, error));
}

gboolean
jm_ledger_file_open (JmLedgerFile *self, const char *path, GError **error)
{
  *self = (JmLedgerFile){ .path = jm_sqlite_resolve (path, error), .lock = -1 };

  if (self->path != NULL && claim (self, error) && open_or_begin_anew (self, error))
    return TRUE;

  jm_ledger_file_close (self);

  return FALSE;
}

/* Without rights to make the file that readers and writer share, SQLite reads a ledger
 * that nobody writes only where the caller says that nobody does. */
sqlite3 *
jm_ledger_file_open_for_reading (const char *path, GError **error)
{
  g_autofree char *real = jm_sqlite_resolve (path, error);
  g_autoptr (sqlite3) db = NULL;
  gboolean exists;

  if (real == NULL || !check_files (real, FALSE, &exists, error))
    return NULL;
  if (!exists)
    {
      refuse_errno (error, path, ENOENT);
      return NULL;
    }

  db = jm_sqlite_open (real, FALSE, error);
  if (db == NULL || !jm_ledger_schema_check (db, error))
    return NULL;

  return g_steal_pointer (&db);
}

gboolean
jm_ledger_file_is_there (sqlite3 *db)
{
  int has_moved = FALSE;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);

  return !has_moved;
}

void
jm_ledger_file_close (JmLedgerFile *self)
{
  g_clear_pointer (&self->db, jm_sqlite_close);
  g_clear_pointer (&self->path, g_free);
  if (self->lock >= 0)
    close (self->lock);
  self->lock = -1;
}

/* The last name first: what is left when this is cut short is broken still. */
void
jm_ledger_file_put_aside (JmLedgerFile *self)
{
  g_clear_pointer (&self->db, jm_sqlite_close);

  for (guint i = G_N_ELEMENTS (sqlite_suffixes); i-- > 0;)
    {
      g_autofree char *from = g_strconcat (self->path, sqlite_suffixes[i], NULL);
      g_autofree char *to =
        g_strconcat (self->path, BROKEN_SUFFIX, sqlite_suffixes[i], NULL);

      g_rename (from, to);
    }
}
