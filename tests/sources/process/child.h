/* child.h: a process that does what a test asks of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

typedef struct
{
  pid_t pid;
  int requests;
  int answers;
} Child;

/* What a child does; each answers when it is done. */
typedef enum
{
  CHILD_SPIN,         /* @argument ms of CPU time; answers all it ever used, in ns */
  CHILD_WRITE,        /* @argument bytes to /dev/null, in one call */
  CHILD_OPEN,         /* @argument more open files */
  CHILD_CHDIR_TMP,    /* makes /tmp its working directory */
  CHILD_START_THREAD, /* @argument threads that sleep */
  CHILD_END_THREADS,  /* all of them */
  CHILD_RENAME,       /* its command name becomes "slurmstepd" */
  CHILD_FORK,         /* answers the pid of a child that ends when CHILD_WAIT says so,
                       * having written @argument bytes */
  CHILD_WAIT,         /* ends that child and waits for it */
  CHILD_IGNORE,       /* children that end from now on need nobody to wait for them */
} ChildTask;

Child *child_new (void);
void child_free (Child *self);

guint64 child_ask (Child *self, ChildTask task, guint64 argument);
void child_exec_shell (Child *self, const char *script);
void child_end (Child *self);
void child_await_zombie (pid_t pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Child, child_free)
