/* jmc-metering.h: how a command learns of energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-collector-set.h"
#include "core/jm-snapshot.h"
#include "node/jm-node.h"

G_BEGIN_DECLS

/* Where the exporter's unit keeps what jobs have used, for every user of the node. */
#define JMC_USUAL_ACCOUNTS "/run/jobmetrics-exporter/energy.json"

/* JmcMeters:
 * @JMC_METERS_NONE: the command has nothing to say of energy
 * @JMC_METERS_TOLD: the sources that are named; where none is, the exporter's accounts
 * @JMC_METERS_SOURCES: the sources that are named, else those that are found
 * @JMC_METERS_FOUND: the sources that are named, else those that are found; these go on
 *   with the exporter's accounts */
typedef enum
{
  JMC_METERS_NONE,
  JMC_METERS_TOLD,
  JMC_METERS_SOURCES,
  JMC_METERS_FOUND,
} JmcMeters;

/* JmcMetering:
 * @meters: which sources the command reads
 * @sources: what --power.source says, or NULL
 * @providers: what --emissions.provider says, or NULL
 * @lead_us: how long before what is shown a first look is taken; 0 for a second, and
 *   only where sources are named
 * @file: the exporter's accounts as --power.file names them, or NULL */
typedef struct
{
  JmcMeters meters;
  const char *const *sources;
  const char *const *providers;
  gint64 lead_us;
  const char *file;
} JmcMetering;

/* What a node is made with. */
typedef struct
{
  const char *const *sources; /* NULL for what is found */
  const char *const *providers;
  char **files; /* NULL for none */
} JmcMeteringPlan;

gboolean jmc_metering_check (const JmcMetering *self);

gboolean jmc_metering_reads_sources (const JmcMetering *self);
JmcMeteringPlan jmc_metering_make_plan (const JmcMetering *self, JmHost *host);
void jmc_metering_plan_clear (JmcMeteringPlan *plan);
char *jmc_metering_get_file (const JmcMetering *self, JmHost *host);
void jmc_metering_wait (JmNode *node);
void jmc_metering_wait_for_gpus (JmNode *node, const JmCollectorSet *collectors);
JmSnapshot *jmc_metering_begin (const JmcMetering *self, JmNode *node);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMeteringPlan, jmc_metering_plan_clear)

G_END_DECLS
