/* jmc-archive-form.c: in which form rows are printed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-archive-form.h"

#include <stdio.h>
#include <unistd.h>

#include "core/jm-figure.h"

void
jmc_archive_form_add_entries (JmcArchiveForm *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      self->has_reportseff
        ? "table, json (an array), lines (JSON, a line each), csv or "
          "reportseff"
      : self->has_documents
        ? "table, json (an array), lines (JSON, a line each), csv, html or pdf"
        : "table, json (an array), lines (JSON, a line each) or csv",
      "FORMAT" },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv, "The same as --format=csv", NULL },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &self->is_bare, "Print no column titles",
      NULL },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
}

void
jmc_archive_form_clear (JmcArchiveForm *self)
{
  g_clear_pointer (&self->format_text, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->notes, g_strfreev);
}

static gboolean
is_offered (const JmcArchiveForm *self, JmcArchiveFormKind kind)
{
  if (kind == JMC_ARCHIVE_FORM_REPORTSEFF)
    return self->has_reportseff;

  return kind < JMC_ARCHIVE_FORM_HTML || self->has_documents;
}

static gboolean
choose (JmcArchiveForm *self)
{
  static const char *const names[JMC_N_ARCHIVE_FORMS] = {
    [JMC_ARCHIVE_FORM_TABLE] = "table",
    [JMC_ARCHIVE_FORM_JSON] = "json",
    [JMC_ARCHIVE_FORM_LINES] = "lines",
    [JMC_ARCHIVE_FORM_CSV] = "csv",
    [JMC_ARCHIVE_FORM_REPORTSEFF] = "reportseff",
    [JMC_ARCHIVE_FORM_HTML] = "html",
    [JMC_ARCHIVE_FORM_PDF] = "pdf",
  };

  for (JmcArchiveFormKind i = 0; i < JMC_N_ARCHIVE_FORMS; i++)
    if (is_offered (self, i) && g_str_equal (self->format_text, names[i]))
      {
        self->kind = i;
        return TRUE;
      }
  jmc_output_complain ("--format=%s: not one of table, json, lines%s",
                       self->format_text,
                       self->has_reportseff  ? ", csv and reportseff"
                       : self->has_documents ? ", csv, html and pdf"
                                             : " and csv");

  return FALSE;
}

gboolean
jmc_archive_form_parse (JmcArchiveForm *self, const JmcOptions *options)
{
  self->color = options->color;
  if ((self->format_text != NULL) + options->json + self->csv > 1)
    {
      jmc_output_complain ("--format, --json and --csv cannot be combined");
      return FALSE;
    }
  self->kind = options->json ? JMC_ARCHIVE_FORM_JSON
               : self->csv   ? JMC_ARCHIVE_FORM_CSV
                             : JMC_ARCHIVE_FORM_TABLE;
  if (self->format_text != NULL && !choose (self))
    return FALSE;
  if (self->kind != JMC_ARCHIVE_FORM_PDF || !isatty (STDOUT_FILENO))
    return TRUE;
  jmc_output_complain (
    "--format=pdf cannot be printed to a terminal: redirect it to a file");

  return FALSE;
}

gboolean
jmc_archive_form_is_document (const JmcArchiveForm *self)
{
  return self->kind == JMC_ARCHIVE_FORM_HTML || self->kind == JMC_ARCHIVE_FORM_PDF;
}

gboolean
jmc_archive_form_is_for_people (const JmcArchiveForm *self)
{
  return self->kind == JMC_ARCHIVE_FORM_TABLE || jmc_archive_form_is_document (self);
}

/* JSON is UTF-8 whatever the locale says. */
void
jmc_archive_form_print_json (JmcArchiveForm *self, GString *json)
{
  if (self->kind == JMC_ARCHIVE_FORM_JSON)
    fputs (self->n_rows > 0 ? ",\n" : "[\n", stdout);
  fputs (json->str, stdout);
  if (self->kind == JMC_ARCHIVE_FORM_LINES)
    fputc ('\n', stdout);
  self->n_rows++;
}

void
jmc_archive_form_end_json (JmcArchiveForm *self)
{
  if (self->kind == JMC_ARCHIVE_FORM_JSON)
    fputs (self->n_rows > 0 ? "\n]\n" : "[]\n", stdout);
}

static void
print_text (JmcArchiveForm *self, JmTable *table)
{
  g_autofree char *lines =
    jm_table_to_text (table, jmc_output_get_width (STDOUT_FILENO), !self->is_bare,
                      jmc_output_has_color (self->color, STDOUT_FILENO));

  jmc_output_print (lines);
  if (!self->is_bare && jm_table_has_estimates (table))
    jmc_output_print ("\n" JM_FIGURE_ESTIMATE_LEGEND "\n");
}

static void
print_objects (JmcArchiveForm *self, JmTable *table)
{
  g_autofree char *text = jm_table_to_json_lines (table);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL && **line != '\0'; line++)
    {
      g_autoptr (GString) object = g_string_new (*line);

      jmc_archive_form_print_json (self, object);
    }
}

static gboolean
print_document (JmcArchiveForm *self, JmTable *table)
{
  const char *const *notes = (const char *const *) self->notes;
  g_autofree char *page = NULL;
  g_autoptr (GBytes) pages = NULL;
  g_autoptr (GError) error = NULL;

  if (self->kind == JMC_ARCHIVE_FORM_HTML)
    {
      page = jm_table_to_html_page (table, self->title, notes);
      fputs (page, stdout);
      return TRUE;
    }
  pages = jm_table_to_pdf (table, self->title, notes, &error);
  if (pages != NULL)
    fwrite (g_bytes_get_data (pages, NULL), 1, g_bytes_get_size (pages), stdout);
  else
    jmc_output_complain ("%s", error->message);

  return pages != NULL;
}

gboolean
jmc_archive_form_print_table (JmcArchiveForm *self, JmTable *table)
{
  g_autofree char *csv = NULL;

  if (jmc_archive_form_is_document (self))
    return print_document (self, table);

  if (self->kind == JMC_ARCHIVE_FORM_TABLE)
    print_text (self, table);
  else if (self->kind != JMC_ARCHIVE_FORM_CSV)
    print_objects (self, table);
  else
    {
      csv = jm_table_to_csv (table, !self->is_bare);
      jmc_output_print (csv);
    }

  return TRUE;
}
