/* jm-examine-exporter.c: what a running exporter knows of its ledger
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examine-exporter-private.h"

#include "core/jm-figures-json-private.h"
#include "core/jm-json-private.h"
#include "doctor/jm-examination-private.h"
#include "sources/jm-http-private.h"

/* An exporter that hangs keeps nobody from the other findings. */
#define TIMEOUT_MS 3000
#define MAX_ANSWER_BYTES (64 * 1024)
/* More than there can be. */
#define MAX_COUNT 1e15

/* What the exporter answered. */
typedef struct
{
  JsonNode *json; /* not owned */
  const char *file;
  GPtrArray *findings; /* of JmFinding */
} Answer;

G_GNUC_PRINTF (3, 4)
static void
tell (Answer *self, const char *remedy, const char *format, ...)
{
  g_autofree char *seen = NULL;
  g_autofree char *whole = NULL;
  va_list arguments;

  va_start (arguments, format);
  seen = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  whole = g_strdup_printf ("%s: %s", self->file, seen);

  g_ptr_array_add (self->findings,
                   jm_finding_new (JM_SEVERITY_PROBLEM,
                                   jm_topic_get_name (JM_TOPIC_LEDGER), whole, remedy));
}

static char *
get_moment (JsonNode *json, const char *name)
{
  gint64 time_us;
  g_autoptr (GDateTime) utc = NULL;
  g_autoptr (GDateTime) local = NULL;

  if (jm_figures_json_get_time (json, name, &time_us))
    utc = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  if (utc != NULL)
    local = g_date_time_to_local (utc);

  return local != NULL ? g_date_time_format (local, "%F %T") : g_strdup ("some time");
}

static guint64
get_count (JsonNode *json, const char *name)
{
  double number;

  return jm_json_get_number (json, name, &number) && number > 0 && number < MAX_COUNT
           ? (guint64) number
           : 0;
}

static void
examine_error (Answer *self)
{
  const char *error = jm_json_get_string (self->json, "error");
  g_autofree char *since = get_moment (self->json, "error_since");
  guint64 n_waiting = get_count (self->json, "waiting_records");
  gboolean is_open = TRUE;

  jm_json_get_boolean (self->json, "open", &is_open);
  if (!is_open)
    tell (self, "Mend that, and restart the exporter: it tries no more",
          "could not be opened at %s, and no record is kept: %s", since,
          error != NULL ? error : "the exporter's log says why");
  else if (error != NULL)
    tell (self,
          "Mend that: what waits is written then, unless the exporter ends before",
          "cannot be written since %s, and %" G_GUINT64_FORMAT " records wait: %s",
          since, n_waiting, error);
}

static void
examine_losses (Answer *self)
{
  g_autofree char *last = get_moment (self->json, "given_up_time");
  guint64 n_given_up = get_count (self->json, "given_up_records");

  if (n_given_up > 0)
    tell (self,
          "They are lost: see the exporter's log why it could not write, and make "
          "room; "
          "it counts anew from its next start",
          "the exporter gave up %" G_GUINT64_FORMAT
          " records since its start, the last at %s",
          n_given_up, last);
}

GPtrArray *
jm_doctor_examine_exporter (const char *socket)
{
  GPtrArray *findings =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = { .url = "http://localhost/ledger/status",
                                  .socket = socket,
                                  .timeout_ms = TIMEOUT_MS,
                                  .max_bytes = MAX_ANSWER_BYTES };
  Answer told = { .findings = findings };

  if (!jm_http_ask (&request, &answer, NULL, NULL))
    return findings;

  told.json = answer.json;
  told.file = jm_json_get_string (answer.json, "file");
  if (told.file != NULL)
    {
      examine_error (&told);
      examine_losses (&told);
    }

  return findings;
}
