/* nvidia-ml.c: stands in for NVIDIA's management library; README.md has its script
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT "NVML_STAND_IN"
#define LIBRARY "library"
#define HANG_POLL_US 5000
#define MAX_EVENTS 64
#define SAMPLE_US (G_USEC_PER_SEC / 6)
#define LEVEL_US (G_USEC_PER_SEC / 20)
#define LEVELS_KEPT 200
#define ALL_LINKS G_MAXUINT
#define COUNT_WIDTH 10
#define NO_INSTANCE 0xffffffffu

/* What follows is as the library's public description has it:
 * https://docs.nvidia.com/deploy/nvml-api/ */
typedef enum
{
  SUCCESS = 0,
  UNINITIALIZED = 1,
  INVALID_ARGUMENT = 2,
  NOT_SUPPORTED = 3,
  NOT_FOUND = 6,
  INSUFFICIENT_SIZE = 7,
  TIMEOUT = 10,
  GPU_IS_LOST = 15,
  ARGUMENT_VERSION_MISMATCH = 25,
} nvmlReturn_t;

typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlEventSet_st *nvmlEventSet_t;

typedef struct
{
  char busIdLegacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;

typedef struct
{
  unsigned int gpu;
  unsigned int memory;
} nvmlUtilization_t;

typedef struct
{
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_t;

typedef struct
{
  unsigned int version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_v2_t;

typedef struct
{
  unsigned int pid;
  unsigned long long usedGpuMemory;
} nvmlProcessInfo_v1_t;

typedef struct
{
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
} nvmlProcessInfo_v2_t;

/* What the first drivers of branch 535 wrote by the name of _v3. */
typedef struct
{
  nvmlProcessInfo_v2_t info;
  unsigned long long usedGpuCcProtectedMemory;
} LongProcessInfo;

typedef struct
{
  unsigned int pid;
  unsigned long long timeStamp;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
} nvmlProcessUtilizationSample_t;

typedef struct
{
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  unsigned int gpuInstanceSliceCount;
  unsigned int computeInstanceSliceCount;
  unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;

typedef struct
{
  nvmlDevice_t device;
  unsigned long long eventType;
  unsigned long long eventData;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
} nvmlEventData_t;

typedef struct
{
  unsigned int fieldId;
  unsigned int scopeId;
  long long timestamp;
  long long latencyUsec;
  unsigned int valueType;
  nvmlReturn_t nvmlReturn;
  union
  {
    double dVal;
    unsigned int uiVal;
    unsigned long long ullVal;
  } value;
} nvmlFieldValue_t;

#define UNSIGNED_INT 1
#define UNSIGNED_LONG_LONG 3
#define XID_EVENT 8

typedef union
{
  double dVal;
  unsigned int uiVal;
  unsigned long long ullVal;
} nvmlValue_t;

typedef struct
{
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;

#define N_LEVELS 2

/* What a device did at one moment. */
typedef struct
{
  unsigned long long time_us;
  gboolean has[N_LEVELS];
  unsigned int levels[N_LEVELS]; /* by nvmlSamplingType_t: power, utilization */
  GArray *processes;             /* of Process */
} Moment;

struct nvmlDevice_st
{
  char *group;        /* of the script: `0`, or `0.1` for an instance */
  GPtrArray *moments; /* of Moment, the newest last */
  guint64 n_calls;
  gboolean is_listened_to;
  guint n_events; /* reported */
};

struct nvmlEventSet_st
{
  int unused;
};

/* How often a function was called, and where in the file that stands. */
typedef struct
{
  guint n;
  off_t offset;
} Count;

/* A stand-in for one library of one process; all below one lock. */
static struct
{
  GMutex mutex;
  GKeyFile *script;
  struct stat read; /* the file as it was read */
  gint64 read_us;
  GHashTable *devices; /* of nvmlDevice_st by group */
  GHashTable *calls;   /* of Count by function */
  char *counts_path;
  int counts_fd;
  off_t counts_end;
  guint n_users;
  GThread *sampler;
  GCond is_over; /* for the sampler */
} here;

/* --- the script --- */

static const char *
get_path (void)
{
  const char *path = g_getenv (SCRIPT);

  if (path == NULL)
    g_error (SCRIPT " names no script");

  return path;
}

static gboolean
has_changed (const struct stat *now)
{
  return here.script == NULL || now->st_ino != here.read.st_ino ||
         now->st_size != here.read.st_size ||
         now->st_mtim.tv_sec != here.read.st_mtim.tv_sec ||
         now->st_mtim.tv_nsec != here.read.st_mtim.tv_nsec;
}

/* One that is being written is read again. */
static void
read_script (void)
{
  g_autoptr (GKeyFile) script = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  struct stat now;

  if (stat (get_path (), &now) < 0)
    {
      if (here.script == NULL)
        g_error ("%s: no such script", get_path ());
      return;
    }
  if (!has_changed (&now))
    return;

  if (!g_key_file_load_from_file (script, get_path (), G_KEY_FILE_NONE, &error))
    {
      if (here.script == NULL)
        g_error ("%s: %s", get_path (), error->message);
      return;
    }
  g_clear_pointer (&here.script, g_key_file_unref);
  here.script = g_steal_pointer (&script);
  here.read = now;
  here.read_us = g_get_monotonic_time ();
}

static char *
get_text (const char *group, const char *key)
{
  return g_key_file_get_string (here.script, group, key, NULL);
}

static gboolean
get_number (const char *group, const char *key, guint64 *value)
{
  g_autofree char *text = get_text (group, key);

  if (text == NULL)
    return FALSE;

  *value = g_ascii_strtoull (text, NULL, 0);
  return TRUE;
}

static guint64
get_number_or (const char *group, const char *key, guint64 fallback)
{
  guint64 value = fallback;

  get_number (group, key, &value);
  return value;
}

static gboolean
is_instance (const char *group)
{
  return strchr (group, '.') != NULL;
}

static char *
get_parent (const char *group)
{
  return g_strndup (group, strcspn (group, "."));
}

/* The groups of devices, or of one device's instances, in their order. */
static GPtrArray *
list_groups (const char *parent)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_key_file_get_groups (here.script, NULL);

  for (guint i = 0; all[i] != NULL; i++)
    {
      g_autofree char *above = get_parent (all[i]);

      if (g_ascii_isdigit (all[i][0]) && is_instance (all[i]) == (parent != NULL) &&
          (parent == NULL || g_str_equal (above, parent)))
        g_ptr_array_add (groups, g_strdup (all[i]));
    }

  return groups;
}

/* --- every call --- */

static void
device_free (gpointer data)
{
  nvmlDevice_t device = data;

  g_ptr_array_unref (device->moments);
  g_free (device->group);
  g_free (device);
}

static void
moment_free (gpointer data)
{
  Moment *moment = data;

  g_array_unref (moment->processes);
  g_free (moment);
}

static nvmlDevice_t
get_device (const char *group)
{
  nvmlDevice_t device = g_hash_table_lookup (here.devices, group);

  if (device == NULL)
    {
      device = g_new0 (struct nvmlDevice_st, 1);
      device->group = g_strdup (group);
      device->moments = g_ptr_array_new_with_free_func (moment_free);
      g_hash_table_insert (here.devices, device->group, device);
    }

  return device;
}

static void
close_counts (void)
{
  if (here.counts_path != NULL)
    close (here.counts_fd);
  g_clear_pointer (&here.counts_path, g_free);
}

/* The file that the script names, if it does. */
static gboolean
open_counts (void)
{
  g_autofree char *path = get_text (LIBRARY, "calls");

  if (g_strcmp0 (path, here.counts_path) == 0)
    return path != NULL;

  close_counts ();
  if (path == NULL)
    return FALSE;

  here.counts_fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (here.counts_fd < 0)
    g_error ("%s: cannot be written", path);
  here.counts_path = g_steal_pointer (&path);

  return TRUE;
}

/* Each function has its line for good, which is as long as it was. */
static Count *
get_count (const char *function)
{
  Count *self = g_hash_table_lookup (here.calls, function);

  if (self == NULL)
    {
      self = g_new0 (Count, 1);
      self->offset = here.counts_end;
      here.counts_end += (off_t) strlen (function) + COUNT_WIDTH + 2;
      g_hash_table_insert (here.calls, (gpointer) function, self);
    }

  return self;
}

static void
count (const char *function, nvmlDevice_t device)
{
  Count *calls = get_count (function);
  char line[128];
  int length;

  calls->n++;
  if (device != NULL)
    device->n_calls++;
  if (!open_counts ())
    return;

  length = g_snprintf (line, sizeof line, "%s %0*u\n", function, COUNT_WIDTH, calls->n);
  if (pwrite (here.counts_fd, line, (gsize) length, calls->offset) != length)
    g_error ("%s: cannot be written", here.counts_path);
}

static gboolean
does_hang (const char *function, const char *group)
{
  g_auto (GStrv) names = NULL;

  if (!g_key_file_has_group (here.script, group))
    return FALSE;

  names = g_key_file_get_string_list (here.script, group, "hang", NULL, NULL);

  return names != NULL && (g_strv_contains ((const char *const *) names, function) ||
                           g_strv_contains ((const char *const *) names, "all"));
}

static void
hang (const char *function, const char *group)
{
  while (does_hang (function, group))
    {
      g_mutex_unlock (&here.mutex);
      g_usleep (HANG_POLL_US);
      g_mutex_lock (&here.mutex);
      read_script ();
    }
}

static nvmlReturn_t
find_error (const char *function, const char *group)
{
  g_autofree char *key = g_strconcat ("error.", function, NULL);

  return (nvmlReturn_t) get_number_or (group, key, SUCCESS);
}

/* An instance is where its device is. */
static gboolean
is_lost (nvmlDevice_t device)
{
  g_autofree char *group = get_parent (device->group);
  guint64 after;

  return !g_key_file_has_group (here.script, group) ||
         (get_number (group, "lost-after", &after) &&
          get_device (group)->n_calls > after);
}

static nvmlReturn_t
check_device (const char *function, nvmlDevice_t device)
{
  if (device == NULL)
    return INVALID_ARGUMENT;

  hang (function, device->group);
  if (is_lost (device))
    return GPU_IS_LOST;
  if (!g_key_file_has_group (here.script, device->group))
    return INVALID_ARGUMENT;

  return find_error (function, device->group);
}

/* Takes the lock, which end() gives back. */
static nvmlReturn_t
begin (const char *function, gboolean has_device, nvmlDevice_t device)
{
  nvmlReturn_t result;

  g_mutex_lock (&here.mutex);
  read_script ();
  if (here.devices == NULL)
    {
      here.devices = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, device_free);
      here.calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    }
  count (function, device);
  hang (function, LIBRARY);
  result = find_error (function, LIBRARY);
  if (result == SUCCESS && here.n_users == 0 &&
      !g_str_has_prefix (function, "nvmlInit"))
    result = UNINITIALIZED;

  return result == SUCCESS && has_device ? check_device (function, device) : result;
}

static nvmlReturn_t
end (nvmlReturn_t result)
{
  g_mutex_unlock (&here.mutex);

  return result;
}

#define BEGIN(device)                                                                  \
 do                                                                                    \
  {                                                                                    \
   nvmlReturn_t refusal = begin (__func__, TRUE, device);                              \
                                                                                       \
   if (refusal != SUCCESS)                                                             \
    return end (refusal);                                                              \
  }                                                                                    \
 while (0)

#define BEGIN_LIBRARY                                                                  \
 do                                                                                    \
  {                                                                                    \
   nvmlReturn_t refusal = begin (__func__, FALSE, NULL);                               \
                                                                                       \
   if (refusal != SUCCESS)                                                             \
    return end (refusal);                                                              \
  }                                                                                    \
 while (0)

/* What the script does not have, the device does not support. */
static nvmlReturn_t
tell_number (nvmlDevice_t device, const char *key, unsigned int *value)
{
  guint64 number;

  if (!get_number (device->group, key, &number))
    return NOT_SUPPORTED;

  *value = (unsigned int) number;
  return SUCCESS;
}

static nvmlReturn_t
tell_long (nvmlDevice_t device, const char *key, unsigned long long *value)
{
  guint64 number;

  if (!get_number (device->group, key, &number))
    return NOT_SUPPORTED;

  *value = number;
  return SUCCESS;
}

static nvmlReturn_t
tell_text (const char *group, const char *key, char *text, unsigned int length)
{
  g_autofree char *value = get_text (group, key);

  if (value == NULL)
    return NOT_SUPPORTED;
  if (strlen (value) >= length)
    return INSUFFICIENT_SIZE;

  memset (text, 0, length);
  strcpy (text, value);
  return SUCCESS;
}

/* --- what the driver keeps --- */

typedef struct
{
  unsigned int pid;
  unsigned long long memory;
  gboolean has_utilization;
  unsigned int utilization;
} Process;

/* `PID:BYTES` or `PID:BYTES:PERCENT` each. */
static GArray *
list_processes (nvmlDevice_t device, const char *key)
{
  GArray *processes = g_array_new (FALSE, TRUE, sizeof (Process));
  g_auto (GStrv) texts =
    g_key_file_get_string_list (here.script, device->group, key, NULL, NULL);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (texts[i], ":", 3);
      guint n = g_strv_length (parts);
      Process process = { 0 };

      if (n < 2)
        g_error ("%s: not PID:BYTES: %s", get_path (), texts[i]);
      process.pid = (unsigned int) g_ascii_strtoull (parts[0], NULL, 10);
      process.memory = g_str_equal (parts[1], "-")
                         ? G_MAXUINT64
                         : g_ascii_strtoull (parts[1], NULL, 10);
      process.has_utilization = n == 3;
      if (n == 3)
        process.utilization = (unsigned int) g_ascii_strtoull (parts[2], NULL, 10);
      g_array_append_val (processes, process);
    }

  return processes;
}

static guint64
count_kept (void)
{
  return get_number_or (LIBRARY, "samples-kept", LEVELS_KEPT);
}

static void
take_moment (nvmlDevice_t device)
{
  static const char *const keys[N_LEVELS] = { "power", "utilization" };
  Moment *moment = g_new0 (Moment, 1);

  moment->time_us = (unsigned long long) g_get_real_time ();
  moment->processes = list_processes (device, "processes");
  for (guint i = 0; i < N_LEVELS; i++)
    {
      guint64 level;

      moment->has[i] = get_number (device->group, keys[i], &level);
      moment->levels[i] = moment->has[i] ? (unsigned int) level : 0;
    }
  g_ptr_array_add (device->moments, moment);
  if (device->moments->len > count_kept ())
    g_ptr_array_remove_index (device->moments, 0);
}

static void
take_moments (void)
{
  g_autoptr (GPtrArray) groups = list_groups (NULL);

  for (guint i = 0; i < groups->len; i++)
    take_moment (get_device (g_ptr_array_index (groups, i)));
}

static gpointer
sample (gpointer data)
{
  gint64 next_us = g_get_monotonic_time ();

  g_mutex_lock (&here.mutex);
  while (here.n_users > 0)
    {
      read_script ();
      if (count_kept () > 0)
        take_moments ();
      next_us += LEVEL_US;
      while (here.n_users > 0 &&
             g_cond_wait_until (&here.is_over, &here.mutex, next_us))
        continue;
    }
  g_mutex_unlock (&here.mutex);

  return NULL;
}

/* --- the library --- */

nvmlReturn_t
nvmlInit_v2 (void)
{
  BEGIN_LIBRARY;
  if (here.n_users++ == 0)
    here.sampler = g_thread_new ("sampler", sample, NULL);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlShutdown (void)
{
  GThread *sampler = NULL;

  BEGIN_LIBRARY;
  if (--here.n_users == 0)
    sampler = g_steal_pointer (&here.sampler);
  g_cond_broadcast (&here.is_over);
  end (SUCCESS);
  if (sampler != NULL)
    g_thread_join (sampler);

  return SUCCESS;
}

const char *
nvmlErrorString (nvmlReturn_t result)
{
  static const char *const words[] = {
    [UNINITIALIZED] = "Uninitialized", [INVALID_ARGUMENT] = "Invalid Argument",
    [NOT_SUPPORTED] = "Not Supported", [4] = "Insufficient Permissions",
    [NOT_FOUND] = "Not Found",         [9] = "Driver Not Loaded",
    [GPU_IS_LOST] = "GPU is lost",     [18] = "Driver/library version mismatch",
  };

  return (guint) result < G_N_ELEMENTS (words) && words[result] != NULL
           ? words[result]
           : "Unknown Error";
}

nvmlReturn_t
nvmlSystemGetDriverVersion (char *version, unsigned int length)
{
  BEGIN_LIBRARY;

  return end (tell_text (LIBRARY, "driver", version, length));
}

nvmlReturn_t
nvmlDeviceGetCount_v2 (unsigned int *n)
{
  g_autoptr (GPtrArray) groups = NULL;

  BEGIN_LIBRARY;
  groups = list_groups (NULL);
  *n = groups->len;

  return end (SUCCESS);
}

static nvmlReturn_t
tell_handle (const char *parent, unsigned int index, nvmlDevice_t *device)
{
  g_autoptr (GPtrArray) groups = list_groups (parent);

  if (index >= groups->len)
    return parent != NULL ? NOT_FOUND : INVALID_ARGUMENT;

  *device = get_device (g_ptr_array_index (groups, index));

  return SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetHandleByIndex_v2 (unsigned int index, nvmlDevice_t *device)
{
  nvmlReturn_t result;

  BEGIN_LIBRARY;
  result = tell_handle (NULL, index, device);
  if (result == SUCCESS)
    result = check_device (__func__, *device);

  return end (result);
}

/* When it is unloaded. */
__attribute__ ((destructor)) static void
forget (void)
{
  g_clear_pointer (&here.script, g_key_file_unref);
  g_clear_pointer (&here.devices, g_hash_table_unref);
  g_clear_pointer (&here.calls, g_hash_table_unref);
  close_counts ();
}

/* --- who a device is --- */

nvmlReturn_t
nvmlDeviceGetName (nvmlDevice_t device, char *name, unsigned int length)
{
  BEGIN (device);

  return end (tell_text (device->group, "name", name, length));
}

nvmlReturn_t
nvmlDeviceGetUUID (nvmlDevice_t device, char *uuid, unsigned int length)
{
  BEGIN (device);

  return end (tell_text (device->group, "uuid", uuid, length));
}

nvmlReturn_t
nvmlDeviceGetMinorNumber (nvmlDevice_t device, unsigned int *minor_number)
{
  BEGIN (device);

  return end (tell_number (device, "minor", minor_number));
}

nvmlReturn_t
nvmlDeviceGetPciInfo_v3 (nvmlDevice_t device, nvmlPciInfo_t *pci)
{
  BEGIN (device);
  memset (pci, 0, sizeof *pci);

  return end (tell_text (device->group, "pci", pci->busId, sizeof pci->busId));
}

/* --- what it does --- */

nvmlReturn_t
nvmlDeviceGetUtilizationRates (nvmlDevice_t device, nvmlUtilization_t *utilization)
{
  nvmlReturn_t result;

  BEGIN (device);
  result = tell_number (device, "utilization", &utilization->gpu);
  utilization->memory =
    (unsigned int) get_number_or (device->group, "memory-utilization", 0);

  return end (result);
}

static nvmlReturn_t
tell_engine (nvmlDevice_t device,
             const char *key,
             unsigned int *value,
             unsigned *period)
{
  *period = 167000;

  return tell_number (device, key, value);
}

nvmlReturn_t
nvmlDeviceGetEncoderUtilization (nvmlDevice_t device,
                                 unsigned int *utilization,
                                 unsigned int *period_us)
{
  BEGIN (device);

  return end (tell_engine (device, "encoder", utilization, period_us));
}

nvmlReturn_t
nvmlDeviceGetDecoderUtilization (nvmlDevice_t device,
                                 unsigned int *utilization,
                                 unsigned int *period_us)
{
  BEGIN (device);

  return end (tell_engine (device, "decoder", utilization, period_us));
}

static guint64
get_reserved (nvmlDevice_t device)
{
  return get_number_or (device->group, "memory-reserved", 0);
}

/* The first form counts what the driver keeps for itself as used. */
nvmlReturn_t
nvmlDeviceGetMemoryInfo (nvmlDevice_t device, nvmlMemory_t *memory)
{
  nvmlReturn_t result;

  BEGIN (device);
  result = tell_long (device, "memory-total", &memory->total);
  memory->used =
    get_number_or (device->group, "memory-used", 0) + get_reserved (device);
  memory->free = memory->total - memory->used;

  return end (result);
}

nvmlReturn_t
nvmlDeviceGetPowerUsage (nvmlDevice_t device, unsigned int *power_mw)
{
  BEGIN (device);

  return end (tell_number (device, "power", power_mw));
}

nvmlReturn_t
nvmlDeviceGetEnforcedPowerLimit (nvmlDevice_t device, unsigned int *limit_mw)
{
  BEGIN (device);

  return end (tell_number (device, "power-limit", limit_mw));
}

nvmlReturn_t
nvmlDeviceGetClockInfo (nvmlDevice_t device, unsigned int type, unsigned int *clock_mhz)
{
  static const char *const keys[] = { "clock-graphics", "clock-sm", "clock-memory",
                                      "clock-video" };

  BEGIN (device);

  return end (type < G_N_ELEMENTS (keys) ? tell_number (device, keys[type], clock_mhz)
                                         : INVALID_ARGUMENT);
}

nvmlReturn_t
nvmlDeviceGetTemperature (nvmlDevice_t device,
                          unsigned int sensor,
                          unsigned int *temperature)
{
  BEGIN (device);

  return end (sensor == 0 ? tell_number (device, "temperature", temperature)
                          : INVALID_ARGUMENT);
}

nvmlReturn_t
nvmlDeviceGetPcieThroughput (nvmlDevice_t device,
                             unsigned int counter,
                             unsigned int *kilobytes)
{
  static const char *const keys[] = { "pcie-tx", "pcie-rx" };

  BEGIN (device);

  return end (counter < G_N_ELEMENTS (keys)
                ? tell_number (device, keys[counter], kilobytes)
                : INVALID_ARGUMENT);
}

nvmlReturn_t
nvmlDeviceGetPcieReplayCounter (nvmlDevice_t device, unsigned int *n)
{
  BEGIN (device);

  return end (tell_number (device, "pcie-replays", n));
}

nvmlReturn_t
nvmlDeviceGetTotalEccErrors (nvmlDevice_t device,
                             unsigned int type,
                             unsigned int counter,
                             unsigned long long *n)
{
  static const char *const keys[2][2] = {
    { "ecc-corrected", "ecc-lifetime-corrected" },
    { "ecc-uncorrected", "ecc-lifetime-uncorrected" },
  };

  BEGIN (device);

  return end (type < 2 && counter < 2 ? tell_long (device, keys[type][counter], n)
                                      : INVALID_ARGUMENT);
}

nvmlReturn_t
nvmlDeviceGetCurrentClocksThrottleReasons (nvmlDevice_t device,
                                           unsigned long long *reasons)
{
  BEGIN (device);

  return end (tell_long (device, "throttle", reasons));
}

/* --- processes --- */

static unsigned int
get_instance (nvmlDevice_t device)
{
  const char *dot = strchr (device->group, '.');

  return dot != NULL ? (unsigned int) g_ascii_strtoull (dot + 1, NULL, 10)
                     : NO_INSTANCE;
}

static void
write_process (nvmlDevice_t device, const Process *process, gsize size, void *record)
{
  LongProcessInfo info = { { process->pid, process->memory, get_instance (device),
                             is_instance (device->group) ? 0 : NO_INSTANCE },
                           0 };

  memcpy (record, &info, size);
}

static nvmlReturn_t
tell_processes (nvmlDevice_t device,
                const char *key,
                gsize size,
                unsigned int *n,
                void *records)
{
  g_autoptr (GArray) processes = list_processes (device, key);
  unsigned int room = *n;

  if (!g_key_file_has_key (here.script, device->group, key, NULL))
    return NOT_SUPPORTED;

  *n = processes->len;
  if (processes->len > room)
    return INSUFFICIENT_SIZE;
  for (guint i = 0; i < processes->len; i++)
    write_process (device, &g_array_index (processes, Process, i), size,
                   (char *) records + i * size);

  return SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses (nvmlDevice_t device,
                                      unsigned int *n,
                                      nvmlProcessInfo_v1_t *infos)
{
  BEGIN (device);

  return end (tell_processes (device, "processes", sizeof *infos, n, infos));
}

nvmlReturn_t
nvmlDeviceGetGraphicsRunningProcesses (nvmlDevice_t device,
                                       unsigned int *n,
                                       nvmlProcessInfo_v1_t *infos)
{
  BEGIN (device);

  return end (tell_processes (device, "graphics", sizeof *infos, n, infos));
}

static guint
add_samples (GArray *processes,
             unsigned long long time_us,
             nvmlProcessUtilizationSample_t *samples)
{
  guint n = 0;

  for (guint i = 0; i < processes->len; i++)
    {
      const Process *process = &g_array_index (processes, Process, i);

      if (!process->has_utilization)
        continue;
      if (samples != NULL)
        samples[n] = (nvmlProcessUtilizationSample_t){ .pid = process->pid,
                                                       .timeStamp = time_us,
                                                       .smUtil = process->utilization };
      n++;
    }

  return n;
}

/* Not of a device that is cut into instances. A sample comes six times a second. */
static nvmlReturn_t
tell_kept_samples (nvmlDevice_t device,
                   nvmlProcessUtilizationSample_t *samples,
                   unsigned int *n,
                   unsigned long long since_us)
{
  unsigned int room = *n;

  *n = 0;
  for (guint i = 0; i < device->moments->len; i++)
    {
      const Moment *moment = g_ptr_array_index (device->moments, i);

      if (moment->time_us <= since_us)
        continue;
      if (samples != NULL && *n + moment->processes->len <= room)
        add_samples (moment->processes, moment->time_us, samples + *n);
      *n += add_samples (moment->processes, moment->time_us, NULL);
    }
  if (*n == 0)
    return NOT_FOUND;

  return samples == NULL || *n > room ? INSUFFICIENT_SIZE : SUCCESS;
}

static nvmlReturn_t
tell_samples (nvmlDevice_t device,
              nvmlProcessUtilizationSample_t *samples,
              unsigned int *n,
              unsigned long long since_us)
{
  g_autoptr (GArray) processes = list_processes (device, "processes");
  unsigned long long now_us = (unsigned long long) g_get_real_time ();
  unsigned long long sample_us = now_us - now_us % SAMPLE_US;
  guint n_samples = add_samples (processes, sample_us, NULL);
  unsigned int room = *n;

  if (is_instance (device->group) || get_number_or (device->group, "mig", 0) != 0 ||
      !g_key_file_has_key (here.script, device->group, "processes", NULL))
    return NOT_SUPPORTED;
  if (count_kept () > 0)
    return tell_kept_samples (device, samples, n, since_us);
  if (n_samples == 0 || since_us >= sample_us)
    return NOT_FOUND;

  *n = n_samples;
  if (samples == NULL || room < n_samples)
    return INSUFFICIENT_SIZE;
  add_samples (processes, sample_us, samples);

  return SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetProcessUtilization (nvmlDevice_t device,
                                 nvmlProcessUtilizationSample_t *samples,
                                 unsigned int *n,
                                 unsigned long long since_us)
{
  BEGIN (device);

  return end (tell_samples (device, samples, n, since_us));
}

static nvmlReturn_t
tell_levels (nvmlDevice_t device,
             unsigned int type,
             unsigned long long since_us,
             unsigned int *n,
             nvmlSample_t *samples)
{
  unsigned int room = *n;

  if (type >= N_LEVELS || is_instance (device->group) || count_kept () == 0 ||
      !g_key_file_has_key (here.script, device->group,
                           type == 0 ? "power" : "utilization", NULL))
    return NOT_SUPPORTED;

  *n = 0;
  for (guint i = 0; i < device->moments->len; i++)
    {
      const Moment *moment = g_ptr_array_index (device->moments, i);

      if (moment->time_us <= since_us || !moment->has[type])
        continue;
      if (samples != NULL && *n < room)
        samples[*n] =
          (nvmlSample_t){ moment->time_us, { .uiVal = moment->levels[type] } };
      *n += samples == NULL || *n < room;
    }

  return *n > 0 ? SUCCESS : NOT_FOUND;
}

nvmlReturn_t
nvmlDeviceGetSamples (nvmlDevice_t device,
                      unsigned int type,
                      unsigned long long since_us,
                      unsigned int *value_type,
                      unsigned int *n,
                      nvmlSample_t *samples)
{
  BEGIN (device);
  *value_type = UNSIGNED_INT;

  return end (tell_levels (device, type, since_us, n, samples));
}

/* --- events --- */

nvmlReturn_t
nvmlEventSetCreate (nvmlEventSet_t *set)
{
  BEGIN_LIBRARY;
  *set = g_new0 (struct nvmlEventSet_st, 1);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlEventSetFree (nvmlEventSet_t set)
{
  BEGIN_LIBRARY;
  g_free (set);

  return end (SUCCESS);
}

static char **
list_xids (nvmlDevice_t device, guint *n)
{
  gsize length = 0;
  char **xids =
    g_key_file_get_string_list (here.script, device->group, "xid", &length, NULL);

  *n = (guint) length;
  return xids;
}

/* What happened before is not reported. */
nvmlReturn_t
nvmlDeviceRegisterEvents (nvmlDevice_t device,
                          unsigned long long types,
                          nvmlEventSet_t set)
{
  g_auto (GStrv) xids = NULL;

  BEGIN (device);
  if (types != XID_EVENT ||
      !g_key_file_has_key (here.script, device->group, "xid", NULL))
    return end (NOT_SUPPORTED);

  xids = list_xids (device, &device->n_events);
  device->is_listened_to = TRUE;

  return end (SUCCESS);
}

static gboolean
take_event (nvmlDevice_t device, nvmlEventData_t *data)
{
  guint n;
  g_auto (GStrv) xids = list_xids (device, &n);

  if (!device->is_listened_to || device->n_events >= n)
    return FALSE;

  *data = (nvmlEventData_t){ device, XID_EVENT,
                             g_ascii_strtoull (xids[device->n_events], NULL, 10),
                             NO_INSTANCE, NO_INSTANCE };
  device->n_events++;

  return TRUE;
}

static nvmlReturn_t
tell_event (nvmlEventData_t *data)
{
  g_autoptr (GPtrArray) groups = list_groups (NULL);

  for (guint i = 0; i < groups->len; i++)
    if (take_event (get_device (g_ptr_array_index (groups, i)), data))
      return SUCCESS;

  return TIMEOUT;
}

nvmlReturn_t
nvmlEventSetWait (nvmlEventSet_t set, nvmlEventData_t *data, unsigned int timeout_ms)
{
  BEGIN_LIBRARY;

  return end (tell_event (data));
}

/* --- what came later: the library of an old driver has none of it --- */

#ifndef OLD_DRIVER

nvmlReturn_t
nvmlDeviceGetMemoryInfo_v2 (nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
  nvmlReturn_t result;

  BEGIN (device);
  if (memory->version != (sizeof *memory | 2u << 24))
    return end (ARGUMENT_VERSION_MISMATCH);

  result = tell_long (device, "memory-total", &memory->total);
  memory->reserved = get_reserved (device);
  memory->used = get_number_or (device->group, "memory-used", 0);
  memory->free = memory->total - memory->reserved - memory->used;

  return end (result);
}

/* It goes on counting from what the script says, with the power that it names. */
nvmlReturn_t
nvmlDeviceGetTotalEnergyConsumption (nvmlDevice_t device, unsigned long long *energy_mj)
{
  nvmlReturn_t result;

  BEGIN (device);
  result = tell_long (device, "energy", energy_mj);
  if (result == SUCCESS)
    *energy_mj += get_number_or (device->group, "energy-power", 0) *
                  (guint64) (g_get_monotonic_time () - here.read_us) / G_USEC_PER_SEC;

  return end (result);
}

nvmlReturn_t
nvmlDeviceGetCurrentClocksEventReasons (nvmlDevice_t device,
                                        unsigned long long *reasons)
{
  BEGIN (device);

  return end (tell_long (device, "throttle", reasons));
}

nvmlReturn_t
nvmlDeviceGetRemappedRows (nvmlDevice_t device,
                           unsigned int *corrected,
                           unsigned int *uncorrected,
                           unsigned int *is_pending,
                           unsigned int *has_failed)
{
  nvmlReturn_t result;

  BEGIN (device);
  result = tell_number (device, "remapped-corrected", corrected);
  *uncorrected =
    (unsigned int) get_number_or (device->group, "remapped-uncorrected", 0);
  *is_pending = (unsigned int) get_number_or (device->group, "remapped-pending", 0);
  *has_failed = (unsigned int) get_number_or (device->group, "remapped-failed", 0);

  return end (result);
}

static gsize
get_process_size (void)
{
  return get_number_or (LIBRARY, "process-bytes", sizeof (nvmlProcessInfo_v2_t));
}

nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses_v2 (nvmlDevice_t device,
                                         unsigned int *n,
                                         nvmlProcessInfo_v2_t *infos)
{
  BEGIN (device);

  return end (tell_processes (device, "processes", sizeof *infos, n, infos));
}

nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses_v3 (nvmlDevice_t device,
                                         unsigned int *n,
                                         nvmlProcessInfo_v2_t *infos)
{
  BEGIN (device);

  return end (tell_processes (device, "processes", get_process_size (), n, infos));
}

nvmlReturn_t
nvmlDeviceGetGraphicsRunningProcesses_v3 (nvmlDevice_t device,
                                          unsigned int *n,
                                          nvmlProcessInfo_v2_t *infos)
{
  BEGIN (device);

  return end (tell_processes (device, "graphics", get_process_size (), n, infos));
}

static void
tell_field (nvmlDevice_t device, nvmlFieldValue_t *field)
{
  static const struct
  {
    unsigned int id;
    gboolean is_long;
    const char *key;
  } keys[] = {
    { 3, TRUE, "ecc-corrected" },     { 4, TRUE, "ecc-uncorrected" },
    { 29, FALSE, "retired-single" },  { 30, FALSE, "retired-double" },
    { 31, FALSE, "retired-pending" }, { 82, FALSE, "memory-temperature" },
    { 138, TRUE, "nvlink-tx" },       { 139, TRUE, "nvlink-rx" },
  };

  field->nvmlReturn = NOT_SUPPORTED;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].id == field->fieldId &&
        (keys[i].id < 138 || field->scopeId == ALL_LINKS))
      {
        field->valueType = keys[i].is_long ? UNSIGNED_LONG_LONG : UNSIGNED_INT;
        field->timestamp = g_get_real_time ();
        field->nvmlReturn = keys[i].is_long
                              ? tell_long (device, keys[i].key, &field->value.ullVal)
                              : tell_number (device, keys[i].key, &field->value.uiVal);
      }
}

nvmlReturn_t
nvmlDeviceGetFieldValues (nvmlDevice_t device, int n, nvmlFieldValue_t *fields)
{
  BEGIN (device);
  for (int i = 0; i < n; i++)
    tell_field (device, &fields[i]);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlEventSetWait_v2 (nvmlEventSet_t set, nvmlEventData_t *data, unsigned int timeout_ms)
{
  BEGIN_LIBRARY;

  return end (tell_event (data));
}

/* --- performance counters --- */

typedef struct nvmlGpmSample_st
{
  nvmlDevice_t device; /* NULL before it was taken */
  guint number;
} * nvmlGpmSample_t;

typedef struct
{
  unsigned int version;
  unsigned int isSupportedDevice;
} nvmlGpmSupport_t;

typedef struct
{
  unsigned int metricId;
  nvmlReturn_t nvmlReturn;
  double value;
  struct
  {
    char *shortName;
    char *longName;
    char *unit;
  } metricInfo;
} nvmlGpmMetric_t;

typedef struct
{
  unsigned int version;
  unsigned int numMetrics;
  nvmlGpmSample_t sample1;
  nvmlGpmSample_t sample2;
  nvmlGpmMetric_t metrics[98];
} nvmlGpmMetricsGet_t;

nvmlReturn_t
nvmlGpmQueryDeviceSupport (nvmlDevice_t device, nvmlGpmSupport_t *support)
{
  BEGIN (device);
  if (support->version != 1)
    return end (ARGUMENT_VERSION_MISMATCH);
  support->isSupportedDevice = (unsigned int) get_number_or (device->group, "gpm", 0);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlGpmSampleAlloc (nvmlGpmSample_t *sample)
{
  BEGIN_LIBRARY;
  *sample = g_new0 (struct nvmlGpmSample_st, 1);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlGpmSampleFree (nvmlGpmSample_t sample)
{
  BEGIN_LIBRARY;
  g_free (sample);

  return end (SUCCESS);
}

nvmlReturn_t
nvmlGpmSampleGet (nvmlDevice_t device, nvmlGpmSample_t sample)
{
  static guint n_taken;

  BEGIN (device);
  *sample = (struct nvmlGpmSample_st){ device, ++n_taken };

  return end (SUCCESS);
}

/* The first sample has to be the older one, of the same device. */
nvmlReturn_t
nvmlGpmMetricsGet (nvmlGpmMetricsGet_t *get)
{
  BEGIN_LIBRARY;
  if (get->version != 1 || get->sample1->device == NULL ||
      get->sample1->device != get->sample2->device ||
      get->sample1->number >= get->sample2->number)
    return end (INVALID_ARGUMENT);

  for (guint i = 0; i < get->numMetrics; i++)
    {
      g_autofree char *key = g_strdup_printf ("gpm-%u", get->metrics[i].metricId);
      g_autofree char *text = get_text (get->sample2->device->group, key);

      get->metrics[i].nvmlReturn = text != NULL ? SUCCESS : NOT_SUPPORTED;
      get->metrics[i].value = text != NULL ? g_ascii_strtod (text, NULL) : 0;
    }

  return end (SUCCESS);
}

/* --- instances --- */

nvmlReturn_t
nvmlDeviceGetMigMode (nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
  nvmlReturn_t result;

  BEGIN (device);
  result = tell_number (device, "mig", current);
  *pending = *current;

  return end (result);
}

nvmlReturn_t
nvmlDeviceGetAccountingMode (nvmlDevice_t device, unsigned int *mode)
{
  BEGIN (device);

  return end (tell_number (device, "accounting", mode));
}

nvmlReturn_t
nvmlDeviceGetMaxMigDeviceCount (nvmlDevice_t device, unsigned int *n)
{
  BEGIN (device);
  *n = 7;

  return end (SUCCESS);
}

nvmlReturn_t
nvmlDeviceGetMigDeviceHandleByIndex (nvmlDevice_t device,
                                     unsigned int index,
                                     nvmlDevice_t *instance)
{
  BEGIN (device);

  return end (tell_handle (device->group, index, instance));
}

nvmlReturn_t
nvmlDeviceGetGpuInstanceId (nvmlDevice_t device, unsigned int *id)
{
  BEGIN (device);
  *id = get_instance (device);

  return end (is_instance (device->group) ? SUCCESS : NOT_SUPPORTED);
}

nvmlReturn_t
nvmlDeviceGetComputeInstanceId (nvmlDevice_t device, unsigned int *id)
{
  BEGIN (device);
  *id = (unsigned int) get_number_or (device->group, "compute-instance", 0);

  return end (is_instance (device->group) ? SUCCESS : NOT_SUPPORTED);
}

nvmlReturn_t
nvmlDeviceGetAttributes_v2 (nvmlDevice_t device, nvmlDeviceAttributes_t *attributes)
{
  const char *group = device != NULL ? device->group : NULL;

  BEGIN (device);
  memset (attributes, 0, sizeof *attributes);
  attributes->gpuInstanceSliceCount = (unsigned int) get_number_or (group, "slices", 1);
  attributes->computeInstanceSliceCount =
    (unsigned int) get_number_or (group, "compute-slices",
                                  attributes->gpuInstanceSliceCount);
  attributes->memorySizeMB = get_number_or (group, "memory-total", 0) >> 20;

  return end (
    tell_number (device, "multiprocessors", &attributes->multiprocessorCount));
}

#endif
