/* jm-dcgm-source.c: NVIDIA's GPUs as its host engine (DCGM) reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "sources/gpu/jm-dcgm-engine-private.h"
#include "sources/gpu/jm-gpu-library-private.h"
#include "sources/gpu/jm-gpu-shelf-private.h"

#define DEFAULT_ADDRESS "localhost"
/* For how many intervals a value serves, and for how long at least. The engine keeps
 * the last one of a device that is gone. */
#define STALE_INTERVALS 3
#define MIN_STALE_S 1.0
/* The kernel's number of /dev/nvidia*. */
#define NVIDIA_MAJOR 195

/* What one call of read() uses, and no other. */
typedef struct
{
  JmGpu *gpu;
  JmDcgmDevice device;
  guint n_slices;     /* that the GPU can be cut into; 0 where not known */
  JmDcgmXids *xids;   /* NULL of an instance */
  gint64 newest_us;   /* time of the newest value, by the engine's clock */
  gint64 advanced_us; /* when a newer one was seen last, monotonic */
} Device;

/* What the engine reported of one device, once. */
typedef struct
{
  const JmDcgmValue *items;
  guint n;
} Values;

/*
 * JmDcgmSource:
 *
 * NVIDIA's GPUs and their instances (MIG) as DCGM reports them, with how busy their
 * multiprocessors, pipes and links are. It asks a host engine that runs already
 * (nv-hostengine), and starts none.
 *
 * - Errors: `ABSENT` where DCGM is not installed, or the engine knows no GPU;
 *   `UNAVAILABLE` where no engine answers.
 * - Source: `libdcgm.so.4` or `libdcgm.so.3`, and nv-hostengine.
 *
 * Since: 0.1
 */
struct _JmDcgmSource
{
  JmGpuLibrary parent_instance;

  char *address;
  gint64 stale_us;
  JmDynamicLibrary *library;
  JmDcgmApi api;
  JmDcgmLabels *labels;
  JmDcgmClient *client;
  GArray *listed;     /* what the client listed, of JmDcgmDevice */
  JmGpuShelf devices; /* of Device, in the same order */
};

G_DEFINE_FINAL_TYPE (JmDcgmSource, jm_dcgm_source, JM_TYPE_GPU_LIBRARY)

/* --- loading --- */

static const char *const sonames[] = { "libdcgm.so.4", "libdcgm.so.3", NULL };

static const JmDynamicSymbol symbols[] = {
  JM_SYMBOL (JmDcgmApi, init, "dcgmInit", TRUE),
  JM_SYMBOL (JmDcgmApi, connect, "dcgmConnect_v2", TRUE),
  JM_SYMBOL (JmDcgmApi, disconnect, "dcgmDisconnect", TRUE),
  JM_SYMBOL (JmDcgmApi, explain, "errorString", FALSE),
  JM_SYMBOL (JmDcgmApi, get_entities, "dcgmGetEntityGroupEntities", TRUE),
  JM_SYMBOL (JmDcgmApi, get_hierarchy, "dcgmGetGpuInstanceHierarchy", TRUE),
  JM_SYMBOL (JmDcgmApi, make_group, "dcgmGroupCreate", TRUE),
  JM_SYMBOL (JmDcgmApi, add_entity, "dcgmGroupAddEntity", TRUE),
  JM_SYMBOL (JmDcgmApi, make_field_group, "dcgmFieldGroupCreate", TRUE),
  JM_SYMBOL (JmDcgmApi, watch, "dcgmWatchFields", TRUE),
  JM_SYMBOL (JmDcgmApi, update, "dcgmUpdateAllFields", TRUE),
  JM_SYMBOL (JmDcgmApi, get_latest, "dcgmEntitiesGetLatestValues", TRUE),
  JM_SYMBOL (JmDcgmApi, get_since, "dcgmGetValuesSince_v2", TRUE),
};

static void
make_client (JmDcgmSource *self)
{
  double interval_s, timeout_s;

  g_object_get (self, "interval", &interval_s, "timeout", &timeout_s, NULL);
  /* half of the time that a call may take is for what comes after it */
  self->client =
    jm_dcgm_client_new (&self->api, self->address, interval_s, timeout_s / 2);
  self->stale_us =
    (gint64) (MAX (STALE_INTERVALS * interval_s, MIN_STALE_S) * G_USEC_PER_SEC);
}

/* dcgmShutdown() would end what others in this process have of the library, and without
 * it threads of the library's own run on: so it is never ended, and stays loaded. */
