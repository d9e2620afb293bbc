/* test-node-page.c: the node's page for people
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <string.h>

#include "core/jm-metric-private.h"
#include "jm-snapshot-builder.h"
#include "node/jme-node-answers.h"
#include "web/jme-html.h"
#include "web/jme-static.h"

#define MICRO 1000000

/* What WCAG 2.1 asks of text, success criterion 1.4.3. */
#define LEAST_CONTRAST 4.5

/* The beginning of the rules for the dark scheme. */
#define DARK "@media screen and (prefers-color-scheme: dark)"

static void
add_part (JmSnapshotBuilder *builder, JmSubjectKind kind, guint joules)
{
  g_autoptr (JmLabels) package = jm_labels_of ("package", JM_QUALITY_MEASURED, NULL);

  jm_snapshot_builder_add_part (builder, kind);
  jm_snapshot_builder_add_labels (builder, JM_METRIC_ENERGY, package,
                                  (guint64) joules * MICRO);
}

static JmSnapshot *
make_snapshot (guint second, guint system_joules, guint idle_joules)
{
  g_autoptr (JmSnapshotBuilder) builder =
    jm_snapshot_builder_new (jm_collector_set_get_all ());

  add_part (builder, JM_SUBJECT_KIND_SYSTEM, system_joules);
  add_part (builder, JM_SUBJECT_KIND_IDLE, idle_joules);
  jm_snapshot_builder_set_time (builder, (gint64) second * G_USEC_PER_SEC);

  return jm_snapshot_builder_end (builder);
}

static char *
render (JmSnapshot *before, JmSnapshot *now)
{
  g_autoptr (GBytes) page = jme_node_page_render (before, now, "/metrics");

  return g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
}

static void
test_accelerators_and_what_jobs_have_of_them (void)
{
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_gpu_node ();
  g_autofree char *page = render (NULL, snapshot);

  g_assert_nonnull (strstr (page, "<tr><td>0</td><td>busy</td>"
                                  "<td class=\"number\">93</td>"
                                  "<td class=\"number\">40GiB</td>"));
  g_assert_nonnull (strstr (page, "<td>101 (cgroup), 102 (used, driver)</td>"));
  g_assert_nonnull (strstr (page, "<td>  1.7</td><td>given</td>"));
  g_assert_nonnull (strstr (page, "<tr><td>101</td><td>0</td>"
                                  "<td class=\"number\">90</td>"));
  g_assert_nonnull (strstr (page, "<tr class=\"ended\"><td>100</td><td>1</td>"));
}

static void
test_a_node_without_accelerators_does_not_speak_of_them (void)
{
  g_autoptr (JmSnapshot) snapshot = make_snapshot (1000, 100, 1000);
  g_autofree char *page = render (NULL, snapshot);

  g_assert_null (strstr (page, "Accelerators"));
}

static void
test_what_is_no_jobs_has_watts (void)
{
  g_autoptr (JmSnapshot) before = make_snapshot (1000, 100, 1000);
  g_autoptr (JmSnapshot) now = make_snapshot (1005, 150, 1200);
  g_autofree char *page = render (before, now);
  g_autofree char *first = render (NULL, now);

  g_assert_nonnull (strstr (page, "<td>System</td><td class=\"number\">10W</td>"));
  g_assert_nonnull (strstr (page, "<td>Idle</td><td class=\"number\">40W</td>"));
  g_assert_nonnull (strstr (first, "<td>Idle</td><td class=\"number\">–</td>"));
}

/* --- colours --- */

/* Of #rgb or #rrggbb, as WCAG 2.1 defines it. */
static double
get_luminance (const char *color)
{
  static const double weights[] = { 0.2126, 0.7152, 0.0722 };
  const gsize digits = strlen (color) / 3;
  double luminance = 0;

  for (guint i = 0; i < 3; i++)
    {
      int high = g_ascii_xdigit_value (color[1 + i * digits]);
      int low = g_ascii_xdigit_value (color[1 + i * digits + digits - 1]);
      double part = (high * 16 + low) / 255.0;

      luminance += weights[i] *
                   (part <= 0.03928 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4));
    }

  return luminance;
}

