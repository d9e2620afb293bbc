/* fake-perf.h: a kernel that counts energy as the test sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "sources/power/jm-rapl-perf-source-private.h"

#define FAKE_MAX_EVENTS 64

typedef struct
{
  gboolean is_open;
  guint64 config;
  guint cpu;
  guint64 count;
  gboolean is_dead;
} FakeEvent;

typedef struct
{
  int open_result; /* 0, or what every open fails with */
  guint32 type;    /* of the last open */
  FakeEvent events[FAKE_MAX_EVENTS];
  guint n_events; /* ever opened */
} FakePerf;

extern const JmPerfCalls fake_perf_calls;

/* The event that is open now. */
FakeEvent *fake_perf_find (FakePerf *self, guint64 config, guint cpu);
guint fake_perf_count_open (FakePerf *self);
