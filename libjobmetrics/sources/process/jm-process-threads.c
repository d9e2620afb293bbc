/* jm-process-threads.c: states of a process's threads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>
#include <string.h>

#include "sources/process/jm-kept-process-private.h"

#define STAT_SIZE 2048

#define NAME_SIZE 32

typedef struct
{
  JmKeptProcess *process;
  JmKeptThread *threads;
  guint n_threads;
  guint n_allocated;
  guint next_known; /* of the process's threads, those before it are passed on */
} Listing;

/**
 * jm_thread_state_from_letter: (skip)
 * @letter: as in `/proc/PID/stat`
 *
 * Returns: the state; what this kernel calls by a letter of its own is other
 */
JmThreadState
jm_thread_state_from_letter (char letter)
{
  switch (letter)
    {
    case 'R':
      return JM_THREAD_STATE_RUNNING;
    case 'S':
      return JM_THREAD_STATE_SLEEPING;
    case 'D':
      return JM_THREAD_STATE_DISK_SLEEP;
    case 'T':
      return JM_THREAD_STATE_STOPPED;
    case 't':
      return JM_THREAD_STATE_TRACING_STOP;
    case 'Z':
      return JM_THREAD_STATE_ZOMBIE;
    case 'X':
    case 'x':
      return JM_THREAD_STATE_DEAD;
    case 'I':
      return JM_THREAD_STATE_IDLE;
    default:
      return JM_THREAD_STATE_OTHER;
    }
}

/**
 * jm_parse_thread_state: (skip)
 * @text: of `/proc/PID/task/TID/stat`
 * @length: of @text
 * @letter: (out): the state
 *
 * Reads the state and nothing else: there are many threads.
 *
 * Returns: whether the text has one
 */
gboolean
jm_parse_thread_state (const char *text, gsize length, char *letter)
{
  /* the name may hold anything, ") R (" too: nothing behind it has a parenthesis */
  const char *close = memrchr (text, ')', length);

  if (close == NULL || text + length - close < 4 || close[1] != ' ' ||
      !g_ascii_isalpha (close[2]) || close[3] != ' ')
    return FALSE;

  *letter = close[2];
  return TRUE;
}

static void
write_name (JmKeptThread *thread, char name[NAME_SIZE])
{
  g_snprintf (name, NAME_SIZE, "task/%u/stat", thread->tid);
  thread->stat.name = name;
}

static void
report_state (JmKeptThread *thread,
              gssize result,
              const char *text,
              JmProcessReport *report)
{
  char name[NAME_SIZE];

  write_name (thread, name);
  if (result < 0)
    jm_process_report_file (report, JM_PROCESS_PART_THREADS, &thread->stat, result);
  else
    jm_process_report_text (report, JM_PROCESS_PART_THREADS, &thread->stat, text,
                            (gsize) result);
  thread->stat.name = NULL;
}

static gssize
read_stat (JmKeptThread *thread, char text[STAT_SIZE])
{
  char name[NAME_SIZE];
  gssize n;

  /* a kept file needs no name, and to make one up costs more than the call */
  if (thread->stat.fd < 0)
    write_name (thread, name);
  n = jm_file_read (&thread->stat, text, STAT_SIZE);
  thread->stat.name = NULL;

  return n == -ENOENT ? -ESRCH : n;
}

/* A text that breaks off still has a state. */
static void
take_ns (JmKeptThread *thread, const char *text, gsize length)
{
  JmProcStat stat;
  guint64 ns;

  if (!jm_parse_proc_stat (text, length, &stat))
    return;

  ns = (stat.utime_ticks + stat.stime_ticks) * JM_NS_PER_TICK;
  thread->new_ns += ns > thread->ns ? ns - thread->ns : 0;
  thread->ns = MAX (thread->ns, ns);
  thread->processor = stat.processor;
}

