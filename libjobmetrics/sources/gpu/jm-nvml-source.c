/* jm-nvml-source.c: NVIDIA's accelerators, as their management library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-private.h"
#include "host/jm-source-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "sources/gpu/jm-nvml-device-private.h"
#include "sources/gpu/jm-nvml-records-private.h"

#define LIBRARY "libnvidia-ml.so.1"
#define MODULE_VERSION "/proc/driver/nvidia/version"
#define DROP_IN "gpu-nvidia.conf"
/* https://docs.kernel.org/admin-guide/devices.html */
#define CHARACTER_MAJOR 195

/* A library that lists more is not believed. */
#define MAX_DEVICES 256
#define MAX_INSTANCES 64

/*
 * JmNvmlSource:
 *
 * NVIDIA's accelerators as their management library, NVML, reports them
 * (https://docs.nvidia.com/deploy/nvml-api/). It is looked for at run time.
 *
 * - Shape: the devices in NVML's order, each with its instances (MIG) behind it.
 * - Errors: `ABSENT` where there is no library or no driver; `DENIED` where the devices
 *   are hidden or closed; `UNAVAILABLE` where library and driver are of different
 *   versions.
 * - Source: `libnvidia-ml.so.1`, which asks the driver by `/dev/nvidiactl` and
 *   `/dev/nvidiaN`.
 *
 * Since: 0.1
 */
/* How many devices are in a mode, of those that have it. */
typedef struct
{
  guint n_told;
  guint n_on;
} Mode;

typedef struct
{
  Mode mig;
  Mode accounting;
} Modes;

struct _JmNvmlSource
{
  JmGpuLibrary parent_instance;

  JmDynamicLibrary *library;
  JmNvmlApi api;
  char *gpm;        /* directory that names devices of profilers; NULL: no counters */
  int start_result; /* atomic: why it did not start up */

  /* of who lists */
  gboolean is_started;
  char driver_version[JM_NVML_TEXT_BYTES];

  GMutex mutex;       /* guards what follows */
  GPtrArray *devices; /* of JmNvmlDevice */
  Modes modes;
};

G_DEFINE_FINAL_TYPE (JmNvmlSource, jm_nvml_source, JM_TYPE_GPU_LIBRARY)

/* What is found while a list is made. */
typedef struct
{
  JmNvmlSource *source;
  GPtrArray *before; /* of JmNvmlDevice */
  GPtrArray *devices;
  guint n_refused; /* devices that gave no handle */
  int refusal;     /* why the first did not */
  Modes modes;
} Listing;

static gboolean
is_driver_loaded (JmNvmlSource *self)
{
  return jm_host_exists (jm_source_get_host (JM_SOURCE (self)), MODULE_VERSION);
}

/* --- starting up --- */

static gboolean
jm_nvml_source_load (JmGpuLibrary *library, GError **error)
{
  JmNvmlSource *self = JM_NVML_SOURCE (library);

  if (self->library == NULL)
    self->library = jm_nvml_api_load (&self->api, library, error);

  return self->library != NULL;
}

/* Where devices are hidden, NVML believes that there is no driver. */
static gboolean
refuse_start (JmNvmlSource *self, int result, const char *function, GError **error)
{
  g_atomic_int_set (&self->start_result, result);
  if (result == JM_NVML_DRIVER_NOT_LOADED && is_driver_loaded (self))
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                 "%s: the driver is loaded, but /dev/nvidiactl cannot be opened",
                 jm_dynamic_library_get_name (self->library));
  else
    jm_nvml_set_error (&self->api, result, jm_dynamic_library_get_name (self->library),
                       function, error);

  return FALSE;
}

static gboolean
start (JmNvmlSource *self, GError **error)
{
  int result;

  if (self->is_started)
    return TRUE;

  result = self->api.init ();
  if (result != JM_NVML_SUCCESS)
    return refuse_start (self, result, "nvmlInit_v2", error);

  self->is_started = TRUE;
  g_atomic_int_set (&self->start_result, JM_NVML_SUCCESS);
  if (self->api.get_driver_version (self->driver_version,
                                    sizeof self->driver_version) != JM_NVML_SUCCESS)
    self->driver_version[0] = '\0';

  return TRUE;
}

static GPtrArray *
make_devices (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) jm_nvml_device_unref);
}

/* Takes the place of the devices that there were. */
static GPtrArray *
put_in_place (JmNvmlSource *self, GPtrArray *devices, const Modes *modes)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GPtrArray *before = self->devices;

  self->devices = devices;
  self->modes = *modes;

  return before;
}

