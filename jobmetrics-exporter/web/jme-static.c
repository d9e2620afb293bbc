/* jme-static.c: what pages load, which is all from here
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-static.h"

#include "jme-static-resource.h"
#include "report/page/jm-report-html-private.h"

#define FOLDER "/org/jobmetrics/exporter"
/* A day: a version under development changes under its name. */
#define CACHE "max-age=86400"

GBytes *
jme_static_read (const char *path)
{
  g_autofree char *place = g_strconcat (FOLDER, path, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *content = g_resource_lookup_data (jme_static_get_resource (), place,
                                            G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  if (content == NULL)
    g_error ("%s", error->message);

  return content;
}

static void
reply (JmeRequest *request, const char *content_type, GBytes *content)
{
  jme_request_set_header (request, "Cache-Control", CACHE);
  jme_request_set_header (request, "X-Content-Type-Options", "nosniff");
  jme_request_reply (request, 200, content_type, content);
}

/* Reports of the library have rules of their own, of which these pages change some. */
static void
on_style (JmeRequest *request, gpointer user_data)
{
  g_autofree char *reports = jm_report_html_get_css ();
  g_autoptr (GBytes) own = jme_static_read (JME_STATIC_STYLE_PATH);
  GString *whole = g_string_new (reports);
  g_autoptr (GBytes) content = NULL;

  g_string_append_len (whole, g_bytes_get_data (own, NULL),
                       (gssize) g_bytes_get_size (own));
  content = g_string_free_to_bytes (whole);
  reply (request, "text/css; charset=utf-8", content);
}

static void
on_script (JmeRequest *request, gpointer user_data)
{
  g_autoptr (GBytes) content = jme_static_read (JME_STATIC_SCRIPT_PATH);

  reply (request, "text/javascript; charset=utf-8", content);
}

const JmeRoute jme_static_routes[] = {
  { .path = JME_STATIC_STYLE_PATH, .access = JME_ACCESS_OPEN, .handler = on_style },
  { .path = JME_STATIC_SCRIPT_PATH, .access = JME_ACCESS_OPEN, .handler = on_script },
  { NULL },
};
