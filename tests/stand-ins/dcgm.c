/* dcgm.c: stands in for NVIDIA's DCGM and its host engine; README.md has its script
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "script.h"

/* When what was there already happened. */
#define BEFORE_US (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

/* What follows is as dcgm_structs.h, dcgm_fields.h and dcgm_agent.h have it:
 * https://github.com/NVIDIA/DCGM */
enum
{
  DCGM_ST_OK = 0,
  DCGM_ST_BADPARAM = -1,
  DCGM_ST_NOT_SUPPORTED = -6,
  DCGM_ST_UNINITIALIZED = -10,
  DCGM_ST_VER_MISMATCH = -12,
  DCGM_ST_UNKNOWN_FIELD = -13,
  DCGM_ST_NO_DATA = -14,
  DCGM_ST_NOT_WATCHED = -16,
  DCGM_ST_GPU_IS_LOST = -18,
  DCGM_ST_CONNECTION_NOT_VALID = -21,
  DCGM_ST_MAX_LIMIT = -24,
  DCGM_ST_DUPLICATE_KEY = -26,
  DCGM_ST_INSUFFICIENT_SIZE = -31,
  DCGM_ST_PROFILING_NOT_SUPPORTED = -36,
};

typedef int dcgmReturn_t;
typedef uintptr_t dcgmHandle_t;
typedef uintptr_t dcgmGpuGrp_t;
typedef uintptr_t dcgmFieldGrp_t;

typedef enum
{
  DCGM_FE_NONE = 0,
  DCGM_FE_GPU,
  DCGM_FE_VGPU,
  DCGM_FE_SWITCH,
  DCGM_FE_GPU_I,
  DCGM_FE_GPU_CI,
} dcgm_field_entity_group_t;

typedef unsigned int dcgm_field_eid_t;

typedef struct
{
  unsigned int version;
  unsigned int persistAfterDisconnect;
  unsigned int timeoutMs;
  unsigned int addressIsUnixSocket;
} dcgmConnectV2Params_v2;

typedef struct
{
  dcgm_field_entity_group_t entityGroupId;
  dcgm_field_eid_t entityId;
} dcgmGroupEntityPair_t;

typedef struct
{
  char gpuUuid[128];
  unsigned int nvmlGpuIndex;
  unsigned int nvmlInstanceId;
  unsigned int nvmlComputeInstanceId;
  unsigned int nvmlMigProfileId;
  unsigned int nvmlProfileSlices;
} dcgmMigEntityInfo_t;

typedef struct
{
  dcgmGroupEntityPair_t entity;
  dcgmGroupEntityPair_t parent;
  dcgmMigEntityInfo_t info;
} dcgmMigHierarchyInfo_v2;

#define DCGM_MAX_HIERARCHY_INFO (32 * 14)

typedef struct
{
  unsigned int version;
  unsigned int count;
  dcgmMigHierarchyInfo_v2 entityList[DCGM_MAX_HIERARCHY_INFO];
} dcgmMigHierarchy_v2;

typedef union
{
  int64_t i64;
  double dbl;
  char str[256];
  char blob[4096];
} Value;

typedef struct
{
  unsigned int version;
  unsigned short fieldId;
  unsigned short fieldType;
  int status;
  int64_t ts;
  Value value;
} dcgmFieldValue_v1;

typedef struct
{
  unsigned int version;
  dcgm_field_entity_group_t entityGroupId;
  dcgm_field_eid_t entityId;
  unsigned short fieldId;
  unsigned short fieldType;
  int status;
  unsigned int unused;
  int64_t ts;
  Value value;
} dcgmFieldValue_v2;

typedef int (*dcgmFieldValueEntityEnumeration_f) (
  dcgm_field_entity_group_t entityGroupId,
  dcgm_field_eid_t entityId,
  dcgmFieldValue_v1 *values,
  int numValues,
  void *userData);

#define MAKE_DCGM_VERSION(typeName, ver)                                               \
 (unsigned int) (sizeof (typeName) | ((unsigned long) (ver) << 24U))

