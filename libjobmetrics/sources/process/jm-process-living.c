/* jm-process-living.c: all processes that live, and where
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-feed-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (256 * 1024)

G_STATIC_ASSERT (G_N_ELEMENTS (((struct jm_bpf_use *) 0)->io) == JM_N_PROCESS_IO);

typedef struct
{
  struct jm_bpf_process told;
  guint first_thread;
  guint last_thread;
  guint next; /* in the same cgroup; its index and 1, 0 for none */
} Living;

typedef struct
{
  struct jm_bpf_task told;
  guint next;
} Thread;

typedef struct
{
  guint64 inode;
  guint group;
  guint first; /* of its processes; as the next of one */
  guint last;
} Cgroup;

struct _JmProcessLiving
{
  char *buffer;
  GArray *living;     /* of Living, by pid */
  GArray *threads;    /* of Thread; 0 is none */
  GArray *cgroups;    /* of Cgroup, by inode once it is searched */
  gboolean is_sorted; /* and those that live are in their lists */
};

JmProcessLiving *
jm_process_living_new (void)
{
  JmProcessLiving *self = g_new0 (JmProcessLiving, 1);

  self->buffer = g_malloc (BUFFER_SIZE);
  self->living = g_array_new (FALSE, FALSE, sizeof (Living));
  self->threads = g_array_new (FALSE, TRUE, sizeof (Thread));
  self->cgroups = g_array_new (FALSE, FALSE, sizeof (Cgroup));

  return self;
}

void
jm_process_living_free (JmProcessLiving *self)
{
  g_array_unref (self->living);
  g_array_unref (self->threads);
  g_array_unref (self->cgroups);
  g_free (self->buffer);
  g_free (self);
}

/* --- processes and threads --- */

static Living *
find_living (JmProcessLiving *self, guint pid)
{
  guint low = 0;
  guint high = self->living->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      Living *living = &g_array_index (self->living, Living, middle);

      if (living->told.task.pid == pid)
        return living;
      if (living->told.task.pid < pid)
        low = middle + 1;
      else
        high = middle;
    }

  return NULL;
}

static void
append_thread (JmProcessLiving *self, Living *living, guint index)
{
  if (living->last_thread == 0)
    living->first_thread = index;
  else
    g_array_index (self->threads, Thread, living->last_thread).next = index;
  living->last_thread = index;
}

/* Threads lie among the processes, in the order of all numbers; one may even lie before
 * its process. */
static void
link_threads (JmProcessLiving *self)
{
  Living *living = NULL;

  for (guint i = 1; i < self->threads->len; i++)
    {
      const Thread *thread = &g_array_index (self->threads, Thread, i);

      if (living == NULL || living->told.task.pid != thread->told.tgid)
        living = find_living (self, thread->told.tgid);
      if (living == NULL)
        continue;

      append_thread (self, living, i);
      living->told.task.use.exec_ns += thread->told.use.exec_ns;
      living->told.task.use.user_ns += thread->told.use.user_ns;
      living->told.task.use.system_ns += thread->told.use.system_ns;
      for (guint k = 0; k < JM_N_PROCESS_IO; k++)
        living->told.task.use.io[k] += thread->told.use.io[k];
    }
}

/* Takes what is whole of @length bytes; returns how many they were. */
static gsize
take_records (JmProcessLiving *self, const char *text, gsize length)
{
  gsize done = 0;

  while (length - done >= sizeof (struct jm_bpf_task))
    {
      Thread thread = { 0 };
      Living living = { 0 };

      memcpy (&thread.told, text + done, sizeof thread.told);
      if (thread.told.pid != thread.told.tgid)
        {
          g_array_append_val (self->threads, thread);
          done += sizeof thread.told;
          continue;
        }
      if (length - done < sizeof living.told)
        break;

      memcpy (&living.told, text + done, sizeof living.told);
      g_array_append_val (self->living, living);
      done += sizeof living.told;
    }

  return done;
}

