"""Tests the arguments of callers: arrays of other libraries, wrong shapes, meshes, names of
files."""

import enum
import inspect
import io
import types
from typing import get_type_hints

import ballotcast as bc
import ballotcast.open3d
import numpy as np
import pytest
from ballotcast import _native
from ballotcast._options import SceneOptions

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
FACES = [[0, 1, 2]]
DOWN = [0, 0, -1]


@pytest.fixture(scope="module")
def scene():
    return bc.Scene(CORNERS, FACES, device="cpu")


class Kind(enum.Enum):
    kDLCPU = 1


class Tensor:
    """Like a tensor of Open3D: supports only DLPack, with an enum as the kind of device."""

    def __init__(self, array):
        self._array = np.asarray(array)

    def __dlpack__(self, **words):
        return self._array.__dlpack__(**words)

    def __dlpack_device__(self):
        return Kind.kDLCPU, 0


class Convertible:
    """An object that has only the method `__array__`."""

    def __init__(self, array):
        self._array = np.asarray(array)

    def __array__(self, dtype=None, copy=None):
        return self._array if dtype is None else self._array.astype(dtype)


@pytest.mark.parametrize("made", [Tensor, Convertible])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tensors_are_rays_and_points_everywhere(made, dtype):
    scene = bc.Scene(made(CORNERS), made(np.array(FACES)), device="cpu", moves=True)
    origins = made(np.array([[0.2, 0.2, 3], [5, 5, 3]], dtype))
    ways = made(np.array([DOWN, DOWN], dtype))
    zero, far = made(np.zeros(2, dtype)), made(np.full(2, 9, dtype))
    np.testing.assert_array_equal(scene.cast(origins, ways, t_min=zero, t_max=far).t, [3, np.inf])
    np.testing.assert_array_equal(scene.any(origins, ways), [True, False])
    np.testing.assert_array_equal(scene.count(origins, ways), [1, 0])
    np.testing.assert_array_equal(scene.all(origins, ways).t, [3])
    np.testing.assert_array_equal(scene.hits_per_triangle(origins, ways), [1])
    np.testing.assert_allclose(scene.distance(origins)[0], 3)
    np.testing.assert_array_equal(scene.contains(origins, world=made(np.zeros(2, int))), [0, 0])
    np.testing.assert_array_equal(scene.winding_number(origins).shape, (2,))
    both = made(np.array([[0.2, 0.2, 3, 0, 0, -1]], dtype))
    np.testing.assert_array_equal(scene.cast(both).t, [3])
    told = scene.explain(made(np.array([0.2, 0.2, 3], dtype)), made(np.array(DOWN, dtype)))
    assert told.hit.t == 3
    scene.set_vertices(made(CORNERS + [0, 0, 1]))
    np.testing.assert_array_equal(scene.cast(origins, ways).t, [2, np.inf])


@pytest.mark.parametrize("name", ["t_min", "t_max", "world"])
@pytest.mark.parametrize("call", ["cast", "any", "count", "all", "hits_per_triangle"])
def test_a_column_of_limits_is_refused(scene, call, name):
    origins = np.full((5, 3), 0.2)
    column = np.zeros((5, 1), int if name == "world" else float)
    with pytest.raises(ValueError, match=rf"{name}: expected a number or a shape \(5,\), got"):
        getattr(scene, call)(origins, DOWN, **{name: column})


def test_limits_that_fit(scene):
    origins = np.full((2, 5, 3), [0.2, 0.2, 1])
    for t_max in (2.0, np.full(5, 2.0), np.full((2, 1), 2), np.full((2, 5), 2.0)):
        assert scene.any(origins, DOWN, t_max=t_max).shape == (2, 5)
    # An array t_max of shape (2,) makes two rays of a single origin and direction.
    hits = scene.any(origins[0, 0], DOWN, t_max=np.array([0.5, 2.0]))
    np.testing.assert_array_equal(hits, [False, True])


def test_rays_of_six_columns(scene):
    rays = np.float32([[0.2, 0.2, 3, 0, 0, -1], [5, 5, 3, 0, 0, -1]])
    for call in ("cast", "any", "count", "all", "hits_per_triangle"):
        one, two = getattr(scene, call)(rays), getattr(scene, call)(rays[:, :3], rays[:, 3:])
        np.testing.assert_array_equal(getattr(one, "raw", one), getattr(two, "raw", two))
    assert scene.cast(rays.reshape(2, 1, 6)).shape == (2, 1)
    assert scene.cast(rays[0].tolist()).t == 3
    with pytest.raises(ValueError, match=r"directions: missing; .* \(..., 6\) .* \(2, 3\)"):
        scene.cast(rays[:, :3])


