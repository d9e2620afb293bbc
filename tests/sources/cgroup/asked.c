/* asked.c: a reader that was asked, and what it answered
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "asked.h"

#include "host/jm-host-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"

Asked *
asked_new_for_reader (JmHost *host, JmCgroupReader *reader)
{
  Asked *self = g_new0 (Asked, 1);

  self->host = host;
  self->reader = reader;
  self->readings = jm_readings_new ();

  return self;
}

Asked *
asked_new (const char *root)
{
  g_autoptr (GError) error = NULL;
  JmHost *host = jm_host_new (root);
  JmCgroupReader *reader = jm_cgroup_reader_new_for_host (host, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reader);

  return asked_new_for_reader (host, reader);
}

Asked *
asked_new_for_fixture (const char *situation)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", situation, NULL);

  return asked_new (root);
}

void
asked_free (Asked *self)
{
  g_assert_finalize_object (self->reader);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  g_free (self);
}

guint
asked_open (Asked *self, const char *path, JmSubjectKind level)
{
  g_autoptr (GError) error = NULL;
  guint cgroup = jm_cgroup_reader_open_cgroup (self->reader, path, level, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cgroup, >, 0);

  return cgroup;
}

void
asked_read (Asked *self, guint cgroup)
{
  g_autoptr (GError) error = NULL;

  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_cgroup_reader_read (self->reader, cgroup, self->readings, &error);
  g_assert_no_error (error);
}

guint
asked_open_and_read (Asked *self, const char *path, JmSubjectKind level)
{
  guint cgroup = asked_open (self, path, level);

  asked_read (self, cgroup);
  return cgroup;
}

gboolean
asked_has_child (Asked *self, const char *path, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = jm_cgroup_reader_list_children (self->reader, path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (names);

  return g_strv_contains ((const char *const *) names, name);
}

gboolean
asked_hears_of (Asked *self, const char *path)
{
  g_auto (GStrv) changes = jm_cgroup_reader_take_changes (self->reader);

  g_assert_nonnull (changes);

  return g_strv_contains ((const char *const *) changes, path);
}

char *
asked_list_processes (Asked *self, guint cgroup)
{
  g_autoptr (GError) error = NULL;
  GString *list = g_string_new (NULL);
  const guint *pids;
  guint n_pids;

  jm_readings_clear_processes (self->readings);
  jm_cgroup_reader_list_processes (self->reader, cgroup, self->readings, &error);
  /* of which the rest was listed */
  if (g_error_matches (error, JM_ERROR, JM_ERROR_MALFORMED))
    {
      jm_readings_add_error (self->readings, error);
      g_clear_error (&error);
    }
  g_assert_no_error (error);

  pids = jm_readings_get_processes (self->readings, &n_pids);
  for (guint i = 0; i < n_pids; i++)
    g_string_append_printf (list, "%s%u", i > 0 ? " " : "", pids[i]);

  return g_string_free (list, FALSE);
}

/* As the only one in the cgroup. */
void
asked_note_process (Asked *self, guint cgroup, guint pid)
{
  jm_readings_clear_processes (self->readings);
  jm_readings_add_process (self->readings, pid);
  jm_cgroup_reader_note_processes (self->reader, cgroup, self->readings);
}

/* FALSE where the metric was not read; twice the same figure is never right. */
gboolean
asked_get (Asked *self, JmMetric metric, const char *label, guint64 *value)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  guint n_values;
  const JmReading *values = jm_readings_get_values (self->readings, &n_values);
  guint n_found = 0;

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric && values[i].labels == labels)
      {
        *value = values[i].value;
        n_found++;
      }

  g_assert_cmpuint (n_found, <=, 1);
  return n_found == 1;
}

guint
asked_count (Asked *self, JmMetric metric)
{
  guint n_values;
  const JmReading *values = jm_readings_get_values (self->readings, &n_values);
  guint n_found = 0;

  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric)
      n_found++;

  return n_found;
}

/* The first error of a collector, or NULL. */
const char *
asked_get_error (Asked *self, JmCollector collector)
{
  const JmCollectorStatus *status = jm_readings_get_status (self->readings, collector);

  return status->first_error != NULL ? status->first_error->message : NULL;
}
