/* jme-node-encoder.h: which metrics a scrape of a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "expose/jm-text-encoder.h"
#include "host/jm-settings-private.h"

G_BEGIN_DECLS

void jme_node_encoder_add_settings (JmSettings *settings);

/* Errors: `INVALID` for a metric or a label that does not exist. */
JmTextEncoder *jme_node_encoder_new (const JmSettings *settings, GError **error);

G_END_DECLS
