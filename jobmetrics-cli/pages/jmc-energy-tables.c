/* jmc-energy-tables.c: a job's energy and emissions in tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-job-tables.h"

#include "core/jm-derived.h"
#include "jmc-figure-cell.h"

/* --- energy --- */

static void
add_labelled (JmTextTable *table,
              JmSnapshot *snapshot,
              guint subject,
              const char *name,
              JmLabels *labels,
              JmFormat format)
{
  const JmQuantity *quantity = jm_snapshot_find_quantity (snapshot, subject, name);

  jmc_figure_cell_add (table, jm_figure_of_label (snapshot, subject, quantity, labels),
                       format);
}

static void
add_whole (JmTextTable *table,
           JmSnapshot *snapshot,
           guint subject,
           const char *name,
           JmFormat format)
{
  jmc_figure_cell_add (table, jm_figure_of_name (snapshot, subject, name), format);
}

/* For how long it was known, and what share of the job's life that is. */
static char *
format_covered (JmFigure covered, JmFigure age)
{
  g_autofree char *time = jm_figure_format (covered, JM_FORMAT_DURATION);
  g_autofree char *share =
    jm_figure_format (jm_derived_compute_coverage (covered, age), JM_FORMAT_PERCENT);

  if (share == NULL)
    return g_steal_pointer (&time);

  return g_strdup_printf ("%s, %s of its life", time, share);
}

static void
add_domain (JmTextTable *table,
            JmSnapshot *snapshot,
            guint subject,
            JmLabels *labels,
            gboolean is_over)
{
  JmFigure age = jm_derived_get_age (snapshot, subject);
  const JmQuantity *energy =
    jm_snapshot_find_quantity (snapshot, subject, "energy_joules");
  JmFigure covered =
    jm_figure_of_label (snapshot, subject,
                        jm_snapshot_find_quantity (snapshot, subject,
                                                   "energy_covered_seconds"),
                        labels);

  jm_text_table_add (table, jm_quantity_find_label (energy, labels, "domain"));
  add_labelled (table, snapshot, subject, "energy_joules", labels, JM_FORMAT_JOULES);
  if (!is_over)
    add_labelled (table, snapshot, subject, "power_watts", labels, JM_FORMAT_WATTS);
  jm_text_table_add (table, jm_quantity_find_label (energy, labels, "quality"));
  jm_text_table_take (table, format_covered (covered, age));
}

/* Domains do not overlap. */
static void
add_sum (JmTextTable *table, JmSnapshot *snapshot, guint subject, gboolean is_over)
{
  jm_text_table_add (table, "all");
  add_whole (table, snapshot, subject, "energy_joules", JM_FORMAT_JOULES);
  if (!is_over)
    add_whole (table, snapshot, subject, "power_watts", JM_FORMAT_WATTS);
  jm_text_table_add (table, "");
  jm_text_table_add (table, "");
}

/* A row for each domain, and one for all if there are several; no rows where no energy
 * is known. What is over takes nothing now. */
JmTextTable *
jmc_energy_tables_make_energy (JmSnapshot *snapshot, guint subject, gboolean is_over)
{
  static const JmTextColumn columns[] = {
    { "DOMAIN", JM_TEXT_ALIGN_LEFT }, { "ENERGY", JM_TEXT_ALIGN_RIGHT },
    { "NOW", JM_TEXT_ALIGN_RIGHT },   { "QUALITY", JM_TEXT_ALIGN_LEFT },
    { "KNOWN", JM_TEXT_ALIGN_LEFT },
  };
  static const JmTextColumn columns_of_what_is_over[] = {
    { "DOMAIN", JM_TEXT_ALIGN_LEFT },
    { "ENERGY", JM_TEXT_ALIGN_RIGHT },
    { "QUALITY", JM_TEXT_ALIGN_LEFT },
    { "KNOWN", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (GPtrArray) domains =
    jm_snapshot_list_labels (snapshot, subject,
                             jm_snapshot_find_quantity (snapshot, subject,
                                                        "energy_joules"));
  JmTextTable *table = is_over
                         ? jm_text_table_new (columns_of_what_is_over,
                                              G_N_ELEMENTS (columns_of_what_is_over))
                         : jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < domains->len; i++)
    add_domain (table, snapshot, subject, domains->pdata[i], is_over);
  if (domains->len > 1)
    add_sum (table, snapshot, subject, is_over);

  return table;
}

/* --- emissions --- */

static void
add_quality (JmTextTable *table,
             JmSnapshot *snapshot,
             guint subject,
             const char *name,
             const char *title,
             const char *quality)
{
  g_autoptr (JmLabels) labels = jm_labels_of (quality, NULL);
  JmFigure figure =
    jm_figure_of_label (snapshot, subject,
                        jm_snapshot_find_quantity (snapshot, subject, name), labels);
  g_autofree char *words = NULL;

  if (!figure.is_known)
    return;

  words = g_strdup_printf ("%s%s energy", title, quality);
  add_labelled (table, snapshot, subject, name, labels, JM_FORMAT_GRAMS);
  jm_text_table_take (table, g_steal_pointer (&words));
}

static void
add_factor (JmTextTable *table, JmSnapshot *snapshot, guint subject, JmLabels *labels)
{
  const char *name = "emissions_by_factor_grams";
  const JmQuantity *quantity = jm_snapshot_find_quantity (snapshot, subject, name);

  add_labelled (table, snapshot, subject, name, labels, JM_FORMAT_GRAMS);
  jm_text_table_take (table,
                      g_strdup_printf ("by %s of %s: %s, %s, %s",
                                       jm_quantity_find_label (quantity, labels,
                                                               "provider"),
                                       jm_quantity_find_label (quantity, labels,
                                                               "zone"),
                                       jm_quantity_find_label (quantity, labels,
                                                               "method"),
                                       jm_quantity_find_label (quantity, labels,
                                                               "scope"),
                                       jm_quantity_find_label (quantity, labels,
                                                               "factor_quality")));
}

/* A row for each kind of energy that emitted, then for each factor that it was reckoned
 * with; no rows where nothing is known. */
JmTextTable *
jmc_energy_tables_make_emissions (JmSnapshot *snapshot, guint subject)
{
  static const JmTextColumn columns[] = {
    { NULL, JM_TEXT_ALIGN_RIGHT },
    { NULL, JM_TEXT_ALIGN_LEFT },
  };
  static const struct
  {
    const char *name;
    const char *title;
  } methods[] = {
    { "emissions_grams", "from " },
    { "marginal_emissions_grams", "marginal, from " },
  };
  g_autoptr (GPtrArray) factors =
    jm_snapshot_list_labels (snapshot, subject,
                             jm_snapshot_find_quantity (snapshot, subject,
                                                        "emissions_by_factor_grams"));
  JmTextTable *table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      add_quality (table, snapshot, subject, methods[i].name, methods[i].title,
                   JM_QUALITY_MEASURED);
      add_quality (table, snapshot, subject, methods[i].name, methods[i].title,
                   JM_QUALITY_ESTIMATED);
    }
  for (guint i = 0; i < factors->len; i++)
    add_factor (table, snapshot, subject, factors->pdata[i]);

  return table;
}
