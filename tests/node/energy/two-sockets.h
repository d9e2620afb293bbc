/* two-sockets.h: a machine of two sockets whose CPUs do what a test says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "../../host/tree.h"
#include "sources/machine/jm-machine-private.h"

#define TWO_SOCKETS_CPUS 4 /* 0 and 1 on the first socket */

typedef struct
{
  Tree *tree;
  JmHost *host;
  JmMachine *machine;
  guint64 busy_ticks[TWO_SOCKETS_CPUS];
} TwoSockets;

TwoSockets *two_sockets_new (void);
void two_sockets_free (TwoSockets *self);

/* Has each CPU be busy for some ticks of 10 ms. */
void two_sockets_run (TwoSockets *self, guint cpu0, guint cpu1, guint cpu2, guint cpu3);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TwoSockets, two_sockets_free)
