/* jm-percpu-times.c: how long cgroups ran on each CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-percpu-times-private.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-bpf-private.h"
#include "sources/counters/jm-percpu-times.bpf.h"
#include "sources/counters/jm-percpu-times.skel.h"

#define N_PLACES JM_BPF_PERCPU_CGROUPS

struct _JmPercpuTimes
{
  struct jm_percpu_times *program;
  struct bpf_link *link;
  guint n_cpus;
  const guint64 *rounds; /* of N_PLACES, shared with the program */
  const guint64 *times;  /* the same, of each n_cpus */
  GArray *free_places;   /* of guint */
};

/* --- opening --- */

static gsize
get_size (gsize n)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);

  return (n * sizeof (guint64) + page - 1) / page * page;
}

static const guint64 *
map_values (struct bpf_map *map, gsize n)
{
  void *values = mmap (NULL, get_size (n), PROT_READ, MAP_SHARED, bpf_map__fd (map), 0);

  return values != MAP_FAILED ? values : NULL;
}

static gboolean
load (JmPercpuTimes *self, GError **error)
{
  int result;

  self->program = jm_percpu_times__open ();
  if (self->program == NULL)
    {
      jm_bpf_set_error (error, "CPUs of cgroups: cannot be opened", -errno);
      return FALSE;
    }

  self->program->rodata->n_cpus = self->n_cpus;
  bpf_map__set_max_entries (self->program->maps.times, N_PLACES * self->n_cpus);
  result = jm_percpu_times__load (self->program);
  if (result < 0)
    {
      jm_bpf_set_error (error, "CPUs of cgroups: the kernel does not take the program",
                        result);
      return FALSE;
    }

  self->rounds = map_values (self->program->maps.rounds, N_PLACES);
  self->times = map_values (self->program->maps.times, (gsize) N_PLACES * self->n_cpus);
  if (self->rounds != NULL && self->times != NULL)
    return TRUE;

  jm_bpf_set_error (error, "CPUs of cgroups: cannot be shared", -errno);
  return FALSE;
}

/* To all cgroups below @dir, and those that come. */
static gboolean
attach (JmPercpuTimes *self, const char *dir, GError **error)
{
  union bpf_iter_link_info info = { 0 };
  struct bpf_iter_attach_opts options;
  int fd = open (dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    {
      jm_path_error_set_errno (error, dir, errno);
      return FALSE;
    }

  /* libbpf refuses padding that is not zero, which LIBBPF_OPTS () leaves as it is */
  memset (&options, 0, sizeof options);
  options.sz = sizeof options;
  options.link_info = &info;
  options.link_info_len = sizeof info;
  info.cgroup.cgroup_fd = (guint32) fd;
  info.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
  self->link = bpf_program__attach_iter (self->program->progs.visit_cgroup, &options);
  if (self->link == NULL)
    jm_bpf_set_error (error, "CPUs of cgroups: the program cannot be attached", -errno);
  close (fd);

  return self->link != NULL;
}

/* Only where it has run is it known what this kernel counts. */
static gboolean
try (JmPercpuTimes *self, GError **error)
{
  if (!jm_percpu_times_read (self, error))
    return FALSE;
  if (self->program->bss->is_counted)
    return TRUE;

  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "BPF: CPUs of cgroups: this kernel does not count them; Linux "
                       "6.6 or later does on x86");
  return FALSE;
}

/* As many as this machine can have, be they there or not. */
static gboolean
count_cpus (JmPercpuTimes *self, GError **error)
{
  int n = libbpf_num_possible_cpus ();

  if (n <= 0)
    {
      jm_bpf_set_error (error, "CPUs of cgroups: cannot be counted", n);
      return FALSE;
    }
  if (n > JM_BPF_PERCPU_CPUS)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "BPF: CPUs of cgroups: %d of them are more than %d", n,
                   JM_BPF_PERCPU_CPUS);
      return FALSE;
    }

  self->n_cpus = (guint) n;
  return TRUE;
}

JmPercpuTimes *
jm_percpu_times_new (JmHost *host, const char *dir, GError **error)
{
  JmPercpuTimes *self;

  if (!jm_bpf_prepare (host, error))
    return NULL;

  self = g_new0 (JmPercpuTimes, 1);
  self->free_places = g_array_sized_new (FALSE, FALSE, sizeof (guint), N_PLACES);
  for (guint i = N_PLACES; i-- > 0;)
    g_array_append_val (self->free_places, i);
  if (!count_cpus (self, error) || !load (self, error) || !attach (self, dir, error) ||
      !try (self, error))
    g_clear_pointer (&self, jm_percpu_times_free);

  return self;
}

void
jm_percpu_times_free (JmPercpuTimes *self)
{
  if (self->rounds != NULL)
    munmap ((void *) self->rounds, get_size (N_PLACES));
  if (self->times != NULL)
    munmap ((void *) self->times, get_size ((gsize) N_PLACES * self->n_cpus));
  if (self->link != NULL)
    bpf_link__destroy (self->link);
  if (self->program != NULL)
    jm_percpu_times__destroy (self->program);
  g_array_unref (self->free_places);
  g_free (self);
}

/* --- cgroups --- */

gboolean
jm_percpu_times_add (JmPercpuTimes *self, guint64 inode, guint *place, GError **error)
{
  guint32 index;

  if (self->free_places->len == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "BPF: CPUs of cgroups: there is no room for more than %u of them",
                   N_PLACES);
      return FALSE;
    }

  index = g_array_index (self->free_places, guint, self->free_places->len - 1);
  if (bpf_map_update_elem (bpf_map__fd (self->program->maps.places), &inode, &index,
                           BPF_ANY) != 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "BPF: CPUs of cgroups: %s",
                   g_strerror (errno));
      return FALSE;
    }

  g_array_set_size (self->free_places, self->free_places->len - 1);
  *place = index;
  return TRUE;
}

/* One that was asked for again since has another place by now, and keeps it. */
void
jm_percpu_times_remove (JmPercpuTimes *self, guint64 inode, guint place)
{
  int places = bpf_map__fd (self->program->maps.places);
  guint32 current;

  if (bpf_map_lookup_elem (places, &inode, &current) == 0 && current == place)
    bpf_map_delete_elem (places, &inode);
  g_array_append_val (self->free_places, place);
}

/* --- a round --- */

static int
run (JmPercpuTimes *self)
{
  int fd = bpf_iter_create (bpf_link__fd (self->link));
  char nothing[16];
  gssize n;

  if (fd < 0)
    return fd;

  do
    n = read (fd, nothing, sizeof nothing);
  while (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)));

  n = n < 0 ? -errno : 0;
  close (fd);

  return (int) n;
}

gboolean
jm_percpu_times_read (JmPercpuTimes *self, GError **error)
{
  int result;

  self->program->bss->current_round++;
  result = run (self);
  if (result == 0)
    return TRUE;

  jm_bpf_set_error (error, "CPUs of cgroups: cannot be read", result);
  return FALSE;
}

guint
jm_percpu_times_get_n_cpus (JmPercpuTimes *self)
{
  return self->n_cpus;
}

const guint64 *
jm_percpu_times_get (JmPercpuTimes *self, guint place)
{
  g_return_val_if_fail (place < N_PLACES, NULL);

  return self->rounds[place] == self->program->bss->current_round
           ? self->times + (gsize) place * self->n_cpus
           : NULL;
}
