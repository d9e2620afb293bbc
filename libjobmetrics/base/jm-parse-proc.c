/* jm-parse-proc.c: what procfs has of one process
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-parse-proc-private.h"

#include "base/jm-flat-order-private.h"

/* A number of so many digits fits. */
#define SAFE_DIGITS 19

/* Its seconds are exported in nanoseconds, which end in the year 2554. */
#define BOOT_TIME_MAX (G_MAXUINT64 / 1000000000)

/* Fields of /proc/PID/stat as proc(5) numbers them. */
enum
{
  STAT_PPID = 4,
  STAT_SESSION = 6,
  STAT_FLAGS = 9,
  STAT_CMINFLT = 11,
  STAT_UTIME = 14,
  STAT_STIME = 15,
  STAT_CUTIME = 16,
  STAT_CSTIME = 17,
  STAT_THREADS = 20,
  STAT_STARTTIME = 22,
  STAT_RSS = 24,
  N_STAT_FIELDS,
  STAT_PROCESSOR = 39,
};

/* The process group, the terminal and its group, the priority, the nice value: we use
 * none of them. */
#define STAT_SIGNED_FIELDS (1u << 5 | 1u << 7 | 1u << 8 | 1u << 18 | 1u << 19)

static inline gboolean
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* A number as the kernel writes it, between two blanks; any other is left to the one
 * parser of numbers. */
static inline gboolean
take_field (const char **cursor, const char *end, guint64 *value)
{
  const char *first, *p;
  guint64 sum = 0;

  if (end - *cursor < 2 || **cursor != ' ')
    return jm_parse_next_uint64 (cursor, end, value);

  first = p = *cursor + 1;
  while (p < end && is_digit (*p))
    sum = sum * 10 + (guint64) (*p++ - '0');
  if (p == first || p - first > SAFE_DIGITS || p == end || *p != ' ')
    return jm_parse_next_uint64 (cursor, end, value);

  *cursor = p;
  *value = sum;
  return TRUE;
}

static gboolean
take_uint (const char **cursor, const char *end, guint *value)
{
  guint64 wide;

  if (!jm_parse_next_uint64 (cursor, end, &wide) || wide > G_MAXUINT)
    return FALSE;

  *value = (guint) wide;
  return TRUE;
}

static gboolean
take_stat_head (const char **cursor, const char *end, JmProcStat *stat)
{
  const char *open, *close;
  gsize length;

  if (!take_uint (cursor, end, &stat->pid))
    return FALSE;
  if (end - *cursor < 2 || (*cursor)[0] != ' ' || (*cursor)[1] != '(')
    return FALSE;

  /* the name may hold anything, ") R (" too: nothing behind it has a parenthesis */
  open = *cursor + 2;
  close = memrchr (open, ')', end - open);
  if (close == NULL || end - close < 3 || close[1] != ' ')
    return FALSE;

  length = MIN (close - open, JM_COMM_MAX);
  memcpy (stat->comm, open, length);
  stat->comm[length] = '\0';
  stat->state = close[2];
  *cursor = close + 3;
  return g_ascii_isalpha (stat->state);
}

/* A number of which nothing but its place is wanted: a word that is none may have taken
 * the place of two. */
static gboolean
skip_number (const char **cursor, const char *end)
{
  const char *p = *cursor;
  JmSlice word;
  gsize sign;

  if (end - p > 2 && p[0] == ' ' && is_digit (p[1]))
    {
      for (p += 2; p < end && is_digit (*p);)
        p++;
      if (p < end && *p == ' ')
        {
          *cursor = p;
          return TRUE;
        }
    }

  if (!jm_parse_next_word (cursor, end, &word))
    return FALSE;

  sign = word.text[0] == '-' ? 1 : 0;
  for (gsize i = sign; i < word.length; i++)
    if (!g_ascii_isdigit (word.text[i]))
      return FALSE;

  return word.length > sign;
}

/* What lies between is addresses and signals, of which we use none. */
static guint
take_processor (const char *cursor, const char *end)
{
  guint processor;

  for (guint i = N_STAT_FIELDS; i < STAT_PROCESSOR; i++)
    if (!skip_number (&cursor, end))
      return JM_PROC_NO_PROCESSOR;

  return take_uint (&cursor, end, &processor) && cursor < end ? processor
                                                              : JM_PROC_NO_PROCESSOR;
}

