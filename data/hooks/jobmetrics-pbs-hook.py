# jobmetrics-pbs-hook.py: writes down who a job is, where only root can, for jobmetrics-exporter
#
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
#
# A hook of PBS, for the events execjob_begin, execjob_end and execjob_abort, which run as root
# on each host of a job:
#
#   qmgr -c 'create hook jobmetrics event="execjob_begin,execjob_end,execjob_abort"'
#   qmgr -c 'import hook jobmetrics application/x-python default jobmetrics-pbs-hook.py'
#
# It never fails a job: it accepts it whatever happens, asks the server nothing, and nothing that
# asks the network. It has the exporter read the job, where one listens, and waits for that for a
# second at most. A configuration, if it is given one, is
# {"directory": "/run/jobmetrics/jobs", "socket": "/run/jobmetrics-exporter/socket"}.
import json
import os
import re
import socket
import tempfile
import time
import urllib.parse

import pbs

DIRECTORY = "/run/jobmetrics/jobs"
SOCKET = "/run/jobmetrics-exporter/socket"
SECONDS = 1.0
ANSWER_MAX = 4096
JOB_ID = re.compile(r"[0-9]+(\[[0-9]+\])?(\.[A-Za-z0-9_.-]+)?\Z")
JOB_ID_MAX = 128
# What PBS gives jobs of which nobody said to what project they belong.
NO_PROJECT = "_pbs_project_default"


def configured(key, default):
    name = getattr(pbs, "hook_config_filename", None)
    if not name:
        return default
    with open(name) as file:
        return json.load(file).get(key, default)


def text_of(value):
    """A value stays on its line."""
    text = "" if value is None else str(value)
    return "".join(c for c in text if ord(c) >= 32 and not 127 <= ord(c) < 160)


def number_of(value):
    text = text_of(value)
    return text if text.isdigit() else ""


def attribute(job, name):
    try:
        return getattr(job, name, None)
    except Exception:  # of an attribute that this version does not give a hook
        return None


def user_of(job):
    """Whom it runs as; else who submitted it, from USER@HOST."""
    return text_of(attribute(job, "euser")) or text_of(attribute(job, "Job_Owner")).split("@")[0]


def queue_of(job):
    queue = attribute(job, "queue")
    return text_of(getattr(queue, "name", queue))


def account_of(job):
    project = text_of(attribute(job, "project"))
    return text_of(attribute(job, "Account_Name")) or ("" if project == NO_PROJECT else project)


def nodes_of(job):
    try:
        return number_of(attribute(job, "Resource_List")["nodect"])
    except Exception:
        return ""


def properties_of(job):
    """What PBS does not give is not written: each node's own clock would give another start."""
    pairs = [
        ("PBS_JOBID", text_of(job.id)),
        ("PBS_JOBNAME", text_of(attribute(job, "Job_Name"))),
        ("PBS_QUEUE", queue_of(job)),
        ("PBS_JOB_USER", user_of(job)),
        ("PBS_JOB_ACCOUNT", account_of(job)),
        ("PBS_JOB_NODES", nodes_of(job)),
        ("PBS_JOB_SUBMIT_TIME", number_of(attribute(job, "ctime"))),
        ("PBS_JOB_START_TIME", number_of(attribute(job, "stime"))),
    ]
    return "".join("%s=%s\n" % pair for pair in pairs if pair[1])


def write_file(directory, name, text):
    """Whoever reads sees the whole file or none."""
    # Made at boot by systemd-tmpfiles. What mode the site gave it, it keeps.
    if not os.path.isdir(directory):
        os.makedirs(directory, 0o755)
    descriptor, new = tempfile.mkstemp(prefix=".new.", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            os.fchmod(file.fileno(), 0o644)
        os.rename(new, os.path.join(directory, name))
    except Exception:
        os.unlink(new)
        raise


def remove_file(directory, name):
    path = os.path.join(directory, name)
    if os.path.lexists(path):
        os.unlink(path)


def receive(client, until):
    """The answer, as far as its first line."""
    got = b""
    while b"\n" not in got and len(got) < ANSWER_MAX:
        client.settimeout(max(until - time.monotonic(), 0.001))
        part = client.recv(ANSWER_MAX) if time.monotonic() < until else b""
        if not part:
            break
        got += part
    return got.split(b"\r\n")[0].decode("ascii", "replace")


def tell_exporter(event, name):
    """One that does not run, or does not answer in time, is done without."""
    body = urllib.parse.urlencode({"job": name, "scheduler": "pbs"}).encode()
    head = "POST /hook/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n" % event
    head += "Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
    until = time.monotonic() + SECONDS
    client = socket.socket(socket.AF_UNIX)
    try:
        client.settimeout(SECONDS)
        client.connect(configured("socket", SOCKET))
        client.sendall(head.encode() + body)
        line = receive(client, until)
        if not re.match(r"HTTP/1\.[0-9] 2", line):
            raise OSError("the exporter answers: %r" % line[:80])
    except (FileNotFoundError, ConnectionRefusedError):
        pass
    except OSError as error:
        pbs.logmsg(pbs.LOG_WARNING, "jobmetrics: %s" % text_of(error))
    finally:
        client.close()


def serve(event):
    job = event.job
    name = text_of(job.id)
    # A name of anything else is none of ours.
    if name != str(job.id) or len(name) > JOB_ID_MAX or not JOB_ID.match(name):
        return
    if event.type == pbs.EXECJOB_BEGIN:
        write_file(configured("directory", DIRECTORY), name, properties_of(job))
        tell_exporter("prolog", name)
    elif event.type in (pbs.EXECJOB_END, getattr(pbs, "EXECJOB_ABORT", None)):
        # Who the job is stays until the exporter has read its last figures.
        tell_exporter("epilog", name)
        remove_file(configured("directory", DIRECTORY), name)


def main():
    event = pbs.event()
    try:
        serve(event)
    except Exception as error:
        pbs.logmsg(pbs.LOG_WARNING, "jobmetrics: %s" % text_of(error))
    event.accept()


main()
