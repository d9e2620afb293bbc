/* jm-exposition-reader-private.h: the text that scrapers get, of any server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define JM_EXPOSITION_LINE_MAX (64 * 1024)
#define JM_EXPOSITION_LABELS_MAX 64

typedef struct
{
  const char *name;
  const char *value; /* without escapes */
} JmExpositionLabel;

/**
 * JmExpositionSample:
 * @family: name of the metadata above it; "" where there is none
 * @type: such as `counter`; "" where there is none
 * @help: without escapes; "" where there is none
 * @head: the lines of the metadata as they stand in the text
 * @head_length: of @head
 * @name: of the metric
 * @labels: in the order of the text, each name once
 * @n_labels: how many
 * @value: its value
 * @has_timestamp: whether the server said of when that is
 * @timestamp_ms: milliseconds since 1970; 0 where it did not
 * @line: the line as it stands in the text, from the name on, with its end
 * @line_length: of @line
 * @series_length: of the name and the labels, which @line begins with
 *
 * One sample. Strings live until the reader is asked for the next one; @head and @line
 * are parts of the text that is read.
 */
typedef struct
{
  const char *family;
  const char *type;
  const char *help;
  const char *head;
  gsize head_length;
  const char *name;
  const JmExpositionLabel *labels;
  guint n_labels;
  double value;
  gboolean has_timestamp;
  gint64 timestamp_ms;
  const char *line;
  gsize line_length;
  gsize series_length;
} JmExpositionSample;

/* Reads the Prometheus text format 0.0.4. A sample has the metadata right above it, if
 * that is of its name. `# EOF` is a comment. Any bytes may come in: no more than one
 * line is kept, and its memory stays from line to line. */
typedef struct
{
  const char *cursor;
  const char *end;
  guint64 n_lines; /* that were read */
  GString *line;
  GArray *labels; /* of JmExpositionLabel */
  GString *family;
  GString *type;
  GString *help;
  const char *head;
  const char *head_end;
} JmExpositionReader;

/* The text must outlive what is read of it. */
void
jm_exposition_reader_init (JmExpositionReader *self, const char *text, gsize length);

/* Reads the next sample. FALSE without an error is the end.
 *
 * Errors: `MALFORMED` with the line and its number; whoever asks again goes on behind
 * it.
 */
gboolean jm_exposition_reader_next (JmExpositionReader *self,
                                    JmExpositionSample *sample,
                                    GError **error);

/* The value of a label; NULL where it has none of that name. */
const char *jm_exposition_sample_get_label (const JmExpositionSample *sample,
                                            const char *name);

void jm_exposition_reader_clear (JmExpositionReader *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmExpositionReader, jm_exposition_reader_clear)

G_END_DECLS