static void
jm_nvml_source_stop (JmGpuLibrary *library)
{
  JmNvmlSource *self = JM_NVML_SOURCE (library);
  const Modes none = { 0 };
  g_autoptr (GPtrArray) devices = put_in_place (self, make_devices (), &none);

  if (!self->is_started)
    return;

  for (guint i = 0; i < devices->len; i++)
    jm_nvml_device_stop (g_ptr_array_index (devices, i));
  self->api.shutdown ();
  self->is_started = FALSE;
}

/* --- who a device is --- */

static void
set_text (JmNvmlGetText get, JmNvmlHandle *handle, JmGpu *gpu, JmGpuField field)
{
  char text[JM_NVML_TEXT_BYTES] = "";

  if (get (handle, text, sizeof text) == JM_NVML_SUCCESS && text[0] != '\0')
    {
      text[sizeof text - 1] = '\0';
      jm_gpu_set_field (gpu, field, text);
    }
}

static void
set_pci_address (const JmNvmlApi *api, JmNvmlHandle *handle, JmGpu *gpu)
{
  JmNvmlPci pci = { 0 };

  if (api->get_pci == NULL || api->get_pci (handle, &pci) != JM_NVML_SUCCESS)
    return;

  pci.bus_id[sizeof pci.bus_id - 1] = '\0';
  jm_gpu_set_field (gpu, JM_GPU_FIELD_PCI_ADDRESS, pci.bus_id);
}

static void
set_device_number (const JmNvmlApi *api, JmNvmlHandle *handle, JmGpu *gpu)
{
  guint number;

  if (api->get_minor_number != NULL &&
      api->get_minor_number (handle, &number) == JM_NVML_SUCCESS)
    jm_gpu_set_device_number (gpu, CHARACTER_MAJOR, number);
}

static JmGpu *
make_gpu (JmNvmlSource *self, const char *name, guint index)
{
  JmGpu *gpu = jm_gpu_new (name, index);

  jm_gpu_set_field (gpu, JM_GPU_FIELD_VENDOR, "nvidia");
  if (self->driver_version[0] != '\0')
    jm_gpu_set_field (gpu, JM_GPU_FIELD_DRIVER_VERSION, self->driver_version);

  return gpu;
}

static JmGpu *
make_whole (JmNvmlSource *self, guint index, JmNvmlHandle *handle)
{
  g_autofree char *name = g_strdup_printf ("%u", index);
  JmGpu *gpu = make_gpu (self, name, index);

  if (handle == NULL)
    return gpu;

  set_text (self->api.get_uuid, handle, gpu, JM_GPU_FIELD_UUID);
  set_text (self->api.get_name, handle, gpu, JM_GPU_FIELD_MODEL);
  set_pci_address (&self->api, handle, gpu);
  set_device_number (&self->api, handle, gpu);

  return gpu;
}

static JmNvmlDevice *
find_device (GPtrArray *devices, const char *uuid)
{
  for (guint i = 0; i < devices->len; i++)
    {
      JmNvmlDevice *device = g_ptr_array_index (devices, i);

      if (g_strcmp0 (jm_gpu_get_field (jm_nvml_device_get_gpu (device),
                                       JM_GPU_FIELD_UUID),
                     uuid) == 0)
        return device;
    }

  return NULL;
}

/* A device keeps what was found out about it as long as it is listed: NULL where it is
 * new. */
static JmNvmlDevice *
take_known (Listing *listing, JmNvmlHandle *handle)
{
  char uuid[JM_NVML_TEXT_BYTES] = "";
  JmNvmlDevice *known = NULL;

  if (listing->before->len > 0 &&
      listing->source->api.get_uuid (handle, uuid, sizeof uuid) == JM_NVML_SUCCESS &&
      uuid[0] != '\0')
    {
      uuid[sizeof uuid - 1] = '\0';
      known = find_device (listing->before, uuid);
    }

  return known != NULL ? jm_nvml_device_ref (known) : NULL;
}

static JmNvmlDevice *
add_device (Listing *listing, JmNvmlDevice *device, JmNvmlHandle *handle, int result)
{
  jm_nvml_device_set_handle (device, handle, result);
  g_ptr_array_add (listing->devices, device);

  return device;
}

/* --- instances --- */

