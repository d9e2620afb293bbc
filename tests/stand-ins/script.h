/* script.h: what a library that stands in for a maker's shall say
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/* The group of what is about no device. */
#define SCRIPT_LIBRARY "library"

/* A key file, read anew whenever it has changed, and all below one lock. README.md has
 * the keys that every library knows. */
typedef struct
{
  const char *variable; /* of the environment, which names the file */
  GMutex mutex;
  GKeyFile *keys;
  struct stat read; /* the file as it was read */
  gint64 read_us;   /* monotonic */
  GHashTable *calls;
} Script;

#define SCRIPT_INIT(variable)                                                          \
 {                                                                                     \
  variable                                                                             \
 }

/* Begins a call: takes the lock, reads the script, counts, and hangs where the script
 * says so.
 *
 * Returns: 0, or the error that the script has for that function */
int script_begin (Script *self, const char *function);
/* Gives the lock back. */
int script_end (Script *self, int result);

/* The same for what a call has to do with one device: hangs, or returns the error. */
int script_check (Script *self, const char *function, const char *group);

gboolean script_has_group (Script *self, const char *group);
char *script_get_text (Script *self, const char *group, const char *key);
gboolean
script_get_number (Script *self, const char *group, const char *key, guint64 *value);
guint64 script_get_number_or (Script *self,
                              const char *group,
                              const char *key,
                              guint64 fallback);
/* NULL where there is no such key. */
char **script_get_list (Script *self, const char *group, const char *key);

/* The groups of devices (`0`), or with @parent of its instances (`0.3`), in order. */
GPtrArray *script_list_groups (Script *self, const char *parent);

G_END_DECLS
