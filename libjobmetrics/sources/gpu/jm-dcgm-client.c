/* jm-dcgm-client.c: a connection to NVIDIA's host engine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-dcgm-engine-private.h"

#include <string.h>

#include "base/jm-error.h"

/* The engine's profiling module takes no less. */
#define MIN_PERIOD_S 0.1
/* How long the engine keeps values: events are asked for when the last one is new. */
#define KEEP_S 60.0
/* What a device is does not change; it must be watched all the same to be read. */
#define IDENTITY_PERIOD_S 3600.0
#define UNIX_PREFIX "unix://"

/* Fields that are watched together. */
typedef struct
{
  guint kinds;
  const char *name;
  double period_s;      /* 0: as often as the source reads */
  gboolean is_required; /* else each field is watched that can be */
} FieldSet;

enum
{
  IDENTITY,
  DEVICE,
  EVENTS,
  INSTANCE,
  PROFILING,
  LINKS,
  N_SETS
};

static const FieldSet sets[N_SETS] = {
  [IDENTITY] = { JM_DCGM_FIELDS_IDENTITY, "identity", IDENTITY_PERIOD_S, FALSE },
  [DEVICE] = { JM_DCGM_FIELDS_DEVICE, "device", 0, TRUE },
  [EVENTS] = { JM_DCGM_FIELDS_EVENTS, "events", 0, FALSE },
  [INSTANCE] = { JM_DCGM_FIELDS_INSTANCE, "instance", 0, FALSE },
  [PROFILING] = { JM_DCGM_FIELDS_PROFILING, "profiling", 0, FALSE },
  [LINKS] = { JM_DCGM_FIELDS_LINKS, "links", 0, FALSE },
};

/* Each ends with N_SETS. */
static const guint sets_of_gpu[] = {
  IDENTITY, DEVICE, EVENTS, PROFILING, LINKS, N_SETS
};
static const guint sets_of_instance[] = { INSTANCE, PROFILING, N_SETS };

struct _JmDcgmClient
{
  const JmDcgmApi *api;
  char *address;
  double period_s;
  double timeout_s;

  gpointer connection; /* atomic; NULL where there is none */
  int is_lost;         /* atomic */

  /* of jm_dcgm_client_list() */
  guintptr field_groups[N_SETS];
  guintptr single_groups[JM_DCGM_MAX_FIELDS]; /* 0 where not made */
  GArray *devices;                            /* of JmDcgmDevice; NULL: not watched */
};

JmDcgmClient *
jm_dcgm_client_new (const JmDcgmApi *api,
                    const char *address,
                    double period_s,
                    double timeout_s)
{
  JmDcgmClient *self = g_new0 (JmDcgmClient, 1);

  self->api = api;
  self->address = g_strdup (address);
  self->period_s = MAX (period_s, MIN_PERIOD_S);
  self->timeout_s = timeout_s;

  return self;
}

void
jm_dcgm_client_free (JmDcgmClient *self)
{
  jm_dcgm_client_disconnect (self);
  g_free (self->address);
  g_free (self);
}

static guintptr
get_connection (JmDcgmClient *self)
{
  return (guintptr) g_atomic_pointer_get (&self->connection);
}

const char *
jm_dcgm_client_explain (JmDcgmClient *self, JmDcgmStatus status)
{
  const char *text = self->api->explain != NULL ? self->api->explain (status) : NULL;

  return text != NULL ? text : "an error that it has no words for";
}

const char *
jm_dcgm_client_get_address (JmDcgmClient *self)
{
  return self->address;
}

/* Whatever failed, a new connection is the way back. */
static gboolean
lose (JmDcgmClient *self, const char *what, JmDcgmStatus status, GError **error)
{
  g_atomic_int_set (&self->is_lost, TRUE);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "nv-hostengine at %s: %s: %s (%d)", self->address, what,
               jm_dcgm_client_explain (self, status), status);

  return FALSE;
}

/* --- the connection --- */

/* The engine then forgets the groups and what it watched for us. */
void
jm_dcgm_client_disconnect (JmDcgmClient *self)
{
  guintptr connection = get_connection (self);

  g_clear_pointer (&self->devices, g_array_unref);
  memset (self->field_groups, 0, sizeof self->field_groups);
  memset (self->single_groups, 0, sizeof self->single_groups);
  if (connection == 0)
    return;

  g_atomic_pointer_set (&self->connection, NULL);
  self->api->disconnect (connection);
}

static gboolean
connect_anew (JmDcgmClient *self, GError **error)
{
  JmDcgmConnectParams params = {
    .version = JM_DCGM_VERSION (JmDcgmConnectParams, 2),
    .timeout_ms = (guint32) MAX (self->timeout_s * 1000, 1),
  };
  const char *address = self->address;
  guintptr connection = 0;
  JmDcgmStatus status;

  jm_dcgm_client_disconnect (self);
  if (g_str_has_prefix (address, UNIX_PREFIX))
    address += strlen (UNIX_PREFIX);
  params.is_unix_socket = address[0] == '/';

  status = self->api->connect (address, &params, &connection);
  if (status != JM_DCGM_OK || connection == 0)
    return lose (self, "cannot be connected to", status, error);

  g_atomic_pointer_set (&self->connection, (gpointer) connection);
  g_atomic_int_set (&self->is_lost, FALSE);

  return TRUE;
}

