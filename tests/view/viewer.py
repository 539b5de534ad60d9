"""Starts `ballotcast view` for a test and sends requests to it."""

import http.client
import json
import re
import signal
import subprocess
import sys
import urllib.parse


class Viewer:
    """A running `ballotcast view`; `ask` sends a request with its token."""

    def __init__(self, program, *words, **more):
        self.process = subprocess.Popen(
            [program, "view", "--no-open", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )
        self.address = None
        for line in self.process.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                self.address = found.group()
                break
        if not self.address:
            raise RuntimeError("no address: " + self.process.stderr.read())
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.token = parts.query.removeprefix("token=")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def raw(self, method, path, body=None, headers=None, timeout=60):
        """Sends a request without changes. Returns the status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask(self, path, body=None, **parameters):
        """Sends a request with the token: a POST if there is a body, else a GET. Underscores in the
        names of parameters become hyphens. Returns the status, headers and body of the answer."""
        query = {name.replace("_", "-"): value for name, value in parameters.items()}
        query["token"] = self.token
        return self.raw(
            "GET" if body is None else "POST", f"/{path}?{urllib.parse.urlencode(query)}", body
        )

    def json(self, path, body=None, **parameters):
        status, _, answer = self.ask(path, body, **parameters)
        if status != 200:
            raise AssertionError(f"{path}: {status} {answer.decode()}")
        return json.loads(answer)

    def end(self, number=signal.SIGINT):
        """Ends the viewer by a signal. Returns its exit code and its output."""
        self.process.send_signal(number)
        out, errors = self.process.communicate(timeout=20)
        return self.process.returncode, out, errors


class Checks:
    """Counts failed checks."""

    def __init__(self):
        self.failed = 0

    def __call__(self, what, is_true, *details):
        print(("ok    " if is_true else "FAIL  ") + what)
        if not is_true:
            self.failed += 1
            for detail in details:
                print("      " + str(detail)[:600])

    def same(self, what, got, wanted):
        self(what, got == wanted, f"got    {got!r}", f"wanted {wanted!r}")

    def finish(self):
        print("all passed" if self.failed == 0 else f"{self.failed} failed")
        sys.exit(1 if self.failed else 0)
