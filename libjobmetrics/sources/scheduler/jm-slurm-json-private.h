/* jm-slurm-json-private.h: the JSON of slurmrestd, made valid
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"
#include "sources/jm-json-stream-private.h"

G_BEGIN_DECLS

/* The longest is `-Infinity`. */
#define JM_SLURM_JSON_WORD_MAX 9

/* Up to API version 0.0.41 slurmrestd writes real numbers that JSON does not have:
 * `Infinity`, `inf`, `NaN` and the like. Outside of strings they are replaced on the
 * way to a stream: the infinite by a string that reads as one, the others by null. */
typedef struct
{
  JmJsonStream *stream;
  gboolean is_in_string;
  gboolean is_escaped;
  char word[JM_SLURM_JSON_WORD_MAX + 1]; /* that the last text ended with */
  gsize word_length;
} JmSlurmJson;

/* FALSE: there is no use in going on. */
gboolean jm_slurm_json_feed (JmSlurmJson *self, const char *text, gsize length);

/* As jm_json_stream_finish(). */
gboolean jm_slurm_json_finish (JmSlurmJson *self, const char *name, GError **error);

G_END_DECLS
