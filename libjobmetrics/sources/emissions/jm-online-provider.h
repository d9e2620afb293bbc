/* jm-online-provider.h: a provider that is asked over the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

#define JM_TYPE_ONLINE_PROVIDER (jm_online_provider_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmOnlineProvider,
                          jm_online_provider,
                          JM,
                          ONLINE_PROVIDER,
                          JmSource)

/**
 * JmOnlineProviderClass:
 * @parent_class: the parent class
 * @default_url: where the service is, without a slash at its end
 *
 * The class of providers that are asked over the network.
 *
 * Since: 0.1
 */
struct _JmOnlineProviderClass
{
  JmSourceClass parent_class;

  const char *default_url;

  gpointer padding[4];
};

JM_AVAILABLE_IN_ALL
const char *jm_online_provider_get_url (JmOnlineProvider *self);

G_END_DECLS
