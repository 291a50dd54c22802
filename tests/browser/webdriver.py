# SPDX-License-Identifier: BSD-2-Clause
"""Chromium without a window, driven over the W3C's WebDriver protocol with what Python brings: no more than the tests
of the HTML report need. What the page's console said (script errors, violations of its policy) is kept.
"""
import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, scripts=True, dark=False, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="rdmaspec-browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0", "--log-level=SEVERE"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True, env={**os.environ, "HOME": self.folder})
        self.session = None
        try:
            self.port = self._port()
            self._start(scripts, dark, width, height)
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise RuntimeError("chromedriver does not start")

    def _start(self, scripts, dark, width, height):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update",
                     f"--user-data-dir={self.folder}/profile", f"--window-size={width},{height}"]
        if dark:
            arguments.append("--force-dark-mode")
        options = {"args": arguments, "prefs": {}}
        if not scripts:
            options["prefs"]["profile.managed_default_content_settings.javascript"] = 2
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = answer["sessionId"]

    def _ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request(method, path, None if body is None else json.dumps(body),
                           {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value

    def ask(self, method, path, body=None):
        return self._ask(method, f"/session/{self.session}{path}", body)

    def open(self, path):
        self.ask("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """What a function of that body returns; it runs whatever the page's policy says."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        """Keys one after the other, to whatever has the focus."""
        actions = []
        for key in keys:
            key = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        found = self.ask("POST", "/element", {"using": "css selector", "value": selector})
        self.ask("POST", f"/element/{found[ELEMENT]}/click", {})

    def texts(self, selector):
        """What is seen of each element: nothing of one that is hidden."""
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [self.ask("GET", f"/element/{item[ELEMENT]}/text") for item in found]

    def console(self):
        return [f"{entry['level']}: {entry['message']}" for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def command(self, name, **parameters):
        """A command of the DevTools protocol, for what WebDriver has none for."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
