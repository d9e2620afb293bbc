/* jm-error.h: what can go wrong, one code for each thing the caller can do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmError:
 * @JM_ERROR_ABSENT: opening: not on this host, do not retry; reading: the job ended
 * @JM_ERROR_DENIED: it exists and may not be read: log that once
 * @JM_ERROR_UNAVAILABLE: no answer now: keep the last value and its age, retry
 * @JM_ERROR_MALFORMED: its text breaks its own format: count it, log the text
 * @JM_ERROR_INVALID: an option or a configuration file is invalid
 * @JM_ERROR_TOO_LARGE: an answer is longer than it may be: ask for less
 *
 * One code for each thing that a caller can do about an error. A message begins
 * with the path or option and quotes what was read.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_ERROR_ABSENT,
  JM_ERROR_DENIED,
  JM_ERROR_UNAVAILABLE,
  JM_ERROR_MALFORMED,
  JM_ERROR_INVALID,
  JM_ERROR_TOO_LARGE,
} JmError;

/**
 * JM_ERROR:
 *
 * The error domain of jobmetrics.
 *
 * Since: 0.1
 */
#define JM_ERROR (jm_error_quark ())

JM_AVAILABLE_IN_ALL
GQuark jm_error_quark (void);

#define JM_TYPE_ERROR (jm_error_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_error_get_type (void);

JM_AVAILABLE_IN_ALL
JmError jm_error_from_errno (int error_number);

G_END_DECLS
