"""Tests drawing and comparing pictures."""

import struct

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES

VIEW = dict(eye=(3, 2, 4), look_at=(0.3, 0.3, 0.3), fov=30)


@pytest.fixture(scope="module")
def scene():
    return bc.Scene(CORNERS, FACES)


def test_a_picture_is_an_array(scene):
    picture = scene.render(48, 32, shading="normal", **VIEW)
    assert picture.shape == (32, 48, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert picture[0]._repr_png_() is None


def test_devices_draw_the_same_bytes():
    pictures = [
        bc.Scene(CORNERS, FACES, device=device).render(40, 30, samples=4, **VIEW)
        for device in ("cpu", "emulated")
    ]
    assert pictures[0].tobytes() == pictures[1].tobytes()


def test_linear_light(scene):
    light = scene.render(24, 16, samples=4, exposure=1.0, linear=True, **VIEW)
    assert light.shape == (16, 24, 3) and light.dtype == np.float32 and light.max() > 0.1


def test_a_transparent_background_is_a_fourth_channel(scene, tmp_path):
    settings = dict(samples=4, exposure=1.0, **VIEW)
    picture = scene.render(48, 32, background="transparent", **settings)
    assert picture.shape == (32, 48, 4) and set(np.unique(picture[..., 3])) > {0, 255}
    whole = picture[..., 3] == 255
    assert np.array_equal(picture[whole][:, :3], scene.render(48, 32, **settings)[whole])
    light = scene.render(48, 32, background="transparent", linear=True, **settings)
    assert light.shape == (32, 48, 4)
    assert np.array_equal(np.floor(light[..., 3] * 255 + 0.5), picture[..., 3])
    assert not light[light[..., 3] == 0].any()
    picture.save(tmp_path / "clear.png")
    assert np.array_equal(bc.read_png(tmp_path / "clear.png"), picture)
    assert bc.compare(tmp_path / "clear.png", picture).same
    assert picture._repr_png_().startswith(b"\x89PNG")


def test_a_background_may_be_a_colour(scene):
    picture = scene.render(48, 32, samples=4, background="#102030", **VIEW)
    assert picture.shape == (32, 48, 3) and tuple(picture[0, 0]) == (0x10, 0x20, 0x30)
    with pytest.raises(ValueError, match="background needs sky, transparent or a colour"):
        scene.render(8, 8, background="blue")


def test_every_setting_of_the_program_is_a_keyword(scene):
    import inspect
    import subprocess
    import sys

    command = [sys.executable, "-m", "ballotcast", "render", "--help"]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    if "--background" not in told:
        pytest.skip("the program is not beside the package")
    keywords = inspect.signature(scene.render).parameters
    for option in ("bounces", "exposure", "smooth", "fireflies", "white-balance", "light"):
        assert f"--{option} " in told and option.replace("-", "_") in keywords
    assert {"samples", "shading", "background"} <= set(keywords)


def test_what_depends_on_settings(scene):
    plain = scene.render(24, 16, samples=4, exposure=1.0, **VIEW)
    assert scene.render(24, 16, samples=4, exposure=2.0, **VIEW).mean() > plain.mean()
    assert (scene.render(24, 16, shading="depth", **VIEW) != plain).any()
    assert (scene.render(24, 16, shading="ao", eye=(0, 0, 9)) != plain).any()


def test_comparing(scene, tmp_path):
    picture = scene.render(24, 16, shading="normal", **VIEW)
    other = picture.copy()
    other[3, 5, 1] ^= 9
    same, different = bc.compare(picture, picture), bc.compare(picture, other)
    assert same.same and same.worst is None and same.metrics["rms"] == 0
    assert not different.same and different.different == 1 and different.worst == (5, 3)
    assert different.pixels == 24 * 16 and set(different.metrics) >= {"rms", "psnr", "flip"}
    picture.save(tmp_path / "a.png")
    assert bc.compare(tmp_path / "a.png", picture).same
    np.testing.assert_array_equal(bc.read_png(tmp_path / "a.png"), picture)


def test_comparing_16_bits(tmp_path):
    rng = np.random.default_rng(5)
    picture = rng.integers(0, 65536, (7, 9, 3), np.uint16)
    other = picture.copy()
    other[2, 4, 0] ^= 1
    assert bc.compare(picture, picture).same
    found = bc.compare(picture, other)
    assert (found.different, found.max_error, found.worst) == (1, 1, (4, 2))
    # Samples of 8 bits equal samples of 16 bits that are 257 times as large.
    few = rng.integers(0, 256, (7, 9), np.uint8)
    assert bc.compare(few, few.astype(np.uint16) * 257).same
    off = few.astype(np.uint16) * 257
    off[0, 0] ^= 2
    assert bc.compare(few, off).max_error == 2


def test_comparing_floats():
    depth = np.linspace(1, 9, 7 * 9, dtype=np.float32).reshape(7, 9)
    other = depth.copy()
    other[3, 5] += 0.5
    same, found = bc.compare(depth, depth), bc.compare(depth, other)
    assert same.same and same.worst is None and same.metrics["rms"] == 0 and same.pixels == 63
    assert (found.different, found.max_error, found.worst) == (1, 0.5, (5, 3))
    assert found.metrics["rms"] == pytest.approx(0.5 / np.sqrt(63))
    assert set(found.metrics) == {"rms", "relmse", "max", "block"}
    light = np.repeat(depth[:, :, None], 3, axis=2)
    assert bc.compare(light, depth).same and bc.compare(light.astype(float), light).same
    other[3, 5] = depth[3, 5]
    for value in np.nan, np.inf:
        other[6, 8] = value
        found = bc.compare(depth, other)
        assert (found.different, found.max_error, found.worst) == (1, np.inf, (8, 6))
        assert bc.compare(other, other).same


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64, bool])
def test_comparing_ids(kind):
    ids = np.arange(35).reshape(5, 7).astype(kind)
    other = ids.copy()
    other[2, 3] = not other[2, 3] if kind is bool else np.iinfo(kind).max
    assert bc.compare(ids, ids).same
    found = bc.compare(ids, other)
    assert (found.different, found.worst, found.metrics, found.pixels) == (1, (3, 2), {}, 35)
    assert bc.compare(ids, other, ignore=[(3, 2, 1, 1)]).same


