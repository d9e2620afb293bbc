/* jm-online-provider-private.h: how its kinds ask
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "io/jm-http-private.h"
#include "sources/emissions/jm-online-provider.h"

G_BEGIN_DECLS

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
