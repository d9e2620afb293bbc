/* jm-text-writer.c: metric families and samples, line by line
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-text-writer-private.h"

#include <string.h>

#include "base/jm-number-private.h"

#define REPLACEMENT_CHARACTER "\xef\xbf\xbd" /* U+FFFD */

static const char *const suffixes[] = {
  [JM_FAMILY_KIND_GAUGE] = "",
  [JM_FAMILY_KIND_COUNTER] = "_total",
  [JM_FAMILY_KIND_INFO] = "_info",
  [JM_FAMILY_KIND_UNTYPED] = "",
};

static const char *const units[] = { "seconds", "bytes", "joules",  "watts",
                                     "grams",   "ratio", "celsius", "hertz" };

/* Appends valid UTF-8, with a backslash before each special byte. */
static void
append_escaped_part (GString *out, const char *text, gsize length, gboolean is_quoted)
{
  gsize done = 0;

  for (gsize i = 0; i < length; i++)
    {
      const char c = text[i];

      if (c != '\\' && c != '\n' && (c != '"' || !is_quoted))
        continue;
      g_string_append_len (out, text + done, i - done);
      g_string_append_c (out, '\\');
      g_string_append_c (out, c == '\n' ? 'n' : c);
      done = i + 1;
    }

  g_string_append_len (out, text + done, length - done);
}

/* Scrapers refuse everything when one byte of it is no UTF-8. */
static void
append_escaped (GString *out, const char *text, gboolean is_quoted)
{
  const char *invalid;

  while (!g_utf8_validate (text, -1, &invalid))
    {
      append_escaped_part (out, text, invalid - text, is_quoted);
      g_string_append (out, REPLACEMENT_CHARACTER);
      text = invalid + 1;
    }

  append_escaped_part (out, text, strlen (text), is_quoted);
}

static void
append_label (GString *out, const char *name, const char *value)
{
  g_string_append (out, name);
  g_string_append_len (out, "=\"", 2);
  append_escaped (out, value, TRUE);
  g_string_append_c (out, '"');
}

void
jm_text_append_label (GString *labels, const char *name, const char *value)
{
  if (labels->len > 0)
    g_string_append_c (labels, ',');
  append_label (labels, name, value);
}

/* Begins a document, or goes on with the one in @out. */
void
jm_text_writer_init (JmTextWriter *self, gboolean is_openmetrics, GString *out)
{
  *self = (JmTextWriter){ .out = out, .is_openmetrics = is_openmetrics };
}

/* OpenMetrics names a family without the suffix that its samples carry. */
static gsize
family_name_length (JmTextWriter *self, JmFamilyKind kind)
{
  if (!self->is_openmetrics)
    return self->name_length;

  return self->name_length - strlen (suffixes[kind]);
}

static void
append_metadata (JmTextWriter *self, const char *what, gsize name_length)
{
  g_string_append_len (self->out, "# ", 2);
  g_string_append (self->out, what);
  g_string_append_c (self->out, ' ');
  g_string_append_len (self->out, self->name, name_length);
  g_string_append_c (self->out, ' ');
}

static const char *
type_name (JmTextWriter *self, JmFamilyKind kind)
{
  switch (kind)
    {
    case JM_FAMILY_KIND_COUNTER:
      return "counter";
    case JM_FAMILY_KIND_INFO:
      return self->is_openmetrics ? "info" : "gauge";
    case JM_FAMILY_KIND_UNTYPED:
      return self->is_openmetrics ? "unknown" : "untyped";
    case JM_FAMILY_KIND_GAUGE:
    default:
      return "gauge";
    }
}

static const char *
find_unit (const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      gsize n = strlen (units[i]);

      if (length > n && name[length - n - 1] == '_' &&
          strncmp (name + length - n, units[i], n) == 0)
        return units[i];
    }

  return NULL;
}

static void
append_unit (JmTextWriter *self, gsize name_length)
{
  const char *unit = find_unit (self->name, name_length);

  if (unit == NULL)
    return;

  append_metadata (self, "UNIT", name_length);
  g_string_append (self->out, unit);
  g_string_append_c (self->out, '\n');
}

