/* jm-power-trial-private.h: a power source that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-error.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* What a source gave. */
typedef struct
{
  GPtrArray *domains; /* of char *; empty where it gave nothing */
  gboolean has_node;  /* whether the whole node is among them */
  GError *error;      /* why it gave nothing, or NULL where that is not known */
} JmPowerTrial;

/* Opens the source of a specification, waits for its first answer, and closes it. */
void jm_power_trial_init (JmPowerTrial *self, const char *specification, JmHost *host);
void jm_power_trial_clear (JmPowerTrial *self);

gboolean jm_power_trial_has_worked (const JmPowerTrial *self);
gboolean jm_power_trial_has_failed_with (const JmPowerTrial *self, JmError code);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmPowerTrial, jm_power_trial_clear)

G_END_DECLS
