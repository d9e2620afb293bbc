/* jm-counting-private.h: that a source counts what a cgroup does
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-counter-source-private.h"

G_BEGIN_DECLS

typedef struct _JmCounting JmCounting;

/* One source, of one cgroup. */
struct _JmCounting
{
  JmCounterSource *source;
  gpointer cgroup;  /* as the source opened it */
  JmCounting *next; /* by another source */
};

/* Begins in front of @others, which it takes over; NULL with an error, and they stay. */
JmCounting *jm_counting_new (JmCounterSource *source,
                             const char *dir,
                             JmCounting *others,
                             GError **error);
JmCounting *jm_counting_find (JmCounting *self, JmCounterSource *source);

/* Ends all. */
void jm_counting_free (JmCounting *self);

G_END_DECLS
