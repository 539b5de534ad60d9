"""Sends to `ballotcast view` the requests that pages send, and wrong or forbidden requests.

Usage: requests_test.py PROGRAM SOURCE_DIR [SANITIZERS or OFF]
With sanitizers, which make drawing slow, it asks for fewer and smaller pictures.
"""

import http.client
import json
import math
import os
import random
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time

from viewer import Checks, Viewer

program, source = (os.path.abspath(path) for path in sys.argv[1:3])
thorough = sys.argv[3:] in ([], ["OFF"])
check = Checks()
folder = tempfile.TemporaryDirectory(prefix="ballotcast-view-test-")
os.chdir(folder.name)
cornell = os.path.join(source, "scenes", "cornell-box.json")
WIDTH, HEIGHT = (96, 54) if thorough else (48, 27)
SIZE = f"{WIDTH}x{HEIGHT}"
SMALL = {"size": SIZE, "spp": 2}
PIXEL = f"{WIDTH * 5 // 12},{HEIGHT * 10 // 27}"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def told(answer):
    """Returns the facts that the program sends together with a picture."""
    return json.loads(answer[1]["X-Ballotcast-Facts"])


def rendered(command, name="view.png"):
    """Returns the picture that a command line draws into a file."""
    words = [program if word == "ballotcast" else word for word in shlex.split(command)]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{command}: {result.stderr}")
    return read(name)


def draws_what_render_draws(viewer):
    facts = viewer.json("facts")
    check("the facts name the scene", facts["name"] == "cornell-box", facts["name"])
    eye = "0.3,1.1,3.2"
    shadings = [row["name"] for row in facts["shadings"]] if thorough else ["lit", "visits"]
    views = [{"eye": eye, "look_at": "0,1,0", "shade": name} for name in shadings]
    views += [
        {"eye": eye, "exposure": "0.7", "smooth": "off", "bounces": 3},
        {"eye": eye, "layout": "bvh2", "build": "sbvh", "shade": "visits"},
        {"ortho": 2.5, "lens": 0.1, "focus": 2},
        {"white_balance": "none", "light": "camera"},
        {"background": "transparent"},
        {"pipeline": "passes", "atomics": "naive", "block_size": 64},
    ]
    for view in views:
        status, headers, picture = viewer.ask("picture", **SMALL, **view)
        command = viewer.json("take", **SMALL, **view)["command"]["text"]
        check(
            f"a resting picture has the bytes of render: {view}",
            status == 200 and picture == rendered(command),
            command,
            picture[:100],
        )
        told = json.loads(headers["X-Ballotcast-Facts"])
        check("its facts tell its samples", told["samples"] == 2 and told["width"] == WIDTH, told)


def moving_pictures(viewer):
    status, headers, picture = viewer.ask(
        "picture", size="64x36", spp=1, format="jpeg", quality=70, moving=1
    )
    check("a moving picture is a JPEG", status == 200 and picture[:3] == b"\xff\xd8\xff", status)
    check("it is sent as one", headers["Content-Type"] == "image/jpeg")


def two_choices(viewer):
    pictures, facts = set(), {}
    for atomics in ("naive", "block-vote"):
        _, headers, picture = viewer.ask("picture", pipeline="passes", atomics=atomics, **SMALL)
        pictures.add(picture)
        facts[atomics] = json.loads(headers["X-Ballotcast-Facts"])
    check("two strategies draw the same bytes", len(pictures) == 1)
    few, many = facts["block-vote"]["atomics"], facts["naive"]["atomics"]
    check("block-vote issues fewer atomics than naive", 0 < few < many / 20, few, many)
    lanes = viewer.json("lanes", atomics="naive", pixel=PIXEL, **SMALL)
    check(
        "the counter of the emulated block is the sum of the visits of its lanes",
        lanes["counter"] == sum(lanes["visits"]) > 0 and len(lanes["visits"]) == 256,
        lanes["counter"],
        sum(lanes["visits"]),
    )
    voted = viewer.json("lanes", atomics="block-vote", pixel=PIXEL, **SMALL)
    check(
        "with block-vote, one per pass in which any lane stages",
        voted["counter"] == max(voted["visits"]),
        voted["counter"],
    )
    _, _, emulated = viewer.ask("picture", device="emulated", size="32x18", spp=1)
    _, _, native = viewer.ask("picture", size="32x18", spp=1)
    check("emulated lanes draw the same bytes", emulated == native)


