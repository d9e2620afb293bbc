/* jme-format.c: the formats in which scrapers are told figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-format.h"

#include "expose/jm-protobuf-exposition-private.h"
#include "expose/jm-text-format.h"

JmeFormat
jme_format_negotiate (const char *accept)
{
  if (jm_protobuf_exposition_is_wanted (accept))
    return JME_FORMAT_PROTOBUF;

  return jm_negotiate_text_format (accept) == JM_TEXT_FORMAT_OPENMETRICS
           ? JME_FORMAT_OPENMETRICS
           : JME_FORMAT_PROMETHEUS;
}

const char *
jme_format_get_content_type (JmeFormat self)
{
  switch (self)
    {
    case JME_FORMAT_PROTOBUF:
      return JM_PROTOBUF_EXPOSITION_CONTENT_TYPE;
    case JME_FORMAT_OPENMETRICS:
      return jm_text_format_get_content_type (JM_TEXT_FORMAT_OPENMETRICS);
    case JME_FORMAT_PROMETHEUS:
    default:
      return jm_text_format_get_content_type (JM_TEXT_FORMAT_PROMETHEUS);
    }
}
