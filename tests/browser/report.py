#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""report.py FILE: the report of the "mixed" scenario of tests/cli/html.bats, used as a reader would."""
import sys

from webdriver import Browser

FILE = sys.argv[1]
SHOWN = "return Array.from(document.querySelectorAll('.step:not([hidden])'), s => s.querySelector('.title').textContent)"
GROUND = "return getComputedStyle(document.body).backgroundColor"


def check(found, wanted):
    assert found == wanted, f"{found!r}, expected {wanted!r}"


with Browser() as browser:
    browser.open(FILE)
    titles = browser.run(SHOWN)
    check(titles, ["texts", "bad — <script>alert(2)</script>", "waived", "sizes"])

    # Filtered.
    browser.click(".chip[value=fail]")
    check(browser.run(SHOWN), [titles[1], titles[3]])
    browser.click("#clear")
    check(browser.run(SHOWN), titles)

    # Searched, by keys alone; then the one that is left is opened and closed.
    browser.press("/", *"onerror", "Enter")
    check(browser.run(SHOWN), [titles[1]])
    browser.press("Enter")
    check(browser.run("return document.activeElement.parentNode.open"), True)
    assert any("expected 2" in text for text in browser.texts(".step[open] .sentence")), "the sentence is not seen"
    browser.press("Escape")
    check(browser.run("return document.querySelectorAll('.step[open]').length"), 0)
    browser.run("document.activeElement.blur()")
    browser.press("Escape")
    check(browser.run(SHOWN), titles)

    # The next one that did not pass, and the keys themselves.
    browser.press("n")
    check(browser.run("return document.activeElement.querySelector('.title').textContent"), titles[1])
    browser.press("?")
    check(browser.run("return document.getElementById('keys').open"), True)
    browser.press("Escape")
    check(browser.run("return document.getElementById('keys').open"), False)

    # A link on top opens the step that it is about.
    browser.click("#failed a")
    check(browser.run("return document.querySelectorAll('.step[open]').length"), 1)

    # Light, then dark.
    browser.run("document.documentElement.dataset.theme = 'light'")
    light = browser.run(GROUND)
    browser.run("document.documentElement.dataset.theme = 'dark'")
    assert browser.run(GROUND) != light

    # Texts are texts: no element came of one, and nothing was refused or went wrong.
    check(browser.run("return document.querySelectorAll('img, b, i').length"), 0)
    check(browser.run("return document.scripts.length"), 1)
    check(browser.console(), [])

with Browser(scripts=False) as browser:
    browser.open(FILE)
    check(browser.texts("#filter, #tools"), ["", ""])
    assert any("expected 2" in text for text in browser.texts("#failed .sentence"))
    check(len([text for text in browser.texts(".step summary .title") if text]), 4)
