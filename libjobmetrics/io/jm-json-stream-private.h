/* jm-json-stream-private.h: JSON of any length, as it comes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

typedef enum
{
  JM_JSON_NULL,
  JM_JSON_BOOLEAN, /* the text is `true` or `false` */
  JM_JSON_NUMBER,  /* the text is as it stands there */
  JM_JSON_STRING,  /* the text is without escapes, and may be no UTF-8 */
} JmJsonKind;

/* Who takes what is read. @depth counts the objects and lists around it: it is 0 of the
 * outermost. @key is that of a member of an object, and empty in a list. */
typedef struct
{
  /* An object or a list begins; FALSE where nothing in it is wanted, of which neither
   * the end is reported then. */
  gboolean (*begin) (gpointer data, guint depth, JmSlice key, gboolean is_list);
  void (*end) (gpointer data, guint depth);
  void (
    *value) (gpointer data, guint depth, JmSlice key, JmJsonKind kind, JmSlice text);
} JmJsonHandler;

/* Reads one JSON value of any length in little memory. Belongs to one thread. */
typedef struct _JmJsonStream JmJsonStream;

JmJsonStream *jm_json_stream_new (const JmJsonHandler *handler, gpointer data);
void jm_json_stream_free (JmJsonStream *self);

/* Some of the text, wherever it was cut. FALSE once it is no JSON, nested deeper than
 * any answer is, or has a text of more than 1 MiB: then nothing more is reported. */
gboolean jm_json_stream_feed (JmJsonStream *self, const char *text, gsize length);

/* At the end of the text; FALSE with `MALFORMED` where it was not one whole value.
 * @name is for the message. */
gboolean jm_json_stream_finish (JmJsonStream *self, const char *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmJsonStream, jm_json_stream_free)

G_END_DECLS
