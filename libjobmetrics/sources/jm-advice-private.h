/* jm-advice-private.h: advice for those who administer nothing
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jm-advice.h"

G_BEGIN_DECLS

char *jm_advice_get_plain_text (JmAdvice *self);

G_END_DECLS
