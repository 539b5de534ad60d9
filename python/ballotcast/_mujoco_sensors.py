"""The rays of MuJoCo's cameras and rangefinders, and what a rangefinder reports."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from ._mujoco_geoms import mujoco_module

# The numbers per ray of each data field of a rangefinder, in the order of mjtRayDataField.
_WIDTHS = (1, 3, 3, 3, 3, 1)


class LocalRays(NamedTuple):
    """Rays in the coordinates of a camera or a site: origins and directions (..., 3)."""

    origins: np.ndarray
    directions: np.ndarray


class Rangefinder(NamedTuple):
    """A rangefinder of a model, and its rays."""

    sensor: int
    at_camera: bool  # else at a site
    place: int  # the number of the site or camera
    body: int  # the body of the site or camera, which the rays do not hit
    rays: LocalRays  # their directions have length 1
    forward: np.ndarray  # the direction along which depth is measured


def camera_rays(model: Any, camera: int, width: int, height: int) -> LocalRays:
    """The rays (height, width, 3) through the centres of a camera's pixels. Their t is the depth:
    the directions have z = -1."""
    across = np.arange(width) + 0.5 - width / 2
    down = np.arange(height) + 0.5 - height / 2
    size = np.asarray(model.cam_sensorsize[camera], float)
    if size.any():
        if np.asarray(model.cam_intrinsic[camera])[2:].any():
            raise ValueError(f"camera {camera}: its principal point is not in the middle")
        fx, fy = np.asarray(model.cam_intrinsic[camera][:2]) / size * [width, height]
    else:
        fx = fy = height / 2 / np.tan(np.radians(float(model.cam_fovy[camera])) / 2)
    if _is_orthographic(model, camera):
        pixel = float(model.cam_fovy[camera]) / height
        return _parallel(across * pixel, down * pixel)
    return _pinhole(across / fx, down / fy)


def rangefinders_of(model: Any) -> List[Rangefinder]:
    """The rangefinders of a model, in the order of its sensors."""
    names = mujoco_module()
    found = []
    for sensor in range(model.nsensor):
        if int(model.sensor_type[sensor]) != int(names.mjtSensor.mjSENS_RANGEFINDER):
            continue
        place = int(model.sensor_objid[sensor])
        at_camera = int(model.sensor_objtype[sensor]) == int(names.mjtObj.mjOBJ_CAMERA)
        if at_camera:
            body, rays = int(model.cam_bodyid[place]), _rays_of_sensor(model, place)
        else:
            body = int(model.site_bodyid[place])
            rays = LocalRays(np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]))
        forward = np.array([0.0, 0.0, -1.0 if at_camera else 1.0])
        found.append(Rangefinder(sensor, at_camera, place, body, rays, forward))
    return found


def reported(
    model: Any,
    finder: Rangefinder,
    origins: np.ndarray,
    directions: np.ndarray,
    forward: np.ndarray,
    dist: np.ndarray,
    normal: Optional[np.ndarray],
) -> np.ndarray:
    """The numbers (worlds, n) of a rangefinder in sensordata. Arrays of rays and hits are of shape
    (worlds, rays, ...); `forward` (worlds, 3) is the direction of depth."""
    fields = _fields_of(model, finder.sensor)
    missed = (dist < 0)[..., None]
    columns = []
    for field in fields:
        if field == 0:
            columns.append(dist[..., None])
        elif field == 1:
            columns.append(np.where(missed, 0.0, directions))
        elif field == 2:
            columns.append(origins)
        elif field == 3:
            columns.append(np.where(missed, 0.0, origins + dist[..., None] * directions))
        elif field == 4:
            assert normal is not None
            columns.append(normal)
        else:
            depth = dist * np.einsum("wrk,wk->wr", directions, forward)
            columns.append(np.where(missed[..., 0], -1.0, depth)[..., None])
    numbers = np.concatenate(columns, -1).reshape(len(dist), -1)
    cutoff = float(model.sensor_cutoff[finder.sensor])
    return np.clip(numbers, -cutoff, cutoff) if cutoff > 0 else numbers


def has_normals(model: Any, finder: Rangefinder) -> bool:
    """True if the rangefinder reports normals."""
    return 4 in _fields_of(model, finder.sensor)


def _fields_of(model: Any, sensor: int) -> List[int]:
    """The data fields of a rangefinder. MuJoCo before 3.5 knows only distances."""
    if int(model.sensor_dim[sensor]) == 1 and not hasattr(model, "sensor_intprm"):
        return [0]
    bits = int(model.sensor_intprm[sensor][0])
    return [k for k in range(len(_WIDTHS)) if bits >> k & 1]


def _rays_of_sensor(model: Any, camera: int) -> LocalRays:
    """The rays (n, 3) of a rangefinder at a camera. They differ from those of pictures: the
    principal point is measured from the corner of the camera's sensor, and the picture of an
    orthographic camera is a square."""
    width, height = (int(n) for n in model.cam_resolution[camera])
    size = np.asarray(model.cam_sensorsize[camera], float)
    if _is_orthographic(model, camera):
        side = float(model.cam_fovy[camera])
        across = (np.arange(width) + 0.5) / width - 0.5
        down = (np.arange(height) + 0.5) / height - 0.5
        rays = _parallel(across * side, down * side)
    elif not size.any():
        rays = camera_rays(model, camera, width, height)
    else:
        fx, fy, x, y = np.asarray(model.cam_intrinsic[camera], float)
        across = (np.arange(width) + 0.5) / width * size[0] - x
        down = (np.arange(height) + 0.5) / height * size[1] - y
        rays = _pinhole(across / fx, down / fy)
    directions = rays.directions.reshape(-1, 3)
    lengths = np.linalg.norm(directions, axis=-1, keepdims=True)
    return LocalRays(rays.origins.reshape(-1, 3), directions / lengths)


def _is_orthographic(model: Any, camera: int) -> bool:
    if hasattr(model, "cam_projection"):
        return int(model.cam_projection[camera]) == 1
    return bool(model.cam_orthographic[camera]) if hasattr(model, "cam_orthographic") else False


def _pinhole(across: np.ndarray, down: np.ndarray) -> LocalRays:
    x, y = np.meshgrid(across, -down)
    directions = np.stack([x, y, -np.ones_like(x)], -1)
    return LocalRays(np.zeros_like(directions), directions)


def _parallel(across: np.ndarray, down: np.ndarray) -> LocalRays:
    x, y = np.meshgrid(across, -down)
    origins = np.stack([x, y, np.zeros_like(x)], -1)
    return LocalRays(origins, np.broadcast_to([0.0, 0.0, -1.0], origins.shape))


def placed(rays: LocalRays, at: np.ndarray, turn: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Origins and directions (worlds, n, 3) in the world of rays (n, 3) at places (worlds, 3) with
    rotations (worlds, 3, 3)."""
    return _turned(rays.origins, turn) + at[:, None, :], _turned(rays.directions, turn)


def _turned(vectors: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Returns vectors (n, 3) turned by (worlds, 3, 3). Sums are written out, so that they have the
    same bits everywhere; matrix products differ between machines."""
    x, y, z = (vectors[None, :, k, None] * turn[:, None, :, k] for k in range(3))
    out: np.ndarray = x + y + z
    return out
