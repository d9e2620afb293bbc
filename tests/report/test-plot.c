/* test-plot.c: series over time as a picture
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/jm-error.h"
#include "report/plot/jm-plot-canvas-private.h"
#include "report/plot/jm-plot-private.h"

#define BEGIN 1700000000.0
#define WIDTH 800
#define HEIGHT 300

/* --- plots --- */

static JmPlot *
plot_new (JmPlotKind kind, JmFormat format, double span)
{
  JmPlot *plot = jm_plot_new (kind, "Title", format);

  jm_plot_set_range (plot, (gint64) (BEGIN * 1e6), (gint64) ((BEGIN + span) * 1e6));

  return plot;
}

/* A value each second. */
static void
add (JmPlot *plot, const char *name, const double *values, gsize n_values)
{
  g_autofree double *times = g_new (double, n_values);

  for (gsize i = 0; i < n_values; i++)
    times[i] = BEGIN + (double) i;
  jm_plot_add_series (plot, name, times, values, n_values);
}

static void
add_cores (JmPlot *plot, guint n_cores, gsize n_values)
{
  g_autofree double *values = g_new (double, n_values);

  for (guint i = 0; i < n_cores; i++)
    {
      g_autofree char *name = g_strdup_printf ("core %u", i);

      for (gsize j = 0; j < n_values; j++)
        values[j] = 50 + 40 * sin ((double) (i + j) / 9);
      add (plot, name, values, n_values);
    }
}

/* --- what is in a picture --- */

typedef struct
{
  GString *words; /* of <text>, each with a bar behind it */
  char *title;    /* of the picture */
  char *description;
  GPtrArray *lines; /* the d of each path of a series or of the limit */
  GPtrArray *classes;
  guint n_styles;
  guint n_forbidden; /* script, id, style */
} Picture;

static void
start (GMarkupParseContext *context,
       const char *element,
       const char **names,
       const char **values,
       gpointer data,
       GError **error)
{
  Picture *self = data;
  const char *path = NULL;
  const char *class = NULL;

  self->n_styles += g_str_equal (element, "style");
  self->n_forbidden += g_str_equal (element, "script");
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "id") || g_str_equal (names[i], "style") ||
          g_str_has_prefix (names[i], "on"))
        self->n_forbidden++;
      if (g_str_equal (names[i], "d"))
        path = values[i];
      if (g_str_equal (names[i], "class"))
        class = values[i];
    }
  if (path != NULL)
    {
      g_ptr_array_add (self->lines, g_strdup (path));
      g_ptr_array_add (self->classes, g_strdup (class));
    }
}

static void
text (GMarkupParseContext *context,
      const char *words,
      gsize length,
      gpointer data,
      GError **error)
{
  Picture *self = data;
  const char *element = g_markup_parse_context_get_element (context);
  const GSList *stack = g_markup_parse_context_get_element_stack (context);
  gboolean is_of_the_picture =
    stack->next != NULL && g_str_equal (stack->next->data, "svg");

  if (g_str_equal (element, "text"))
    g_string_append_printf (self->words, "%s|", words);
  else if (g_str_equal (element, "title") && is_of_the_picture)
    self->title = g_strdup (words);
  else if (g_str_equal (element, "desc"))
    self->description = g_strdup (words);
}

static Picture *
picture_parse (const char *svg)
{
  static const GMarkupParser parser = { .start_element = start, .text = text };
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) error = NULL;
  Picture *self = g_new0 (Picture, 1);

  self->words = g_string_new (NULL);
  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->classes = g_ptr_array_new_with_free_func (g_free);
  context = g_markup_parse_context_new (&parser, 0, self, NULL);
  g_markup_parse_context_parse (context, svg, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (self->n_forbidden, ==, 0);

  return self;
}

