/* jm-dcgm-api-private.h: what is used of NVIDIA's DCGM, as its headers declare it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * From dcgm_structs.h, dcgm_fields.h and dcgm_agent.h of DCGM 3 and DCGM 4
 * (https://github.com/NVIDIA/DCGM), which have all of this in common: libdcgm.so.3 and
 * libdcgm.so.4 take the same calls here.
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef int JmDcgmStatus; /* dcgmReturn_t */

#define JM_DCGM_OK 0

/* A structure's size, and in the highest byte its version. */
#define JM_DCGM_VERSION(type, version)                                                 \
 ((guint32) (sizeof (type) | ((guint32) (version) << 24)))

/* dcgm_field_entity_group_t */
#define JM_DCGM_GPU 1
#define JM_DCGM_GPU_INSTANCE 4

#define JM_DCGM_ONLY_SUPPORTED 1 /* DCGM_GEGE_FLAG_ONLY_SUPPORTED */
#define JM_DCGM_GROUP_EMPTY 1

#define JM_DCGM_MAX_GPUS 32
#define JM_DCGM_MAX_INSTANCES (JM_DCGM_MAX_GPUS * 14)
#define JM_DCGM_MAX_STRING 256
#define JM_DCGM_MAX_BLOB 4096

/* These and whatever is more mean that there is no value, and why. Some fields have the
 * last 16 numbers of 32 bits, with sign or without, where 64 bits were meant. */
#define JM_DCGM_BLANK_INT64 G_GINT64_CONSTANT (0x7ffffffffffffff0)
#define JM_DCGM_BLANK_INT32 G_GINT64_CONSTANT (0x7ffffff0)
#define JM_DCGM_BLANK_DOUBLE 140737488355328.0
#define JM_DCGM_BLANK_STRING "<<<"

/* DCGM_FT_ */
#define JM_DCGM_TYPE_DOUBLE 'd'
#define JM_DCGM_TYPE_INT64 'i'
#define JM_DCGM_TYPE_STRING 's'

/* DCGM_FI_: what a device is */
#define JM_DCGM_FIELD_DRIVER_VERSION 1
#define JM_DCGM_FIELD_NAME 50
#define JM_DCGM_FIELD_NVML_INDEX 52
#define JM_DCGM_FIELD_UUID 54
#define JM_DCGM_FIELD_MINOR_NUMBER 55
#define JM_DCGM_FIELD_PCI_ADDRESS 57
#define JM_DCGM_FIELD_MAX_SLICES 69
/* what it does; the others are in jm-dcgm-fields.c */
#define JM_DCGM_FIELD_CLOCK_REASONS 112
#define JM_DCGM_FIELD_ENERGY 156
#define JM_DCGM_FIELD_XID 230

/* dcgmConnectV2Params_v2 */
typedef struct
{
  guint32 version;
  guint32 persists; /* whether groups and watches outlive the connection */
  guint32 timeout_ms;
  guint32 is_unix_socket;
} JmDcgmConnectParams;

/* dcgmGroupEntityPair_t */
typedef struct
{
  guint32 group;
  guint32 id;
} JmDcgmEntity;

/* dcgmMigHierarchyInfo_v2 */
typedef struct
{
  JmDcgmEntity entity;
  JmDcgmEntity parent;
  char gpu_uuid[128];
  guint32 nvml_index;
  guint32 instance_id;
  guint32 compute_instance_id;
  guint32 profile_id;
  guint32 n_slices;
} JmDcgmHierarchyEntry;

/* dcgmMigHierarchy_v2 */
typedef struct
{
  guint32 version;
  guint32 count;
  JmDcgmHierarchyEntry entries[JM_DCGM_MAX_INSTANCES];
} JmDcgmHierarchy;

typedef union
{
  gint64 integer;
  double real;
  char text[JM_DCGM_MAX_STRING];
  char blob[JM_DCGM_MAX_BLOB];
} JmDcgmContent;

/* dcgmFieldValue_v1 */
typedef struct
{
  guint32 version;
  guint16 field;
  guint16 type;
  gint32 status;
  gint64 time_us; /* since 1970 */
  JmDcgmContent content;
} JmDcgmSample;

/* dcgmFieldValue_v2 */
typedef struct
{
  guint32 version;
  JmDcgmEntity entity;
  guint16 field;
  guint16 type;
  gint32 status;
  guint32 unused;
  gint64 time_us; /* since 1970 */
  JmDcgmContent content;
} JmDcgmValue;

/* The sizes that the headers' own assertions and version words give. */
G_STATIC_ASSERT (sizeof (JmDcgmConnectParams) == 0x10);
G_STATIC_ASSERT (sizeof (JmDcgmHierarchyEntry) == 164);
G_STATIC_ASSERT (sizeof (JmDcgmHierarchy) == 8 + 448 * 164);
G_STATIC_ASSERT (sizeof (JmDcgmSample) == 0x1018);
G_STATIC_ASSERT (sizeof (JmDcgmValue) == 0x1020);

/* dcgmFieldValueEntityEnumeration_f; less than 0 ends it */
typedef int (*JmDcgmSampleFunc) (guint32 entity_group,
                                 guint32 entity,
                                 JmDcgmSample *samples,
                                 int n_samples,
                                 void *user_data);

/* The functions, each of the name in capitals behind it with dcgm before that. */
typedef struct
{
  JmDcgmStatus (*init) (void);
  JmDcgmStatus (*connect) (const char *address,
                           JmDcgmConnectParams *params,
                           guintptr *connection);
  JmDcgmStatus (*disconnect) (guintptr connection);
  const char *(*explain) (JmDcgmStatus status);
  JmDcgmStatus (*get_entities) (guintptr connection,
                                guint32 entity_group,
                                guint32 *entities,
                                int *n_entities,
                                guint32 flags);
  JmDcgmStatus (*get_hierarchy) (guintptr connection, JmDcgmHierarchy *hierarchy);
  JmDcgmStatus (*make_group) (guintptr connection,
                              int type,
                              const char *name,
                              guintptr *group);
  JmDcgmStatus (*add_entity) (guintptr connection,
                              guintptr group,
                              guint32 entity_group,
                              guint32 entity);
  JmDcgmStatus (*make_field_group) (guintptr connection,
                                    int n_fields,
                                    guint16 *fields,
                                    const char *name,
                                    guintptr *field_group);
  JmDcgmStatus (*watch) (guintptr connection,
                         guintptr group,
                         guintptr field_group,
                         long long period_us,
                         double keep_s,
                         int n_keep);
  JmDcgmStatus (*update) (guintptr connection, int waits);
  JmDcgmStatus (*get_latest) (guintptr connection,
                              JmDcgmEntity *entities,
                              guint32 n_entities,
                              guint16 *fields,
                              guint32 n_fields,
                              guint32 flags,
                              JmDcgmValue *values);
  JmDcgmStatus (*get_since) (guintptr connection,
                             guintptr group,
                             guintptr field_group,
                             long long since_us,
                             long long *next_us,
                             JmDcgmSampleFunc func,
                             void *user_data);
} JmDcgmApi;

G_END_DECLS