static int
read_records (JmProcessLiving *self, int fd)
{
  gsize kept = 0;
  gssize n;

  while ((n = read (fd, self->buffer + kept, BUFFER_SIZE - kept)) != 0)
    {
      gsize done;

      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n < 0)
        return -errno;

      kept += (gsize) n;
      done = take_records (self, self->buffer, kept);
      kept -= done;
      memmove (self->buffer, self->buffer + done, kept);
    }

  return kept == 0 ? 0 : -EBADMSG;
}

int
jm_process_living_read (JmProcessLiving *self, int fd)
{
  int result;

  g_array_set_size (self->living, 0);
  g_array_set_size (self->threads, 1);
  g_array_set_size (self->cgroups, 0);
  self->is_sorted = FALSE;

  result = fd >= 0 ? read_records (self, fd) : fd;
  if (result == 0)
    link_threads (self);

  return result;
}

const struct jm_bpf_process *
jm_process_living_find (JmProcessLiving *self, guint pid, guint *first_thread)
{
  const Living *living = find_living (self, pid);

  if (living == NULL)
    return NULL;

  if (first_thread != NULL)
    *first_thread = living->first_thread;
  return &living->told;
}

const struct jm_bpf_task *
jm_process_living_get_thread (JmProcessLiving *self, guint thread, guint *next)
{
  const Thread *found;

  g_assert (thread > 0 && thread < self->threads->len);
  found = &g_array_index (self->threads, Thread, thread);
  *next = found->next;

  return &found->told;
}

/* --- cgroups --- */

void
jm_process_living_add_cgroup (JmProcessLiving *self, guint64 inode, guint group)
{
  Cgroup cgroup = { .inode = inode, .group = group };

  g_array_append_val (self->cgroups, cgroup);
  self->is_sorted = FALSE;
}

static int
compare_cgroups (gconstpointer a, gconstpointer b)
{
  guint64 first = ((const Cgroup *) a)->inode;
  guint64 second = ((const Cgroup *) b)->inode;

  return (first > second) - (first < second);
}

static Cgroup *
search_cgroup (JmProcessLiving *self, guint64 inode)
{
  const Cgroup wanted = { .inode = inode };
  guint index;

  if (inode == 0 ||
      !g_array_binary_search (self->cgroups, &wanted, compare_cgroups, &index))
    return NULL;

  return &g_array_index (self->cgroups, Cgroup, index);
}

static void
append_process (JmProcessLiving *self, Cgroup *cgroup, guint index)
{
  if (cgroup->last == 0)
    cgroup->first = index + 1;
  else
    g_array_index (self->living, Living, cgroup->last - 1).next = index + 1;
  cgroup->last = index + 1;
}

static void
sort_cgroups (JmProcessLiving *self)
{
  g_array_sort (self->cgroups, compare_cgroups);
  for (guint i = 0; i < self->cgroups->len; i++)
    {
      Cgroup *cgroup = &g_array_index (self->cgroups, Cgroup, i);

      cgroup->first = cgroup->last = 0;
    }

  for (guint i = 0; i < self->living->len; i++)
    {
      Living *living = &g_array_index (self->living, Living, i);
      Cgroup *cgroup = search_cgroup (self, living->told.cgroup);

      living->next = 0;
      if (cgroup != NULL)
        append_process (self, cgroup, i);
    }
}

static Cgroup *
find_cgroup (JmProcessLiving *self, guint64 inode)
{
  if (!self->is_sorted)
    sort_cgroups (self);
  self->is_sorted = TRUE;

  return search_cgroup (self, inode);
}

gboolean
jm_process_living_list_cgroup (JmProcessLiving *self,
                               guint64 inode,
                               JmReadings *readings)
{
  const Cgroup *cgroup = find_cgroup (self, inode);

  if (cgroup == NULL || cgroup->first == 0)
    return FALSE;

  for (guint i = cgroup->first; i != 0;)
    {
      const Living *living = &g_array_index (self->living, Living, i - 1);

      jm_readings_add_process (readings, living->told.task.pid);
      i = living->next;
    }

  return TRUE;
}

guint
jm_process_living_find_group (JmProcessLiving *self, guint64 inode)
{
  const Cgroup *cgroup = find_cgroup (self, inode);

  return cgroup != NULL ? cgroup->group : 0;
}