/* A process that has been waited for by now has no session any more, which reads as -1.
 */
static gboolean
take_session (const char **cursor, const char *end, guint64 *session)
{
  static const char none[] = " -1 ";

  if (end - *cursor < 4 || memcmp (*cursor, none, 4) != 0)
    return take_field (cursor, end, session);

  *session = 0;
  *cursor += 3;
  return TRUE;
}

static gboolean
take_stat_field (const char **cursor, const char *end, guint number, guint64 *value)
{
  if ((STAT_SIGNED_FIELDS & 1u << number) != 0)
    return skip_number (cursor, end);

  return number == STAT_SESSION ? take_session (cursor, end, value)
                                : take_field (cursor, end, value);
}

static gboolean
take_stat_fields (const char **position, const char *end, guint64 *fields)
{
  const char *cursor = *position;

  for (guint i = STAT_PPID; i < N_STAT_FIELDS; i++)
    if (!take_stat_field (&cursor, end, i, &fields[i]))
      return FALSE;

  /* a number at the very end may have been cut short */
  *position = cursor;
  return cursor < end;
}

static gboolean
fits_uint (const guint64 *fields)
{
  return fields[STAT_PPID] <= G_MAXUINT && fields[STAT_SESSION] <= G_MAXUINT &&
         fields[STAT_FLAGS] <= G_MAXUINT && fields[STAT_THREADS] <= G_MAXUINT;
}

/**
 * jm_parse_proc_stat:
 * @text: the whole text
 * @length: of @text
 * @stat: (out): what it reports; not to be used where it is refused
 *
 * Reads `/proc/PID/stat` or `/proc/PID/task/TID/stat`
 * (https://docs.kernel.org/filesystems/proc.html#process-specific-subdirectories).
 *
 * Returns: whether it was whole
 */
gboolean
jm_parse_proc_stat (const char *text, gsize length, JmProcStat *stat)
{
  const char *cursor = text;
  const char *end = text + length;
  guint64 fields[N_STAT_FIELDS];

  if (!take_stat_head (&cursor, end, stat) ||
      !take_stat_fields (&cursor, end, fields) || !fits_uint (fields))
    return FALSE;

  stat->ppid = (guint) fields[STAT_PPID];
  stat->session = (guint) fields[STAT_SESSION];
  stat->flags = (guint32) fields[STAT_FLAGS];
  stat->child_faults = fields[STAT_CMINFLT];
  stat->utime_ticks = fields[STAT_UTIME];
  stat->stime_ticks = fields[STAT_STIME];
  stat->cutime_ticks = fields[STAT_CUTIME];
  stat->cstime_ticks = fields[STAT_CSTIME];
  stat->n_threads = (guint) fields[STAT_THREADS];
  stat->starttime_ticks = fields[STAT_STARTTIME];
  stat->rss_pages = fields[STAT_RSS];
  stat->processor = take_processor (cursor, end);
  return TRUE;
}

/**
 * jm_parse_proc_io:
 * @text: the whole text
 * @length: of @text
 * @io: (out): what it reports; written only where it is whole
 *
 * Reads `/proc/PID/io`, all but `cancelled_write_bytes`, which kernels report as
 * negative at times
 * (https://docs.kernel.org/filesystems/proc.html#proc-pid-io-display-the-io-accounting-fields).
 *
 * Returns: whether it was whole and had every figure
 */
gboolean
jm_parse_proc_io (const char *text, gsize length, JmProcIo *io)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("rchar:"), JM_FLAT_KEY ("wchar:"),      JM_FLAT_KEY ("syscr:"),
    JM_FLAT_KEY ("syscw:"), JM_FLAT_KEY ("read_bytes:"), JM_FLAT_KEY ("write_bytes:"),
  };
  /* that of all kernels so far */
  static const JmFlatOrder order = {
    .n_lines = 7,
    .n_keys = 6,
    .lines = { 0, 1, 2, 3, 4, 5 },
    .keys = { 0, 1, 2, 3, 4, 5 },
  };
  guint64 v[G_N_ELEMENTS (keys)];
  guint64 found;

  if (!jm_flat_order_take (&order, text, length, keys, v, &found) &&
      (!jm_parse_flat_keyed (text, length, keys, G_N_ELEMENTS (keys), v, &found) ||
       found != (1u << G_N_ELEMENTS (keys)) - 1))
    return FALSE;

  *io = (JmProcIo){ v[0], v[1], v[2], v[3], v[4], v[5] };
  return TRUE;
}

