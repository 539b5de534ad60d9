"""A slice through the signed distance field of a mesh: red inside, blue outside, with contour
lines."""

import ballotcast as bc
import numpy as np

rings, sides = 96, 48  # a knotted tube
t = np.linspace(0, 2 * np.pi, rings, endpoint=False)[:, None]
middle = np.concatenate([(2 + np.cos(3 * t)) * np.cos(2 * t), (2 + np.cos(3 * t)) * np.sin(2 * t), np.sin(3 * t)], 1)
along = np.roll(middle, -1, 0) - np.roll(middle, 1, 0)
out = np.cross(along, [0.3, 0.2, 1])
out /= np.linalg.norm(out, axis=1, keepdims=True)
over = np.cross(along / np.linalg.norm(along, axis=1, keepdims=True), out)
a = np.linspace(0, 2 * np.pi, sides, endpoint=False)[:, None]
vertices = middle[:, None] + 0.45 * (np.cos(a) * out[:, None] + np.sin(a) * over[:, None])
i, j = np.mgrid[0:rings, 0:sides]
corner = lambda di, dj: ((i + di) % rings * sides + (j + dj) % sides).ravel()
faces = np.concatenate([np.stack([corner(0, 0), corner(1, 0), corner(1, 1)], 1),
                        np.stack([corner(0, 0), corner(1, 1), corner(0, 1)], 1)])
scene = bc.Scene(vertices.reshape(-1, 3), faces)

x, y = np.meshgrid(np.linspace(-4, 4, 240), np.linspace(4, -4, 240))
distance = scene.signed_distance(np.stack([x, y, np.full_like(x, 0.2)], -1))
line = 0.75 + 0.25 * np.cos(2 * np.pi * distance / 0.25)
red = np.where(distance < 0, 255, 255 * np.exp(-distance)) * line
blue = np.where(distance < 0, 255 * np.exp(3 * distance), 255) * line
bc.write_png("sdf_slice.png", np.stack([red, np.minimum(red, blue), blue], -1).astype(np.uint8))