def looks_inside(viewer):
    # The text is that of `ballotcast explain`, which compares with the program's own device.
    answer = viewer.json("explain", pixel=PIXEL, **SMALL)
    words = [program, "explain", cornell, "--pixel", PIXEL, "--size", SIZE]
    text = subprocess.run(words, capture_output=True, text=True).stdout
    check("a click says what explain says", answer["text"] == text, answer["text"], text)
    status, headers, boxes = viewer.ask("boxes", level=3)
    told = json.loads(headers["X-Ballotcast-Facts"])
    count = len(boxes) // 24
    check(
        "three levels below the root are at most eight boxes",
        status == 200 and 1 < count <= 8 and told == {"level": 3, "whole": True},
        count,
        told,
    )


def takes_along(viewer):
    view = {"eye": "0.3,1.1,3.2", "exposure": "0.7", **SMALL}
    taken = viewer.json("take", name="seen", **view)
    _, _, picture = viewer.ask("picture", **view)
    copy = os.path.join(source, "scenes")
    with open("seen.json", "w") as file:
        scene = json.loads(taken["scene"]["text"])
        scene["meshes"] = [os.path.join(copy, mesh) for mesh in scene["meshes"]]
        json.dump(scene, file)
    command = f"ballotcast render {folder.name}/seen.json --size {SIZE} --spp 2 -o view.png"
    check("the scene file draws the same bytes", rendered(command) == picture)

    answer = viewer.json("suite", "", name="seen", **view)
    check("a case is added", answer == {"added": "seen", "suite": "suite.json"}, answer)
    words = [program, "accept", "suite.json", "seen", "--reason", "a test"]
    accepted = subprocess.run(words, capture_output=True, text=True)
    check("the case can be accepted", accepted.returncode == 0, accepted.stderr)
    with open("suite-goldens/seen.png", "rb") as file:
        check("its golden has the same bytes", file.read() == picture)
    with open("suite.json") as file:
        before = file.read()
    status, _, why = viewer.ask("suite", "", name="seen", **view)
    check("a second case of that name is refused", status == 400 and b"two cases" in why, why)
    status, _, why = viewer.ask("suite", "", name="no/name", **view)
    check("so is a name that is none", status == 400, why)
    with open("suite.json") as file:
        check("the suite is as it was, approval included", file.read() == before)
    check("and nothing lies beside it", not os.path.exists("suite.json.trial.json"))


