/* jm-delivery-private.h: hands texts and batches over to a server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How servers are met; what is NULL or 0 is left out or has its default. */
typedef struct
{
  const char *username; /* basic authentication, together with the password */
  const char *password;
  const char *ca_file; /* the system's authorities by default */
  guint timeout_ms;    /* for everything, up to the answer; 30 s by default */
} JmDeliveryPlan;

/* JmDeliveryVerdict:
 * @JM_DELIVERY_DONE: the server has it
 * @JM_DELIVERY_RETRY: no answer, or one that may be another next time: 5xx, 408, 425,
 *   429, and 401, 403, 407, which do not judge what was sent
 * @JM_DELIVERY_REFUSED: the server will never take it, 3xx included
 *
 * The result of a delivery. */
typedef enum
{
  JM_DELIVERY_DONE,
  JM_DELIVERY_RETRY,
  JM_DELIVERY_REFUSED,
} JmDeliveryVerdict;

typedef struct _JmDelivery JmDelivery;

/* Texts are copied. Errors: `INVALID` for a CA file that cannot be used. */
JmDelivery *jm_delivery_new (const JmDeliveryPlan *plan, GError **error);

/* Whoever still waits gets CANCELLED later: cancel what was begun before. */
void jm_delivery_free (JmDelivery *self);

/* http or https, with a host, no user, no query. Errors: `INVALID`. */
gboolean jm_delivery_check_url (const char *url, GError **error);

/* @headers are name, value, ..., NULL, `Content-Type` among them, and lines of text;
 * @body may be NULL. Answers in the thread-default main context. */
void jm_delivery_send_async (JmDelivery *self,
                             const char *method,
                             const char *url,
                             const char *const *headers,
                             GBytes *body,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* @retry_after_ms: (nullable): how long the server asks to wait; 0 if it does not.
 * @error is set unless the verdict is DONE: it names the URL and the first line of the
 * server's answer. G_IO_ERROR_CANCELLED, with RETRY, if the caller gave it up. */
JmDeliveryVerdict
jm_delivery_send_finish (GAsyncResult *result, guint *retry_after_ms, GError **error);

/* What the server answered; the status is 0 where it did not. Of a body that is too
 * long only the beginning. */
typedef struct
{
  guint status;
  const char *text; /* lives as long as the result */
  gsize length;
} JmDeliveryAnswer;

JmDeliveryAnswer jm_delivery_get_answer (GAsyncResult *result);

/* How long to wait after one failure more: twice as long each time up to @max_ms, and
 * any time between half of that and all of it, so that nodes do not come together. */
typedef struct
{
  guint base_ms;
  guint max_ms;
  guint n_failures;
} JmBackOff;

guint jm_back_off_next_ms (JmBackOff *self, guint retry_after_ms);
void jm_back_off_reset (JmBackOff *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDelivery, jm_delivery_free)

G_END_DECLS
