/* jme-grafana-data.h: series, tables and annotations for Grafana
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-grafana-query.h"

G_BEGIN_DECLS

/* A list of series and tables, of all targets. */
gboolean jme_grafana_data_append (JmeAnswer *answer,
                                  const JmeGrafanaQuery *query,
                                  GError **error);

/* A list of the runs that ended in the period of the query. */
gboolean jme_grafana_data_append_annotations (JmeAnswer *answer,
                                              const JmeGrafanaQuery *query,
                                              JmRunFilter *filter,
                                              GError **error);

G_END_DECLS
