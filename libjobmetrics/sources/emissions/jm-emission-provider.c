/* jm-emission-provider.c: who says what electricity emits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-provider.h"

#include "base/jm-error.h"

#define DEFAULT_INTERVAL_SECONDS 900

/**
 * JmEmissionProvider:
 *
 * Provides the emission factor of a kilowatt-hour. A provider is asked again only after
 * its interval; keep the last factor in between.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (JmEmissionProvider, jm_emission_provider, JM_TYPE_SOURCE)

static void
jm_emission_provider_default_init (JmEmissionProviderInterface *iface)
{
}

/**
 * jm_emission_provider_fetch:
 * @self: a provider
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Asks for the factor of the moment, and waits for the answer.
 *
 * - Errors: `UNAVAILABLE` when there is no answer now; `MALFORMED` when the answer
 *   makes no sense; `DENIED` when the provider refuses, such as for a wrong token;
 *   `ABSENT` when it does not know the zone.
 *
 * Returns: (transfer full): the factor
 * Since: 0.1
 */
JmEmissionFactor *
jm_emission_provider_fetch (JmEmissionProvider *self,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_EMISSION_PROVIDER (self), NULL);

  /* A binding that cannot hand on what an implementation raised prints it instead. */
  return JM_EMISSION_PROVIDER_GET_IFACE (self)->fetch (self, cancellable,
                                                       error != NULL ? error
                                                                     : &unwanted);
}

static void
fetch_in_thread (GTask *task,
                 gpointer source,
                 gpointer task_data,
                 GCancellable *cancellable)
{
  GError *error = NULL;
  JmEmissionFactor *factor = jm_emission_provider_fetch (source, cancellable, &error);

  if (factor != NULL)
    g_task_return_pointer (task, factor, (GDestroyNotify) jm_emission_factor_unref);
  else
    g_task_return_error (task, error);
}

/**
 * jm_emission_provider_fetch_async:
 * @self: a provider
 * @cancellable: (nullable): a cancellable
 * @callback: (nullable) (scope async): called when the answer is there
 * @user_data: for @callback
 *
 * Asks for the factor of the moment without waiting; see jm_emission_provider_fetch().
 *
 * Since: 0.1
 */
void
jm_emission_provider_fetch_async (JmEmissionProvider *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (JM_IS_EMISSION_PROVIDER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, jm_emission_provider_fetch_async);
  g_task_run_in_thread (task, fetch_in_thread);
}

/**
 * jm_emission_provider_fetch_finish:
 * @self: a provider
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends what jm_emission_provider_fetch_async() began.
 *
 * Returns: (transfer full): the factor
 * Since: 0.1
 */
JmEmissionFactor *
jm_emission_provider_fetch_finish (JmEmissionProvider *self,
                                   GAsyncResult *result,
                                   GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * jm_emission_provider_get_interval:
 * @self: a provider
 *
 * Gets how often it is of use to ask the provider.
 *
 * Returns: seconds between two questions; 0 if the factor never changes
 * Since: 0.1
 */
guint
jm_emission_provider_get_interval (JmEmissionProvider *self)
{
  JmEmissionProviderInterface *iface;

  g_return_val_if_fail (JM_IS_EMISSION_PROVIDER (self), DEFAULT_INTERVAL_SECONDS);

  iface = JM_EMISSION_PROVIDER_GET_IFACE (self);

  return iface->get_interval != NULL ? iface->get_interval (self)
                                     : DEFAULT_INTERVAL_SECONDS;
}

/**
 * jm_emission_provider_get_kind:
 * @self: a provider
 * @method: (out): the method of its factors
 * @scope: (out): their scope
 *
 * Gets what the factors of a provider are, without asking for one. A sum of emissions
 * has the scope of the first provider of its method; where that is not known, the sum
 * waits for the provider's first answer.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_emission_provider_get_kind (JmEmissionProvider *self,
                               JmEmissionMethod *method,
                               JmEmissionScope *scope)
{
  JmEmissionProviderInterface *iface;

  g_return_val_if_fail (JM_IS_EMISSION_PROVIDER (self), FALSE);

  iface = JM_EMISSION_PROVIDER_GET_IFACE (self);
  *method = JM_EMISSION_METHOD_AVERAGE;
  *scope = JM_EMISSION_SCOPE_UNKNOWN;

  return iface->get_kind != NULL && iface->get_kind (self, method, scope);
}

/**
 * JmEmissionProviderInterface::forecast: (skip)
 *
 * Implements jm_emission_provider_forecast(), in C alone: an array of records cannot be
 * handed over by a binding.
 */

/**
 * jm_emission_provider_forecast:
 * @self: a provider
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Asks for the factors of the moment and of the time to come, and waits for the answer.
 *
 * - Shape: in the order of time.
 * - Errors: `ABSENT` of a provider that has no forecasts; else those of
 *   jm_emission_provider_fetch().
 *
 * Returns: (transfer container) (element-type JmEmissionFactor): the factors
 * Since: 0.1
 */
GPtrArray *
jm_emission_provider_forecast (JmEmissionProvider *self,
                               GCancellable *cancellable,
                               GError **error)
{
  g_autoptr (GError) unwanted = NULL;
  JmEmissionProviderInterface *iface;

  g_return_val_if_fail (JM_IS_EMISSION_PROVIDER (self), NULL);

  iface = JM_EMISSION_PROVIDER_GET_IFACE (self);
  if (iface->forecast == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "the provider has no forecasts here");
      return NULL;
    }

  return iface->forecast (self, cancellable, error != NULL ? error : &unwanted);
}
