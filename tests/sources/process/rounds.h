/* rounds.h: rounds over a process table, and what they report
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "core/jm-readings-private.h"
#include "sources/process/jm-procfs-source-private.h"

#define SUBJECTS_MAX 8

/* A table, and one group in it unless a test adds more. */
typedef struct
{
  JmHost *host;
  JmProcessSource *table;
  JmReadings *readings;
  guint group;
} Rounds;

Rounds *rounds_new (const char *root);
Rounds *rounds_new_of (JmProcessSource *table);
void rounds_free (Rounds *self);

void rounds_begin (Rounds *self);
void rounds_end (Rounds *self);
void rounds_run (Rounds *self, guint group, const guint *pids, guint n_pids);

gboolean rounds_find (Rounds *self,
                      guint group,
                      JmMetric metric,
                      const char *label,
                      guint64 *value);
guint64 rounds_get (Rounds *self, guint group, JmMetric metric, const char *label);
guint rounds_get_n_errors (Rounds *self, JmCollector collector);
const GError *rounds_get_error (Rounds *self, JmCollector collector);

#define ROUNDS_RUN(self, ...)                                                          \
 G_STMT_START                                                                          \
 {                                                                                     \
  const guint pids_[] = { __VA_ARGS__ };                                               \
                                                                                       \
  rounds_run (self, (self)->group, pids_, G_N_ELEMENTS (pids_));                       \
 }                                                                                     \
 G_STMT_END

#define assert_figure(self, metric, label, op, expected)                               \
 g_assert_cmpuint (rounds_get (self, (self)->group, metric, label), op, expected)

#define assert_no_figure(self, metric)                                                 \
 g_assert_false (rounds_find (self, (self)->group, metric, NULL, NULL))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rounds, rounds_free)
