/* jm-amd-smi-api.c: what is used of AMD's management libraries
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-amd-smi-api-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-report-private.h"

#define MAX_HANDLES 256
#define PPM_PER_PERCENT 10000
#define MILLI 1000
#define HZ_PER_MHZ 1000000

/* Only functions are used whose numbers and records are the same in all releases:
 * https://rocm.docs.amd.com/projects/amdsmi/en/latest/reference/amdsmi-c-api.html and
 * https://rocm.docs.amd.com/projects/rocm_smi_lib/en/latest/. Both answer with an enum
 * whose 0 is success and 2 is a request that the device cannot answer. */
#define SUCCESS 0
#define NOT_SUPPORTED 2

#define AMD_SMI_GPUS (1 << 1)
#define AMD_SMI_GPU 1
#define AMD_SMI_NOT_YET_IMPLEMENTED 3
#define AMD_SMI_NO_PERMISSION 10
#define ROCM_SMI_PERMISSION 4
#define ROCM_SMI_NOT_YET_IMPLEMENTED 9

#define VRAM 0
#define CURRENT 0
#define CLOCK_GRAPHICS 0
#define CLOCK_MEMORY 4

/* The sensors of both, by number. */
static const char *const sensors[] = { "edge", "junction", "memory" };

/* amdsmi_engine_usage_t: percent; of what follows releases differ, but not in size. */
typedef struct
{
  guint32 graphics;
  guint32 memory;
  guint32 rest[14];
} AmdSmiActivity;

/* amdsmi_clk_info_t: the same. */
typedef struct
{
  guint32 clock_mhz;
  guint32 rest[7];
} AmdSmiClock;

typedef struct
{
  int (*init) (guint64 flags);
  int (*shut_down) (void);
  int (*status_string) (int status, const char **text);
  int (*get_sockets) (guint32 *n, gpointer *sockets);
  int (*get_processors) (gpointer socket, guint32 *n, gpointer *processors);
  int (*get_processor_type) (gpointer processor, int *type);
  int (*get_bdf) (gpointer processor, guint64 *bdf);
  int (*get_energy) (gpointer processor, guint64 *n, float *unit_uj, guint64 *time);
  int (*get_activity) (gpointer processor, AmdSmiActivity *activity);
  int (*get_memory_total) (gpointer processor, int type, guint64 *bytes);
  int (*get_memory_usage) (gpointer processor, int type, guint64 *bytes);
  int (*get_temperature) (gpointer processor, int sensor, int metric, gint64 *celsius);
  int (*get_clock) (gpointer processor, int type, AmdSmiClock *clock);
  int (*get_replays) (gpointer processor, guint64 *n);
} AmdSmi;

typedef struct
{
  int (*init) (guint64 flags);
  int (*shut_down) (void);
  int (*status_string) (int status, const char **text);
  int (*count_devices) (guint32 *n);
  int (*get_bdf) (guint32 device, guint64 *bdf);
  int (*get_energy) (guint32 device, guint64 *n, float *unit_uj, guint64 *time);
  int (*get_busy) (guint32 device, guint32 *percent);
  int (*get_memory_busy) (guint32 device, guint32 *percent);
  int (*get_memory_total) (guint32 device, int type, guint64 *bytes);
  int (*get_memory_usage) (guint32 device, int type, guint64 *bytes);
  int (*get_temperature) (guint32 device, guint32 sensor, int metric, gint64 *milli);
  int (*get_power) (guint32 device, guint32 sensor, guint64 *power_uw);
  int (*get_power_cap) (guint32 device, guint32 sensor, guint64 *power_uw);
  int (*get_replays) (guint32 device, guint64 *n);
} RocmSmi;

/* One answer, on its way to a report. */
typedef struct
{
  const JmAmdSmiApi *api;
  gpointer handle;
  guint detail; /* which sensor, or which clock */
  const char *function;
  JmGpuReport *report;
} Question;