static Picture *
picture_draw (JmPlot *plot)
{
  g_autofree char *svg = jm_plot_to_svg (plot, WIDTH, HEIGHT);
  Picture *self = picture_parse (svg);

  g_assert_true (g_str_has_prefix (svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
  g_assert_nonnull (strstr (svg, " role=\"img\""));
  g_assert_cmpuint (self->n_styles, ==, 0);

  return self;
}

static void
picture_free (Picture *self)
{
  g_string_free (self->words, TRUE);
  g_free (self->title);
  g_free (self->description);
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->classes);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

/* The first path of a class, such as jm-plot-line-0. */
static const char *
picture_find (const Picture *self, const char *class)
{
  for (guint i = 0; i < self->classes->len; i++)
    if (g_str_equal (g_ptr_array_index (self->classes, i), class))
      return g_ptr_array_index (self->lines, i);

  return NULL;
}

static guint
picture_count (const Picture *self, const char *class)
{
  guint n = 0;

  for (guint i = 0; i < self->classes->len; i++)
    n += g_str_equal (g_ptr_array_index (self->classes, i), class);

  return n;
}

static guint
count_letter (const char *path, char letter)
{
  guint n = 0;

  for (; *path != '\0'; path++)
    n += *path == letter;

  return n;
}

/* From the top of the picture; a path is its first place, and distances from there. */
static void
find_heights (const char *path, double *least, double *most)
{
  double y = 0;

  *least = G_MAXDOUBLE;
  *most = 0;
  while (*path != '\0')
    {
      char command = *path;
      char *end;
      double step;

      g_assert_nonnull (strchr ("Ml", command));
      g_ascii_strtod (path + 1, &end);
      step = g_ascii_strtod (end, &end);
      y = command == 'M' ? step : y + step;
      *least = MIN (*least, y);
      *most = MAX (*most, y);
      path = end;
    }
}

/* Of the grid. */
static double
find_top (const Picture *self)
{
  double top = G_MAXDOUBLE;

  for (guint i = 0; i < self->classes->len; i++)
    {
      double least;
      double most;

      if (!g_str_equal (g_ptr_array_index (self->classes, i), "jm-plot-line-grid"))
        continue;
      find_heights (g_ptr_array_index (self->lines, i), &least, &most);
      top = MIN (top, least);
    }

  return top;
}

static void
assert_shows (const Picture *self, const char *words)
{
  if (strstr (self->words->str, words) == NULL)
    g_error ("\"%s\" is not in %s", words, self->words->str);
}

/* --- SVG --- */

static void
test_axes_and_names_are_words (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_WATTS, 3);
  const double first[] = { 100, 200, 100, 150 };
  const double second[] = { 300, 400, 300, 350 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "node01", first, 4);
  add (plot, "node02", second, 4);
  picture = picture_draw (plot);

  assert_shows (picture, "Title|");
  assert_shows (picture, "0|100W|200W|300W|400W|");
  assert_shows (picture, "|0|0.5s|1.0s|1.5s|2.0s|2.5s|3.0s|");
  assert_shows (picture, "|node02|node01|");
  g_assert_cmpstr (picture->title, ==, "Title");
  g_assert_cmpstr (picture->description, ==,
                   "node01: minimum 100W, mean 138W, maximum 200W; "
                   "node02: minimum 300W, mean 338W, maximum 400W.");
}

static void
test_a_gap_breaks_the_line (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_WATTS, 9);
  const double values[] = { 1, 2, 3, NAN, INFINITY, 4, 5, NAN, 6, 7 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "power", values, G_N_ELEMENTS (values));
  picture = picture_draw (plot);

  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-line-0"), 'M'), ==,
                    3);
  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-line-0"), 'l'), ==,
                    4);
}

static void
test_a_gap_breaks_what_lies_upon_it (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 4);
  const double below[] = { 1, 1, 1, 1, 1 };
  const double gap[] = { 1, 1, NAN, 1, 1 };
  const double late[] = { NAN, NAN, 1, 1, 1 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "below", below, 5);
  add (plot, "gap", gap, 5);
  add (plot, "late", late, 5);
  picture = picture_draw (plot);

  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-fill-0"), 'M'), ==,
                    1);
  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-fill-1"), 'M'), ==,
                    2);
  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-fill-7"), 'M'), ==,
                    2);
}

static void
test_a_lone_point_is_a_dot (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_WATTS, 9);
  const double values[] = { NAN, 2, NAN };
  g_autoptr (Picture) picture = NULL;

  add (plot, "power", values, 3);
  picture = picture_draw (plot);

  g_assert_cmpuint (picture_count (picture, "jm-plot-fill-0"), ==, 2);
}

