/* jm-version-macros.h: which symbols are public, and since when
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define _JM_EXTERN __attribute__ ((visibility ("default"))) extern

#define JM_AVAILABLE_IN_ALL _JM_EXTERN