def test_comparing_files_of_ids(tmp_path):
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[1, 2] = 1, 2, 3
    bc.write_png(tmp_path / "a.png", picture)
    ids = np.zeros((2, 3), np.uint8)
    assert bc.compare(tmp_path / "a.png", ids, ids=True).worst == (2, 1)
    wide = ids.astype(np.uint32)
    wide[1, 2] = 0x010203
    assert bc.compare(tmp_path / "a.png", wide, ids=True).same
    with pytest.raises(ValueError, match="expected integers of shape"):
        bc.compare(picture, picture, ids=True)


def exr_of(ids):
    """Returns an OpenEXR file with one channel of unsigned 32-bit integers."""
    height, width = ids.shape
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    head = struct.pack("<2i", 20000630, 2)
    for name, kind, value in [
        (b"channels", b"chlist", b"triangle.id\0" + struct.pack("<i4x2i", 0, 1, 1) + b"\0"),
        (b"compression", b"compression", b"\0"),
        (b"dataWindow", b"box2i", window),
        (b"displayWindow", b"box2i", window),
        (b"lineOrder", b"lineOrder", b"\0"),
        (b"pixelAspectRatio", b"float", struct.pack("<f", 1)),
        (b"screenWindowCenter", b"v2f", bytes(8)),
        (b"screenWindowWidth", b"float", struct.pack("<f", 1)),
    ]:
        head += name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value
    head += b"\0"
    row = 8 + 4 * width
    first = len(head) + 8 * height
    starts = struct.pack(f"<{height}Q", *(first + y * row for y in range(height)))
    rows = [
        struct.pack("<2i", y, 4 * width) + ids[y].astype("<u4").tobytes() for y in range(height)
    ]
    return head + starts + b"".join(rows)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32, np.uint64])
