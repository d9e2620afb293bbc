/* jme-head-stream.c: a connection whose request is looked at before libsoup reads it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-head-stream.h"

#include <libsoup/soup.h>
#include <string.h>

/* RFC 9110, section 5.6.2 */
#define TOKEN G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "!#$%&'*+-.^_`|~"
/* Names, addresses and a port. */
#define HOST G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-._~:[]%"
#define CHUNKED "chunked"
#define MAX_LENGTH_DIGITS 18
#define OLD_VERSION "HTTP/1.0"
#define VERSION "HTTP/1.1"

/* A part of the head; without a NUL at its end. */
typedef struct
{
  const char *text;
  gsize length;
} Span;

typedef struct
{
  Span host, authority; /* of the header, and of a target that is a URI */
  guint n_hosts, n_lengths, n_encodings;
  gboolean is_old;
  gboolean is_persistent; /* its client did not ask for the end of the connection */
} Head;

/* libsoup drops a connection with more than 64 KiB of head, and answers nothing. */
#define MAX_LINE_BYTES (62 * 1024)
#define MAX_HEAD_BYTES (63 * 1024)
#define STATUS_HEADERS_TOO_LONG 431
#define SUBSTITUTE "GET / HTTP/1.1\r\nHost: -\r\n\r\n"

#define JME_TYPE_HEAD_GATE (jme_head_gate_get_type ())
G_DECLARE_FINAL_TYPE (JmeHeadGate, jme_head_gate, JME, HEAD_GATE, GObject)

/* Holds the head back until all of it is here; what comes then passes. */
struct _JmeHeadGate
{
  GObject parent_instance;

  GByteArray *held;
  guint n_searched; /* of these, for the end of the head */
  gboolean is_open;
  gboolean is_alone; /* without a body or anything else behind it */
  const char *fault;
  guint status; /* of the answer to one with a fault */
};

static void converter_iface_init (GConverterIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmeHeadGate,
                               jme_head_gate,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_CONVERTER,
                                                      converter_iface_init))

/* --- words of a head --- */

static gboolean
is_word (Span span, const char *word)
{
  return span.length == strlen (word) &&
         g_ascii_strncasecmp (span.text, word, span.length) == 0;
}

static gboolean
consists_of (Span span, const char *characters)
{
  for (gsize i = 0; i < span.length; i++)
    if (strchr (characters, span.text[i]) == NULL)
      return FALSE;

  return TRUE;
}

/* Behind it the text is the rest; @span is what stands before @end. */
static Span
cut (Span *text, char end)
{
  const char *found = memchr (text->text, end, text->length);
  Span span = { text->text,
                found != NULL ? (gsize) (found - text->text) : text->length };

  text->text += span.length + (found != NULL);
  text->length -= span.length + (found != NULL);

  return span;
}

static Span
trim (Span span)
{
  while (span.length > 0 && strchr (" \t", *span.text) != NULL)
    span.text++, span.length--;
  while (span.length > 0 && strchr (" \t", span.text[span.length - 1]) != NULL)
    span.length--;

  return span;
}

static const char *
check_bytes (const char *head, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (head[i] == '\n' ? i == 0 || head[i - 1] != '\r'
                        : head[i] == '\r' && (i + 1 == length || head[i + 1] != '\n'))
      return "a line that does not end in CR LF";
    else if (strchr ("\t\r\n", head[i]) == NULL || head[i] == '\0')
      if (g_ascii_iscntrl (head[i]))
        return "a control character";

  return NULL;
}

/* --- the path --- */

static gboolean
is_escape (Span path, gsize i, const char *digits)
{
  return path.length - i > 2 && path.text[i] == '%' &&
         g_ascii_strncasecmp (path.text + i + 1, digits, 2) == 0;
}

static gboolean
has_hidden_slash (Span path)
{
  for (gsize i = 0; i < path.length; i++)
    if (path.text[i] == '\\' || is_escape (path, i, "2f") ||
        is_escape (path, i, "5c") || is_escape (path, i, "00"))
      return TRUE;

  return FALSE;
}

/* As it is, or with percent signs. */
static gboolean
is_dots (Span segment)
{
  guint n = 0;

  for (gsize i = 0; i < segment.length; n++)
    if (segment.text[i] == '.')
      i++;
    else if (is_escape (segment, i, "2e"))
      i += 3;
    else
      return FALSE;

  return n == 1 || n == 2;
}