/* A function that has something of a device: asks it and adds the answer. */
typedef struct
{
  const char *function;
  gsize offset; /* of its pointer in the table of the library */
  int (*ask) (const Question *question);
  guint detail;
  gboolean is_level; /* of utilization or power */
} Call;

/* How one of the libraries is used. */
typedef struct
{
  const char *const *sonames;
  const JmDynamicSymbol *symbols;
  guint n_symbols;
  const Call *calls;
  guint n_calls;
  int not_yet_implemented;
  int no_permission;
  guint64 init_flags;
  GArray *(*list) (const JmAmdSmiApi *self, GError **error);
} Kind;

struct _JmAmdSmiApi
{
  const Kind *kind;
  JmDynamicLibrary *library;
  gboolean is_started;
  /* both begin with what starts and ends them */
  union
  {
    AmdSmi amd;
    RocmSmi rocm;
  };
};

/* --- what all answers have in common --- */

static gboolean
fail (const JmAmdSmiApi *self, const char *function, int status, GError **error)
{
  const char *text = NULL;

  if (self->amd.status_string != NULL)
    self->amd.status_string (status, &text);
  g_set_error (error, JM_ERROR,
               status == self->kind->no_permission ? JM_ERROR_DENIED
                                                   : JM_ERROR_UNAVAILABLE,
               "%s: error %d%s%s", function, status, text != NULL ? ": " : "",
               text != NULL ? text : "");

  return FALSE;
}

/* Registers with all bits set are how a device says that it does not measure that. */
static gboolean
is_all_ones (guint64 value)
{
  return value == G_MAXUINT16 || value == G_MAXUINT32 || value == G_MAXUINT64;
}

static void
tell (const Question *question,
      JmMetric metric,
      const char *label,
      guint64 value,
      guint64 max,
      guint64 scale)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  g_autoptr (GError) error = NULL;

  if (value <= max)
    {
      jm_gpu_report_add_labelled (question->report, metric, labels, value * scale);
      return;
    }
  if (is_all_ones (value))
    return;

  error = g_error_new (JM_ERROR, JM_ERROR_MALFORMED,
                       "%s: %" G_GUINT64_FORMAT ", which cannot be", question->function,
                       value);
  jm_gpu_report_add_error (question->report, error);
}

/* A counter of a unit that the library has besides. */
static void
tell_energy (const Question *question, guint64 n, float unit_uj)
{
  double energy_uj = (double) n * (double) unit_uj;

  tell (question, JM_METRIC_GPU_ENERGY, NULL,
        is_all_ones (n) || !(energy_uj >= 0 && energy_uj < (double) G_MAXINT64)
          ? G_MAXUINT64
          : (guint64) energy_uj,
        G_MAXINT64, 1);
}

static void
tell_temperature (const Question *question, gint64 temperature, guint milli)
{
  if (temperature > 0)
    tell (question, JM_METRIC_GPU_TEMPERATURE, sensors[question->detail],
          (guint64) temperature, JM_GPU_MAX_TEMPERATURE_MC / milli, milli);
}

static void
tell_percent (const Question *question, JmMetric metric, guint32 percent)
{
  tell (question, metric, NULL, percent, 100, PPM_PER_PERCENT);
}

static void
add_device (GArray *devices, gpointer handle, guint64 bdf)
{
  const JmAmdSmiDevice device = { handle,
                                  (guint) (bdf >> 32),
                                  (guint) (bdf >> 8 & 0xff),
                                  (guint) (bdf >> 3 & 0x1f),
                                  (guint) (bdf & 7),
                                  0 };

  g_array_append_val (devices, device);
}

/* --- AMD SMI --- */

static const char *const amd_sonames[] = { "libamd_smi.so.27",
                                           "libamd_smi.so.26",
                                           "libamd_smi.so.25",
                                           "libamd_smi.so.24",
                                           "/opt/rocm/lib/libamd_smi.so",
                                           NULL };

