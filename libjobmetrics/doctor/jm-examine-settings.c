/* jm-examine-settings.c: whether the sources that a site has configured can work
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "doctor/jm-power-trial-private.h"
#include "host/jm-data-private.h"
#include "host/jm-source-private.h"
#include "registry/jm-registry-private.h"
#include "sources/emissions/jm-emission-types-private.h"

#define NAME_A_COUNTRY                                                                 \
 "--emissions.provider=owid,zone=FR, with your country's code; or a live one: "        \
 "rte, electricity-maps, watttime, uk-carbon-intensity. Or fixed,factor=GRAMS"

/* @source is NULL where the specification is wrong. */
static void
tell_bad (JmExamination *self,
          JmTopic topic,
          const char *specification,
          JmSource *source,
          const GError *error)
{
  jm_examination_add_failure (self, topic, JM_SEVERITY_PROBLEM, specification, source,
                              error, JM_CORRECT_SETTING);
}

/* --- power sources --- */

static void
check_source (JmExamination *self, const char *specification, JmSource *source)
{
  g_autoptr (GError) error = NULL;

  if (jm_source_check (source, &error))
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_GOOD, NULL,
                        "%s: has what it needs on this node; it was not asked",
                        specification);
  else
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, source, error);
}

static void
try_source (JmExamination *self, const char *specification, JmSource *source)
{
  g_autoptr (JmPowerTrial) trial = jm_power_trial_new (specification, source);
  g_autofree char *domains = jm_examination_join (trial->domains);

  if (jm_power_trial_has_worked (trial))
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_GOOD, NULL,
                        "%s: reports %s", specification, domains);
  if (trial->error != NULL)
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, source, trial->error);
  else if (!jm_power_trial_has_worked (trial))
    jm_examination_add (self, JM_TOPIC_POWER_SOURCES, JM_SEVERITY_PROBLEM,
                        JM_CORRECT_SETTING, "%s: reports nothing", specification);
}

static void
examine_source (JmExamination *self, const char *specification)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source =
    jm_registry_make (JM_SOURCE_KIND_POWER, specification, self->host, &error);

  if (source == NULL)
    tell_bad (self, JM_TOPIC_POWER_SOURCES, specification, NULL, error);
  else if (jm_source_reaches_out (source))
    check_source (self, specification, source);
  else
    try_source (self, specification, source);
}

/* Whether what is configured works, as far as that shows without asking over the
 * network or running programs. */
void
jm_examine_power_sources (JmExamination *self, const char *const *specifications)
{
  for (guint i = 0; specifications[i] != NULL; i++)
    if (!g_str_equal (specifications[i], JM_REGISTRY_FOUND) &&
        jm_registry_get_finder (JM_SOURCE_KIND_POWER, specifications[i]) == NULL)
      examine_source (self, specifications[i]);
}

/* --- emission providers --- */

/* Of what never changes the factor is at hand, and the network is not asked. */
static gboolean
find_kind (JmEmissionProvider *provider,
           JmEmissionMethod *method,
           JmEmissionScope *scope)
{
  g_autoptr (JmEmissionFactor) factor = NULL;

  if (jm_emission_provider_get_kind (provider, method, scope))
    return TRUE;
  if (jm_emission_provider_get_interval (provider) == 0)
    factor = jm_emission_provider_fetch (provider, NULL, NULL);
  if (factor == NULL)
    return FALSE;

  *method = jm_emission_factor_get_method (factor);
  *scope = jm_emission_factor_get_scope (factor);

  return TRUE;
}

/* @scopes: by method, one more than that of the first provider; 0 before any. */
static void
examine_open_provider (JmExamination *self,
                       const char *specification,
                       JmEmissionProvider *provider,
                       guint *scopes)
{
  JmEmissionMethod method;
  JmEmissionScope scope;
  gboolean is_known = find_kind (provider, &method, &scope);

  if (is_known && scopes[method] == 0)
    scopes[method] = (guint) scope + 1;

  if (is_known && scopes[method] != (guint) scope + 1)
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_NOTE,
                        "Name a fallback of the scope of the first provider",
                        "%s: never used: its factors are %s, those of the first "
                        "provider %s",
                        specification, jm_emission_scope_get_name (scope),
                        jm_emission_scope_get_name (scopes[method] - 1));
  else
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_GOOD, NULL,
                        "%s: valid settings; the provider was not asked",
                        specification);
}

/* A provider that is open has its settings and its token, and has asked nobody. */
static void
examine_provider (JmExamination *self, const char *specification, guint *scopes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source =
    jm_registry_make (JM_SOURCE_KIND_EMISSIONS, specification, self->host, &error);

  if (source != NULL && g_initable_init (G_INITABLE (source), NULL, &error))
    examine_open_provider (self, specification, JM_EMISSION_PROVIDER (source), scopes);
  else
    tell_bad (self, JM_TOPIC_EMISSIONS_PROVIDERS, specification, source, error);
}

static void
examine_default (JmExamination *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGlobalProvider) provider =
    g_initable_new (JM_TYPE_GLOBAL_PROVIDER, NULL, &error, "host", self->host, NULL);
  g_autoptr (JmEmissionFactor) factor = NULL;

  if (provider != NULL)
    factor = jm_emission_provider_fetch (JM_EMISSION_PROVIDER (provider), NULL, &error);

  if (factor == NULL)
    jm_examination_add (self, JM_TOPIC_EMISSIONS_PROVIDERS, JM_SEVERITY_PROBLEM,
                        "Remove or mend the file, or name a provider: "
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
  guint scopes[2] = { 0 };

  if (specifications == NULL)
    {
      examine_default (self);
      return;
    }

  for (guint i = 0; specifications[i] != NULL; i++)
    examine_provider (self, specifications[i], scopes);
}

/* --- tables --- */

/* Which copy of each table counts: the one that is built in, or the site's. */
void
jm_examine_tables (JmExamination *self)
{
  static const char *const names[] = { "emissions/owid.csv", "power/estimates.ini" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmDataFile) file = jm_data_find (self->host, names[i], &error);
      g_autofree char *copy = file != NULL ? jm_data_file_describe (file) : NULL;

      if (copy != NULL)
        jm_examination_add (self, JM_TOPIC_DATA_TABLES, JM_SEVERITY_GOOD, NULL, "%s",
                            copy);
      else
        jm_examination_add (self, JM_TOPIC_DATA_TABLES, JM_SEVERITY_NOTE,
                            "Remove the file, and the built-in table serves", "%s",
                            error->message);
    }
}
