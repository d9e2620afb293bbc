/* jmc-power-page.c: a node's power on one screen
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "power/jmc-power-page.h"

#include "core/jm-format.h"
#include "core/jm-json-writer-private.h"
#include "core/jm-safe-text-private.h"
#include "jmc-table.h"
#include "power/jmc-power-source.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define INDENT 2

/* Those who take power, in the order of the columns. */
static const struct
{
  JmSubjectKind kind;
  const char *member; /* NULL for what follows from the others */
} takers[] = {
  { JM_SUBJECT_KIND_JOB, "jobs_power_watts" },
  { JM_SUBJECT_KIND_SYSTEM, "system_power_watts" },
  { JM_SUBJECT_KIND_IDLE, "idle_power_watts" },
  { JM_SUBJECT_KIND_NODE, NULL },
};

/* --- for people --- */

static void
append_table (GString *text, const char *title, JmcTable *table, gboolean color)
{
  g_autofree char *lines = NULL;

  jmc_table_set_indent (table, INDENT);
  lines = jmc_table_render (table, 0, FALSE);
  g_string_append_printf (text, "%s%s%s%s\n%s", text->len > 0 ? "\n" : "",
                          color ? BOLD : "", title, color ? PLAIN : "", lines);
}

static void
add_figure (JmcTable *table, JmFigure figure, gboolean is_estimate, JmFormat format)
{
  figure.is_estimated = is_estimate;
  jmc_table_take (table, jm_figure_format (figure, format));
}

static void
add_domain (JmcTable *table, const JmcPowerSource *source, const JmcPowerDomain *domain)
{
  const JmFigure unknown = { 0 };

  jmc_table_add (table, source->name);
  jmc_table_add (table, source->is_up ? "up" : "down");
  jmc_table_take (table, jm_figure_format (source->age, JM_FORMAT_DURATION));
  jmc_table_add (table, domain != NULL ? domain->name : NULL);
  add_figure (table, domain != NULL ? domain->watts : unknown, source->is_estimate,
              JM_FORMAT_WATTS);
  add_figure (table, domain != NULL ? domain->joules : unknown, source->is_estimate,
              JM_FORMAT_JOULES);
}

