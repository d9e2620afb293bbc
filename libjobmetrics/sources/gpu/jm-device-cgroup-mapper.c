/* jm-device-cgroup-mapper.c: accelerators that the kernel lets a job at
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-types-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-private.h"

#define HIERARCHY "/sys/fs/cgroup/devices"
#define LIST_MAX (16 * 1024)

struct _JmDeviceCgroupMapper
{
  JmSource parent_instance;
};

static void gpu_mapper_iface_init (JmGpuMapperInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmDeviceCgroupMapper,
                               jm_device_cgroup_mapper,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_GPU_MAPPER,
                                                      gpu_mapper_iface_init))

/* --- the list --- */

/* A line, such as `c 195:0 rw`: what kind of device, which, and what may be done. */
typedef struct
{
  JmSlice kind;
  JmSlice number;
  JmSlice access;
} Line;

static gboolean
take_line (const char **cursor, const char *end, Line *line)
{
  JmSlice text;
  const char *p;

  do
    {
      if (!jm_parse_next_line (cursor, end, &text))
        return FALSE;
      p = text.text;
    }
  while (!jm_parse_next_word (&p, text.text + text.length, &line->kind) ||
         !jm_parse_next_word (&p, text.text + text.length, &line->number) ||
         !jm_parse_next_word (&p, text.text + text.length, &line->access));

  return TRUE;
}

/* Whether a line allows all devices, or all of the major number that @number has. */
static gboolean
allows_all_like (const Line *line, JmSlice number)
{
  gsize major = line->number.length - 1; /* with its colon */

  if (jm_slice_equal (line->kind, "a"))
    return TRUE;
  if (!jm_slice_equal (line->kind, "c") || line->number.length < 2 ||
      line->number.text[major] != '*')
    return FALSE;

  return line->number.text[0] == '*' ||
         (number.length > major && memcmp (line->number.text, number.text, major) == 0);
}

/* Where all devices are allowed, that one of them is says nothing. */
static gboolean
is_one_of_all (const char *text, gsize length, JmSlice number)
{
  const char *cursor = text;
  Line line;

  while (take_line (&cursor, text + length, &line))
    if (allows_all_like (&line, number))
      return TRUE;

  return FALSE;
}

static gboolean
may_use (const Line *line)
{
  return jm_slice_equal (line->kind, "c") &&
         (memchr (line->access.text, 'r', line->access.length) != NULL ||
          memchr (line->access.text, 'w', line->access.length) != NULL);
}

gboolean
jm_device_list_take (const char *text, gsize length, JmGpuGrants *grants)
{
  const char *cursor = text;
  gboolean proves = FALSE;
  guint major, minor;
  Line line;

  while (take_line (&cursor, text + length, &line))
    {
      char number[32];

      if (!may_use (&line) ||
          !jm_parse_device (line.number.text, line.number.length, &major, &minor) ||
          is_one_of_all (text, length, line.number))
        continue;

      g_snprintf (number, sizeof number, "%u:%u", major, minor);
      jm_gpu_grants_add (grants, JM_GPU_ORIGIN_CGROUP, number, 1);
      proves = TRUE;
    }

  return proves;
}

/* --- the mapper --- */

/* One that is gone, or that another hierarchy alone has, says nothing. */
static gboolean
take_cgroup (JmHost *host,
             const char *cgroup,
             JmGpuGrants *grants,
             gboolean *proves,
             GError **error)
{
  g_autofree char *path = g_strconcat (HIERARCHY, cgroup, "/devices.list", NULL);
  g_autoptr (GError) failure = NULL;
  g_autofree char *text = NULL;
  gsize length;

  text = jm_host_read_all (host, path, LIST_MAX, &length, &failure);
  *proves = text != NULL && jm_device_list_take (text, length, grants);
  if (text != NULL || g_error_matches (failure, JM_ERROR, JM_ERROR_ABSENT))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&failure));

  return FALSE;
}

/* The job's own cgroup, which comes first, has what all of its steps have together. */
static gboolean
jm_device_cgroup_mapper_map_job (JmGpuMapper *mapper,
                                 JmJob *job,
                                 const char *const *cgroups,
                                 JmGpuGrants *grants,
                                 GError **error)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (mapper));
  gboolean proves = FALSE;

  for (guint i = 0; cgroups[i] != NULL && !(i == 1 && proves); i++)
    {
      gboolean does;

      if (!take_cgroup (host, cgroups[i], grants, &does, error))
        return FALSE;
      proves |= does;
    }

  return TRUE;
}

static void
gpu_mapper_iface_init (JmGpuMapperInterface *iface)
{
  iface->map_job = jm_device_cgroup_mapper_map_job;
}

static gboolean
jm_device_cgroup_mapper_open (JmSource *source, GError **error)
{
  if (jm_host_exists (jm_source_get_host (source), HIERARCHY))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               "%s: no such hierarchy: only cgroup v1 shows which devices a job may "
               "use",
               HIERARCHY);

  return FALSE;
}

static void
jm_device_cgroup_mapper_class_init (JmDeviceCgroupMapperClass *klass)
{
  JM_SOURCE_CLASS (klass)->open = jm_device_cgroup_mapper_open;
}

static void
jm_device_cgroup_mapper_init (JmDeviceCgroupMapper *self)
{
}

JmDeviceCgroupMapper *
jm_device_cgroup_mapper_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_DEVICE_CGROUP_MAPPER, NULL, error, "host", host, NULL);
}
