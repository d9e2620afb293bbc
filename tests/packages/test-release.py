#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a release can be made of what is committed, and the recipes beside Debian's packages are well-formed.

usage: test-release.py
"""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "pylib"))
import tap  # noqa: E402

class ARelease(unittest.TestCase):
    """Of a clone, so that nothing here has to be committed."""

    @classmethod
    def make(cls, folder: pathlib.Path) -> None:
        cls.clone, cls.result = folder / "clone", folder / "release"
        cls.git("clone", "--quiet", "--no-hardlinks", "--shared", str(TOP), str(cls.clone), folder=folder)

    @staticmethod
    def git(*words: str, folder: pathlib.Path) -> None:
        command = ["git", "-c", "safe.directory=*", "-c", "user.name=test", "-c", "user.email=test@example.org", *words]
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)

    def release(self, *words: str) -> subprocess.CompletedProcess:
        command = ["sh", self.clone / "packaging" / "release", *words, self.result]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def commit(self, file: str, before: str, after: str) -> None:
        """A change of the clone, which is taken back."""
        path = self.clone / file
        text = path.read_text(encoding="utf-8")
        self.assertIn(before, text)
        path.write_text(text.replace(before, after), encoding="utf-8")
        self.git("commit", "--quiet", "-a", "-m", "test: Change", folder=self.clone)
        self.addCleanup(self.git, "reset", "--quiet", "--hard", "HEAD~", folder=self.clone)

    def test_has_sources_a_checksum_and_news(self):
        done = self.release("--rehearse")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (tarball,) = self.result.glob("*.tar.xz")
        told, name = pathlib.Path(f"{tarball}.sha256").read_text().split()
        self.assertEqual((told, name), (hashlib.sha256(tarball.read_bytes()).hexdigest(), tarball.name))
        with tarfile.open(tarball) as sources:
            paths = {path.partition("/")[2] for path in sources.getnames()}
        self.assertLessEqual({"meson.build", "debian/control", "doc/README.md", "tests/run-all"}, paths)
        (news,) = self.result.glob("*.news.md")
        self.assertIn("- ", news.read_text())
        self.assertNotRegex(news.read_text(), r"(?m)^## ")

    def test_is_refused_where_versions_do_not_agree(self):
        self.commit("debian/changelog", "jobmetrics (0", "jobmetrics (9")
        done = self.release("--rehearse")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"meson\.build has version \S+, debian/changelog has 9")

    def test_is_refused_where_the_news_do_not_have_it_yet(self):
        heading = re.search(r"(?m)^## \S+.*$", (self.clone / "NEWS.md").read_text(encoding="utf-8"))[0]
        self.commit("NEWS.md", heading, f"{heading.split(',')[0]}, not released yet ")
        done = self.release()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not released yet", done.stderr)

    def test_is_refused_of_what_is_not_committed(self):
        (self.clone / "extra").write_text("")
        self.addCleanup((self.clone / "extra").unlink)
        done = self.release("--rehearse")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not committed", done.stderr)


class TheExamples(unittest.TestCase):
    """Beyond their form, nothing of them is tried here: neither containers, nor Kubernetes, nor Ansible."""

    def documents(self, path: pathlib.Path) -> list:
        import yaml

        return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))

    def test_for_ansible_are_plays_and_tasks(self):
        folder = TOP / "packaging" / "ansible"
        (plays,) = self.documents(folder / "playbook.yml")
        self.assertEqual([set(play) for play in plays], [{"name", "hosts", "become", "roles"}] * len(plays))
        role = folder / "roles" / "jobmetrics"
        defaults = self.documents(role / "defaults" / "main.yml")[0]
        handlers = {handler["name"] for handler in self.documents(role / "handlers" / "main.yml")[0]}
        for task in self.documents(role / "tasks" / "main.yml")[0]:
            (module,) = [key for key in task if key.startswith("ansible.builtin.")]
            self.assertIsInstance(task[module], dict, task["name"])
            self.assertIn(task.get("notify"), {None, *handlers})
        given = {name for play in plays for one in play["roles"] for name in one.get("vars", {})}
        self.assertLessEqual(given, set(defaults))

    def test_for_kubernetes_name_one_another(self):
        documents = self.documents(TOP / "packaging" / "kubernetes" / "jobmetrics-node.yaml")
        by_kind = {document["kind"]: document for document in documents}
        self.assertEqual(set(by_kind), {"Namespace", "ConfigMap", "DaemonSet"})
        pod = by_kind["DaemonSet"]["spec"]["template"]
        self.assertEqual(pod["metadata"]["labels"], by_kind["DaemonSet"]["spec"]["selector"]["matchLabels"])
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        (container,) = pod["spec"]["containers"]
        self.assertEqual({mount["name"] for mount in container["volumeMounts"]}, set(volumes))
        self.assertEqual(volumes["config"]["configMap"]["name"], by_kind["ConfigMap"]["metadata"]["name"])
        host = [mount for mount in container["volumeMounts"] if "hostPath" in volumes[mount["name"]]]
        self.assertTrue(all(mount["readOnly"] for mount in host))

    def test_for_containers_copy_what_is_there(self):
        text = (TOP / "packaging" / "container" / "Containerfile").read_text()
        steps = re.sub(r"\\\n", " ", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
        words = {line.split()[0] for line in steps.splitlines() if line.strip()}
        self.assertLessEqual(words, {"FROM", "COPY", "WORKDIR", "RUN", "USER", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD"})
        for command in re.findall(r"(?m)^RUN (.*)$", steps):
            done = subprocess.run(["sh", "-n", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("tests/install-dependencies", steps)


def main() -> int:
    # without git, nothing can tell what is ours
    known = ["git", "-c", "safe.directory=*", "-C", str(TOP), "rev-parse", "--git-dir"]
    if shutil.which("git") is None or subprocess.run(known, capture_output=True).returncode != 0:
        tap.skip_all("not a git checkout")
    with tempfile.TemporaryDirectory(prefix="jobmetrics-release-") as folder:
        ARelease.make(pathlib.Path(folder))
        return tap.run(ARelease, TheExamples)


if __name__ == "__main__":
    sys.exit(main())
