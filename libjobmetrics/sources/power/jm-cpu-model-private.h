/* jm-cpu-model-private.h: what processors a machine has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

#define JM_CPU_UNKNOWN (-1)

typedef struct
{
  char vendor[32]; /* such as GenuineIntel, or 0x41 for Arm; empty where unknown */
  int family;      /* or JM_CPU_UNKNOWN */
  int model;       /* on Arm the part; or JM_CPU_UNKNOWN */
  gboolean is_virtual;
} JmCpuModel;

/* Reads what /proc/cpuinfo has of the first processor. What it does not have, or not
 * in its format, is unknown. */
void jm_cpu_model_parse (JmCpuModel *self, const char *text, gsize length);
void jm_cpu_model_read (JmCpuModel *self, JmHost *host);

/* Whether it is no virtual machine, and its processors may count their energy. */
gboolean jm_cpu_may_have_rapl (JmHost *host);

G_END_DECLS
