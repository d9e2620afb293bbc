/* jmc-top-node.h: a made-up node for the tests of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot-private.h"

G_BEGIN_DECLS

#define SECOND_NS G_GUINT64_CONSTANT (1000000000)
#define MIB (G_GUINT64_CONSTANT (1) << 20)
#define NOW G_GINT64_CONSTANT (1700000000)

/* A sweep in the making: its subjects, and the figures of the last of them. */
typedef struct _Sweep Sweep;

Sweep *sweep_new (void);
void sweep_add_job (Sweep *self, const char *id, const char *user, const char *name);
void sweep_add_step (Sweep *self, const char *step);
void sweep_add_task (Sweep *self, const char *task);
void sweep_add (Sweep *self, JmMetric metric, guint64 value);
void
sweep_add_labelled (Sweep *self, JmMetric metric, const char *label, guint64 value);
void sweep_end_job (Sweep *self);
JmSnapshot *sweep_finish (Sweep *self);

G_END_DECLS
