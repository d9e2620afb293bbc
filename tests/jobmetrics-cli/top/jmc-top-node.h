/* jmc-top-node.h: a made-up node for the tests of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "../../expose/jm-snapshot-builder.h"

G_BEGIN_DECLS

#define SECOND_NS G_GUINT64_CONSTANT (1000000000)
#define MIB (G_GUINT64_CONSTANT (1) << 20)
#define NOW G_GINT64_CONSTANT (1700000000)

/* A sweep in the making: its subjects, and the figures of the last of them. */
typedef JmSnapshotBuilder Sweep;

#define sweep_add_step jm_snapshot_builder_add_step
#define sweep_add_task jm_snapshot_builder_add_task
#define sweep_add jm_snapshot_builder_add
#define sweep_add_labelled jm_snapshot_builder_add_labelled

Sweep *sweep_new (void);
void sweep_add_job (Sweep *self, const char *id, const char *user, const char *name);
void sweep_end_job (Sweep *self);
JmSnapshot *sweep_finish (Sweep *self);

G_END_DECLS
