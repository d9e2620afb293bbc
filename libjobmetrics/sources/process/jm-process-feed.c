/* jm-process-feed.c: what the kernel itself tells of all processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-feed-private.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/jm-error.h"
#include "host/jm-bpf-private.h"

#include "sources/process/jm-process-feed.bpf.h"
#include "sources/process/jm-process-feed.skel.h"

#define BUFFER_SIZE (256 * 1024)
#define BATCH 256
#define MAX_YIELDS 100

/* PROC_PID_INIT_INO: the pid name space that the kernel's own numbers are of. */
#define INIT_PID_NAMESPACE 0xeffffffcu

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

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

struct _JmProcessFeed
{
  struct jm_process_feed *programs;
  guint64 began_ns; /* since boot */
  guint n_rounds;
  guint64 n_ended; /* that were put into tables up to the last round */
  guint64 n_summed;
  gboolean is_due[2]; /* whether there may be something in a table of sums */
  char *buffer;

  GArray *living;  /* of Living, by pid */
  GArray *threads; /* of Thread; 0 is none */
  GArray *ended; /* of struct jm_bpf_ended, by pid; of 0 processes once it was taken */
  GArray *ended_keys;
  GArray *sums; /* of struct jm_bpf_sum */
  GArray *sum_keys;
  GArray *cgroups;         /* of Cgroup, by inode once it is searched */
  gboolean is_sorted;      /* and those that live are in their lists */
  struct jm_bpf_path path; /* that was looked up last */
};

/* --- opening --- */

static gboolean
is_in_first_namespace (JmHost *host)
{
  g_autofree char *path = jm_host_resolve (host, "/proc/self/ns/pid");
  struct stat status;

  return path != NULL && stat (path, &status) == 0 &&
         status.st_ino == INIT_PID_NAMESPACE;
}

/* Whether a controller has a hierarchy of its own, of version 1. */
static gboolean
has_hierarchy (const char *text, const char *controller)
{
  const char *line = text != NULL ? strstr (text, controller) : NULL;
  gsize length = strlen (controller);

  if (line == NULL || (line != text && line[-1] != '\n') || line[length] != '\t')
    return FALSE;

  return strtoul (line + length + 1, NULL, 10) != 0;
}

/* Jobs are told apart where their figures are read: see
 * jm_cgroup_reader_get_inode(). */
static void
choose_hierarchy (JmProcessFeed *self, JmHost *host)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/cgroups", 65536, &length, NULL);

  self->programs->rodata->uses_cpuacct = has_hierarchy (text, "cpuacct");
  self->programs->rodata->uses_memory = has_hierarchy (text, "memory");
}

static guint64
get_time_since_boot (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);

  return (guint64) now.tv_sec * NS_PER_SECOND + (guint64) now.tv_nsec;
}

static gboolean
load (JmProcessFeed *self, JmHost *host, GError **error)
{
  int result;

  self->programs = jm_process_feed__open ();
  if (self->programs == NULL)
    {
      jm_bpf_set_error (error, "processes: cannot be opened", -errno);
      return FALSE;
    }

  choose_hierarchy (self, host);
  result = jm_process_feed__load (self->programs);
  if (result < 0)
    {
      jm_bpf_set_error (error, "processes: the kernel does not take the programs",
                        result);
      return FALSE;
    }

  self->began_ns = get_time_since_boot ();
  result = jm_process_feed__attach (self->programs);
  if (result < 0)
    {
      jm_bpf_set_error (error, "processes: the programs cannot be attached", result);
      return FALSE;
    }

  return TRUE;
}

JmProcessFeed *
jm_process_feed_new (JmHost *host, GError **error)
{
  JmProcessFeed *self;

  if (!jm_bpf_prepare (host, error))
    return NULL;
  if (!is_in_first_namespace (host))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "BPF: processes: we run in a pid name space of our own, "
                           "where processes have other numbers");
      return NULL;
    }

  self = g_new0 (JmProcessFeed, 1);
  self->living = g_array_new (FALSE, FALSE, sizeof (Living));
  self->threads = g_array_new (FALSE, TRUE, sizeof (Thread));
  self->ended = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_ended));
  self->ended_keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->sums = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_sum));
  self->sum_keys = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_sum_key));
  self->cgroups = g_array_new (FALSE, FALSE, sizeof (Cgroup));
  self->buffer = g_malloc (BUFFER_SIZE);
  if (!load (self, host, error))
    g_clear_pointer (&self, jm_process_feed_free);

  return self;
}