/* An instance of a device may be cut once more, for computing. */
static char *
name_instance (const JmNvmlApi *api, JmNvmlHandle *handle, const char *parent)
{
  guint gpu_instance;
  guint compute_instance = 0;

  if (api->get_gpu_instance == NULL ||
      api->get_gpu_instance (handle, &gpu_instance) != JM_NVML_SUCCESS)
    return NULL;

  if (api->get_compute_instance != NULL &&
      api->get_compute_instance (handle, &compute_instance) == JM_NVML_SUCCESS &&
      compute_instance > 0)
    return g_strdup_printf ("%s.%u.%u", parent, gpu_instance, compute_instance);

  return g_strdup_printf ("%s.%u", parent, gpu_instance);
}

static void
set_kind (const JmNvmlApi *api,
          JmNvmlHandle *handle,
          JmGpu *gpu,
          const JmNvmlAttributes *attributes)
{
  char name[JM_NVML_TEXT_BYTES] = "";
  g_autofree char *profile = NULL;
  g_autofree char *model = NULL;

  if (api->get_name (handle, name, sizeof name) != JM_NVML_SUCCESS)
    name[0] = '\0';
  name[sizeof name - 1] = '\0';
  profile = jm_nvml_make_profile (name, attributes);
  if (profile != NULL)
    jm_gpu_set_field (gpu, JM_GPU_FIELD_PROFILE, profile);
  if (name[0] == '\0')
    return;

  model = jm_nvml_make_model (name);
  jm_gpu_set_field (gpu, JM_GPU_FIELD_MODEL, model);
}

static JmNvmlDevice *
make_instance (JmNvmlSource *self, JmNvmlHandle *handle, JmGpu *parent, guint n_slices)
{
  const JmNvmlApi *api = &self->api;
  const char *address = jm_gpu_get_field (parent, JM_GPU_FIELD_PCI_ADDRESS);
  g_autofree char *name = name_instance (api, handle, jm_gpu_get_name (parent));
  g_autoptr (JmGpu) gpu = NULL;
  JmNvmlAttributes attributes = { 0 };

  if (name == NULL)
    return NULL;

  gpu = make_gpu (self, name, jm_gpu_get_index (parent));
  jm_gpu_set_field (gpu, JM_GPU_FIELD_PARENT, jm_gpu_get_name (parent));
  if (address != NULL)
    jm_gpu_set_field (gpu, JM_GPU_FIELD_PCI_ADDRESS, address);
  set_text (api->get_uuid, handle, gpu, JM_GPU_FIELD_UUID);
  if (api->get_attributes == NULL ||
      api->get_attributes (handle, &attributes) != JM_NVML_SUCCESS)
    attributes = (JmNvmlAttributes){ 0 };
  set_kind (api, handle, gpu, &attributes);
  if (attributes.n_compute_slices > 0 && attributes.n_compute_slices <= n_slices)
    jm_gpu_set_slices (gpu, attributes.n_compute_slices, n_slices);

  return jm_nvml_device_new (api, gpu, attributes.n_multiprocessors);
}

/* A device has as many slices as there can be instances of it. Numbers between them are
 * free where one was taken away. */
static void
add_instances (Listing *listing, JmNvmlHandle *parent, JmGpu *gpu)
{
  const JmNvmlApi *api = &listing->source->api;
  guint n = 0;

  if (api->get_max_instances == NULL || api->get_instance == NULL ||
      api->get_max_instances (parent, &n) != JM_NVML_SUCCESS)
    return;

  for (guint i = 0; i < MIN (n, MAX_INSTANCES); i++)
    {
      JmNvmlHandle *handle = NULL;
      JmNvmlDevice *device;

      if (api->get_instance (parent, i, &handle) != JM_NVML_SUCCESS || handle == NULL)
        continue;

      device = take_known (listing, handle);
      if (device == NULL)
        device = make_instance (listing->source, handle, gpu, n);
      if (device != NULL)
        add_device (listing, device, handle, JM_NVML_SUCCESS);
    }
}

/* --- the list --- */

static void
count_mode (Mode *mode, gboolean is_on)
{
  mode->n_told++;
  mode->n_on += is_on ? 1 : 0;
}

static gboolean
is_cut (Listing *listing, JmNvmlHandle *handle)
{
  const JmNvmlApi *api = &listing->source->api;
  guint mode = 0;
  guint next_mode;

  if (api->get_mig_mode == NULL ||
      api->get_mig_mode (handle, &mode, &next_mode) != JM_NVML_SUCCESS)
    return FALSE;

  count_mode (&listing->modes.mig, mode == 1);

  return mode == 1;
}

