/* jmc-profile-plot.h: the course of a job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-profile.h"
#include "jmc-table.h"

G_BEGIN_DECLS

JmcTable *
jmc_profile_plot_make_table (JmJobProfile *profile, guint width, gboolean is_ascii);

G_END_DECLS
