/* jm-polled-power-private.h: a meter that is asked in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "sources/jm-poller-private.h"

G_BEGIN_DECLS

/* What is asked answers a JmPowerAnswer. Lives in the record of a source; all zero
 * while it is not started. */
typedef struct
{
  JmPoller *poller;
  double interval_s;
} JmPolledPower;

/* Intervals and time-outs that an administrator may set, seconds. */
#define JM_POLLED_POWER_MIN_S 0.01
#define JM_POLLED_POWER_MAX_S 3600.0

/* @user_data must outlive it. */
void jm_polled_power_start (JmPolledPower *self,
                            const char *name,
                            double interval_s,
                            JmPollFunc ask,
                            gpointer user_data);

/* Does no harm if it was not started. */
void jm_polled_power_stop (JmPolledPower *self);

/* Adds the last answer with its age. @what is what is asked, for messages. */
gboolean jm_polled_power_read (JmPolledPower *self,
                               const char *what,
                               JmReadings *readings,
                               GError **error);

/* Waits until it was asked once; FALSE if that took longer. */
gboolean jm_polled_power_wait (JmPolledPower *self, gint64 timeout_us);

G_END_DECLS
