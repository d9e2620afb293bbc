/* jm-hwmon-names.c: what the names of sensors stand for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-files-private.h"

#include <string.h>

#include "base/jm-parse-private.h"
#include "core/jm-power-domain-private.h"

#define MAX_CHANNEL_DIGITS 4
#define MAX_DOMAIN 64

static const struct
{
  const char *prefix;
  const char *suffix;
  JmHwmonKind kind;
} files[] = {
  { "power", "_input", JM_HWMON_POWER_INPUT },
  { "power", "_average", JM_HWMON_POWER_AVERAGE },
  { "energy", "_input", JM_HWMON_ENERGY },
};

/* Words before a socket's number. A label of Grace is of all that is on its side:
 * processor, memory and SysIO. A module is a Grace and its GPU. */
static const struct
{
  const char *chip;
  const char *words;
  const char *domain; /* NULL for what is of no interest */
} sockets[] = {
  { JM_HWMON_ACPI_METER, "CPU Power Socket ", "package" },
  { JM_HWMON_ACPI_METER, "SysIO Power Socket ", "sysio" },
  { JM_HWMON_ACPI_METER, "Grace Power Socket ", "grace" },
  { JM_HWMON_ACPI_METER, "Module Power Socket ", "module" },
  { JM_HWMON_AMD_ENERGY, "Esocket", "package" },
  { JM_HWMON_AMD_ENERGY, "Ecore", NULL },
};

JmHwmonKind
jm_hwmon_parse_file_name (const char *name, char **channel)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      gsize prefix = strlen (files[i].prefix);
      gsize digits;

      if (!g_str_has_prefix (name, files[i].prefix))
        continue;

      digits = strspn (name + prefix, "0123456789");
      if (digits > 0 && digits <= MAX_CHANNEL_DIGITS &&
          g_str_equal (name + prefix + digits, files[i].suffix))
        {
          *channel = g_strndup (name, prefix + digits);
          return files[i].kind;
        }
    }

  return JM_HWMON_NONE;
}

/* Lower-case letters, digits and underscores, with one dash for all that lies between.
 */
static char *
make_safe (const char *text)
{
  g_autoptr (GString) safe = g_string_new (NULL);

  for (const char *p = text; *p != '\0' && safe->len < MAX_DOMAIN; p++)
    if (g_ascii_isalnum (*p) || *p == '_')
      g_string_append_c (safe, g_ascii_tolower (*p));
    else if (safe->len > 0 && safe->str[safe->len - 1] != '-')
      g_string_append_c (safe, '-');

  if (safe->len > 0 && safe->str[safe->len - 1] == '-')
    g_string_truncate (safe, safe->len - 1);

  return g_strdup (safe->str);
}

/* What is measured by a chip of no known meaning must not pass for a known domain. */
static char *
make_other_domain (const char *chip, const char *channel, const char *label)
{
  g_autofree char *safe_chip = make_safe (chip);
  g_autofree char *safe = label != NULL ? make_safe (label) : NULL;
  const char *name = safe != NULL && safe[0] != '\0' ? safe : channel;
  char *domain = g_strconcat (safe_chip, "-", name, NULL);
  guint number, die;

  if (jm_power_domain_from_name (domain, &number, &die) != JM_POWER_DOMAIN_OTHER)
    {
      g_autofree char *known = domain;

      domain = g_strconcat ("hwmon-", known, NULL);
    }

  return domain;
}

char *
jm_hwmon_make_domain (const char *chip, const char *channel, const char *label)
{
  if (label == NULL && g_str_equal (chip, JM_HWMON_ACPI_METER))
    return g_strdup (jm_power_domain_get_name (JM_POWER_DOMAIN_NODE));

  for (guint i = 0; i < G_N_ELEMENTS (sockets) && label != NULL; i++)
    {
      gsize length = strlen (sockets[i].words);
      guint64 number;

      if (!g_str_equal (chip, sockets[i].chip) ||
          g_ascii_strncasecmp (label, sockets[i].words, length) != 0 ||
          !jm_parse_uint64 (label + length, strlen (label + length), &number) ||
          number > G_MAXUINT16)
        continue;

      return sockets[i].domain != NULL
               ? g_strdup_printf ("%s-%u", sockets[i].domain, (guint) number)
               : NULL;
    }

  return make_other_domain (chip, channel, label);
}