static void
append_sources (GString *text, GPtrArray *sources, gboolean color)
{
  static const JmcColumn columns[] = {
    { "SOURCE", JMC_ALIGN_LEFT }, { "STATE", JMC_ALIGN_LEFT },
    { "AGE", JMC_ALIGN_RIGHT },   { "DOMAIN", JMC_ALIGN_LEFT },
    { "WATTS", JMC_ALIGN_RIGHT }, { "ENERGY", JMC_ALIGN_RIGHT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < sources->len; i++)
    {
      const JmcPowerSource *source = sources->pdata[i];

      for (guint j = 0; j < source->domains->len; j++)
        add_domain (table, source, source->domains->pdata[j]);
      if (source->domains->len == 0)
        add_domain (table, source, NULL);
    }

  append_table (text, "Sources", table, color);
}

static void
append_reasons (GString *text, GPtrArray *sources)
{
  for (guint i = 0; i < sources->len; i++)
    {
      const JmcPowerSource *source = sources->pdata[i];
      g_autofree char *safe =
        source->reason != NULL ? jm_safe_text_make (source->reason) : NULL;

      if (safe != NULL)
        g_string_append_printf (text, "  %s: %s\n", source->name, safe);
    }
}

static void
add_watts (JmcTable *table, JmFigure watts)
{
  jmc_table_take (table, jm_figure_format (watts, JM_FORMAT_WATTS));
}

static void
append_split (GString *text, JmPowerSplit *split, gboolean color)
{
  static const JmcColumn columns[] = {
    { "DOMAIN", JMC_ALIGN_LEFT },  { "JOBS", JMC_ALIGN_RIGHT },
    { "SYSTEM", JMC_ALIGN_RIGHT }, { "IDLE", JMC_ALIGN_RIGHT },
    { "ALL", JMC_ALIGN_RIGHT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));
  guint n_rows = jm_power_split_get_n_rows (split);

  for (guint i = 0; i < n_rows; i++)
    {
      jmc_table_add (table, jm_power_split_get_domain (split, i));
      for (guint j = 0; j < G_N_ELEMENTS (takers); j++)
        add_watts (table, jm_power_split_get_figure (split, i, takers[j].kind));
    }

  if (n_rows > 1)
    {
      jmc_table_add (table, "all");
      for (guint j = 0; j < G_N_ELEMENTS (takers); j++)
        add_watts (table, jm_power_split_sum_figures (split, takers[j].kind));
    }

  append_table (text, "Who takes it", table, color);
}

static gboolean
is_split_estimated (JmPowerSplit *split)
{
  for (guint i = 0; i < jm_power_split_get_n_rows (split); i++)
    if (jm_power_split_is_estimated (split, i))
      return TRUE;

  return FALSE;
}

static gboolean
has_estimate (GPtrArray *sources)
{
  for (guint i = 0; i < sources->len; i++)
    {
      const JmcPowerSource *source = sources->pdata[i];

      if (source->is_estimate && source->is_up)
        return TRUE;
    }

  return FALSE;
}

/* What each source measures, why it does not, and who takes it. */
void
jmc_power_page_append (GString *text,
                       GPtrArray *sources,
                       JmPowerSplit *split,
                       gboolean color)
{
  if (sources->len > 0)
    append_sources (text, sources, color);
  append_reasons (text, sources);
  if (jm_power_split_get_n_rows (split) > 0)
    append_split (text, split, color);
  if (has_estimate (sources) || is_split_estimated (split))
    g_string_append (text, "\n" JMC_TABLE_ESTIMATE_LEGEND "\n");
}

/* --- for programs --- */

static void
encode_figure (JmJsonWriter *json, const char *name, JmFigure figure)
{
  if (figure.is_known)
    jm_json_writer_add_double (json, name, figure.value);
}

static void
encode_source (JmJsonWriter *json, const JmcPowerSource *source)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_known_text (json, "source", source->name);
  jm_json_writer_add_boolean (json, "power_source_up", source->is_up);
  jm_json_writer_add_boolean (json, "estimated", source->is_estimate);
  encode_figure (json, "power_source_age_seconds", source->age);
  jm_json_writer_add_known_text (json, "reason", source->reason);
  jm_json_writer_begin_array (json, "domains");
  for (guint i = 0; i < source->domains->len; i++)
    {
      const JmcPowerDomain *domain = source->domains->pdata[i];

      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_known_text (json, "domain", domain->name);
      encode_figure (json, "power_watts", domain->watts);
      encode_figure (json, "energy_joules_total", domain->joules);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

static void
encode_row (JmJsonWriter *json, JmPowerSplit *split, guint row)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_known_text (json, "domain",
                                 jm_power_split_get_domain (split, row));
  jm_json_writer_add_text (json, "quality",
                           jm_power_split_is_estimated (split, row)
                             ? JM_QUALITY_ESTIMATED
                             : JM_QUALITY_MEASURED);
  for (guint i = 0; i < G_N_ELEMENTS (takers); i++)
    if (takers[i].member != NULL)
      encode_figure (json, takers[i].member,
                     jm_power_split_get_figure (split, row, takers[i].kind));
  jm_json_writer_end_object (json);
}

/* The same in base units; what is not known is left out. */
void
jmc_power_page_append_json (GString *text,
                            GPtrArray *sources,
                            JmPowerSplit *split,
                            gboolean pretty)
{
  JmJsonWriter json = { .out = text,
                        .layout = pretty ? JM_JSON_PRETTY : JM_JSON_COMPACT };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_begin_array (&json, "sources");
  for (guint i = 0; i < sources->len; i++)
    encode_source (&json, sources->pdata[i]);
  jm_json_writer_end_array (&json);
  jm_json_writer_begin_array (&json, "split");
  for (guint i = 0; i < jm_power_split_get_n_rows (split); i++)
    encode_row (&json, split, i);
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');
}
