/* jme-head.c: heads of requests that programs read differently
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-head.h"

#include <string.h>

/* RFC 9110, section 5.6.2 */
#define TOKEN G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "!#$%&'*+-.^_`|~"
/* Names, addresses and a port. */
#define HOST G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-._~:[]%"
#define CHUNKED "chunked"
#define OLD_VERSION "HTTP/1.0"

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
} Head;

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
    self->n_lengths++;
  else if (is_word (name, "Transfer-Encoding"))
    {
      self->n_encodings++;
      if (!is_word (value, CHUNKED))
        return "a Transfer-Encoding other than chunked";
    }

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

const char *
jme_head_find_fault (const char *head, gsize length)
{
  Head self = { .host.text = "" };
  Span rest = { head, length };
  const char *fault = check_bytes (head, length);
  Span line = cut (&rest, '\n');

  if (fault != NULL)
    return fault;
  line.length -= line.length > 0;
  fault = check_request_line (&self, line);
  while (fault == NULL && rest.length > 2)
    {
      line = cut (&rest, '\n');
      line.length -= line.length > 0;
      fault = check_header (&self, line);
    }

  return fault != NULL ? fault : check_together (&self);
}
