/* jm-slurmdbd.h: the runs of Slurm's accounting, out of slurmdbd's database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-history.h"

G_BEGIN_DECLS

#define JM_TYPE_SLURMDBD (jm_slurmdbd_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSlurmdbd, jm_slurmdbd, JM, SLURMDBD, JmSource)

G_END_DECLS
