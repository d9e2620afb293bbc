/* jm-emission-provider.h: who says what electricity emits
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-emission-factor.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_EMISSION_PROVIDER (jm_emission_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmEmissionProvider,
                     jm_emission_provider,
                     JM,
                     EMISSION_PROVIDER,
                     JmSource)

/**
 * JmEmissionProviderInterface:
 * @parent_iface: the parent interface
 * @fetch: see jm_emission_provider_fetch(); called in a thread of its own
 * @get_interval: see jm_emission_provider_get_interval(); may be left out
 * @forecast: see jm_emission_provider_forecast(); may be left out
 * @get_kind: of which method and scope the factors are, before there is one; may be
 *   left out, and then the first answer says it
 *
 * A provider of emission factors of electricity.
 *
 * Since: 0.1
 */
struct _JmEmissionProviderInterface
{
  GTypeInterface parent_iface;

  JmEmissionFactor *(*fetch) (JmEmissionProvider *self,
                              GCancellable *cancellable,
                              GError **error);
  guint (*get_interval) (JmEmissionProvider *self);
  GPtrArray *(*forecast) (JmEmissionProvider *self,
                          GCancellable *cancellable,
                          GError **error);
  gboolean (*get_kind) (JmEmissionProvider *self,
                        JmEmissionMethod *method,
                        JmEmissionScope *scope);

  gpointer padding[4];
};

JM_AVAILABLE_IN_ALL
JmEmissionFactor *jm_emission_provider_fetch (JmEmissionProvider *self,
                                              GCancellable *cancellable,
                                              GError **error);

JM_AVAILABLE_IN_ALL
void jm_emission_provider_fetch_async (JmEmissionProvider *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

JM_AVAILABLE_IN_ALL
JmEmissionFactor *jm_emission_provider_fetch_finish (JmEmissionProvider *self,
                                                     GAsyncResult *result,
                                                     GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_emission_provider_forecast (JmEmissionProvider *self,
                                          GCancellable *cancellable,
                                          GError **error);

JM_AVAILABLE_IN_ALL
guint jm_emission_provider_get_interval (JmEmissionProvider *self);

JM_AVAILABLE_IN_ALL
gboolean jm_emission_provider_get_kind (JmEmissionProvider *self,
                                        JmEmissionMethod *method,
                                        JmEmissionScope *scope);

G_END_DECLS
