/* jm-process-feed.c: what the kernel itself reports of all processes
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

#include "base/jm-error.h"
#include "host/jm-bpf-private.h"

#include "sources/process/jm-process-feed.bpf.h"
#include "sources/process/jm-process-feed.skel.h"

#define BATCH 256
#define MAX_YIELDS 100

/* PROC_PID_INIT_INO: the pid name space that the kernel's own numbers are of. */
#define INIT_PID_NAMESPACE 0xeffffffcu

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

struct _JmProcessFeed
{
  struct jm_process_feed *programs;
  guint64 began_ns; /* since boot */
  guint n_rounds;
  guint64 n_ended; /* that were put into tables up to the last round */
  guint64 n_summed;
  gboolean is_due[2]; /* whether there may be something in a table of sums */

  JmProcessLiving *living;
  GArray *ended; /* of struct jm_bpf_ended, by pid; of 0 processes once it was taken */
  GArray *ended_keys;
  GArray *sums; /* of struct jm_bpf_sum */
  GArray *sum_keys;
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

/* Jobs are distinguished where their figures are read: see
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
  self->living = jm_process_living_new ();
  self->ended = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_ended));
  self->ended_keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->sums = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_sum));
  self->sum_keys = g_array_new (FALSE, FALSE, sizeof (struct jm_bpf_sum_key));
  if (!load (self, host, error))
    g_clear_pointer (&self, jm_process_feed_free);

  return self;
}

void
jm_process_feed_free (JmProcessFeed *self)
{
  if (self->programs != NULL)
    jm_process_feed__destroy (self->programs);
  jm_process_living_free (self->living);
  g_array_unref (self->ended);
  g_array_unref (self->ended_keys);
  g_array_unref (self->sums);
  g_array_unref (self->sum_keys);
  g_free (self);
}

/* --- those that live --- */

static int
read_living (JmProcessFeed *self)
{
  int fd = bpf_iter_create (bpf_link__fd (self->programs->links.list_tasks));
  int result = jm_process_living_read (self->living, fd);

  if (fd >= 0)
    close (fd);

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
  const struct jm_bpf_process *told =
    jm_process_living_find (self->living, pid, &process->first_thread);
  JmProcessStatus *status = &process->status;

  if (told == NULL)
    return FALSE;

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
  const struct jm_bpf_process *told = jm_process_living_find (self->living, pid, NULL);

  return told != NULL ? find_path (self, &told->file) : NULL;
}

guint
jm_process_feed_next_thread (JmProcessFeed *self, guint thread, JmFedThread *told)
{
  guint next;
  const struct jm_bpf_task *found =
    jm_process_living_get_thread (self->living, thread, &next);

  told->tid = found->pid;
  told->state = get_letter (found->state);
  told->processor = found->processor;
  told->ns = found->use.exec_ns;

  return next;
}

/* --- cgroups --- */

void
jm_process_feed_add_cgroup (JmProcessFeed *self, guint64 inode, guint group)
{
  jm_process_living_add_cgroup (self->living, inode, group);
}

gboolean
jm_process_feed_list_cgroup (JmProcessFeed *self, guint64 inode, JmReadings *readings)
{
  return jm_process_living_list_cgroup (self->living, inode, readings);
}

/* --- ends --- */

/* A step may have come and gone, and its job is there still. */
static guint
find_nearest_group (JmProcessFeed *self,
                    const struct jm_bpf_sum_key *key,
                    const struct jm_bpf_sum *sum)
{
  guint group = jm_process_living_find_group (self->living, key->cgroup);

  for (guint i = 0; group == 0 && i < JM_BPF_N_ABOVE && sum->above[i] != 0; i++)
    group = jm_process_living_find_group (self->living, sum->above[i]);

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