void
jm_process_feed_free (JmProcessFeed *self)
{
  if (self->programs != NULL)
    jm_process_feed__destroy (self->programs);
  g_array_unref (self->living);
  g_array_unref (self->threads);
  g_array_unref (self->ended);
  g_array_unref (self->ended_keys);
  g_array_unref (self->sums);
  g_array_unref (self->sum_keys);
  g_array_unref (self->cgroups);
  g_free (self->buffer);
  g_free (self);
}

/* --- the living --- */

static Living *
find_living (JmProcessFeed *self, guint pid)
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
append_thread (JmProcessFeed *self, Living *living, guint index)
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
link_threads (JmProcessFeed *self)
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
take_records (JmProcessFeed *self, const char *text, gsize length)
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
read_records (JmProcessFeed *self, int fd)
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

static int
read_living (JmProcessFeed *self)
{
  int fd = bpf_iter_create (bpf_link__fd (self->programs->links.list_tasks));
  int result;

  g_array_set_size (self->living, 0);
  g_array_set_size (self->threads, 1);
  if (fd < 0)
    return fd;

  result = read_records (self, fd);
  close (fd);
  if (result == 0)
    link_threads (self);

  return result;
}

/* --- those that ended --- */

/* Takes all entries out of a table to which nobody writes, or of which each entry is
 * written but once. */
static int
drain (struct bpf_map *map, GArray *keys, GArray *values)
{
  gsize key_size = g_array_get_element_size (keys);
  gsize value_size = g_array_get_element_size (values);
  guint64 cursor[8];
  gboolean is_first = TRUE;
  int result;

  g_array_set_size (keys, 0);
  g_array_set_size (values, 0);
  do
    {
      guint start = values->len;
      guint32 n = BATCH;

      g_array_set_size (keys, start + n);
      g_array_set_size (values, start + n);
      result =
        bpf_map_lookup_and_delete_batch (bpf_map__fd (map), is_first ? NULL : cursor,
                                         cursor, keys->data + start * key_size,
                                         values->data + start * value_size, &n, NULL);
      /* what was taken out before a failure is there all the same */
      if (result == -EFAULT || result == -EINVAL)
        n = 0;
      g_array_set_size (keys, start + n);
      g_array_set_size (values, start + n);
      is_first = FALSE;
    }
  while (result == 0);

  return result == -ENOENT ? 0 : result;
}

static int
compare_ended (gconstpointer a, gconstpointer b)
{
  guint first = ((const struct jm_bpf_ended *) a)->pid;
  guint second = ((const struct jm_bpf_ended *) b)->pid;

  return (first > second) - (first < second);
}

static int
drain_ended (JmProcessFeed *self)
{
  guint64 n_ended = self->programs->bss->n_ended;
  int result = 0;

  g_array_set_size (self->ended, 0);
  if (n_ended != self->n_ended)
    result = drain (self->programs->maps.ended, self->ended_keys, self->ended);
  self->n_ended = n_ended;
  g_array_sort (self->ended, compare_ended);

  return result;
}

/* Programs are done within microseconds, unless their CPU is taken from them. */
static gboolean
is_being_written (JmProcessFeed *self, guint table)
{
  const __u32 *n_writers = &self->programs->bss->n_writers[table];

  for (guint i = 0; i < MAX_YIELDS; i++)
    {
      if (__atomic_load_n (n_writers, __ATOMIC_SEQ_CST) == 0)
        return FALSE;
      sched_yield ();
    }

  return TRUE;
}

static int
drain_sums (JmProcessFeed *self, guint table)
{
  guint64 n_summed = __atomic_load_n (&self->programs->bss->n_summed, __ATOMIC_SEQ_CST);

  /* in which of the two nobody has said */
  if (n_summed != self->n_summed)
    self->is_due[0] = self->is_due[1] = TRUE;
  self->n_summed = n_summed;

  g_array_set_size (self->sums, 0);
  if (!self->is_due[table] || is_being_written (self, table))
    return 0;

  self->is_due[table] = FALSE;
  return drain (table == 0 ? self->programs->maps.sums_even
                           : self->programs->maps.sums_odd,
                self->sum_keys, self->sums);
}

