#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether releases can be made of what is committed, and the recipes beside Debian's packages are well-formed.

usage: test-release.py CLASS ...
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "pylib"))
import tap  # noqa: E402

NO_ADDRESS = "maintainers@jobmetrics.invalid"
ADDRESS = "maintainers@example.org"
# a function of the library, in files that few others need
HEADER, SOURCE = "libjobmetrics/core/jm-format.h", "libjobmetrics/core/jm-format.c"
DECLARED = "JM_AVAILABLE_IN_ALL\nchar *jm_number_to_string ("
MORE = "JM_AVAILABLE_IN_ALL\nint jm_number_more (void);\n\n"


class Clone(unittest.TestCase):
    """Of this tree, so that nothing here has to be committed."""

    @classmethod
    def make(cls, folder: pathlib.Path) -> None:
        cls.folder = folder
        cls.clone, cls.result = folder / cls.__name__, folder / f"{cls.__name__}-release"
        cls.git("clone", "--quiet", "--no-hardlinks", "--shared", str(TOP), str(cls.clone), folder=folder)

    @staticmethod
    def git(*words: str, folder: pathlib.Path) -> None:
        command = ["git", "-c", "safe.directory=*", "-c", "user.name=test", "-c", "user.email=test@example.org", *words]
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)

    def release(self, *words: str) -> subprocess.CompletedProcess:
        command = ["sh", self.clone / "packaging" / "release", *words, self.result]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def assert_refused(self, done: subprocess.CompletedProcess, why: str) -> None:
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, why)

    def change(self, file: str, before: str, after: str) -> None:
        path = self.clone / file
        text = path.read_text(encoding="utf-8")
        self.assertIn(before, text)
        path.write_text(text.replace(before, after), encoding="utf-8")

    def commit(self) -> None:
        self.git("add", "--all", folder=self.clone)
        self.git("commit", "--quiet", "-m", "test: Change", folder=self.clone)


class ARelease(Clone):
    """As it would be by now."""

    def commit_for_now(self, file: str, before: str, after: str) -> None:
        self.change(file, before, after)
        self.commit()
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
        self.commit_for_now("debian/changelog", "jobmetrics (0", "jobmetrics (9")
        self.assert_refused(self.release("--rehearse"), r"meson\.build has version \S+, debian/changelog has 9")

    def test_is_refused_where_the_news_do_not_have_it_yet(self):
        heading = heading_of(self.clone)
        self.commit_for_now("NEWS.md", heading, f"{heading.split(',')[0]}, not released yet ")
        self.assert_refused(self.release(), "not released yet")

    def test_is_refused_of_what_is_not_committed(self):
        (self.clone / "extra").write_text("")
        self.addCleanup((self.clone / "extra").unlink)
        self.assert_refused(self.release("--rehearse"), "not committed")


def heading_of(clone: pathlib.Path) -> str:
    """Of the newest release in NEWS."""
    return re.search(r"(?m)^## \S+.*$", (clone / "NEWS.md").read_text(encoding="utf-8"))[0]


class OneReleaseAfterTheOther(Clone):
    """What a releaser does, to the end: the next is compared with the one before. What was compiled is used again."""

    version: str

    def release(self, *words: str) -> subprocess.CompletedProcess:
        began = time.monotonic()
        # below the sources, as other builds are, so that a compiler's cache knows the objects
        done = super().release(f"--build={self.clone / 'build'}", *words)
        tap.comment(f"{time.monotonic() - began:.0f} s")
        return done

    def set_address(self, address: str) -> None:
        """Wherever it stands."""
        for file in ("debian/control", "debian/changelog", "packaging/rpm/jobmetrics.spec"):
            path = self.clone / file
            path.write_text(re.sub(r"<[^<>\s]+@[^<>\s]+>", f"<{address}>", path.read_text(encoding="utf-8")), encoding="utf-8")

    def test_is_refused_while_nobody_can_be_written_to(self):
        heading = heading_of(self.clone)
        type(self).version = heading.split()[1].rstrip(",")
        self.change("NEWS.md", heading, f"## {self.version}, 2026-12-01")
        self.set_address(NO_ADDRESS)
        self.commit()
        self.assert_refused(self.release(), "the maintainers have no address")

    def test_is_made_of_what_is_committed(self):
        self.set_address(ADDRESS)
        self.commit()
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        names = {f"jobmetrics-{self.version}.{end}" for end in ("tar.xz", "tar.xz.sha256", "news.md")}
        self.assertEqual({path.name for path in self.result.iterdir()}, {*names, "libjobmetrics-1.0-0.abi"})
        subprocess.run(["sha256sum", "--check", "--quiet", f"jobmetrics-{self.version}.tar.xz.sha256"], cwd=self.result, check=True)
        with tarfile.open(self.result / f"jobmetrics-{self.version}.tar.xz") as sources:
            control = sources.extractfile(f"jobmetrics-{self.version}/debian/control").read().decode()
        self.assertIn(f"<{ADDRESS}>", control)
        self.assertIn(f"tag v{self.version}, and commit libjobmetrics-1.0-0.abi to packaging/abi", done.stdout)

    def test_is_tagged_with_its_interface_kept(self):
        (self.clone / "packaging/abi").mkdir(exist_ok=True)
        shutil.copy(self.result / "libjobmetrics-1.0-0.abi", self.clone / "packaging/abi")
        self.git("tag", f"v{self.version}", folder=self.clone)
        self.commit()
        self.assert_refused(self.release(), f"v{self.version} is a tag already, of another commit")

    def test_may_have_more_than_the_last(self):
        following = f"{self.version}.1"
        heading = heading_of(self.clone)
        self.change("NEWS.md", heading, f"## {following}, 2026-12-24\n\n- One function more.\n\n{heading}")
        for file in ("meson.build", "debian/changelog", "packaging/rpm/jobmetrics.spec", "packaging/kubernetes/jobmetrics-node.yaml"):
            self.change(file, self.version, following)
        self.change(HEADER, DECLARED, MORE + DECLARED)
        with (self.clone / SOURCE).open("a") as source:
            source.write("\nint\njm_number_more (void)\n{\n  return 1;\n}\n")
        self.commit()
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0 Removed, 0 Changed, 1 Added function", done.stdout)
        self.assertEqual((self.result / f"jobmetrics-{following}.news.md").read_text().strip(), "- One function more.")

    def test_may_not_lack_what_the_last_had(self):
        self.change(HEADER, DECLARED, DECLARED.partition("\n")[2])
        self.commit()
        self.assert_refused(self.release(), "programs of the last release would break")


