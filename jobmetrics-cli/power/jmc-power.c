/* jmc-power.c: jobmetrics-cli power: what a node takes, and who takes it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <string.h>
#include <unistd.h>

#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-figure.h"
#include "core/jm-format.h"
#include "core/jm-snapshot.h"
#include "doctor/jm-doctor.h"
#include "jmc-figure-cell.h"
#include "jmc-options.h"
#include "jmc-watch.h"
#include "pages/jmc-doctor-page.h"
#include "registry/jm-registry.h"
#include "report/jm-power-split.h"

/* A domain of a source, such as a processor; both figures may be unknown. */
typedef struct
{
  char *name;
  JmFigure watts;
  JmFigure joules; /* since the node was opened */
} Domain;

/* Source:
 * @name: what it is called
 * @is_up: whether it answered
 * @is_estimate: whether it measures nothing
 * @age: seconds since it did, of one that is asked in the background
 * @reason: why it is down, or NULL
 * @domains: of Domain */
typedef struct
{
  char *name;
  gboolean is_up;
  gboolean is_estimate;
  JmFigure age;
  char *reason;
  GPtrArray *domains;
} Source;

/* The one that reckons with a table. */
#define ESTIMATE "estimate"

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

#define TOPICS "power."

#define DEFAULT_INTERVAL 1.0
#define MIN_INTERVAL 0.1
#define MAX_INTERVAL 3600.0

/* Who has done what is needed for the split. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_PROCESS,        \
                   JM_COLLECTOR_POWER)

typedef struct
{
  JmcOptions options;
  JmcWatch watch;
  double interval;
  JmSnapshot *before;
  JmPowerSplit *split;
  JmNode *node;
  gboolean is_any_up;
} Power;

/* --- sources --- */

static void
domain_free (gpointer data)
{
  Domain *self = data;

  g_free (self->name);
  g_free (self);
}

static void
source_free (gpointer data)
{
  Source *self = data;

  g_free (self->name);
  g_free (self->reason);
  g_ptr_array_unref (self->domains);
  g_free (self);
}

static JmFigure
get_figure (JmSnapshot *snapshot, const char *name, JmLabels *labels)
{
  return jm_figure_of_label (snapshot, JM_NODE_SUBJECT,
                             jm_quantity_of_subject (JM_SUBJECT_KIND_NODE, name),
                             labels);
}

static Domain *
find_domain (Source *self, const char *name)
{
  Domain *domain;

  for (guint i = 0; i < self->domains->len; i++)
    {
      domain = self->domains->pdata[i];
      if (g_str_equal (domain->name, name))
        return domain;
    }

  domain = g_new0 (Domain, 1);
  domain->name = g_strdup (name);
  g_ptr_array_add (self->domains, domain);

  return domain;
}

static void
read_domains (Source *self, JmSnapshot *snapshot, const char *name)
{
  const JmQuantity *quantity = jm_quantity_of_subject (JM_SUBJECT_KIND_NODE, name);
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, quantity);

  for (guint i = 0; i < all->len; i++)
    {
      JmLabels *labels = all->pdata[i];
      Domain *domain;

      if (!g_str_equal (jm_quantity_find_label (quantity, labels, "source"),
                        self->name))
        continue;

      domain = find_domain (self, jm_quantity_find_label (quantity, labels, "domain"));
      if (g_str_equal (name, "power_watts"))
        domain->watts = get_figure (snapshot, name, labels);
      else
        domain->joules = get_figure (snapshot, name, labels);
    }
}

/* Why it does not answer, as the node has it. */
static char *
find_reason (const char *name, const GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      JmSourceInfo *info = infos->pdata[i];
      const GError *error = jm_source_info_get_error (info);

      if (jm_source_info_get_kind (info) == JM_SOURCE_KIND_POWER && error != NULL &&
          g_str_equal (jm_source_info_get_name (info), name))
        return g_strdup (error->message);
    }

  return NULL;
}

static Source *
read_source (JmLabels *labels, JmSnapshot *snapshot, const GPtrArray *infos)
{
  const char *name = jm_labels_get_value (labels, 0);
  Source *self = g_new0 (Source, 1);

  self->name = g_strdup (name);
  self->is_up = get_figure (snapshot, "power_source_up", labels).value > 0;
  self->is_estimate = g_str_equal (name, ESTIMATE);
  self->age = get_figure (snapshot, "power_source_age_seconds", labels);
  self->reason = find_reason (name, infos);
  self->domains = g_ptr_array_new_with_free_func (domain_free);
  read_domains (self, snapshot, "energy_joules");
  read_domains (self, snapshot, "power_watts");

  return self;
}

/* All that the node has, of Source; @infos, of JmSourceInfo, is how they fare; in the
 * order in which they are read. */
static GPtrArray *
list_sources (JmSnapshot *snapshot, const GPtrArray *infos)
{
  GPtrArray *sources = g_ptr_array_new_with_free_func (source_free);
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT,
                             jm_quantity_of_subject (JM_SUBJECT_KIND_NODE,
                                                     "power_source_up"));

  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (sources, read_source (all->pdata[i], snapshot, infos));

  return sources;
}