def keeps_others_out(viewer):
    good = {"X-Ballotcast-Token": viewer.token, "Host": f"127.0.0.1:{viewer.port}"}
    for name, headers, status in [
        ("the token in a header", good, 200),
        ("no token", {}, 403),
        ("a wrong token", {"X-Ballotcast-Token": "0" * 32}, 403),
        ("a part of the token", {"X-Ballotcast-Token": viewer.token[:-1]}, 403),
        ("a page of another site", {**good, "Origin": "http://evil.example"}, 403),
        ("its own page", {**good, "Origin": f"http://127.0.0.1:{viewer.port}"}, 200),
        ("a name that is given to this address", {**good, "Host": "evil.example"}, 403),
        ("the near end of a tunnel", {**good, "Host": "localhost:8000"}, 200),
    ]:
        check.same(f"{name}: {status}", viewer.raw("GET", "/facts", headers=headers)[0], status)
    with socket.create_connection(("127.0.0.1", viewer.port)) as connection:
        inner = f"GET /facts?token={viewer.token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        outer = f"GET /facts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(inner)}\r\n\r\n"
        connection.sendall((outer + inner).encode())
        got = b""
        while some := connection.recv(65536):
            got += some
        check.same("what follows a body is no request", got.count(b"HTTP/1.1"), 1)
    strangers = [socket.create_connection(("127.0.0.1", viewer.port)) for _ in range(60)]
    for stranger in strangers:
        stranger.sendall(b"GET / HT")
    check("strangers lock nobody out", viewer.ask("facts")[0] == 200)
    for stranger in strangers:
        stranger.close()
    check.same("no path but its own", viewer.ask("../../etc/passwd")[0], 404)
    check.same("no other method", viewer.raw("DELETE", "/facts", headers=good)[0], 405)
    for path, status in [("/facts", 200), ("/nothing", 404)]:
        answers = [viewer.raw(method, path, headers=good) for method in ("GET", "HEAD")]
        check.same(f"HEAD {path} has the status of GET", [a[0] for a in answers], [status] * 2)
        check.same("and its header", *(sorted(a[1].items()) for a in answers))
        check.same("but no body", answers[1][2], b"")
    connection = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=60)
    for method in ("HEAD", "GET"):
        connection.request(method, "/facts", headers=good)
        answer = connection.getresponse()
        check.same(f"after HEAD the connection stays: {method}", answer.status, 200)
        answer.read()
    connection.close()
    status, headers, page = viewer.ask("")
    check("the page comes with its token", status == 200 and viewer.token.encode() in page)
    check("it is in no frame", headers["X-Frame-Options"] == "DENY")
    check("it loads nothing from elsewhere", b"http://" not in page and b"https://" not in page)


def refuses_nonsense(viewer):
    for name, parameters, words in [
        ("an eye of two numbers", {"eye": "1,2"}, "parameter eye needs three numbers"),
        ("an eye that is none", {"eye": "1,2,nan"}, "parameter eye"),
        ("an unknown shading", {"shade": "shiny"}, "shiny"),
        ("an unknown strategy", {"atomics": "quick"}, "quick"),
        (
            "a strategy that the pipeline can't use",
            {"atomics": "naive", "pipeline": "warp"},
            "warp",
        ),
        ("a picture without pixels", {"size": "0x10"}, "parameter size"),
        ("a picture that is too large", {"size": "30000x30000"}, "at most 16,777,216 pixels"),
        ("too many samples", {"size": "4000x4000", "spp": 4000}, "samples per pixel"),
        ("an unknown parameter", {"colour": "red"}, "unknown parameter"),
        ("large pictures of emulated lanes", {"device": "emulated", "size": "640x360"}, "emulated"),
        (
            "a camera that looks along its up",
            {"eye": "0,5,0", "look_at": "0,0,0", "up": "0,1,0"},
            "up",
        ),
    ]:
        status, _, why = viewer.ask("picture", **parameters)
        check(f"{name} is refused", status == 400 and words in why.decode(), status, why)
    status, _, why = viewer.raw("GET", f"/picture?token={viewer.token}&spp=1&spp=2")
    check("a parameter that is given twice is refused", status == 400 and b"twice" in why, why)


def survives_anything(viewer):
    random.seed(7)
    for _ in range(150 if thorough else 50):
        with socket.create_connection(("127.0.0.1", viewer.port), timeout=20) as connection:
            kind = random.randrange(3)
            if kind == 0:
                data = random.randbytes(random.randrange(1, 4000))
            elif kind == 1:
                data = b"GET /picture?token=%s&" % viewer.token.encode()
                data += random.randbytes(random.randrange(1, 300)).replace(b" ", b"%")
                data += b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            else:
                data = b"GET /facts HTTP/1.1\r\n" + b"X: y\r\n" * random.randrange(9000)
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                pass
    names = ["size", "eye", "fov", "spp", "shade", "layout", "frame", "pixel", "quality", "level"]
    values = [
        "",
        "1",
        "-1",
        "0x0",
        "1x1",
        "9" * 40,
        "1e400",
        "0,0,0",
        "%00",
        "lit",
        "2,3",
        "\u2603",
    ]
    strange = 0
    for _ in range(300 if thorough else 100):
        parameters = {random.choice(names): random.choice(values) for _ in range(3)}
        if not parameters.get("spp", "").startswith("9"):
            parameters.setdefault("spp", "1")
        parameters.setdefault("size", "8x8")
        status = viewer.ask(random.choice(["picture", "explain", "boxes", "take"]), **parameters)[0]
        strange += status not in (200, 400)
    check("random requests are answered or refused", strange == 0, strange)
    check("the viewer is still there", viewer.json("facts")["name"] == "cornell-box")


