/* jm-power-domain.h: what of a node energy goes into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmPowerDomain:
 * @JM_POWER_DOMAIN_OTHER: what is shown, but not attributed to jobs
 * @JM_POWER_DOMAIN_NODE: the whole node, accelerators included
 * @JM_POWER_DOMAIN_PSYS: the platform as RAPL has it; a node where nothing better is
 * @JM_POWER_DOMAIN_PACKAGE: a processor package; contains core and uncore
 * @JM_POWER_DOMAIN_CORE: the cores of a package
 * @JM_POWER_DOMAIN_UNCORE: what of a package is no core, often its graphics
 * @JM_POWER_DOMAIN_DRAM: memory; no part of a package
 * @JM_POWER_DOMAIN_GPU: an accelerator
 *
 * What of a node energy goes into. Sources tell domains by name: `node`, or with the
 * number of a socket or device after it: `package-0`, `dram-1`, `gpu-3`, and of a
 * package with several dies `package-0-die-1`.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_POWER_DOMAIN_OTHER,
  JM_POWER_DOMAIN_NODE,
  JM_POWER_DOMAIN_PSYS,
  JM_POWER_DOMAIN_PACKAGE,
  JM_POWER_DOMAIN_CORE,
  JM_POWER_DOMAIN_UNCORE,
  JM_POWER_DOMAIN_DRAM,
  JM_POWER_DOMAIN_GPU,
} JmPowerDomain;

/**
 * JM_N_POWER_DOMAINS:
 *
 * How many #JmPowerDomain there are.
 *
 * Since: 0.1
 */
#define JM_N_POWER_DOMAINS (JM_POWER_DOMAIN_GPU + 1)

/**
 * JM_POWER_DOMAIN_ALL:
 *
 * The number of a domain that is told without one: of all sockets, or of all dies of
 * one.
 *
 * Since: 0.1
 */
#define JM_POWER_DOMAIN_ALL G_MAXUINT

JM_AVAILABLE_IN_ALL
const char *jm_power_domain_get_name (JmPowerDomain domain);

JM_AVAILABLE_IN_ALL
JmPowerDomain jm_power_domain_from_name (const char *name, guint *number, guint *die);

G_END_DECLS