/* --- for people --- */

static void
append_table (GString *text, const char *title, JmTextTable *table, gboolean color)
{
  g_autofree char *lines = NULL;

  jm_text_table_set_indent (table, INDENT);
  lines = jm_text_table_render (table, 0, FALSE);
  g_string_append_printf (text, "%s%s%s%s\n%s", text->len > 0 ? "\n" : "",
                          color ? BOLD : "", title, color ? PLAIN : "", lines);
}

static void
add_figure (JmTextTable *table, JmFigure figure, gboolean is_estimate, JmFormat format)
{
  figure.is_estimated = is_estimate;
  jmc_figure_cell_add (table, figure, format);
}

static void
add_domain (JmTextTable *table, const Source *source, const Domain *domain)
{
  const JmFigure unknown = { 0 };

  jm_text_table_add (table, source->name);
  jm_text_table_add (table, source->is_up ? "up" : "down");
  jm_text_table_take (table, jm_figure_format (source->age, JM_FORMAT_DURATION));
  jm_text_table_add (table, domain != NULL ? domain->name : NULL);
  add_figure (table, domain != NULL ? domain->watts : unknown, source->is_estimate,
              JM_FORMAT_WATTS);
  add_figure (table, domain != NULL ? domain->joules : unknown, source->is_estimate,
              JM_FORMAT_JOULES);
}