def in_background(viewer, **parameters):
    """Returns a thread that requests a picture and waits for it, or for the viewer's end."""

    def ask():
        try:
            viewer.ask("picture", **parameters)
        except OSError:
            pass

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


# Drawing this takes longer than any test waits.
LARGE = {"size": "1600x900" if thorough else "400x225", "spp": 256}


def several_pages(viewer):
    # A page whose picture is refined for minutes must not delay another page whose camera moves.
    slow = in_background(viewer, page="slow", number=1, **LARGE)
    time.sleep(0.5)
    status = viewer.ask("picture", size="64x36", spp=1, moving=1, page="quick", number=1)[0]
    check("a moving page goes first", status == 200, status)
    slow.join(20)
    check("and the other one gives way", not slow.is_alive())

    # A newer request of the same page must end the older request.
    old = in_background(viewer, page="p", number=1, **LARGE)
    time.sleep(0.3)
    status = viewer.ask("picture", size="64x36", spp=1, page="p", number=3)[0]
    old.join(20)
    check("a newer request ends an older one", status == 200 and not old.is_alive(), status)

    # A page that sends requests faster than pictures are drawn gets the pictures that were begun,
    # and the last one.
    statuses = {}
    size = "400x300" if thorough else "96x72"  # drawing takes longer than the time between requests

    def moving(number):
        statuses[number] = viewer.ask(
            "picture", size=size, spp=4, moving=1, page="fast", number=number
        )[0]

    movers = [threading.Thread(target=moving, args=(number,)) for number in range(1, 6)]
    for mover in movers:
        mover.start()
        time.sleep(0.1)
    for mover in movers:
        mover.join()
    check("what was begun comes back, and the newest", statuses[1] == statuses[5] == 200, statuses)

    # If a page closes its connection during a picture, its work must end.
    with socket.create_connection(("127.0.0.1", viewer.port)) as connection:
        address = f"/picture?token={viewer.token}&size=1600x900&spp=256"
        connection.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        time.sleep(0.3)
    status = viewer.ask("picture", size="64x36", spp=1)[0]
    check("a page that vanishes leaves no work behind", status == 200, status)
    idle = [socket.create_connection(("127.0.0.1", viewer.port)) for _ in range(30)]
    check("thirty idle connections hold up nobody", viewer.ask("facts")[0] == 200)
    for connection in idle:
        connection.close()


