/* jmc-doctor-page.h: what was found out about a node, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcDoctorStyle:
 * @width: cells to a line; 0 is without an end
 * @color: whether severities are coloured
 * @unicode: whether the terminal shows more than ASCII
 * @quiet: whether only problems are shown */
typedef struct
{
  guint width;
  gboolean color;
  gboolean unicode;
  gboolean quiet;
} JmcDoctorStyle;

char *jmc_doctor_page_render (GPtrArray *findings, const JmcDoctorStyle *style);

G_END_DECLS
