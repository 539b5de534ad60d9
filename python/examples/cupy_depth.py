"""Rays in a CuPy kernel of your own: a ray per thread, and a shadow ray from its hit to a lamp."""

import ballotcast as bc
import numpy as np

try:
    import cupy

    cupy.cuda.runtime.getDeviceCount()
except Exception as error:
    raise SystemExit(f"cupy_depth: needs an NVIDIA GPU, and CuPy for it (pip install cupy-cuda12x): {error}") from error
x, z = np.mgrid[-1:1:65j, -1:1:65j]
waves = np.stack([x, 0.2 * np.sin(7 * x) * np.cos(5 * z), z], -1).reshape(-1, 3)
i = np.arange(65 * 65).reshape(65, 65)
a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[:-1, 1:], i[1:, :-1], i[1:, 1:]))
scene = bc.Scene(waves, np.concatenate([np.stack([a, b, c], -1), np.stack([b, d, c], -1)]))
kernel = bc.device_header() + r"""
using namespace ballotcast;
extern "C" __global__ void look(device::PlainView scene, float* seen) {
  const float x = threadIdx.x / 80.0f - 1, y = blockIdx.x / 80.0f - 1;
  const Hit hit = device::closest(scene, Ray{{0, 1, -2}, 0, {x / 2, -y / 2 - 0.5f, 1}, 1e30f});
  const Vec3f at{x / 2 * hit.t, 1 - (y / 2 + 0.5f) * hit.t, hit.t - 2};
  const Ray to_lamp{at, 0, {2 - at.x, 1 - at.y, -at.z}, 1};
  const float light = device::any(scene, to_lamp, device::SkipTriangle{hit.triangle}) ? 0.5f : 1.0f;
  seen[blockIdx.x * 160 + threadIdx.x] = hit.found() ? (1.2f - hit.t / 4) * light : 0;
}"""
seen = cupy.zeros((160, 160), np.float32)
cupy.RawModule(code=kernel, options=("--std=c++17",)).get_function("look")((160,), (160,), (scene.device_view(plain=True), seen))
bc.write_png("cupy_depth.png", np.repeat((255 * seen.get().clip(0, 1)).astype(np.uint8)[..., None], 3, 2))
