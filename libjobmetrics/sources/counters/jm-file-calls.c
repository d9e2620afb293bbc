/* jm-file-calls.c: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-file-calls-private.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-bpf-private.h"
#include "sources/counters/jm-file-calls.bpf.h"
#include "sources/counters/jm-file-calls.skel.h"

#define WHAT                                                                           \
 "a program that counts what jobs do to files (it takes CAP_BPF and CAP_PERFMON)"

struct _JmFileCalls
{
  struct jm_file_calls *program;
};

struct _JmFileCount
{
  JmFileCalls *calls;
  struct jm_bpf_place place; /* of the cgroup itself */
};

/* A machine of another kind has not all of them. */
static const struct
{
  guint number;
  guint8 kind;
} known_calls[] = {
  { SYS_read, JM_BPF_CALL_READS },      { SYS_pread64, JM_BPF_CALL_READS },
  { SYS_readv, JM_BPF_CALL_READS },     { SYS_preadv, JM_BPF_CALL_READS },
  { SYS_preadv2, JM_BPF_CALL_READS },   { SYS_write, JM_BPF_CALL_WRITES },
  { SYS_pwrite64, JM_BPF_CALL_WRITES }, { SYS_writev, JM_BPF_CALL_WRITES },
  { SYS_pwritev, JM_BPF_CALL_WRITES },  { SYS_pwritev2, JM_BPF_CALL_WRITES },
  { SYS_openat, JM_BPF_CALL_OPENS },
#ifdef SYS_open
  { SYS_open, JM_BPF_CALL_OPENS },
#endif
#ifdef SYS_creat
  { SYS_creat, JM_BPF_CALL_OPENS },
#endif
#ifdef SYS_openat2
  { SYS_openat2, JM_BPF_CALL_OPENS },
#endif
};

/* Returns: 0, or a negative errno */
static int
load (struct jm_file_calls *program)
{
  int result;

  for (gsize i = 0; i < G_N_ELEMENTS (known_calls); i++)
    if (known_calls[i].number < JM_BPF_MAX_CALLS)
      program->rodata->kinds[known_calls[i].number] = known_calls[i].kind;

  result = jm_file_calls__load (program);

  return result != 0 ? result : jm_file_calls__attach (program);
}

JmFileCalls *
jm_file_calls_new (JmHost *host, GError **error)
{
  struct jm_file_calls *program;
  JmFileCalls *self;
  int result;

  if (!jm_bpf_prepare (host, error))
    return NULL;

  program = jm_file_calls__open ();
  result = program != NULL ? load (program) : -errno;
  if (result != 0)
    {
      jm_file_calls__destroy (program);
      jm_bpf_set_error (error, WHAT, result);
      return NULL;
    }

  self = g_new0 (JmFileCalls, 1);
  self->program = program;

  return self;
}

void
jm_file_calls_free (JmFileCalls *self)
{
  jm_file_calls__destroy (self->program);
  g_free (self);
}

/* --- one cgroup --- */

/* The number of a cgroup's directory is how the kernel knows it. */
static gboolean
identify (JmFileCount *self, const char *dir, GError **error)
{
  struct stat status;
  struct statfs fs;

  if (stat (dir, &status) != 0 || statfs (dir, &fs) != 0)
    {
      jm_path_error_set_errno (error, dir, errno);
      return FALSE;
    }

  self->place.cgroup = status.st_ino;
  self->place.is_v1 = fs.f_type == CGROUP_SUPER_MAGIC;

  return TRUE;
}

JmFileCount *
jm_file_count_new (JmFileCalls *calls, const char *dir, GError **error)
{
  g_autofree JmFileCount *self = g_new0 (JmFileCount, 1);
  const guint32 is_job = 1;

  self->calls = calls;
  if (!identify (self, dir, error))
    return NULL;

  if (bpf_map_update_elem (bpf_map__fd (calls->program->maps.jobs), &self->place,
                           &is_job, BPF_ANY) != 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: " WHAT ": %s", dir,
                   g_strerror (errno));
      return NULL;
    }
  if (self->place.is_v1)
    calls->program->bss->uses_v1 = true;

  return g_steal_pointer (&self);
}

void
jm_file_count_free (JmFileCount *self)
{
  bpf_map_delete_elem (bpf_map__fd (self->calls->program->maps.jobs), &self->place);
  g_free (self);
}

/* As the kernel keeps the number of a device (MKDEV in linux/kdev_t.h). */
static struct jm_bpf_place
get_place (const JmFileCount *self, guint major, guint minor)
{
  struct jm_bpf_place place = self->place;

  place.device = major << 20 | minor;

  return place;
}

gboolean
jm_file_count_read (JmFileCount *self, guint major, guint minor, JmFileSum *sum)
{
  const struct jm_bpf_place place = get_place (self, major, minor);
  struct jm_bpf_calls calls;

  if (bpf_map_lookup_elem (bpf_map__fd (self->calls->program->maps.calls), &place,
                           &calls) != 0)
    return FALSE;

  *sum =
    (JmFileSum){ calls.reads, calls.read_bytes, calls.writes,      calls.written_bytes,
                 calls.opens, calls.creates,    calls.read_errors, calls.write_errors };

  return TRUE;
}

void
jm_file_count_forget (JmFileCount *self, guint major, guint minor)
{
  const struct jm_bpf_place place = get_place (self, major, minor);

  bpf_map_delete_elem (bpf_map__fd (self->calls->program->maps.calls), &place);
}
