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

typedef enum
{
  JM_CRAY_PM_ENERGY,
  JM_CRAY_PM_POWER,
  JM_CRAY_PM_CAP, /* a limit of power */
} JmCrayPmKind;

/* What a file of counters is about. */
typedef struct
{
  JmCrayPmKind kind;
  JmPowerDomain domain;
  gboolean has_number; /* else all of the node's together */
  guint number;
} JmCrayPmName;

/* FALSE for a file that tells neither energy nor power. */
gboolean jm_cray_pm_parse_name (const char *name, JmCrayPmName *parsed);

/* A text such as `9871234 J 1700000000123456 us`, of which older systems leave out the
 * time; `W` for power and its limit. FALSE if it is not so, or too much to be told in
 * microjoules or microwatts. */
gboolean jm_cray_pm_parse_value (const char *text,
                                 gsize length,
                                 JmCrayPmKind kind,
                                 guint64 *micro);

G_END_DECLS
