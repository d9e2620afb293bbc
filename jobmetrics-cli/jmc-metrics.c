/* jmc-metrics.c: jobmetrics-cli metrics: one scrape without a daemon
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "expose/jm-text-encoder.h"
#include "jmc-metric-choice.h"
#include "jmc-options.h"
#include "jmc-snapshot.h"
#include "registry/jm-registry.h"

typedef enum
{
  FORM_PROMETHEUS,
  FORM_OPENMETRICS,
  FORM_JSON,
} Form;

typedef struct
{
  JmcOptions options;
  Form form;
  JmSubjectKind level;
  char **collect;
  char **exclude;
  JmcMetricChoice choice;
  JmCollectorSet collectors;
} Metrics;

static void
metrics_clear (Metrics *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->collect, g_strfreev);
  g_clear_pointer (&self->exclude, g_strfreev);
  jmc_metric_choice_clear (&self->choice);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Metrics, metrics_clear)

/* --- options --- */

/* In the order of the forms. */
static const char *const forms[] = { "prometheus", "openmetrics", "json", NULL };

static const JmSetting form_setting = {
  .name = "format",
  .kind = JM_SETTING_CHOICE,
  .argument = "FORMAT",
  .help = "Format of the figures",
  .preset = "prometheus",
  .choices = forms,
};

static GOptionGroup *
make_group (Metrics *self)
{
  const GOptionEntry entries[] = {
    { "collect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->collect,
      "Ask only this collector, several times; help lists them", "NAME" },
    { "exclude", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->exclude,
      "Do not ask this collector, several times", "NAME" },
    { NULL },
  };
  GOptionGroup *group = jmc_options_make_group (&self->options, "host", "jobs", "gpus",
                                                "level", JMC_ENERGY_SETTINGS, NULL);

  jmc_options_add_setting (&self->options, &form_setting, group);
  jmc_options_add_entries (group, entries);
  jmc_metric_choice_add_entries (&self->choice, group);

  return group;
}

static gboolean
parse_collectors (const char *option, char **names, JmCollectorSet *set)
{
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      JmCollector collector;

      if (!jm_collector_from_name (*name, &collector))
        {
          jmc_output_complain ("--%s=%s: no such collector (see --collect=help)",
                               option, *name);
          return FALSE;
        }
      jm_collector_set_add (set, collector);
    }

  return TRUE;
}

static gboolean
choose_collectors (Metrics *self)
{
  g_autoptr (JmCollectorSet) usual = jm_collector_set_new_usual ();
  JmCollectorSet collect = { { 0 } }, exclude = { { 0 } };

  if (!parse_collectors ("collect", self->collect, &collect) ||
      !parse_collectors ("exclude", self->exclude, &exclude))
    return FALSE;

  if (!jm_collector_set_is_empty (&collect) && !jm_collector_set_is_empty (&exclude))
    {
      jmc_output_complain ("--collect and --exclude cannot be combined");
      return FALSE;
    }
  self->collectors = collect;
  if (jm_collector_set_is_empty (&collect))
    self->collectors = *usual;
  jm_collector_set_subtract (&self->collectors, &exclude);

  return TRUE;
}

static gboolean
is_help (const char *const *values)
{
  return values != NULL && g_strcmp0 (values[0], "help") == 0;
}

static gboolean
wants_help (const Metrics *self)
{
  return is_help ((const char *const *) self->collect) ||
         is_help (self->options.metering.sources) ||
         is_help (self->options.metering.providers);
}

static gboolean
parse (Metrics *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Prints the metrics of this node as a scrape "
                                         "would, without a daemon.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  self->form = jm_settings_get_number (self->options.settings, form_setting.name);
  self->level = jm_settings_get_number (self->options.settings, "sample.level");
  if (argc > 1)
    {
      jmc_output_complain ("%s: metrics takes no arguments", argv[1]);
      return FALSE;
    }

  return wants_help (self) ||
         (jmc_options_check (&self->options) && choose_collectors (self) &&
          jmc_metric_choice_check (&self->choice));
}

/* --- output --- */

static char *
encode_text (JmSnapshot *snapshot, JmMetricSelection *selection, JmTextFormat format)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();

  jm_text_encoder_set_selection (encoder, selection);

  return jm_text_encoder_to_string (encoder, snapshot, format);
}

static char *
encode_json (JmSnapshot *snapshot, JmMetricSelection *selection)
{
  g_autoptr (JsonNode) node = jm_json_encode_snapshot (snapshot, selection);
  g_autofree char *json = jm_json_format (node, TRUE);

  return g_strconcat (json, "\n", NULL);
}

static char *
encode (const Metrics *self, JmSnapshot *snapshot)
{
  g_autoptr (JmMetricSelection) selection =
    jmc_metric_choice_get_selection (&self->choice);

  switch (self->form)
    {
    case FORM_JSON:
      return encode_json (snapshot, selection);
    case FORM_OPENMETRICS:
      return encode_text (snapshot, selection, JM_TEXT_FORMAT_OPENMETRICS);
    case FORM_PROMETHEUS:
    default:
      return encode_text (snapshot, selection, JM_TEXT_FORMAT_PROMETHEUS);
    }
}

static int
print_names (JmSourceKind kind)
{
  g_auto (GStrv) names = jm_registry_list_names (kind);
  g_autofree char *text = g_strjoinv ("\n", names);

  jmc_output_print ("NAME\n");
  jmc_output_print (text);
  jmc_output_print ("\n");

  return jmc_output_finish (JMC_EXIT_OK);
}

static int
print_collectors (void)
{
  static const JmTextColumn looks[] = {
    { "NAME", JM_TEXT_ALIGN_LEFT },
    { "WHAT IT READS", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (looks, G_N_ELEMENTS (looks));
  g_autofree char *text = NULL;

  for (guint i = 0; i < JM_N_NODE_COLLECTORS; i++)
    {
      jm_text_table_add (table, jm_collector_get_name (i));
      jm_text_table_add (table, jm_collector_get_help (i));
    }
  text = jm_text_table_render (table, 0, FALSE);
  jmc_output_print (text);

  return jmc_output_finish (JMC_EXIT_OK);
}

static int
print_help (const Metrics *self)
{
  if (is_help ((const char *const *) self->collect))
    return print_collectors ();

  return print_names (is_help (self->options.metering.sources)
                        ? JM_SOURCE_KIND_POWER
                        : JM_SOURCE_KIND_EMISSIONS);
}

/* These formats are UTF-8 whatever the locale says. Programs get names as they are. */
static void
print (const char *text)
{
  g_autoptr (GString) lines = g_string_new (text);

  if (isatty (STDOUT_FILENO))
    jm_safe_text_make_lines (lines);
  fputs (lines->str, stdout);
}

int
jmc_metrics_main (int argc, char **argv)
{
  g_auto (Metrics) self = { .options.metering.meters = JMC_METERS_FOUND };
  g_autoptr (JmSnapshot) snapshot = NULL;
  g_autofree char *text = NULL;
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  if (wants_help (&self))
    return print_help (&self);

  snapshot = jmc_snapshot_take (&self.options, self.level, &self.collectors, &status);
  if (snapshot == NULL)
    return status;

  text = encode (&self, snapshot);
  print (text);

  return jmc_output_finish (JMC_EXIT_OK);
}
