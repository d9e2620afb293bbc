/* jm-pbs-json-private.h: what PBS's commands print with -F json
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/* What stands at each depth of an answer: its own members, such as the list of jobs or
 * nodes; these; their members; and members of those. */
enum
{
  JM_PBS_DEPTH_ROOT = 1,
  JM_PBS_DEPTH_LIST,
  JM_PBS_DEPTH_RECORD,
  JM_PBS_DEPTH_SECTION,
};

/* Who takes the members of objects. @depth is one of these, or more; @key is empty within a list. A value is the text of a string, or a number or a word as it
 * stands there. */
typedef struct
{
  void (*begin) (gpointer data, guint depth, const char *key);
  void (*value) (gpointer data, guint depth, const char *key, JmSlice text);
  void (*end) (gpointer data, guint depth);
  void (*lose) (gpointer data, const char *problem); /* the job or node that is read */
} JmPbsJsonHandler;

/* Reads an answer in chunks as they come. Releases of PBS print what is no JSON where
 * users' words make them: numbers such as `005` and `.5`, nothing in place of an empty
 * value, quotes, `\'`, `\u@\h` and control characters as they are. One of these must
 * not cost the answer of a whole cluster, as it would with jm-json-stream: where a text
 * cannot be told from what is around it, its job or node is lost, and reading goes on
 * with the next one, which begins on a line of its own. */
typedef struct _JmPbsJson JmPbsJson;

JmPbsJson *jm_pbs_json_new (const JmPbsJsonHandler *handler, gpointer data);
void jm_pbs_json_free (JmPbsJson *self);

void jm_pbs_json_feed (JmPbsJson *self, const char *text, gsize length);

/* FALSE, and `MALFORMED`, where it was no whole answer. */
gboolean jm_pbs_json_finish (JmPbsJson *self, const char *command, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmPbsJson, jm_pbs_json_free)

G_END_DECLS
