/* jm-cluster-targets.c: what a site has agreed that somebody gets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-targets-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error-private.h"
#include "base/jm-moment-private.h"
#include "core/jm-key-file-private.h"

#define FILE_MAX_BYTES (1 << 20)
#define TARGETS_MAX 10000
#define GROUP_PREFIX "Target "
/* Of 365 days. */
#define YEAR_US (365 * 86400 * 1e6)
/* More would not fit. */
#define YEARS_MAX 100000.0

typedef enum
{
  KEY_CLUSTER,
  KEY_ACCOUNT,
  KEY_RESOURCE,
  KEY_YEARS,
  KEY_FROM,
  KEY_TO,
  N_KEYS
} Key;

static const char *const key_names[N_KEYS] = { "Cluster", "Account", "Resource",
                                               "Years",   "From",    "To" };

static void
target_free (gpointer data)
{
  JmClusterTarget *self = data;

  g_free (self->name);
  g_free (self->cluster);
  g_free (self->account);
  g_free (self);
}

/* --- reading --- */

static gboolean
take_word (char **word, const char *value, GError **error)
{
  *word = g_strdup (value);

  return *value != '\0' || jm_error_refuse (error, "empty", value);
}

static gboolean
take_resource (JmClusterTarget *self, const char *value, GError **error)
{
  self->is_of_gpus = g_str_equal (value, "gpu");

  return self->is_of_gpus || g_str_equal (value, "cpu") ||
         jm_error_refuse (error, "not cpu or gpu", value);
}

static gboolean
take_years (JmClusterTarget *self, const char *value, GError **error)
{
  char *end;
  double years = g_ascii_strtod (value, &end);

  if (end == value || *end != '\0' || !(years > 0 && years <= YEARS_MAX))
    return jm_error_refuse (error, "not a number above 0, up to 100000", value);
  self->total_us = (guint64) round (years * YEAR_US);

  return TRUE;
}

static gboolean
take_value (JmClusterTarget *self, Key key, const char *value, GError **error)
{
  switch (key)
    {
    case KEY_CLUSTER:
      return take_word (&self->cluster, value, error);
    case KEY_ACCOUNT:
      return take_word (&self->account, value, error);
    case KEY_RESOURCE:
      return take_resource (self, value, error);
    case KEY_YEARS:
      return take_years (self, value, error);
    case KEY_FROM:
      return jm_moment_take_day (&self->from_s, value, error);
    case KEY_TO:
    default:
      return jm_moment_take_day (&self->to_s, value, error);
    }
}

static gboolean
read_key (JmClusterTarget *self,
          GKeyFile *file,
          const char *group,
          const char *name,
          GError **error)
{
  g_autofree char *value = g_key_file_get_string (file, group, name, error);

  if (value == NULL)
    return FALSE;
  for (Key key = 0; key < N_KEYS; key++)
    if (g_str_equal (key_names[key], name))
      return take_value (self, key, value, error);

  return jm_error_refuse (error, "unknown key", name);
}

static gboolean
check_target (GKeyFile *file,
              const char *group,
              const JmClusterTarget *self,
              GError **error)
{
  for (Key key = 0; key < N_KEYS; key++)
    if (key != KEY_ACCOUNT && !g_key_file_has_key (file, group, key_names[key], NULL))
      return jm_error_refuse (error, key_names[key], "missing");
  if (self->to_s <= self->from_s)
    {
      g_autofree char *to = g_key_file_get_string (file, group, "To", NULL);

      return jm_error_refuse (error, "To: not behind From", to);
    }

  return TRUE;
}

static gboolean
read_keys (JmClusterTarget *self, GKeyFile *file, const char *group, GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (file, group, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!read_key (self, file, group, keys[i], error))
      {
        g_prefix_error (error, "%s: ", keys[i]);
        return FALSE;
      }

  return keys != NULL && check_target (file, group, self, error);
}

static gboolean
read_group (GPtrArray *targets, GKeyFile *file, const char *group, GError **error)
{
  JmClusterTarget *target;

  if (!g_str_has_prefix (group, GROUP_PREFIX) || group[strlen (GROUP_PREFIX)] == '\0' ||
      !g_utf8_validate (group, -1, NULL))
    return jm_error_refuse (error, "not [Target NAME]", group);
  if (targets->len == TARGETS_MAX)
    return jm_error_refuse (error, "too many targets, from here", group);

  target = g_new0 (JmClusterTarget, 1);
  target->name = g_strdup (group + strlen (GROUP_PREFIX));
  g_ptr_array_add (targets, target);
  if (read_keys (target, file, group, error))
    return TRUE;
  g_prefix_error (error, "%s: ", group);

  return FALSE;
}

static gboolean
read_text (GPtrArray *targets, const char *text, gsize size, GError **error)
{
  g_autoptr (GKeyFile) file = jm_key_file_new_from_text (text, size, error);
  g_auto (GStrv) groups = file != NULL ? g_key_file_get_groups (file, NULL) : NULL;

  for (guint i = 0; groups != NULL && groups[i] != NULL; i++)
    if (!read_group (targets, file, groups[i], error))
      return FALSE;

  return file != NULL;
}

GPtrArray *
jm_cluster_targets_parse (const char *path,
                          const char *text,
                          gsize size,
                          GError **error)
{
  g_autoptr (GPtrArray) targets = g_ptr_array_new_with_free_func (target_free);
  g_autoptr (GError) problem = NULL;

  if (read_text (targets, size > 0 ? text : "", size, &problem))
    return g_steal_pointer (&targets);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", path, problem->message);

  return NULL;
}

GPtrArray *
jm_cluster_targets_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = jm_bounded_read_file (path, FILE_MAX_BYTES, error);
  const char *text;
  gsize size;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &size);

  return jm_cluster_targets_parse (path, text, size, error);
}

/* --- figures --- */

/* Millionths of the time between its ends. */
static guint64
get_passed (const JmClusterTarget *target, gint64 now_us)
{
  double now_s = (double) now_us / G_USEC_PER_SEC;
  double part =
    (now_s - (double) target->from_s) / (double) (target->to_s - target->from_s);

  return (guint64) (CLAMP (part, 0, 1) * 1e6);
}

static void
tell_target (JmReadings *readings, const JmClusterTarget *target, gint64 now_us)
{
  g_autoptr (JmLabels) name = jm_labels_of (target->name, NULL);
  g_autoptr (JmLabels) whose =
    jm_labels_of (target->name, target->account != NULL ? target->account : "", NULL);

  jm_readings_add_labelled (readings,
                            target->is_of_gpus ? JM_METRIC_CLUSTER_TARGET_GPU
                                               : JM_METRIC_CLUSTER_TARGET_CPU,
                            whose, target->total_us);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_TARGET_START, name,
                            (guint64) target->from_s * G_USEC_PER_SEC);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_TARGET_END, name,
                            (guint64) target->to_s * G_USEC_PER_SEC);
  jm_readings_add_labelled (readings, JM_METRIC_CLUSTER_TARGET_PASSED, name,
                            get_passed (target, now_us));
}

void
jm_cluster_tell_targets (const JmClusterTeller *teller,
                         const GPtrArray *targets,
                         gint64 now_us)
{
  jm_readings_begin (teller->readings, JM_COLLECTOR_GRANTS);
  for (guint i = 0; i < targets->len; i++)
    {
      const JmClusterTarget *target = targets->pdata[i];

      if (g_str_equal (target->cluster, teller->cluster))
        tell_target (teller->readings, target, now_us);
    }
}