static const JmDynamicSymbol amd_symbols[] = {
  JM_SYMBOL (AmdSmi, init, "amdsmi_init", TRUE),
  JM_SYMBOL (AmdSmi, shut_down, "amdsmi_shut_down", TRUE),
  JM_SYMBOL (AmdSmi, status_string, "amdsmi_status_code_to_string", FALSE),
  JM_SYMBOL (AmdSmi, get_sockets, "amdsmi_get_socket_handles", TRUE),
  JM_SYMBOL (AmdSmi, get_processors, "amdsmi_get_processor_handles", TRUE),
  JM_SYMBOL (AmdSmi, get_processor_type, "amdsmi_get_processor_type", TRUE),
  JM_SYMBOL (AmdSmi, get_bdf, "amdsmi_get_gpu_bdf_id", TRUE),
  JM_SYMBOL (AmdSmi, get_energy, "amdsmi_get_energy_count", FALSE),
  JM_SYMBOL (AmdSmi, get_activity, "amdsmi_get_gpu_activity", FALSE),
  JM_SYMBOL (AmdSmi, get_memory_total, "amdsmi_get_gpu_memory_total", FALSE),
  JM_SYMBOL (AmdSmi, get_memory_usage, "amdsmi_get_gpu_memory_usage", FALSE),
  JM_SYMBOL (AmdSmi, get_temperature, "amdsmi_get_temp_metric", FALSE),
  JM_SYMBOL (AmdSmi, get_clock, "amdsmi_get_clock_info", FALSE),
  JM_SYMBOL (AmdSmi, get_replays, "amdsmi_get_gpu_pci_replay_counter", FALSE),
};

static int
amd_ask_energy (const Question *question)
{
  guint64 n = 0, time = 0;
  float unit_uj = 0;
  int status = question->api->amd.get_energy (question->handle, &n, &unit_uj, &time);

  if (status == SUCCESS)
    tell_energy (question, n, unit_uj);

  return status;
}

static int
amd_ask_activity (const Question *question)
{
  AmdSmiActivity activity = { 0 };
  int status = question->api->amd.get_activity (question->handle, &activity);

  if (status == SUCCESS)
    {
      tell_percent (question, JM_METRIC_GPU_UTILIZATION, activity.graphics);
      tell_percent (question, JM_METRIC_GPU_MEMORY_UTILIZATION, activity.memory);
    }

  return status;
}

static int
amd_ask_memory_total (const Question *question)
{
  guint64 bytes = 0;
  int status = question->api->amd.get_memory_total (question->handle, VRAM, &bytes);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_MEMORY_SIZE, NULL, bytes, G_MAXINT64, 1);

  return status;
}

static int
amd_ask_memory_usage (const Question *question)
{
  guint64 bytes = 0;
  int status = question->api->amd.get_memory_usage (question->handle, VRAM, &bytes);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_MEMORY_USED, NULL, bytes, G_MAXINT64, 1);

  return status;
}

static int
amd_ask_temperature (const Question *question)
{
  gint64 celsius = 0;
  int status =
    question->api->amd.get_temperature (question->handle, (int) question->detail,
                                        CURRENT, &celsius);

  if (status == SUCCESS)
    tell_temperature (question, celsius, MILLI);

  return status;
}

static int
amd_ask_clock (const Question *question)
{
  AmdSmiClock clock = { 0 };
  int status =
    question->api->amd.get_clock (question->handle, (int) question->detail, &clock);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_CLOCK,
          question->detail == CLOCK_MEMORY ? "memory" : "graphics", clock.clock_mhz,
          JM_GPU_MAX_CLOCK_HZ / HZ_PER_MHZ, HZ_PER_MHZ);

  return status;
}

static int
amd_ask_replays (const Question *question)
{
  guint64 n = 0;
  int status = question->api->amd.get_replays (question->handle, &n);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_PCIE_REPLAYS, NULL, n, G_MAXINT64, 1);

  return status;
}

