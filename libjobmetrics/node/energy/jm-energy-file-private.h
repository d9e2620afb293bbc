/* jm-energy-file-private.h: energy accounts that other programs read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/energy/jm-energy-account-private.h"

G_BEGIN_DECLS

/* The accounts that are nobody's job, in the file by these names. */
#define JM_ENERGY_FILE_SYSTEM "system"
#define JM_ENERGY_FILE_IDLE "idle"
#define JM_ENERGY_FILE_NODE "node"

/* Adds the accounts of a file to @accounts, by uuid or one of the names above. A file
 * that breaks its format in any place adds nothing.
 *
 * - Errors: `ABSENT` where there is no file; `MALFORMED`; else as the system says. */
gboolean jm_energy_file_load (const char *path,
                              GHashTable *accounts,
                              gint64 *time_us,
                              GError **error);

/* The same of the text of such a file; FALSE where it breaks the format. */
gboolean jm_energy_file_parse (const char *text,
                               gsize length,
                               GHashTable *accounts,
                               gint64 *time_us);

/* Puts @accounts into a file, which is replaced as a whole. */
gboolean jm_energy_file_save (const char *path,
                              GHashTable *accounts,
                              gint64 time_us,
                              GError **error);

/* What distinguishes one writing of a file from the next: of two in one tick of the
 * kernel's clock the time alone does not. */
typedef struct
{
  guint64 inode;
  gint64 written_ns; /* since 1970 */
} JmEnergyFileVersion;

/* The first of @paths that is there; NULL where none is. */
const char *jm_energy_file_find (char **paths, JmEnergyFileVersion *version);

G_END_DECLS
