/* jmc-emissions.c: jobmetrics-cli emissions: what electricity emits, and who says so
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-emission-factor.h"
#include "core/jm-format.h"
#include "host/jm-host.h"
#include "jmc-options.h"
#include "registry/jm-registry.h"
#include "sources/emissions/jm-emission-provider.h"

/* Answer:
 * @specification: who was asked, as it was typed
 * @factor: the factor, or NULL
 * @error: why there is none, or NULL */
typedef struct
{
  char *specification;
  JmEmissionFactor *factor;
  GError *error;
} Answer;

#define JOULES_PER_KWH 3.6e6

/* Asks, and waits for the answer. */
static Answer *
answer_get (const char *specification, JmHost *host)
{
  Answer *self = g_new0 (Answer, 1);
  g_autoptr (JmEmissionProvider) provider =
    (JmEmissionProvider *) jm_registry_open (JM_SOURCE_KIND_EMISSIONS, specification,
                                             host, &self->error);

  self->specification = g_strdup (specification);
  if (provider != NULL)
    self->factor = jm_emission_provider_fetch (provider, NULL, &self->error);

  return self;
}

static void
answer_free (Answer *self)
{
  g_free (self->specification);
  g_clear_pointer (&self->factor, jm_emission_factor_unref);
  g_clear_error (&self->error);
  g_free (self);
}

static double
get_age (JmEmissionFactor *factor)
{
  return (double) jm_emission_factor_get_age (factor, g_get_real_time ()) /
         G_USEC_PER_SEC;
}

/* --- for people --- */

/* A factor that is for ever valid has no such moment. */
static char *
format_moment (gint64 moment_us)
{
  return moment_us != 0
           ? jm_format_to_string (JM_FORMAT_TIME, (double) (moment_us / G_USEC_PER_SEC))
           : NULL;
}

static char *
format_age (JmEmissionFactor *factor)
{
  return get_age (factor) > 0
           ? jm_format_to_string (JM_FORMAT_DURATION, get_age (factor))
           : NULL;
}

static void
add_answer (JmTextTable *table, JmEmissionFactor *factor)
{
  jm_text_table_add (table, jm_emission_factor_get_provider (factor));
  jm_text_table_add (table, jm_emission_factor_get_zone (factor));
  jm_text_table_take (table,
                      g_strdup_printf ("%.1f",
                                       jm_emission_factor_get_grams_per_kwh (factor)));
  jm_text_table_add (table, jm_emission_method_get_name (
                              jm_emission_factor_get_method (factor)));
  jm_text_table_add (table, jm_emission_scope_get_name (
                              jm_emission_factor_get_scope (factor)));
  jm_text_table_add (table, jm_emission_quality_get_name (
                              jm_emission_factor_get_quality (factor)));
  jm_text_table_take (table,
                      format_moment (jm_emission_factor_get_valid_from (factor)));
  jm_text_table_take (table,
                      format_moment (jm_emission_factor_get_valid_until (factor)));
  jm_text_table_take (table, format_age (factor));
}

