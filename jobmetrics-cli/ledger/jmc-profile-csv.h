/* jmc-profile-csv.h: the course of a job, as comma-separated values
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

void jmc_profile_csv_append_titles (GString *text);
void jmc_profile_csv_append (GString *text, JmJobRecord *record);

G_END_DECLS