/* The driver then keeps what processes used until after their end. */
static void
note_accounting (Listing *listing, JmNvmlHandle *handle)
{
  const JmNvmlApi *api = &listing->source->api;
  guint mode = 0;

  if (api->get_accounting_mode != NULL &&
      api->get_accounting_mode (handle, &mode) == JM_NVML_SUCCESS)
    count_mode (&listing->modes.accounting, mode == 1);
}

static void
add_whole (Listing *listing, guint index, JmNvmlHandle *handle)
{
  JmNvmlDevice *device = take_known (listing, handle);
  gboolean has_instances = is_cut (listing, handle);

  if (device == NULL)
    {
      g_autoptr (JmGpu) gpu = make_whole (listing->source, index, handle);

      device = jm_nvml_device_new (&listing->source->api, gpu, 0);
      jm_nvml_device_set_handle (device, handle, JM_NVML_SUCCESS);
      jm_nvml_device_listen (device);
    }
  note_accounting (listing, handle);
  jm_nvml_device_set_mig (device, has_instances);
  add_device (listing, device, handle, JM_NVML_SUCCESS);
  if (has_instances)
    add_instances (listing, handle, jm_nvml_device_get_gpu (device));
}

/* A device that is lost stays in the list, as who it was. */
static void
add_lost (Listing *listing, guint index, int result)
{
  for (guint i = 0; i < listing->before->len; i++)
    {
      JmNvmlDevice *device = g_ptr_array_index (listing->before, i);
      JmGpu *gpu = jm_nvml_device_get_gpu (device);

      if (jm_gpu_get_index (gpu) == index &&
          jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) == NULL)
        {
          add_device (listing, jm_nvml_device_ref (device), NULL, result);
          return;
        }
    }

  {
    g_autoptr (JmGpu) gpu = make_whole (listing->source, index, NULL);

    add_device (listing, jm_nvml_device_new (&listing->source->api, gpu, 0), NULL,
                result);
  }
}

static void
add_index (Listing *listing, guint index)
{
  JmNvmlHandle *handle = NULL;
  int result = listing->source->api.get_handle (index, &handle);

  if (result == JM_NVML_SUCCESS && handle != NULL)
    {
      add_whole (listing, index, handle);
      return;
    }

  add_lost (listing, index, result);
  if (listing->n_refused++ == 0)
    listing->refusal = result;
}

static gboolean
list_devices (Listing *listing, GError **error)
{
  JmNvmlSource *self = listing->source;
  const Modes none = { 0 };
  guint n = 0;
  int result = self->api.get_count (&n);

  if (result != JM_NVML_SUCCESS)
    {
      /* the driver was loaded anew, perhaps: all that it gave is void */
      g_ptr_array_unref (put_in_place (self, make_devices (), &none));
      self->is_started = FALSE;
      return refuse_start (self, result, "nvmlDeviceGetCount_v2", error);
    }

  for (guint i = 0; i < MIN (n, MAX_DEVICES); i++)
    add_index (listing, i);

  /* where every device is closed to us, the library is */
  if (n == 0 || listing->n_refused < n || listing->refusal != JM_NVML_NO_PERMISSION)
    return TRUE;

  return refuse_start (self, listing->refusal, "nvmlDeviceGetHandleByIndex_v2", error);
}

static GPtrArray *
ref_devices (JmNvmlSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_ptr_array_copy (self->devices, (GCopyFunc) (gpointer) jm_nvml_device_ref,
                           NULL);
}

static gboolean
jm_nvml_source_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  JmNvmlSource *self = JM_NVML_SOURCE (library);
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) devices = make_devices ();
  Listing listing = { .source = self, .devices = devices };

  if (!start (self, error))
    return FALSE;

  listing.before = before = ref_devices (self);
  if (!list_devices (&listing, error))
    return FALSE;

  for (guint i = 0; i < devices->len; i++)
    g_ptr_array_add (gpus, jm_gpu_ref (
                             jm_nvml_device_get_gpu (g_ptr_array_index (devices, i))));
  g_ptr_array_unref (put_in_place (self, g_steal_pointer (&devices), &listing.modes));

  return TRUE;
}

/* --- reading --- */

static JmNvmlDevice *
ref_device (JmNvmlSource *self, JmGpu *gpu)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  for (guint i = 0; i < self->devices->len; i++)
    {
      JmNvmlDevice *device = g_ptr_array_index (self->devices, i);

      if (jm_nvml_device_get_gpu (device) == gpu)
        return jm_nvml_device_ref (device);
    }

  return NULL;
}

