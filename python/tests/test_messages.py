"""Tests that errors name the argument."""

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda s: s.set_vertices(CORNERS * 1j), TypeError, "vertices: expected numbers"),
        (lambda s: s.set_vertices([["a", "b", "c"]] * 4), TypeError, "vertices: expected numbers"),
        (lambda s: bc.Scene(CORNERS, FACES).refit(CORNERS), ValueError, "refit: .*moves=True"),
        (lambda s: bc.Scene(CORNERS, FACES, device="gpu"), ValueError, "'gpu'"),
        (lambda s: bc.Scene(CORNERS, FACES, build="quick"), ValueError, "'quick'"),
        (lambda s: bc.Scene(CORNERS, FACES, partition=0), ValueError, "partition"),
        (lambda s: bc.Scene(CORNERS, FACES, partition="all"), TypeError, "partition"),
        (lambda s: bc.Scene(CORNERS, FACES, max_memory=-1), ValueError, "max_memory"),
        (lambda s: bc.Scene(CORNERS, FACES, max_memory="2G"), TypeError, "max_memory"),
        (
            lambda s: bc.Scene(CORNERS, FACES, moves=True, partition=2).cast([0, 0, 5], [0, 0, 1]),
            ValueError,
            "moves.*parts",
        ),
        (lambda s: s.render(-1, 5), ValueError, "width"),
        (lambda s: s.render(64.5, 5), TypeError, "width"),
        (lambda s: s.render(4, 4, samples="a"), TypeError, "samples"),
        (lambda s: s.render(4, 4, fov="3"), TypeError, "fov"),
        (lambda s: s.distance(CORNERS, max_distance="a"), TypeError, "max_distance"),
        (lambda s: s.contains(CORNERS, rays=3.0), TypeError, "rays"),
        (lambda s: bc.Scene.from_meshes([(1, 2, 3)]), ValueError, r"meshes\[0\]"),
        (lambda s: bc.Scene.from_instances([s], [0]), TypeError, r"instances\[0\]"),
        (lambda s: bc.Scene.from_instances([s], [(0.7, None)]), TypeError, r"instances\[0\]"),
        (
            lambda s: bc.Scene.from_instances([s], [(0, np.diag([1, 1, 1, 2]))]),
            ValueError,
            "last row",
        ),
    ],
)
def test_messages_name_the_argument(call, kind, message):
    with pytest.raises(kind, match=message):
        call(bc.Scene(CORNERS, FACES, moves=True))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda s: bc.Scene(CORNERS[:, :2], FACES), ValueError, r"vertices: .*\(n, 3\), got"),
        (lambda s: bc.Scene(CORNERS, FACES + 0.5), TypeError, "faces: expected integers"),
        (lambda s: bc.Scene(CORNERS, FACES - 1), ValueError, "faces: indices must be"),
        (lambda s: bc.Scene(CORNERS, [[0, 1, 7]]), bc.InputError, "vertex 7 of 4"),
        (lambda s: bc.Scene(CORNERS), TypeError, "faces: missing"),
        (lambda s: bc.Scene("mesh", FACES), TypeError, "vertices: expected numbers"),
        (lambda s: s.cast([[0, 0]], [0, 0, 1]), ValueError, r"origins: .*\(\.\.\., 3\)"),
        (lambda s: s.cast(np.zeros((2, 3)), np.zeros((3, 3))), ValueError, "origins .2,., dir"),
        (lambda s: s.cast([0, 0, 0], [0, 0, 1], world=0.5), TypeError, "world: expected integers"),
        (lambda s: s.cast([0, 0, 0], [0, 0, 1], world=-1), ValueError, "world: numbers of worlds"),
        (lambda s: bc.Scene(CORNERS, FACES, device="tpu").device, ValueError, "device 'tpu'"),
    ],
)
def test_errors_name_the_argument(tetrahedron, call, error, words):
    with pytest.raises(error, match=words):
        call(tetrahedron)