static int
read_state (JmKeptThread *thread, char *letter, JmProcessReport *report)
{
  char text[STAT_SIZE];
  gssize n = read_stat (thread, text);

  if (n >= 0 && jm_parse_thread_state (text, (gsize) n, letter))
    {
      thread->state = *letter;
      take_ns (thread, text, (gsize) n);
      return 0;
    }

  report_state (thread, n, text, report);
  return n < 0 ? (int) n : JM_PROCESS_MALFORMED;
}

static void
pass_over (Listing *listing, guint end)
{
  for (; listing->next_known < end; listing->next_known++)
    jm_file_close (&listing->process->threads[listing->next_known].stat);
}

/* The kernel lists threads in the order of their birth: the known ones come first, what
 * is missing among them has ended, and behind the first unknown one all are new. */
static gboolean
take_known (Listing *listing, guint tid, JmKeptThread *thread)
{
  JmKeptProcess *process = listing->process;
  guint i = listing->next_known;

  while (i < process->n_known_threads && process->threads[i].tid != tid)
    i++;

  pass_over (listing, i);
  if (i == process->n_known_threads)
    return FALSE;

  *thread = process->threads[i];
  listing->next_known = i + 1;
  return TRUE;
}

static void
on_task (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  Listing *listing = user_data;
  JmKeptThread thread = { .stat = JM_FILE_INIT };
  guint64 tid;

  if (!jm_parse_uint64 (name, strlen (name), &tid) || tid == 0 || tid > G_MAXINT ||
      tid == listing->process->pid)
    return;

  if (!take_known (listing, (guint) tid, &thread))
    {
      thread.tid = (guint) tid;
      thread.stat.dir = &listing->process->dir;
      thread.stat.flags = JM_FILE_SELDOM;
    }

  if (listing->n_threads == listing->n_allocated)
    {
      listing->n_allocated = MAX (listing->n_allocated * 2, 4);
      listing->threads = g_renew (JmKeptThread, listing->threads, listing->n_allocated);
    }
  listing->threads[listing->n_threads++] = thread;
}

static void
adopt_listing (JmKeptProcess *self, Listing *listing)
{
  pass_over (listing, self->n_known_threads);
  g_free (self->threads);

  self->threads = listing->threads;
  self->n_known_threads = listing->n_threads;
}

static int
list_threads (JmKeptProcess *self, JmProcessReport *report)
{
  Listing listing = { self, NULL, 0, 0, 0 };
  JmDir tasks = JM_DIR_INIT;
  gssize n = jm_dir_open_at (&tasks, &self->dir, "task");

  if (n == 0)
    {
      n = jm_dir_foreach (&tasks, on_task, &listing);
      jm_dir_close (&tasks);
    }
  if (n < 0)
    jm_process_report_path (report, JM_PROCESS_PART_THREADS, &self->dir, "task", n);

  adopt_listing (self, &listing);
  return (int) MIN (n, 0);
}

/* Returns -ESRCH where a thread ended and the list is to be made anew. */
static int
count_known (JmKeptProcess *self,
             gboolean just_listed,
             guint counts[JM_N_THREAD_STATES],
             JmProcessReport *report)
{
  gboolean is_whole = TRUE;

  for (guint i = 0; i < self->n_known_threads; i++)
    {
      char letter;
      int result = read_state (&self->threads[i], &letter, report);

      if (result == -ESRCH && just_listed)
        {
          is_whole = FALSE;
          continue;
        }
      if (result < 0)
        return result;
      counts[jm_thread_state_from_letter (letter)]++;
    }

  self->threads_read = is_whole;
  return 0;
}

static void
count_first (const JmKeptProcess *self, guint counts[JM_N_THREAD_STATES])
{
  memset (counts, 0, JM_N_THREAD_STATES * sizeof *counts);
  counts[jm_thread_state_from_letter (self->state)]++;
}

/**
 * jm_kept_process_read_threads: (skip)
 * @self: a process whose `stat` was just read
 * @counts: (out): threads by state; nothing where it fails
 * @report: where a failure goes
 *
 * Reads the states of all threads. The first one's stands in the process's own `stat`;
 * the others are listed again only when their number has changed or one has ended.
 *
 * Returns: 0, or a negative `errno` or %JM_PROCESS_MALFORMED
 */
