/* jme-health.h: whether the daemon lives, and whether it has something to show
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-web-server.h"

G_BEGIN_DECLS

/* Asks @state of a role: %NULL, or a sentence why it is not ready. */
typedef struct
{
  const char *(*why_not_ready) (gpointer state);
  gpointer state;
} JmeHealth;

/* `/-/healthy` and `/-/ready`, whose handlers want a JmeHealth. */
extern const JmeRoute jme_health_routes[];

G_END_DECLS
