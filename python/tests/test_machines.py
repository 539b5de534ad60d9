"""Tests casts on several devices, machines, threads and processes."""

import pickle
import threading
import warnings

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES, sheet


def test_devices_give_the_same_bits():
    points, faces = sheet()
    rng = np.random.default_rng(3)
    origins, directions = rng.normal(size=(3000, 3)), rng.normal(size=(3000, 3))
    raws = [
        bc.Scene(points, faces, device=device, build=build).cast(origins, directions).raw
        for device in ("cpu", "emulated")
        for build in ("fast", "balanced")
    ]
    assert np.isfinite(raws[0]["t"]).sum() > 300
    for raw in raws[1:]:
        assert raw.tobytes() == raws[0].tobytes()


@pytest.mark.parametrize("device", ["cpu", "emulated", "cpu+emulated"])
def test_a_scene_in_parts(device, tmp_path):
    points, faces = sheet()
    random = np.random.default_rng(4)
    rays = random.normal(size=(2000, 3)), random.normal(size=(2000, 3))
    whole = bc.Scene(points, faces, device="cpu")
    expected = whole.cast(*rays).raw, whole.any(*rays), whole.count(*rays), whole.all(*rays).raw
    half = faces[: len(faces) // 2]
    (tmp_path / "sheet.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in points)
        + "".join(f"f {a} {b} {c}\n" for a, b, c in faces + 1)
    )
    for scene in (
        bc.Scene(points, faces, device=device, partition=3),
        bc.Scene(points, faces, device=device, partition="auto", max_memory=1 << 20),
        bc.Scene.from_meshes(
            [(points, half), (points, faces[len(half) :])], device=device, partition=2
        ),
        bc.load(tmp_path / "sheet.obj", device=device, partition=2),
        pickle.loads(pickle.dumps(bc.Scene(points, faces, device=device, partition=3))),
    ):
        got = scene.cast(*rays).raw, scene.any(*rays), scene.count(*rays), scene.all(*rays).raw
        for one, wanted in zip(got, expected):
            np.testing.assert_array_equal(one, wanted)


def test_a_scene_that_is_too_large_says_what_helps():
    points, faces = sheet()
    scene = bc.Scene(points, faces, device="cpu", max_memory=1000)
    with pytest.raises(bc.OutOfDeviceMemory, match="smallest sufficient budget"):
        scene.cast([0, 0, 5], [0, 0, -1])


def test_threads_share_a_scene():
    points, faces = sheet()
    scene = bc.Scene(points, faces)
    rng = np.random.default_rng(5)
    rays = [(rng.normal(size=(2000, 3)), rng.normal(size=(2000, 3))) for _ in range(8)]
    expected = [scene.cast(*r).raw.tobytes() for r in rays]
    got = [b""] * 8

    def work(i):
        for _ in range(5):
            got[i] = scene.cast(*rays[i]).raw.tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == expected


def test_a_process_that_forks_gets_an_answer():
    import multiprocessing

    points, faces = sheet()
    scene = bc.Scene(points, faces, device="cpu")
    rng = np.random.default_rng(6)
    origins, directions = rng.normal(size=(20000, 3)), rng.normal(size=(20000, 3))
    expected = scene.cast(origins, directions).raw.tobytes()

    def child(pipe):
        here = scene.cast(origins, directions).raw.tobytes()
        new = bc.Scene(points, faces, device="cpu").cast(origins, directions).raw.tobytes()
        pipe.send((here == expected, new == expected))

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(False)
    process = context.Process(target=child, args=(there,))
    process.start()
    assert here.poll(60), "the forked process hangs"
    assert here.recv() == (True, True)
    process.join(10)
    assert process.exitcode == 0


def test_machines_that_share_the_work_find_the_same() -> None:
    rays = np.random.default_rng(5).normal(size=(3000, 6)).astype(np.float32)
    alone = bc.Scene(CORNERS, FACES, device="cpu").cast(rays[:, :3], rays[:, 3:])
    scene = bc.Scene(CORNERS, FACES, device="cpu+emulated:0,1")
    several = scene.cast(rays[:, :3], rays[:, 3:])
    assert scene.device == "cpu+emulated:0+emulated:1"
    for name in ("t", "triangle"):
        assert np.array_equal(getattr(alone, name), getattr(several, name), equal_nan=True)


def test_machines_that_must_not_fail(tmp_path):
    file = tmp_path / "corners.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = bc.Scene(CORNERS, FACES, device="cpu")
    strict = {"device": "emulated:0,1", "strict_devices": True}
    for scene in (
        bc.Scene(CORNERS, FACES, **strict),
        bc.Scene.from_meshes([(CORNERS, FACES)], **strict),
        bc.Scene.from_instances([mesh], [(0, None)], **strict),
        bc.load(file, **strict),
    ):
        again = pickle.loads(pickle.dumps(scene))
        for one in (scene, again):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert one.cast([0.2, 0.2, 1], [0, 0, -1]).hit
