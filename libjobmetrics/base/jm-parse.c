/* jm-parse.c: numbers, words and tables out of kernel text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-parse-private.h"

/* cgroup v1 has no word for "no limit" but the largest number of pages that a counter
 * holds, in bytes and rounded down to a page or to a huge page: 2^63 - 2^12 for memory,
 * 2^63 - 2^34 for hugetlb on machines whose huge pages are that large. No machine has
 * 4 EiB, so all from there on mean the same.
 */
#define LIMIT_ENDLESS (G_GUINT64_CONSTANT (1) << 62)

typedef struct
{
  const JmFlatKey *keys;
  guint n_keys;
  guint next; /* the kernel writes its keys in one order: this one is likely */
} KeyTable;

static inline gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static inline gboolean
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

static void
skip_blanks (const char **cursor, const char *end)
{
  while (*cursor < end && is_blank (**cursor))
    (*cursor)++;
}

static gboolean
take_digits (const char **cursor, const char *end, guint64 *value)
{
  const char *p = *cursor;
  guint64 sum = 0;

  for (; p < end && is_digit (*p); p++)
    {
      if (__builtin_mul_overflow (sum, 10, &sum) ||
          __builtin_add_overflow (sum, (guint64) (*p - '0'), &sum))
        return FALSE;
    }

  if (p == *cursor)
    return FALSE;

  *cursor = p;
  *value = sum;
  return TRUE;
}

static gboolean
take_uint (const char **cursor, const char *end, guint *value)
{
  guint64 wide;

  if (!take_digits (cursor, end, &wide) || wide > G_MAXUINT)
    return FALSE;

  *value = (guint) wide;
  return TRUE;
}

static gsize
without_newline (const char *text, gsize length)
{
  return length > 0 && text[length - 1] == '\n' ? length - 1 : length;
}

/**
 * jm_parse_uint64:
 * @text: the whole text
 * @length: of @text
 * @value: (out): the number
 *
 * Reads a text that is one decimal number and, at most, a newline: most single-value
 * files of cgroupfs and sysfs
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html#format).
 *
 * Returns: whether it was one that fits
 */
gboolean
jm_parse_uint64 (const char *text, gsize length, guint64 *value)
{
  const char *cursor = text;
  const char *end = text + without_newline (text, length);
  guint64 number;

  if (!take_digits (&cursor, end, &number) || cursor != end)
    return FALSE;

  *value = number;
  return TRUE;
}

/**
 * jm_parse_limit:
 * @text: the whole text
 * @length: of @text
 * @limit: (out): the limit, or %JM_LIMIT_NONE
 *
 * Reads a file that holds a limit. No limit is `max` in v2, `-1` or a number near 2^63
 * in v1: all from 2^62 on is taken for it
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html#conventions,
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html).
 *
 * Returns: whether it was a limit
 */
gboolean
jm_parse_limit (const char *text, gsize length, guint64 *limit)
{
  JmSlice word = { text, without_newline (text, length) };
  guint64 number;

  if (jm_slice_equal (word, "max") || jm_slice_equal (word, "-1"))
    number = JM_LIMIT_NONE;
  else if (!jm_parse_uint64 (word.text, word.length, &number))
    return FALSE;

  *limit = number >= LIMIT_ENDLESS ? JM_LIMIT_NONE : number;
  return TRUE;
}

/**
 * jm_parse_device:
 * @text: the whole text
 * @length: of @text
 * @major: (out): the major number
 * @minor: (out): the minor number
 *
 * Reads a device number such as `8:16`, as the first word of a line of io.stat.
 *
 * Returns: whether it was one
 */
gboolean
jm_parse_device (const char *text, gsize length, guint *major, guint *minor)
{
  const char *cursor = text;
  const char *end = text + without_newline (text, length);
  guint first, second;

  if (!take_uint (&cursor, end, &first) || cursor == end || *cursor++ != ':' ||
      !take_uint (&cursor, end, &second) || cursor != end)
    return FALSE;

  *major = first;
  *minor = second;
  return TRUE;
}

