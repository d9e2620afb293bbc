/* jme-history-reading.c: a scheduler's history, and how reading it went
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-intake-state.h"

#include <string.h>

#include "server/jme-node-ledgers.h"

#define CLUSTER "cluster="

char *
jme_history_get_cluster (const char *specification)
{
  g_auto (GStrv) words = g_strsplit (specification, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], CLUSTER))
      return g_strdup (words[i] + strlen (CLUSTER));

  return NULL;
}

gboolean
jme_history_reading_run (JmeHistoryReading *self,
                         JmIntake *intake,
                         GCancellable *cancellable,
                         GError **error)
{
  if (self->history == NULL)
    self->history = jm_intake_open_history (self->specification, error);

  return self->history != NULL &&
         jm_intake_read_history (intake, self->history, cancellable, error);
}

void
jme_history_reading_take_outcome (JmeHistoryReading *self, const GError *error)
{
  g_free (self->problem);
  self->problem = error != NULL ? g_strdup (error->message) : NULL;
  if (error == NULL)
    self->success_us = g_get_real_time ();
}

/* Of a specification only the name, which has no password, and a number where several
 * have that name. */
static char *
make_name (const JmeHistoryReading *readings, guint i)
{
  const char *specification = readings[i].specification;
  gsize length = strcspn (specification, ",");
  guint number = 1;

  for (guint k = 0; k < i; k++)
    number += strcspn (readings[k].specification, ",") == length &&
              strncmp (readings[k].specification, specification, length) == 0;

  return number == 1 ? g_strndup (specification, length)
                     : g_strdup_printf ("%.*s-%u", (int) length, specification, number);
}

void
jme_history_reading_append_samples (const JmeHistoryReading *readings,
                                    guint n_readings,
                                    JmTextWriter *writer)
{
  for (guint i = 0; i < n_readings; i++)
    {
      g_autofree char *cluster = jme_history_get_cluster (readings[i].specification);
      g_autofree char *name = make_name (readings, i);

      jme_peer_append (writer, "history", cluster, name, readings[i].success_us);
    }
}

void
jme_history_reading_append_success (JmJsonWriter *json, gint64 time_us)
{
  if (time_us > 0)
    jm_json_writer_add_int (json, "last_success_time", time_us / G_USEC_PER_SEC);
  else
    jm_json_writer_add_text (json, "last_success_time", NULL);
}

void
jme_history_reading_append_state (const JmeHistoryReading *self, JmJsonWriter *json)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "history", self->specification);
  jme_history_reading_append_success (json, self->success_us);
  jm_json_writer_add_text (json, "problem", self->problem);
  jm_json_writer_end_object (json);
}

void
jme_history_reading_clear (JmeHistoryReading *self)
{
  g_clear_object (&self->history);
  g_clear_pointer (&self->problem, g_free);
}
