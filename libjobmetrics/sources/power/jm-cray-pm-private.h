/* jm-cray-pm-private.h: names and texts of Cray's power counters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "core/jm-power-domain.h"

G_BEGIN_DECLS

#define JM_CRAY_PM_DIR "/sys/cray/pm_counters"

/* What a file of counters is about. */
typedef struct
{
  JmPowerDomain domain;
  gboolean has_number; /* else all of the node's together */
  guint number;
} JmCrayPmName;

/* FALSE for a file that is no counter of energy. */
gboolean jm_cray_pm_parse_name (const char *name, JmCrayPmName *parsed);

/* A text such as `9871234 J 1700000000123456 us`, of which older systems leave out the
 * time. FALSE if it is not so, or too much to be told in microjoules. */
gboolean jm_cray_pm_parse_energy (const char *text, gsize length, guint64 *energy_uj);

G_END_DECLS
