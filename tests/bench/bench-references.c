/* bench-references.c: what a sweep is compared with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-references.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER_SIZE (64 * 1024)
#define MAX_FD ((guint) ~0U)

struct _BenchReferences
{
  pid_t pid;
  int requests;
  int replies;
};

typedef struct
{
  BenchReference which;
  guint n_repeats;
} Request;

/* In the child. */
typedef struct
{
  GArray *accesses; /* of BenchAccess */
  int *kept;        /* a descriptor for each, or -1 */
  guint n_failed;
  _Alignas(struct dirent64) char buffer[BUFFER_SIZE];
} Reader;

static void
note (Reader *self, gssize result)
{
  if (result < 0)
    self->n_failed++;
}

static int
open_access (const BenchAccess *access)
{
  return open (access->path, access->kind == BENCH_ACCESS_READ
                               ? O_RDONLY | O_CLOEXEC
                               : O_RDONLY | O_CLOEXEC | O_DIRECTORY);
}

static void
read_opened (Reader *self, const BenchAccess *access)
{
  int fd;

  if (access->kind == BENCH_ACCESS_LINK)
    {
      note (self, readlink (access->path, self->buffer, sizeof self->buffer));
      return;
    }

  fd = open_access (access);
  note (self, fd);
  for (guint i = 0; fd >= 0 && i < access->n_reads; i++)
    {
      struct stat st;

      if (access->kind == BENCH_ACCESS_READ)
        note (self, read (fd, self->buffer, sizeof self->buffer));
      else if (access->kind == BENCH_ACCESS_LIST)
        note (self, getdents64 (fd, self->buffer, sizeof self->buffer));
      else
        note (self, fstat (fd, &st));
    }
  if (fd >= 0)
    close (fd);
}

static void
read_kept (Reader *self, const BenchAccess *access, int fd)
{
  gssize offset = 0;

  if (access->kind == BENCH_ACCESS_LIST)
    lseek (fd, 0, SEEK_SET);

  for (guint i = 0; i < access->n_reads; i++)
    {
      gssize n = 0;
      struct stat st;

      if (access->kind == BENCH_ACCESS_READ)
        n = pread (fd, self->buffer, sizeof self->buffer, offset);
      else if (access->kind == BENCH_ACCESS_LIST)
        n = getdents64 (fd, self->buffer, sizeof self->buffer);
      else
        n = fstat (fd, &st);
      note (self, n);
      offset += MAX (n, 0);
    }
}

static void
read_all_opened (gpointer user_data)
{
  Reader *self = user_data;

  for (guint i = 0; i < self->accesses->len; i++)
    read_opened (self, &g_array_index (self->accesses, BenchAccess, i));
}

static void
read_all_kept (gpointer user_data)
{
  Reader *self = user_data;

  for (guint i = 0; i < self->accesses->len; i++)
    {
      const BenchAccess *access = &g_array_index (self->accesses, BenchAccess, i);

      if (self->kept[i] >= 0)
        read_kept (self, access, self->kept[i]);
      else
        read_opened (self, access);
    }
}

/* A process of somebody else's may have ended since it was recorded. */
static void
drop_what_is_gone (Reader *self)
{
  for (guint i = self->accesses->len; i-- > 0;)
    {
      const BenchAccess *access = &g_array_index (self->accesses, BenchAccess, i);
      int fd = access->kind != BENCH_ACCESS_LINK ? open_access (access) : -1;

      if (fd >= 0)
        close (fd);
      else if (access->kind != BENCH_ACCESS_LINK)
        g_array_remove_index (self->accesses, i);
    }
}

static void
keep_descriptors (Reader *self)
{
  self->kept = g_new (int, self->accesses->len);
  for (guint i = 0; i < self->accesses->len; i++)
    {
      const BenchAccess *access = &g_array_index (self->accesses, BenchAccess, i);

      self->kept[i] = access->is_kept ? open_access (access) : -1;
      if (access->is_kept && self->kept[i] < 0)
        self->n_failed++;
    }
}

/* The sweep's own descriptors came along and are in the way. */
static void
close_inherited (int first, int second)
{
  close_range (3, (guint) MIN (first, second) - 1, 0);
  close_range ((guint) MIN (first, second) + 1, (guint) MAX (first, second) - 1, 0);
  close_range ((guint) MAX (first, second) + 1, MAX_FD, 0);
}

static void
serve (GArray *accesses, int requests, int replies)
{
  g_autofree Reader *reader = g_new0 (Reader, 1);
  BenchMeter meter;
  Request request;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  close_inherited (requests, replies);
  reader->accesses = accesses;
  drop_what_is_gone (reader);
  keep_descriptors (reader);
  bench_meter_open (&meter);

  while (read (requests, &request, sizeof request) == sizeof request)
    {
      BenchFunc func =
        request.which == BENCH_REFERENCE_KEPT ? read_all_kept : read_all_opened;
      BenchCost cost = bench_meter_run (&meter, func, reader, request.n_repeats);

      if (reader->n_failed > 0)
        cost.figures[BENCH_CPU_US] = NAN;
      if (write (replies, &cost, sizeof cost) != sizeof cost)
        break;
    }

  _exit (0);
}

BenchReferences *
bench_references_new (GArray *accesses)
{
  g_autofree BenchReferences *self = g_new0 (BenchReferences, 1);
  int requests[2];
  int replies[2];

  if (pipe2 (requests, O_CLOEXEC) != 0 || pipe2 (replies, O_CLOEXEC) != 0)
    return NULL;

  self->pid = fork ();
  if (self->pid == 0)
    serve (accesses, requests[0], replies[1]);

  close (requests[0]);
  close (replies[1]);
  self->requests = requests[1];
  self->replies = replies[0];

  return self->pid > 0 ? g_steal_pointer (&self) : NULL;
}

void
bench_references_free (BenchReferences *self)
{
  close (self->requests);
  close (self->replies);
  waitpid (self->pid, NULL, 0);
  g_free (self);
}

BenchCost
bench_references_run (BenchReferences *self, BenchReference which, guint n_repeats)
{
  Request request = { which, n_repeats };
  BenchCost cost;

  if (write (self->requests, &request, sizeof request) != sizeof request ||
      read (self->replies, &cost, sizeof cost) != sizeof cost)
    for (guint i = 0; i < BENCH_N_FIGURES; i++)
      cost.figures[i] = NAN;

  return cost;
}
