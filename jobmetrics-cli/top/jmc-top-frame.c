/* jmc-top-frame.c: a screen full of text, before it is on a screen
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-frame.h"

#include "base/jm-text-width-private.h"

#define CUT "+"
#define EIGHTHS 8

struct _JmcTopFrame
{
  guint width;
  guint height;
  GArray *spans; /* of JmcTopSpan, later ones above earlier ones */
};

static void
span_clear (gpointer span)
{
  g_free (((JmcTopSpan *) span)->text);
}

JmcTopFrame *
jmc_top_frame_new (guint width, guint height)
{
  JmcTopFrame *self = g_new0 (JmcTopFrame, 1);

  self->width = width;
  self->height = height;
  self->spans = g_array_new (FALSE, FALSE, sizeof (JmcTopSpan));
  g_array_set_clear_func (self->spans, span_clear);

  return self;
}

void
jmc_top_frame_free (JmcTopFrame *self)
{
  g_array_unref (self->spans);
  g_free (self);
}

guint
jmc_top_frame_get_width (JmcTopFrame *self)
{
  return self->width;
}

guint
jmc_top_frame_get_height (JmcTopFrame *self)
{
  return self->height;
}

/* Adds @text, which must be safe for a terminal; what does not fit is left out. Returns
 * where it ends. */
guint
jmc_top_frame_add (JmcTopFrame *self,
                   guint y,
                   guint x,
                   JmcTopStyle style,
                   const char *text)
{
  JmcTopSpan span = { y, x, style, NULL };
  GString *line;

  if (y >= self->height || x >= self->width)
    return x;

  line = g_string_new (text);
  jm_text_width_cut (line, self->width - x);
  span.text = g_string_free (line, FALSE);
  g_array_append_val (self->spans, span);

  return x + jm_text_width_get (span.text);
}

/* Adds @text within @width cells; one that was cut says so. */
void
jmc_top_frame_add_cell (JmcTopFrame *self,
                        guint y,
                        guint x,
                        guint width,
                        JmTextAlign align,
                        JmcTopStyle style,
                        const char *text)
{
  GString *cell = g_string_new (text);
  guint used;

  if (jm_text_width_get (text) > width)
    {
      jm_text_width_cut (cell, width - 1);
      g_string_append (cell, CUT);
    }

  used = jm_text_width_get (cell->str);
  jmc_top_frame_add (self, y, align == JM_TEXT_ALIGN_RIGHT ? x + width - used : x,
                     style, cell->str);
  g_string_free (cell, TRUE);
}

/* Adds a bar of @width cells, of which @share, from 0 to 1, is filled. */
void
jmc_top_frame_add_bar (JmcTopFrame *self,
                       guint y,
                       guint x,
                       guint width,
                       JmcTopStyle style,
                       double share)
{
  static const char *const parts[EIGHTHS] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  g_autoptr (GString) bar = g_string_new (NULL);
  gboolean is_drawn = g_get_charset (NULL);
  guint eighths = (guint) (CLAMP (share, 0, 1) * width * EIGHTHS + 0.5);

  /* Something is not nothing. */
  if (share > 0 && eighths == 0)
    eighths = 1;
  if (!is_drawn)
    eighths = (eighths + EIGHTHS / 2) / EIGHTHS * EIGHTHS;

  for (guint i = 0; i < eighths / EIGHTHS; i++)
    g_string_append (bar, is_drawn ? "█" : "|");
  g_string_append (bar, parts[eighths % EIGHTHS]);

  jmc_top_frame_add (self, y, x, style, bar->str);
}

/* Lays @style under a whole line. */
void
jmc_top_frame_fill (JmcTopFrame *self, guint y, JmcTopStyle style)
{
  g_autofree char *blanks = g_strnfill (self->width, ' ');

  jmc_top_frame_add (self, y, 0, style, blanks);
}

guint
jmc_top_frame_get_n_spans (JmcTopFrame *self)
{
  return self->spans->len;
}

const JmcTopSpan *
jmc_top_frame_get_span (JmcTopFrame *self, guint number)
{
  return &g_array_index (self->spans, JmcTopSpan, number);
}

/* --- without a screen --- */

static void
append_spaces (GString *line, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (line, ' ');
}

/* Puts @text over what is there. A wide character of which half is covered goes. */
static void
put (GString *line, guint x, const char *text)
{
  guint end = x + jm_text_width_get (text);
  g_autofree char *before = g_strdup (line->str);
  GString *head = g_string_new (before);
  gsize tail;

  jm_text_width_cut (head, end);
  tail = head->len;
  jm_text_width_cut (head, x);
  append_spaces (head, x - jm_text_width_get (head->str));
  g_string_append (head, text);
  g_string_append (head, before + tail);

  g_string_assign (line, head->str);
  g_string_free (head, TRUE);
}

static void
trim (GString *line)
{
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
}

/* The lines of the frame without their styles. */
char *
jmc_top_frame_to_text (JmcTopFrame *self)
{
  g_autofree GString **lines = g_new0 (GString *, self->height);
  GString *text = g_string_new (NULL);

  for (guint y = 0; y < self->height; y++)
    lines[y] = g_string_new (NULL);
  for (guint i = 0; i < self->spans->len; i++)
    {
      const JmcTopSpan *span = jmc_top_frame_get_span (self, i);

      put (lines[span->y], span->x, span->text);
    }
  for (guint y = 0; y < self->height; y++)
    {
      trim (lines[y]);
      g_string_append_printf (text, "%s\n", lines[y]->str);
      g_string_free (lines[y], TRUE);
    }

  return g_string_free (text, FALSE);
}