/**
 * jm_parse_next_uint64:
 * @cursor: (inout): where to read; moved behind the number
 * @end: the end of the text
 * @value: (out): the number
 *
 * Takes the next number of a line. It must end with a blank, a newline or the text.
 * Where there is none, @cursor stays.
 *
 * Returns: whether there was one
 */
gboolean
jm_parse_next_uint64 (const char **cursor, const char *end, guint64 *value)
{
  const char *p = *cursor;
  guint64 number;

  skip_blanks (&p, end);
  if (!take_digits (&p, end, &number))
    return FALSE;
  if (p < end && !is_blank (*p) && *p != '\n')
    return FALSE;

  *cursor = p;
  *value = number;
  return TRUE;
}

/**
 * jm_parse_next_word:
 * @cursor: (inout): where to read; moved behind the word
 * @end: the end of the text
 * @word: (out): the word
 *
 * Takes the next word of a line; none is left at a newline.
 *
 * Returns: whether there was one
 */
gboolean
jm_parse_next_word (const char **cursor, const char *end, JmSlice *word)
{
  const char *start = *cursor;
  const char *p;

  skip_blanks (&start, end);
  for (p = start; p < end && !is_blank (*p) && *p != '\n';)
    p++;
  if (p == start)
    return FALSE;

  *cursor = p;
  *word = (JmSlice){ start, p - start };
  return TRUE;
}

/**
 * jm_parse_next_line:
 * @cursor: (inout): where to read; moved behind the line and its newline
 * @end: the end of the text
 * @line: (out): the line, without its newline
 *
 * Takes the next line. The last one is given with or without a newline behind it.
 *
 * Returns: whether there was one
 */
gboolean
jm_parse_next_line (const char **cursor, const char *end, JmSlice *line)
{
  const char *start = *cursor;
  const char *newline;

  if (start >= end)
    return FALSE;

  newline = memchr (start, '\n', end - start);
  *cursor = newline != NULL ? newline + 1 : end;
  *line = (JmSlice){ start, (newline != NULL ? newline : end) - start };
  return TRUE;
}

/**
 * jm_parse_next_whole_line:
 * @cursor: (inout): where to read; moved behind the line and its newline
 * @end: the end of the text
 * @line: (out): the line, without its newline
 *
 * Takes the next line that a newline ends. What stands behind the last newline may have
 * been cut short, and its last number be a part of another one: it is no line. That is
 * no fault of the lines before it, so all who read tables go by this: what was cut is
 * absent, and the rest is taken.
 *
 * Returns: whether there was one
 */
gboolean
jm_parse_next_whole_line (const char **cursor, const char *end, JmSlice *line)
{
  const char *start = *cursor;

  if (!jm_parse_next_line (cursor, end, line))
    return FALSE;
  if ((*cursor)[-1] == '\n')
    return TRUE;

  *cursor = start;
  return FALSE;
}

/**
 * jm_parse_find_line: (skip)
 * @text: of a file in `/proc` whose lines begin with a key
 * @length: of @text
 * @key: the key, with its colon where it has one
 * @rest: (out): the line behind it
 *
 * Returns: whether there is such a line, whole
 */