/* Whether performance counters are wanted, and no profiler of a user's needs them. */
static gboolean
is_gpm_wanted (JmNvmlSource *self, JmGpu *gpu)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
  g_autofree char *of_all = NULL;
  g_autofree char *of_device = NULL;

  if (self->gpm == NULL)
    return FALSE;
  of_all = g_build_filename (self->gpm, "all", NULL);
  of_device = g_build_filename (self->gpm, jm_gpu_get_name (gpu), NULL);

  return !jm_host_exists (host, of_all) && !jm_host_exists (host, of_device);
}

static gboolean
jm_nvml_source_read (JmGpuLibrary *library,
                     guint number,
                     JmGpu *gpu,
                     JmGpuReport *report,
                     GError **error)
{
  JmNvmlSource *self = JM_NVML_SOURCE (library);
  g_autoptr (JmNvmlDevice) device = ref_device (self, gpu);

  if (device != NULL)
    {
      jm_nvml_device_set_gpm (device, is_gpm_wanted (self, gpu));
      return jm_nvml_device_read (device, report, error);
    }

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: it is not there any more",
               jm_gpu_get_name (gpu));
  return FALSE;
}

static void
jm_nvml_source_look (JmGpuLibrary *library,
                     guint number,
                     JmGpu *gpu,
                     JmGpuReport *report)
{
  g_autoptr (JmNvmlDevice) device = ref_device (JM_NVML_SOURCE (library), gpu);

  if (device != NULL)
    jm_nvml_device_look (device, report);
}

/* --- facts --- */

static void
add_mode (GStrvBuilder *facts, const char *name, const Mode *mode)
{
  g_autofree char *fact = NULL;

  if (mode->n_told == 0)
    return;

  if (mode->n_on == 0 || mode->n_on == mode->n_told)
    fact = g_strdup_printf ("%s %s", name, mode->n_on > 0 ? "on" : "off");
  else
    fact =
      g_strdup_printf ("%s on for %u of %u devices", name, mode->n_on, mode->n_told);
  g_strv_builder_add (facts, fact);
}

static void
jm_nvml_source_add_facts (JmGpuLibrary *library, GStrvBuilder *facts)
{
  JmNvmlSource *self = JM_NVML_SOURCE (library);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  add_mode (facts, "MIG mode", &self->modes.mig);
  add_mode (facts, "accounting mode", &self->modes.accounting);
}

/* --- the source --- */

/* One that is missed is one whose driver is loaded. */
static void
jm_nvml_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  JmNvmlSource *self = JM_NVML_SOURCE (source);

  if (is_driver_loaded (self))
    jm_advice_set_gain (advice, "figures of NVIDIA's accelerators");

  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "The unit hides devices", DROP_IN);
  else if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) && self->library == NULL)
    jm_advice_add (advice,
                   "Install " LIBRARY
                   ", which comes with the driver, or name it: nvml,library=FILE",
                   NULL);
  else if (g_atomic_int_get (&self->start_result) == JM_NVML_LIB_RM_VERSION_MISMATCH)
    jm_advice_add (advice,
                   "The driver was updated but not loaded anew: unload nvidia and load "
                   "it, or reboot",
                   NULL);
}

static void
jm_nvml_source_finalize (GObject *object)
{
  JmNvmlSource *self = JM_NVML_SOURCE (object);

  g_ptr_array_unref (self->devices);
  g_clear_pointer (&self->library, jm_dynamic_library_close);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (jm_nvml_source_parent_class)->finalize (object);
}

static void
jm_nvml_source_class_init (JmNvmlSourceClass *klass)
{
  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = jm_nvml_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_nvml_source_advise;
  library_class->thread_name = "nvml";
  library_class->load = jm_nvml_source_load;
  library_class->list = jm_nvml_source_list;
  library_class->read = jm_nvml_source_read;
  library_class->look = jm_nvml_source_look;
  library_class->stop = jm_nvml_source_stop;
  library_class->add_facts = jm_nvml_source_add_facts;

  /*
   * JmNvmlSource:gpm:
   *
   * Turns performance counters (GPM) on: a directory in which a file named like a
   * device, or `all`, stops them while somebody's profiler needs them.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (G_OBJECT_CLASS (klass), "gpm",
                            G_STRUCT_OFFSET (JmNvmlSource, gpm), NULL);
}

static void
jm_nvml_source_init (JmNvmlSource *self)
{
  g_mutex_init (&self->mutex);
  self->devices = make_devices ();
}