static const char *
check_path (Span path)
{
  if (has_hidden_slash (path))
    return "a path with a slash or a NUL in disguise";
  while (path.length > 0)
    if (is_dots (cut (&path, '/')))
      return "a path with a segment of dots";

  return NULL;
}

/* --- the request line --- */

/* A target of a proxy's: what stands between `//` and the path has to be the host. */
static void
take_authority (Head *self, Span *path)
{
  for (gsize i = 0; i + 2 < path->length && path->text[i] != '/'; i++)
    if (strncmp (path->text + i, "://", 3) == 0)
      {
        path->text += i + 3;
        path->length -= i + 3;
        self->authority = cut (path, '/');
        return;
      }
}

static const char *
check_request_line (Head *self, Span line)
{
  Span method = cut (&line, ' ');
  Span target = cut (&line, ' ');
  Span path;

  if (method.length == 0 || target.length == 0 || line.length == 0 ||
      !consists_of (method, TOKEN) || !consists_of (line, "HTP/.0123456789"))
    return "a request line that is not METHOD TARGET VERSION";
  if (memchr (target.text, '#', target.length) != NULL)
    return "a fragment in the target";
  self->is_old = is_word (line, OLD_VERSION);
  self->is_persistent = is_word (line, VERSION);
  path = cut (&target, '?');
  take_authority (self, &path);

  return check_path (path);
}

/* --- headers --- */

static const char *
check_header (Head *self, Span line)
{
  Span value = line;
  Span name = cut (&value, ':');

  if (line.length > 0 && strchr (" \t", *line.text) != NULL)
    return "a header that goes on in the next line";
  if (name.length == 0 || name.length == line.length || !consists_of (name, TOKEN))
    return "a header without a name";
  value = trim (value);
  if (is_word (name, "Host"))
    {
      self->n_hosts++;
      self->host = value;
    }
  else if (is_word (name, "Content-Length"))
    {
      self->n_lengths++;
      /* RFC 9110, section 8.6; a parser of numbers would take a sign as well */
      if (value.length == 0 || value.length > MAX_LENGTH_DIGITS ||
          !consists_of (value, "0123456789"))
        return "a Content-Length that is no length";
    }
  else if (is_word (name, "Transfer-Encoding"))
    {
      self->n_encodings++;
      if (!is_word (value, CHUNKED))
        return "a Transfer-Encoding other than chunked";
    }
  else if (is_word (name, "Connection") && !is_word (value, "keep-alive"))
    self->is_persistent = FALSE;

  return NULL;
}

static const char *
check_together (const Head *self)
{
  if (self->n_hosts > 1 || !consists_of (self->host, HOST))
    return "more than one host, or one that is no name";
  if (self->authority.text != NULL &&
      (self->authority.length != self->host.length ||
       g_ascii_strncasecmp (self->authority.text, self->host.text, self->host.length) !=
         0))
    return "a target of another host";
  if (self->n_lengths + self->n_encodings > 1)
    return "more than one length of the body";
  if (self->is_old && self->n_encodings > 0)
    return "a Transfer-Encoding in " OLD_VERSION;

  return NULL;
}

static const char *
check_head (Head *self, const char *head, gsize length)
{
  Span rest = { head, length };
  const char *fault = check_bytes (head, length);
  Span line = cut (&rest, '\n');

  if (fault != NULL)
    return fault;
  line.length -= line.length > 0;
  fault = check_request_line (self, line);
  while (fault == NULL && rest.length > 2)
    {
      line = cut (&rest, '\n');
      line.length -= line.length > 0;
      fault = check_header (self, line);
    }

  return fault != NULL ? fault : check_together (self);
}

const char *
jme_head_find_fault (const char *head, gsize length)
{
  Head self = { .host.text = "" };

  return check_head (&self, head, length);
}

/* --- what passes --- */

/* An empty line before the request is none of it (RFC 9112, section 2.2). */
static guint
count_empty (const JmeHeadGate *self)
{
  guint n = 0;

  while (n + 2 <= self->held->len && memcmp (self->held->data + n, "\r\n", 2) == 0)
    n += 2;

  return n;
}