static gboolean
take_until (JmSlice *rest, char separator, JmSlice *part)
{
  const char *found = memchr (rest->text, separator, rest->length);

  if (found == NULL)
    return FALSE;

  *part = (JmSlice){ rest->text, found - rest->text };
  rest->text = found + 1;
  rest->length -= part->length + 1;
  return TRUE;
}

static gboolean
strip_suffix (JmSlice *slice, const char *suffix)
{
  gsize length = strlen (suffix);

  if (slice->length < length ||
      memcmp (slice->text + slice->length - length, suffix, length) != 0)
    return FALSE;

  slice->length -= length;
  return TRUE;
}

static gboolean
read_cgroup_line (JmSlice line, JmProcCgroup *cgroup)
{
  JmSlice number;
  guint64 hierarchy;

  if (!take_until (&line, ':', &number) ||
      !take_until (&line, ':', &cgroup->controllers) ||
      !jm_parse_uint64 (number.text, number.length, &hierarchy) ||
      hierarchy > G_MAXUINT || line.length == 0 || line.text[0] != '/')
    return FALSE;

  cgroup->hierarchy = (guint) hierarchy;
  cgroup->path = line;
  cgroup->removed = strip_suffix (&cgroup->path, " (deleted)");
  return TRUE;
}

/**
 * jm_parse_proc_cgroup:
 * @text: the whole text
 * @length: of @text
 * @func: called for each sound line
 * @user_data: for @func
 *
 * Reads `/proc/PID/cgroup`
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html#processes).
 *
 * Returns: whether all lines were sound
 */
gboolean
jm_parse_proc_cgroup (const char *text,
                      gsize length,
                      JmProcCgroupFunc func,
                      gpointer user_data)
{
  const char *cursor = text;
  const char *end = text + length;
  gboolean sound = TRUE;
  JmSlice line;

  while (jm_parse_next_whole_line (&cursor, end, &line))
    {
      JmProcCgroup cgroup;

      if (read_cgroup_line (line, &cgroup))
        func (&cgroup, user_data);
      else
        sound = FALSE;
    }

  return sound;
}

static gboolean
is_octal_escape (const char *p, const char *end)
{
  return end - p >= 4 && p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' &&
         p[2] <= '7' && p[3] >= '0' && p[3] <= '7';
}