/* Begins a family; @name, as its samples are called, must live until the next one. */
void
jm_text_writer_begin_family (JmTextWriter *self,
                             JmFamilyKind kind,
                             const char *name,
                             const char *help)
{
  gsize length;

  /* OpenMetrics has no counter of another name */
  if (self->is_openmetrics && !g_str_has_suffix (name, suffixes[kind]))
    kind = JM_FAMILY_KIND_UNTYPED;

  self->name = name;
  self->name_length = strlen (name);
  length = family_name_length (self, kind);

  append_metadata (self, "HELP", length);
  append_escaped (self->out, help, self->is_openmetrics);
  g_string_append_c (self->out, '\n');
  append_metadata (self, "TYPE", length);
  g_string_append (self->out, type_name (self, kind));
  g_string_append_c (self->out, '\n');
  if (self->is_openmetrics && kind != JM_FAMILY_KIND_INFO)
    append_unit (self, length);
}

void
jm_text_writer_begin_sample (JmTextWriter *self)
{
  g_string_append_len (self->out, self->name, self->name_length);
  self->has_labels = FALSE;
}

static void
begin_label (JmTextWriter *self)
{
  g_string_append_c (self->out, self->has_labels ? ',' : '{');
  self->has_labels = TRUE;
}

void
jm_text_writer_add_label (JmTextWriter *self, const char *name, const char *value)
{
  begin_label (self);
  append_label (self->out, name, value);
}

/* Adds what jm_text_append_label() has made, if anything. */
void
jm_text_writer_add_rendered_labels (JmTextWriter *self, const GString *labels)
{
  if (labels->len == 0)
    return;

  begin_label (self);
  g_string_append_len (self->out, labels->str, labels->len);
}

static void
begin_value (JmTextWriter *self)
{
  if (self->has_labels)
    g_string_append_c (self->out, '}');
  g_string_append_c (self->out, ' ');
}

void
jm_text_writer_end_with_uint64 (JmTextWriter *self, guint64 value)
{
  begin_value (self);
  jm_number_append_uint64 (self->out, value);
  g_string_append_c (self->out, '\n');
}

/* Ends a sample whose value is @value / 10^@n_decimals. */
void
jm_text_writer_end_with_decimal (JmTextWriter *self, guint64 value, guint n_decimals)
{
  begin_value (self);
  jm_number_append_decimal (self->out, value, n_decimals);
  g_string_append_c (self->out, '\n');
}

void
jm_text_writer_end_with_double (JmTextWriter *self, double value)
{
  begin_value (self);
  jm_number_append_double (self->out, value);
  g_string_append_c (self->out, '\n');
}

/* Makes what jm_text_append_label() has made, if anything, into prepared labels. */
void
jm_text_prepare_labels (GString *labels)
{
  if (labels->len > 0)
    {
      g_string_prepend_c (labels, '{');
      g_string_append_c (labels, '}');
    }
  g_string_append_c (labels, ' ');
}

/* Makes room for a sample and writes it up to its value. Returns: where that goes */
static char *
begin_prepared (JmTextWriter *self, const char *prepared, gsize length)
{
  GString *out = self->out;
  gsize used = out->len;
  gsize needed = self->name_length + length + JM_NUMBER_DECIMAL_SIZE + 1;
  char *at;

  if (out->allocated_len - used <= needed)
    {
      g_string_set_size (out, used + needed);
      g_string_truncate (out, used);
    }

  at = out->str + used;
  memcpy (at, self->name, self->name_length);
  memcpy (at + self->name_length, prepared, length);

  return at + self->name_length + length;
}

static void
end_prepared (JmTextWriter *self, char *end)
{
  *end = '\0';
  self->out->len = (gsize) (end - self->out->str);
}

/* Adds a sample whose value is @value / 10^@n_decimals. */
void
jm_text_writer_add_prepared_decimal (JmTextWriter *self,
                                     const char *prepared,
                                     gsize length,
                                     guint64 value,
                                     guint n_decimals)
{
  char *end = jm_number_write_decimal (begin_prepared (self, prepared, length), value,
                                       n_decimals);

  *end++ = '\n';
  end_prepared (self, end);
}

void
jm_text_writer_add_prepared_double (JmTextWriter *self,
                                    const char *prepared,
                                    gsize length,
                                    double value)
{
  end_prepared (self, begin_prepared (self, prepared, length));
  jm_number_append_double (self->out, value);
  g_string_append_c (self->out, '\n');
}

/* Ends the document. */
void
jm_text_writer_end (JmTextWriter *self)
{
  if (self->is_openmetrics)
    g_string_append (self->out, "# EOF\n");
}