#define DCGM_INT64_BLANK 0x7ffffffffffffff0
#define DCGM_FP64_BLANK 140737488355328.0
#define DCGM_GROUP_EMPTY 1
#define DCGM_MAX_NUM_GROUPS 64
#define DCGM_FI_DEV_XID_ERRORS 230

/* An engine's memory of one connection: gone with it. */
typedef struct
{
  guint64 start;       /* which engine it was */
  GPtrArray *groups;   /* of GArray of dcgmGroupEntityPair_t */
  GPtrArray *fields;   /* of GArray of guint16 */
  GHashTable *names;   /* of groups of fields */
  GHashTable *watched; /* `GROUP FIELD` */
} Connection;

static struct
{
  Script script;
  gboolean is_initialized;
  GPtrArray *connections; /* of Connection; the handle is the place, from 1 */
  GHashTable *xids;       /* of GArray of gint64: when each was seen, by group */
} here = { .script = SCRIPT_INIT ("DCGM_STAND_IN") };

/* --- the engine --- */

static void
connection_free (gpointer data)
{
  Connection *self = data;

  if (self == NULL)
    return;
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->fields);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->watched);
  g_free (self);
}

static Connection *
connection_new (guint64 start)
{
  Connection *self = g_new0 (Connection, 1);

  self->start = start;
  self->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->watched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

static gboolean
is_away (void)
{
  g_autofree char *engine = script_get_text (&here.script, SCRIPT_LIBRARY, "engine");

  return g_strcmp0 (engine, "away") == 0;
}

static guint64
get_start (void)
{
  return script_get_number_or (&here.script, SCRIPT_LIBRARY, "start", 0);
}

/* NULL where it does not hold, or no longer. */
static Connection *
get_connection (dcgmHandle_t handle)
{
  Connection *connection;

  if (here.connections == NULL || handle < 1 || handle > here.connections->len)
    return NULL;
  connection = here.connections->pdata[handle - 1];

  return connection != NULL && connection->start == get_start () && !is_away ()
           ? connection
           : NULL;
}

/* Takes the lock, which END gives back. */
static dcgmReturn_t
begin (const char *function, dcgmHandle_t handle, Connection **connection)
{
  dcgmReturn_t result = script_begin (&here.script, function);

  *connection = get_connection (handle);
  if (result == DCGM_ST_OK && !here.is_initialized)
    result = DCGM_ST_UNINITIALIZED;
  if (result == DCGM_ST_OK && *connection == NULL)
    result = DCGM_ST_CONNECTION_NOT_VALID;

  return result;
}

#define END(result) return script_end (&here.script, result)

#define BEGIN                                                                          \
 Connection *connection;                                                               \
 dcgmReturn_t refusal = begin (__func__, handle, &connection);                         \
                                                                                       \
 if (refusal != DCGM_ST_OK)                                                            \
 END (refusal)

dcgmReturn_t
dcgmInit (void)
{
  dcgmReturn_t result = script_begin (&here.script, __func__);

  here.is_initialized = result == DCGM_ST_OK;
  g_clear_pointer (&here.xids, g_hash_table_unref);
  END (result);
}

/* Ends it for everyone in the process, as the real one does. */
dcgmReturn_t
dcgmShutdown (void)
{
  script_begin (&here.script, __func__);
  here.is_initialized = FALSE;
  END (DCGM_ST_OK);
}

const char *
errorString (dcgmReturn_t result)
{
  switch (result)
    {
    case DCGM_ST_GPU_IS_LOST:
      return "GPU is lost";
    case DCGM_ST_NO_DATA:
      return "No data is available";
    case DCGM_ST_CONNECTION_NOT_VALID:
      return "The connection to the host engine is not valid any longer";
    default:
      return NULL;
    }
}

static dcgmReturn_t
connect_to (const char *address, unsigned int is_unix, dcgmHandle_t *handle)
{
  g_autofree char *usual = script_get_text (&here.script, SCRIPT_LIBRARY, "address");

  if (is_unix != (address[0] == '/'))
    return DCGM_ST_BADPARAM;
  if (is_away () || g_strcmp0 (usual != NULL ? usual : "localhost", address) != 0)
    return DCGM_ST_CONNECTION_NOT_VALID;

  if (here.connections == NULL)
    here.connections = g_ptr_array_new_with_free_func (connection_free);
  g_ptr_array_add (here.connections, connection_new (get_start ()));
  *handle = here.connections->len;

  return DCGM_ST_OK;
}

dcgmReturn_t
dcgmConnect_v2 (const char *address,
                dcgmConnectV2Params_v2 *params,
                dcgmHandle_t *handle)
{
  dcgmReturn_t result = script_begin (&here.script, __func__);

  if (result == DCGM_ST_OK && !here.is_initialized)
    result = DCGM_ST_UNINITIALIZED;
  if (result == DCGM_ST_OK &&
      params->version != MAKE_DCGM_VERSION (dcgmConnectV2Params_v2, 2))
    result = DCGM_ST_VER_MISMATCH;
  if (result == DCGM_ST_OK)
    result = connect_to (address, params->addressIsUnixSocket, handle);
  END (result);
}

dcgmReturn_t
dcgmDisconnect (dcgmHandle_t handle)
{
  script_begin (&here.script, __func__);
  if (here.connections != NULL && handle >= 1 && handle <= here.connections->len)
    g_clear_pointer (&here.connections->pdata[handle - 1], connection_free);
  END (DCGM_ST_OK);
}

/* --- entities --- */

/* The engine numbers GPUs as it likes. */
static unsigned int
get_gpu_id (const char *group)
{
  return (unsigned int) script_get_number_or (&here.script, group, "engine-id",
                                              g_ascii_strtoull (group, NULL, 10));
}

static unsigned int
get_instance_entity (const char *parent, const char *group)
{
  const char *dot = strchr (group, '.');

  return (unsigned int) (get_gpu_id (parent) * 7 +
                         g_ascii_strtoull (dot + 1, NULL, 10));
}

dcgmReturn_t
dcgmGetEntityGroupEntities (dcgmHandle_t handle,
                            dcgm_field_entity_group_t entity_group,
                            dcgm_field_eid_t *entities,
                            int *n,
                            unsigned int flags)
{
  g_autoptr (GPtrArray) groups = NULL;
  int room = *n;

  BEGIN;
  if (entity_group != DCGM_FE_GPU)
    END (DCGM_ST_NOT_SUPPORTED);
  groups = script_list_groups (&here.script, NULL);
  *n = (int) groups->len;
  if (*n > room)
    END (DCGM_ST_INSUFFICIENT_SIZE);
  for (guint i = 0; i < groups->len; i++)
    entities[i] = get_gpu_id (groups->pdata[i]);
  END (DCGM_ST_OK);
}

static void
add_instance (dcgmMigHierarchy_v2 *hierarchy, const char *parent, const char *group)
{
  dcgmMigHierarchyInfo_v2 *info = &hierarchy->entityList[hierarchy->count++];

  info->entity.entityGroupId = DCGM_FE_GPU_I;
  info->entity.entityId = get_instance_entity (parent, group);
  info->parent.entityGroupId = DCGM_FE_GPU;
  info->parent.entityId = get_gpu_id (parent);
  info->info.nvmlGpuIndex = (unsigned int) g_ascii_strtoull (parent, NULL, 10);
  info->info.nvmlInstanceId =
    (unsigned int) g_ascii_strtoull (strchr (group, '.') + 1, NULL, 10);
  info->info.nvmlComputeInstanceId = G_MAXUINT;
  info->info.nvmlProfileSlices =
    (unsigned int) script_get_number_or (&here.script, group, "slices", 1);
}

/* Each has one compute instance, which is an entity of its own. */
static void
add_compute_instance (dcgmMigHierarchy_v2 *hierarchy)
{
  dcgmMigHierarchyInfo_v2 *info = &hierarchy->entityList[hierarchy->count];

  *info = hierarchy->entityList[hierarchy->count - 1];
  info->parent = info->entity;
  info->entity.entityGroupId = DCGM_FE_GPU_CI;
  info->info.nvmlComputeInstanceId = 0;
  hierarchy->count++;
}

dcgmReturn_t
dcgmGetGpuInstanceHierarchy (dcgmHandle_t handle, dcgmMigHierarchy_v2 *hierarchy)
{
  g_autoptr (GPtrArray) gpus = NULL;

  BEGIN;
  if (hierarchy->version != MAKE_DCGM_VERSION (dcgmMigHierarchy_v2, 2))
    END (DCGM_ST_VER_MISMATCH);

  gpus = script_list_groups (&here.script, NULL);
  hierarchy->count = 0;
  for (guint i = 0; i < gpus->len; i++)
    {
      g_autoptr (GPtrArray) instances =
        script_list_groups (&here.script, gpus->pdata[i]);

      for (guint j = 0; j < instances->len; j++)
        {
          add_instance (hierarchy, gpus->pdata[i], instances->pdata[j]);
          add_compute_instance (hierarchy);
        }
    }
  END (DCGM_ST_OK);
}

/* The script's group of an entity, or NULL. */
static char *
find_instance (const char *gpu, dcgm_field_eid_t id)
{
  g_autoptr (GPtrArray) groups = script_list_groups (&here.script, gpu);

  for (guint i = 0; i < groups->len; i++)
    if (get_instance_entity (gpu, groups->pdata[i]) == id)
      return g_strdup (groups->pdata[i]);

  return NULL;
}

static char *
find_entity (dcgm_field_entity_group_t entity_group, dcgm_field_eid_t id)
{
  g_autoptr (GPtrArray) gpus = script_list_groups (&here.script, NULL);

  for (guint i = 0; i < gpus->len; i++)
    {
      char *found = NULL;

      if (entity_group == DCGM_FE_GPU_I)
        found = find_instance (gpus->pdata[i], id);
      else if (get_gpu_id (gpus->pdata[i]) == id)
        found = g_strdup (gpus->pdata[i]);
      if (found != NULL)
        return found;
    }

  return NULL;
}

/* --- groups and watches --- */

static GArray *
get_array (GPtrArray *arrays, uintptr_t id)
{
  return id >= 1 && id <= arrays->len ? arrays->pdata[id - 1] : NULL;
}

dcgmReturn_t
dcgmGroupCreate (dcgmHandle_t handle, int type, const char *name, dcgmGpuGrp_t *group)
{
  BEGIN;
  if (type != DCGM_GROUP_EMPTY || name == NULL)
    END (DCGM_ST_BADPARAM);
  if (connection->groups->len >= DCGM_MAX_NUM_GROUPS)
    END (DCGM_ST_MAX_LIMIT);
  g_ptr_array_add (connection->groups,
                   g_array_new (FALSE, FALSE, sizeof (dcgmGroupEntityPair_t)));
  *group = connection->groups->len;
  END (DCGM_ST_OK);
}

dcgmReturn_t
dcgmGroupAddEntity (dcgmHandle_t handle,
                    dcgmGpuGrp_t group,
                    dcgm_field_entity_group_t entity_group,
                    dcgm_field_eid_t entity)
{
  const dcgmGroupEntityPair_t pair = { entity_group, entity };
  g_autofree char *found = NULL;
  GArray *entities;

  BEGIN;
  entities = get_array (connection->groups, group);
  found = find_entity (entity_group, entity);
  if (entities == NULL || found == NULL)
    END (DCGM_ST_BADPARAM);
  g_array_append_val (entities, pair);
  END (DCGM_ST_OK);
}

dcgmReturn_t
dcgmFieldGroupCreate (dcgmHandle_t handle,
                      int n,
                      unsigned short *ids,
                      const char *name,
                      dcgmFieldGrp_t *group)
{
  GArray *fields;

  BEGIN;
  if (n < 1 || n > 128)
    END (DCGM_ST_BADPARAM);
  if (!g_hash_table_add (connection->names, g_strdup (name)))
    END (DCGM_ST_DUPLICATE_KEY);
  if (connection->fields->len >= DCGM_MAX_NUM_GROUPS)
    END (DCGM_ST_MAX_LIMIT);

  fields = g_array_new (FALSE, FALSE, sizeof *ids);
  g_array_append_vals (fields, ids, (guint) n);
  g_ptr_array_add (connection->fields, fields);
  *group = connection->fields->len;
  END (DCGM_ST_OK);
}

static char *
find_of_pair (const dcgmGroupEntityPair_t *pair)
{
  return find_entity (pair->entityGroupId, pair->entityId);
}

static gboolean
is_refused (const char *group, unsigned short field)
{
  g_auto (GStrv) refused = script_get_list (&here.script, group, "refuse");
  g_autofree char *text = g_strdup_printf ("%u", field);

  return refused != NULL && g_strv_contains ((const char *const *) refused, text);
}

static gboolean
is_any_refused (GArray *entities, GArray *fields)
{
  for (guint i = 0; i < entities->len; i++)
    {
      g_autofree char *group =
        find_of_pair (&g_array_index (entities, dcgmGroupEntityPair_t, i));

      for (guint j = 0; group != NULL && j < fields->len; j++)
        if (is_refused (group, g_array_index (fields, unsigned short, j)))
          return TRUE;
    }

  return FALSE;
}

static void
watch (Connection *connection, const char *group, GArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    g_hash_table_add (connection->watched,
                      g_strdup_printf ("%s %u", group,
                                       g_array_index (fields, unsigned short, i)));
}

/* When each error was seen first; those of before the first watch are old. */
static GArray *
see_xids (const char *group)
{
  g_auto (GStrv) xids = script_get_list (&here.script, group, "xid");
  gint64 now_us = g_get_real_time ();
  GArray *times;

  if (here.xids == NULL)
    here.xids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_array_unref);
  times = g_hash_table_lookup (here.xids, group);
  if (times == NULL)
    {
      times = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (here.xids, g_strdup (group), times);
      now_us -= BEFORE_US;
    }
  while (xids != NULL && times->len < g_strv_length (xids))
    g_array_append_val (times, now_us);

  return times;
}