class TheExamples(unittest.TestCase):
    """Their form. The suite "portable" goes through the recipe for containers and the role for Ansible; no Kubernetes has been asked."""

    SETTINGS = {"cluster": "alpha", "collector.percpu": False, "sample.interval": 10, "web.listen-address": [":9010", ":9091"]}
    WRITTEN = ["[node]", "cluster=alpha", "collector.percpu=false", "sample.interval=10", "web.listen-address=:9010;:9091"]

    def documents(self, path: pathlib.Path) -> list:
        import yaml

        return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))

    def test_for_ansible_are_plays_and_tasks(self):
        folder = TOP / "packaging" / "ansible"
        (plays,) = self.documents(folder / "playbook.yml")
        self.assertEqual([play["roles"][0]["jobmetrics_role"] for play in plays], ["server", "cluster", "node"])
        role = folder / "roles" / "jobmetrics"
        defaults = self.documents(role / "defaults" / "main.yml")[0]
        handlers = {handler["name"] for handler in self.documents(role / "handlers" / "main.yml")[0]}
        for task in self.documents(role / "tasks" / "main.yml")[0]:
            (module,) = [key for key in task if key.startswith("ansible.builtin.")]
            self.assertIsInstance(task[module], dict, task["name"])
            self.assertIn(task.get("notify"), {None, *handlers})
        self.assertLessEqual(set(self.documents(folder / "site.yml")[0]), set(defaults))

    def ansible(self, program: str, *words: str) -> None:
        if shutil.which(program) is None:
            self.skipTest(f"{program}: not installed (tests/install-dependencies build package vm)")
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "ANSIBLE_HOME": home, "ANSIBLE_LOCAL_TEMP": home, "ANSIBLE_REMOTE_TEMP": home}
            done = subprocess.run(
                [program, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("WARNING", done.stdout)

    def test_for_ansible_are_understood_by_it(self):
        with tempfile.NamedTemporaryFile("w") as inventory:
            inventory.write("[nodes]\nnode1\n[cluster]\ncontroller\n[server]\ncontroller\n")
            inventory.flush()
            self.ansible("ansible-playbook", "--syntax-check", "--inventory", inventory.name, str(TOP / "packaging/ansible/playbook.yml"))

    def test_for_ansible_write_settings_as_they_are_read(self):
        template = TOP / "packaging/ansible/roles/jobmetrics/templates/role.conf.j2"
        with tempfile.TemporaryDirectory() as folder:
            given = json.dumps({"jobmetrics_role": "node", "jobmetrics_settings": self.SETTINGS})
            places = json.dumps({"src": str(template), "dest": f"{folder}/node.conf"})
            module = ["--module-name=ansible.builtin.template", f"--args={places}"]
            self.ansible("ansible", "all", "--inventory=localhost,", "--connection=local", f"--extra-vars={given}", *module)
            written = (pathlib.Path(folder) / "node.conf").read_text().splitlines()
        self.assertEqual([line for line in written if not line.startswith("#")], self.WRITTEN)

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
        self.assertIn("packaging/portable/build", steps)


ALL = (ARelease, OneReleaseAfterTheOther, TheExamples)


def main() -> int:
    wanted = [case for case in ALL if case.__name__ in sys.argv[1:]]
    if len(wanted) != len(sys.argv) - 1 or not wanted:
        print(__doc__, file=sys.stderr)
        return 2
    # without git, nothing can show what is ours
    known = ["git", "-c", "safe.directory=*", "-C", str(TOP), "rev-parse", "--git-dir"]
    if shutil.which("git") is None or subprocess.run(known, capture_output=True).returncode != 0:
        tap.skip_all("not a git checkout")
    if OneReleaseAfterTheOther in wanted and shutil.which("abidw") is None:
        tap.skip_all("abidw: not installed (tests/install-dependencies build package vm)")
    with tempfile.TemporaryDirectory(prefix="jobmetrics-release-") as folder:
        for case in wanted:
            if issubclass(case, Clone):
                case.make(pathlib.Path(folder))
        return tap.run(*wanted, part=True)


if __name__ == "__main__":
    sys.exit(main())
