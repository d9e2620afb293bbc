/* bench-calls.h: how many system calls were made
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

/* A descriptor that counts the system calls of @tid, 0 for the calling thread, and of
 * the threads that it starts from now on; -1 where the kernel does not report it. */
int bench_calls_open (pid_t tid);

guint64 bench_calls_read (int fd);
