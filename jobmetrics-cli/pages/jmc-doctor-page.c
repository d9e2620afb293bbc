/* jmc-doctor-page.c: what was found out about a node, for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-doctor-page.h"

#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "doctor/jm-doctor.h"

/* Text in fewer cells than this is no longer read with ease. */
#define NARROWEST 24

/* Mark, blank, topic, two blanks. */
#define MARK_CELLS 2
#define GAP_CELLS 2

typedef struct
{
  const char *title;
  const char *color;
  const char *mark;
  const char *ascii_mark;
} Look;

static const Look looks[JM_N_SEVERITIES] = {
  [JM_SEVERITY_GOOD] = { "Good", "\033[32m", "✓", "+" },
  [JM_SEVERITY_NOTE] = { "Notes", "\033[33m", "!", "!" },
  [JM_SEVERITY_PROBLEM] = { "Problems", "\033[31m", "✗", "x" },
};

/* A page as it grows. */
typedef struct
{
  const JmcDoctorStyle *style;
  GString *text;
  guint indent; /* cells before the sentences */
} Page;

static void
append_blanks (GString *text, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (text, ' ');
}

/* Appends a sentence that begins @used cells into the indented column, in lines that
 * fit. A word that is wider than a line has one for itself. */
static void
append_sentence (Page *page, const char *sentence, guint used)
{
  g_autofree char *safe = jm_safe_text_make (sentence);
  g_auto (GStrv) words = g_strsplit (safe, " ", -1);
  guint width = page->style->width;
  guint room = width > page->indent ? MAX (width - page->indent, NARROWEST) : NARROWEST;
  guint column = used;

  for (char **word = words; *word != NULL; word++)
    {
      guint cells = jm_text_width_get (*word);

      if (width > 0 && column > used && column + 1 + cells > room)
        {
          g_string_append_c (page->text, '\n');
          append_blanks (page->text, page->indent + used);
          column = used;
        }
      else if (column > used)
        {
          g_string_append_c (page->text, ' ');
          column++;
        }
      g_string_append (page->text, *word);
      column += cells;
    }
  g_string_append_c (page->text, '\n');
}

static void
append_coloured (Page *page, const char *color, const char *text)
{
  if (page->style->color)
    g_string_append_printf (page->text, "%s%s\033[0m", color, text);
  else
    g_string_append (page->text, text);
}

static void
append_finding (Page *page, JmFinding *finding, const Look *look)
{
  const char *topic = jm_finding_get_topic (finding);
  const char *remedy = jm_finding_get_remedy (finding);
  const char *arrow = page->style->unicode ? "→ " : "-> ";

  append_coloured (page, look->color,
                   page->style->unicode ? look->mark : look->ascii_mark);
  g_string_append_printf (page->text, " %s", topic);
  append_blanks (page->text, page->indent - MARK_CELLS - jm_text_width_get (topic));
  append_sentence (page, jm_finding_get_seen (finding), 0);

  if (remedy == NULL)
    return;

  append_blanks (page->text, page->indent);
  g_string_append (page->text, arrow);
  append_sentence (page, remedy, jm_text_width_get (arrow));
}

static void
append_group (Page *page, GPtrArray *findings, JmSeverity severity)
{
  const Look *look = &looks[severity];
  gboolean is_titled = FALSE;

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = g_ptr_array_index (findings, i);

      if (jm_finding_get_severity (finding) != severity)
        continue;

      if (!is_titled && page->text->len > 0)
        g_string_append_c (page->text, '\n');
      if (!is_titled)
        {
          append_coloured (page, "\033[1m", look->title);
          g_string_append_c (page->text, '\n');
        }
      is_titled = TRUE;
      append_finding (page, finding, look);
    }
}

static guint
measure_topics (GPtrArray *findings)
{
  guint widest = 0;

  for (guint i = 0; i < findings->len; i++)
    widest =
      MAX (widest,
           jm_text_width_get (jm_finding_get_topic (g_ptr_array_index (findings, i))));

  return widest;
}

/* The findings in groups, the worst first. */
char *
jmc_doctor_page_render (GPtrArray *findings, const JmcDoctorStyle *style)
{
  Page page = { style, g_string_new (NULL),
                MARK_CELLS + measure_topics (findings) + GAP_CELLS };

  append_group (&page, findings, JM_SEVERITY_PROBLEM);
  if (!style->quiet)
    {
      append_group (&page, findings, JM_SEVERITY_NOTE);
      append_group (&page, findings, JM_SEVERITY_GOOD);
    }

  return g_string_free (page.text, FALSE);
}
