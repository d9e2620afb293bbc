/* jm-online-provider.c: a provider that is asked over the network
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-online-provider-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-secret-file-private.h"
#include "host/jm-source-private.h"

#define DEFAULT_TIMEOUT_SECONDS 30
#define TIMEOUT_SECONDS_MAX 600

/* A provider that is asked over the network: the abstract class of those that
 * jobmetrics knows. It keeps to `https`, does not follow a redirect to another server,
 * bounds the answer and the time that it takes, and leaves a service alone for as long
 * as that asks for. */
typedef struct
{
  char *url;
  char *ca_file;
  guint timeout_s;

  GMutex mutex;         /* a fetch may run in several threads */
  gint64 not_before_us; /* monotonic */
} JmOnlineProviderPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (JmOnlineProvider,
                                     jm_online_provider,
                                     JM_TYPE_SOURCE)

/* A URL without the slashes at its end. */
static char *
trim_url (const char *url)
{
  gsize length = strlen (url);

  while (length > 0 && url[length - 1] == '/')
    length--;

  return g_strndup (url, length);
}

static gboolean
jm_online_provider_open (JmSource *source, GError **error)
{
  JmOnlineProviderPrivate *priv =
    jm_online_provider_get_instance_private (JM_ONLINE_PROVIDER (source));

  return jm_http_check_url (priv->url, error);
}

static void
jm_online_provider_constructed (GObject *object)
{
  JmOnlineProvider *self = JM_ONLINE_PROVIDER (object);
  JmOnlineProviderPrivate *priv = jm_online_provider_get_instance_private (self);
  JmOnlineProviderClass *klass = JM_ONLINE_PROVIDER_GET_CLASS (self);
  char *given = priv->url;

  G_OBJECT_CLASS (jm_online_provider_parent_class)->constructed (object);

  priv->url = trim_url (given != NULL                ? given
                        : klass->default_url != NULL ? klass->default_url
                                                     : "");
  g_free (given);
}

static void
jm_online_provider_finalize (GObject *object)
{
  JmOnlineProviderPrivate *priv =
    jm_online_provider_get_instance_private (JM_ONLINE_PROVIDER (object));

  g_mutex_clear (&priv->mutex);

  G_OBJECT_CLASS (jm_online_provider_parent_class)->finalize (object);
}

static void
jm_online_provider_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  jm_secret_file_advise (error, advice);
}

static void
jm_online_provider_class_init (JmOnlineProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = jm_online_provider_constructed;
  object_class->finalize = jm_online_provider_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_online_provider_open;
  JM_SOURCE_CLASS (klass)->advise = jm_online_provider_advise;

  /* Where the service is, such as that of a proxy of one's own: `https`, or `http` on
   * this very machine. By default the service's public address. */
  jm_source_class_add_text (object_class, "url",
                            G_PRIVATE_OFFSET (JmOnlineProvider, url), NULL);

  /* A file of certificates (PEM) of the authorities that are trusted, instead of those
   * of the system. */
  jm_source_class_add_text (object_class, "ca-file",
                            G_PRIVATE_OFFSET (JmOnlineProvider, ca_file), NULL);

  /* How long an answer may take altogether, seconds. */
  jm_source_class_add_uint (object_class, "timeout",
                            G_PRIVATE_OFFSET (JmOnlineProvider, timeout_s), 1,
                            TIMEOUT_SECONDS_MAX, DEFAULT_TIMEOUT_SECONDS);
}

static void
jm_online_provider_init (JmOnlineProvider *self)
{
  JmOnlineProviderPrivate *priv = jm_online_provider_get_instance_private (self);

  g_mutex_init (&priv->mutex);
}

static gboolean
check_peace (JmOnlineProviderPrivate *priv, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->mutex);
  gint64 left_us = priv->not_before_us - g_get_monotonic_time ();
  g_autofree char *shown = NULL;

  if (left_us <= 0)
    return TRUE;

  shown = jm_http_get_shown_url (priv->url);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: has asked to be left alone; not asked again for %d s", shown,
               (int) (left_us / G_USEC_PER_SEC) + 1);

  return FALSE;
}

static void
keep_peace (JmOnlineProviderPrivate *priv, guint seconds)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&priv->mutex);

  priv->not_before_us = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
}

gboolean
jm_online_provider_ask (JmOnlineProvider *self,
                        const char *path,
                        const JmHttpRequest *request,
                        JmHttpAnswer *answer,
                        GCancellable *cancellable,
                        GError **error)
{
  JmOnlineProviderPrivate *priv = jm_online_provider_get_instance_private (self);
  g_autofree char *url = g_strconcat (priv->url, path, NULL);
  JmHttpRequest whole = *request;
  gboolean is_answered;

  if (!check_peace (priv, error))
    return FALSE;

  whole.url = url;
  whole.ca_file = priv->ca_file;
  whole.timeout_ms = priv->timeout_s * 1000;
  is_answered = jm_http_ask (&whole, answer, cancellable, error);
  if (!is_answered && answer->retry_after_s > 0)
    keep_peace (priv, answer->retry_after_s);

  return is_answered;
}

gboolean
jm_online_provider_get_kind (JmEmissionProvider *self,
                             JmEmissionMethod *method,
                             JmEmissionScope *scope)
{
  const JmOnlineProviderClass *klass = JM_ONLINE_PROVIDER_GET_CLASS (self);

  *method = klass->method;
  *scope = klass->scope;

  return TRUE;
}
