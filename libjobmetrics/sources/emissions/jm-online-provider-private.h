/* jm-online-provider-private.h: how its kinds ask
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "io/jm-http-private.h"
#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_ONLINE_PROVIDER (jm_online_provider_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmOnlineProvider,
                          jm_online_provider,
                          JM,
                          ONLINE_PROVIDER,
                          JmSource)

/* @parent_class: the parent class
 * @default_url: where the service is, without a slash at its end
 * @method: of all its factors
 * @scope: of all its factors
 *
 * The class of providers that are asked over the network. */
struct _JmOnlineProviderClass
{
  JmSourceClass parent_class;

  const char *default_url;
  JmEmissionMethod method;
  JmEmissionScope scope;

  gpointer padding[4];
};

/* Implements JmEmissionProviderInterface::get_kind by the class. */
gboolean jm_online_provider_get_kind (JmEmissionProvider *self,
                                      JmEmissionMethod *method,
                                      JmEmissionScope *scope);

/* Asks for @path, which comes after the URL of the service. @request says the rest:
 * its own URL, authorities and time-out are not looked at. Errors as jm_http_ask();
 * UNAVAILABLE, too, while the service has asked to be left alone. */
gboolean jm_online_provider_ask (JmOnlineProvider *self,
                                 const char *path,
                                 const JmHttpRequest *request,
                                 JmHttpAnswer *answer,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
