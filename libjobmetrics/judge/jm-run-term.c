/* jm-run-term.c: what rules of advice can ask of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-term-private.h"

#include <math.h>

#include "core/jm-run-field-private.h"
#include "judge/jm-run-evidence-private.h"
#include "judge/jm-run-hint-private.h"
#include "judge/jm-run-report-private.h"

/* Below this a mean of things keeps one decimal. */
#define SMALL 9.95

typedef struct
{
  JmFigure (*get_figure) (JmRunReport *report, guint number);
  char *(*get_text) (JmRunReport *report, guint number);
  char *(*write) (JmRunReport *report, guint number); /* NULL: by the format */
} Kind;

static JmFigure
get_run_figure (JmRunReport *report, guint number)
{
  return jm_figures_get (report->figures, number);
}

static char *
get_field (JmRunReport *report, guint number)
{
  return g_strdup (jm_run_peek_text (jm_run_report_get_run (report), number));
}

static char *
get_cluster (JmRunReport *report, guint number)
{
  return g_strdup (jm_run_get_cluster (jm_run_report_get_run (report)));
}

static const Kind figure_kind = { .get_figure = get_run_figure };
static const Kind hint_kind = { .get_figure = jm_run_hint_get_figure,
                                .write = jm_run_hint_format };
static const Kind field_kind = { .get_text = get_field };
static const Kind evidence_kind = { .get_text = jm_run_evidence_describe };
static const Kind cluster_kind = { .get_text = get_cluster };

static gboolean
find_figure (const char *name, JmTerm *term)
{
  const JmQuantity *quantity = jm_quantity_of_run (name);
  guint hint;

  if (quantity != NULL)
    *term = (JmTerm){ quantity->name, quantity->format, &figure_kind,
                      jm_quantity_get_id (quantity) };
  else if (jm_run_hint_from_name (name, &hint))
    *term = (JmTerm){ jm_run_hint_get_name (hint), jm_run_hint_get_format (hint),
                      &hint_kind, hint };
  else
    return FALSE;

  return TRUE;
}

static gboolean
find_text (const char *name, JmTerm *term)
{
  JmRunField field;
  guint evidence;

  if (g_str_equal (name, "cluster"))
    *term = (JmTerm){ "cluster", JM_FORMAT_TEXT, &cluster_kind, 0 };
  else if (g_str_equal (name, "user"))
    *term = (JmTerm){ "user", JM_FORMAT_TEXT, &field_kind, JM_RUN_FIELD_USER };
  else if (jm_run_field_from_name (name, &field) && jm_run_field_holds_text (field))
    *term =
      (JmTerm){ jm_run_field_get_name (field), JM_FORMAT_TEXT, &field_kind, field };
  else if (jm_run_evidence_from_name (name, &evidence))
    *term = (JmTerm){ jm_run_evidence_get_name (evidence), JM_FORMAT_TEXT,
                      &evidence_kind, evidence };
  else
    return FALSE;

  return TRUE;
}

static gboolean
find (const char *name, JmTerm *term)
{
  return find_figure (name, term) || find_text (name, term);
}

static JmFigure
get_figure (const JmTerm *term, gconstpointer of)
{
  const Kind *kind = term->data;

  return kind->get_figure ((JmRunReport *) of, term->number);
}

static char *
get_text (const JmTerm *term, gconstpointer of)
{
  const Kind *kind = term->data;

  return kind->get_text ((JmRunReport *) of, term->number);
}

const JmVocabulary *
jm_run_term_get_vocabulary (void)
{
  static const JmVocabulary vocabulary = {
    .noun = "name",
    .find = find,
    .get_figure = get_figure,
    .get_text = get_text,
  };

  return &vocabulary;
}

static char *
format_figure (JmFigure figure, JmFormat format)
{
  const double value = figure.value;

  if (!figure.is_known)
    return NULL;
  if (format == JM_FORMAT_COUNT && value < SMALL && floor (value) < value)
    return g_strdup_printf ("%s%.1f",
                            figure.is_estimated ? JM_FIGURE_ESTIMATE_MARK : "", value);

  return jm_figure_format (figure, format);
}

char *
jm_run_term_format (const JmTerm *term, JmRunReport *report)
{
  const Kind *kind = term->data;

  if (kind->write != NULL)
    {
      char *text = kind->write (report, term->number);

      if (text != NULL)
        return text;
    }
  if (term->format == JM_FORMAT_TEXT)
    return get_text (term, report);

  return format_figure (get_figure (term, report), term->format);
}
