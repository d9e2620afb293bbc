/* jme-dialects.h: the names and labels that scrapers are sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "expose/jm-dialect.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* jobmetrics' own words, among the names of dialects. */
#define JME_NATIVE "native"

/* The dialects that there are: built in, the site's, and those of `--dialects`. */
typedef struct _JmeDialects JmeDialects;

void jme_dialects_add_settings (JmSettings *settings);

/* Errors: `INVALID` for a file that cannot be understood. */
JmeDialects *
jme_dialects_load (const JmSettings *settings, JmHost *host, GError **error);
void jme_dialects_free (JmeDialects *self);

/* Errors: `INVALID` for a name that is no dialect's, with those that are. */
JmDialect *jme_dialects_find (JmeDialects *self, const char *name, GError **error);

/* The labels of JmRunLabel that name a run in some dialect or in jobmetrics' own
 * series. They belong to the dialects. */
GArray *jme_dialects_list_run_labels (JmeDialects *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeDialects, jme_dialects_free)

G_END_DECLS
