/* jm-coverages-private.h: how much of a job is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record-private.h"

G_BEGIN_DECLS

/* Made empty; what is too many, or has a name that no reader takes, is left out. */
typedef struct
{
  JmCoverage coverages[JM_RECORD_MAX_COVERAGES];
  guint n;
} JmCoverages;

/* A job's life, for how long of it somebody watched, and how its totals were got. */
typedef struct
{
  gint64 life_us;
  gint64 observed_us;
  JmTotalMethod method;
} JmWatched;

void jm_coverages_add (JmCoverages *self,
                       const char *what,
                       double ratio,
                       JmTotalMethod method);

/* @is_read: it had figures, however short its life was. */
void
jm_coverages_add_life (JmCoverages *self, const JmWatched *watched, gboolean is_read);

/* Of each part of the node, and of each of its sockets where there are several. */
void jm_coverages_add_energy (JmCoverages *self,
                              const JmWatched *watched,
                              JmSnapshot *snapshot,
                              guint subject);

G_END_DECLS