def test_ids_of_no_triangle_are_the_same_in_files_and_arrays(kind, tmp_path):
    ids = np.array([[3, -1], [2**31 - 1, 7]])
    (tmp_path / "ids.exr").write_bytes(exr_of(ids))
    # In unsigned integers, the id of no triangle is 2^32 - 1, as in Hits.id.
    array = (ids if np.dtype(kind).kind == "i" else ids.astype(np.uint32)).astype(kind)
    assert bc.compare(array, tmp_path / "ids.exr", ids=True).same
    assert bc.compare(tmp_path / "ids.exr", array, ids=True).same
    array[1, 1] = 8
    assert bc.compare(array, tmp_path / "ids.exr", ids=True).worst == (1, 1)
    if kind == np.int64:
        assert bc.compare(array - 2**32, tmp_path / "ids.exr", ids=True).different == 4
        assert bc.compare(np.where(ids < 0, 2**32 - 1, ids), tmp_path / "ids.exr", ids=True).same


def test_comparing_signed_ids_with_unsigned_ones():
    large = np.array([[2**63 + 1, 5]], np.uint64)
    assert bc.compare(large, large.view(np.int64)).different == 1
    assert bc.compare(large[:, 1:], large[:, 1:].view(np.int64)).same


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_comparing_without_ignored_pixels(kind, tmp_path):
    picture = np.arange(60).reshape(4, 5, 3).astype(kind)
    other = picture.copy()
    other[1, 2] += 1
    other[3, 4] += 2
    one = bc.compare(picture, other, ignore=[(4, 3, 1, 1)])
    assert (one.different, one.worst, one.pixels) == (1, (2, 1), 19)
    mask = np.zeros((4, 5), bool)
    mask[1, 2] = mask[3, 4] = True
    assert bc.compare(picture, other, ignore_where=mask).same
    shown = np.repeat(mask[:, :, None], 3, axis=2) * np.uint8(9)
    bc.write_png(tmp_path / "mask.png", shown)
    assert bc.compare(picture, other, ignore_where=tmp_path / "mask.png").pixels == 18


def test_comparing_linear_files(tmp_path):
    light = np.float32([[[1, 2, 3]], [[4, 5, 6]]])
    for name, z in ("a.pfm", 6), ("b.pfm", 7):
        light[1, 0, 2] = z
        head = b"PF\n1 2\n-1\n"
        (tmp_path / name).write_bytes(head + light[::-1].astype("<f4").tobytes())
    assert bc.compare(tmp_path / "b.pfm", light).same
    found = bc.compare(tmp_path / "a.pfm", tmp_path / "b.pfm")
    assert (found.different, found.max_error, found.worst) == (1, 1, (0, 1))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_comparing_pictures_of_different_sizes(kind):
    small = np.arange(60).reshape(4, 5, 3).astype(kind)
    grown = np.zeros((6, 5, 3), kind)
    grown[:4] = small
    found = bc.compare(small, grown)
    assert not found.same and found.different == 0 and found.pixels == 20
    assert (found.reference_size, found.result_size) == ((5, 4), (5, 6))
    grown[1, 2, 0] += 3
    found = bc.compare(grown, small)
    assert (found.different, found.worst, found.max_error) == (1, (2, 1), 3)


def test_errors(scene, tmp_path):
    with pytest.raises(ValueError, match="unknown smooth 'much'"):
        scene.render(8, 8, smooth="much")
    with pytest.raises(ValueError, match="nothing"):
        scene.render(8, 8, shading="nothing")
    with pytest.raises(ValueError):
        scene.render(0, 8)
    with pytest.raises(ValueError, match="reference is of float32, result of uint8"):
        bc.compare(np.zeros((4, 4, 3)), np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(ValueError, match="expected uint8 or uint16"):
        bc.compare(np.zeros((4, 4, 3), int), np.zeros((4, 4, 3), int))
    with pytest.raises(ValueError, match="reference is of int64, result of uint8"):
        bc.compare(np.zeros((4, 4), np.int64), np.zeros((4, 4), np.uint8))
    black = np.zeros((4, 5, 3), np.uint8)
    for part in (0, 0, 6, 1), (0, 0, 0, 1), (-1, 0, 1, 1), (0, 0, 1), "text":
        with pytest.raises(ValueError, match="ignore"):
            bc.compare(black, black, ignore=[part])
    with pytest.raises(ValueError, match="ignore_where is"):
        bc.compare(black, black, ignore_where=np.ones((5, 4)))
    with pytest.raises(ValueError, match="no pixel is left"):
        bc.compare(black, black, ignore=[(0, 0, 5, 4)])
    with pytest.raises(bc.InputError, match="absent.png"):
        bc.read_png(tmp_path / "absent.png")