#define AMD_CALL(name, member, ask, detail)                                            \
 {                                                                                     \
  "amdsmi_get_" name, G_STRUCT_OFFSET (AmdSmi, member), ask, detail                    \
 }

#define AMD_LEVEL(name, member, ask)                                                   \
 {                                                                                     \
  "amdsmi_get_" name, G_STRUCT_OFFSET (AmdSmi, member), ask, 0, TRUE                   \
 }

static const Call amd_calls[] = {
  AMD_CALL ("energy_count", get_energy, amd_ask_energy, 0),
  AMD_LEVEL ("gpu_activity", get_activity, amd_ask_activity),
  AMD_CALL ("gpu_memory_total", get_memory_total, amd_ask_memory_total, 0),
  AMD_CALL ("gpu_memory_usage", get_memory_usage, amd_ask_memory_usage, 0),
  AMD_CALL ("temp_metric", get_temperature, amd_ask_temperature, 0),
  AMD_CALL ("temp_metric", get_temperature, amd_ask_temperature, 1),
  AMD_CALL ("temp_metric", get_temperature, amd_ask_temperature, 2),
  AMD_CALL ("clock_info", get_clock, amd_ask_clock, CLOCK_GRAPHICS),
  AMD_CALL ("clock_info", get_clock, amd_ask_clock, CLOCK_MEMORY),
  AMD_CALL ("gpu_pci_replay_counter", get_replays, amd_ask_replays, 0),
};

/* What it says is no accelerator, or has no address, is none of ours. */
static void
amd_add_processor (const JmAmdSmiApi *self, gpointer processor, GArray *devices)
{
  guint64 bdf = 0;
  int type = 0;

  if (self->amd.get_processor_type (processor, &type) == SUCCESS &&
      type == AMD_SMI_GPU && self->amd.get_bdf (processor, &bdf) == SUCCESS &&
      devices->len < MAX_HANDLES)
    add_device (devices, processor, bdf);
}

static int
amd_list_socket (const JmAmdSmiApi *self, gpointer socket, GArray *devices)
{
  gpointer processors[MAX_HANDLES] = { NULL };
  guint32 n = MAX_HANDLES;
  int status = self->amd.get_processors (socket, &n, processors);

  for (guint32 i = 0; status == SUCCESS && i < MIN (n, MAX_HANDLES); i++)
    amd_add_processor (self, processors[i], devices);

  return status;
}

static GArray *
amd_list (const JmAmdSmiApi *self, GError **error)
{
  g_autoptr (GArray) devices = g_array_new (FALSE, FALSE, sizeof (JmAmdSmiDevice));
  gpointer sockets[MAX_HANDLES] = { NULL };
  guint32 n = MAX_HANDLES;
  int status = self->amd.get_sockets (&n, sockets);

  if (status != SUCCESS)
    {
      fail (self, "amdsmi_get_socket_handles", status, error);
      return NULL;
    }

  for (guint32 i = 0; i < MIN (n, MAX_HANDLES); i++)
    {
      status = amd_list_socket (self, sockets[i], devices);
      if (status != SUCCESS)
        {
          fail (self, "amdsmi_get_processor_handles", status, error);
          return NULL;
        }
    }

  return g_steal_pointer (&devices);
}

static const Kind amd_kind = {
  .sonames = amd_sonames,
  .symbols = amd_symbols,
  .n_symbols = G_N_ELEMENTS (amd_symbols),
  .calls = amd_calls,
  .n_calls = G_N_ELEMENTS (amd_calls),
  .not_yet_implemented = AMD_SMI_NOT_YET_IMPLEMENTED,
  .no_permission = AMD_SMI_NO_PERMISSION,
  .init_flags = AMD_SMI_GPUS,
  .list = amd_list,
};

/* --- ROCm SMI --- */

