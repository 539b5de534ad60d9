"""Meshes for tests: a tetrahedron, whose faces look outward, and a sheet."""

import numpy as np

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def sheet(n: int = 40):
    """Returns a wavy sheet of 2 n^2 triangles, the same at every call."""
    x, y = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1))
    points = np.stack([x, y, 0.2 * np.sin(5 * x) * np.cos(4 * y)], axis=-1).reshape(-1, 3)
    i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    a, b, c, d = i, i + 1, i + n + 1, i + n + 2
    return points, np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)])
