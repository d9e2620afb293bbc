/* asked.h: a source that counts what a cgroup does, and what it reported last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-readings-private.h"
#include "sources/counters/jm-counter-source-private.h"

typedef struct
{
  JmHost *host;
  JmCounterSource *source;
  gpointer cgroup;
  JmReadings *readings;
} Asked;

/* Makes a source of this machine. */
typedef JmCounterSource *(*AskedOpen) (JmHost *host, const char *dir, GError **error);

/* Opens a source and a cgroup of it; skips the test, and returns FALSE, where rights or
 * the kernel keep from that. */
gboolean asked_open (Asked *self, AskedOpen open, const char *dir);
void asked_clear (Asked *self);

/* Has all read in a round of its own. */
void asked_ask (Asked *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)
