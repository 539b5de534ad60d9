"""Tests that Ctrl-C, and exceptions from other handlers of signals, end long calls, and that the
scene stays usable."""

import os
import signal
import subprocess
import sys
import threading
import time

import ballotcast as bc
import numpy as np
import pytest
from ballotcast._hits import HIT
from shapes import sheet

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals need the main thread"
)


class Interrupt(Exception):
    pass


class Interrupted:
    """A context whose body must be ended by a signal soon after the signal has arrived."""

    def __init__(self, after):
        self.after = after
        self.came = 0.0

    def __enter__(self):
        def handler(number, frame):
            self.came = time.perf_counter()
            raise Interrupt

        self.before = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, self.after)

    def __exit__(self, kind, value, traceback):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)
        assert kind is not None, "the call was too quick for this test"
        # The handler runs when the call checks for signals; then the call's threads have to stop.
        if kind is Interrupt:
            assert time.perf_counter() - self.came < 0.5
        return kind is Interrupt


@pytest.fixture(scope="module")
def large():
    return sheet(500)


@pytest.fixture(scope="module")
def rays():
    rng = np.random.default_rng(8)
    return rng.uniform(-1, 1, size=(6_000_000, 3)), rng.normal(size=(6_000_000, 3))


def hits_of(scene):
    rng = np.random.default_rng(9)
    return scene.cast(rng.normal(size=(4000, 3)), rng.normal(size=(4000, 3))).raw.tobytes()


@pytest.fixture(scope="module")
def expected(large):
    return hits_of(bc.Scene(*large, device="cpu"))


@pytest.mark.parametrize("call", ["cast", "any", "count", "all", "closest_point", "contains"])
def test_casts(large, rays, expected, call):
    scene = bc.Scene(*large, device="cpu", build="fast")
    assert scene.device == "cpu"
    with Interrupted(0.2):
        # Repeats the call many times, in case the machine is fast.
        for _ in range(20):
            getattr(scene, call)(*(rays if call in ("cast", "any", "count", "all") else rays[:1]))
    assert hits_of(scene) == expected


@pytest.mark.parametrize("call", ["winding_number", "contains"])
def test_winding_numbers(large, expected, call):
    scene = bc.Scene(*large, device="cpu", build="fast")
    points = np.random.default_rng(1).uniform(-1, 1, (20_000, 3))
    words = {"rule": "winding"} if call == "contains" else {}
    for after in (0.05, 0.5):  # at 0.05 s the tree may still be in construction
        with Interrupted(after):
            getattr(scene, call)(points, **words)
    assert hits_of(scene) == expected


def test_a_cast_on_the_emulated_device(rays):
    scene = bc.Scene(*sheet(40), device="emulated")
    assert scene.device == "emulated"
    before = hits_of(scene)
    with Interrupted(0.3):
        scene.cast(*rays)
    assert hits_of(scene) == before


@pytest.mark.parametrize("moves", [False, True])
def test_building_a_tree(large, expected, moves):
    scene = bc.Scene(*large, device="cpu", build="best", moves=moves)
    with Interrupted(0.1):
        scene.cast([0, 0, 1], [0, 0, -1])
    assert hits_of(scene) == expected
    moved = bc.Scene(*large, device="cpu", build="best", moves=True)
    with Interrupted(0.1):
        moved.set_vertices(large[0] + 1.0)
    assert hits_of(moved) == expected, "it has not moved"


@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("after", [0.05, 0.4])
def test_pictures(device, after):
    scene = bc.Scene(*sheet(40), device=device)
    before = scene.render(40, 30, samples=4).tobytes()
    with Interrupted(after):
        scene.render(1280, 720, samples=4096)
    assert scene.render(40, 30, samples=4).tobytes() == before


def test_loading(large, tmp_path):
    points, faces = large
    with open(tmp_path / "large.obj", "w") as file:
        np.savetxt(file, points, "v %.6f %.6f %.6f")
        np.savetxt(file, faces + 1, "f %d %d %d")
    with Interrupted(0.06):
        for _ in range(100):
            bc.load(tmp_path / "large.obj")
    assert bc.load(tmp_path / "large.obj").triangle_count == len(faces)


