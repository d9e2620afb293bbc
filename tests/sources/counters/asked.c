/* asked.c: a source that counts what a cgroup does, and what it reported last
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "asked.h"

/* Where a right is missing, loading says so or attaching does. */
gboolean
asked_open (Asked *self, AskedOpen open, const char *dir)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  self->host = jm_host_new (NULL);
  self->readings = jm_readings_new ();
  self->source = open (self->host, dir, &error);
  if (self->source != NULL)
    self->cgroup = jm_counter_source_open_cgroup (self->source, dir, &error);
  if (self->cgroup != NULL)
    return TRUE;

  why = g_strdup_printf ("no BPF programs can be run here: %s", error->message);
  g_test_skip (why);
  return FALSE;
}

void
asked_clear (Asked *self)
{
  if (self->cgroup != NULL)
    jm_counter_source_close_cgroup (self->source, self->cgroup);
  g_clear_pointer (&self->readings, jm_readings_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->host);
}

void
asked_ask (Asked *self)
{
  g_autoptr (GError) error = NULL;

  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_readings_clear_cpus (self->readings);
  jm_readings_begin (self->readings, jm_counter_source_get_collector (self->source));
  jm_counter_source_begin_round (self->source);
  g_assert_true (
    jm_counter_source_read (self->source, self->cgroup, self->readings, &error));
  g_assert_no_error (error);
}
