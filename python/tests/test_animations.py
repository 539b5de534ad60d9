"""Tests scenes from animated glTF files at given times."""

import base64
import json
import pickle

import ballotcast as bc
import numpy as np
import pytest


@pytest.fixture
def sliding(tmp_path):
    """A triangle that slides by 8 along x within two seconds, or by 4 along y."""
    arrays = [
        [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        [0, 2],
        [[0, 0, 0], [8, 0, 0]],
        [[0, 0, 0], [0, 4, 0]],
    ]
    views, accessors, data = [], [], b""
    for array in (np.array(numbers, np.float32) for numbers in arrays):
        kind = "SCALAR" if array.ndim == 1 else "VEC3"
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        accessors.append(
            {
                "bufferView": len(accessors),
                "componentType": 5126,
                "type": kind,
                "count": len(array),
            }
        )
        data += array.tobytes()
    target = [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
    uri = "data:;base64," + base64.b64encode(data).decode()
    path = tmp_path / "a.gltf"
    path.write_text(
        json.dumps(
            {
                "asset": {"version": "2.0"},
                "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                "animations": [
                    {"name": name, "channels": target, "samplers": [{"input": 1, "output": output}]}
                    for name, output in (("Slide", 2), ("Rise", 3))
                ],
                "accessors": accessors,
                "bufferViews": views,
                "buffers": [{"uri": uri, "byteLength": len(data)}],
            }
        )
    )
    return path


def low(scene):
    return scene.bounds[0].tolist()


def test_a_file_is_loaded_as_it_is_at_a_time(sliding):
    assert low(bc.load(sliding)) == [0, 0, 0]
    scene = bc.load(sliding, time=0.5)
    assert low(scene) == [2, 0, 0]
    assert scene.cast([2.2, 0.2, 1], [0, 0, -1]).hit
    assert low(bc.load(sliding, time=1, animation="Rise")) == [0, 2, 0]
    assert low(bc.load(sliding, time=99, animation="all")) == [0, 4, 0]


def test_a_pickled_scene_keeps_its_time(sliding):
    scene = pickle.loads(pickle.dumps(bc.load(sliding, time=1, animation="Rise")))
    assert low(scene) == [0, 2, 0]


def test_what_does_not_move_is_refused(sliding, tmp_path):
    with pytest.raises(TypeError, match="time: expected a number of seconds, got '1'"):
        bc.load(sliding, time="1")
    with pytest.raises(ValueError, match="animation: needs a time"):
        bc.load(sliding, animation="Rise")
    with pytest.raises(bc.InputError, match='has no animation "Hop"; it has 0 "Slide", 1 "Rise"'):
        bc.load(sliding, time=1, animation="Hop")
    (tmp_path / "b.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(bc.Error, match="has no animation to play"):
        bc.load(tmp_path / "b.obj", time=1)
