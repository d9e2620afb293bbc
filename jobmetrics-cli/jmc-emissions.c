/* jmc-emissions.c: jobmetrics-cli emissions: what electricity emits, and who says so
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "core/jm-error.h"
#include "jmc-options.h"
#include "pages/jmc-emission-answer.h"

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

/* The answers of JmcEmissionAnswer, in the order of the providers; NULL, and has
 * reported why, where one cannot be meant. */
static GPtrArray *
ask_all (const JmcOptions *options)
{
  static const char *const usual[] = { "global", NULL };
  const char *const *specifications = options->metering.providers;
  g_autoptr (JmHost) host = jmc_options_make_host (options);
  g_autoptr (GPtrArray) answers =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_emission_answer_free);

  if (specifications == NULL)
    specifications = usual;

  for (guint i = 0; specifications[i] != NULL; i++)
    {
      JmcEmissionAnswer *answer = jmc_emission_answer_get (specifications[i], host);

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
      const JmcEmissionAnswer *answer = answers->pdata[i];

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
      jmc_emission_answer_append_json (text, answers);
      /* JSON is UTF-8 whatever the locale says */
      fputs (text->str, stdout);
      return;
    }

  jmc_emission_answer_append_page (text, answers,
                                   jmc_output_has_color (options->color,
                                                         STDOUT_FILENO));
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