static void
test_markup_in_names_is_only_text (void)
{
  g_autoptr (JmPlot) plot =
    jm_plot_new (JM_PLOT_KIND_LINES, "<script>&\"'\x01\xff", JM_FORMAT_COUNT);
  const double values[] = { 1, 2 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "</svg><b onclick='x'>", values, 2);
  jm_plot_set_limit (plot, "<limit>", 2);
  picture = picture_draw (plot);

  g_assert_cmpstr (picture->title, ==, "<script>&\"'?\xef\xbf\xbd");
  assert_shows (picture, "|</svg><b onclick='x'>|");
  assert_shows (picture, "|<limit> 2|");
}

static void
test_peaks_and_troughs_survive (void)
{
  const gsize n = 100000;
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 100000);
  g_autofree double *values = g_new (double, n);
  g_autoptr (Picture) picture = NULL;
  const char *path;
  double least;
  double most;

  for (gsize i = 0; i < n; i++)
    values[i] = 50;
  values[33333] = 100;
  values[77777] = 0;
  add (plot, "threads", values, n);
  picture = picture_draw (plot);
  path = picture_find (picture, "jm-plot-line-0");

  find_heights (path, &least, &most);
  g_assert_cmpfloat (least, <, 0.2 * HEIGHT);
  g_assert_cmpfloat (most, >, 0.85 * HEIGHT);
  g_assert_cmpuint (count_letter (path, 'l'), <=, 2 * WIDTH);
  g_assert_nonnull (strstr (picture->description, "minimum 0, mean 50, maximum 100."));
}

static void
test_a_long_series_keeps_its_gaps (void)
{
  const gsize n = 30000;
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 30000);
  g_autofree double *values = g_new (double, n);
  g_autoptr (Picture) picture = NULL;

  for (gsize i = 0; i < n; i++)
    values[i] = i > 10000 && i < 20000 ? NAN : 50;
  add (plot, "threads", values, n);
  picture = picture_draw (plot);

  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-line-0"), 'M'), ==,
                    2);
}

static void
test_the_limit_is_a_line_with_its_name (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 3);
  const double values[] = { 0x1p30, 0x1p31, 0x1p31, 0x1p30 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "anonymous", values, 4);
  jm_plot_set_limit (plot, "requested", 0x1p32);
  picture = picture_draw (plot);

  /* the line, and its sample in the legend */
  g_assert_cmpuint (picture_count (picture, "jm-plot-line-limit"), ==, 2);
  assert_shows (picture, "|requested 4.0GiB|");
  assert_shows (picture, "|4GiB|");
  g_assert_nonnull (strstr (picture->description, "; requested 4.0GiB."));
}

static void
test_a_limit_far_off_is_reported_and_flattens_nothing (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_BYTES, 3);
  const double values[] = { 0x1p30, 0x1p31, 0x1p31, 0x1p30 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "anonymous", values, 4);
  jm_plot_set_limit (plot, "requested", 0x1p40);
  picture = picture_draw (plot);

  g_assert_cmpuint (picture_count (picture, "jm-plot-line-limit"), ==, 0);
  assert_shows (picture, "|↑ requested 1.0TiB|");
  assert_shows (picture, "|2.0GiB|");
}

static guint
count (const char *text, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (text, word, -1);

  return g_strv_length (parts) - 1;
}

/* Three rows of 8 seconds: one idle, one busy, one of which the last half was not
 * measured. */
static void
test_a_map_has_a_row_for_each_series (void)
{
  const double idle[] = { 0, 0, 0, 0, 0, 0, 0, 0 };
  const double busy[] = { 100, 100, 100, 100, 100, 100, 100, 100 };
  const double half[] = { 100, 100, 100, 100, NAN, NAN, NAN, NAN };
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_MAP, JM_FORMAT_PERCENT, 7);
  g_autofree char *whole = NULL;
  g_autofree char *svg = NULL;

  add (plot, "n1", idle, 8);
  add (plot, "n2", busy, 8);
  whole = jm_plot_to_svg (plot, WIDTH, HEIGHT);
  g_assert_null (strstr (whole, "not measured"));
  add (plot, "n3", half, 8);
  svg = jm_plot_to_svg (plot, WIDTH, HEIGHT);
  for (guint i = 0; i < plot->series->len; i++)
    {
      const JmPlotSeries *series = plot->series->pdata[i];
      g_autofree char *label = g_strdup_printf (">%s</text>", series->name);

      g_assert_nonnull (strstr (svg, label));
    }
  g_assert_nonnull (strstr (svg, "blank: not measured"));
  /* cells of two shades, and no line across */
  g_assert_cmpuint (count (svg, "<title>0.0% to 12.5%</title>"), ==, 1);
  g_assert_cmpuint (count (svg, "<title>87.5% to 100.0%</title>"), ==, 1);
  g_assert_cmpuint (count (svg, "% to "), ==, 2);
  g_assert_null (strstr (svg, "jm-plot-line-many"));
  g_assert_null (strstr (svg, "jm-plot-line-mean"));
}

