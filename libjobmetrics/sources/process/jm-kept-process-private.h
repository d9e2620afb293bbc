/* jm-kept-process-private.h: one process that is read again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-proc-private.h"
#include "host/jm-file-private.h"
#include "sources/process/jm-process-groups-private.h"
#include "sources/process/jm-process-report-private.h"
#include "sources/process/jm-process-rules-private.h"
#include "sources/process/jm-process-status-private.h"

G_BEGIN_DECLS

/* What the kernel keeps of a program's name (TASK_COMM_LEN). */
#define JM_PROCESS_COMM_SIZE 16

/* The most links of one process that are followed in one round. */
#define JM_PROCESS_LINKS_MAX 1024

/* What a file that breaks its format reads as, beside the negative `errno`s. */
#define JM_PROCESS_MALFORMED (-EBADMSG)

/* What a parent is given of a child that it waits for: the figures of `io`, in the
 * order of their metrics, and CPU time. */
#define JM_PROCESS_INHERITED_USER JM_N_PROCESS_IO
#define JM_PROCESS_INHERITED_SYSTEM (JM_N_PROCESS_IO + 1)
#define JM_N_PROCESS_INHERITED (JM_N_PROCESS_IO + 2)

/**
 * JmKeptThread:
 * @stat: its `stat`; without a name, which is made up when it is needed
 * @tid: its id
 * @processor: the CPU on which it ran last
 * @ns: its CPU time
 * @new_ns: of that, since the threads were read before
 * @state: the letter that was read last
 *
 * A thread that is not the first of its process.
 */
typedef struct
{
  JmFile stat;
  guint tid;
  guint processor;
  guint64 ns;
  guint64 new_ns;
  char state;
} JmKeptThread;

/**
 * JmKeptProcess:
 *
 * One process. Its figures are the last ones that were read. There are thousands, so
 * it is kept small.
 */
typedef struct
{
  JmDir dir;
  JmDir fd_dir; /* without a path before it was wanted */
  JmFile stat;
  JmFile io; /* without a name before it could be opened */

  guint64 starttime_ticks;
  guint64 user_ns;
  guint64 system_ns;
  guint64 new_ns;        /* of both, as far as it is not known on which CPU */
  guint64 child_user_ns; /* of children that it has waited for */
  guint64 child_system_ns;
  guint64 io_figures[JM_N_PROCESS_IO];
  guint64 rss_pages;
  guint64 *inherited;   /* see jm_kept_process_inherit(); NULL is nothing */
  JmLabels *executable; /* its name */

  JmKeptThread *threads;
  guint n_known_threads;
  guint n_threads;

  guint pid;
  guint ppid;
  guint group;
  guint round; /* the last one in which it was named */
  guint position;
  guint processor;    /* on which its first thread ran last */
  guint n_files;      /* that are open */
  guint32 child_mark; /* see JmProcessStatus */
  char comm[JM_PROCESS_COMM_SIZE];
  char state;

  guint8 counts : 1;    /* neither a helper nor the kernel's */
  guint8 is_new : 1;    /* not yet through its first round */
  guint8 is_read : 1;   /* `stat` could be read in this round */
  guint8 io_read : 1;   /* `io` could be read once */
  guint8 io_failed : 1; /* `io` could not be read the last time, though it was there */
  guint8 threads_read : 1; /* the state of each thread that is known was read */
  guint8 files_read : 1;   /* how many are open was read the last time */
  guint8 has_slept : 1;    /* what was read in the round before stands */
  guint8 n_missed;         /* rounds in which nothing reported it */
} JmKeptProcess;

G_STATIC_ASSERT (sizeof (JmKeptProcess) <= 304);

JmKeptProcess *jm_kept_process_open (JmHost *host, guint pid, int *result);
JmKeptProcess *jm_kept_process_open_told (JmHost *host, guint pid, int *result);
void jm_kept_process_free (JmKeptProcess *self);

int jm_kept_process_read_stat (JmKeptProcess *self,
                               JmProcStat *stat,
                               JmProcessReport *report);
int jm_kept_process_read_status (JmKeptProcess *self,
                                 JmProcessStatus *status,
                                 JmProcessReport *report);
int jm_kept_process_read_io (JmKeptProcess *self,
                             guint64 figures[JM_N_PROCESS_IO],
                             JmProcessReport *report);
int jm_kept_process_identify (JmKeptProcess *self,
                              const JmProcessStatus *status,
                              const JmProcessRules *rules);
JmLabels *jm_kept_process_make_labels (const char *name);
gboolean jm_kept_process_is_there (JmKeptProcess *self);
gboolean jm_kept_process_is_zombie (const JmKeptProcess *self);

void jm_kept_process_take_cpu (JmKeptProcess *self,
                               guint64 user_ns,
                               guint64 system_ns,
                               guint64 *user,
                               guint64 *system);
gboolean jm_kept_process_has_child_cpu (const JmKeptProcess *self,
                                        guint64 user_ns,
                                        guint64 system_ns);
void jm_kept_process_take_child_cpu (JmKeptProcess *self,
                                     guint64 user_ns,
                                     guint64 system_ns,
                                     guint64 *user,
                                     guint64 *system);
void jm_kept_process_inherit (JmKeptProcess *self, const JmKeptProcess *child);
void jm_kept_process_take_io (JmKeptProcess *self,
                              const guint64 figures[JM_N_PROCESS_IO],
                              gboolean less_inherited,
                              guint64 deltas[JM_N_PROCESS_IO]);

/* jm-process-threads.c */
JmThreadState jm_thread_state_from_letter (char letter);
gboolean jm_parse_thread_state (const char *text, gsize length, char *letter);
int jm_kept_process_read_threads (JmKeptProcess *self,
                                  guint counts[JM_N_THREAD_STATES],
                                  JmProcessReport *report);
JmKeptThread *
jm_kept_process_meet_thread (JmKeptProcess *self, guint position, guint tid);
void jm_kept_process_cut_threads (JmKeptProcess *self, guint n_threads);
gboolean jm_kept_process_recall_threads (const JmKeptProcess *self,
                                         guint counts[JM_N_THREAD_STATES]);
void jm_kept_process_forget_threads (JmKeptProcess *self);

/* jm-process-files.c */
int jm_kept_process_count_open_files (JmKeptProcess *self,
                                      guint *n_files,
                                      JmProcessReport *report);
int jm_kept_process_find_filesystems (JmKeptProcess *self,
                                      const char *const *paths,
                                      guint n_paths,
                                      guint64 *mask,
                                      JmProcessReport *report);

G_END_DECLS