def test_masked_elements_are_refused(scene):
    points = np.ma.masked_array(np.full((2, 3), 0.2), mask=[[0, 0, 0], [0, 0, 1]])
    for call in (
        lambda: scene.cast(points, DOWN),
        lambda: scene.any(np.zeros((2, 3)), points),
        lambda: scene.count(np.zeros((2, 3)), DOWN, t_max=points[:, 2]),
        lambda: scene.closest_point(points),
        lambda: scene.contains(points),
        lambda: bc.Scene(points, FACES),
        lambda: bc.Scene(CORNERS, np.ma.masked_equal(FACES, 1)),
        lambda: scene.cast([points[0], points[1]], DOWN),
        lambda: scene.contains((points[1],)),
    ):
        with pytest.raises(TypeError, match="masked array"):
            call()
    # A masked array in which no element is masked is accepted.
    assert scene.cast(np.ma.masked_array(np.full((2, 3), 0.2)), DOWN).shape == (2,)


@pytest.mark.parametrize("scale", [1e-38, 1e-30, 1e-13, 1e13, 1e30])
def test_directions_of_any_length_hit(scene, scale):
    """Tests also lengths whose squares are 0 or infinite in float32."""
    origins = np.float32([[0.2, 0.2, 0.5], [5, 5, 0.5], [0.2, 0.2, 0.5]])
    ways = np.float32([[0, 0, -scale], [0, 0, -scale], [0, 0, -1]])
    hits = scene.cast(origins, ways)
    np.testing.assert_array_equal(hits.hit, [True, False, True])
    np.testing.assert_allclose(hits.t, [0.5 / scale, np.inf, 0.5], rtol=1e-6)
    np.testing.assert_array_equal(scene.any(origins, ways), [True, False, True])
    np.testing.assert_array_equal(scene.count(origins, ways), [1, 0, 1])
    np.testing.assert_array_equal(scene.hits_per_triangle(origins, ways), [2])
    np.testing.assert_allclose(scene.all(origins, ways).t, [0.5 / scale, 0.5], rtol=1e-6)
    near = scene.any(origins, ways, t_max=np.float64([0.4, 0.4, 0.4]) / [scale, scale, 1])
    assert not near.any()
    np.testing.assert_allclose(scene.explain(origins[0], ways[0]).hit.t, 0.5 / scale, rtol=1e-6)
    engine = ballotcast.open3d.RaycastingScene()
    engine.add_triangles(np.float32(CORNERS), np.uint32(FACES))
    found = engine.test_occlusions(np.concatenate([origins, ways], axis=1))
    np.testing.assert_array_equal(np.asarray(found), [True, False, True])


def test_hints_for_what_is_no_mesh():
    with pytest.raises(TypeError, match=r"use ballotcast.load\('x.obj'\)"):
        bc.Scene("x.obj")
    with pytest.raises(TypeError, match=r"vertices.reshape\(-1, 3\), .*numpy.arange\(6\)"):
        bc.Scene(np.zeros((2, 3, 3)))
    with pytest.raises(TypeError, match=r"meshes\[0\].reshape\(-1, 3\)"):
        bc.Scene.from_meshes([np.zeros((2, 3, 3))])
    with pytest.raises(TypeError, match=r"path: .* got a SimpleNamespace; .* use Scene\(mesh\)"):
        bc.load(types.SimpleNamespace())
    with pytest.raises(TypeError, match="path: .* got a BytesIO; give its name"):
        bc.load(io.BytesIO())


def test_pictures_are_no_jpeg(tmp_path, scene):
    picture = scene.render(4, 4, samples=1)
    with pytest.raises(ValueError, match=r"only PNG is written, .*x\.jpg"):
        picture.save(tmp_path / "x.jpg")
    assert not list(tmp_path.iterdir())


