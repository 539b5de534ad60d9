"""The sky view factor of a town: how much of the sky each place on the ground sees."""

import ballotcast as bc
import numpy as np

rng = np.random.default_rng(7)
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [[int(c) for c in side] for side in "013 032 467 475 045 051 237 276 026 064 157 173".split()]
corners, faces = [], []
for x in range(0, 100, 10):  # a house of random height on each plot, and a square without
    for y in range(0, 100, 10):
        if 30 <= x < 60 and 40 <= y < 70:
            continue
        faces.append(np.array(SIDES) + 8 * len(corners))
        corners.append(CUBE * [6, 6, rng.uniform(4, 25)] + [x + 2, y + 2, 0])
town = bc.Scene(np.concatenate(corners), np.concatenate(faces))

# Directions whose density is the cosine of their angle to the vertical. So the sky view factor is
# the share of rays that hit nothing.
u, v = rng.random((2, 128))
ways = np.stack([np.sqrt(u) * np.cos(2 * np.pi * v), np.sqrt(u) * np.sin(2 * np.pi * v),
                 np.sqrt(1 - u)], -1)
x, y = np.meshgrid(np.linspace(0, 100, 120), np.linspace(100, 0, 120))
ground = np.stack([x, y, np.full_like(x, 0.01)], -1)
factor = 1 - town.any(ground[:, :, None], ways).mean(axis=-1)

shade = (255 * factor).astype(np.uint8)
bc.write_png("sky_view.png", np.stack([shade, shade, 128 + shade // 2], -1))