static void
test_of_64_cores_the_mean_has_the_name (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 99);
  g_autoptr (Picture) picture = NULL;

  add_cores (plot, 64, 100);
  picture = picture_draw (plot);

  /* and one of each in the legend */
  g_assert_cmpuint (picture_count (picture, "jm-plot-line-many"), ==, 65);
  g_assert_cmpuint (picture_count (picture, "jm-plot-line-mean"), ==, 2);
  assert_shows (picture, "|mean of 64|");
  assert_shows (picture, "|each|");
  g_assert_null (strstr (picture->words->str, "core"));
  g_assert_nonnull (strstr (picture->description, "64 series: minimum 10.0%"));
}

static void
test_the_mean_is_of_what_was_seen (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 1);
  const double idle[] = { 0, 0 };
  const double unseen[] = { NAN, NAN };
  const double busy[] = { 100, 100 };
  g_autoptr (Picture) picture = NULL;
  double least;
  double most;
  double middle;
  double ground;

  for (guint i = 0; i < 5; i++)
    {
      add (plot, "idle", idle, 2);
      add (plot, "busy", busy, 2);
      add (plot, "unseen", unseen, 2);
    }
  picture = picture_draw (plot);

  find_heights (picture_find (picture, "jm-plot-line-mean"), &middle, &most);
  g_assert_cmpfloat (middle, ==, most);
  find_heights (picture_find (picture, "jm-plot-line-axis"), &ground, &most);
  find_heights (picture_find (picture, "jm-plot-line-many"), &least, &most);
  g_assert_cmpfloat_with_epsilon (least, ground, 1);
  g_assert_cmpfloat_with_epsilon (middle, (ground + find_top (picture)) / 2, 1);
}

static void
test_an_idle_share_is_drawn_below_the_whole (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 1);
  const double idle[] = { 0, 0 };
  g_autoptr (Picture) picture = NULL;

  add (plot, "idle", idle, 2);
  picture = picture_draw (plot);

  assert_shows (picture, "|100%|");
}

static void
test_more_series_than_there_may_be_are_reported (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 9);
  g_autoptr (Picture) picture = NULL;

  add_cores (plot, JM_PLOT_MAX_SERIES + 72, 10);
  picture = picture_draw (plot);

  assert_shows (picture, "|mean of 128 out of 200|");
}

static void
test_small_areas_of_a_stack_become_one (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 9);
  g_autoptr (Picture) picture = NULL;

  add_cores (plot, 20, 10);
  picture = picture_draw (plot);

  assert_shows (picture, "|13 others|");
}

static void
test_a_plot_of_nothing_says_so (void)
{
  g_autoptr (JmPlot) none = jm_plot_new (JM_PLOT_KIND_LINES, "", JM_FORMAT_BYTES);
  g_autoptr (JmPlot) gaps = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 60);
  g_autoptr (JmPlot) beyond = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 60);
  JmPlot *plots[] = { none, gaps, beyond };
  const double unseen[] = { NAN, NAN, -INFINITY };
  const double times[] = { BEGIN + 100, BEGIN + 200, NAN };
  const double values[] = { 1, 2, 3 };

  add (gaps, "memory", unseen, 3);
  jm_plot_set_limit (gaps, "requested", 5);
  jm_plot_add_series (beyond, "memory", times, values, 3);
  for (guint i = 0; i < G_N_ELEMENTS (plots); i++)
    {
      g_autoptr (Picture) picture = picture_draw (plots[i]);

      assert_shows (picture, "no data|");
      g_assert_null (picture_find (picture, "jm-plot-line-grid"));
    }
}

