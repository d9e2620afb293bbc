/* jme-discovery.c: the nodes of clusters, for Prometheus to scrape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "cluster/jme-cluster-answers.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-json-writer-private.h"
#include "schedulers/jm-scheduler-report.h"

#define MODE 0644

struct _JmeDiscoveryFile
{
  char *path;
  char *new_path;  /* beside it, where it is written */
  GBytes *written; /* last; NULL before */
};

#define NODE "{node}"
#define SCHEME_END "://"

static const JmSetting target = {
  .name = "discovery.target",
  .group = "discovery",
  .kind = JM_SETTING_TEXT,
  .argument = "TARGET",
  .help = "Target of a node at /discovery; " NODE " stands for its name",
  .preset = NODE ":9010",
};

static const JmSetting file = {
  .name = "discovery.file",
  .group = "discovery",
  .kind = JM_SETTING_TEXT,
  .argument = "FILE",
  .help = "File with the same list of nodes, for file_sd_configs",
};

/* --- the file --- */

JmeDiscoveryFile *
jme_discovery_file_new (const char *path)
{
  JmeDiscoveryFile *self = g_new0 (JmeDiscoveryFile, 1);

  self->path = g_strdup (path);
  self->new_path = g_strconcat (path, ".new", NULL);

  return self;
}

void
jme_discovery_file_free (JmeDiscoveryFile *self)
{
  g_clear_pointer (&self->written, g_bytes_unref);
  g_free (self->path);
  g_free (self->new_path);
  g_free (self);
}

static gboolean
refuse (const JmeDiscoveryFile *self, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (code), "%s: %s",
               self->path, g_strerror (code));

  return FALSE;
}

gboolean
jme_discovery_file_write (JmeDiscoveryFile *self, GBytes *targets, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (targets, &length);

  if (self->written != NULL && g_bytes_equal (self->written, targets))
    return TRUE;

  if (!g_file_set_contents_full (self->new_path, text, (gssize) length,
                                 G_FILE_SET_CONTENTS_CONSISTENT, MODE, error))
    return FALSE;
  /* the daemon's own umask lets nobody else read what it writes */
  if (g_chmod (self->new_path, MODE) != 0 || g_rename (self->new_path, self->path) != 0)
    return refuse (self, errno, error);

  g_clear_pointer (&self->written, g_bytes_unref);
  self->written = g_bytes_ref (targets);

  return TRUE;
}

/* --- the targets --- */

void
jme_discovery_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &target);
  jm_settings_add (settings, &file);
}

const char *
jme_discovery_get_path (const JmSettings *settings)
{
  return jm_settings_get_text (settings, file.name);
}

/* Moves @template behind its scheme. Returns NULL for a template without one. */
static char *
take_scheme (const char **template)
{
  const char *end = strstr (*template, SCHEME_END);
  char *scheme;

  if (end == NULL)
    return NULL;
  scheme = g_strndup (*template, (gsize) (end - *template));
  *template = end + strlen (SCHEME_END);

  return scheme;
}

gboolean
jme_discovery_check (const JmSettings *settings, GError **error)
{
  const char *text = jm_settings_get_text (settings, target.name);
  const char *address = text;
  g_autofree char *scheme = take_scheme (&address);

  if (scheme != NULL && !g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
    return jm_settings_refuse (settings, target.name, text,
                               "its scheme is neither http nor https", error);

  return strstr (address, NODE) != NULL ||
         jm_settings_refuse (settings, target.name, text, "without " NODE, error);
}

guint
jme_discovery_count_clusters (JmSnapshot *snapshot)
{
  const char *nodes = jm_scheduler_topic_get_name (JM_SCHEDULER_TOPIC_NODES);
  const JmQuantity *quantity =
    jm_quantity_of_subject (JM_SUBJECT_KIND_CLUSTER, "topic_age_seconds");
  g_autoptr (JmLabels) labels = jm_labels_of (nodes, NULL);
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);
  guint n = 0;
  double age;

  for (guint i = 0; i < n_subjects; i++)
    n += jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_CLUSTER &&
         jm_snapshot_get_labelled_value (snapshot, i, quantity, labels, &age);

  return n;
}

static char *
make_target (const char *template, const char *node)
{
  g_auto (GStrv) parts = g_strsplit (template, NODE, -1);

  return g_strjoinv (node, parts);
}

/* NULL of a node of which that is unknown. */
static char *
find_state (JmSnapshot *snapshot, guint subject)
{
  const JmQuantity *quantity =
    jm_quantity_of_subject (JM_SUBJECT_KIND_CLUSTER_NODE, "state");

  for (guint i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    {
      g_autofree char *state =
        g_ascii_strdown (jm_scheduler_node_state_get_name ((JmSchedulerNodeState) i),
                         -1);
      g_autoptr (JmLabels) labels = jm_labels_of (state, NULL);
      double value;

      if (jm_snapshot_get_labelled_value (snapshot, subject, quantity, labels, &value))
        return g_steal_pointer (&state);
    }

  return NULL;
}

static void
add_node (JmJsonWriter *json, const char *template, JmSnapshot *snapshot, guint subject)
{
  JmLabels *labels = jm_snapshot_get_subject_labels (snapshot, subject);
  const char *node = jm_labels_get_value (labels, 1);
  g_autofree char *scheme = take_scheme (&template);
  g_autofree char *state = find_state (snapshot, subject);
  g_autofree char *text = make_target (template, node);

  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_begin_array (json, "targets");
  jm_json_writer_add_text (json, NULL, text);
  jm_json_writer_end_array (json);
  jm_json_writer_begin_object (json, "labels");
  jm_json_writer_add_text (json, "cluster", jm_labels_get_value (labels, 0));
  jm_json_writer_add_known_text (json, "__scheme__", scheme);
  jm_json_writer_add_text (json, "__meta_jobmetrics_node", node);
  jm_json_writer_add_known_text (json, "__meta_jobmetrics_state", state);
  jm_json_writer_end_object (json);
  jm_json_writer_end_object (json);
}

GBytes *
jme_discovery_render (const JmSettings *settings, JmSnapshot *snapshot)
{
  const char *template = jm_settings_get_text (settings, target.name);
  guint n = jm_snapshot_get_n_subjects (snapshot);
  JmJsonWriter json = { .out = g_string_new (NULL) };

  jm_json_writer_begin_array (&json, NULL);
  for (guint i = 0; i < n; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_CLUSTER_NODE)
      add_node (&json, template, snapshot, i);
  jm_json_writer_end_array (&json);

  return g_string_free_to_bytes (json.out);
}