/* 0 before its end is here. Whoever reads LF alone as the end of a line ends there,
 * too. */
static guint
find_end (JmeHeadGate *self, guint begin)
{
  const char *text = (const char *) self->held->data;
  guint n = self->held->len;

  for (guint i = MAX (self->n_searched, begin); i + 1 < n; i++)
    if (text[i] == '\n' && text[i + 1] == '\n')
      return i + 2;
    else if (i + 2 < n && memcmp (text + i, "\n\r\n", 3) == 0)
      return i + 3;
  self->n_searched = n > 2 ? n - 2 : 0;

  return 0;
}

static void
set_fault (JmeHeadGate *self, guint status, const char *fault)
{
  self->fault = fault;
  self->status = status;
}

/* Whether there is something to pass, which is at *@begin in what is held. */
static gboolean
look_at_head (JmeHeadGate *self, guint *begin)
{
  Head found = { .host.text = "" };
  const char *head;
  guint end;

  *begin = count_empty (self);
  head = (const char *) self->held->data + *begin;
  end = find_end (self, *begin);
  if (self->held->len - *begin > MAX_LINE_BYTES &&
      memchr (head, '\n', MAX_LINE_BYTES) == NULL)
    set_fault (self, SOUP_STATUS_REQUEST_URI_TOO_LONG, "more than 62 KiB of URL");
  else if ((end > 0 ? end : self->held->len) - *begin > MAX_HEAD_BYTES)
    set_fault (self, STATUS_HEADERS_TOO_LONG, "more than 63 KiB of headers");
  else if (end == 0)
    return FALSE;
  else
    set_fault (self, SOUP_STATUS_BAD_REQUEST, check_head (&found, head, end - *begin));
  self->is_alone = self->fault == NULL && found.is_persistent && found.n_lengths == 0 &&
                   found.n_encodings == 0 && end == self->held->len;

  return TRUE;
}

/* All that is held, or a request that nobody can take for another. */
static gboolean
pass_head (JmeHeadGate *self,
           guint begin,
           void *out,
           gsize out_size,
           gsize *n_written,
           GError **error)
{
  const void *head =
    self->fault != NULL ? (const void *) SUBSTITUTE : self->held->data + begin;
  gsize length = self->fault != NULL ? strlen (SUBSTITUTE) : self->held->len - begin;

  if (length > out_size)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "more than fits");
      return FALSE;
    }
  memcpy (out, head, length);
  *n_written = length;
  self->is_open = TRUE;
  g_byte_array_set_size (self->held, 0);

  return TRUE;
}

static void
pass (JmeHeadGate *self,
      const void *in,
      gsize in_size,
      void *out,
      gsize out_size,
      gsize *n_read,
      gsize *n_written)
{
  *n_written = self->fault != NULL ? 0 : MIN (in_size, out_size);
  *n_read = self->fault != NULL ? in_size : *n_written;
  memcpy (out, in, *n_written);
}

static GConverterResult
jme_head_gate_convert (GConverter *converter,
                       const void *in,
                       gsize in_size,
                       void *out,
                       gsize out_size,
                       GConverterFlags flags,
                       gsize *n_read,
                       gsize *n_written,
                       GError **error)
{
  JmeHeadGate *self = JME_HEAD_GATE (converter);
  const gboolean is_last = (flags & G_CONVERTER_INPUT_AT_END) != 0;
  guint n_held = self->held->len;
  guint begin;

  if (in_size == 0 && !is_last)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, "nothing yet");
      return G_CONVERTER_ERROR;
    }
  *n_read = in_size;
  *n_written = 0;
  if (in_size + n_held == 0)
    return G_CONVERTER_FINISHED;
  if (self->is_open)
    pass (self, in, in_size, out, out_size, n_read, n_written);
  else
    {
      g_byte_array_append (self->held, in, (guint) in_size);
      /* a head that breaks off is libsoup's to refuse */
      if ((look_at_head (self, &begin) || is_last) &&
          !pass_head (self, begin, out, out_size, n_written, error))
        {
          g_byte_array_set_size (self->held, n_held);
          return G_CONVERTER_ERROR;
        }
    }

  return is_last && *n_read == in_size ? G_CONVERTER_FINISHED : G_CONVERTER_CONVERTED;
}

static void
jme_head_gate_reset (GConverter *converter)
{
}

