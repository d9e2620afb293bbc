/* amd-script.h: the script of the stand-ins for AMD's libraries; README.md explains it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#define AMD_SCRIPT_LIBRARY G_MAXUINT

guint amd_script_count (void);

/* Notes the call, and stays in it for as long as the script wants it to. What it is to
 * answer: an error, or 0. */
int amd_script_enter (guint device, const char *function);

/* FALSE where the script does not have it. */
gboolean amd_script_get (guint device, const char *key, guint64 *value);
