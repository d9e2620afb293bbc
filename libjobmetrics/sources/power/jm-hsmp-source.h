/* jm-hsmp-source.h: power of AMD's server processors, from their management port
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_HSMP_SOURCE (jm_hsmp_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmHsmpSource, jm_hsmp_source, JM, HSMP_SOURCE, JmSource)

JM_AVAILABLE_IN_ALL
JmHsmpSource *jm_hsmp_source_new (JmHost *host, GError **error);

G_END_DECLS