dcgmReturn_t
dcgmWatchFields (dcgmHandle_t handle,
                 dcgmGpuGrp_t group,
                 dcgmFieldGrp_t field_group,
                 long long period_us,
                 double keep_s,
                 int n_keep)
{
  GArray *entities;
  GArray *fields;

  BEGIN;
  entities = get_array (connection->groups, group);
  fields = get_array (connection->fields, field_group);
  if (entities == NULL || fields == NULL || period_us <= 0 ||
      keep_s * G_USEC_PER_SEC < (double) period_us)
    END (DCGM_ST_BADPARAM);
  if (is_any_refused (entities, fields))
    END (DCGM_ST_PROFILING_NOT_SUPPORTED);

  for (guint i = 0; i < entities->len; i++)
    {
      g_autofree char *name =
        find_of_pair (&g_array_index (entities, dcgmGroupEntityPair_t, i));

      if (name != NULL)
        watch (connection, name, fields);
      if (name != NULL)
        see_xids (name);
    }
  END (DCGM_ST_OK);
}

dcgmReturn_t
dcgmUpdateAllFields (dcgmHandle_t handle, int waits)
{
  BEGIN;
  END (DCGM_ST_OK);
}

/* --- values --- */

/* A word for a blank, what it means, and the type of the field. */
static const struct
{
  const char *word;
  char type;
  int more;
} blanks[] = {
  { "blank", 'i', 0 },
  { "not-found", 'i', 1 },
  { "not-supported", 'i', 2 },
  { "not-permissioned", 'i', 3 },
  { "blank-double", 'd', 0 },
  { "not-found-double", 'd', 1 },
  { "not-supported-double", 'd', 2 },
  { "not-permissioned-double", 'd', 3 },
};

