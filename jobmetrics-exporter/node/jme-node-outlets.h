/* jme-node-outlets.h: which scraper is told what of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "host/jm-host.h"
#include "node/jme-node-answers.h"
#include "node/jme-node-encoder.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Where the path of a dialect begins, the name of which follows. */
#define JME_DIALECT_PATH "/dialects/"

/* What `--metrics.dialect` says, for most; a dialect alone, at its path or port. */
typedef struct _JmeNodeOutlets JmeNodeOutlets;

void jme_node_outlets_add_settings (JmSettings *settings);

/* @host is whose `/etc/jobmetrics` counts. Errors: `INVALID` for what the settings name
 * and there is not, and for dialects that cannot be together. */
JmeNodeOutlets *
jme_node_outlets_new (const JmSettings *settings, JmHost *host, GError **error);
void jme_node_outlets_free (JmeNodeOutlets *self);

/* An encoder of the dialects that a setting names, for others than scrapers. */
JmTextEncoder *jme_node_outlets_make_encoder (JmeNodeOutlets *self,
                                              const char *setting,
                                              GError **error);

/* What most are told. */
JmeNodeAnswers *jme_node_outlets_get_main (JmeNodeOutlets *self);

/* What this one is; NULL where there is no such dialect. */
JmeNodeAnswers *jme_node_outlets_find (JmeNodeOutlets *self, JmeRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeNodeOutlets, jme_node_outlets_free)

G_END_DECLS
