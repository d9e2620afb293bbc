/* jm-polled-source-private.h: what sources that are asked in the background share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source.h"

G_BEGIN_DECLS

/* A class installs those of the two that it has, each with its own default and where
 * it is to be listed; it leaves their values to its parent class. */
GParamSpec *jm_polled_source_interval_property (double default_s);

GParamSpec *jm_polled_source_timeout_property (double default_s);

guint jm_polled_source_get_timeout_ms (JmPolledSource *self);

/* The last step of open (): begins to call the class's poll (), which ends before
 * anything is finalized. @what is what is asked, for messages. */
void jm_polled_source_start (JmPolledSource *self, const char *what);

G_END_DECLS
