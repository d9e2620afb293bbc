/* jm-alarm-private.h: what wakes who follows a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One descriptor that polls readable when one of several does, and at a set time. */
typedef struct _JmAlarm JmAlarm;

JmAlarm *jm_alarm_new (void);
void jm_alarm_free (JmAlarm *self);

/* @fd stays the caller's. %FALSE where it cannot be polled. */
gboolean jm_alarm_add_fd (JmAlarm *self, int fd);

/* -1 as long as none was added: then nobody polls, and a set time wakes nobody. */
int jm_alarm_get_fd (const JmAlarm *self);

/* By the monotonic clock; G_MAXINT64 for never. What was set before is no more. */
void jm_alarm_set (JmAlarm *self, gint64 due_us);

/* Whoever was woken has come. */
void jm_alarm_clear (JmAlarm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAlarm, jm_alarm_free)

G_END_DECLS