static gboolean
jm_dcgm_source_load (JmGpuLibrary *library, GError **error)
{
  JmDcgmSource *self = JM_DCGM_SOURCE (library);
  JmDcgmStatus status;

  if (self->library != NULL)
    return TRUE;

  self->library = jm_gpu_library_load (library, sonames, symbols,
                                       G_N_ELEMENTS (symbols), &self->api, error);
  if (self->library == NULL)
    return FALSE;

  jm_dynamic_library_keep (self->library);
  status = self->api.init ();
  if (status == JM_DCGM_OK)
    {
      make_client (self);
      return TRUE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: cannot be started (%d)",
               jm_dynamic_library_get_name (self->library), status);
  g_clear_pointer (&self->library, jm_dynamic_library_close);

  return FALSE;
}

/* --- which devices there are --- */

static void
device_free (gpointer data)
{
  Device *self = data;

  g_clear_pointer (&self->gpu, jm_gpu_unref);
  g_clear_pointer (&self->xids, jm_dcgm_xids_unref);
  g_free (self);
}

static Device *
device_new (const JmDcgmDevice *device)
{
  Device *self = g_new0 (Device, 1);

  self->device = *device;
  self->advanced_us = g_get_monotonic_time ();

  return self;
}

static const JmDcgmValue *
find_value (const Values *self, guint16 field)
{
  for (guint i = 0; i < self->n; i++)
    if (self->items[i].field == field)
      return &self->items[i];

  return NULL;
}

static gboolean
get_number (const Values *self, guint16 field, guint *number)
{
  const JmDcgmValue *value = find_value (self, field);
  guint64 wide;

  if (value == NULL || !jm_dcgm_value_get_number (value, 1, &wide) || wide > G_MAXINT)
    return FALSE;
  *number = (guint) wide;

  return TRUE;
}

static char *
get_text (const Values *self, guint16 field)
{
  const JmDcgmValue *value = find_value (self, field);

  return value != NULL ? jm_dcgm_value_get_text (value) : NULL;
}

static void
take_text (JmGpu *gpu, JmGpuField field, const Values *values, guint16 from)
{
  g_autofree char *text = get_text (values, from);

  if (text != NULL)
    jm_gpu_set_field (gpu, field, text);
}

static void
take_address (JmGpu *gpu, const Values *values)
{
  g_autofree char *text = get_text (values, JM_DCGM_FIELD_PCI_ADDRESS);
  g_autofree char *address = text != NULL ? jm_gpu_format_pci_address (text) : NULL;

  if (address != NULL)
    jm_gpu_set_field (gpu, JM_GPU_FIELD_PCI_ADDRESS, address);
}

/* The driver numbers the GPUs as all of NVIDIA's tools do; the engine by itself. */
static void
identify_gpu (Device *self, const Values *values)
{
  guint index = self->device.entity.id;
  g_autofree char *name = NULL;
  guint minor;

  get_number (values, JM_DCGM_FIELD_NVML_INDEX, &index);
  get_number (values, JM_DCGM_FIELD_MAX_SLICES, &self->n_slices);
  name = g_strdup_printf ("%u", index);
  self->gpu = jm_gpu_new (name, index);
  jm_gpu_set_field (self->gpu, JM_GPU_FIELD_VENDOR, "nvidia");
  take_text (self->gpu, JM_GPU_FIELD_UUID, values, JM_DCGM_FIELD_UUID);
  take_text (self->gpu, JM_GPU_FIELD_MODEL, values, JM_DCGM_FIELD_NAME);
  take_text (self->gpu, JM_GPU_FIELD_DRIVER_VERSION, values,
             JM_DCGM_FIELD_DRIVER_VERSION);
  take_address (self->gpu, values);
  if (get_number (values, JM_DCGM_FIELD_MINOR_NUMBER, &minor))
    jm_gpu_set_device_number (self->gpu, NVIDIA_MAJOR, minor);
}

static void
inherit (JmGpu *gpu, JmGpu *parent, JmGpuField field)
{
  const char *text = jm_gpu_get_field (parent, field);

  if (text != NULL)
    jm_gpu_set_field (gpu, field, text);
}

