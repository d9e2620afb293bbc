/* jm-json-stream.c: JSON of any length, as it comes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "io/jm-json-stream-private.h"

#include <yajl/yajl_parse.h>

#include "base/jm-error.h"

#define DEPTH_MAX 64
#define TEXT_MAX (1 << 20)
/* No key that anybody asks for is longer; what is left of another is no such key. */
#define KEY_MAX 128
#define FEED_MAX (64 * 1024)

struct _JmJsonStream
{
  const JmJsonHandler *handler;
  gpointer data;
  yajl_handle parser;
  guint depth;
  guint skipped; /* objects and lists around it that are not wanted */
  char key[KEY_MAX];
  gsize key_length;
  gboolean has_event;    /* since the last feed */
  gsize n_without_event; /* bytes: a text that does not end */
  guint64 n_bytes;       /* that were read */
  const char *problem;   /* NULL while all is well */
};

static JmSlice
get_key (const JmJsonStream *self)
{
  return (JmSlice){ self->key, self->key_length };
}

/* --- what the parser reports --- */

/* Of a list's elements there is none. */
static void
forget_key (JmJsonStream *self)
{
  self->key_length = 0;
}

static int
begin (JmJsonStream *self, gboolean is_list)
{
  self->has_event = TRUE;
  if (self->depth == DEPTH_MAX)
    {
      self->problem = "it is nested too deep";
      return 0;
    }
  if (self->skipped > 0 ||
      !self->handler->begin (self->data, self->depth, get_key (self), is_list))
    self->skipped++;
  self->depth++;
  forget_key (self);

  return 1;
}

static int
end (gpointer data)
{
  JmJsonStream *self = data;

  self->has_event = TRUE;
  self->depth--;
  if (self->skipped > 0)
    self->skipped--;
  else
    self->handler->end (self->data, self->depth);
  forget_key (self);

  return 1;
}

static int
on_object (gpointer data)
{
  return begin (data, FALSE);
}

static int
on_list (gpointer data)
{
  return begin (data, TRUE);
}

static int
on_key (gpointer data, const guchar *text, size_t length)
{
  JmJsonStream *self = data;

  self->has_event = TRUE;
  if (self->skipped > 0)
    return 1;

  self->key_length = MIN (length, KEY_MAX);
  memcpy (self->key, text, self->key_length);

  return 1;
}

static int
report (JmJsonStream *self, JmJsonKind kind, const char *text, gsize length)
{
  self->has_event = TRUE;
  if (self->skipped > 0)
    return 1;

  self->handler->value (self->data, self->depth, get_key (self), kind,
                        (JmSlice){ text, length });
  forget_key (self);

  return 1;
}

static int
on_null (gpointer data)
{
  return report (data, JM_JSON_NULL, "", 0);
}

static int
on_boolean (gpointer data, int is_true)
{
  const char *text = is_true ? "true" : "false";

  return report (data, JM_JSON_BOOLEAN, text, strlen (text));
}

static int
on_number (gpointer data, const char *text, size_t length)
{
  return report (data, JM_JSON_NUMBER, text, length);
}

static int
on_string (gpointer data, const guchar *text, size_t length)
{
  return report (data, JM_JSON_STRING, (const char *) text, length);
}

static const yajl_callbacks callbacks = {
  .yajl_null = on_null,
  .yajl_boolean = on_boolean,
  .yajl_number = on_number,
  .yajl_string = on_string,
  .yajl_start_map = on_object,
  .yajl_map_key = on_key,
  .yajl_end_map = end,
  .yajl_start_array = on_list,
  .yajl_end_array = end,
};

/* --- the stream --- */

JmJsonStream *
jm_json_stream_new (const JmJsonHandler *handler, gpointer data)
{
  JmJsonStream *self = g_new0 (JmJsonStream, 1);

  self->handler = handler;
  self->data = data;
  self->parser = yajl_alloc (&callbacks, NULL, self);
  /* whoever keeps a text sees to that */
  yajl_config (self->parser, yajl_dont_validate_strings, 1);

  return self;
}

void
jm_json_stream_free (JmJsonStream *self)
{
  yajl_free (self->parser);
  g_free (self);
}

static void
note (JmJsonStream *self, yajl_status status)
{
  if (status != yajl_status_ok && self->problem == NULL)
    self->problem = "it is not JSON";
}

static void
feed (JmJsonStream *self, const char *text, gsize length)
{
  self->has_event = FALSE;
  note (self, yajl_parse (self->parser, (const guchar *) text, length));
  self->n_bytes += length;
  self->n_without_event = self->has_event ? 0 : self->n_without_event + length;
  if (self->n_without_event > TEXT_MAX && self->problem == NULL)
    self->problem = "a text in it is too long";
}

gboolean
jm_json_stream_feed (JmJsonStream *self, const char *text, gsize length)
{
  while (length > 0 && self->problem == NULL)
    {
      gsize n = MIN (length, FEED_MAX);

      feed (self, text, n);
      text += n;
      length -= n;
    }

  return self->problem == NULL;
}

gboolean
jm_json_stream_finish (JmJsonStream *self, const char *name, GError **error)
{
  if (self->problem == NULL && self->n_bytes == 0)
    self->problem = "it is empty";
  if (self->problem == NULL && yajl_complete_parse (self->parser) != yajl_status_ok)
    self->problem = "it ends too early";
  if (self->problem == NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
               "%s: %s, near byte %" G_GUINT64_FORMAT, name, self->problem,
               self->n_bytes);

  return FALSE;
}