static void
test_a_moment_has_a_plot (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 0);
  const double value = 12;
  g_autoptr (Picture) picture = NULL;

  add (plot, "threads", &value, 1);
  picture = picture_draw (plot);

  assert_shows (picture, "|12|");
  assert_shows (picture, "|threads|");
  g_assert_nonnull (picture_find (picture, "jm-plot-fill-0"));
}

static void
test_parts_of_few_things_are_reported (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 2);
  const double values[] = { 0.05, 1.5, 1.75 };
  g_autofree char *words = NULL;

  add (plot, "busy", values, 3);
  jm_plot_set_limit (plot, "CPUs", 2);
  words = jm_plot_describe (plot);

  g_assert_cmpstr (words, ==, "busy: minimum 0.05, mean 1.1, maximum 1.8; CPUs 2.");
}

static void
test_a_moment_of_a_stack_can_be_seen (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 60);
  const double value = 12;
  g_autoptr (Picture) picture = NULL;

  add (plot, "memory", &value, 1);
  picture = picture_draw (plot);

  /* a box */
  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-fill-0"), 'l'), ==,
                    3);
}

static void
test_lines_are_cut_where_the_range_ends (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 100);
  const double times[] = { BEGIN + 300, BEGIN - 100 };
  const double values[] = { 400, 0 };
  g_autoptr (Picture) picture = NULL;

  /* out of order, too */
  jm_plot_add_series (plot, "threads", times, values, 2);
  picture = picture_draw (plot);

  assert_shows (picture, "|200|");
  g_assert_null (strstr (picture->words->str, "|400|"));
  g_assert_cmpuint (count_letter (picture_find (picture, "jm-plot-line-0"), 'l'), ==,
                    1);
}

static void
test_a_part_of_the_time_counts_from_the_begin (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 100);
  const double times[] = { BEGIN, BEGIN + 100 };
  const double values[] = { 0, 100 };
  g_autoptr (Picture) picture = NULL;
  g_autofree char *svg = NULL;

  jm_plot_add_series (plot, "threads", times, values, 2);
  jm_plot_set_zoom (plot, 40, 60);
  picture = picture_draw (plot);
  svg = jm_plot_to_svg (plot, WIDTH, HEIGHT);

  assert_shows (picture, "|threads|40s|45s|50s|55s|1m|");
  g_assert_nonnull (strstr (svg, "data-from=\"40\" data-to=\"60\" data-lowest=\"0\""));
}

static void
test_a_part_that_there_is_not_changes_nothing (void)
{
  const double parts[][2] = { { 100, 0 },
                              { 60, 40 },
                              { -5, 0 },
                              { NAN, NAN },
                              { 0, 1e9 } };
  const double values[] = { 0, 50, 100 };
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 100);
  g_autofree char *whole = NULL;

  add (plot, "threads", values, 3);
  whole = jm_plot_to_svg (plot, WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *svg = NULL;

      jm_plot_set_zoom (plot, parts[i][0], parts[i][1]);
      svg = jm_plot_to_svg (plot, WIDTH, HEIGHT);
      g_assert_cmpstr (svg, ==, whole);
    }
}

static void
test_sizes_and_names_are_bounded (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 9);
  g_autofree char *name = g_strnfill (5000, 'x');
  g_autofree char *tiny = NULL;
  g_autofree char *vast = NULL;
  const double values[] = { 1, 2 };

  add (plot, name, values, 2);
  add (plot, name, values, 2);
  tiny = jm_plot_to_svg (plot, 0, 0);
  vast = jm_plot_to_svg (plot, G_MAXUINT, G_MAXUINT);

  g_assert_nonnull (strstr (tiny, " width=\"100\" height=\"100\""));
  g_assert_nonnull (strstr (vast, " width=\"4000\" height=\"4000\""));
  g_assert_cmpuint (strlen (tiny), <, 10000);
  picture_free (picture_parse (tiny));
  picture_free (picture_parse (vast));
}

static void
test_only_a_file_has_its_style_sheet_in_it (void)
{
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_COUNT, 9);
  g_autofree char *svg = jm_plot_to_svg_file (plot, WIDTH, HEIGHT);
  g_autoptr (Picture) picture = picture_parse (svg);

  g_assert_cmpuint (picture->n_styles, ==, 1);
  g_assert_nonnull (strstr (svg, "prefers-color-scheme:dark"));
}