static const char *const rocm_sonames[] = { "librocm_smi64.so.7",
                                            "librocm_smi64.so.6",
                                            "librocm_smi64.so.5",
                                            "librocm_smi64.so.1",
                                            "/opt/rocm/lib/librocm_smi64.so",
                                            NULL };

static const JmDynamicSymbol rocm_symbols[] = {
  JM_SYMBOL (RocmSmi, init, "rsmi_init", TRUE),
  JM_SYMBOL (RocmSmi, shut_down, "rsmi_shut_down", TRUE),
  JM_SYMBOL (RocmSmi, status_string, "rsmi_status_string", FALSE),
  JM_SYMBOL (RocmSmi, count_devices, "rsmi_num_monitor_devices", TRUE),
  JM_SYMBOL (RocmSmi, get_bdf, "rsmi_dev_pci_id_get", TRUE),
  JM_SYMBOL (RocmSmi, get_energy, "rsmi_dev_energy_count_get", FALSE),
  JM_SYMBOL (RocmSmi, get_busy, "rsmi_dev_busy_percent_get", FALSE),
  JM_SYMBOL (RocmSmi, get_memory_busy, "rsmi_dev_memory_busy_percent_get", FALSE),
  JM_SYMBOL (RocmSmi, get_memory_total, "rsmi_dev_memory_total_get", FALSE),
  JM_SYMBOL (RocmSmi, get_memory_usage, "rsmi_dev_memory_usage_get", FALSE),
  JM_SYMBOL (RocmSmi, get_temperature, "rsmi_dev_temp_metric_get", FALSE),
  JM_SYMBOL (RocmSmi, get_power, "rsmi_dev_power_ave_get", FALSE),
  JM_SYMBOL (RocmSmi, get_power_cap, "rsmi_dev_power_cap_get", FALSE),
  JM_SYMBOL (RocmSmi, get_replays, "rsmi_dev_pci_replay_counter_get", FALSE),
};

static guint32
get_number (const Question *question)
{
  return GPOINTER_TO_UINT (question->handle);
}

static int
rocm_ask_energy (const Question *question)
{
  guint64 n = 0, time = 0;
  float unit_uj = 0;
  int status =
    question->api->rocm.get_energy (get_number (question), &n, &unit_uj, &time);

  if (status == SUCCESS)
    tell_energy (question, n, unit_uj);

  return status;
}

static int
rocm_ask_busy (const Question *question)
{
  guint32 percent = 0;
  int status = question->api->rocm.get_busy (get_number (question), &percent);

  if (status == SUCCESS)
    tell_percent (question, JM_METRIC_GPU_UTILIZATION, percent);

  return status;
}

static int
rocm_ask_memory_busy (const Question *question)
{
  guint32 percent = 0;
  int status = question->api->rocm.get_memory_busy (get_number (question), &percent);

  if (status == SUCCESS)
    tell_percent (question, JM_METRIC_GPU_MEMORY_UTILIZATION, percent);

  return status;
}

static int
rocm_ask_memory_total (const Question *question)
{
  guint64 bytes = 0;
  int status =
    question->api->rocm.get_memory_total (get_number (question), VRAM, &bytes);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_MEMORY_SIZE, NULL, bytes, G_MAXINT64, 1);

  return status;
}

static int
rocm_ask_memory_usage (const Question *question)
{
  guint64 bytes = 0;
  int status =
    question->api->rocm.get_memory_usage (get_number (question), VRAM, &bytes);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_MEMORY_USED, NULL, bytes, G_MAXINT64, 1);

  return status;
}

static int
rocm_ask_temperature (const Question *question)
{
  gint64 milli = 0;
  int status = question->api->rocm.get_temperature (get_number (question),
                                                    question->detail, CURRENT, &milli);

  if (status == SUCCESS)
    tell_temperature (question, milli, 1);

  return status;
}

