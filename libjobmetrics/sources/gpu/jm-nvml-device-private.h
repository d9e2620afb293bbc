/* jm-nvml-device-private.h: one device of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "core/jm-metric-private.h"
#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/* A device or an instance, with what was found out about it: what it does not support,
 * and what it reported last. Read by one thread at a time. */
typedef struct _JmNvmlDevice JmNvmlDevice;

/* @api must outlive it. @n_multiprocessors is 0 where that is not known. */
JmNvmlDevice *
jm_nvml_device_new (const JmNvmlApi *api, JmGpu *gpu, guint n_multiprocessors);
JmNvmlDevice *jm_nvml_device_ref (JmNvmlDevice *self);
void jm_nvml_device_unref (JmNvmlDevice *self);

JmGpu *jm_nvml_device_get_gpu (JmNvmlDevice *self);

/* What stands for it in calls from now on; NULL, and @result, where it cannot be had. */
void jm_nvml_device_set_handle (JmNvmlDevice *self, JmNvmlHandle *handle, int result);

/* Whether it is cut into instances: it then supports other calls. */
void jm_nvml_device_set_mig (JmNvmlDevice *self, gboolean has_instances);

/* Whether its performance counters are read from now on. */
void jm_nvml_device_set_gpm (JmNvmlDevice *self, gboolean is_wanted);

/* Has its errors reported from now on; what happened before is not. */
void jm_nvml_device_listen (JmNvmlDevice *self);

/* Ends that, while the library may be called. */
void jm_nvml_device_stop (JmNvmlDevice *self);

/* Adds what it does; an error where it gave no answer at all. */
gboolean jm_nvml_device_read (JmNvmlDevice *self, JmGpuReport *report, GError **error);

/* Adds its utilization and power, where its driver had no samples of these. */
void jm_nvml_device_look (JmNvmlDevice *self, JmGpuReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmNvmlDevice, jm_nvml_device_unref)

/* What happened to one device since it is listened to. */
typedef struct
{
  JmNvmlEventSet *set; /* NULL where it has none */
  GHashTable *xids;    /* how many, by number */
} JmNvmlEvents;

void jm_nvml_events_init (JmNvmlEvents *self);
void jm_nvml_events_clear (JmNvmlEvents *self);

void
jm_nvml_events_listen (JmNvmlEvents *self, const JmNvmlApi *api, JmNvmlHandle *handle);

/* Ends that, while the library may be called. */
void jm_nvml_events_stop (JmNvmlEvents *self, const JmNvmlApi *api);

gboolean jm_nvml_events_can_take (const JmNvmlEvents *self, const JmNvmlApi *api);

/* Counts those that came since it was asked last. Returns the last result. */
int jm_nvml_events_take (JmNvmlEvents *self, const JmNvmlApi *api);

/* JmNvmlGpm:
 * @samples: the last one first; NULL until the device is known to support them
 * @is_begun: whether the first was taken
 *
 * Performance counters of a device, between two readings. */
typedef struct
{
  JmNvmlGpmSample *samples[2];
  JmNvmlGpmMetrics *metrics;
  gboolean is_begun;
} JmNvmlGpm;

/* Takes a sample. Returns the library's result, which is that of @function;
 * JM_NVML_NO_DATA for the first one. */
int jm_nvml_gpm_take (JmNvmlGpm *self,
                      const JmNvmlApi *api,
                      JmNvmlHandle *handle,
                      const char **function);

/* Adds the figures after a sample. Returns which there were. */
guint jm_nvml_gpm_report (const JmNvmlGpm *self, JmGpuReport *report);
gboolean jm_nvml_gpm_has (guint measured, JmMetric metric, const char *label);

/* Frees the samples, while the library may be called. */
void jm_nvml_gpm_stop (JmNvmlGpm *self, const JmNvmlApi *api);

/**
 * JmNvmlMean:
 * @samples: of JmNvmlTimedValue: room for what the library writes, which stays
 * @newest_us: when the newest that was read was taken, by the library's clock; 0 for
 *   none
 *
 * A level of a device, such as its power, over the time since it was read last. The
 * level of one moment in each reading would be far from the mean of a load that comes
 * and goes with the readings' period.
 */
typedef struct
{
  GArray *samples;
  guint64 newest_us;
} JmNvmlMean;

void jm_nvml_mean_init (JmNvmlMean *self);
void jm_nvml_mean_clear (JmNvmlMean *self);

/* Reads the samples of @kind that came since, of the first reading the newest alone.
 * Returns the library's result; not JM_NVML_SUCCESS where there is no mean. */
int jm_nvml_mean_take (JmNvmlMean *self,
                       const JmNvmlApi *api,
                       JmNvmlHandle *handle,
                       guint kind,
                       double *mean,
                       gint64 *covered_us);

/* The mean of @n samples in the order of their times, each of which stands for the time
 * since the one before it; the first for that since @since_us, but for no more than
 * twice as long as the others. How long they cover together where that is less than all
 * of it, else G_MAXINT64. FALSE where a sample is no number. */
gboolean jm_nvml_mean_weigh (const JmNvmlTimedValue *samples,
                             guint n,
                             guint type,
                             guint64 since_us,
                             double *mean,
                             gint64 *covered_us);

/* The processes of one device, and room for what the library writes, which stays. */
typedef struct
{
  GArray *room;       /* for records, of bytes */
  GArray *samples;    /* of JmNvmlSample */
  GArray *found;      /* of JmNvmlProcess */
  guint64 since_us;   /* samples are asked for since then, by the library's clock */
  guint64 newest_us;  /* since when they will be next, once it is old enough */
  gint64 found_at_us; /* when that one was found, by the monotonic clock */
} JmNvmlProcesses;

void jm_nvml_processes_init (JmNvmlProcesses *self);
void jm_nvml_processes_clear (JmNvmlProcesses *self);

/* Forgets those that were found. */
void jm_nvml_processes_begin (JmNvmlProcesses *self);

/* Whether the library has any version of a function. */
gboolean jm_nvml_processes_can_list (const JmNvmlGetProcesses *versions);

/* Adds those that the newest version of a function lists. Returns its result. */
int jm_nvml_processes_list (JmNvmlProcesses *self,
                            const JmNvmlGetProcesses *versions,
                            JmNvmlHandle *handle);

/* Asks how much of the time each of them ran. Returns the result. */
int jm_nvml_processes_sample (JmNvmlProcesses *self,
                              const JmNvmlApi *api,
                              JmNvmlHandle *handle);

void jm_nvml_processes_tell (const JmNvmlProcesses *self, JmGpuReport *report);

G_END_DECLS
