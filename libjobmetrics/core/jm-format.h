/* jm-format.h: how people read and type a figure
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmFormat:
 * @JM_FORMAT_TEXT: none: words
 * @JM_FORMAT_COUNT: things, as they are counted
 * @JM_FORMAT_BYTES: bytes
 * @JM_FORMAT_DURATION: a length of time, in seconds
 * @JM_FORMAT_PERCENT: a share, 100 for the whole
 * @JM_FORMAT_JOULES: energy
 * @JM_FORMAT_WATTS: power
 * @JM_FORMAT_GRAMS: mass of CO2 equivalent
 * @JM_FORMAT_GRAMS_PER_JOULE: what energy emits; people read grams per kilowatt-hour
 * @JM_FORMAT_TIME: a moment, in seconds since 1970
 * @JM_FORMAT_RATIO: a share, 1 for the whole, a load, or busy CPUs
 * @JM_FORMAT_BYTE_SECONDS: memory by time; people read GiBh
 *
 * What a figure measures, and thereby the base unit that it is in.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_FORMAT_TEXT,
  JM_FORMAT_COUNT,
  JM_FORMAT_BYTES,
  JM_FORMAT_DURATION,
  JM_FORMAT_PERCENT,
  JM_FORMAT_JOULES,
  JM_FORMAT_WATTS,
  JM_FORMAT_GRAMS,
  JM_FORMAT_GRAMS_PER_JOULE,
  JM_FORMAT_TIME,
  JM_FORMAT_RATIO,
  JM_FORMAT_BYTE_SECONDS,
} JmFormat;

/**
 * JM_N_FORMATS:
 *
 * How many #JmFormat there are.
 *
 * Since: 0.1
 */
#define JM_N_FORMATS (JM_FORMAT_BYTE_SECONDS + 1)

JM_AVAILABLE_IN_ALL
char *jm_format_to_string (JmFormat format, double value);

JM_AVAILABLE_IN_ALL
gboolean
jm_format_parse (JmFormat format, const char *text, double *value, GError **error);

JM_AVAILABLE_IN_ALL
char *jm_number_to_string (double value);

G_END_DECLS