/* A meter that shows 0 does not measure. */
static int
rocm_ask_power (const Question *question)
{
  guint64 power_uw = 0;
  int status = question->api->rocm.get_power (get_number (question), 0, &power_uw);

  if (status == SUCCESS && power_uw > 0)
    tell (question, JM_METRIC_GPU_POWER, NULL, power_uw, JM_GPU_MAX_POWER_UW, 1);

  return status;
}

static int
rocm_ask_power_cap (const Question *question)
{
  guint64 power_uw = 0;
  int status = question->api->rocm.get_power_cap (get_number (question), 0, &power_uw);

  if (status == SUCCESS && power_uw > 0)
    tell (question, JM_METRIC_GPU_POWER_LIMIT, NULL, power_uw, JM_GPU_MAX_POWER_UW, 1);

  return status;
}

static int
rocm_ask_replays (const Question *question)
{
  guint64 n = 0;
  int status = question->api->rocm.get_replays (get_number (question), &n);

  if (status == SUCCESS)
    tell (question, JM_METRIC_GPU_PCIE_REPLAYS, NULL, n, G_MAXINT64, 1);

  return status;
}

#define ROCM_CALL(name, member, ask, detail)                                           \
 {                                                                                     \
  "rsmi_dev_" name "_get", G_STRUCT_OFFSET (RocmSmi, member), ask, detail              \
 }

#define ROCM_LEVEL(name, member, ask)                                                  \
 {                                                                                     \
  "rsmi_dev_" name "_get", G_STRUCT_OFFSET (RocmSmi, member), ask, 0, TRUE             \
 }

static const Call rocm_calls[] = {
  ROCM_CALL ("energy_count", get_energy, rocm_ask_energy, 0),
  ROCM_LEVEL ("busy_percent", get_busy, rocm_ask_busy),
  ROCM_CALL ("memory_busy_percent", get_memory_busy, rocm_ask_memory_busy, 0),
  ROCM_CALL ("memory_total", get_memory_total, rocm_ask_memory_total, 0),
  ROCM_CALL ("memory_usage", get_memory_usage, rocm_ask_memory_usage, 0),
  ROCM_CALL ("temp_metric", get_temperature, rocm_ask_temperature, 0),
  ROCM_CALL ("temp_metric", get_temperature, rocm_ask_temperature, 1),
  ROCM_CALL ("temp_metric", get_temperature, rocm_ask_temperature, 2),
  ROCM_LEVEL ("power_ave", get_power, rocm_ask_power),
  ROCM_CALL ("power_cap", get_power_cap, rocm_ask_power_cap, 0),
  ROCM_CALL ("pci_replay_counter", get_replays, rocm_ask_replays, 0),
};

static GArray *
rocm_list (const JmAmdSmiApi *self, GError **error)
{
  g_autoptr (GArray) devices = NULL;
  guint32 n = 0;
  int status = self->rocm.count_devices (&n);

  if (status != SUCCESS)
    {
      fail (self, "rsmi_num_monitor_devices", status, error);
      return NULL;
    }

  devices = g_array_new (FALSE, FALSE, sizeof (JmAmdSmiDevice));
  for (guint32 i = 0; i < MIN (n, MAX_HANDLES); i++)
    {
      guint64 bdf = 0;

      if (self->rocm.get_bdf (i, &bdf) == SUCCESS)
        add_device (devices, GUINT_TO_POINTER (i), bdf);
    }

  return g_steal_pointer (&devices);
}

static const Kind rocm_kind = {
  .sonames = rocm_sonames,
  .symbols = rocm_symbols,
  .n_symbols = G_N_ELEMENTS (rocm_symbols),
  .calls = rocm_calls,
  .n_calls = G_N_ELEMENTS (rocm_calls),
  .not_yet_implemented = ROCM_SMI_NOT_YET_IMPLEMENTED,
  .no_permission = ROCM_SMI_PERMISSION,
  .list = rocm_list,
};

