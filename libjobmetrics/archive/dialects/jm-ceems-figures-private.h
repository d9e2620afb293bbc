/* jm-ceems-figures-private.h: figures of a job that CEEMS has names for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-run-field-private.h"

G_BEGIN_DECLS

/* What CEEMS calls the scheduler of a cluster, such as `slurm`; empty where it is not
 * known. */
const char *jm_ceems_find_manager (const JmArchiveSite *site, const char *cluster);

/* -1 for what is not known. */
gint64 jm_ceems_get_number (JmRun *run, JmRunField field);

/* How long it ran, or has run until it was last seen, in seconds; -1 where that is not
 * known. */
gint64 jm_ceems_get_length (JmRun *run);

/* What it ended with, as `0:9`, and its nodes, as `n1|n2`: transfer full, NULL where
 * that is not known, or of too many nodes. */
char *jm_ceems_format_exit (JmRun *run);
char *jm_ceems_expand_nodes (JmRun *run);

/* Seconds since 1970 as in @format of g_date_time_format(), transfer full; `Unknown` for 0.
 */
char *jm_ceems_format_time (gint64 seconds, GTimeZone *zone, const char *format);

/* Such as `2-00:10:20`, transfer full. */
char *jm_ceems_format_length (gint64 seconds);

/* JmCeemsEnergy:
 * @rest_uj: energy, without that of accelerators where that is known apart; -1 where
 *   there is none
 * @gpu_uj: that of accelerators; -1 where it is not known apart
 *
 * What a run took. */
typedef struct
{
  gint64 rest_uj;
  gint64 gpu_uj;
} JmCeemsEnergy;

/* Whether the parts of its energy add up to it: they are those of the source that it is
 * of, the nodes' ledgers or a time series database. */
gboolean jm_ceems_has_energy_by_domain (JmRun *run);

/* @energies are parts of the run's energy; NULL where they do not add up to it. */
JmCeemsEnergy jm_ceems_split_energy (JmRun *run, GPtrArray *energies);

/* How busy it kept its accelerators in the mean, per cent; -1 where one of them was
 * observed for less than half of its time. */
double jm_ceems_get_gpu_usage (JmRun *run, GPtrArray *devices);

/* CPU time in per cent of that which it was given; -1 where it is not known. */
double jm_ceems_get_cpu_usage (JmRun *run);

/* The mean of the memory in use, and of that of its accelerators, in per cent of what
 * it had; -1 where one of its nodes did not record it. */
double jm_ceems_get_memory_usage (JmRun *run, GPtrArray *nodes);
double jm_ceems_get_gpu_memory_usage (JmRun *run, GPtrArray *nodes, GPtrArray *devices);

/* Appends grams by who provided the factor, as members such as `rte_total`: @share of what the
 * run emitted. */
void jm_ceems_append_emissions (JmJsonWriter *json,
                                JmRun *run,
                                GPtrArray *energies,
                                double share);

G_END_DECLS