static gboolean
put_blank (const char *text, dcgmFieldValue_v1 *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (blanks); i++)
    if (g_str_equal (blanks[i].word, text))
      {
        value->fieldType = (unsigned short) blanks[i].type;
        if (blanks[i].type == 'd')
          value->value.dbl = DCGM_FP64_BLANK + blanks[i].more;
        else
          value->value.i64 = DCGM_INT64_BLANK + blanks[i].more;
        return TRUE;
      }

  return FALSE;
}

/* `status -14`: why there is none; digits: a number, with a dot a double; else text. */
static void
put (const char *text, dcgmFieldValue_v1 *value)
{
  char *end;

  if (g_str_has_prefix (text, "status "))
    {
      value->status = (int) g_ascii_strtoll (text + strlen ("status "), NULL, 10);
      value->fieldType = 'i';
      return;
    }
  if (put_blank (text, value))
    return;

  value->fieldType = 'i';
  value->value.i64 = g_ascii_strtoll (text, &end, 0);
  if (*end == '\0' && end != text)
    return;
  value->fieldType = 'd';
  value->value.dbl = g_ascii_strtod (text, &end);
  if (*end == '\0' && end != text)
    return;
  value->fieldType = 's';
  g_strlcpy (value->value.str, text, sizeof value->value.str);
}

