/* jm-file-source.h: power and energy, from a file that the site writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-meter-source.h"

G_BEGIN_DECLS

#define JM_TYPE_FILE_SOURCE (jm_file_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmFileSource, jm_file_source, JM, FILE_SOURCE, JmMeterSource)

G_END_DECLS
