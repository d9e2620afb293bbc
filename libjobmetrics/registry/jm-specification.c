/* jm-specification.c: sources as administrators write them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "registry/jm-specification.h"

#include "registry/jm-registry-private.h"

/**
 * jm_specification_open_emission_provider:
 * @specification: a name, perhaps with properties, such as `owid,zone=FR`
 * @host: the host
 * @error: return location for an error
 *
 * Opens an emission provider as #JmNode:emission-providers names it.
 *
 * - Errors: `INVALID` when there is no such provider, or a property or its value cannot
 *   be meant; `ABSENT` or `DENIED` when what it needs, such as a table or a token, is
 *   not there or not to be read.
 * - Source: none yet: nobody was asked.
 *
 * Returns: (transfer full): the provider
 * Since: 0.1
 */
JmEmissionProvider *
jm_specification_open_emission_provider (const char *specification,
                                         JmHost *host,
                                         GError **error)
{
  g_return_val_if_fail (specification != NULL, NULL);
  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  return (JmEmissionProvider *) jm_registry_open (JM_SOURCE_KIND_EMISSIONS,
                                                  specification, host, error);
}

/**
 * jm_specification_open_power_source:
 * @specification: a name, perhaps with properties, such as `ipmi,interval=30`
 * @host: the host
 * @error: return location for an error
 *
 * Opens a power source as #JmNode:power-sources names it.
 *
 * - Errors: `INVALID` when there is no such source, or a property or its value cannot
 * be
 *   meant; `ABSENT` when @host has no such meter; `DENIED` when it may not be read.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmPowerSource *
jm_specification_open_power_source (const char *specification,
                                    JmHost *host,
                                    GError **error)
{
  g_return_val_if_fail (specification != NULL, NULL);
  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  return (JmPowerSource *) jm_registry_open (JM_SOURCE_KIND_POWER, specification, host,
                                             error);
}

/**
 * jm_specification_list_names:
 * @kind: what a source is asked for
 *
 * Lists the names with which a specification can begin, the best first.
 *
 * Returns: (transfer full): the names
 * Since: 0.1
 */
char **
jm_specification_list_names (JmSourceKind kind)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < jm_registry_get_n_rows (); i++)
    if (jm_registry_get_row (i)->kind == kind)
      g_strv_builder_add (names, jm_registry_get_row (i)->name);

  return g_strv_builder_end (names);
}