int
jm_kept_process_read_threads (JmKeptProcess *self,
                              guint counts[JM_N_THREAD_STATES],
                              JmProcessReport *report)
{
  gboolean listed = FALSE;
  int result;

  self->threads_read = FALSE;
  for (guint i = 0; i < self->n_known_threads; i++)
    self->threads[i].new_ns = 0;
  count_first (self, counts);
  if (self->n_threads <= 1)
    {
      jm_kept_process_forget_threads (self);
      return 0;
    }

  if (self->n_known_threads + 1 != self->n_threads)
    {
      listed = TRUE;
      result = list_threads (self, report);
      if (result < 0)
        return result;
    }

  result = count_known (self, listed, counts, report);
  if (result != -ESRCH)
    return result;

  result = list_threads (self, report);
  if (result < 0)
    return result;

  count_first (self, counts);
  return count_known (self, TRUE, counts, report);
}

/**
 * jm_kept_process_recall_threads: (skip)
 * @self: a process whose `stat` was just read
 * @counts: (out): threads by state, as they were read last; the first one's as of now
 *
 * Nothing is read, for the price of a thread's state is that of a process.
 *
 * Returns: whether as many threads are known as there are, and of each its state
 */
gboolean
jm_kept_process_recall_threads (const JmKeptProcess *self,
                                guint counts[JM_N_THREAD_STATES])
{
  if (!self->threads_read || self->n_known_threads + 1 != self->n_threads)
    return FALSE;

  count_first (self, counts);
  for (guint i = 0; i < self->n_known_threads; i++)
    counts[jm_thread_state_from_letter (self->threads[i].state)]++;

  return TRUE;
}

/* Removes those that are known from @start up to @end. */
static void
remove_threads (JmKeptProcess *self, guint start, guint end)
{
  for (guint i = start; i < end; i++)
    jm_file_close (&self->threads[i].stat);

  memmove (self->threads + start, self->threads + end,
           (self->n_known_threads - end) * sizeof *self->threads);
  self->n_known_threads -= end - start;
}

/**
 * jm_kept_process_meet_thread: (skip)
 * @self: a process
 * @position: how many of its threads were met in this round already
 * @tid: the next one, which has a greater number than those before
 *
 * Takes a thread that was reported. Those that were known and passed over have ended.
 *
 * Returns: the thread, at @position
 */
JmKeptThread *
jm_kept_process_meet_thread (JmKeptProcess *self, guint position, guint tid)
{
  const JmKeptThread new_thread = { .stat = JM_FILE_INIT, .tid = tid };
  guint end = position;

  while (end < self->n_known_threads && self->threads[end].tid < tid)
    end++;
  if (end > position)
    remove_threads (self, position, end);

  if (position == self->n_known_threads || self->threads[position].tid != tid)
    {
      self->threads = g_renew (JmKeptThread, self->threads, self->n_known_threads + 1);
      memmove (self->threads + position + 1, self->threads + position,
               (self->n_known_threads - position) * sizeof *self->threads);
      self->threads[position] = new_thread;
      self->n_known_threads++;
    }

  return &self->threads[position];
}

/* Those behind the first @n_threads have ended. */
void
jm_kept_process_cut_threads (JmKeptProcess *self, guint n_threads)
{
  if (n_threads == 0)
    jm_kept_process_forget_threads (self);
  else if (n_threads < self->n_known_threads)
    remove_threads (self, n_threads, self->n_known_threads);
}

void
jm_kept_process_forget_threads (JmKeptProcess *self)
{
  for (guint i = 0; i < self->n_known_threads; i++)
    jm_file_close (&self->threads[i].stat);

  g_clear_pointer (&self->threads, g_free);
  self->n_known_threads = 0;
  self->threads_read = FALSE;
}
