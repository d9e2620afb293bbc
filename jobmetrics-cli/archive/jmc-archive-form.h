/* jmc-archive-form.h: in which form rows are printed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"
#include "report/jm-table.h"

G_BEGIN_DECLS

typedef enum
{
  JMC_ARCHIVE_FORM_TABLE,
  JMC_ARCHIVE_FORM_JSON,  /* an array */
  JMC_ARCHIVE_FORM_LINES, /* JSON, a line each */
  JMC_ARCHIVE_FORM_CSV,
  JMC_ARCHIVE_FORM_REPORTSEFF, /* of runs alone */
  JMC_ARCHIVE_FORM_HTML,       /* of statements alone, as is PDF */
  JMC_ARCHIVE_FORM_PDF,
  JMC_N_ARCHIVE_FORMS
} JmcArchiveFormKind;

/* JmcArchiveForm:
 * @has_reportseff: whether what is printed are runs
 * @has_documents: whether what is printed are statements
 * @title: of a document
 * @notes: below its table
 * @is_bare: whether titles are left out
 * @n_rows: how many objects were printed */
typedef struct
{
  char *format_text;
  gboolean csv;
  gboolean has_reportseff;
  gboolean has_documents;
  char *title;
  char **notes;
  gboolean is_bare;
  JmcArchiveFormKind kind;
  JmcColor color;
  guint n_rows;
} JmcArchiveForm;

void jmc_archive_form_add_entries (JmcArchiveForm *self, GOptionGroup *group);
gboolean jmc_archive_form_parse (JmcArchiveForm *self, const JmcOptions *options);
void jmc_archive_form_clear (JmcArchiveForm *self);

/* One object of JSON, and what stands behind all of them. */
void jmc_archive_form_print_json (JmcArchiveForm *self, GString *json);
void jmc_archive_form_end_json (JmcArchiveForm *self);

/* Whether people read it, and columns that only programs read are left out. */
gboolean jmc_archive_form_is_for_people (const JmcArchiveForm *self);

/* Whether it is HTML or PDF, of which a table is all. */
gboolean jmc_archive_form_is_document (const JmcArchiveForm *self);

/* Prints a table in any form but that of reportseff; of JSON, what stands behind all
 * objects is left to jmc_archive_form_end_json(). FALSE where it complained. */
gboolean jmc_archive_form_print_table (JmcArchiveForm *self, JmTable *table);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcArchiveForm, jmc_archive_form_clear)

G_END_DECLS
