/* jme-encoding.c: whether a reply goes out compressed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-encoding.h"

#include <string.h>

#define MAX_CODINGS 32

/* Reads a quality such as `0.75` into thousandths, 1000 where it is none at all. */
static int
parse_quality (const char *text)
{
  int scale = 100;
  int quality;

  if (*text != '0' && *text != '1')
    return 1000;

  quality = (*text - '0') * 1000;
  if (text[1] != '.')
    return quality;

  for (text += 2; g_ascii_isdigit (*text) && scale > 0; text++, scale /= 10)
    quality += (*text - '0') * scale;

  return MIN (quality, 1000);
}

/* Cuts the parameters off a coding such as ` gzip ; q=0.5` and returns its quality. */
static int
take_quality (char *coding)
{
  char *parameter = strchr (coding, ';');

  if (parameter == NULL)
    return 1000;

  *parameter++ = '\0';
  g_strstrip (parameter);
  if (g_ascii_strncasecmp (parameter, "q=", 2) != 0)
    return 1000;

  return parse_quality (parameter + 2);
}

/**
 * jme_encoding_takes_gzip:
 * @accept_encoding: (nullable): the request's `Accept-Encoding`
 *
 * - Source: RFC 9110, section 12.5.3.
 *
 * Returns: whether the client takes gzip and does not like plain text better
 */
gboolean
jme_encoding_takes_gzip (const char *accept_encoding)
{
  g_auto (GStrv) codings = NULL;
  int gzip = -1;
  int any = -1;
  int identity = -1;

  if (accept_encoding == NULL)
    return FALSE;

  codings = g_strsplit (accept_encoding, ",", MAX_CODINGS);
  for (gsize i = 0; codings[i] != NULL; i++)
    {
      int quality = take_quality (codings[i]);
      const char *name = g_strstrip (codings[i]);

      if (g_ascii_strcasecmp (name, "gzip") == 0 ||
          g_ascii_strcasecmp (name, "x-gzip") == 0)
        gzip = MAX (gzip, quality);
      else if (g_ascii_strcasecmp (name, "identity") == 0)
        identity = quality;
      else if (g_str_equal (name, "*"))
        any = quality;
    }

  if (gzip < 0)
    gzip = any;

  return gzip > 0 && gzip >= identity;
}
