/* bench-accesses.c: which files one sweep reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-accesses.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Functions that stand between the library and the C library have nowhere else to
 * keep what they see. */
static GArray *accesses;    /* NULL while nothing is recorded */
static GHashTable *by_path; /* of the number of an access + 1 */
static GHashTable *opened;  /* descriptors that were opened meanwhile */
static GPtrArray *failures; /* of char *: what was looked for in vain */

int __real_openat64 (int dir_fd, const char *path, int flags, ...);
ssize_t __real_pread64 (int fd, void *buffer, size_t size, off64_t offset);
ssize_t __real_getdents64 (int fd, void *buffer, size_t size);
int __real_fstat64 (int fd, struct stat64 *st);
int __real_stat64 (const char *path, struct stat64 *st);
ssize_t __real_readlink (const char *path, char *target, size_t size);

int __wrap_openat64 (int dir_fd, const char *path, int flags, ...);
ssize_t __wrap_pread64 (int fd, void *buffer, size_t size, off64_t offset);
ssize_t __wrap_getdents64 (int fd, void *buffer, size_t size);
int __wrap_fstat64 (int fd, struct stat64 *st);
int __wrap_stat64 (const char *path, struct stat64 *st);
ssize_t __wrap_readlink (const char *path, char *target, size_t size);

static void
access_clear (gpointer data)
{
  BenchAccess *self = data;

  g_free (self->path);
}

static void
note_path (const char *path, BenchAccessKind kind, gboolean is_kept)
{
  g_autofree char *key = g_strdup_printf ("%u%s", kind, path);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (by_path, key));

  if (number == 0)
    {
      BenchAccess access = { kind, g_strdup (path), 0, is_kept };

      g_array_append_val (accesses, access);
      number = accesses->len;
      g_hash_table_insert (by_path, g_steal_pointer (&key), GUINT_TO_POINTER (number));
    }

  g_array_index (accesses, BenchAccess, number - 1).n_reads++;
}

static char *
get_path (int fd)
{
  char link[64];
  char path[PATH_MAX];
  ssize_t length;

  g_snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = __real_readlink (link, path, sizeof path - 1);
  path[MAX (length, 0)] = '\0';

  return g_strdup (path);
}

static void
note_descriptor (int fd, BenchAccessKind kind)
{
  g_autofree char *path = NULL;

  if (accesses == NULL)
    return;

  path = get_path (fd);
  note_path (path, kind, !g_hash_table_contains (opened, GINT_TO_POINTER (fd)));
}

static void
note_failure (int dir_fd, const char *path)
{
  g_autofree char *directory = dir_fd >= 0 ? get_path (dir_fd) : g_strdup ("");

  g_ptr_array_add (failures, g_build_filename (directory, path, NULL));
}

/* The library opens nothing that it would have to make. */
int
__wrap_openat64 (int dir_fd, const char *path, int flags, ...)
{
  int fd = __real_openat64 (dir_fd, path, flags);

  if (accesses != NULL && fd >= 0)
    g_hash_table_add (opened, GINT_TO_POINTER (fd));
  if (accesses != NULL && fd < 0)
    note_failure (dir_fd, path);

  return fd;
}

ssize_t
__wrap_pread64 (int fd, void *buffer, size_t size, off64_t offset)
{
  note_descriptor (fd, BENCH_ACCESS_READ);
  return __real_pread64 (fd, buffer, size, offset);
}

ssize_t
__wrap_getdents64 (int fd, void *buffer, size_t size)
{
  note_descriptor (fd, BENCH_ACCESS_LIST);
  return __real_getdents64 (fd, buffer, size);
}

int
__wrap_fstat64 (int fd, struct stat64 *st)
{
  note_descriptor (fd, BENCH_ACCESS_SIZE);
  return __real_fstat64 (fd, st);
}

int
__wrap_stat64 (const char *path, struct stat64 *st)
{
  if (accesses != NULL)
    note_path (path, BENCH_ACCESS_SIZE, FALSE);
  return __real_stat64 (path, st);
}

ssize_t
__wrap_readlink (const char *path, char *target, size_t size)
{
  if (accesses != NULL)
    note_path (path, BENCH_ACCESS_LINK, FALSE);
  return __real_readlink (path, target, size);
}

void
bench_accesses_start (void)
{
  by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  opened = g_hash_table_new (NULL, NULL);
  failures = g_ptr_array_new_with_free_func (g_free);
  accesses = g_array_new (FALSE, FALSE, sizeof (BenchAccess));
  g_array_set_clear_func (accesses, access_clear);
}

GArray *
bench_accesses_stop (GPtrArray **missing)
{
  GArray *result = g_steal_pointer (&accesses);

  *missing = g_steal_pointer (&failures);
  g_clear_pointer (&by_path, g_hash_table_unref);
  g_clear_pointer (&opened, g_hash_table_unref);

  return result;
}
