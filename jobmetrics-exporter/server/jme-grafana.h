/* jme-grafana.h: the accounts for Grafana's JSON data sources
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* What `simpod-json-datasource` and `grafana-simple-json-datasource` ask for, under
 * `/grafana`; for a JmeAccounts. */
extern const JmeRoute jme_grafana_routes[];

G_END_DECLS
