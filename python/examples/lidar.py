"""A spinning lidar on a street with moving cars. Each moment is a world of its own."""

import ballotcast as bc
import numpy as np

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
SIDES = [[int(c) for c in side] for side in "013 032 467 475 045 051 237 276 026 064 157 173".split()]
box = bc.Scene(CUBE, SIDES)

def at(low, size):
    return np.column_stack([np.diag(size), low])

still = [at([-60, -20, -0.1], [120, 40, 0.1])]  # the ground, then houses on both sides
still += [at([x, side, 0], [8, 6, 7]) for x in range(-60, 60, 10) for side in (-16, 10)]
moments, placed = 4, []
for world in range(moments):
    cars = [at([start + 3 * world, -3, 0], [4.5, 1.9, 1.5]) for start in (-30, -8, 6, 25)]
    placed += [bc.Instance(0, transform, world) for transform in still + cars]
street = bc.Scene.from_instances([box], placed)

around, up = np.meshgrid(np.linspace(0, 2 * np.pi, 2000), np.radians(np.linspace(-25, 5, 32)))
ways = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], -1)
hits = street.cast([0, 0, 2], ways, world=np.arange(moments).reshape(-1, 1, 1))

picture = np.zeros((moments, 80, 240, 3), np.uint8)  # seen from above, two pixels per metre
for world, points in enumerate(hits.point[w][hits.hit[w]] for w in range(moments)):
    x, y = ((points[:, :2] + [60, 20]) * 2).astype(int).clip(0, [239, 79]).T
    picture[world, 79 - y, x] = np.stack([55 + 25 * points[:, 2], *[200 + 0 * x] * 2], -1).clip(0, 255)
bc.write_png("lidar.png", picture.reshape(-1, 240, 3))
