/* jm-pbs-value-private.h: the values in what PBS's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-records.h"

G_BEGIN_DECLS

/*
 * All are total. FALSE means that the text is no such value, and nothing is written.
 */

gboolean jm_pbs_parse_count (JmSlice text, gint64 *count);

/* `4194304kb`, `16gb`, `512mw`, `2048`: powers of 1024, of bytes or of words. */
gboolean jm_pbs_parse_memory (JmSlice text, gint64 *bytes);

/* `Tue Oct  4 21:23:20 2022`, in UTC, or seconds since 1970, which it becomes. */
gboolean jm_pbs_parse_time (JmSlice text, gint64 *seconds);

/* `168:00:00`, or seconds. */
gboolean jm_pbs_parse_duration (JmSlice text, gint64 *seconds);

/* The number of an array's entry such as `Queued:999 Running:2 Exiting:0 Expired:1`. */
gboolean jm_pbs_parse_state_count (JmSlice text, const char *state, gint64 *count);

/* Appends the hosts of an exec_host such as `node1/0*4+node1/1*4+node2/0`, each once,
 * with commas between them; returns how many. */
guint jm_pbs_append_hosts (GString *hosts, JmSlice text);

G_END_DECLS
