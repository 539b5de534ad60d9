"""Drives a headless Chromium through its DevTools pipe. Needs only Python.

The browser reads commands from file descriptor 3 and writes answers to file descriptor 4: JSON
texts, each followed by a zero byte (https://chromedevtools.github.io/devtools-protocol/).
"""

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


def find_browser():
    """Returns the path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class PageError(Exception):
    """Raised if a script throws an exception, or if a condition does not become true in time."""


class Browser:
    """A browser with one page. Call close(), or use it in a `with` statement."""

    def __init__(self, width=1280, height=800, touch=False):
        self._folder = tempfile.TemporaryDirectory(prefix="ballotcast-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        command = [
            find_browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            f"--user-data-dir={self._folder.name}",
            f"--window-size={width},{height}",
            "--remote-debugging-pipe",
            "about:blank",
        ]

        def use_pipes():
            # Copies to numbers above 4 first, because the pipes may already be 4 and 3.
            os.dup2(to_browser, 60)
            os.dup2(from_browser, 61)
            os.dup2(60, 3)
            os.dup2(61, 4)

        self._process = subprocess.Popen(
            command,
            preexec_fn=use_pipes,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.messages = []  # the errors that the page has written to its console
        self.requests = []  # every address that the page has requested
        target = next(
            t for t in self._send("Target.getTargets")["targetInfos"] if t["type"] == "page"
        )
        attached = {"targetId": target["targetId"], "flatten": True}
        self._session = self._send("Target.attachToTarget", attached)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._send(domain + ".enable")
        self.resize(width, height, touch)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self._folder.name, ignore_errors=True)

    def _receive(self, number, limit=60):
        """Returns the answer to command `number`, and notes events that come before it."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            while b"\0" in self._buffer:
                text, self._buffer = self._buffer.split(b"\0", 1)
                message = json.loads(text)
                if message.get("id") == number:
                    if "error" in message:
                        raise PageError(message["error"]["message"])
                    return message["result"]
                self._note(message)
            some = os.read(self._in, 1 << 20)
            if not some:
                break
            self._buffer += some
        raise PageError("the browser does not answer")

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.messages.append(params["entry"]["text"])

    def _send(self, method, params=None):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params or {}}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._receive(self._number)

    def resize(self, width, height, touch=False):
        self._send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch},
        )
        self._send("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def dark(self, on):
        feature = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self._send("Emulation.setEmulatedMedia", {"features": [feature]})

    def throttle(self, bytes_per_s):
        """Limits the speed of the network to bytes_per_s; -1: no limit."""
        conditions = {"offline": False, "latency": 0, "uploadThroughput": bytes_per_s}
        self._send(
            "Network.emulateNetworkConditions", {**conditions, "downloadThroughput": bytes_per_s}
        )

    def open(self, address):
        self._send("Page.navigate", {"url": address})

    def reload(self):
        self._send("Page.reload")

    def run(self, script):
        """Returns the value of a JavaScript expression; waits for promises."""
        result = self._send(
            "Runtime.evaluate",
            {
                "expression": script,
                "returnByValue": True,
                "awaitPromise": True,
                "userGesture": True,
            },
        )
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, script, limit=30):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            with contextlib.suppress(PageError):
                value = self.run(script)
                if value:
                    return value
            time.sleep(0.05)
        raise PageError(f"after {limit} s it is not true that {script}")

    def place(self, selector):
        """Returns the middle of an element, in pixels of the window, after scrolling to it."""
        return self.run(
            f"(() => {{const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'nearest', behavior: 'instant'}); const b = e.getBoundingClientRect();"
            "return [b.left + b.width / 2, b.top + b.height / 2]})()"
        )

    def mouse(self, kind, x, y, button="left", **more):
        self._send(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1, **more},
        )

    def click(self, selector, dx=0, dy=0):
        x, y = self.place(selector)
        self.mouse("mousePressed", x + dx, y + dy, buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy)

    def drag(self, selector, dx, dy, steps=10, pause=0.0, **more):
        x, y = self.place(selector)
        self.mouse("mousePressed", x, y, buttons=1, **more)
        for i in range(1, steps + 1):
            self.mouse("mouseMoved", x + dx * i / steps, y + dy * i / steps, buttons=1, **more)
            time.sleep(pause)
        self.mouse("mouseReleased", x + dx, y + dy, **more)

    def wheel(self, selector, amount):
        x, y = self.place(selector)
        self._send(
            "Input.dispatchMouseEvent",
            {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": amount},
        )

    def touches(self, kind, points):
        self._send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in points]},
        )

    def key(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            params = {"type": kind, "key": key}
            if text and kind == "keyDown":
                params["text"] = text
            self._send("Input.dispatchKeyEvent", params)

    def drop(self, selector, paths):
        """Drops files and folders of the file system on an element."""
        x, y = self.place(selector)
        data = {"items": [], "files": paths, "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self._send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    def choose_files(self, selector, paths):
        document = self._send("DOM.getDocument")
        node = self._send(
            "DOM.querySelector", {"nodeId": document["root"]["nodeId"], "selector": selector}
        )
        self._send("DOM.setFileInputFiles", {"nodeId": node["nodeId"], "files": paths})

    def screenshot(self, path, whole=False):
        answer = self._send("Page.captureScreenshot", {"captureBeyondViewport": whole})
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))