static void
append_table (GString *text, GPtrArray *answers, gboolean color)
{
  static const JmTextColumn columns[] = {
    { "PROVIDER", JM_TEXT_ALIGN_LEFT }, { "ZONE", JM_TEXT_ALIGN_LEFT },
    { "G/KWH", JM_TEXT_ALIGN_RIGHT },   { "METHOD", JM_TEXT_ALIGN_LEFT },
    { "SCOPE", JM_TEXT_ALIGN_LEFT },    { "QUALITY", JM_TEXT_ALIGN_LEFT },
    { "SINCE", JM_TEXT_ALIGN_LEFT },    { "UNTIL", JM_TEXT_ALIGN_LEFT },
    { "AGE", JM_TEXT_ALIGN_RIGHT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *lines = NULL;

  for (guint i = 0; i < answers->len; i++)
    {
      const Answer *answer = answers->pdata[i];

      if (answer->factor != NULL)
        add_answer (table, answer->factor);
    }
  if (jm_text_table_get_n_rows (table) == 0)
    return;

  lines = jm_text_table_render (table, jmc_output_get_width (STDOUT_FILENO), color);
  g_string_append (text, lines);
}

/* A line for each factor, and one for each provider that gave none, with the reason. */
static void
append_page (GString *text, GPtrArray *answers, gboolean color)
{
  append_table (text, answers, color);

  for (guint i = 0; i < answers->len; i++)
    {
      const Answer *answer = answers->pdata[i];
      g_autofree char *line = NULL;
      g_autofree char *safe = NULL;

      if (answer->error == NULL)
        continue;

      line = g_strdup_printf ("%s is down: %s", answer->specification,
                              answer->error->message);
      safe = jm_safe_text_make (line);
      g_string_append_printf (text, "%s\n", safe);
    }
}

/* --- for programs --- */

static void
add_moment (JmJsonWriter *json, const char *name, gint64 moment_us)
{
  if (moment_us != 0)
    jm_json_writer_add_int (json, name, moment_us / G_USEC_PER_SEC);
}

static void
add_factor (JmJsonWriter *json, JmEmissionFactor *factor)
{
  JmEmissionMethod method = jm_emission_factor_get_method (factor);
  JmEmissionScope scope = jm_emission_factor_get_scope (factor);
  JmEmissionQuality quality = jm_emission_factor_get_quality (factor);

  jm_json_writer_add_text (json, "provider", jm_emission_factor_get_provider (factor));
  jm_json_writer_add_text (json, "zone", jm_emission_factor_get_zone (factor));
  jm_json_writer_add_text (json, "method", jm_emission_method_get_name (method));
  jm_json_writer_add_text (json, "scope", jm_emission_scope_get_name (scope));
  jm_json_writer_add_text (json, "quality", jm_emission_quality_get_name (quality));
  jm_json_writer_add_double (json, "emission_factor_grams_per_joule",
                             jm_emission_factor_get_grams_per_kwh (factor) /
                               JOULES_PER_KWH);
  jm_json_writer_add_double (json, "emission_factor_age_seconds", get_age (factor));
  add_moment (json, "valid_from_time", jm_emission_factor_get_valid_from (factor));
  add_moment (json, "valid_until_time", jm_emission_factor_get_valid_until (factor));
}

static void
encode_answer (JmJsonWriter *json, const Answer *answer)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "specification", answer->specification);
  jm_json_writer_add_boolean (json, "emission_provider_up", answer->factor != NULL);
  if (answer->factor != NULL)
    add_factor (json, answer->factor);
  else if (answer->error != NULL)
    jm_json_writer_add_text (json, "reason", answer->error->message);
  jm_json_writer_end_object (json);
}

/* The same in base units; what is not known is left out. */
static void
append_json (GString *text, GPtrArray *answers)
{
  JmJsonWriter json = { .out = text, .layout = JM_JSON_PRETTY };

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_begin_array (&json, "providers");
  for (guint i = 0; i < answers->len; i++)
    encode_answer (&json, answers->pdata[i]);
  jm_json_writer_end_array (&json);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');
}

/* --- the command --- */

static gboolean
parse (JmcOptions *options, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group =
    jmc_options_make_group (options, "output", "path.rootfs", "emissions", NULL);

  g_option_context_set_summary (context, "Asks each provider for its emission factor, "
                                         "and shows the source of its answer.\n"
                                         "The exit status is 1 if none answers.");
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (options, context, &argc, &argv))
    return FALSE;

  if (argc > 1)
    {
      jmc_output_complain ("%s: emissions takes no arguments", argv[1]);
      return FALSE;
    }

  return jmc_options_check (options);
}

/* The answers of Answer, in the order of the providers; NULL, and has
 * reported why, where one is invalid. */
static GPtrArray *
ask_all (const JmcOptions *options)
{
  static const char *const usual[] = { "global", NULL };
  const char *const *specifications = options->metering.providers;
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (GPtrArray) answers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) answer_free);

  if (specifications == NULL)
    specifications = usual;

  for (guint i = 0; specifications[i] != NULL; i++)
    {
      Answer *answer = answer_get (specifications[i], host);

      g_ptr_array_add (answers, answer);
      if (g_error_matches (answer->error, JM_ERROR, JM_ERROR_INVALID))
        {
          jmc_output_complain ("%s", answer->error->message);
          return NULL;
        }
    }

  return g_steal_pointer (&answers);
}

static gboolean
is_any_known (GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      const Answer *answer = answers->pdata[i];

      if (answer->factor != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
print (const JmcOptions *options, GPtrArray *answers)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (options->json)
    {
      append_json (text, answers);
      /* JSON is UTF-8 whatever the locale says */
      fputs (text->str, stdout);
      return;
    }

  append_page (text, answers, jmc_output_has_color (options->color, STDOUT_FILENO));
  jmc_output_print (text->str);
}

int
jmc_emissions_main (int argc, char **argv)
{
  g_auto (JmcOptions) options = { 0 };
  g_autoptr (GPtrArray) answers = NULL;

  if (!parse (&options, argc, argv))
    return JMC_EXIT_USAGE;

  answers = ask_all (&options);
  if (answers == NULL)
    return JMC_EXIT_USAGE;

  print (&options, answers);

  return jmc_output_finish (is_any_known (answers) ? JMC_EXIT_OK : JMC_EXIT_FAILURE);
}