def test_devices():
    assert {"cpu", "emulated"} <= bc.devices().keys()
    for name in bc.devices():
        assert bc.Scene(CORNERS, FACES, device=name).cast([0.2, 0.2, 1], DOWN).t == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_a_limit_of_threads_changes_no_hit(threads):
    rng = np.random.default_rng(1)
    corners, origins = rng.random((300, 3)), rng.random((50_000, 3))
    faces = np.arange(300).reshape(-1, 3)
    few, all_ = (bc.Scene(corners, faces, device="cpu", threads=n) for n in (threads, None))
    assert few.cast(origins, DOWN).raw.tobytes() == all_.cast(origins, DOWN).raw.tobytes()
    with pytest.raises(ValueError, match="threads: expected an integer from 1"):
        bc.Scene(corners, faces, threads=0)
    with pytest.raises(ValueError, match="threads: expected an integer from 1 to [0-9]+, got 4294"):
        bc.Scene(corners, faces, threads=2**32)


def test_every_setting_of_the_library_is_a_keyword():
    scene_keywords = set(get_type_hints(SceneOptions))
    assert scene_keywords == {*_native.cast_settings(), "moves"}
    shown = inspect.signature(bc.Scene).parameters
    assert (shown["device"].default, shown["build"].default) == ("auto", "balanced")
    assert (shown["partition"].default, shown["block_size"].default) == (1, 256)
    for name in ("max_memory", "threads"):
        assert shown[name].default is None
    for name in ("moves", "strict_devices"):
        assert shown[name].default is False


def test_every_setting_of_pictures_is_a_keyword_with_the_same_default():
    shown = inspect.signature(bc.Scene.render).parameters
    for name, text in _native.picture_settings().items():
        default = shown[name].default
        assert ("" if default is None else str(default)) == text


def test_kernels_and_layout_can_be_chosen_and_change_no_hit():
    plain = bc.Scene(CORNERS, FACES, device="cpu")
    rays = np.array([[0.2, 0.2, 1, 0, 0, -1], [5, 5, 1, 0, 0, -1]])
    expected = plain.cast(rays).raw.tobytes()
    kernels = {"pipeline": "queue", "atomics": "naive", "loop": "host", "block_size": 64}
    in_order = {"device": "emulated", "pipeline": "queue", "order": "lanes"}
    for chosen in ({"layout": "bvh2"}, {"device": "emulated", **kernels}, in_order):
        scene = bc.Scene(CORNERS, FACES, **{"device": "cpu", **chosen})
        assert scene.cast(rays).raw.tobytes() == expected
        assert scene.render(8, 8, samples=1).tobytes() == plain.render(8, 8, samples=1).tobytes()
    with pytest.raises(ValueError, match="pipeline queue can't use atomics none"):
        bc.Scene(CORNERS, FACES, pipeline="queue", atomics="none").cast(rays)
    with pytest.raises(ValueError, match="needs a multiple of 32 from 32 to 1024, not '33'"):
        bc.Scene(CORNERS, FACES, block_size=33)
    with pytest.raises(ValueError, match="unknown layout 'bvh3'"):
        bc.Scene(CORNERS, FACES, layout="bvh3")


MAKERS = [bc.Scene, bc.Scene.from_meshes, bc.Scene.from_instances, bc.load]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_all_that_makes_a_scene_has_the_same_keywords(make, tmp_path):
    shown = inspect.signature(make)
    names = list(get_type_hints(SceneOptions))
    # Keywords of the function itself, such as the time of a scene, come before the shared ones.
    keywords = [p for p in shown.parameters.values() if p.kind is p.KEYWORD_ONLY][-len(names) :]
    assert [p.name for p in keywords] == names
    assert not [p for p in shown.parameters.values() if p.kind is p.VAR_KEYWORD]
    scene = bc.Scene(CORNERS, FACES)
    (tmp_path / "one.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    arguments = {
        bc.Scene: (CORNERS, FACES),
        bc.Scene.from_meshes: ([(CORNERS, FACES)],),
        bc.Scene.from_instances: ([scene], [(0, None)]),
        bc.load: (tmp_path / "one.obj",),
    }[make]
    defaults = {p.name: p.default for p in keywords}
    assert make(*arguments)._options == make(*arguments, **defaults)._options
    made = make(*arguments, device="cpu", build="fast", moves=True, threads=2, max_memory=1 << 30)
    texts = {"device": "cpu", "build": "fast", "moves": "on", "partition": "1"}
    texts.update({"max_memory": str(1 << 30), "threads": "2", "block_size": "256"})
    texts.update(dict.fromkeys(("layout", "pipeline", "atomics", "loop", "order"), "auto"))
    assert made._options == texts
    with pytest.raises(TypeError, match="unexpected keyword argument 'devise'; known are .*device"):
        make(*arguments, devise="cpu")
