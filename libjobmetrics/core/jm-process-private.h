/* jm-process-private.h: the record of a process, for those who make it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-place.h"
#include "core/jm-process.h"

G_BEGIN_DECLS

/* What the kernel has of a process: all of it, or nothing. */
typedef struct
{
  const char *command;    /* any bytes */
  const char *executable; /* any bytes */
  const char *state;      /* static */
  gint64 start_time_us;   /* since 1970; 0 where not even the host's boot is known */
  gint64 cpu_user_ns;
  gint64 cpu_system_ns;
  gint64 rss_bytes;
  int n_threads;
} JmProcessFacts;

/* @facts is NULL where it may not be looked at. */
JmProcess *jm_process_new (guint pid, JmPlace *place, const JmProcessFacts *facts);

G_END_DECLS
