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
}

gboolean
jmc_archive_form_parse (JmcArchiveForm *self, const JmcOptions *options)
{
  static const char *const names[] = {
    [JMC_ARCHIVE_FORM_TABLE] = "table",           [JMC_ARCHIVE_FORM_JSON] = "json",
    [JMC_ARCHIVE_FORM_LINES] = "lines",           [JMC_ARCHIVE_FORM_CSV] = "csv",
    [JMC_ARCHIVE_FORM_REPORTSEFF] = "reportseff",
  };
  const guint n_names =
    self->has_reportseff ? G_N_ELEMENTS (names) : JMC_ARCHIVE_FORM_REPORTSEFF;

  self->color = options->color;
  if ((self->format_text != NULL) + options->json + self->csv > 1)
    {
      jmc_output_complain ("--format, --json and --csv cannot be combined");
      return FALSE;
    }
  if (self->format_text == NULL)
    {
      self->kind = options->json ? JMC_ARCHIVE_FORM_JSON
                   : self->csv   ? JMC_ARCHIVE_FORM_CSV
                                 : JMC_ARCHIVE_FORM_TABLE;
      return TRUE;
    }
  for (guint i = 0; i < n_names; i++)
    if (g_str_equal (self->format_text, names[i]))
      {
        self->kind = i;
        return TRUE;
      }

  jmc_output_complain ("--format=%s: not one of table, json, lines%s csv%s",
                       self->format_text, self->has_reportseff ? "," : " and",
                       self->has_reportseff ? " and reportseff" : "");

  return FALSE;
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

void
jmc_archive_form_print_table (JmcArchiveForm *self, JmTable *table)
{
  g_autofree char *csv = NULL;

  if (self->kind == JMC_ARCHIVE_FORM_TABLE)
    print_text (self, table);
  else if (self->kind != JMC_ARCHIVE_FORM_CSV)
    print_objects (self, table);
  else
    {
      csv = jm_table_to_csv (table, !self->is_bare);
      jmc_output_print (csv);
    }
}