/* The engine has no uuid of an instance: by its name it is found again. */
static void
identify_instance (Device *self, const Device *parent)
{
  guint index = jm_gpu_get_index (parent->gpu);
  g_autofree char *name = g_strdup_printf ("%u.%u", index, self->device.instance_id);

  self->gpu = jm_gpu_new (name, index);
  jm_gpu_set_field (self->gpu, JM_GPU_FIELD_PARENT, jm_gpu_get_name (parent->gpu));
  inherit (self->gpu, parent->gpu, JM_GPU_FIELD_VENDOR);
  inherit (self->gpu, parent->gpu, JM_GPU_FIELD_MODEL);
  inherit (self->gpu, parent->gpu, JM_GPU_FIELD_PCI_ADDRESS);
  inherit (self->gpu, parent->gpu, JM_GPU_FIELD_DRIVER_VERSION);
  if (self->device.n_slices > 0 && self->device.n_slices <= parent->n_slices)
    jm_gpu_set_slices (self->gpu, self->device.n_slices, parent->n_slices);
}

/* What was counted of a GPU goes on when the engine does. */
static JmDcgmXids *
take_xids (JmDcgmSource *self, JmGpu *gpu)
{
  const char *uuid = jm_gpu_get_field (gpu, JM_GPU_FIELD_UUID);

  for (guint i = 0; self->listed != NULL && i < self->listed->len; i++)
    {
      const Device *before = g_ptr_array_index (self->devices.records, i);

      if (before->xids != NULL && uuid != NULL &&
          g_strcmp0 (jm_gpu_get_field (before->gpu, JM_GPU_FIELD_UUID), uuid) == 0)
        return jm_dcgm_xids_ref (before->xids);
    }

  return jm_dcgm_xids_new (g_get_real_time ());
}

static gboolean
identify (JmDcgmSource *self, Device *device, const Device *parent, GError **error)
{
  g_autofree JmDcgmValue *items = NULL;
  Values values = { 0 };

  if (parent != NULL)
    {
      identify_instance (device, parent);
      return TRUE;
    }

  items = jm_dcgm_client_read (self->client, &device->device, &values.n, error);
  if (items == NULL)
    return FALSE;
  values.items = items;
  identify_gpu (device, &values);
  device->xids = take_xids (self, device->gpu);

  return TRUE;
}

static GPtrArray *
make_devices (JmDcgmSource *self, GArray *listed, GError **error)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (device_free);
  Device *parent = NULL;

  for (guint i = 0; i < listed->len; i++)
    {
      Device *device = device_new (&g_array_index (listed, JmDcgmDevice, i));

      g_ptr_array_add (devices, device);
      if (device->device.entity.group == JM_DCGM_GPU)
        parent = NULL;
      if (!identify (self, device, parent, error))
        return NULL;
      if (parent == NULL)
        parent = device;
    }

  return g_steal_pointer (&devices);
}

static gboolean
jm_dcgm_source_list (JmGpuLibrary *library, GPtrArray *gpus, GError **error)
{
  JmDcgmSource *self = JM_DCGM_SOURCE (library);
  g_autoptr (GArray) listed = jm_dcgm_client_list (self->client, error);

  if (listed == NULL)
    return FALSE;

  if (listed != self->listed)
    {
      GPtrArray *devices = make_devices (self, listed, error);

      if (devices == NULL)
        return FALSE;
      jm_gpu_shelf_put (&self->devices, devices);
      g_clear_pointer (&self->listed, g_array_unref);
      self->listed = g_steal_pointer (&listed);
    }
  for (guint i = 0; i < self->listed->len; i++)
    {
      const Device *device = g_ptr_array_index (self->devices.records, i);

      g_ptr_array_add (gpus, jm_gpu_ref (device->gpu));
    }

  return TRUE;
}

/* --- what they do --- */

/* Events have the time of the event. */
static gint64
find_newest (const Values *self)
{
  gint64 newest_us = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->items[i].status == JM_DCGM_OK &&
        self->items[i].field != JM_DCGM_FIELD_XID)
      newest_us = MAX (newest_us, self->items[i].time_us);

  return newest_us;
}

static gboolean
is_advancing (JmDcgmSource *self, Device *device, const Values *values)
{
  gint64 newest_us = find_newest (values);
  gint64 now_us = g_get_monotonic_time ();

  if (newest_us > device->newest_us)
    device->advanced_us = now_us;
  device->newest_us = newest_us;

  return newest_us > 0 && now_us - device->advanced_us <= self->stale_us;
}

