"""A depth camera that watches a robot's hand close: the fingers are instances that move."""

import ballotcast as bc
import numpy as np

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (0, 1) for z in (-0.5, 0.5)])
SIDES = [[int(c) for c in side] for side in "013 032 467 475 045 051 237 276 026 064 157 173".split()]
bone = bc.Scene(CUBE, SIDES)

def moved(x=0.0, y=0.0, turn=0.0, size=(1.0, 1.0, 1.0)):
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[1, 0, 0, x], [0, c, -s, y], [0, s, c, 0], [0, 0, 0, 1]]) @ np.diag([*size, 1])

def hand(bend):
    bones = [moved(y=-1.0, size=(2.0, 1.0, 0.4))]  # the palm
    for x in (-0.75, -0.25, 0.25, 0.75):  # a finger has three bones; every joint bends
        joint = moved(x, turn=bend)
        for length in (0.7, 0.5, 0.4):
            bones.append(joint @ moved(size=(0.36, 0.95 * length, 0.3)))
            joint = joint @ moved(y=length, turn=bend)
    return np.array(bones)
scene = bc.Scene.from_instances([bone], [(0, t) for t in hand(0)], moves=True)
across, down = np.meshgrid(np.linspace(-1.5, 1.5, 160), np.linspace(1.9, -1.3, 170))
frames = []
for bend in np.linspace(0, 1.3, 4):
    scene.set_transforms(hand(bend))
    depth = scene.cast([1.5, 0.5, 5], np.stack([across - 1.5, down - 0.5, np.full_like(down, -5)], -1)).t
    frames.append(np.where(np.isinf(depth), 0, 255 * (1.3 - depth).clip(0.1, 1)))
bc.write_png("depth_camera.png", np.repeat(np.hstack(frames).astype(np.uint8)[..., None], 3, -1))
