/* jm-trace-record.c: what a wrapper reports of the processes that it watches
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-trace-record-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-safe-text-private.h"

/* json-glib 1.10 reads a larger number than G_MAXINT64 as that. */
#define JOB_ID_MAX (G_MAXINT64 - 1)
/* Percent: more CPUs than a machine has. */
#define CPUS_MAX 1e8
/* Above it, JSON's numbers with decimals are not whole any more. */
#define DOUBLE_WHOLE_MAX 9007199254740992.0

/* A number of a record: whole, from @low to @high. */
typedef struct
{
  const char *key;
  gsize offset;
  guint64 low;
  guint64 high;
} Number;

/* A text of a record, up to @max bytes. */
typedef struct
{
  const char *key;
  gsize offset;
  gsize max;
  gboolean is_optional;
} Text;

static const Number numbers[] = {
  { "job_id", G_STRUCT_OFFSET (JmTraceRecord, job_id), 1, JOB_ID_MAX },
  { "pid", G_STRUCT_OFFSET (JmTraceRecord, pid), 1, G_MAXINT32 },
  { "threads", G_STRUCT_OFFSET (JmTraceRecord, threads), 0, G_MAXINT32 },
  { "mem", G_STRUCT_OFFSET (JmTraceRecord, memory), 0, G_MAXINT64 },
  { "read_bytes", G_STRUCT_OFFSET (JmTraceRecord, read_bytes), 0, G_MAXINT64 },
  { "write_bytes", G_STRUCT_OFFSET (JmTraceRecord, write_bytes), 0, G_MAXINT64 },
};

static const Text texts[] = {
  { "username", G_STRUCT_OFFSET (JmTraceRecord, user), 256, FALSE },
  { "hostname", G_STRUCT_OFFSET (JmTraceRecord, host), 253, FALSE },
  { "cluster", G_STRUCT_OFFSET (JmTraceRecord, cluster), 64, TRUE },
  { "step", G_STRUCT_OFFSET (JmTraceRecord, step), 64, TRUE },
};

static gboolean
refuse (const char *key, const char *reason, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: %s", key, reason);

  return FALSE;
}

/* Writers of JSON may give whole numbers decimals. */
static gboolean
get_whole (JsonNode *node, gint64 *value)
{
  double number;

  if (json_node_get_value_type (node) == G_TYPE_INT64)
    {
      *value = json_node_get_int (node);
      return TRUE;
    }
  if (json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return FALSE;

  number = json_node_get_double (node);
  if (!(fabs (number) <= DOUBLE_WHOLE_MAX) || trunc (number) != number)
    return FALSE;
  *value = (gint64) number;

  return TRUE;
}

static gboolean
read_number (JmTraceRecord *self, JsonNode *root, const Number *number, GError **error)
{
  JsonNode *member = jm_json_get (root, number->key);
  gint64 value;

  if (member == NULL)
    return refuse (number->key, "missing", error);
  if (!JSON_NODE_HOLDS_VALUE (member) || !get_whole (member, &value))
    return refuse (number->key, "not a whole number", error);
  if (value < 0 || (guint64) value < number->low || (guint64) value > number->high)
    return refuse (number->key, "out of range", error);

  G_STRUCT_MEMBER (guint64, self, number->offset) = (guint64) value;

  return TRUE;
}

static gboolean
read_cpus (JmTraceRecord *self, JsonNode *root, GError **error)
{
  if (jm_json_get (root, "cpus") == NULL)
    return refuse ("cpus", "missing", error);
  if (!jm_json_get_number (root, "cpus", &self->cpus))
    return refuse ("cpus", "not a finite number", error);

  return (self->cpus >= 0 && self->cpus <= CPUS_MAX) ||
         refuse ("cpus", "out of range", error);
}

static gboolean
is_plain (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (!jm_safe_text_has (g_utf8_get_char (text)))
      return FALSE;

  return TRUE;
}

static gboolean
read_text (JmTraceRecord *self, JsonNode *root, const Text *text, GError **error)
{
  char **field = &G_STRUCT_MEMBER (char *, self, text->offset);
  const char *value = jm_json_get_string (root, text->key);

  if (jm_json_get (root, text->key) == NULL)
    {
      *field = g_strdup ("");
      return text->is_optional || refuse (text->key, "missing", error);
    }
  if (value == NULL)
    return refuse (text->key, "not a text", error);
  if (*value == '\0' && !text->is_optional)
    return refuse (text->key, "empty", error);
  if (strlen (value) > text->max)
    return refuse (text->key, "too long", error);
  if (!g_utf8_validate (value, -1, NULL) || !is_plain (value))
    return refuse (text->key, "has control characters", error);

  *field = g_strdup (value);

  return TRUE;
}

static gboolean
read_all (JmTraceRecord *self, JsonNode *root, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!read_number (self, root, &numbers[i], error))
      return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!read_text (self, root, &texts[i], error))
      return FALSE;

  return read_cpus (self, root, error);
}

JmTraceRecord *
jm_trace_record_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JmTraceRecord) self = g_new0 (JmTraceRecord, 1);
  g_autoptr (JsonNode) root = NULL;

  /* a text would end where this is escaped */
  if (length > 0 && length <= JM_TRACE_BODY_MAX &&
      g_strstr_len (text, (gssize) length, "\\u0000") == NULL)
    root = jm_json_parse (text, length);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      refuse ("body", "not an object of JSON", error);
      return NULL;
    }

  return read_all (self, root, error) ? g_steal_pointer (&self) : NULL;
}

static void
append_text (GString *out, const Text *text, const JmTraceRecord *self)
{
  const char *value = G_STRUCT_MEMBER (char *, self, text->offset);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *quoted = NULL;

  if (*value == '\0')
    return;

  node = json_node_init_string (json_node_alloc (), value);
  quoted = json_to_string (node, FALSE);
  g_string_append_printf (out, ", \"%s\": %s", text->key, quoted);
}

void
jm_trace_record_append_json (const JmTraceRecord *self, GString *out)
{
  char cpus[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, "{\"cpus\": %s",
                          g_ascii_formatd (cpus, sizeof cpus, "%.3f", self->cpus));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_string_append_printf (out, ", \"%s\": %" G_GUINT64_FORMAT, numbers[i].key,
                            G_STRUCT_MEMBER (guint64, self, numbers[i].offset));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    append_text (out, &texts[i], self);
  g_string_append_c (out, '}');
}

void
jm_trace_record_free (JmTraceRecord *self)
{
  g_free (self->cluster);
  g_free (self->step);
  g_free (self->host);
  g_free (self->user);
  g_free (self);
}
