/* jm-registry-private.h: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-collector-set.h"
#include "registry/jm-registry.h"

G_BEGIN_DECLS

/* In a list of specifications: what this host has. */
#define JM_REGISTRY_FOUND "auto"

/* What a node is to have. */
typedef struct
{
  JmHost *host;
  const char *const *schedulers; /* directories of definitions; NULL for the usual */
  const char *node_name;
  const char *cluster;
  const char *const *power_sources;      /* specifications; NULL for what is found */
  const char *const *gpu_sources;        /* the same */
  const char *const *emission_providers; /* the same; NULL for the world's average */
  JmCollectorSet collectors;             /* those that are on */
  guint memory_stat_interval_ms;         /* least time between two readings */
  guint max_counters;                    /* of perf, open at once */
  gboolean uses_bpf;                     /* of processes, where it can be had */
  gboolean uses_percpu_bpf;              /* by CPU, where no file has it */
  GPtrArray *job_sources;   /* of JmJobSource: those that were found so far */
  const GPtrArray *entries; /* of JmSourceEntry: all that were opened so far */
} JmSourcePlan;

/* Takes note of a source, or of why there is none; it takes neither over. */
typedef void (*JmRegistryFound) (const char *name,
                                 JmSource *source,
                                 const GError *error,
                                 gpointer user_data);

/* What a source is to jobmetrics. */
typedef struct
{
  JmSourceKind kind;
  const char *name;
  GType (*get_type) (void);
  gboolean is_found; /* tried on every node, without being asked for */
  /* in place of a type: opens as many as the host turns out to have */
  void (*find) (const JmSourcePlan *plan, JmRegistryFound found, gpointer user_data);
} JmRegistryRow;

/* Of one kind, the best first: it is the one whose figures are attributed. */
guint jm_registry_get_n_rows (void);
const JmRegistryRow *jm_registry_get_row (guint row);
JmSource *jm_registry_make_row (const JmRegistryRow *row, JmHost *host);

/* The row that a specification names and that opens its sources itself, such as `gpu`,
 * or NULL. It has no properties. */
const JmRegistryRow *jm_registry_get_finder (JmSourceKind kind,
                                             const char *specification);

/* Takes note of the power source of a library of accelerators, where it knows devices.
 */
void jm_registry_find_gpu_power (const char *name,
                                 JmSource *library,
                                 JmRegistryFound found,
                                 gpointer user_data);

G_END_DECLS