static void
converter_iface_init (GConverterIface *iface)
{
  iface->convert = jme_head_gate_convert;
  iface->reset = jme_head_gate_reset;
}

static void
jme_head_gate_finalize (GObject *object)
{
  g_byte_array_unref (JME_HEAD_GATE (object)->held);

  G_OBJECT_CLASS (jme_head_gate_parent_class)->finalize (object);
}

static void
jme_head_gate_class_init (JmeHeadGateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jme_head_gate_finalize;
}

static void
jme_head_gate_init (JmeHeadGate *self)
{
  self->held = g_byte_array_new ();
}

/* --- the connection --- */

struct _JmeHeadStream
{
  GIOStream parent_instance;

  GIOStream *base;
  GInputStream *input;
  JmeHeadGate *gate;
  gboolean is_kept; /* its base stays open */
};

G_DEFINE_FINAL_TYPE (JmeHeadStream, jme_head_stream, G_TYPE_IO_STREAM)

static GInputStream *
jme_head_stream_get_input_stream (GIOStream *stream)
{
  return JME_HEAD_STREAM (stream)->input;
}

static GOutputStream *
jme_head_stream_get_output_stream (GIOStream *stream)
{
  return g_io_stream_get_output_stream (JME_HEAD_STREAM (stream)->base);
}

static gboolean
jme_head_stream_close (GIOStream *stream, GCancellable *cancellable, GError **error)
{
  JmeHeadStream *self = JME_HEAD_STREAM (stream);

  return self->is_kept || g_io_stream_close (self->base, cancellable, error);
}

static void
on_closed (GObject *base, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_io_stream_close_finish (G_IO_STREAM (base), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The end of TLS waits for the client: not in a thread of ours. */
static void
jme_head_stream_close_async (GIOStream *stream,
                             int priority,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  JmeHeadStream *self = JME_HEAD_STREAM (stream);
  g_autoptr (GTask) task = g_task_new (stream, cancellable, callback, user_data);

  if (self->is_kept)
    g_task_return_boolean (task, TRUE);
  else
    g_io_stream_close_async (self->base, priority, cancellable, on_closed,
                             g_steal_pointer (&task));
}

static gboolean
jme_head_stream_close_finish (GIOStream *stream, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
jme_head_stream_finalize (GObject *object)
{
  JmeHeadStream *self = JME_HEAD_STREAM (object);

  g_clear_object (&self->input);
  g_clear_object (&self->gate);
  g_clear_object (&self->base);

  G_OBJECT_CLASS (jme_head_stream_parent_class)->finalize (object);
}

static void
jme_head_stream_class_init (JmeHeadStreamClass *klass)
{
  GIOStreamClass *stream_class = G_IO_STREAM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = jme_head_stream_finalize;
  stream_class->get_input_stream = jme_head_stream_get_input_stream;
  stream_class->get_output_stream = jme_head_stream_get_output_stream;
  stream_class->close_fn = jme_head_stream_close;
  stream_class->close_async = jme_head_stream_close_async;
  stream_class->close_finish = jme_head_stream_close_finish;
}

static void
jme_head_stream_init (JmeHeadStream *self)
{
  self->gate = g_object_new (JME_TYPE_HEAD_GATE, NULL);
}

JmeHeadStream *
jme_head_stream_new (GIOStream *base)
{
  JmeHeadStream *self = g_object_new (JME_TYPE_HEAD_STREAM, NULL);

  self->base = g_object_ref (base);
  self->input = g_converter_input_stream_new (g_io_stream_get_input_stream (base),
                                              G_CONVERTER (self->gate));
  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (self->input),
                                               FALSE);

  return self;
}

GIOStream *
jme_head_stream_get_base (JmeHeadStream *self)
{
  return self->base;
}

gboolean
jme_head_stream_may_be_kept (JmeHeadStream *self)
{
  return self->gate->is_alone;
}

void
jme_head_stream_keep (JmeHeadStream *self)
{
  self->is_kept = TRUE;
}

gboolean
jme_head_stream_is_kept (JmeHeadStream *self)
{
  return self->is_kept;
}

const char *
jme_head_stream_get_fault (JmeHeadStream *self, guint *status)
{
  *status = self->gate->status;

  return self->gate->fault;
}