/* What has a name of its own in every script of NVIDIA's libraries, and the same unit
 * in both. */
static char *
get_named (const char *group, unsigned short field)
{
  static const struct
  {
    unsigned short field;
    const char *key;
  } keys[] = {
    { 50, "name" },
    { 54, "uuid" },
    { 55, "minor" },
    { 57, "pci" },
    { 69, "max-slices" },
    { 100, "clock-sm" },
    { 101, "clock-memory" },
    { 102, "clock-video" },
    { 112, "throttle" },
    { 140, "memory-temperature" },
    { 150, "temperature" },
    { 156, "energy" },
    { 202, "pcie-replays" },
    { 203, "utilization" },
    { 204, "memory-utilization" },
    { 206, "encoder" },
    { 207, "decoder" },
  };

  if (field == 1)
    return script_get_text (&here.script, SCRIPT_LIBRARY, "driver");
  if (field == 52)
    return g_strndup (group, strcspn (group, "."));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].field == field)
      return script_get_text (&here.script, group, keys[i].key);

  return NULL;
}

static char *
get_field (const char *group, unsigned short field)
{
  g_autofree char *key = g_strdup_printf ("field.%u", field);
  char *text = script_get_text (&here.script, group, key);

  return text != NULL ? text : get_named (group, field);
}