gboolean
jm_process_feed_read (JmProcessFeed *self, GError **error)
{
  guint32 epoch = self->programs->bss->epoch;
  int result;

  /* what ends from here on is of the next round, unless it is among the living now */
  __atomic_store_n (&self->programs->bss->epoch, epoch + 1, __ATOMIC_SEQ_CST);
  g_array_set_size (self->cgroups, 0);
  self->is_sorted = FALSE;

  result = read_living (self);
  if (result == 0)
    result = drain_ended (self);
  if (result == 0)
    result = drain_sums (self, epoch & 1);
  if (result < 0)
    {
      jm_bpf_set_error (error, "processes: cannot be read", result);
      return FALSE;
    }

  /* those that ended before the first round are in what their parents waited for */
  if (self->n_rounds++ == 0)
    {
      g_array_set_size (self->ended, 0);
      g_array_set_size (self->sums, 0);
    }

  return TRUE;
}

/* --- what was read --- */

/* As the kernel does for /proc/PID/stat: the scheduler knows how long a task ran, and
 * ticks of the clock in what share of it which mode. */
static void
scale (const struct jm_bpf_use *use, guint64 *user_ns, guint64 *system_ns)
{
  guint64 sampled = use->user_ns + use->system_ns;

  *system_ns =
    sampled > 0
      ? (guint64) ((unsigned __int128) use->exec_ns * use->system_ns / sampled)
      : 0;
  *user_ns = use->exec_ns - *system_ns;
}

static char
get_letter (guint state)
{
  static const char letters[] = JM_BPF_STATES;

  return state < strlen (letters) ? letters[state] : '?';
}

static guint32
fold (const __u64 figures[JM_N_PROCESS_IO])
{
  guint64 sum = 0;

  for (guint i = 0; i < JM_N_PROCESS_IO; i++)
    sum += figures[i];

  return (guint32) (sum ^ (sum >> 32));
}

gboolean
jm_process_feed_find (JmProcessFeed *self, guint pid, JmFedProcess *process)
{
  const Living *living = find_living (self, pid);
  const struct jm_bpf_process *told;
  JmProcessStatus *status = &process->status;

  if (living == NULL)
    return FALSE;

  told = &living->told;
  g_strlcpy (status->comm, told->comm, sizeof told->comm);
  status->state = get_letter (told->task.state);
  status->flags = 0;
  status->ppid = told->ppid;
  status->n_threads = told->n_threads;
  status->processor = told->task.processor;
  status->starttime_ticks = told->start_ns / JM_NS_PER_TICK;
  scale (&told->task.use, &status->user_ns, &status->system_ns);
  status->child_user_ns = told->child_user_ns;
  status->child_system_ns = told->child_system_ns;
  status->child_mark = fold (told->child_io);
  status->rss_pages = told->rss_pages;
  status->executable = NULL;
  status->is_root = told->is_root != 0;

  memcpy (process->io, told->task.use.io, sizeof process->io);
  memcpy (process->child_io, told->child_io, sizeof process->child_io);
  process->n_files = told->n_files != G_MAXUINT32 ? (gint64) told->n_files : -1;
  process->is_older = told->start_ns < self->began_ns;
  process->first_thread = living->first_thread;

  return TRUE;
}

static const char *
find_path (JmProcessFeed *self, const struct jm_bpf_file *file)
{
  struct jm_bpf_path *path = &self->path;

  if (file->inode == 0 ||
      bpf_map_lookup_elem (bpf_map__fd (self->programs->maps.paths), file, path) != 0 ||
      path->start >= sizeof path->text)
    return NULL;

  path->text[sizeof path->text - 1] = '\0';

  return path->text[path->start] == '/' ? path->text + path->start : NULL;
}

const char *
jm_process_feed_find_executable (JmProcessFeed *self, guint pid)
{
  const Living *living = find_living (self, pid);

  return living != NULL ? find_path (self, &living->told.file) : NULL;
}

guint
jm_process_feed_next_thread (JmProcessFeed *self, guint thread, JmFedThread *told)
{
  const Thread *found;

  g_assert (thread > 0 && thread < self->threads->len);
  found = &g_array_index (self->threads, Thread, thread);
  told->tid = found->told.pid;
  told->state = get_letter (found->told.state);
  told->processor = found->told.processor;
  told->ns = found->told.use.exec_ns;

  return found->next;
}

/* --- cgroups --- */