def takes_files(viewer):
    with open(os.path.join(source, "scenes", "cornell-box.obj"), "rb") as file:
        mesh = file.read()
    with open(os.path.join(source, "scenes", "cornell-box.mtl"), "rb") as file:
        materials = file.read()
    for name in ("../outside.obj", "/etc/outside.obj", "a/../../b.obj", "", "folder/", "a\nb.obj"):
        status, _, why = viewer.ask("file", mesh, name=name)
        check(f"a file called {name!r} is refused", status == 400, status, why)
    much = bytes(30_000_000)
    status, _, why = viewer.raw("POST", "/file?name=a.obj&token=wrong", much)
    check("who sends much without the token is told so", status == 403 and b"token" in why, why)
    status, _, why = viewer.ask("file", much, name="../outside.obj")
    check("and who may not send it", status == 400 and b"outside.obj" in why, why)
    outside = os.path.join(source, "scenes", "cornell-box.obj").encode()
    viewer.ask("file", b'{"meshes": ["%s"]}' % outside, name="s.json", first=1)
    status, _, why = viewer.ask("open", b"")
    check("a sent scene can't read other files", status == 400 and b"outside" in why, status, why)
    viewer.ask("file", b"v 0 0 0\nv 1 0 x\nf 1 2 3\n", name="sub/bad.obj", first=1)
    status, _, why = viewer.ask("open", b"")
    check(
        "an error names file and line, and no temporary folder",
        status == 400 and why.startswith(b"sub/bad.obj") and b"/tmp" not in why,
        status,
        why,
    )
    viewer.ask("file", b"hello", name="readme.txt", first=1)
    status, _, why = viewer.ask("open", b"")
    check("files that are no scene are refused", status == 400 and b".obj" in why, why)
    check("the scene before is still shown", viewer.json("facts")["name"] == "cornell-box")
    viewer.ask("file", mesh, name="box/cornell-box.obj", first=1)
    viewer.ask("file", materials, name="box/cornell-box.mtl")
    facts = viewer.json("open", b"")
    check("files that were sent are shown", facts["triangles"] == 32, facts["triangles"])
    check("a picture of them is drawn", viewer.ask("picture", **SMALL)[0] == 200)
    taken = viewer.json("take", **SMALL)
    for what in ("command", "scene", "case"):
        check(f"they have no {what} to take along", "why_not" in taken[what], taken[what])
    check("nobody is told the temporary folder", "/tmp" not in json.dumps(viewer.json("facts")))

    # Each page has its own upload. A page that draws is told when another page opens a scene.
    before = told(viewer.ask("picture", **SMALL))["scene"]
    blob = read(os.path.join(source, "scenes", "blob.obj"))
    viewer.ask("file", mesh, name="mine.obj", page="one", first=1)
    viewer.ask("file", blob, name="theirs.obj", page="two", first=1)
    check.same(
        "a page opens what it has sent", viewer.json("open", b"", page="one")["name"], "mine"
    )
    after = told(viewer.ask("picture", **SMALL))["scene"]
    check("pictures tell of another scene", after > before, before, after)
    viewer.json("open", b"", page="two")

    # Several connections upload files at once, begin again, and open them in between.
    def send(number):
        for i in range(12):
            parameters = {"name": f"{number}-{i}.obj", "page": "many"}
            if i % 5 == number % 5:
                parameters["first"] = 1
            viewer.ask("file", mesh * 50, **parameters)
            if i % 4 == 3:
                viewer.ask("open", b"", page="many")

    senders = [threading.Thread(target=send, args=(number,)) for number in range(5)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    check("many senders at once do no harm", viewer.ask("facts")[0] == 200)

    deep = b'{"meshes":' + b"[" * 1000000 + b"]" * 1000000 + b"}"
    viewer.ask("file", deep, name="deep.json", first=1)
    status, _, why = viewer.ask("open", b"")
    check("a scene file without bottom is refused", status == 400 and b"deep" in why, status, why)


def moving_scene():
    with open("moving.json", "w") as file:
        path = os.path.join(source, "scenes", "cornell-box.obj")
        keyframes = [{"frame": 0, "rotate_y": 0}, {"frame": 12, "rotate_y": 90}]
        mesh = {"file": path, "keyframes": keyframes}
        json.dump({"meshes": [mesh], "camera": {"eye": [0, 1, 4], "look_at": [0, 1, 0]}}, file)
    with Viewer(program, "moving.json") as viewer:
        check.same("the last frame is known", viewer.json("facts")["last_frame"], 12)
        pictures = {}
        for frame in (0, 7, 12, 7) if thorough else (0, 7):
            _, _, picture = viewer.ask("picture", frame=frame, **SMALL)
            check(
                f"frame {frame} is the same each time",
                pictures.setdefault(frame, picture) == picture,
            )
            words = f"{program} render moving.json --size {SIZE} --spp 2 "
            words += f"--frames {frame}..{frame} -o f%d.png"
            subprocess.run(shlex.split(words), capture_output=True, check=True)
            check(f"frame {frame} has the bytes of render", read(f"f{frame}.png") == picture)
            taken = viewer.json("take", frame=frame, **SMALL)
            name = f"view-{frame}.png" if frame else "view.png"
            check("so has its command", rendered(taken["command"]["text"], name) == picture)
            check("its scene file shows frame 0 only", ("why_not" in taken["scene"]) == (frame > 0))


def first_camera_sees_all_frames():
    with open("slides.json", "w") as file:
        path = os.path.join(source, "scenes", "blob.obj")
        keyframes = [{"frame": 0, "translate": [0, 0, 0]}, {"frame": 9, "translate": [9, 0, 0]}]
        json.dump({"meshes": [{"file": path, "keyframes": keyframes}]}, file)
    distances = []
    for words in ([], ["--time", "0"]):
        with Viewer(program, "slides.json", *words) as viewer:
            start = viewer.json("facts")["camera"]
            distances.append(math.dist(start["eye"], start["look_at"]))
    check("the page begins with a camera that sees all frames", distances[0] > 2 * distances[1])
    with Viewer(program, "slides.json", "--eye", "0,0,30") as viewer:
        check.same("unless one is given", viewer.json("facts")["camera"]["eye"], [0, 0, 30])


def another_tree():
    with Viewer(program, cornell, "--layout", "bvh2", "--build", "sbvh") as viewer:
        view = {"shade": "visits", **SMALL}
        _, _, picture = viewer.ask("picture", **view)
        taken = viewer.json("take", **view)
        check(
            "the command states the tree of the program",
            rendered(taken["command"]["text"]) == picture,
            taken["command"],
        )
        check("a case can't", "why_not" in taken["case"], taken["case"])
    other = {"up": "0.5,1,0", **SMALL}
    with Viewer(program, cornell) as viewer:
        command = viewer.json("take", **other)["command"]["text"]
        _, _, picture = viewer.ask("picture", **other)
        check(
            "a command states a camera with an up of its own as a pose",
            "--pose" in command and rendered(command) == picture,
            command,
        )


def first_view(viewer):
    """Returns the parameters of the page's first request, which has no projection. The size is
    that of the matrices below. It is small, because each camera is drawn five times."""
    camera = viewer.json("facts")["camera"]
    view = {name: ",".join(map(repr, camera[name])) for name in ("eye", "look_at", "up")}
    if camera["lens"] > 0:
        view.update(lens=camera["lens"], focus=camera["focus"])
    return {**view, "fov": camera["fov"], "size": "48x27", "spp": 2}


def given_cameras():
    pose = "0.8,0,0.6,-2.2,0,-1,0,1,0.6,0,-0.8,3"
    flat = ["--intrinsics", "30.75,29.625,20.25,15.5", "--size", "48x27"]
    lens = ["--lens", "0.2"]
    cameras = [
        flat,
        [*flat, "--pose", pose, *lens],
        [*flat, "--distortion", "-0.21,0.06,0.001,0.002"],
        ["--projection", "fisheye", "--eye", "0,1,2.5", "--look-at", "0,1,0"],
        ["--projection", "panorama", "--pose", pose, "--up", "0,1,0.25"],
        [*flat, "--projection", "fisheye", "--distortion", "0.01,0.002", "--pose", pose],
    ]
    for words in cameras if thorough else cameras[-1:]:
        with Viewer(program, cornell, *words) as viewer:
            view = first_view(viewer)
            _, _, picture = viewer.ask("picture", **view)
            given = f"ballotcast render {cornell} {shlex.join(words)} --spp 2 -o view.png"
            given += "" if "--size" in words else " --size 48x27"
            check(f"the page begins with {words}", rendered(given) == picture, given, view)
            command = viewer.json("take", **view)["command"]["text"]
            check("its command draws that", rendered(command) == picture, command)
            view["eye"] = "0.1,1.2,2.9"
            command = viewer.json("take", **view)["command"]["text"]
            _, _, picture = viewer.ask("picture", **view)
            check("also from elsewhere", rendered(command) == picture, command)


def cameras_of_files():
    frame = {"transform_matrix": [[1, 0, 0, 0.1], [0, 1, 0, 1], [0, 0, 1, 3], [0, 0, 0, 1]]}
    frames = [{**frame, "file_path": f"pictures/{name}.png"} for name in ("first", "second")]
    frames[1]["fl_x"] = 20
    cameras = {"fl_x": 35, "fl_y": 35.5, "cx": 20, "cy": 15, "w": 48, "h": 27, "k1": 0.1}
    with open("transforms.json", "w") as file:
        json.dump({**cameras, "frames": frames}, file)
    for words, name in (([], "first"), (["--camera", "second"], "second")):
        with Viewer(program, cornell, "--cameras", "transforms.json", *words) as viewer:
            _, _, picture = viewer.ask("picture", **first_view(viewer))
            command = f"ballotcast render {cornell} --cameras transforms.json --camera {name}"
            command += " --spp 2 -o view.png"
            check(f"the page begins with camera {name}", rendered(command) == picture, command)


def scene_at_a_time():
    with Viewer(program, "moving.json", "--time", "0.25") as viewer:
        check.same("at a time there is nothing to play", viewer.json("facts")["last_frame"], 0)
        _, _, picture = viewer.ask("picture", **SMALL)
        command = viewer.json("take", **SMALL)["command"]["text"]
        check("its command states the time", "--time 0.25" in command, command)
        check("and draws that", rendered(command) == picture, command)


def ends(viewer):
    code, out, errors = viewer.end()
    check("Ctrl-C ends it with exit code 0", code == 0, code, errors)
    check("it says so", "has ended" in out, out)
    check("a suite to be made is named", "suite.json does not exist yet" in errors, errors)
    with Viewer(program) as other:
        other.ask("stop", b"")
        check.same("a page can end it", other.process.wait(20), 0)
    with Viewer(program) as other:
        slow = in_background(other, **LARGE)
        time.sleep(0.5)
        code, _, _ = other.end()
        check.same("also in mid-picture", code, 0)
        slow.join(20)
        words = [program, "view", "--no-open", "--port", str(other.port)]
        with Viewer(program, "--port", str(other.port)):
            taken = subprocess.run(words, capture_output=True, text=True)
            check(
                "a port that is in use is named",
                taken.returncode == 2 and str(other.port) in taken.stderr,
                taken.stderr,
            )


with Viewer(program, cornell, "--suite", "suite.json") as viewer:
    draws_what_render_draws(viewer)
    moving_pictures(viewer)
    two_choices(viewer)
    looks_inside(viewer)
    takes_along(viewer)
    keeps_others_out(viewer)
    refuses_nonsense(viewer)
    survives_anything(viewer)
    several_pages(viewer)
    takes_files(viewer)
    ends(viewer)
moving_scene()
first_camera_sees_all_frames()
another_tree()
given_cameras()
cameras_of_files()
scene_at_a_time()
for words, code in [
    (["--camera", "a"], 2),
    (["--size", "9x9"], 2),
    (["--cameras", "transforms.json", "--eye", "1,2,3"], 2),
    (["--cameras", "transforms.json", "--camera", "third"], 2),
    (["--intrinsics", "9,9,4,4", "--fov", "40"], 2),
    (["no.obj"], 3),
    (["--port", "99999"], 2),
    (["--bind", "nowhere"], 2),
]:
    got = subprocess.run([program, "view", "--no-open", *words], capture_output=True, text=True)
    check.same(f"view {' '.join(words)}: exit code {code}", got.returncode, code)
folder.cleanup()
check.finish()
