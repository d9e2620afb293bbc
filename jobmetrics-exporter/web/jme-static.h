/* jme-static.h: what pages load, which is all from here
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jme-config.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

#define JME_STATIC_STYLE_PATH "/static/jobmetrics.css"
#define JME_STATIC_SCRIPT_PATH "/static/jobmetrics.js"

/* As pages name them: each version's are kept by browsers under a name of their own. */
#define JME_STATIC_STYLE JME_STATIC_STYLE_PATH "?v=" JME_VERSION
#define JME_STATIC_SCRIPT JME_STATIC_SCRIPT_PATH "?v=" JME_VERSION

/* One of these paths' content, which is compiled in. */
GBytes *jme_static_read (const char *path);

/* They show nothing of anybody, so that everybody may have them. */
extern const JmeRoute jme_static_routes[];

G_END_DECLS