/* --- either --- */

static gboolean
load_kind (JmAmdSmiApi *self, const Kind *kind, JmGpuLibrary *library, GError **error)
{
  self->kind = kind;
  self->library = jm_gpu_library_load (library, kind->sonames, kind->symbols,
                                       kind->n_symbols, &self->amd, error);

  return self->library != NULL;
}

/* What is named may be either; else the older one is looked for where there is no newer
 * one. */
JmAmdSmiApi *
jm_amd_smi_api_load (JmGpuLibrary *library, GError **error)
{
  JmAmdSmiApi *self = g_new0 (JmAmdSmiApi, 1);
  g_autoptr (GError) reason = NULL;

  if (load_kind (self, &amd_kind, library, &reason) ||
      load_kind (self, &rocm_kind, library, NULL))
    return self;

  g_propagate_error (error, g_steal_pointer (&reason));
  g_free (self);

  return NULL;
}

gboolean
jm_amd_smi_api_start (JmAmdSmiApi *self, GError **error)
{
  int status;

  if (self->is_started)
    return TRUE;

  status = self->amd.init (self->kind->init_flags);
  if (status != SUCCESS)
    return fail (self, self->kind->symbols[0].name, status, error);
  self->is_started = TRUE;

  return TRUE;
}

void
jm_amd_smi_api_stop (JmAmdSmiApi *self)
{
  if (self->is_started)
    self->amd.shut_down ();
  self->is_started = FALSE;
}

void
jm_amd_smi_api_free (JmAmdSmiApi *self)
{
  jm_amd_smi_api_stop (self);
  jm_dynamic_library_close (self->library);
  g_free (self);
}

GArray *
jm_amd_smi_api_list (JmAmdSmiApi *self, GError **error)
{
  return self->kind->list (self, error);
}

static gboolean
has_function (const JmAmdSmiApi *self, const Call *call)
{
  return G_STRUCT_MEMBER (gpointer, &self->amd, call->offset) != NULL;
}

/* What the device will not answer another time either is asked once. */
static gboolean
make_call (JmAmdSmiApi *self,
           JmAmdSmiDevice *device,
           guint i,
           JmGpuReport *report,
           GError **error)
{
  const Call *call = &self->kind->calls[i];
  const Question question = { self, device->handle, call->detail, call->function,
                              report };
  int status = call->ask (&question);

  if (status == NOT_SUPPORTED || status == self->kind->not_yet_implemented)
    device->unsupported |= 1u << i;
  else if (status != SUCCESS)
    return fail (self, call->function, status, error);

  return TRUE;
}

static gboolean
may_call (const JmAmdSmiApi *self, const JmAmdSmiDevice *device, guint i)
{
  return (device->unsupported >> i & 1) == 0 &&
         has_function (self, &self->kind->calls[i]);
}

void
jm_amd_smi_api_look (JmAmdSmiApi *self, JmAmdSmiDevice *device, JmGpuReport *report)
{
  for (guint i = 0; i < self->kind->n_calls; i++)
    if (self->kind->calls[i].is_level && may_call (self, device, i))
      make_call (self, device, i, report, NULL);
}

gboolean
jm_amd_smi_api_read (JmAmdSmiApi *self,
                     JmAmdSmiDevice *device,
                     JmGpuReport *report,
                     GError **error)
{
  g_autoptr (GError) first = NULL;
  guint n_answers = 0;

  for (guint i = 0; i < self->kind->n_calls; i++)
    {
      g_autoptr (GError) problem = NULL;

      if (!may_call (self, device, i))
        continue;

      if (make_call (self, device, i, report, &problem))
        n_answers++;
      else if (first == NULL)
        first = g_steal_pointer (&problem);
    }

  if (first == NULL)
    return TRUE;
  if (n_answers == 0)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }

  jm_gpu_report_add_error (report, first);

  return TRUE;
}