void
jm_process_feed_add_cgroup (JmProcessFeed *self, guint64 inode, guint group)
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
search_cgroup (JmProcessFeed *self, guint64 inode)
{
  const Cgroup wanted = { .inode = inode };
  guint index;

  if (inode == 0 ||
      !g_array_binary_search (self->cgroups, &wanted, compare_cgroups, &index))
    return NULL;

  return &g_array_index (self->cgroups, Cgroup, index);
}

static void
append_process (JmProcessFeed *self, Cgroup *cgroup, guint index)
{
  if (cgroup->last == 0)
    cgroup->first = index + 1;
  else
    g_array_index (self->living, Living, cgroup->last - 1).next = index + 1;
  cgroup->last = index + 1;
}

static void
sort_cgroups (JmProcessFeed *self)
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
find_cgroup (JmProcessFeed *self, guint64 inode)
{
  if (!self->is_sorted)
    sort_cgroups (self);
  self->is_sorted = TRUE;

  return search_cgroup (self, inode);
}

gboolean
jm_process_feed_list_cgroup (JmProcessFeed *self, guint64 inode, JmReadings *readings)
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

/* --- ends --- */

static guint
find_group (JmProcessFeed *self, guint64 inode)
{
  const Cgroup *cgroup = find_cgroup (self, inode);

  return cgroup != NULL ? cgroup->group : 0;
}

/* A step may have come and gone, and its job is there still. */
static guint
find_nearest_group (JmProcessFeed *self,
                    const struct jm_bpf_sum_key *key,
                    const struct jm_bpf_sum *sum)
{
  guint group = find_group (self, key->cgroup);

  for (guint i = 0; group == 0 && i < JM_BPF_N_ABOVE && sum->above[i] != 0; i++)
    group = find_group (self, sum->above[i]);

  return group;
}

static void
tell (const struct jm_bpf_sum_key *key, const struct jm_bpf_sum *sum, JmFedEnd *end)
{
  *end = (JmFedEnd){
    .starttime_ticks = sum->start_ns / JM_NS_PER_TICK,
    .n_processes = (guint) MIN (sum->n_processes, G_MAXUINT),
    .comm = sum->comm,
    .is_root = key->is_root != 0,
  };
  scale (&sum->use, &end->user_ns, &end->system_ns);
  memcpy (end->io, sum->use.io, sizeof end->io);
}

gboolean
jm_process_feed_take_end (JmProcessFeed *self,
                          guint pid,
                          guint64 starttime_ticks,
                          JmFedEnd *end)
{
  const struct jm_bpf_ended wanted = { .pid = pid };
  struct jm_bpf_ended *found;
  guint index;

  if (self->ended->len == 0 ||
      !g_array_binary_search (self->ended, &wanted, compare_ended, &index))
    return FALSE;

  found = &g_array_index (self->ended, struct jm_bpf_ended, index);
  if (found->sum.start_ns / JM_NS_PER_TICK != starttime_ticks ||
      found->sum.n_processes == 0)
    return FALSE;

  tell (&found->key, &found->sum, end);
  found->sum.n_processes = 0;
  return TRUE;
}

static void
tell_group (JmProcessFeed *self,
            const struct jm_bpf_sum_key *key,
            const struct jm_bpf_sum *sum,
            JmFedEndFunc func,
            gpointer user_data)
{
  guint group = find_nearest_group (self, key, sum);
  JmFedEnd end;

  if (group == 0)
    return;

  tell (key, sum, &end);
  end.executable = find_path (self, &key->file);
  func (group, &end, user_data);
}

void
jm_process_feed_take_ends (JmProcessFeed *self, JmFedEndFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->sums->len; i++)
    {
      const struct jm_bpf_sum *sum = &g_array_index (self->sums, struct jm_bpf_sum, i);

      tell_group (self, &g_array_index (self->sum_keys, struct jm_bpf_sum_key, i), sum,
                  func, user_data);
    }

  for (guint i = 0; i < self->ended->len; i++)
    {
      const struct jm_bpf_ended *ended =
        &g_array_index (self->ended, struct jm_bpf_ended, i);

      if (ended->sum.n_processes > 0)
        tell_group (self, &ended->key, &ended->sum, func, user_data);
    }

  g_array_set_size (self->sums, 0);
  g_array_set_size (self->ended, 0);
}

guint64
jm_process_feed_get_n_lost (JmProcessFeed *self)
{
  return self->programs->bss->n_lost;
}
