/* jme-log.c: the program's own messages, structured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-log.h"

#include <string.h>
#include <unistd.h>

#define MAX_VALUE_BYTES 8192

/* Any thread may write while another changes these. */
struct _JmeLog
{
  int level; /* GLogLevelFlags */
  int format;
};

static const char *const level_names[] = { "debug", "info", "warn", "error", NULL };
static const GLogLevelFlags levels[] = { G_LOG_LEVEL_DEBUG, G_LOG_LEVEL_INFO,
                                         G_LOG_LEVEL_WARNING, G_LOG_LEVEL_CRITICAL };

/* In the order of JmeLogFormat. */
static const char *const format_names[] = { "logfmt", "json", "journal", NULL };

static const JmSetting settings_of_log[] = {
  { .name = "log.level",
    .group = "log",
    .kind = JM_SETTING_CHOICE,
    .argument = "LEVEL",
    .help = "Lowest level of messages",
    .preset = "info",
    .choices = level_names },
  { .name = "log.format",
    .group = "log",
    .kind = JM_SETTING_CHOICE,
    .argument = "FORMAT",
    .help = "Format of messages",
    .preset = "logfmt",
    .choices = format_names },
};

static const char *
level_name (GLogLevelFlags level)
{
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return "error";
  if (level & G_LOG_LEVEL_WARNING)
    return "warn";
  if (level & (G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO))
    return "info";
  return "debug";
}

static gboolean
is_wanted (GLogLevelFlags level, GLogLevelFlags least)
{
  /* GLib gives graver messages lower bits; a message ranks with information here. */
  if (level & G_LOG_LEVEL_MESSAGE)
    level = G_LOG_LEVEL_INFO;

  return (level & G_LOG_LEVEL_MASK) <= least;
}

/* Appends text between quotes such that it stays on its line and inside its quotes,
 * whatever bytes it holds. JSON has no escape for a byte that is not UTF-8. */
static void
append_quoted (GString *line, JmeLogFormat format, const char *text, gsize length)
{
  const char *end = text + MIN (length, MAX_VALUE_BYTES);

  g_string_append_c (line, '"');
  while (text < end)
    {
      gunichar c = g_utf8_get_char_validated (text, end - text);

      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          if (format == JME_LOG_JSON)
            g_string_append (line, "\\ufffd");
          else
            g_string_append_printf (line, "\\x%02x", (guint8) *text);
          text++;
          continue;
        }

      if (c == '"' || c == '\\')
        g_string_append_printf (line, "\\%c", (char) c);
      else if (c == '\n')
        g_string_append (line, "\\n");
      else if (c == '\t')
        g_string_append (line, "\\t");
      else if (c < 0x10000 && !g_unichar_isprint (c))
        g_string_append_printf (line, "\\u%04x", c);
      else
        g_string_append_unichar (line, c);
      text = g_utf8_next_char (text);
    }
  if (length > MAX_VALUE_BYTES)
    g_string_append (line, "...");
  g_string_append_c (line, '"');
}

static gboolean
needs_quotes (const char *text, gsize length)
{
  if (length == 0 || length > MAX_VALUE_BYTES)
    return TRUE;

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isgraph (text[i]) || strchr ("\"\\=", text[i]) != NULL)
      return TRUE;

  return FALSE;
}

static void
append_field (GString *line,
              JmeLogFormat format,
              const char *key,
              const char *text,
              gsize length)
{
  if (format == JME_LOG_JSON)
    {
      g_string_append_printf (line, "%s\"%s\":", line->len > 1 ? "," : "", key);
      append_quoted (line, format, text, length);
      return;
    }

  g_string_append_printf (line, "%s%s=", line->len > 0 ? " " : "", key);
  if (needs_quotes (text, length))
    append_quoted (line, format, text, length);
  else
    g_string_append_len (line, text, length);
}

static const GLogField *
find_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, key) == 0 && fields[i].value != NULL)
      return &fields[i];

  return NULL;
}

static gsize
field_length (const GLogField *field)
{
  return field->length < 0 ? strlen (field->value) : (gsize) field->length;
}

/* What every message of GLib carries; the rest is what the caller wanted logged. */
static gboolean
is_own_field (const char *key)
{
  static const char *const names[] = {
    "MESSAGE",           "MESSAGE_ID", "PRIORITY",  "GLIB_OLD_LOG_API", "GLIB_DOMAIN",
    "SYSLOG_IDENTIFIER", "CODE_FILE",  "CODE_LINE", "CODE_FUNC",        NULL
  };

  return g_strv_contains (names, key);
}

static void
append_caller (GString *line, JmeLogFormat format, const GLogField *fields, gsize n)
{
  const GLogField *file = find_field (fields, n, "CODE_FILE");
  const GLogField *number = find_field (fields, n, "CODE_LINE");
  g_autofree char *base = NULL;
  g_autofree char *caller = NULL;

  if (file == NULL || number == NULL || file->length >= 0 || number->length >= 0)
    return;

  base = g_path_get_basename (file->value);
  caller = g_strdup_printf ("%s:%s", base, (const char *) number->value);
  append_field (line, format, "caller", caller, strlen (caller));
}