def test_a_handler_that_returns_ends_nothing(expected, large):
    scene = bc.Scene(*large, device="cpu", build="best")
    told = []

    def handler(number, frame):
        try:
            scene.cast([0, 0, 1], [0, 0, -1])
        except bc.Error as error:
            told.append(str(error))

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        assert scene.device == "cpu"  # builds the tree, which would take longer
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(told) == 1 and "in use by the call" in told[0]
    assert hits_of(scene) == expected


def test_other_threads_go_on(large, expected):
    """Only the main thread receives signals. If a signal ends its cast, casts of other threads
    go on."""
    scene, other = bc.Scene(*sheet(40), device="cpu"), bc.Scene(*large, device="cpu", build="fast")
    got = []
    thread = threading.Thread(target=lambda: got.extend(hits_of(other) for _ in range(30)))
    thread.start()
    with Interrupted(0.2):
        scene.render(1280, 720, samples=4096)
    thread.join()
    assert got == [expected] * 30


@pytest.mark.parametrize("part", ["part", "triangle"])
def test_other_threads_go_on_while_hits_are_located(part):
    several = bc.Scene.from_meshes([sheet(4)] * 50, device="cpu")
    raw = np.zeros(8_000_000, HIT)
    raw["id"] = np.arange(raw.size) % several.triangle_count
    hits = bc.Hits(several, raw.shape, raw)
    ticks = 0
    stop = threading.Event()

    def tick():
        nonlocal ticks
        while not stop.is_set():
            time.sleep(0.001)
            ticks += 1

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=tick)
    thread.start()
    sys.setswitchinterval(10.0)  # the other thread runs only when this thread lets it
    try:
        during = 0
        for _ in range(20):
            before = ticks
            getattr(hits, part)
            during += ticks - before
        assert during > 0
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()


def test_ctrl_c(tmp_path):
    code = """if True:
        import signal
        import ballotcast as bc
        # A shell's job in the background ignores Ctrl-C, and so do the processes below it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        scene = bc.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], device="cpu")
        print("ready", flush=True)
        try:
            scene.render(1920, 1080, samples=60000)
        except KeyboardInterrupt:
            print("interrupted,", scene.render(4, 4).shape)
    """
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    came = time.perf_counter()
    os.kill(process.pid, signal.SIGINT)
    assert process.stdout.readline() == "interrupted, (4, 4, 3)\n"
    assert time.perf_counter() - came < 2.0
    assert process.wait(20) == 0


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_a_fork_while_another_thread_casts(device):
    """The child process has none of the other threads, and must not wait for locks that they
    held."""
    points, faces = sheet(40)
    scene = bc.Scene(points, faces, device=device)
    rng = np.random.default_rng(3)
    many, way = rng.uniform(-1, 1, (400_000, 3)) + [0, 0, 2], np.array([0, 0, -1.0])
    some = many[:30_000]
    expected = scene.cast(some, way).triangle.tobytes()
    stop = threading.Event()

    def cast():
        while not stop.is_set():
            scene.cast(many, way)

    thread = threading.Thread(target=cast)
    thread.start()
    try:
        for _ in range(5):
            time.sleep(0.05)
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                new = bc.Scene(points, faces, device=device)
                right = all(s.cast(some, way).triangle.tobytes() == expected for s in (scene, new))
                os._exit(0 if right and scene.render(8, 8, samples=1).any() else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()


def test_a_fork_while_another_thread_moves_the_scene():
    points, faces = sheet(150)
    scene = bc.Scene(points, faces, device="cpu", build="fast", moves=True)
    scene.cast([0.1, 0.1, 9], [0, 0, -1])
    stop = threading.Event()

    def move():
        while not stop.is_set():
            scene.refit(points)

    def told_by_child():
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                scene.cast([0.1, 0.1, 9], [0, 0, -1])
            except bc.Error as error:
                os._exit(3 if "while another thread moved the scene" in str(error) else 1)
            os._exit(0)  # the fork happened between two moves
        return os.WEXITSTATUS(os.waitpid(child, 0)[1])

    thread = threading.Thread(target=move)
    thread.start()
    try:
        told = set()
        for _ in range(100):
            told.add(told_by_child())
            if 3 in told:
                break
    finally:
        stop.set()
        thread.join()
    assert 3 in told and told <= {0, 3}
