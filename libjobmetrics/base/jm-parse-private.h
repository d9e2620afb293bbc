/* jm-parse-private.h: numbers, words and tables out of kernel text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <string.h>

#include "base/jm-slice-private.h"

G_BEGIN_DECLS

/*
 * All parsers here are total: any bytes may come in, nothing is read past @length (no
 * NUL is needed), nothing is allocated, and FALSE means that the text breaks its
 * format. A result is written only for what was read.
 */

/**
 * JM_LIMIT_NONE:
 *
 * What a limit reads as where there is none.
 */
#define JM_LIMIT_NONE G_MAXUINT64

/**
 * JM_CPUS_MAX:
 *
 * A CPU number is below this; the kernel's own bound (`NR_CPUS`) is 8192.
 */
#define JM_CPUS_MAX 65536

/**
 * JmFlatKey:
 * @name: as the kernel writes it, with its colon where it has one
 * @length: of @name
 *
 * One line of a table of keys; see JM_FLAT_KEY().
 */
typedef struct
{
  const char *name;
  gsize length;
} JmFlatKey;

#define JM_FLAT_KEY(literal)                                                           \
 {                                                                                     \
  (literal), sizeof (literal) - 1                                                      \
 }

/**
 * JM_FLAT_KEYS_MAX:
 *
 * The most keys that a table may have: one bit of the mask for each.
 */
#define JM_FLAT_KEYS_MAX 64

/**
 * JmPressure:
 * @some_us: time in which at least one task waited, microseconds
 * @full_us: time in which all tasks waited at once, microseconds
 * @has_some: whether @some_us was there
 * @has_full: whether @full_us was there: not for `cpu` before Linux 5.13
 *
 * The totals of one pressure file.
 */
typedef struct
{
  guint64 some_us;
  guint64 full_us;
  gboolean has_some;
  gboolean has_full;
} JmPressure;

static inline gboolean
jm_slice_equal (JmSlice slice, const char *string)
{
  gsize length = strlen (string);

  return slice.length == length && memcmp (slice.text, string, length) == 0;
}

/* Without the blanks before and behind it. */
static inline JmSlice
jm_slice_trim (JmSlice slice)
{
  while (slice.length > 0 && g_ascii_isspace (slice.text[0]))
    slice = (JmSlice){ slice.text + 1, slice.length - 1 };
  while (slice.length > 0 && g_ascii_isspace (slice.text[slice.length - 1]))
    slice.length--;

  return slice;
}

gboolean jm_parse_uint64 (const char *text, gsize length, guint64 *value);
gboolean jm_parse_limit (const char *text, gsize length, guint64 *limit);
gboolean jm_parse_device (const char *text, gsize length, guint *major, guint *minor);

gboolean jm_parse_next_uint64 (const char **cursor, const char *end, guint64 *value);
gboolean jm_parse_next_word (const char **cursor, const char *end, JmSlice *word);
gboolean jm_parse_next_line (const char **cursor, const char *end, JmSlice *line);
gboolean jm_parse_next_whole_line (const char **cursor, const char *end, JmSlice *line);
gboolean
jm_parse_find_line (const char *text, gsize length, const char *key, JmSlice *rest);

gboolean jm_parse_flat_keyed (const char *text,
                              gsize length,
                              const JmFlatKey *keys,
                              guint n_keys,
                              guint64 *values,
                              guint64 *found_mask);
gboolean jm_parse_nested_keyed (const char *line,
                                gsize length,
                                JmSlice *name,
                                const JmFlatKey *keys,
                                guint n_keys,
                                guint64 *values,
                                guint64 *found_mask);
gboolean jm_parse_pressure (const char *text, gsize length, JmPressure *pressure);

gboolean jm_parse_next_cpu_range (const char **cursor,
                                  const char *end,
                                  guint *first,
                                  guint *last);
gboolean jm_parse_cpu_count (const char *text, gsize length, guint *count);

G_END_DECLS
