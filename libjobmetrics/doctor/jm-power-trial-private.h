/* jm-power-trial-private.h: a power source that is tried once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-source.h"

G_BEGIN_DECLS

/* What a source gave. */
typedef struct
{
  char *name;
  JmSource *source;
  GPtrArray *domains; /* of char *; empty where it gave nothing */
  GPtrArray *missing; /* the same, of those that it has and could not read */
  GError *error;      /* why it gave nothing, or not all; NULL where it did, and where
                       * that is not known */
} JmPowerTrial;

/* Opens @source where it is not, and waits for its first answer. */
JmPowerTrial *jm_power_trial_new (const char *name, JmSource *source);
void jm_power_trial_free (JmPowerTrial *self);

gboolean jm_power_trial_has_worked (const JmPowerTrial *self);
gboolean jm_power_trial_is_absent (const JmPowerTrial *self);

/* Whether it has what an advice's gain names: a domain, whatever its number. */
gboolean jm_power_trial_tells (const JmPowerTrial *self, const char *gain);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPowerTrial, jm_power_trial_free)

G_END_DECLS