gboolean
jm_parse_find_line (const char *text, gsize length, const char *key, JmSlice *rest)
{
  const char *cursor = text;
  const char *end = text + length;
  JmSlice line, word;

  while (jm_parse_next_whole_line (&cursor, end, &line))
    {
      const char *p = line.text;

      if (jm_parse_next_word (&p, line.text + line.length, &word) &&
          jm_slice_equal (word, key))
        {
          *rest = (JmSlice){ p, line.text + line.length - p };
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
is_key (const JmFlatKey *key, JmSlice word)
{
  return key->length == word.length && memcmp (key->name, word.text, word.length) == 0;
}

static gboolean
key_table_find (KeyTable *table, JmSlice word, guint *index)
{
  for (guint i = 0; i < table->n_keys; i++)
    {
      guint candidate = table->next + i;

      if (candidate >= table->n_keys)
        candidate -= table->n_keys;
      if (is_key (&table->keys[candidate], word))
        {
          table->next = candidate + 1 < table->n_keys ? candidate + 1 : 0;
          *index = candidate;
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
read_flat_line (JmSlice line, KeyTable *table, guint64 *values, guint64 *found_mask)
{
  const char *cursor = line.text;
  const char *end = line.text + line.length;
  JmSlice word;
  guint index;

  if (!jm_parse_next_word (&cursor, end, &word))
    return FALSE;
  if (!key_table_find (table, word, &index))
    return TRUE;
  if (!jm_parse_next_uint64 (&cursor, end, &values[index]))
    return FALSE;

  *found_mask |= G_GUINT64_CONSTANT (1) << index;
  return TRUE;
}

/**
 * jm_parse_flat_keyed:
 * @text: the whole text
 * @length: of @text
 * @keys: (array length=n_keys): the keys wanted, best in the order of the file
 * @n_keys: how many, at most %JM_FLAT_KEYS_MAX
 * @values: (out caller-allocates) (array length=n_keys): what was found
 * @found_mask: (out): bit n is set where @values [n] was found; others are not written
 *
 * Reads a file of lines of a key and a number, in one pass: memory.stat, cpu.stat,
 * memory.events, cpuacct.stat
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html#format), as well as
 * `/proc/meminfo` and `/proc/PID/status`, whose keys end with a colon: what follows the
 * first number of a line is not looked at. Other keys are skipped whatever they hold. A
 * key whose number is none costs itself alone; so does a last line without a newline,
 * as jm_parse_next_whole_line() says, and that is no fault of the text.
 *
 * Returns: whether each wanted key that is there had a number
 */
gboolean
jm_parse_flat_keyed (const char *text,
                     gsize length,
                     const JmFlatKey *keys,
                     guint n_keys,
                     guint64 *values,
                     guint64 *found_mask)
{
  KeyTable table = { keys, n_keys, 0 };
  const char *cursor = text;
  const char *end = text + length;
  gboolean whole = TRUE;
  JmSlice line;

  g_assert (n_keys <= JM_FLAT_KEYS_MAX);

  *found_mask = 0;
  while (jm_parse_next_whole_line (&cursor, end, &line))
    if (!read_flat_line (line, &table, values, found_mask))
      whole = FALSE;

  return whole;
}

static gboolean
read_pair (JmSlice pair,
           const char *equals,
           KeyTable *table,
           guint64 *values,
           guint64 *found_mask)
{
  JmSlice key = { pair.text, equals - pair.text };
  JmSlice value = { equals + 1, pair.length - key.length - 1 };
  guint index;

  if (!key_table_find (table, key, &index))
    return TRUE;

  if (jm_slice_equal (value, "max"))
    values[index] = JM_LIMIT_NONE;
  else if (!jm_parse_uint64 (value.text, value.length, &values[index]))
    return FALSE;

  *found_mask |= G_GUINT64_CONSTANT (1) << index;
  return TRUE;
}

/**
 * jm_parse_nested_keyed:
 * @line: one line, as jm_parse_next_line() gives it
 * @length: of @line
 * @name: (out): what the line is about: a device, `some`, `full`
 * @keys: (array length=n_keys): the keys wanted, without their equals sign
 * @n_keys: how many, at most %JM_FLAT_KEYS_MAX
 * @values: (out caller-allocates) (array length=n_keys): what was found; `max` is
 *   %JM_LIMIT_NONE
 * @found_mask: (out): bit n is set where @values [n] was found; others are not written
 *
 * Reads a line of a name and `key=number` pairs: io.stat, rdma.current and the pressure
 * files (https://docs.kernel.org/admin-guide/cgroup-v2.html#format). Where several
 * names stand before the pairs it is the last one: some kernels leave out the newline
 * behind a device without figures.
 *
 * Returns: whether the line had a name, and each wanted key a number
 */
gboolean
jm_parse_nested_keyed (const char *line,
                       gsize length,
                       JmSlice *name,
                       const JmFlatKey *keys,
                       guint n_keys,
                       guint64 *values,
                       guint64 *found_mask)
{
  KeyTable table = { keys, n_keys, 0 };
  const char *cursor = line;
  const char *end = line + length;
  JmSlice found = { line, 0 };
  gboolean whole = TRUE;
  JmSlice word;

  g_assert (n_keys <= JM_FLAT_KEYS_MAX);

  *found_mask = 0;
  while (jm_parse_next_word (&cursor, end, &word))
    {
      const char *equals = memchr (word.text, '=', word.length);

      if (equals == NULL)
        found = word;
      else if (!read_pair (word, equals, &table, values, found_mask))
        whole = FALSE;
    }

  /* behind a device without figures there is a blank */
  while (cursor < end && *cursor == ' ')
    cursor++;

  *name = found;
  return whole && found.length > 0 && cursor == end;
}

static gboolean
read_pressure_line (JmSlice line, JmPressure *pressure)
{
  static const JmFlatKey keys[] = { JM_FLAT_KEY ("total") };
  guint64 total, found;
  JmSlice name;

  if (!jm_parse_nested_keyed (line.text, line.length, &name, keys, 1, &total, &found) ||
      found == 0)
    return FALSE;

  if (jm_slice_equal (name, "some"))
    {
      pressure->some_us = total;
      pressure->has_some = TRUE;
    }
  else if (jm_slice_equal (name, "full"))
    {
      pressure->full_us = total;
      pressure->has_full = TRUE;
    }

  return TRUE;
}

/**
 * jm_parse_pressure:
 * @text: the whole text
 * @length: of @text
 * @pressure: (out): the totals of the sound lines
 *
 * Reads a pressure file (https://docs.kernel.org/accounting/psi.html).
 *
 * Returns: whether all its lines were sound
 */
gboolean
jm_parse_pressure (const char *text, gsize length, JmPressure *pressure)
{
  const char *cursor = text;
  gboolean sound = TRUE;
  JmSlice line;

  *pressure = (JmPressure){ 0 };
  while (jm_parse_next_whole_line (&cursor, text + length, &line))
    if (!read_pressure_line (line, pressure))
      sound = FALSE;

  return sound;
}

/**
 * jm_parse_next_cpu_range:
 * @cursor: (inout): where to read; moved behind the range and its comma
 * @end: the end of the text
 * @first: (out): the first CPU of the range
 * @last: (out): the last CPU of the range
 *
 * Takes the next part of a list such as `0-3,8,10-11`
 * (https://docs.kernel.org/admin-guide/kernel-parameters.html, "cpu lists"). At the end
 * of a sound list @cursor is at @end, or at a newline.
 *
 * Returns: whether there was one
 */
gboolean
jm_parse_next_cpu_range (const char **cursor,
                         const char *end,
                         guint *first,
                         guint *last)
{
  const char *p = *cursor;
  guint low, high;

  if (!take_uint (&p, end, &low))
    return FALSE;

  high = low;
  if (p < end && *p == '-' && (p++, !take_uint (&p, end, &high)))
    return FALSE;
  if (low > high || high >= JM_CPUS_MAX)
    return FALSE;

  /* a comma promises another part */
  if (p < end && *p == ',' && (++p == end || !is_digit (*p)))
    return FALSE;

  *cursor = p;
  *first = low;
  *last = high;
  return TRUE;
}

/**
 * jm_parse_cpu_count:
 * @text: the whole text
 * @length: of @text
 * @count: (out): how many CPUs it names
 *
 * Counts the CPUs of a list such as cpuset.cpus.effective. The kernel writes its lists
 * in ascending order; one that is not so is refused, since it might name a CPU twice.
 * An empty list is sound and names none.
 *
 * Returns: whether it was a list
 */
gboolean
jm_parse_cpu_count (const char *text, gsize length, guint *count)
{
  const char *cursor = text;
  const char *end = text + without_newline (text, length);
  guint sum = 0;
  guint lowest = 0;
  guint first, last;

  while (cursor < end)
    {
      if (!jm_parse_next_cpu_range (&cursor, end, &first, &last) || first < lowest)
        return FALSE;
      if (cursor < end && cursor[-1] != ',')
        return FALSE;

      sum += last - first + 1;
      lowest = last + 1;
    }

  *count = sum;
  return TRUE;
}
