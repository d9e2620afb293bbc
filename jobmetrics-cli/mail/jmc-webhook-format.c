/* jmc-webhook-format.c: messages as chats and programs expect them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-webhook.h"

#include <string.h>

#include "base/jm-json-writer-private.h"
#include "base/jm-safe-text-private.h"

/* Teams takes 28 KiB of JSON, in which each line has some 120 bytes around it. */
#define MAX_TEXT_BYTES 6000
#define MAX_SUBJECT_BYTES 500
#define MAX_LINES 100

/* Printable, in UTF-8 and not too long. */
static char *
make_plain (const char *text, gsize max)
{
  g_autoptr (GString) plain = g_string_new_len (text, strnlen (text, max + 1));

  if (plain->len > max)
    {
      g_string_truncate (plain, max);
      g_string_append (plain, "\n[...]");
    }
  jm_safe_text_make_lines (plain);
  g_string_replace (plain, "\r", "", 0);

  return g_strchomp (g_string_free (g_steal_pointer (&plain), FALSE));
}

/* Markdown is not read between two fences, which the text cannot end. */
static GString *
make_fenced (const char *subject, const char *text)
{
  GString *fenced = g_string_new (NULL);

  g_string_printf (fenced, "%s\n\n%s", subject, text);
  g_string_replace (fenced, "`", "'", 0);
  g_string_prepend (fenced, "```\n");
  g_string_append (fenced, "\n```");

  return fenced;
}

static void
add_json (JmJsonWriter *json,
          const JmcWebhookMessage *message,
          const char *subject,
          const char *text)
{
  jm_json_writer_add_text (json, "event",
                           message->event == JMC_WEBHOOK_END ? "end" : "alert");
  jm_json_writer_add_text (json, "user", message->user);
  jm_json_writer_add_known_text (json, "cluster", message->cluster);
  jm_json_writer_add_known_text (json, "job", message->job);
  jm_json_writer_add_text (json, "subject", subject);
  jm_json_writer_add_text (json, "text", text);
}

/* https://api.slack.com/reference/surfaces/formatting#escaping */
static void
add_slack (JmJsonWriter *json, const char *subject, const char *text)
{
  g_autoptr (GString) fenced = make_fenced (subject, text);

  g_string_replace (fenced, "&", "&amp;", 0);
  g_string_replace (fenced, "<", "&lt;", 0);
  g_string_replace (fenced, ">", "&gt;", 0);
  jm_json_writer_add_text (json, "text", fenced->str);
  jm_json_writer_add_boolean (json, "unfurl_links", FALSE);
  jm_json_writer_add_boolean (json, "unfurl_media", FALSE);
}

static void
add_mattermost (JmJsonWriter *json, const char *subject, const char *text)
{
  g_autoptr (GString) fenced = make_fenced (subject, text);

  jm_json_writer_add_text (json, "text", fenced->str);
}

/* A TextRun has no Markdown: https://adaptivecards.io/explorer/TextRun.html */
static void
add_line (JmJsonWriter *json, const char *line, gboolean is_subject)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "type", "RichTextBlock");
  jm_json_writer_add_text (json, "spacing", is_subject ? "default" : "none");
  jm_json_writer_begin_array (json, "inlines");
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "type", "TextRun");
  jm_json_writer_add_text (json, is_subject ? "weight" : "fontType",
                           is_subject ? "bolder" : "monospace");
  jm_json_writer_add_text (json, "text", *line != '\0' ? line : " ");
  jm_json_writer_end_object (json);
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

static void
add_card (JmJsonWriter *json, const char *subject, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", MAX_LINES + 1);

  if (g_strv_length (lines) > MAX_LINES)
    {
      g_free (lines[MAX_LINES]);
      lines[MAX_LINES] = g_strdup ("[...]");
    }
  jm_json_writer_add_text (json, "$schema",
                           "http://adaptivecards.io/schemas/adaptive-card.json");
  jm_json_writer_add_text (json, "type", "AdaptiveCard");
  jm_json_writer_add_text (json, "version", "1.4");
  jm_json_writer_begin_array (json, "body");
  add_line (json, subject, TRUE);
  for (char **line = lines; *line != NULL; line++)
    add_line (json, *line, FALSE);
  jm_json_writer_end_array (json);
}

static void
add_teams (JmJsonWriter *json, const char *subject, const char *text)
{
  jm_json_writer_add_text (json, "type", "message");
  jm_json_writer_begin_array (json, "attachments");
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "contentType",
                           "application/vnd.microsoft.card.adaptive");
  jm_json_writer_begin_object (json, "content");
  add_card (json, subject, text);
  jm_json_writer_end_object (json);
  jm_json_writer_end_object (json);
  jm_json_writer_end_array (json);
}

/* A body without a formatted_body is plain; nobody is mentioned:
 * https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions */
static void
add_matrix (JmJsonWriter *json, const char *subject, const char *text)
{
  g_autofree char *body = g_strconcat (subject, "\n\n", text, NULL);

  jm_json_writer_add_text (json, "msgtype", "m.notice");
  jm_json_writer_add_text (json, "body", body);
  jm_json_writer_begin_object (json, "m.mentions");
  jm_json_writer_end_object (json);
}

char *
jmc_webhook_make_body (JmcWebhookFormat format, const JmcWebhookMessage *message)
{
  g_autofree char *subject = make_plain (message->subject, MAX_SUBJECT_BYTES);
  g_autofree char *text = make_plain (message->text, MAX_TEXT_BYTES);
  GString *body = g_string_new (NULL);
  JmJsonWriter json = { .out = body };

  g_strdelimit (subject, "\n", ' ');
  jm_json_writer_begin_object (&json, NULL);
  switch (format)
    {
    case JMC_WEBHOOK_JSON:
      add_json (&json, message, subject, text);
      break;
    case JMC_WEBHOOK_SLACK:
      add_slack (&json, subject, text);
      break;
    case JMC_WEBHOOK_TEAMS:
      add_teams (&json, subject, text);
      break;
    case JMC_WEBHOOK_MATTERMOST:
      add_mattermost (&json, subject, text);
      break;
    case JMC_WEBHOOK_MATRIX:
      add_matrix (&json, subject, text);
      break;
    default:
      g_assert_not_reached ();
    }
  jm_json_writer_end_object (&json);

  return g_string_free (body, FALSE);
}
