"""Ambient occlusion, baked once per vertex and then shown by any camera."""

import ballotcast as bc
import numpy as np

n = 110  # a sheet with waves, and a bowl in its middle
x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
z = 0.06 * np.sin(9 * x) * np.cos(7 * y) - 0.5 * np.exp(-12 * (x**2 + y**2))
vertices = np.stack([x, y, z], -1).reshape(-1, 3)
i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
faces = np.concatenate([np.stack([i, i + 1, i + n + 1], 1), np.stack([i, i + n + 1, i + n], 1)])
scene = bc.Scene(vertices, faces)

slope_y, slope_x = np.gradient(z, 2 / (n - 1))
normals = np.stack([-slope_x, -slope_y, np.ones_like(z)], -1).reshape(-1, 3)
normals /= np.linalg.norm(normals, axis=1, keepdims=True)
ball = np.random.default_rng(1).normal(size=(128, 3))
ball /= np.linalg.norm(ball, axis=1, keepdims=True)
ways = normals[:, None] + 0.999 * ball  # directions, cosine-distributed about the normal
baked = 1 - scene.any(vertices[:, None] + 1e-4 * normals[:, None], ways).mean(axis=1)

across, down = np.meshgrid(np.linspace(-0.5, 0.5, 320), np.linspace(0.375, -0.375, 240))
view = scene.cast([0, -2.2, 1.6], np.stack([across, 0.8 + 0.6 * down, 0.8 * down - 0.6], -1))
a, b, c = np.moveaxis(baked[faces[view.triangle]], -1, 0)
shade = np.where(view.hit, a + view.uv[..., 0] * (b - a) + view.uv[..., 1] * (c - a), 0.1)
bc.write_png("ambient_occlusion.png", np.repeat((255 * shade).astype(np.uint8)[..., None], 3, -1))
