/* jmc-webhook.h: messages to chats and programs of users' own choice
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/types.h>

#include "jmc-options.h"

G_BEGIN_DECLS

/* The form in which a receiver expects its messages. */
typedef enum
{
  JMC_WEBHOOK_JSON,
  JMC_WEBHOOK_SLACK,
  JMC_WEBHOOK_TEAMS,
  JMC_WEBHOOK_MATTERMOST,
  JMC_WEBHOOK_MATRIX,
} JmcWebhookFormat;

/* What a message is about. */
typedef enum
{
  JMC_WEBHOOK_END = 1 << 0,   /* the end of a run */
  JMC_WEBHOOK_ALERT = 1 << 1, /* advice on running jobs */
} JmcWebhookEvents;

/* JmcWebhook:
 * @url: of the receiver; of Matrix, its server
 * @token: secret that the receiver expects, or NULL
 * @room: of Matrix, else NULL
 *
 * A section of a user's file. */
typedef struct
{
  char *name;
  JmcWebhookFormat format;
  JmcWebhookEvents events;
  char *url;
  char *token;
  char *room;
} JmcWebhook;

/* JmcWebhookMessage:
 * @cluster, @job: NULL where they are not known, or the message is about several
 * @subject: one line
 *
 * Text may be any bytes. */
typedef struct
{
  JmcWebhookEvents event;
  const char *user;
  const char *cluster;
  const char *job;
  const char *subject;
  const char *text;
} JmcWebhookMessage;

/* The webhooks in the first sections of a file of a user, of JmcWebhook, and why others
 * are left out, of strings. Root reads the file with the rights of @uid and @gid alone.
 *
 * Errors: `ABSENT`, `DENIED` as the system says; `INVALID` where it is a link, has
 * another owner, can be changed by others or is too long; `UNAVAILABLE` where the file
 * system does not answer. */
GPtrArray *jmc_webhook_read_file (const char *path,
                                  uid_t uid,
                                  gid_t gid,
                                  GPtrArray *refused,
                                  GError **error);

/* The body of a request. No receiver takes any part of the text for a link, a mention
 * or an instruction. */
char *jmc_webhook_make_body (JmcWebhookFormat format, const JmcWebhookMessage *message);

/* Sends messages to webhooks of users, one after the other. */
typedef struct _JmcWebhookSender JmcWebhookSender;

/* By the settings of `[mail]`, which outlive it. */
JmcWebhookSender *jmc_webhook_sender_new (const JmcOptions *options);
void jmc_webhook_sender_free (JmcWebhookSender *self);

/* Sends a message to those webhooks of its user that are about such an event, and
 * reports each failure in a line. Returns whether one of them received it. */
gboolean jmc_webhook_sender_send (JmcWebhookSender *self,
                                  const JmcWebhookMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcWebhookSender, jmc_webhook_sender_free)

G_END_DECLS