/**
 * jme_log_append_line:
 * @line: where to append
 * @format: `JME_LOG_LOGFMT` or `JME_LOG_JSON`
 * @level: the message's level
 * @fields: (array length=n_fields): the message's fields
 * @n_fields: how many
 * @real_time_us: microseconds since 1970
 *
 * Renders one message as one line, without its newline.
 */
void
jme_log_append_line (GString *line,
                     JmeLogFormat format,
                     GLogLevelFlags level,
                     const GLogField *fields,
                     gsize n_fields,
                     gint64 real_time_us)
{
  g_autoptr (GDateTime) seconds =
    g_date_time_new_from_unix_utc (real_time_us / G_USEC_PER_SEC);
  g_autofree char *day = g_date_time_format (seconds, "%Y-%m-%dT%H:%M:%S");
  g_autofree char *time =
    g_strdup_printf ("%s.%03dZ", day, (int) (real_time_us % G_USEC_PER_SEC / 1000));
  const GLogField *message = find_field (fields, n_fields, "MESSAGE");
  g_autoptr (GString) text = g_string_new (format == JME_LOG_JSON ? "{" : NULL);

  append_field (text, format, "ts", time, strlen (time));
  append_field (text, format, "level", level_name (level), strlen (level_name (level)));
  append_caller (text, format, fields, n_fields);
  if (message != NULL)
    append_field (text, format, "msg", message->value, field_length (message));

  for (gsize i = 0; i < n_fields; i++)
    {
      g_autofree char *key = NULL;

      if (fields[i].value == NULL || is_own_field (fields[i].key))
        continue;
      key = g_ascii_strdown (fields[i].key, -1);
      append_field (text, format, key, fields[i].value, field_length (&fields[i]));
    }

  if (format == JME_LOG_JSON)
    g_string_append_c (text, '}');
  g_string_append_len (line, text->str, text->len);
}

/* libsoup hands a negative length of a client's on to GObject, which warns of it:
 * nothing that anybody who can connect may fill a log with. */
static gboolean
is_of_a_clients_making (const GLogField *fields, gsize n_fields)
{
  const GLogField *message = find_field (fields, n_fields, "MESSAGE");

  return message != NULL &&
         g_strstr_len (message->value, (gssize) field_length (message),
                       "out of range for property 'content-length'") != NULL;
}

static GLogWriterOutput
write_message (GLogLevelFlags level,
               const GLogField *fields,
               gsize n_fields,
               gpointer user_data)
{
  JmeLog *self = user_data;
  JmeLogFormat format = (JmeLogFormat) g_atomic_int_get (&self->format);
  g_autoptr (GString) line = NULL;

  if (is_of_a_clients_making (fields, n_fields))
    level = G_LOG_LEVEL_DEBUG;
  if (!is_wanted (level, (GLogLevelFlags) g_atomic_int_get (&self->level)))
    return G_LOG_WRITER_HANDLED;

  if (format == JME_LOG_JOURNAL &&
      g_log_writer_journald (level, fields, n_fields, NULL) == G_LOG_WRITER_HANDLED)
    return G_LOG_WRITER_HANDLED;

  line = g_string_new (NULL);
  jme_log_append_line (line, format, level, fields, n_fields, g_get_real_time ());
  g_string_append_c (line, '\n');

  /* One write, so that lines of several threads do not mix. */
  if (write (STDERR_FILENO, line->str, line->len) < 0)
    return G_LOG_WRITER_UNHANDLED;

  return G_LOG_WRITER_HANDLED;
}

/**
 * jme_log_install:
 * @level: the least grave level to write
 * @format: how
 *
 * Makes every message of the process go to standard error, or to the journal (to
 * standard error where no journal answers). To be called once, as GLib demands.
 *
 * Returns: (transfer none): the log, which lives as long as the process
 */
JmeLog *
jme_log_install (GLogLevelFlags level, JmeLogFormat format)
{
  JmeLog *self = g_new (JmeLog, 1);

  self->level = (int) level;
  self->format = (int) format;
  g_log_set_writer_func (write_message, self, g_free);

  return self;
}

/**
 * jme_log_add_settings:
 * @settings: the program's settings
 *
 * Adds `log.level` and `log.format`.
 */
void
jme_log_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, settings_of_log, G_N_ELEMENTS (settings_of_log));
}

/**
 * jme_log_configure:
 * @self: the log
 * @settings: the program's settings
 *
 * Writes messages as the settings say from here on, those of all threads.
 */
void
jme_log_configure (JmeLog *self, const JmSettings *settings)
{
  GLogLevelFlags level = levels[jm_settings_get_number (settings, "log.level")];

  g_atomic_int_set (&self->level, (int) level);
  g_atomic_int_set (&self->format,
                    (int) jm_settings_get_number (settings, "log.format"));
}
