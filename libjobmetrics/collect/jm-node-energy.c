/* jm-node-energy.c: the meters and providers that a node was told of, or has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-node-energy-private.h"

#include <string.h>

#include "collect/jm-registry-private.h"
#include "core/jm-error.h"

static const char *const default_providers[] = { "global", NULL };

/* A wrong setting is not passed over; a device that is not there, or not to be read,
 * costs its own figures. */
static gboolean
open_one (JmRegistryKind kind,
          const char *specification,
          JmHost *host,
          GPtrArray *sources,
          GPtrArray *problems,
          GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JmNamedSource) named = jm_registry_make (kind, specification, host, error);

  if (named == NULL)
    return FALSE;

  if (!jm_named_source_open (named, &problem))
    {
      if (g_error_matches (problem, JM_ERROR, JM_ERROR_INVALID))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      g_ptr_array_add (problems, g_steal_pointer (&problem));
    }

  /* a meter is tried again; who knows no factor now will not know one later */
  if (named->is_open || kind == JM_REGISTRY_POWER)
    g_ptr_array_add (sources, g_steal_pointer (&named));

  return TRUE;
}

static GPtrArray *
open_all (JmRegistryKind kind,
          const char *const *specifications,
          JmHost *host,
          GPtrArray *problems,
          GError **error)
{
  g_autoptr (GPtrArray) sources =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_named_source_free);

  for (guint i = 0; specifications[i] != NULL; i++)
    if (g_str_equal (specifications[i], JM_REGISTRY_FOUND))
      jm_registry_open_found (kind, host, sources, problems);
    else if (!open_one (kind, specifications[i], host, sources, problems, error))
      return NULL;

  return g_steal_pointer (&sources);
}

JmEnergyAccounts *
jm_node_energy_open (const JmEnergyPlan *plan,
                     JmHost *host,
                     JmMachine *machine,
                     GPtrArray *problems,
                     GError **error)
{
  static const char *const found[] = { JM_REGISTRY_FOUND, NULL };
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GPtrArray) providers = NULL;
  JmEnergyAccounts *accounts;

  sources = open_all (JM_REGISTRY_POWER,
                      plan->power_sources != NULL ? plan->power_sources : found, host,
                      problems, error);
  if (sources == NULL)
    return NULL;

  providers = open_all (JM_REGISTRY_EMISSIONS,
                        plan->emission_providers != NULL ? plan->emission_providers
                                                         : default_providers,
                        host, problems, error);
  if (providers == NULL)
    return NULL;

  accounts = jm_energy_accounts_new (machine, plan->share_idle);
  for (guint i = 0; i < sources->len; i++)
    {
      const JmNamedSource *named = g_ptr_array_index (sources, i);

      jm_energy_accounts_add_source (accounts, named->name,
                                     JM_POWER_SOURCE (named->source), named->is_open);
    }
  for (guint i = 0; i < providers->len; i++)
    {
      const JmNamedSource *named = g_ptr_array_index (providers, i);

      jm_energy_accounts_add_provider (accounts, named->name,
                                       JM_EMISSION_PROVIDER (named->source));
    }

  if (plan->files != NULL)
    jm_energy_accounts_set_files (accounts, plan->files, plan->keeps_files, problems);

  return accounts;
}

/* A language's own part of the type's name, such as a Python module, is cut off. */
static const char *
get_plain_name (JmSource *source)
{
  const char *name = G_OBJECT_TYPE_NAME (source);
  const char *last = strrchr (name, '+');

  return last != NULL ? last + 1 : name;
}

void
jm_node_energy_add (JmEnergyAccounts *accounts, JmSource *source)
{
  const char *name = get_plain_name (source);

  if (JM_IS_POWER_SOURCE (source))
    jm_energy_accounts_add_source (accounts, name, JM_POWER_SOURCE (source), TRUE);
  if (JM_IS_EMISSION_PROVIDER (source))
    jm_energy_accounts_add_provider (accounts, name, JM_EMISSION_PROVIDER (source));
}