/* --- which devices there are --- */

static void
add_instances (const JmDcgmHierarchy *hierarchy, guint32 gpu, GArray *devices)
{
  guint n = MIN (hierarchy->count, JM_DCGM_MAX_INSTANCES);

  for (guint i = 0; i < n; i++)
    {
      const JmDcgmHierarchyEntry *entry = &hierarchy->entries[i];
      const JmDcgmDevice device = { .entity = entry->entity,
                                    .gpu = gpu,
                                    .instance_id = entry->instance_id,
                                    .n_slices = entry->n_slices };

      if (entry->entity.group == JM_DCGM_GPU_INSTANCE &&
          entry->parent.group == JM_DCGM_GPU && entry->parent.id == gpu)
        g_array_append_val (devices, device);
    }
}

/* An engine that knows of no instances answers with an error. */
static JmDcgmHierarchy *
read_hierarchy (JmDcgmClient *self)
{
  JmDcgmHierarchy *hierarchy = g_new0 (JmDcgmHierarchy, 1);

  hierarchy->version = JM_DCGM_VERSION (JmDcgmHierarchy, 2);
  if (self->api->get_hierarchy (get_connection (self), hierarchy) != JM_DCGM_OK)
    hierarchy->count = 0;

  return hierarchy;
}

static gboolean
is_gpu (const JmDcgmDevice *device)
{
  return device->entity.group == JM_DCGM_GPU;
}

static const guint *
get_sets (const JmDcgmDevice *device)
{
  return is_gpu (device) ? sets_of_gpu : sets_of_instance;
}

static JmDcgmDevice *
get_device (GArray *devices, guint i)
{
  return &g_array_index (devices, JmDcgmDevice, i);
}

static gboolean
has_gpu (GArray *devices, guint32 gpu)
{
  for (guint i = 0; i < devices->len; i++)
    if (get_device (devices, i)->gpu == gpu)
      return TRUE;

  return FALSE;
}

static GArray *
find_devices (JmDcgmClient *self, GError **error)
{
  guint32 gpus[JM_DCGM_MAX_GPUS];
  int n_gpus = G_N_ELEMENTS (gpus);
  JmDcgmStatus status = self->api->get_entities (get_connection (self), JM_DCGM_GPU,
                                                 gpus, &n_gpus, JM_DCGM_ONLY_SUPPORTED);
  g_autofree JmDcgmHierarchy *hierarchy = NULL;
  GArray *devices;

  if (status != JM_DCGM_OK)
    {
      lose (self, "reports no GPUs", status, error);
      return NULL;
    }

  hierarchy = read_hierarchy (self);
  devices = g_array_new (FALSE, TRUE, sizeof (JmDcgmDevice));
  for (int i = 0; i < MIN (n_gpus, JM_DCGM_MAX_GPUS); i++)
    if (!has_gpu (devices, gpus[i]))
      {
        const JmDcgmDevice device = { .entity = { JM_DCGM_GPU, gpus[i] },
                                      .gpu = gpus[i] };

        g_array_append_val (devices, device);
        add_instances (hierarchy, gpus[i], devices);
      }

  return devices;
}

static gboolean
is_same (const JmDcgmDevice *a, const JmDcgmDevice *b)
{
  return a->entity.group == b->entity.group && a->entity.id == b->entity.id &&
         a->gpu == b->gpu && a->instance_id == b->instance_id &&
         a->n_slices == b->n_slices;
}

static gboolean
are_same (GArray *a, GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!is_same (get_device (a, i), get_device (b, i)))
      return FALSE;

  return TRUE;
}

/* --- what the engine shall watch --- */

/* No two clients may have a group of fields of one name. */
static char *
make_name (const char *what)
{
  g_autofree char *unique = g_uuid_string_random ();

  return g_strconcat ("jobmetrics-", what, "-", unique, NULL);
}

static JmDcgmStatus
make_field_group (JmDcgmClient *self,
                  guint16 *ids,
                  guint n_ids,
                  const char *what,
                  guintptr *group)
{
  g_autofree char *name = make_name (what);

  if (*group != 0)
    return JM_DCGM_OK;

  return self->api->make_field_group (get_connection (self), (int) n_ids, ids, name,
                                      group);
}

static JmDcgmStatus
watch (JmDcgmClient *self, guintptr group, guintptr field_group, double period_s)
{
  if (period_s <= 0)
    period_s = self->period_s;

  return self->api->watch (get_connection (self), group, field_group,
                           (long long) (period_s * G_USEC_PER_SEC),
                           KEEP_S + 3 * period_s, 0);
}

