/* jm-nvml-api-private.h: what is used of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-error.h"
#include "sources/gpu/jm-gpu-library-private.h"

G_BEGIN_DECLS

/* https://docs.nvidia.com/deploy/nvml-api/: names here are those there, in our form. */
typedef enum
{
  JM_NVML_SUCCESS = 0,
  JM_NVML_UNINITIALIZED = 1,
  JM_NVML_INVALID_ARGUMENT = 2,
  JM_NVML_NOT_SUPPORTED = 3,
  JM_NVML_NO_PERMISSION = 4,
  JM_NVML_NOT_FOUND = 6,
  JM_NVML_INSUFFICIENT_SIZE = 7,
  JM_NVML_DRIVER_NOT_LOADED = 9,
  JM_NVML_TIMEOUT = 10,
  JM_NVML_FUNCTION_NOT_FOUND = 13,
  JM_NVML_GPU_IS_LOST = 15,
  JM_NVML_RESET_REQUIRED = 16,
  JM_NVML_LIB_RM_VERSION_MISMATCH = 18,
  JM_NVML_NO_DATA = 21,
  JM_NVML_ARGUMENT_VERSION_MISMATCH = 25,
  JM_NVML_DEPRECATED = 26,
  JM_NVML_NOT_READY = 27,
  JM_NVML_GPU_NOT_FOUND = 28,
} JmNvmlResult;

#define JM_NVML_TEXT_BYTES 96

typedef struct _JmNvmlHandle JmNvmlHandle;
typedef struct _JmNvmlEventSet JmNvmlEventSet;

typedef struct
{
  char legacy_bus_id[16];
  guint domain;
  guint bus;
  guint device;
  guint device_id;
  guint subsystem_id;
  char bus_id[32];
} JmNvmlPci;

typedef struct
{
  guint gpu;
  guint memory;
} JmNvmlUtilization;

typedef struct
{
  guint64 total;
  guint64 free;
  guint64 used;
} JmNvmlMemory;

typedef struct
{
  guint version;
  guint64 total;
  guint64 reserved;
  guint64 free;
  guint64 used;
} JmNvmlMemory2;

#define JM_NVML_MEMORY_2 (sizeof (JmNvmlMemory2) | 2u << 24)

typedef struct
{
  guint n_multiprocessors;
  guint n_copy_engines;
  guint n_decoders;
  guint n_encoders;
  guint n_jpeg_engines;
  guint n_ofa_engines;
  guint n_gpu_slices;
  guint n_compute_slices;
  guint64 memory_mib;
} JmNvmlAttributes;

typedef struct
{
  guint pid;
  guint64 time_us;
  guint sm_percent;
  guint memory_percent;
  guint encoder_percent;
  guint decoder_percent;
} JmNvmlSample;

typedef struct
{
  JmNvmlHandle *device;
  guint64 type;
  guint64 data;
  guint gpu_instance;
  guint compute_instance;
} JmNvmlEvent;

#define JM_NVML_XID_EVENT 8

typedef enum
{
  JM_NVML_DOUBLE = 0,
  JM_NVML_UNSIGNED_INT = 1,
  JM_NVML_UNSIGNED_LONG = 2,
  JM_NVML_UNSIGNED_LONG_LONG = 3,
  JM_NVML_SIGNED_LONG_LONG = 4,
  JM_NVML_SIGNED_INT = 5,
  JM_NVML_UNSIGNED_SHORT = 6,
} JmNvmlValueType;

typedef union
{
  double real;
  int integer;
  guint natural;
  gulong long_natural;
  guint64 large_natural;
  gint64 large_integer;
  guint16 short_natural;
} JmNvmlValue;

typedef struct
{
  guint id;
  guint scope;
  gint64 time_us;
  gint64 latency_us;
  guint type; /* JmNvmlValueType */
  int result; /* JmNvmlResult */
  JmNvmlValue value;
} JmNvmlField;

/* One of those that the driver takes by itself and keeps for some seconds. */
typedef struct
{
  guint64 time_us;
  JmNvmlValue value;
} JmNvmlTimedValue;

#define JM_NVML_POWER_SAMPLES 0
#define JM_NVML_UTILIZATION_SAMPLES 1

typedef struct _JmNvmlGpmSample JmNvmlGpmSample;

typedef struct
{
  guint version;
  guint is_supported;
} JmNvmlGpmSupport;

typedef struct
{
  guint id;
  int result; /* JmNvmlResult */
  double value;
  char *texts[3]; /* the library's */
} JmNvmlGpmMetric;

/* The library reads so many of @metrics as there are; the array is as long as that of
 * the newest header. */
typedef struct
{
  guint version;
  guint n_metrics;
  JmNvmlGpmSample *older;
  JmNvmlGpmSample *newer;
  JmNvmlGpmMetric metrics[333];
} JmNvmlGpmMetrics;