static gboolean
is_watched (Connection *connection, const char *group, unsigned short field)
{
  g_autofree char *key = g_strdup_printf ("%s %u", group, field);

  return g_hash_table_contains (connection->watched, key);
}

/* Not text: an index is a number, and a name that looks like one is none. */
static void
make_text (unsigned short field, const char *text, dcgmFieldValue_v1 *value)
{
  static const unsigned short texts[] = { 1, 50, 54, 57 };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] == field)
      {
        value->fieldType = 's';
        memset (&value->value, 0, sizeof value->value);
        g_strlcpy (value->value.str, text, sizeof value->value.str);
      }
}

static void
tell_xid (const char *group, dcgmFieldValue_v1 *value)
{
  g_auto (GStrv) xids = script_get_list (&here.script, group, "xid");
  GArray *times = see_xids (group);

  if (xids == NULL || times->len == 0)
    {
      value->status = DCGM_ST_NO_DATA;
      return;
    }
  put (xids[times->len - 1], value);
  value->ts = g_array_index (times, gint64, times->len - 1);
}

static void
tell (Connection *connection,
      const char *group,
      unsigned short field,
      dcgmFieldValue_v1 *value)
{
  g_autofree char *text = get_field (group, field);
  guint64 time_us = (guint64) g_get_real_time ();

  memset (value, 0, sizeof *value);
  value->version = MAKE_DCGM_VERSION (dcgmFieldValue_v1, 1);
  value->fieldId = field;
  value->fieldType = 'i';
  if (!is_watched (connection, group, field))
    value->status = DCGM_ST_NOT_WATCHED;
  else if (field == DCGM_FI_DEV_XID_ERRORS)
    tell_xid (group, value);
  else if (text == NULL)
    value->status = DCGM_ST_NO_DATA;
  else
    {
      put (text, value);
      make_text (field, text, value);
      script_get_number (&here.script, group, "time", &time_us);
      value->ts = (int64_t) time_us;
    }
}

