/* jm-readings.h: the table that sources fill in one sweep
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-labels.h"
#include "core/jm-metric.h"
#include "core/jm-quantity.h"

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
 * A part of a node that uses energy. Sources report domains by name: `node`, or with
 * the number of a socket or device after it: `package-0`, `dram-1`, `gpu-3`, and of a
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
 * The number of a domain that has none: of all sockets, or of all dies of
 * one.
 *
 * Since: 0.1
 */
#define JM_POWER_DOMAIN_ALL G_MAXUINT

/**
 * JmReadings:
 *
 * The table that sources fill in one sweep of a node. It keeps its memory from round
 * to round, so that a sweep allocates nothing when nothing on the node has changed.
 *
 * The caller of a source sets the subject (which job, step or task); the source adds
 * figures, and errors where a figure could not be read. It belongs to one thread.
 *
 * Since: 0.1
 */
typedef struct _JmReadings JmReadings;

#define JM_TYPE_READINGS (jm_readings_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_readings_get_type (void);

JM_AVAILABLE_IN_ALL
JmReadings *jm_readings_new (void);

JM_AVAILABLE_IN_ALL
void jm_readings_unref (JmReadings *self);

JM_AVAILABLE_IN_ALL
gboolean jm_readings_begin (JmReadings *self, JmCollector collector);

JM_AVAILABLE_IN_ALL
void jm_readings_end (JmReadings *self);

JM_AVAILABLE_IN_ALL
void
jm_readings_add_value (JmReadings *self, const JmQuantity *quantity, guint64 value);

JM_AVAILABLE_IN_ALL
void jm_readings_add_labelled_value (JmReadings *self,
                                     const JmQuantity *quantity,
                                     JmLabels *labels,
                                     guint64 value);

JM_AVAILABLE_IN_ALL
void jm_readings_add_energy (JmReadings *self, const char *domain, guint64 energy_uj);

JM_AVAILABLE_IN_ALL
void jm_readings_add_power (JmReadings *self, const char *domain, guint64 power_uw);

JM_AVAILABLE_IN_ALL
void jm_readings_set_age (JmReadings *self, guint64 age_us);

JM_AVAILABLE_IN_ALL
void jm_readings_add_cpus (JmReadings *self, const char *list);

JM_AVAILABLE_IN_ALL
void jm_readings_add_process (JmReadings *self, guint pid);

JM_AVAILABLE_IN_ALL
void jm_readings_add_error (JmReadings *self, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmReadings, jm_readings_unref)

G_END_DECLS
