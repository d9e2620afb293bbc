/* jme-scrape.h: what one scrape asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-collector-set.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Reads `collect[]` and `exclude[]`, as node_exporter has them, into a set of
 * collectors. Names that do not exist and the two together are refused. */
gboolean jme_scrape_parse_collectors (JmeRequest *request,
                                      JmCollectorSet *collectors,
                                      GError **error);

G_END_DECLS