static double
get_contrast (const char *a, const char *b)
{
  double first = get_luminance (a);
  double second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

/* The colour that @style gives a name. */
static char *
find_color (const char *style, const char *name)
{
  g_autofree char *pattern = g_strdup_printf ("--%s: (#[0-9a-f]+);", name);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_test_message ("%s", name);
  g_assert_true (g_regex_match (regex, style, 0, &match));

  return g_match_info_fetch (match, 1);
}

static void
check_scheme (const char *style)
{
  static const char *const grounds[] = { "ground", "panel" };
  static const char *const texts[] = { "text", "muted", "link", "good", "bad", "warn" };

  for (guint i = 0; i < G_N_ELEMENTS (grounds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autofree char *ground = find_color (style, grounds[i]);
        g_autofree char *text = find_color (style, texts[j]);

        g_test_message ("%s on %s: %.2f", text, ground, get_contrast (text, ground));
        g_assert_cmpfloat (get_contrast (text, ground), >=, LEAST_CONTRAST);
      }
}

static char *
read_style (void)
{
  g_autoptr (GBytes) style = jme_static_read (JME_STATIC_STYLE_PATH);

  return g_strndup (g_bytes_get_data (style, NULL), g_bytes_get_size (style));
}

/* Each scheme sets all that the other does, so that none has the other's greys. */
static void
test_text_can_be_read_in_either_scheme (void)
{
  g_autofree char *style = read_style ();
  char *dark = strstr (style, DARK);

  g_assert_nonnull (dark);
  check_scheme (dark);
  *dark = '\0';
  check_scheme (style);
}

static void
test_paper_cuts_no_column (void)
{
  g_autofree char *style = read_style ();
  const char *print = strstr (style, "@media print");

  g_assert_nonnull (print);
  g_assert_nonnull (strstr (print, ".scroll { overflow: visible; }"));
  g_assert_nonnull (strstr (print, "max-width: none;"));
}

/* It loads what is compiled in, and nothing else. */
static void
test_the_page_has_no_style_or_script_of_its_own (void)
{
  g_autoptr (JmSnapshot) now = make_snapshot (1000, 1, 1);
  g_autofree char *page = render (NULL, now);

  g_assert_nonnull (strstr (page, "href=\"" JME_STATIC_STYLE "\""));
  g_assert_nonnull (strstr (page, "src=\"" JME_STATIC_SCRIPT "\""));
  g_assert_null (strstr (page, "<style"));
  g_assert_null (strstr (page, "<script>"));
  g_assert_null (strstr (page, "style="));
}

static void
test_any_text_stays_text (void)
{
  g_autoptr (GString) out = g_string_new (NULL);

  jme_html_append_escaped (out, "<b a='1' c=\"2\">&\x01\xff\u202e\u00e9\n");
  g_assert_cmpstr (out->str, ==,
                   "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;"
                   "\ufffd\ufffd\ufffd\u00e9\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/exporter/node-page/accelerators-and-what-jobs-have-of-them",
                   test_accelerators_and_what_jobs_have_of_them);
  g_test_add_func ("/exporter/node-page/"
                   "a-node-without-accelerators-does-not-speak-of-them",
                   test_a_node_without_accelerators_does_not_speak_of_them);
  g_test_add_func ("/exporter/node-page/what-is-no-jobs-has-watts",
                   test_what_is_no_jobs_has_watts);
  g_test_add_func ("/exporter/node-page/text-can-be-read-in-either-scheme",
                   test_text_can_be_read_in_either_scheme);
  g_test_add_func ("/exporter/node-page/paper-cuts-no-column",
                   test_paper_cuts_no_column);
  g_test_add_func ("/exporter/node-page/"
                   "the-page-has-no-style-or-script-of-its-own",
                   test_the_page_has_no_style_or_script_of_its_own);
  g_test_add_func ("/exporter/node-page/any-text-stays-text", test_any_text_stays_text);

  return g_test_run ();
}
