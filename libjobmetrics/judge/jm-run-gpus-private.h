/* jm-run-gpus-private.h: the accelerators that a run was given, by type
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"

G_BEGIN_DECLS

/* JmRunGpus:
 * @type: in small letters, as the scheduler has it in `gres/gpu:TYPE`; NULL where it is
 *   not known
 * @n: how many of that type, above 0 */
typedef struct
{
  char *type;
  double n;
} JmRunGpus;

/* Returns a JmRunGpus for each type. Most runs have none, which schedulers do not say.
 */
GArray *jm_run_gpus_list (JmRun *run);

G_END_DECLS