#define JM_NVML_GPM_VERSION 1

typedef int (*JmNvmlGet) (JmNvmlHandle *, guint *);
typedef int (*JmNvmlGetLong) (JmNvmlHandle *, guint64 *);
typedef int (*JmNvmlGetText) (JmNvmlHandle *, char *, guint);
/* Of one clock, sensor or direction. */
typedef int (*JmNvmlGetTyped) (JmNvmlHandle *, guint, guint *);
/* With the sampling period. */
typedef int (*JmNvmlGetEngine) (JmNvmlHandle *, guint *, guint *);
/* Records of the size that the function's version has. */
typedef int (*JmNvmlGetProcesses) (JmNvmlHandle *, guint *, gpointer);

/* NULL where the library of an older driver has no such function. */
typedef struct
{
  int (*init) (void);
  int (*shutdown) (void);
  const char *(*error_string) (int);
  int (*get_driver_version) (char *, guint);
  int (*get_count) (guint *);
  int (*get_handle) (guint, JmNvmlHandle **);
  JmNvmlGetText get_name;
  JmNvmlGetText get_uuid;
  JmNvmlGet get_minor_number;
  int (*get_pci) (JmNvmlHandle *, JmNvmlPci *);

  JmNvmlGet get_power;
  JmNvmlGet get_power_limit;
  JmNvmlGetLong get_energy;
  JmNvmlGet get_pcie_replays;
  JmNvmlGetTyped get_clock;
  JmNvmlGetTyped get_temperature;
  JmNvmlGetTyped get_pcie_traffic;
  JmNvmlGetEngine get_encoder;
  JmNvmlGetEngine get_decoder;
  int (*get_utilization) (JmNvmlHandle *, JmNvmlUtilization *);
  int (*get_memory) (JmNvmlHandle *, JmNvmlMemory *);
  int (*get_memory_2) (JmNvmlHandle *, JmNvmlMemory2 *);
  JmNvmlGetLong get_throttle_reasons;
  JmNvmlGetLong get_event_reasons;
  int (*get_ecc_errors) (JmNvmlHandle *, guint, guint, guint64 *);
  int (*get_remapped_rows) (JmNvmlHandle *, guint *, guint *, guint *, guint *);
  int (*get_fields) (JmNvmlHandle *, int, JmNvmlField *);

  JmNvmlGetProcesses get_compute_processes[3]; /* by version, the first is [0] */
  JmNvmlGetProcesses get_graphics_processes[3];
  int (*get_samples) (JmNvmlHandle *, JmNvmlSample *, guint *, guint64);
  /* Of one kind, since a time; with the type of the values, JmNvmlValueType. */
  int (*get_timed_values) (JmNvmlHandle *,
                           guint,
                           guint64,
                           guint *,
                           guint *,
                           JmNvmlTimedValue *);

  JmNvmlGetEngine get_mig_mode; /* now, and after a reset */
  JmNvmlGet get_accounting_mode;
  JmNvmlGet get_max_instances;
  int (*get_instance) (JmNvmlHandle *, guint, JmNvmlHandle **);
  JmNvmlGet get_gpu_instance;
  JmNvmlGet get_compute_instance;
  int (*get_attributes) (JmNvmlHandle *, JmNvmlAttributes *);

  int (*get_gpm_support) (JmNvmlHandle *, JmNvmlGpmSupport *);
  int (*make_gpm_sample) (JmNvmlGpmSample **);
  int (*free_gpm_sample) (JmNvmlGpmSample *);
  int (*get_gpm_sample) (JmNvmlHandle *, JmNvmlGpmSample *);
  int (*get_gpm_metrics) (JmNvmlGpmMetrics *);

  int (*make_event_set) (JmNvmlEventSet **);
  int (*free_event_set) (JmNvmlEventSet *);
  int (*register_events) (JmNvmlHandle *, guint64, JmNvmlEventSet *);
  int (*wait_for_event) (JmNvmlEventSet *, JmNvmlEvent *, guint);
  int (*wait_for_event_2) (JmNvmlEventSet *, JmNvmlEvent *, guint);
} JmNvmlApi;

/* Fills in @self; errors as jm_dynamic_library_open(). */
JmDynamicLibrary *
jm_nvml_api_load (JmNvmlApi *self, JmGpuLibrary *source, GError **error);

/* What a caller can do about a result. */
JmError jm_nvml_result_to_error (int result);

/* Whether the device will never answer that. */
gboolean jm_nvml_result_is_unsupported (int result);

/* Whether there is nothing to report now, and nothing wrong with that. */
gboolean jm_nvml_result_is_empty (int result);

/* Says `WHERE: FUNCTION: what the library calls it`. */
void jm_nvml_set_error (const JmNvmlApi *self,
                        int result,
                        const char *where,
                        const char *function,
                        GError **error);

G_END_DECLS
