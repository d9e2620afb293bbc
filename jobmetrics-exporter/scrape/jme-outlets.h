/* jme-outlets.h: which scraper is sent what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "host/jm-host.h"
#include "scrape/jme-answers.h"
#include "scrape/jme-dialects.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Makes the encoder of a role, of no dialect yet. */
typedef JmTextEncoder *(*JmeMakeEncoder) (const JmSettings *settings, GError **error);

/* Where the path of a dialect begins, the name of which follows. */
#define JME_DIALECT_PATH "/dialects/"

/* What `--metrics.dialect` says, for most; a dialect alone, at its path or port. */
typedef struct _JmeOutlets JmeOutlets;

void jme_outlets_add_settings (JmSettings *settings);

/* @host is whose `/etc/jobmetrics` counts. Errors: `INVALID` for what the settings name
 * and there is not, and for dialects that cannot be together. */
JmeOutlets *jme_outlets_new (const JmSettings *settings,
                             JmHost *host,
                             JmeMakeEncoder make,
                             GError **error);
void jme_outlets_free (JmeOutlets *self);

/* An encoder of the dialects that a setting names, for others than scrapers. */
JmTextEncoder *
jme_outlets_make_encoder (JmeOutlets *self, const char *setting, GError **error);

/* All that there are. */
JmeDialects *jme_outlets_get_dialects (JmeOutlets *self);

/* What most are sent. */
JmeAnswers *jme_outlets_get_main (JmeOutlets *self);

/* Whether a scrape can be answered, and with which @collectors; answered with the
 * reason where it cannot. */
gboolean
jme_outlets_accept (JmeOutlets *self, JmeRequest *request, JmCollectorSet *collectors);

/* Answers a scrape that was accepted, in the format that it wants; the rest as
 * jme_answers_get(). */
void jme_outlets_reply (JmeOutlets *self,
                        JmeRequest *request,
                        JmSnapshot *snapshot,
                        const JmCollectorSet *collectors,
                        guint max_age_ms);

/* To the standard output, what most are sent. Gives the status to exit with. */
int jme_outlets_print (JmeOutlets *self, JmSnapshot *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeOutlets, jme_outlets_free)

G_END_DECLS
