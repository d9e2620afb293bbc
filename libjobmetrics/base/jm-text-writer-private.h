/* jm-text-writer-private.h: metric families and samples, line by line
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  JM_FAMILY_KIND_GAUGE,
  JM_FAMILY_KIND_COUNTER, /* its name ends in _total, but for another exporter's */
  JM_FAMILY_KIND_INFO,    /* its name ends in _info, its value is 1 */
  JM_FAMILY_KIND_UNTYPED,
} JmFamilyKind;

/* Writes the text formats. Lives on the caller's stack, allocates nothing of its own:
 *
 *   jm_text_writer_init (&writer, is_openmetrics, out);
 *   jm_text_writer_begin_family (&writer, kind, name, help);
 *   jm_text_writer_begin_sample (&writer);
 *   jm_text_writer_add_label (&writer, "code", "200");
 *   jm_text_writer_end_with_uint64 (&writer, 12);
 *   ...
 *   jm_text_writer_end (&writer);
 *
 * The caller sees to it that no family and no series comes twice. */
typedef struct
{
  GString *out;
  gboolean is_openmetrics; /* else in the text format of Prometheus */
  const char *name;        /* of the family at hand; the caller keeps it */
  gsize name_length;
  gboolean has_labels; /* of the sample at hand */
} JmTextWriter;

void jm_text_writer_init (JmTextWriter *self, gboolean is_openmetrics, GString *out);
void jm_text_writer_begin_family (JmTextWriter *self,
                                  JmFamilyKind kind,
                                  const char *name,
                                  const char *help);
void jm_text_writer_begin_sample (JmTextWriter *self);
void jm_text_writer_add_label (JmTextWriter *self, const char *name, const char *value);
void jm_text_writer_add_rendered_labels (JmTextWriter *self, const GString *labels);
void jm_text_writer_end_with_uint64 (JmTextWriter *self, guint64 value);
void
jm_text_writer_end_with_decimal (JmTextWriter *self, guint64 value, guint n_decimals);
void jm_text_writer_end_with_double (JmTextWriter *self, double value);
void jm_text_writer_end (JmTextWriter *self);

/* A sample whose labels are the same each time: jm_text_prepare_labels() makes of them
 * what stands between its name and its value. */
void jm_text_writer_add_prepared_decimal (JmTextWriter *self,
                                          const char *prepared,
                                          gsize length,
                                          guint64 value,
                                          guint n_decimals);
void jm_text_writer_add_prepared_double (JmTextWriter *self,
                                         const char *prepared,
                                         gsize length,
                                         double value);
void jm_text_prepare_labels (GString *labels);

/* Renders `name="value"`, after a comma if @labels holds something already. */
void jm_text_append_label (GString *labels, const char *name, const char *value);

G_END_DECLS
