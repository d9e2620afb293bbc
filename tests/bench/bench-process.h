/* bench-process.h: what the kernel reports of another process
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

double bench_process_get_cpu_us (pid_t pid);
guint64 bench_process_get_resident_kib (pid_t pid);

/* What is resident, with what it shares with others divided among all. */
guint64 bench_process_get_proportional_kib (pid_t pid);

/* The most that was resident since it began, or since that was forgotten. */
guint64 bench_process_get_peak_kib (pid_t pid);
void bench_process_forget_peak (pid_t pid);

/* How often its threads, which must not come and go meanwhile, have gone to sleep. */
guint64 bench_process_get_sleeps (pid_t pid);

/* Of int: one counter of system calls for each of its threads, closed with the array;
 * empty where the kernel does not report it. */
GArray *bench_process_open_calls (pid_t pid);