/* The engine refuses a whole set where the GPU lacks one of its fields. */
static void
watch_singly (JmDcgmClient *self,
              guintptr group,
              double period_s,
              guint16 *ids,
              guint n_ids)
{
  for (guint i = 0; i < n_ids; i++)
    {
      guintptr *single = &self->single_groups[jm_dcgm_fields_find (ids[i])];

      if (make_field_group (self, &ids[i], 1, "single", single) == JM_DCGM_OK)
        watch (self, group, *single, period_s);
    }
}

static gboolean
watch_set (JmDcgmClient *self, guintptr group, guint set, GError **error)
{
  guint16 ids[JM_DCGM_MAX_FIELDS];
  guint n_ids = jm_dcgm_fields_list (sets[set].kinds, ids);
  guintptr *fields = &self->field_groups[set];
  JmDcgmStatus status = make_field_group (self, ids, n_ids, sets[set].name, fields);

  if (status == JM_DCGM_OK)
    status = watch (self, group, *fields, sets[set].period_s);
  if (status == JM_DCGM_OK)
    return TRUE;
  if (sets[set].is_required)
    return lose (self, "does not watch fields", status, error);

  watch_singly (self, group, sets[set].period_s, ids, n_ids);

  return TRUE;
}

/* A GPU, or the instances of one: the engine watches no set for GPUs that differ. */
static gboolean
watch_group (JmDcgmClient *self,
             GArray *devices,
             guint first,
             guint end,
             GError **error)
{
  const guint *wanted = get_sets (get_device (devices, first));
  g_autofree char *name = make_name ("group");
  guintptr group = 0;
  JmDcgmStatus status =
    self->api->make_group (get_connection (self), JM_DCGM_GROUP_EMPTY, name, &group);

  for (guint i = first; i < end && status == JM_DCGM_OK; i++)
    {
      JmDcgmDevice *device = get_device (devices, i);

      device->group = group;
      status = self->api->add_entity (get_connection (self), group,
                                      device->entity.group, device->entity.id);
    }
  if (status != JM_DCGM_OK)
    return lose (self, "takes no group", status, error);

  for (guint i = 0; wanted[i] != N_SETS; i++)
    if (!watch_set (self, group, wanted[i], error))
      return FALSE;
  for (guint i = first; i < end; i++)
    get_device (devices, i)->events = self->field_groups[EVENTS];

  return TRUE;
}

static guint
find_end (GArray *devices, guint first)
{
  guint end = first + 1;

  if (is_gpu (get_device (devices, first)))
    return end;
  while (end < devices->len && !is_gpu (get_device (devices, end)))
    end++;

  return end;
}

static gboolean
watch_all (JmDcgmClient *self, GArray *devices, GError **error)
{
  JmDcgmStatus status;

  for (guint first = 0; first < devices->len;)
    {
      guint end = find_end (devices, first);

      if (!watch_group (self, devices, first, end, error))
        return FALSE;
      first = end;
    }

  /* so that there are values at once */
  status = self->api->update (get_connection (self), TRUE);

  return status == JM_DCGM_OK || lose (self, "reads no fields", status, error);
}

GArray *
jm_dcgm_client_list (JmDcgmClient *self, GError **error)
{
  g_autoptr (GArray) devices = NULL;

  if ((get_connection (self) == 0 || g_atomic_int_get (&self->is_lost)) &&
      !connect_anew (self, error))
    return NULL;

  devices = find_devices (self, error);
  if (devices == NULL)
    return NULL;
  if (self->devices != NULL && are_same (self->devices, devices))
    return g_array_ref (self->devices);

  if ((self->devices != NULL && !connect_anew (self, error)) ||
      !watch_all (self, devices, error))
    return NULL;
  self->devices = g_array_ref (devices);

  return g_steal_pointer (&devices);
}

/* --- what they do --- */

JmDcgmValue *
jm_dcgm_client_read (JmDcgmClient *self,
                     const JmDcgmDevice *device,
                     guint *n_values,
                     GError **error)
{
  const guint *wanted = get_sets (device);
  guint16 ids[JM_DCGM_MAX_FIELDS];
  JmDcgmEntity entity = device->entity;
  g_autofree JmDcgmValue *values = NULL;
  guint kinds = 0;
  JmDcgmStatus status;

  for (guint i = 0; wanted[i] != N_SETS; i++)
    kinds |= sets[wanted[i]].kinds;
  *n_values = jm_dcgm_fields_list (kinds, ids);
  values = g_new0 (JmDcgmValue, *n_values);
  status = self->api->get_latest (get_connection (self), &entity, 1, ids, *n_values, 0,
                                  values);

  if (status == JM_DCGM_OK)
    return g_steal_pointer (&values);

  lose (self, "reports no values", status, error);
  return NULL;
}

gboolean
jm_dcgm_client_read_events (JmDcgmClient *self,
                            const JmDcgmDevice *device,
                            gint64 since_us,
                            JmDcgmSampleFunc func,
                            gpointer user_data)
{
  long long next_us = 0;

  return device->events != 0 &&
         self->api->get_since (get_connection (self), device->group, device->events,
                               since_us, &next_us, func, user_data) == JM_DCGM_OK;
}
