/* jm-examine-settings.c: whether the sources that a site has configured can work
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <string.h>

#include "collect/jm-registry-private.h"
#include "doctor/jm-power-advice-private.h"
#include "doctor/jm-power-trial-private.h"
#include "sources/emissions/jm-global-provider.h"
#include "sources/jm-secret-file-private.h"
#include "sources/power/jm-command-source.h"
#include "sources/power/jm-ipmi-command-source.h"
#include "sources/power/jm-redfish-source.h"

#define CORRECT_IT                                                                     \
 "Correct the setting; the manual has a page for each family of sources, with "        \
 "settings and rights"
#define NAME_A_COUNTRY                                                                 \
 "--emissions.provider=owid,zone=FR, with your country's code; before it a live one: " \
 "rte, electricity-maps, watttime, uk-carbon-intensity. Or fixed,factor=GRAMS"

static void
tell_bad (JmExamination *self,
          JmTopic topic,
          const char *specification,
          const GError *error)
{
  g_autofree char *name = g_strndup (specification, strcspn (specification, ","));
  const char *advice = jm_power_advise (name, error);

  jm_examination_add (self, topic, JM_SEVERITY_PROBLEM,
                      advice != NULL ? advice : CORRECT_IT, "%s: %s", specification,
                      error->message);
}

/* --- power sources --- */

/* Whether the source begins to ask as soon as it is open, over the network or by a
 * program of the site's. */
static gboolean
goes_out (JmSource *source)
{
  return JM_IS_REDFISH_SOURCE (source) || JM_IS_COMMAND_SOURCE (source) ||
         JM_IS_IPMI_COMMAND_SOURCE (source);
}

static gboolean
check_login (JmSource *source, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  g_object_get (source, "credentials-file", &path, NULL);
  if (path != NULL)
    return jm_secret_file_read_login (jm_source_get_host (source), path, &username,
                                      &password, error);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                       "credentials-file: must be set");

  return FALSE;
}

static gboolean
check_program (JmSource *source, GError **error)
{
  g_autofree char *command = NULL;
  g_autofree char *found = NULL;
  g_auto (GStrv) words = NULL;

  g_object_get (source, "command", &command, NULL);
  if (command == NULL || !g_shell_parse_argv (command, NULL, &words, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "command: not a command line: %s",
                   command != NULL ? command : "");
      return FALSE;
    }

  found = g_find_program_in_path (words[0]);
  if (found == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                 "%s: no such program, or not one that this user may run", words[0]);

  return found != NULL;
}

static void
examine_what_goes_out (JmExamination *self, const char *specification, JmSource *source)
{
  g_autoptr (GError) error = NULL;
  gboolean is_sound = JM_IS_REDFISH_SOURCE (source) ? check_login (source, &error)
                                                    : check_program (source, &error);

  if (is_sound)
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_GOOD, NULL,
                        "%s: has what it needs on this node; nobody was asked",
                        specification);
  else
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, error);
}

static void
try_source (JmExamination *self, const char *specification)
{
  g_auto (JmPowerTrial) trial = { 0 };
  g_autofree char *domains = NULL;

  jm_power_trial_init (&trial, specification, self->host);
  domains = jm_examination_join (trial.domains);
  if (jm_power_trial_has_worked (&trial))
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_GOOD, NULL,
                        "%s: tells %s", specification, domains);
  else if (trial.error != NULL)
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, trial.error);
  else
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_PROBLEM, CORRECT_IT,
                        "%s: tells nothing", specification);
}

static void
examine_source (JmExamination *self, const char *specification)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNamedSource) named =
    jm_registry_make (JM_REGISTRY_POWER, specification, self->host, &error);

  if (named == NULL)
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, error);
  else if (goes_out (named->source))
    examine_what_goes_out (self, specification, named->source);
  else
    try_source (self, specification);
}

/* Whether what is configured works, as far as that shows without asking over the
 * network or running programs. */
void
jm_examine_power_sources (JmExamination *self, const char *const *specifications)
{
  for (guint i = 0; specifications[i] != NULL; i++)
    if (!g_str_equal (specifications[i], JM_REGISTRY_FOUND))
      examine_source (self, specifications[i]);
}

/* --- emission providers --- */

/* A provider that is open has its settings and its token, and has asked nobody. */
static void
examine_provider (JmExamination *self, const char *specification)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNamedSource) named =
    jm_registry_open (JM_REGISTRY_EMISSIONS, specification, self->host, &error);

  if (named == NULL)
    tell_bad (self, JM_TOPIC_EMISSIONS_PROVIDERS, specification, error);
  else
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_GOOD, NULL,
                        "%s: can be asked; nobody was asked", specification);
}

static void
examine_default (JmExamination *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGlobalProvider) provider = jm_global_provider_new (self->host, &error);
  g_autoptr (JmEmissionFactor) factor = NULL;

  if (provider != NULL)
    factor = jm_emission_provider_fetch (JM_EMISSION_PROVIDER (provider), NULL, &error);

  if (factor == NULL)
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_PROBLEM,
                        "Install jobmetrics' data, or name a provider: "
                        "--emissions.provider=",
                        "global: %s", error->message);
  else
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_NOTE,
                        NAME_A_COUNTRY,
                        "No provider of emission factors is configured: grams are "
                        "reckoned with the "
                        "world's average, %.0f g/kWh, wherever this node is",
                        jm_emission_factor_get_grams_per_kwh (factor));
}

/* Whether providers can be asked: they are not, for that is the network's. */
void
jm_examine_emission_providers (JmExamination *self, const char *const *specifications)
{
  if (specifications == NULL)
    {
      examine_default (self);
      return;
    }

  for (guint i = 0; specifications[i] != NULL; i++)
    examine_provider (self, specifications[i]);
}
