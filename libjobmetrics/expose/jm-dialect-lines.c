/* jm-dialect-lines.c: the series of one family, as they are from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-dialect-lines-private.h"

/* Pointers tell what a line is about, since a reference is held of each. */
typedef struct
{
  JmJob *job;
  JmLabels *subject_labels;
  JmLabels *own_labels;
  GString *text;
  guint owner; /* the first line of the same text */
  double value;
} Line;

struct _JmDialectLines
{
  GArray *lines; /* of Line */
  guint n;       /* of this document */
  gboolean has_changed;
  GString *value; /* of one label */
};

static void
line_forget (Line *self)
{
  g_clear_pointer (&self->job, jm_job_unref);
  g_clear_pointer (&self->subject_labels, jm_labels_unref);
  g_clear_pointer (&self->own_labels, jm_labels_unref);
}

static void
line_clear (gpointer line)
{
  line_forget (line);
  g_string_free (((Line *) line)->text, TRUE);
}

JmDialectLines *
jm_dialect_lines_new (void)
{
  JmDialectLines *self = g_new0 (JmDialectLines, 1);

  self->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_array_set_clear_func (self->lines, line_clear);
  self->value = g_string_new (NULL);

  return self;
}

void
jm_dialect_lines_free (JmDialectLines *self)
{
  g_array_unref (self->lines);
  g_string_free (self->value, TRUE);
  g_free (self);
}

void
jm_dialect_lines_begin (JmDialectLines *self)
{
  self->n = 0;
  self->has_changed = FALSE;
}

static Line *
get_line (JmDialectLines *self, guint number)
{
  return &g_array_index (self->lines, Line, number);
}

static gboolean
is_about (const Line *self, const JmTemplateValues *values)
{
  return self->text != NULL && self->job == values->job &&
         self->subject_labels == values->subject_labels &&
         self->own_labels == values->own_labels;
}

static void
render (JmDialectLines *self,
        Line *line,
        const JmDialectFamily *family,
        const JmTemplateValues *values)
{
  line_forget (line);
  line->job = values->job != NULL ? jm_job_ref (values->job) : NULL;
  if (values->subject_labels != NULL)
    line->subject_labels = jm_labels_ref (values->subject_labels);
  if (values->own_labels != NULL)
    line->own_labels = jm_labels_ref (values->own_labels);

  if (line->text == NULL)
    line->text = g_string_new (NULL);
  g_string_truncate (line->text, 0);
  for (guint i = 0; i < family->labels->len; i++)
    {
      const JmDialectLabel *label = &g_array_index (family->labels, JmDialectLabel, i);

      g_string_truncate (self->value, 0);
      jm_label_template_append (label->value, values, self->value);
      jm_text_append_label (line->text, label->name, self->value->str);
    }
}

void
jm_dialect_lines_add (JmDialectLines *self,
                      const JmDialectFamily *family,
                      const JmTemplateValues *values,
                      double value)
{
  Line *line;

  if (self->n == self->lines->len)
    {
      g_array_set_size (self->lines, self->n + 1);
      self->has_changed = TRUE;
    }
  line = get_line (self, self->n);
  if (!is_about (line, values))
    {
      render (self, line, family, values);
      self->has_changed = TRUE;
    }
  line->value = value;
  self->n++;
}

/* --- the end of a document --- */

static void
find_owners (JmDialectLines *self)
{
  g_autoptr (GHashTable) first = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->n; i++)
    {
      Line *line = get_line (self, i);
      gpointer owner;

      if (g_hash_table_lookup_extended (first, line->text->str, NULL, &owner))
        line->owner = GPOINTER_TO_UINT (owner);
      else
        {
          line->owner = i;
          g_hash_table_insert (first, line->text->str, GUINT_TO_POINTER (i));
        }
    }
}

static void
add_up (JmDialectLines *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const Line *line = get_line (self, i);

      if (line->owner != i)
        get_line (self, line->owner)->value += line->value;
    }
}

static void
write_line (const Line *line, JmTextWriter *writer)
{
  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_rendered_labels (writer, line->text);
  jm_text_writer_end_with_double (writer, line->value);
}

static gboolean
is_additive (const JmDialectFamily *family)
{
  return family->n_sources > 0 &&
         jm_metric_get_info (family->sources[0].metric)->additive;
}

void
jm_dialect_lines_write (JmDialectLines *self,
                        const JmDialectFamily *family,
                        JmTextWriter *writer)
{
  self->has_changed |= self->n != self->lines->len;
  g_array_set_size (self->lines, self->n);
  if (self->n == 0)
    return;

  if (self->has_changed)
    find_owners (self);
  if (is_additive (family))
    add_up (self);

  jm_text_writer_begin_family (writer, family->kind, family->name, family->help);
  for (guint i = 0; i < self->n; i++)
    if (get_line (self, i)->owner == i)
      write_line (get_line (self, i), writer);
}
