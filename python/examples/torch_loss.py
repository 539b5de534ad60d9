"""Finds a camera from a depth picture of a known room, by a PyTorch loss over cast rays."""

import ballotcast as bc
import numpy as np
import torch

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [[int(c) for c in side] for side in "013 032 467 475 045 051 237 276 026 064 157 173".split()]
boxes = "0 0 0 6 5 2.6  2.2 4.2 0 2 .8 .8  .2 1 0 .9 2 .5  4.6 3.4 0 1 1 1.9  2.6 2 0 1.4 1 .7  5.4 .6 0 .6 1.4 1.2"
boxes = np.array(boxes.split(), float).reshape(-1, 2, 3)  # corner and size: the room, the furniture
room = bc.Scene.from_meshes([(CUBE * size + corner, SIDES) for corner, size in boxes])
across, down = map(torch.from_numpy, np.meshgrid(np.linspace(-0.8, 0.8, 160), np.linspace(0.4, -0.8, 120)))

def depth(camera):  # camera: its position, and the angle of its direction
    c, s = camera[3].cos(), camera[3].sin()
    ways = torch.stack([c + s * across, s - c * across, down], -1)
    hits = room.cast(camera[:3].detach().numpy(), ways.detach().numpy())
    # A cast has no gradient, but t on the plane that was hit has: normal . (point - origin) / normal . way.
    normal, point = torch.from_numpy(hits.normal).double(), torch.from_numpy(hits.point)
    return ((point - camera[:3]) * normal).sum(-1) / (ways * normal).sum(-1)
measured = depth(torch.tensor([1.1, 0.7, 1.6, 0.9]).double())
camera = torch.tensor([2.0, 1.6, 1.2, 0.5]).double().requires_grad_()  # a first guess
views, adam = [], torch.optim.Adam([camera], lr=0.03)
for _ in range(200):
    views.append(depth(camera))
    adam.zero_grad(), (views[-1] - measured).abs().mean().backward(), adam.step()
shown = torch.cat([views[i].detach() for i in (0, 20, 50, -1)], 1), measured.repeat(1, 4)  # and the differences, in red
rgb = np.stack([np.vstack([1 - shown[0] / 6, (shown[0] - shown[1]).abs() * red]) for red in (0.5, 0.2, 0.1)], -1)
bc.write_png("torch_loss.png", (255 * rgb.clip(0, 1)).astype(np.uint8))
