"""Tests which points are inside of a mesh."""

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES


def test_contains():
    scene = bc.Scene(CORNERS, FACES)
    np.testing.assert_array_equal(
        scene.contains([[0.1, 0.1, 0.1], [1, 1, 1], [0.3, 0.3, 0.39]]), [True, False, True]
    )


def test_overlaps_and_holes():
    overlapping = bc.Scene.from_meshes([(CORNERS, FACES), (CORNERS + 0.05, FACES)])
    both, outside = [0.2, 0.2, 0.2], [2, 2, 2]
    np.testing.assert_array_equal(overlapping.contains([both, outside]), [False, False])
    np.testing.assert_array_equal(
        overlapping.contains([both, outside], rule="nonzero"), [True, False]
    )
    open_box = bc.Scene(CORNERS, FACES[:3])  # the box without its upper side
    points = np.array([[0.1, 0.1, 0.1], [0.2, 0.1, 0.1], [-1, -1, -1]])
    assert not open_box.contains(points, rays=1)[0]
    np.testing.assert_array_equal(open_box.contains(points, rays=101)[2], False)
    np.testing.assert_array_equal(open_box.contains(points, rule="winding"), [True, True, False])
    numbers = open_box.winding_number(points)
    assert numbers.dtype == np.float64 and 0.5 < numbers[0] < 1 and -0.1 < numbers[2] < 0.1
    np.testing.assert_allclose(overlapping.winding_number([both, outside]), [2, 0], atol=1e-9)
    assert np.isnan(overlapping.winding_number([np.nan, 0, 0]))
    with pytest.raises(ValueError, match="rule: expected"):
        overlapping.contains([0, 0, 0], rule="even")
    with pytest.raises(ValueError, match="rays: expected an odd number"):
        overlapping.contains([0, 0, 0], rays=2)
    with pytest.raises(ValueError, match="'winding' casts none"):
        overlapping.contains([0, 0, 0], rule="winding", rays=3)


def test_contains_is_exact_on_the_surface_and_next_to_it():
    scene = bc.Scene(CORNERS, FACES)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    # Points count as if they were shifted a little towards +x. So the corner at zero is inside, and
    # the corners far along an axis are outside.
    np.testing.assert_array_equal(scene.contains(corners), [True, False, False, False])
    tiny = np.float64(1e-200)
    points = [[tiny, 0.2, 0.2], [-tiny, 0.2, 0.2], [0.2, 0.2, tiny], [0.2, 0.2, -tiny]]
    np.testing.assert_array_equal(scene.contains(points), [True, False, True, False])
    # The square of such a small distance is 0 in float64, but the distance still has a sign.
    np.testing.assert_array_equal(np.signbit(scene.signed_distance(points))[2:], [True, False])
    random = np.random.default_rng(2)
    points = random.random((2000, 3)) * 1.2 - 0.1
    expected = (points > 0).all(axis=1) & (points.sum(axis=1) < 1)
    for rule in ("parity", "nonzero", "winding"):
        np.testing.assert_array_equal(scene.contains(points, rule=rule), expected)
    np.testing.assert_array_equal(scene.contains(points, rays=3), expected)