/* --- colours --- */

static double
get_luminance (guint32 colour)
{
  static const double weights[] = { 0.2126, 0.7152, 0.0722 };
  double luminance = 0;

  for (guint i = 0; i < 3; i++)
    {
      double part = (colour >> (16 - 8 * i) & 0xff) / 255.0;

      luminance += weights[i] *
                   (part <= 0.04045 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4));
    }

  return luminance;
}

/* As the Web Content Accessibility Guidelines reckon it. */
static double
get_contrast (guint32 one, guint32 other)
{
  double a = get_luminance (one) + 0.05;
  double b = get_luminance (other) + 0.05;

  return fmax (a, b) / fmin (a, b);
}

static void
test_colours_stand_out_from_the_paper (void)
{
  const JmPlotInkInfo *paper = jm_plot_ink_get_info (JM_PLOT_INK_PAPER);

  for (guint i = JM_PLOT_INK_TEXT; i < JM_N_PLOT_INKS; i++)
    {
      const JmPlotInkInfo *ink = jm_plot_ink_get_info (i);
      double least = i == JM_PLOT_INK_TEXT || i == JM_PLOT_INK_MUTED ? 4.5 : 3;

      if (i == JM_PLOT_INK_GRID)
        continue;
      g_assert_cmpfloat (get_contrast (ink->light, paper->light), >=, least);
      g_assert_cmpfloat (get_contrast (ink->dark, paper->dark), >=, least);
    }
}

static void
test_the_style_sheet_has_every_colour (void)
{
  const char *css = jm_plot_get_css ();

  for (guint i = 0; i < JM_N_PLOT_INKS; i++)
    {
      const JmPlotInkInfo *ink = jm_plot_ink_get_info (i);
      g_autofree char *light =
        g_strdup_printf ("--jm-plot-%s:#%06X;", ink->name, ink->light);
      g_autofree char *dark =
        g_strdup_printf ("--jm-plot-%s:#%06X;", ink->name, ink->dark);
      g_autofree char *rule =
        g_strdup_printf (".jm-plot-line-%s{stroke:var(--jm-plot-%s)}", ink->name,
                         ink->name);

      g_assert_nonnull (strstr (css, light));
      g_assert_nonnull (strstr (css, dark));
      g_assert_nonnull (strstr (css, rule));
    }
  g_assert_nonnull (strstr (css, "@media print"));
}

/* --- PNG and PDF --- */

#ifdef HAVE_CAIRO
static void
test_png_has_its_signature_and_size (void)
{
  static const guint8 head[] = { 0x89, 'P', 'N',  'G',  '\r', '\n', 0x1a, '\n',
                                 0,    0,   0,    13,   'I',  'H',  'D',  'R',
                                 0,    0,   0x03, 0x20, 0,    0,    0x01, 0x2c };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 99);
  g_autoptr (GBytes) png = NULL;
  gsize size;
  const guint8 *data;

  add_cores (plot, 8, 100);
  png = jm_plot_to_png (plot, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (png, &size);
  g_assert_cmpuint (size, >, 1000);
  g_assert_cmpmem (data, sizeof head, head, sizeof head);
}