dcgmReturn_t
dcgmEntitiesGetLatestValues (dcgmHandle_t handle,
                             dcgmGroupEntityPair_t *entities,
                             unsigned int n_entities,
                             unsigned short *fields,
                             unsigned int n_fields,
                             unsigned int flags,
                             dcgmFieldValue_v2 *values)
{
  g_autofree char *group = NULL;
  dcgmReturn_t result;

  BEGIN;
  if (n_entities != 1 || flags != 0)
    END (DCGM_ST_BADPARAM);
  group = find_of_pair (&entities[0]);
  if (group == NULL)
    END (DCGM_ST_BADPARAM);
  result = script_check (&here.script, __func__, group);

  /* in no order that a caller could rely on */
  for (guint i = 0; result == DCGM_ST_OK && i < n_fields; i++)
    {
      dcgmFieldValue_v2 *value = &values[n_fields - 1 - i];
      dcgmFieldValue_v1 told;

      tell (connection, group, fields[i], &told);
      *value = (dcgmFieldValue_v2){ MAKE_DCGM_VERSION (dcgmFieldValue_v2, 2),
                                    entities[0].entityGroupId,
                                    entities[0].entityId,
                                    told.fieldId,
                                    told.fieldType,
                                    told.status,
                                    0,
                                    told.ts,
                                    told.value };
    }
  END (result);
}

static void
tell_events (const dcgmGroupEntityPair_t *pair,
             long long since_us,
             dcgmFieldValueEntityEnumeration_f func,
             void *user_data)
{
  g_autofree char *group = find_of_pair (pair);
  g_auto (GStrv) xids = NULL;
  GArray *times;

  if (group == NULL)
    return;
  xids = script_get_list (&here.script, group, "xid");
  times = see_xids (group);
  for (guint i = 0; i < times->len && xids != NULL && xids[i] != NULL; i++)
    {
      dcgmFieldValue_v1 value = { MAKE_DCGM_VERSION (dcgmFieldValue_v1, 1),
                                  DCGM_FI_DEV_XID_ERRORS };

      put (xids[i], &value);
      value.ts = g_array_index (times, gint64, i);
      if (value.ts >= since_us)
        func (pair->entityGroupId, pair->entityId, &value, 1, user_data);
    }
}

dcgmReturn_t
dcgmGetValuesSince_v2 (dcgmHandle_t handle,
                       dcgmGpuGrp_t group,
                       dcgmFieldGrp_t field_group,
                       long long since_us,
                       long long *next_us,
                       dcgmFieldValueEntityEnumeration_f func,
                       void *user_data)
{
  GArray *entities;
  GArray *fields;

  BEGIN;
  entities = get_array (connection->groups, group);
  fields = get_array (connection->fields, field_group);
  if (entities == NULL || fields == NULL || fields->len != 1 ||
      g_array_index (fields, unsigned short, 0) != DCGM_FI_DEV_XID_ERRORS)
    END (DCGM_ST_BADPARAM);

  for (guint i = 0; i < entities->len; i++)
    tell_events (&g_array_index (entities, dcgmGroupEntityPair_t, i), since_us, func,
                 user_data);
  *next_us = g_get_real_time ();
  END (DCGM_ST_OK);
}