static void
append_sources (GString *text, GPtrArray *sources, gboolean color)
{
  static const JmTextColumn columns[] = {
    { "SOURCE", JM_TEXT_ALIGN_LEFT }, { "STATE", JM_TEXT_ALIGN_LEFT },
    { "AGE", JM_TEXT_ALIGN_RIGHT },   { "DOMAIN", JM_TEXT_ALIGN_LEFT },
    { "WATTS", JM_TEXT_ALIGN_RIGHT }, { "ENERGY", JM_TEXT_ALIGN_RIGHT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < sources->len; i++)
    {
      const Source *source = sources->pdata[i];

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
      const Source *source = sources->pdata[i];
      g_autofree char *safe =
        source->reason != NULL ? jm_safe_text_make (source->reason) : NULL;

      if (safe != NULL)
        g_string_append_printf (text, "  %s: %s\n", source->name, safe);
    }
}

static void
add_watts (JmTextTable *table, JmFigure watts)
{
  jmc_figure_cell_add (table, watts, JM_FORMAT_WATTS);
}

static void
append_split (GString *text, JmPowerSplit *split, gboolean color)
{
  static const JmTextColumn columns[] = {
    { "DOMAIN", JM_TEXT_ALIGN_LEFT },  { "JOBS", JM_TEXT_ALIGN_RIGHT },
    { "SYSTEM", JM_TEXT_ALIGN_RIGHT }, { "IDLE", JM_TEXT_ALIGN_RIGHT },
    { "ALL", JM_TEXT_ALIGN_RIGHT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));
  guint n_rows = jm_power_split_get_n_rows (split);

  for (guint i = 0; i < n_rows; i++)
    {
      jm_text_table_add (table, jm_power_split_get_domain (split, i));
      for (guint j = 0; j < G_N_ELEMENTS (takers); j++)
        add_watts (table, jm_power_split_get_figure (split, i, takers[j].kind));
    }

  if (n_rows > 1)
    {
      jm_text_table_add (table, "all");
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
      const Source *source = sources->pdata[i];

      if (source->is_estimate && source->is_up)
        return TRUE;
    }

  return FALSE;
}

/* What each source measures, why it does not, and who takes it. */
static void
append_page (GString *text, GPtrArray *sources, JmPowerSplit *split, gboolean color)
{
  if (sources->len > 0)
    append_sources (text, sources, color);
  append_reasons (text, sources);
  if (jm_power_split_get_n_rows (split) > 0)
    append_split (text, split, color);
  if (has_estimate (sources) || is_split_estimated (split))
    g_string_append (text, "\n" JM_FIGURE_ESTIMATE_LEGEND "\n");
}

/* --- for programs --- */

static void
encode_figure (JmJsonWriter *json, const char *name, JmFigure figure)
{
  if (figure.is_known)
    jm_json_writer_add_double (json, name, figure.value);
}

static void
encode_source (JmJsonWriter *json, const Source *source)
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
      const Domain *domain = source->domains->pdata[i];

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
static void
append_json (GString *text, GPtrArray *sources, JmPowerSplit *split, gboolean pretty)
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

/* --- options --- */

static void
power_clear (Power *self)
{
  jmc_options_clear (&self->options);
  jmc_watch_clear (&self->watch);
  g_clear_pointer (&self->before, jm_snapshot_unref);
  g_clear_pointer (&self->split, jm_power_split_unref);
  g_clear_object (&self->node);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Power, power_clear)

static gboolean
check_interval (Power *self)
{
  /* written so that what is no number is refused as well */
  if (self->interval >= MIN_INTERVAL && self->interval <= MAX_INTERVAL)
    {
      self->options.metering.lead_us = (gint64) (self->interval * G_USEC_PER_SEC);
      return TRUE;
    }

  jmc_output_complain ("--interval=%g: not from %g to %g seconds", self->interval,
                       MIN_INTERVAL, MAX_INTERVAL);

  return FALSE;
}

static GOptionGroup *
make_group (Power *self)
{
  const GOptionEntry entries[] = {
    { "interval", 0, 0, G_OPTION_ARG_DOUBLE, &self->interval,
      "Time over which is measured (default 1)", "SECONDS" },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "jobs", "gpus", "power",
                            "sharing", NULL);

  jmc_options_add_entries (group, entries);
  jmc_watch_add_entries (&self->watch, group);

  return group;
}

static gboolean
parse (Power *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = jmc_watch_copy_arguments (argc, argv);

  g_option_context_set_summary (
    context,
    "Shows the power that each source of this node measures, and its share of jobs,\n"
    "system and idle. The exit status is 1 if no source could be read.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse_strv (&self->options, context, &arguments))
    return FALSE;

  if (arguments[1] != NULL)
    {
      jmc_output_complain ("%s: power takes no arguments", arguments[1]);
      return FALSE;
    }
  self->watch.is_stream = self->options.json;

  return jmc_options_check (&self->options) && check_interval (self) &&
         jmc_watch_parse (&self->watch);
}

/* --- output --- */

static gboolean
is_any_up (GPtrArray *sources)
{
  for (guint i = 0; i < sources->len; i++)
    {
      const Source *source = sources->pdata[i];

      if (source->is_up)
        return TRUE;
    }

  return FALSE;
}

static void
keep (JmSnapshot *snapshot, gpointer data)
{
  Power *self = data;

  g_clear_pointer (&self->before, jm_snapshot_unref);
  self->before = jm_snapshot_ref (snapshot);
}

static void
begin (JmNode *node, gpointer data)
{
  Power *self = data;

  self->node = g_object_ref (node);
}

/* A snapshot may be drawn again, in a window of another size, and is split as before.
 */
static void
split (Power *self, JmSnapshot *snapshot)
{
  if (self->split != NULL &&
      jm_snapshot_get_time (snapshot) == jm_snapshot_get_time (self->before))
    return;

  g_clear_pointer (&self->split, jm_power_split_unref);
  self->split = jm_power_split_new (self->before, snapshot);
  keep (snapshot, self);
}

static gboolean
draw (JmSnapshot *snapshot, gboolean is_page, GString *text, gpointer data)
{
  Power *self = data;
  g_autoptr (GPtrArray) infos = jm_node_list_sources (self->node);
  g_autoptr (GPtrArray) sources = list_sources (snapshot, infos);
  g_autoptr (GString) page = g_string_new (NULL);

  split (self, snapshot);
  self->is_any_up = is_any_up (sources);
  if (self->options.json)
    append_json (page, sources, self->split, self->watch.text == NULL);
  else
    append_page (page, sources, self->split,
                 jmc_output_has_color (self->options.color, STDOUT_FILENO));
  g_string_append (text, page->str);

  return TRUE;
}

/* --- where there is nothing --- */

/* What doctor has to say of power. */
static GPtrArray *
examine (const JmcOptions *options)
{
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (GPtrArray) findings =
    jm_doctor_examine (host, jmc_options_get_list (options, "schedulers"),
                       jmc_options_get_text (options, "node.name"),
                       options->metering.sources, NULL, NULL);
  GPtrArray *chosen =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);

  for (guint i = 0; i < findings->len; i++)
    {
      JmFinding *finding = findings->pdata[i];

      if (g_str_has_prefix (jm_finding_get_topic (finding), TOPICS) &&
          jm_finding_get_severity (finding) != JM_SEVERITY_GOOD)
        g_ptr_array_add (chosen, jm_finding_ref (finding));
    }

  return chosen;
}

static void
print_findings (const JmcOptions *options)
{
  g_autoptr (GPtrArray) findings = examine (options);
  const JmcDoctorStyle style = {
    .width = jmc_output_get_width (STDERR_FILENO),
    .color = jmc_output_has_color (options->color, STDERR_FILENO),
    .unicode = g_get_charset (NULL),
  };
  g_autofree char *text = jmc_doctor_page_render (findings, &style);

  jmc_output_complain ("no power source of this node could be read");
  g_printerr ("%s", text);
}

int
jmc_power_main (int argc, char **argv)
{
  g_auto (Power) self = { .interval = DEFAULT_INTERVAL,
                          .options.metering.meters = JMC_METERS_SOURCES };
  const JmcView view = { draw, NULL, &self, keep, begin };
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  status =
    jmc_watch_run (&self.watch, &self.options, JM_SUBJECT_KIND_JOB, COLLECTORS, &view);
  if (status != JMC_EXIT_OK || self.is_any_up)
    return status;

  print_findings (&self.options);

  return JMC_EXIT_FAILURE;
}
