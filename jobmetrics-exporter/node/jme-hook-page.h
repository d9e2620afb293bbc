/* jme-hook-page.h: what is done when a job begins or ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "collect/jm-sampler.h"
#include "node/jme-hook-call.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* Has the job that @request names read at once, and answers when that is done, or when it
 * takes longer than @patience_ms: it is read then all the same. */
void jme_hook_page_answer (JmSampler *sampler, JmeRequest *request, guint patience_ms);

G_END_DECLS