static gboolean
decode_path (JmSlice word, char path[PATH_MAX])
{
  const char *p = word.text;
  const char *end = p + word.length;
  gsize length = 0;

  while (p < end)
    {
      char c = *p;

      if (is_octal_escape (p, end))
        {
          c = (char) ((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
          p += 4;
        }
      else
        p++;

      if (c == '\0' || length == PATH_MAX - 1)
        return FALSE;
      path[length++] = c;
    }

  path[length] = '\0';
  return length > 0;
}

static gboolean
skip_optional_fields (const char **cursor, const char *end)
{
  JmSlice word;

  while (jm_parse_next_word (cursor, end, &word))
    {
      if (jm_slice_equal (word, "-"))
        return TRUE;
    }

  return FALSE;
}

/* The source may be empty, and then two blanks follow each other. */
static gboolean
take_source (const char *cursor, const char *end, JmMount *mount)
{
  JmSlice rest = { cursor, end - cursor };
  JmSlice nothing;

  if (!take_until (&rest, ' ', &nothing) || !take_until (&rest, ' ', &mount->source))
    return FALSE;

  mount->super_options = rest;
  return nothing.length == 0;
}

static gboolean
read_mount_line (JmSlice line, JmMount *mount)
{
  const char *cursor = line.text;
  const char *end = line.text + line.length;
  guint id, parent_id;
  JmSlice device, root, mount_point;

  return take_uint (&cursor, end, &id) && take_uint (&cursor, end, &parent_id) &&
         jm_parse_next_word (&cursor, end, &device) &&
         jm_parse_device (device.text, device.length, &mount->major, &mount->minor) &&
         jm_parse_next_word (&cursor, end, &root) && decode_path (root, mount->root) &&
         jm_parse_next_word (&cursor, end, &mount_point) &&
         decode_path (mount_point, mount->mount_point) &&
         jm_parse_next_word (&cursor, end, &mount->options) &&
         skip_optional_fields (&cursor, end) &&
         jm_parse_next_word (&cursor, end, &mount->type) &&
         take_source (cursor, end, mount);
}

/**
 * jm_parse_mountinfo:
 * @text: the whole text
 * @length: of @text
 * @func: called for each sound line
 * @user_data: for @func
 *
 * Reads `/proc/PID/mountinfo`
 * (https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo-information-about-mounts).
 * Octal escapes in its two paths are decoded.
 *
 * Returns: whether all lines were sound
 */
gboolean
jm_parse_mountinfo (const char *text,
                    gsize length,
                    JmMountFunc func,
                    gpointer user_data)
{
  const char *cursor = text;
  const char *end = text + length;
  gboolean sound = TRUE;
  JmSlice line;

  while (jm_parse_next_whole_line (&cursor, end, &line))
    {
      JmMount mount;

      if (read_mount_line (line, &mount))
        func (&mount, user_data);
      else
        sound = FALSE;
    }

  return sound;
}

/**
 * jm_parse_option:
 * @options: comma separated, as those of a mount or of a line of `/proc/PID/cgroup`
 * @name: the option wanted
 * @value: (out) (optional): what stands behind its equals sign, else empty
 *
 * Looks up an option in a list such as `rw,cpu,cpuacct` or `rw,name=systemd`.
 *
 * Returns: whether it is there
 */
gboolean
jm_parse_option (JmSlice options, const char *name, JmSlice *value)
{
  gsize length = strlen (name);
  gboolean more = TRUE;

  while (more)
    {
      JmSlice option;

      more = take_until (&options, ',', &option);
      if (!more)
        option = options;

      if (option.length >= length && memcmp (option.text, name, length) == 0 &&
          (option.length == length || option.text[length] == '='))
        {
          gsize skip = option.length == length ? length : length + 1;

          if (value != NULL)
            *value = (JmSlice){ option.text + skip, option.length - skip };
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * jm_parse_environ:
 * @text: the whole text, or its beginning
 * @length: of @text
 * @name: the variable wanted
 * @value: (out): its value, without a NUL
 *
 * Looks up a variable in `/proc/PID/environ` (proc(5)): the first of that name, as
 * getenv(3) would. A process may write there what it likes: the value is hearsay. An
 * entry without a NUL behind it was cut short and is not taken.
 *
 * Returns: whether it is there
 */
gboolean
jm_parse_environ (const char *text, gsize length, const char *name, JmSlice *value)
{
  JmSlice rest = { text, length };
  gsize name_length = strlen (name);
  JmSlice entry;

  while (take_until (&rest, '\0', &entry))
    {
      if (entry.length > name_length && entry.text[name_length] == '=' &&
          memcmp (entry.text, name, name_length) == 0)
        {
          *value =
            (JmSlice){ entry.text + name_length + 1, entry.length - name_length - 1 };
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * jm_parse_proc_groups: (skip)
 * @text: of `/proc/PID/status`
 * @length: of @text
 * @groups: (element-type guint): where the numbers are added
 *
 * Looks for the additional groups of a process, in the line `Groups:`.
 *
 * Returns: whether it is there, and nothing but numbers is in it
 */
gboolean
jm_parse_proc_groups (const char *text, gsize length, GArray *groups)
{
  const char *cursor, *end;
  JmSlice rest, word;

  if (!jm_parse_find_line (text, length, "Groups:", &rest))
    return FALSE;

  cursor = rest.text;
  end = rest.text + rest.length;
  while (jm_parse_next_word (&cursor, end, &word))
    {
      guint64 value;
      guint group;

      if (!jm_parse_uint64 (word.text, word.length, &value) || value > G_MAXUINT32)
        return FALSE;

      group = (guint) value;
      g_array_append_val (groups, group);
    }

  return TRUE;
}

/**
 * jm_parse_boot_time: (skip)
 * @text: of `/proc/stat`
 * @length: of @text
 * @seconds: (out): since 1970
 *
 * Returns: whether it is there
 */
gboolean
jm_parse_boot_time (const char *text, gsize length, guint64 *seconds)
{
  JmSlice line;
  const char *cursor;
  guint64 value;

  if (!jm_parse_find_line (text, length, "btime", &line))
    return FALSE;

  cursor = line.text;
  if (!jm_parse_next_uint64 (&cursor, line.text + line.length, &value) ||
      value > BOOT_TIME_MAX)
    return FALSE;

  *seconds = value;
  return TRUE;
}
