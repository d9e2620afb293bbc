#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What check-layers.py lets through, and what it does not."""

import importlib.util
import pathlib
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("check_layers", pathlib.Path(__file__).parent / "check-layers.py")
check_layers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_layers)


class Includes(unittest.TestCase):
    def problems(self, path: str, include: str, headers: tuple[str, ...], **others: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            files = [*((header, "") for header in headers), (path, f"\n#include {include}\n"), *others.items()]
            for name, text in files:
                file = pathlib.Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return check_layers.problems_of(pathlib.Path(folder))

    def assert_fine(self, path: str, include: str, *headers: str) -> None:
        self.assertEqual(self.problems(path, include, headers), [])

    def assert_wrong(self, path: str, include: str, why: str, *headers: str) -> None:
        found = self.problems(path, include, headers)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"{path}:2: "), found[0])
        self.assertIn(why, found[0])

    def test_may_run_downward(self):
        self.assert_fine("libjobmetrics/host/jm-host.c", '"base/jm-error.h"')
        self.assert_fine("libjobmetrics/archive/jm-archive.c", '"sql/jm-sql.h"')
        self.assert_fine("libjobmetrics/core/jm-job.c", '"base/jm-slice.h"')

    def test_must_not_run_upward_or_sideways(self):
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"host/jm-host.h"', "must not know")
        self.assert_wrong("libjobmetrics/base/jm-slice.c", '"core/jm-quantity.h"', "must not know")
        self.assert_wrong("libjobmetrics/sql/jm-sql.c", '"expose/jm-text.h"', "must not know")
        self.assert_wrong("libjobmetrics/host/jm-host.c", '"expose/jm-text.h"', "must not know")

    def test_roles_do_not_know_each_other_and_nothing_that_people_read_asks_one(self):
        self.assert_wrong("libjobmetrics/archive/jm-a.c", '"node/jm-node.h"', "must not know")
        self.assert_wrong("libjobmetrics/cluster/jm-a.c", '"archive/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/report/jm-a.c", '"archive/jm-b.h"', "must not know")

    def test_sources_and_schedulers_share_what_their_rooms_have_and_nothing_else(self):
        self.assert_fine("libjobmetrics/sources/power/jm-a.c", '"host/jm-source.h"')
        self.assert_fine("libjobmetrics/sources/jobs/jm-a.c", '"sources/jobs/jm-a.h"')
        self.assert_fine("libjobmetrics/schedulers/pbs/jm-a.c", '"schedulers/jm-scheduler.h"')
        self.assert_wrong("libjobmetrics/sources/jobs/jm-a.c", '"sources/cgroup/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/schedulers/pbs/jm-a.c", '"schedulers/slurm/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/schedulers/jm-a.c", '"schedulers/slurm/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/sources/jobs/jm-a.c", '"schedulers/jm-scheduler.h"', "must not know")

    def test_the_doctor_stands_above_what_it_examines(self):
        self.assert_fine("libjobmetrics/doctor/jm-a.c", '"node/jm-node.h"')
        self.assert_wrong("libjobmetrics/node/jm-node.c", '"doctor/jm-a.h"', "must not know")

    def test_a_node_s_stages_stand_above_it_and_its_ledger_below(self):
        self.assert_fine("libjobmetrics/node/stages/jm-a.c", '"node/jm-stage.h"')
        self.assert_fine("libjobmetrics/node/jm-node.c", '"node/energy/jm-a.h"')
        self.assert_fine("libjobmetrics/node/energy/jm-a.c", '"node/ledger/jm-b.h"')
        self.assert_wrong("libjobmetrics/node/jm-sweep.c", '"node/stages/jm-a.h"', "must not know")
        self.assert_wrong("libjobmetrics/node/energy/jm-a.c", '"node/gpu/jm-b.h"', "must not know")
        self.assert_wrong("libjobmetrics/node/ledger/jm-a.c", '"node/jm-node.h"', "must not know")

    def test_pages_stand_above_tables_and_these_above_plots(self):
        self.assert_fine("libjobmetrics/report/page/jm-a.c", '"report/plot/jm-plot.h"')
        self.assert_fine("libjobmetrics/report/jm-a.c", '"report/plot/jm-plot.h"')
        self.assert_fine("libjobmetrics/report/page/jm-a.c", '"judge/jm-b.h"')
        self.assert_wrong("libjobmetrics/report/plot/jm-a.c", '"report/page/jm-a.h"', "must not know")
        self.assert_wrong("libjobmetrics/judge/jm-a.c", '"report/page/jm-b.h"', "must not know")

    def test_are_spelled_from_the_root(self):
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"jm-job.h"', "not spelled from")
        self.assert_wrong("libjobmetrics/core/jm-job.c", '"../core/jm-job.h"', "not spelled from")
        self.assert_wrong("libjobmetrics/core/jm-job.c", "<core/jm-job.h>", "quotes")
        self.assert_fine("libjobmetrics/core/jm-job.c", "<glib.h>")

    def test_keep_private_headers_private(self):
        self.assert_wrong("libjobmetrics/core/jm-job.h", '"core/jm-job-private.h"', "a private header")
        self.assert_fine("libjobmetrics/core/jm-job-private.h", '"core/jm-set-private.h"')
        self.assert_fine("libjobmetrics/core/jm-job.c", '"core/jm-job-private.h"')

    def test_front_ends_do_not_know_each_other(self):
        self.assert_wrong("jobmetrics-cli/jm-list.c", '"jobmetrics-exporter/jm-web.h"', "neither from")

    def test_programs_include_public_headers_base_and_what_is_listed(self):
        listed = str(check_layers.EXCEPTIONS)
        self.assert_fine("jobmetrics-cli/a.c", '"core/jm-job.h"', "libjobmetrics/core/jm-job.h")
        self.assert_fine("jobmetrics-cli/a.c", '"base/jm-a-private.h"', "libjobmetrics/base/jm-a-private.h")
        header = "libjobmetrics/core/jm-a-private.h"
        self.assert_wrong("jobmetrics-cli/a.c", '"core/jm-a-private.h"', "a private header of the library", header)
        self.assertEqual(self.problems("jobmetrics-cli/a.c", '"core/jm-a-private.h"', (header,), **{listed: "core/jm-a-private.h"}), [])
        found = self.problems("jobmetrics-cli/a.c", "<glib.h>", (header,), **{listed: "core/jm-a-private.h"})
        self.assertEqual(found, [f"{listed}: core/jm-a-private.h: no program includes it"])

    def test_the_map_has_what_is_included(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "libjobmetrics/judge").mkdir(parents=True)
            (root / "libjobmetrics/judge/jm-a.c").write_text('#include "base/jm-b.h"\n#include "core/jm-c.h"\n#include "judge/jm-a.h"\n')
            drawn = check_layers.draw_map(root)
        self.assertIn("| `judge/` | `core` `base` |", drawn)
        self.assertIn("| `sources/` | |", drawn)
        self.assertEqual(drawn[2], "| `doctor/` | |")
        self.assertEqual(drawn[-1], "| `base/` | |")

    def test_roles_of_the_exporter_share_the_web_and_the_daemon_and_nothing_else(self):
        web, daemon = "jobmetrics-exporter/web/jme-web.h", "jobmetrics-exporter/daemon/jme-log.h"
        node = "jobmetrics-exporter/node/jme-node.h"
        self.assert_fine("jobmetrics-exporter/main.c", '"node/jme-node.h"', node)
        self.assert_fine("jobmetrics-exporter/node/jme-page.c", '"node/jme-node.h"', node)
        self.assert_fine("jobmetrics-exporter/node/jme-page.c", '"web/jme-web.h"', web)
        self.assert_fine("jobmetrics-exporter/daemon/jme-health.c", '"web/jme-web.h"', web)
        self.assert_wrong("jobmetrics-exporter/web/jme-web.c", '"daemon/jme-log.h"', "web must not know daemon", daemon)
        self.assert_wrong("jobmetrics-exporter/web/jme-web.c", '"node/jme-node.h"', "web must not know node", node)
        self.assert_wrong("jobmetrics-exporter/daemon/jme-a.c", '"node/jme-node.h"', "daemon must not know node", node)
        self.assert_wrong("jobmetrics-exporter/cluster/jme-a.c", '"node/jme-node.h"', "cluster must not know node", node)
        self.assert_wrong("jobmetrics-exporter/node/jme-page.c", '"jme-node.h"', "not spelled from", node)


if __name__ == "__main__":
    unittest.main()
