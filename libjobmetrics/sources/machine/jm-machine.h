/* jm-machine.h: the node's own totals
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_MACHINE (jm_machine_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmMachine, jm_machine, JM, MACHINE, JmSource)

JM_AVAILABLE_IN_ALL
void jm_machine_read (JmMachine *self, JmReadings *readings);

G_END_DECLS