/* The engine's own reason, where it has one. */
static gboolean
fail (JmDcgmSource *self, JmGpu *gpu, const Values *values, GError **error)
{
  JmDcgmStatus status = JM_DCGM_OK;

  for (guint i = 0; i < values->n && status == JM_DCGM_OK; i++)
    if (values->items[i].field != JM_DCGM_FIELD_XID)
      status = values->items[i].status;

  if (find_newest (values) > 0 || values->n == 0)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "nv-hostengine at %s: GPU %s: no values of now", self->address,
                 jm_gpu_get_name (gpu));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "nv-hostengine at %s: GPU %s: no values: %s (%d)", self->address,
                 jm_gpu_get_name (gpu), jm_dcgm_client_explain (self->client, status),
                 status);

  return FALSE;
}

static void
tell_values (JmDcgmSource *self,
             gint64 newest_us,
             const Values *values,
             JmGpuReport *report)
{
  for (guint i = 0; i < values->n; i++)
    if (values->items[i].time_us >= newest_us - self->stale_us)
      jm_dcgm_fields_tell (self->labels, &values->items[i], report);
}

static void
tell_xids (JmDcgmSource *self,
           Device *device,
           const Values *values,
           JmGpuReport *report)
{
  const JmDcgmValue *last = find_value (values, JM_DCGM_FIELD_XID);
  gint64 since_us = jm_dcgm_xids_get_since (device->xids);

  if (last != NULL && last->status == JM_DCGM_OK && last->time_us >= since_us)
    jm_dcgm_client_read_events (self->client, &device->device, since_us,
                                jm_dcgm_xids_take, device->xids);
  jm_dcgm_xids_tell (device->xids, report);
}

static gboolean
jm_dcgm_source_read (JmGpuLibrary *library,
                     guint i,
                     JmGpu *gpu,
                     JmGpuReport *report,
                     GError **error)
{
  JmDcgmSource *self = JM_DCGM_SOURCE (library);
  g_autoptr (GPtrArray) hold = NULL;
  Device *device = jm_gpu_shelf_find (&self->devices, gpu, &hold);
  g_autofree JmDcgmValue *items = NULL;
  Values values = { 0 };

  if (device == NULL)
    return fail (self, gpu, &values, error);

  items = jm_dcgm_client_read (self->client, &device->device, &values.n, error);
  if (items == NULL)
    return FALSE;
  values.items = items;
  if (device->xids != NULL)
    tell_xids (self, device, &values, report);
  if (!is_advancing (self, device, &values))
    return fail (self, gpu, &values, error);
  tell_values (self, device->newest_us, &values, report);

  return TRUE;
}

static void
jm_dcgm_source_stop (JmGpuLibrary *library)
{
  jm_dcgm_client_disconnect (JM_DCGM_SOURCE (library)->client);
}

/* --- the source --- */

static void
jm_dcgm_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
    jm_advice_add (advice,
                   "Install NVIDIA's datacenter-gpu-manager-4-core (or "
                   "datacenter-gpu-manager), then systemctl enable --now nvidia-dcgm",
                   NULL);
  else
    jm_advice_add (advice,
                   "systemctl enable --now nvidia-dcgm, or nv-hostengine; address=HOST "
                   "where it listens elsewhere; then restart jobmetrics",
                   NULL);
}

static void
jm_dcgm_source_finalize (GObject *object)
{
  JmDcgmSource *self = JM_DCGM_SOURCE (object);

  jm_gpu_shelf_clear (&self->devices);
  g_clear_pointer (&self->listed, g_array_unref);
  g_clear_pointer (&self->client, jm_dcgm_client_free);
  g_clear_pointer (&self->library, jm_dynamic_library_close);
  jm_dcgm_labels_free (self->labels);

  G_OBJECT_CLASS (jm_dcgm_source_parent_class)->finalize (object);
}

static void
jm_dcgm_source_class_init (JmDcgmSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  JmGpuLibraryClass *library_class = JM_GPU_LIBRARY_CLASS (klass);

  object_class->finalize = jm_dcgm_source_finalize;
  JM_SOURCE_CLASS (klass)->advise = jm_dcgm_source_advise;
  library_class->thread_name = "dcgm";
  library_class->load = jm_dcgm_source_load;
  library_class->list = jm_dcgm_source_list;
  library_class->read = jm_dcgm_source_read;
  library_class->stop = jm_dcgm_source_stop;

  /*
   * JmDcgmSource:address:
   *
   * Where the host engine listens: `HOST` or `HOST:PORT`, or the path of a socket.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "address",
                            G_STRUCT_OFFSET (JmDcgmSource, address), DEFAULT_ADDRESS);
}

static void
jm_dcgm_source_init (JmDcgmSource *self)
{
  self->labels = jm_dcgm_labels_new ();
  jm_gpu_shelf_init (&self->devices);
}
