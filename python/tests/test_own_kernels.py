"""Tests the header for the caller's own kernels, and views of scenes for them."""

import ballotcast as bc
import numpy as np
import pytest
from test_gpu import cupy_with_gpu

CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
KERNELS = r"""
using namespace ballotcast;
template <class View>
__device__ void cast(const View& scene, const float* rays, unsigned* triangles, float* t, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float* r = rays + 6 * i;
  const Hit hit = device::closest(scene, Ray{{r[0], r[1], r[2]}, 0.0f, {r[3], r[4], r[5]}, 1e30f});
  triangles[i] = hit.triangle;
  t[i] = hit.t;
}
extern "C" __global__ void plain(device::PlainView scene, const float* rays, unsigned* triangles,
                                 float* t, int count) { cast(scene, rays, triangles, t, count); }
extern "C" __global__ void whole(device::SceneView scene, const float* rays, unsigned* triangles,
                                 float* t, int count) { cast(scene, rays, triangles, t, count); }
extern "C" __global__ void shapes(device::ShapesView scene, const float* rays, unsigned* triangles,
                                  float* t, int count) { cast(scene, rays, triangles, t, count); }
"""


def test_the_header_is_one_text_that_includes_nothing_at_run_time():
    header = bc.device_header()
    at_run_time, otherwise = header.rsplit("\n#else\n", 1)
    includes = [line for line in at_run_time.splitlines() if line.startswith("#include")]
    assert not includes
    assert "namespace ballotcast::device" in at_run_time
    assert otherwise.splitlines()[0] == '#include "ballotcast/device.hpp"'


def test_a_view_needs_a_gpu():
    scene = bc.Scene(CORNERS, FACES, device="cpu")
    with pytest.raises(ValueError, match="GPU memory"):
        scene.device_view()


def test_a_view_for_a_host_needs_none():
    tetrahedron = bc.Scene(CORNERS, FACES, device="cpu")
    assert tetrahedron.host_view().shape == tetrahedron.host_view(plain=True).shape == (1,)
    instances = bc.Scene.from_instances([tetrahedron], [(0, np.eye(4))], device="cpu")
    assert len(instances.host_view().tobytes()) == len(tetrahedron.host_view().tobytes())
    with pytest.raises(bc.UsageError, match="PlainView"):
        instances.host_view(plain=True)
    ball = bc.shape("sphere", 1, device="cpu")
    assert ball.host_view(shapes=True).shape == tetrahedron.host_view(shapes=True).shape == (1,)
    with pytest.raises(bc.UsageError, match="use a ShapesView"):
        ball.host_view()


def test_kernels_find_the_hits_of_casts():
    cupy = cupy_with_gpu()
    random = np.random.default_rng(1)
    rays = random.normal(size=(5000, 6)).astype(np.float32)
    module = cupy.RawModule(code=bc.device_header() + KERNELS, options=("--std=c++17",))
    tetrahedron = bc.Scene(CORNERS, FACES)
    instances = bc.Scene.from_instances([tetrahedron], [(0, np.eye(4)), (0, 2 * np.eye(4))])
    mixed = bc.Scene.from_instances(
        [tetrahedron, bc.shape("capsule", [0.3, 0.5])], [(0, np.eye(4)), (1, 2 * np.eye(4))]
    )
    for name, scene in [
        ("plain", tetrahedron),
        ("whole", tetrahedron),
        ("whole", instances),
        ("shapes", instances),
        ("shapes", mixed),
    ]:
        triangles, t = cupy.empty(5000, np.uint32), cupy.empty(5000, np.float32)
        view = scene.device_view(plain=name == "plain", shapes=name == "shapes")
        module.get_function(name)((40,), (128,), (view, cupy.asarray(rays), triangles, t, 5000))
        hits = scene.cast(rays)
        assert np.array_equal(triangles.get(), hits.id.astype(np.uint32))
        assert np.array_equal(t.get()[hits.hit], hits.t[hits.hit])
    with pytest.raises(bc.UsageError, match="PlainView"):
        instances.device_view(plain=True)
