"""Opens the page of `ballotcast view` in a headless browser and uses it as a person would.

Usage: page_test.py PROGRAM SOURCE_DIR [FOLDER]
exit code 77: skipped, because Chromium is not installed
FOLDER: where to store screenshots, for a person to look at.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from browser import Browser, find_browser
from viewer import Checks, Viewer

if not find_browser():
    print("there is no Chromium to open the page in (tools/install_dependencies --with-browser)")
    sys.exit(77)
program, source = (os.path.abspath(path) for path in sys.argv[1:3])
keep = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
check = Checks()
folder = tempfile.TemporaryDirectory(prefix="ballotcast-page-test-")
os.chdir(folder.name)
cornell = os.path.join(source, "scenes", "cornell-box.json")
CAMERA = "[kView.camera.eye, kView.camera.look_at].flat()"
TEXT = "document.getElementById('%s').textContent"
# The height of the windows of most tests, in pixels. Pictures are as high as the window, so low
# windows make the tests faster.
LOW = 380


def picture(browser, name):
    if keep:
        browser.screenshot(os.path.join(keep, name + ".png"))


def at_rest(browser, samples=1):
    """Waits until the newest version of the picture has at least `samples` samples."""
    browser.wait(f"kSides[0].samples >= {samples} && kSides[0].asked === drawer.version", 90)


def hold_samples(browser, most):
    browser.run(f"setState('most', '{most}'); drawer.changed(false)")


def opens(browser, viewer):
    browser.open(viewer.address + "#most=4")
    browser.wait("typeof drawer === 'object'", 60)
    at_rest(browser, 4)
    check("the scene has its name", browser.run(TEXT % "scene") == "cornell-box")
    check("the status names what render draws", "render draws" in browser.run(TEXT % "status"))
    colors = browser.run(
        "(() => {const c = kSides[0].canvas, d = c.getContext('2d').getImageData(0, 0, c.width,"
        " c.height).data; return new Set(Array.from({length: 400}, (_, i) =>"
        " d[i * 4 * Math.floor(d.length / 1600)])).size})()"
    )
    check("the picture shows something", colors > 20, colors)
    picture(browser, "rest")


def moves(browser):
    for name, act in [
        ("a drag goes around", lambda: browser.drag("#side-a .frame", 120, 30)),
        ("Shift and a drag move", lambda: browser.drag("#side-a .frame", 50, 20, modifiers=8)),
        (
            "Ctrl and a drag look elsewhere",
            lambda: browser.drag("#side-a .frame", 9, 9, modifiers=2),
        ),
        ("the wheel comes nearer", lambda: browser.wheel("#side-a .frame", -200)),
        ("an arrow key goes around", lambda: browser.key("ArrowLeft")),
        ("w flies", lambda: browser.key("w", "w")),
        ("plus comes nearer", lambda: browser.key("+", "+")),
    ]:
        before = browser.run(CAMERA)
        act()
        after = browser.run(CAMERA)
        check(name, before != after, before)
    distance = "kView.camera.distance"
    before = browser.run(distance)
    browser.drag("#side-a .frame", 80, -20)
    turned = browser.run(distance)
    check("going around keeps the distance", abs(before / turned - 1) < 1e-9, before, turned)
    at_rest(browser)
    facts = browser.run("kSides[0].facts.camera.eye")
    check("the picture is that of the camera", facts == browser.run("kView.camera.eye"), facts)
    browser.run("byId('side-a').querySelector('.frame').focus()")
    browser.key("Home")
    check(
        "Home goes back",
        browser.run(CAMERA)
        == browser.run("[kView.facts.camera.eye, kView.facts.camera.look_at].flat()"),
    )


def moves_by_touch(browser):
    x, y = browser.place("#side-a .frame")
    before = browser.run(CAMERA)
    browser.touches("touchStart", [(0, (x, y))])
    for i in range(1, 8):
        browser.touches("touchMove", [(0, (x + 8 * i, y))])
    browser.touches("touchEnd", [])
    turned = browser.run(CAMERA)
    check("a finger goes around", before != turned)
    before = browser.run("kView.camera.distance")
    browser.touches("touchStart", [(0, (x - 20, y)), (1, (x + 20, y))])
    for i in range(1, 8):
        browser.touches("touchMove", [(0, (x - 20 - 5 * i, y)), (1, (x + 20 + 5 * i, y))])
    browser.touches("touchEnd", [])
    after = browser.run("kView.camera.distance")
    check("two fingers come nearer", after < before, before, after)


def keeps_up(browser):
    """Tests that no picture of an old camera is shown after a picture of a newer camera."""
    browser.run(
        "globalThis.seen = []; const show = Side.prototype.show; Side.prototype.show ="
        " function(b, f, p) {const shown = show.call(this, b, f, p);"
        " if (shown && this === kSides[0]) seen.push(f.number); return shown}"
    )
    browser.drag("#side-a .frame", 200, 0, steps=40, pause=0.02)
    at_rest(browser)
    seen = browser.run("seen")
    check("several pictures are shown while it moves", len(seen) >= 4, seen)
    check("none is older than the one before", seen == sorted(set(seen)), seen)
    check(
        "the last one is that of the last camera",
        browser.run("kSides[0].facts.camera.eye") == browser.run("kView.camera.eye"),
    )


def two_choices(browser):
    browser.click("#two")
    browser.wait("kSides[0].samples >= 4 && kSides[1].samples >= 4", 120)
    atomics = browser.run("kSides.map(side => side.facts.atomics)")
    check("naive issues more atomics than block-vote", atomics[0] > 20 * atomics[1] > 0, atomics)
    equal = browser.run(
        "(async () => {const [a, b] = await Promise.all(kSides.map(async side =>"
        " new Uint8Array(await side.png.blob.arrayBuffer()).join())); return a === b})()"
    )
    check("both pictures have the same bytes", equal)
    check(
        "the ratio is told",
        "times as many atomics as B" in browser.run(TEXT % "ratio"),
        browser.run(TEXT % "ratio"),
    )
    browser.run("byId('lanes').click()")
    browser.wait("!byId('lane-view').hidden")
    said = browser.run("[byId('lanes-a-name').textContent, byId('lanes-b-name').textContent]")
    check("the lanes are shown", "naive" in said[0] and "1 atomic in" in said[1], said)
    picture(browser, "two")
    # After another choice for side B, the counts must change.
    browser.run(
        "const s = document.querySelector('select[aria-label=\"atomics of B\"]');"
        "s.value = 'warp-ballot'; s.dispatchEvent(new Event('change'))"
    )
    browser.wait("kSides[1].facts.how.atomics === 'warp-ballot' && kSides[1].samples >= 1", 60)
    check("the choice is in the address", "atomics-b=warp-ballot" in browser.run("location.hash"))
    browser.run(
        "byId('rays').value = String(1 << 18); byId('rays').dispatchEvent(new Event('change'))"
    )
    browser.wait("kChart.values.every(values => values.length >= 2)", 120)
    check("measuring goes on and on", True)
    browser.run("byId('rays').value = '0'; byId('rays').dispatchEvent(new Event('change'))")
    browser.click("#two")
    check("one picture again", browser.run("byId('side-b').hidden"))


def impossible_choices(browser):
    browser.run("byId('two').click()")
    browser.wait("kSides[0].samples >= 1 && kSides[1].samples >= 1", 60)
    browser.run("setState('atomics-b', 'block-scan'); takeChoices()")
    browser.wait("kSides[1].failed && kSides[0].samples >= 1", 60)
    said = browser.run("byId('side-b').querySelector('.trouble').textContent")
    check("a choice that can't be is told where its picture would be", "block-scan" in said, said)
    check(
        "no old numbers are left",
        browser.run("!kSides[1].facts && byId('ratio').textContent === ''"),
    )
    picture(browser, "impossible")
    # The browser itself logs every refused request.
    browser.messages = [text for text in browser.messages if "status of 400" not in text]
    browser.run("setState('atomics-b', 'warp-ballot'); takeChoices()")
    browser.wait("kSides[1].samples >= 1 && !kSides[1].failed", 60)
    check("the next one is drawn", browser.run("byId('side-b').querySelector('.trouble').hidden"))
    disabled = "document.querySelector('[aria-label=\"atomics of B\"] [value=block-scan]').disabled"
    check("what a pipeline can't use is not offered", browser.run(disabled))
    browser.run("byId('two').click()")


def garbage_in_the_address(viewer):
    places = [
        "shading=__proto__&exposure=abc&bounces=zz&most=-1&smooth=%00&frame=1e9",
        "eye=,,&at=,,&up=,,",
        "eye=1,2,3&at=1,3,3&up=0,1,0",
        "eye=1e300,0,0&at=0,0,0&up=0,1,0",
        "two=1&layout-a=foo&atomics-b=__proto__&rays=NaN&block-size-a=33&fov=400&ortho=-1",
    ]
    with Browser(500, 300) as browser:
        for place in places:
            browser.open("about:blank")
            browser.open(viewer.address + "#most=4&" + place)
            browser.wait(
                "typeof drawer === 'object' && kView.sides().every(s => s.samples >= 1)", 60
            )
            check(f"nonsense in the address is passed over: {place}", True)
        check.same("and no script fails over it", browser.messages, [])


def slow_line(viewer):
    """Moves the camera while a large picture is still being transferred."""
    with Browser(900, LOW) as browser:
        browser.open(viewer.address + "#most=4")
        browser.wait("typeof drawer === 'object' && kSides[0].samples >= 2", 60)
        browser.throttle(30e3)
        browser.run("drawer.changed(false)")
        time.sleep(2.5)
        browser.drag("#side-a .frame", 30, 10, steps=3)
        time.sleep(1.5)
        check(
            "a slow line is no failure",
            browser.run("byId('failure').hidden"),
            browser.run(TEXT % "failure"),
        )
        browser.throttle(-1)
        check.same("nor a message", browser.messages, [])


def other_page(browser, viewer):
    """Opens another scene in another page."""
    with open(os.path.join(source, "scenes", "slivers.obj"), "rb") as file:
        viewer.ask("file", file.read(), name="slivers.obj", page="another", first=1)
    viewer.json("open", b"", page="another")
    browser.drag("#side-a .frame", 20, 5)
    browser.wait("kView.facts.name === 'slivers' && kSides[0].samples >= 1", 60)
    check("a page is told of another scene", browser.run(TEXT % "scene") == "slivers")


def looks_inside(browser):
    browser.run("byId('level').value = 4; byId('level').dispatchEvent(new Event('input'))")
    browser.wait("kInside.boxes && kInside.boxes.length > 6")
    ink = (
        "(() => {const c = kSides[0].overlay; const d = c.getContext('2d').getImageData(0, 0,"
        " c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0;"
        " return n})()"
    )
    boxes = browser.run(ink)
    check("boxes are drawn over the picture", boxes > 500, boxes)
    browser.click("#side-a .frame", 10, 10)
    browser.wait("!byId('explanation').hidden")
    text = browser.run(TEXT % "explained")
    check("a click explains the pixel", "hit" in text and "node 0" in text, text)
    check("its way is drawn", browser.run(ink) > boxes, browser.run(ink))
    picture(browser, "inside")
    before = browser.run("kView.camera.look_at")
    x, y = browser.place("#side-a .frame")
    for _ in range(2):
        browser.mouse("mousePressed", x + 40, y + 40, buttons=1)
        browser.mouse("mouseReleased", x + 40, y + 40)
    browser.wait(f"kView.camera.look_at.join() !== '{','.join(map(str, before))}'")
    hit = browser.run("kView.camera.projection(100, 100)(kView.camera.look_at)")
    check(
        "a double click makes the point the middle",
        max(abs(hit[0] - 50), abs(hit[1] - 50)) < 1e-6,
        hit,
    )
    check("the explanation of the other camera is gone", browser.run("byId('explanation').hidden"))
    browser.run("byId('level').value = 0; byId('level').dispatchEvent(new Event('input'))")


def shadings(browser):
    for name in ("visits", "depth", "lit"):
        browser.run(f"[...byId('shadings').children].find(b => b.textContent === '{name}').click()")
        browser.wait(f"kSides[0].facts.shading === '{name}' && kSides[0].samples >= 1", 60)
        legend = browser.run("!byId('legend').hidden")
        check(f"{name}: {'a' if name != 'lit' else 'no'} legend", legend == (name != "lit"))
        picture(browser, name)


def takes_along(browser):
    at_rest(browser, 4)
    browser.run(
        "globalThis.copied = []; Object.defineProperty(navigator, 'clipboard',"
        " {value: {writeText: async text => { copied.push(text); }}});"
        " document.querySelector('[data-take=command]').click()"
    )
    command = browser.wait("copied[0]")
    words = [program if word == "ballotcast" else word for word in shlex.split(command)]
    subprocess.run(words, check=True, capture_output=True)
    with open("view.png", "rb") as file:
        drawn = list(file.read())
    shown = browser.run("kSides[0].png.blob.arrayBuffer().then(b => [...new Uint8Array(b)])")
    check("the copied command draws the bytes of the page", drawn == shown, command)
    browser.run("byId('case-name').value = 'from-page'; byId('to-suite').requestSubmit()")
    browser.wait("byId('taken').textContent.includes('from-page')")
    with open("suite.json") as file:
        check("the case is in the suite", '"from-page"' in file.read())


def reloads(browser):
    browser.drag("#side-a .frame", 60, 10)
    at_rest(browser)
    time.sleep(0.5)  # the page changes its address a little later
    before = browser.run(CAMERA)
    browser.reload()
    time.sleep(0.3)
    browser.wait("typeof drawer === 'object' && kSides[0].samples >= 1", 60)
    check("a reload keeps the camera", browser.run(CAMERA) == before, browser.run(CAMERA), before)
    hold_samples(browser, 1)


def other_files(browser):
    with open("bad.obj", "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nf 1 2 nonsense\n")
    browser.choose_files("#files", [os.path.abspath("bad.obj")])
    browser.wait("!byId('failure').hidden")
    said = browser.run(TEXT % "failure")
    check("an error of loading names file and line", "bad.obj" in said and "3" in said, said)
    time.sleep(1)
    check("it stays to be read", browser.run("!byId('failure').hidden"))
    picture(browser, "failure")
    scenes = os.path.join(source, "scenes")
    files = [os.path.join(scenes, name) for name in ("blob.obj",)]
    browser.choose_files("#files", files)
    browser.wait("kView.facts.name === 'blob' && kSides[0].samples >= 1", 60)
    check("files that are chosen are shown", browser.run("byId('failure').hidden"))
    with open(os.path.join(scenes, "cornell-box.obj")) as file:
        mesh = json.dumps(file.read())
    browser.run(
        "globalThis.dropped = new DataTransfer();"
        f"dropped.items.add(new File([{mesh}], 'dropped.obj'));"
        "dispatchEvent(new DragEvent('drop', {dataTransfer: dropped, cancelable: true}))"
    )
    browser.wait("kView.facts.name === 'dropped' && kSides[0].samples >= 1", 60)
    check("files that are dropped are shown", browser.run("kView.facts.triangles") == 32)
    os.makedirs("folder/meshes", exist_ok=True)
    for name in ("cornell-box.obj", "cornell-box.mtl"):
        shutil.copy(os.path.join(scenes, name), "folder/meshes")
    with open("folder/in-folder.json", "w") as file:
        json.dump({"meshes": ["meshes/cornell-box.obj"]}, file)
    browser.drop("#side-a .frame", [os.path.abspath("folder")])
    browser.wait("kView.facts.name === 'in-folder' && kSides[0].samples >= 1", 60)
    check("so is a folder with folders", browser.run("kView.facts.warnings.length") == 0)


def goes_away(browser, viewer):
    code, _, _ = viewer.end()
    check.same("the viewer ends while a page is open", code, 0)
    browser.drag("#side-a .frame", 60, 10)
    browser.wait("!byId('failure').hidden", 20)
    said = browser.run(TEXT % "failure")
    check("the page says that it is gone", "ended" in said, said)


# Finds the texts with too little contrast (WCAG 2.2, 1.4.3), as "words: ratio".
FAINT = """(() => {
  const light = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const numbers = text => text.match(/[0-9.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const paper = e => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0.5) return c;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    const words = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
    if (!words || !e.checkVisibility() || e.closest("script, style")) continue;
    const [a, b] = [numbers(getComputedStyle(e).color), paper(e)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(words.slice(0, 30) + ": " + ratio.toFixed(2));
  }
  return found;
})()"""
# Finds elements that can be pressed, but can't be reached by the Tab key or have no name.
UNREACHABLE = """[...document.querySelectorAll("button, input, select, a, .frame")].filter(e =>
  e.checkVisibility() && (e.tabIndex < 0 ||
  !(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.title))).map(e => e.id || e.outerHTML)"""


def plays():
    keyframes = [{"frame": 0, "rotate_y": 0}, {"frame": 40, "rotate_y": 90}]
    mesh = {"file": os.path.join(source, "scenes", "blob.obj"), "keyframes": keyframes}
    with open("moving.json", "w") as file:
        json.dump({"meshes": [mesh]}, file)
    with Viewer(program, "moving.json") as viewer, Browser(700, LOW) as browser:
        browser.open(viewer.address)
        browser.wait("typeof drawer === 'object' && kSides[0].shown >= 0", 60)
        browser.run("byId('play').click()")
        browser.wait("kView.frame >= 5", 60)
        browser.run("byId('play').click()")
        frame = browser.run("kView.frame")
        time.sleep(0.3)
        check(
            "a scene that moves plays, and pauses", browser.run("kView.frame") == frame > 0, frame
        )
        picture(browser, "play")
        check.same("play: no message of the browser", browser.messages, [])


def opens_quickly():
    """Prints the time until the first picture. It is not checked, because the machine may be
    busy."""
    with Viewer(program) as viewer, Browser(640, LOW) as browser:
        browser.open(viewer.address)
        browser.wait("typeof drawer === 'object' && kSides[0].shown >= 0", 60)
        print(
            f"note  first picture {browser.run('drawer.times[0]'):.0f} ms after the page was asked for"
        )


def looks(viewer):
    wider = (
        "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right >"
        " innerWidth + 1 && getComputedStyle(e).position !== 'absolute'"
        " && !e.closest('pre')).map(e => e.id || e.tagName)"
    )
    for name, width, height, touch, dark in [
        ("phone", 390, 560, True, False),
        ("dark", 1280, LOW, False, True),
    ]:
        with Browser(width, height, touch) as browser:
            browser.dark(dark)
            browser.open(viewer.address + "#most=1")
            browser.wait("typeof drawer === 'object' && kSides[0].samples >= 1", 60)
            check.same(f"{name}: nothing is wider than the window", browser.run(wider), [])
            browser.run(
                "setState('two', '1'); showTwo(); byId('lane-view').hidden = false;"
                "byId('explanation').hidden = false; showTrouble('Something is wrong')"
            )
            check.same(f"{name}: all texts have contrast", browser.run(FAINT), [])
            check.same(f"{name}: keys reach everything", browser.run(UNREACHABLE), [])
            browser.run(
                "setState('two', ''); showTwo(); byId('explanation').hidden = true;showTrouble('')"
            )
            picture(browser, name)
            if touch:
                moves_by_touch(browser)
                browser.run("byId('two').click()")
                browser.wait("kSides[1].samples >= 1", 60)
                check.same("phone, two choices: nothing is wider", browser.run(wider), [])
                picture(browser, "phone-two")
            check.same(f"{name}: no message of the browser", browser.messages, [])


with Viewer(program, cornell, "--suite", "suite.json") as viewer:
    looks(viewer)
    opens_quickly()
    garbage_in_the_address(viewer)
    slow_line(viewer)
    plays()
    with Browser(900, LOW) as browser:
        opens(browser, viewer)
        moves(browser)
        keeps_up(browser)
        two_choices(browser)
        impossible_choices(browser)
        looks_inside(browser)
        shadings(browser)
        takes_along(browser)
        reloads(browser)
        check.same("no message of the browser so far", browser.messages, [])
        other_files(browser)
        other_page(browser, viewer)
        here = f"http://127.0.0.1:{viewer.port}/"
        strange = [
            r for r in browser.requests if not r.startswith((here, "data:", "blob:", "about:"))
        ]
        check.same("the page asks nobody else", strange, [])
        goes_away(browser, viewer)
folder.cleanup()
check.finish()