static void
test_pdf_begins_and_ends_as_one (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_STACKED, JM_FORMAT_BYTES, 99);
  g_autoptr (GBytes) pdf = NULL;
  gsize size;
  const char *data;

  add_cores (plot, 4, 100);
  jm_plot_set_limit (plot, "requested", 400);
  pdf = jm_plot_to_pdf (plot, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  data = g_bytes_get_data (pdf, &size);
  g_assert_cmpuint (size, >, 1000);
  g_assert_true (strncmp (data, "%PDF", 4) == 0);
  g_assert_true (strncmp (data + size - 6, "%%EOF\n", 6) == 0);
}
#else
static void
test_png_and_pdf_need_cairo (void)
{
  g_autoptr (GError) png_error = NULL;
  g_autoptr (GError) pdf_error = NULL;
  g_autoptr (JmPlot) plot = plot_new (JM_PLOT_KIND_LINES, JM_FORMAT_PERCENT, 99);

  g_assert_null (jm_plot_to_png (plot, WIDTH, HEIGHT, &png_error));
  g_assert_error (png_error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_null (jm_plot_to_pdf (plot, WIDTH, HEIGHT, &pdf_error));
  g_assert_error (pdf_error, JM_ERROR, JM_ERROR_ABSENT);
}
#endif

int
main (int argc, char **argv)
{
  g_setenv ("LC_ALL", "C", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/plot/axes-and-names-are-words", test_axes_and_names_are_words);
  g_test_add_func ("/plot/a-gap-breaks-the-line", test_a_gap_breaks_the_line);
  g_test_add_func ("/plot/a-gap-breaks-what-lies-upon-it",
                   test_a_gap_breaks_what_lies_upon_it);
  g_test_add_func ("/plot/a-lone-point-is-a-dot", test_a_lone_point_is_a_dot);
  g_test_add_func ("/plot/markup-in-names-is-only-text",
                   test_markup_in_names_is_only_text);
  g_test_add_func ("/plot/peaks-and-troughs-survive", test_peaks_and_troughs_survive);
  g_test_add_func ("/plot/a-long-series-keeps-its-gaps",
                   test_a_long_series_keeps_its_gaps);
  g_test_add_func ("/plot/the-limit-is-a-line-with-its-name",
                   test_the_limit_is_a_line_with_its_name);
  g_test_add_func ("/plot/a-limit-far-off-is-reported-and-flattens-nothing",
                   test_a_limit_far_off_is_reported_and_flattens_nothing);
  g_test_add_func ("/plot/a-map-has-a-row-for-each-series",
                   test_a_map_has_a_row_for_each_series);
  g_test_add_func ("/plot/of-64-cores-the-mean-has-the-name",
                   test_of_64_cores_the_mean_has_the_name);
  g_test_add_func ("/plot/the-mean-is-of-what-was-seen",
                   test_the_mean_is_of_what_was_seen);
  g_test_add_func ("/plot/an-idle-share-is-drawn-below-the-whole",
                   test_an_idle_share_is_drawn_below_the_whole);
  g_test_add_func ("/plot/more-series-than-there-may-be-are-reported",
                   test_more_series_than_there_may_be_are_reported);
  g_test_add_func ("/plot/small-areas-of-a-stack-become-one",
                   test_small_areas_of_a_stack_become_one);
  g_test_add_func ("/plot/a-plot-of-nothing-says-so", test_a_plot_of_nothing_says_so);
  g_test_add_func ("/plot/a-moment-has-a-plot", test_a_moment_has_a_plot);
  g_test_add_func ("/plot/parts-of-few-things-are-reported",
                   test_parts_of_few_things_are_reported);
  g_test_add_func ("/plot/a-moment-of-a-stack-can-be-seen",
                   test_a_moment_of_a_stack_can_be_seen);
  g_test_add_func ("/plot/lines-are-cut-where-the-range-ends",
                   test_lines_are_cut_where_the_range_ends);
  g_test_add_func ("/plot/a-part-of-the-time-counts-from-the-begin",
                   test_a_part_of_the_time_counts_from_the_begin);
  g_test_add_func ("/plot/a-part-that-there-is-not-changes-nothing",
                   test_a_part_that_there_is_not_changes_nothing);
  g_test_add_func ("/plot/sizes-and-names-are-bounded",
                   test_sizes_and_names_are_bounded);
  g_test_add_func ("/plot/only-a-file-has-its-style-sheet-in-it",
                   test_only_a_file_has_its_style_sheet_in_it);
  g_test_add_func ("/plot/colours-stand-out-from-the-paper",
                   test_colours_stand_out_from_the_paper);
  g_test_add_func ("/plot/the-style-sheet-has-every-colour",
                   test_the_style_sheet_has_every_colour);
#ifdef HAVE_CAIRO
  g_test_add_func ("/plot/png-has-its-signature-and-size",
                   test_png_has_its_signature_and_size);
  g_test_add_func ("/plot/pdf-begins-and-ends-as-one", test_pdf_begins_and_ends_as_one);
#else
  g_test_add_func ("/plot/png-and-pdf-need-cairo", test_png_and_pdf_need_cairo);
#endif

  return g_test_run ();
}
