"""Pictures of a scene, and explanations of hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple

import numpy as np

from ._arrays import RayArrays, number_or_none, whole_number
from ._camera import CameraArguments, CameraKeywords, takes_camera
from ._explanation import Explanation, explain_pixel, explain_ray
from ._filter import Filter
from ._gpu_arrays import any_on_gpu
from ._pictures import Picture, explained_by_call, explained_by_command
from ._scene_base import SceneBase
from ._types import Sides

if TYPE_CHECKING:
    from typing_extensions import Unpack


class DrawnScene(SceneBase):
    """The part of `Scene` that draws pictures."""

    @takes_camera
    def render(
        self,
        width: int = 640,
        height: int = 360,
        *,
        shading: str = "",
        samples: int = 0,
        bounces: int = 8,
        exposure: Optional[float] = None,
        white_balance: str = "",
        light: str = "",
        smooth: str = "on",
        fireflies: str = "drop",
        background: str = "sky",
        sides: Sides = "both",
        linear: bool = False,
        outputs: Optional[Sequence[str]] = None,
        **camera: Unpack[CameraKeywords],
    ) -> Any:
        """Draws a picture: uint8 (height, width, 3), which notebooks display.

        Args:
          shading: "lit", "normal", "depth", "albedo", "facing", "ao" or "visits"; by default what
            the scene asks for, or "lit".
          samples: samples per pixel; 0 for the default of the shading.
          bounces: the most bounces of light in "lit", at most 16.
          exposure: a factor on all light in "lit"; by default a factor that suits the picture.
          white_balance, light, smooth, fireflies: see the options of `ballotcast render`.
          background: what is shown where there is no surface: "sky"; a colour like "#ffffff"; or
            "transparent": then there is a fourth channel, alpha. Bytes have the colour of the
            covered share of a pixel; the numbers of `linear` are multiplied by alpha.
          sides: which sides of surfaces all rays of the picture hit, including those for light and
            bounces: "both", "front" or "back".
          eye, look_at, up: three numbers each, in world units. By default the whole scene is shown.
          fov: the vertical field of view, in degrees. lens, focus, ortho_height: in world units.
          intrinsics: the camera matrix, (3, 3), or fx, fy, cx, cy, in pixels of this picture. As in
            OpenCV, whole numbers are the centres of pixels. In place of fov.
          pose: (3, 4) or (4, 4), from the camera's coordinates to the world's, in place of eye,
            look_at and up. convention: which way the camera's axes point: "opencv" (x to the right,
            y down, z ahead), "opengl" (y up, z back) or "ros" (x ahead, y to the left, z up).
            pose_is: "camera-to-world", or "world-to-camera" for the inverse.
          projection: "perspective", "fisheye" or "panorama" (all directions). distortion: OpenCV's
            coefficients, k1 k2 p1 p2 k3 k4 k5 k6 or fewer, of a fisheye k1 k2 k3 k4. Pixels that
            the lens does not reach are black. See docs/cameras.md.
          linear: True for float32 (height, width, 3), the light before exposure.
          outputs: names of what to return, in a dictionary of arrays (height, width) or (height,
            width, channels): "colour" (the picture), "depth", "distance", "position", "normal",
            "geometric_normal", "uv", "albedo" (float32), "material", "triangle", "mesh",
            "instance", "part", "visits" (int32, -1 for none) and "alpha". All but colour and alpha
            are of the ray through a pixel's centre. See docs/outputs.md.
        """
        if isinstance(outputs, str):
            raise TypeError(f"outputs: expected a list of names, got {outputs!r}")
        light_factor = number_or_none(exposure, "exposure")
        # The keys are the names in the library's table of settings.
        settings = {
            "shading": shading,
            "samples": whole_number(samples, "samples"),
            "bounces": str(whole_number(bounces, "bounces")),
            "exposure": "" if light_factor is None else repr(light_factor),
            "white_balance": white_balance,
            "light": light,
            "smooth": smooth,
            "fireflies": fireflies,
            "background": background,
            "sides": sides,
        }
        view = CameraArguments(camera)
        size = whole_number(width, "width"), whole_number(height, "height")
        pixels, floats, numbers = self._host.render(
            {key: str(value) for key, value in settings.items() if value},
            view.of_size(*size),
            linear,
            list(outputs or ["colour"]),
        )
        arrays: Dict[str, np.ndarray] = {
            name: array.reshape(height, width, -1).squeeze(2 if array.shape[1] == 1 else ())
            for name, array in numbers.items()
        }
        if outputs is not None and not {"colour", "color"} & set(outputs):
            return arrays
        picture = (floats if linear else pixels).reshape(height, width, -1).view(Picture)
        repeated = view.passed() if sides == "both" else {**view.passed(), "sides": sides}
        # A command would explain the file, from which a moved scene differs.
        if isinstance(self._source, str) and self._pose == 0:
            command = explained_by_command(self._source, f"{width}x{height}", repeated)
            picture._explained_by = command
        else:
            picture._explained_by = explained_by_call(width, height, repeated)
        return picture if outputs is None else {"colour": picture, **arrays}

    @takes_camera
    def explain(
        self,
        origin: Any = None,
        direction: Any = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        world: Optional[int] = None,
        sides: Sides = "both",
        skip: Optional[int] = None,
        mask: Optional[int] = None,
        skip_instance: Optional[int] = None,
        any: bool = False,
        pixel: Optional[Tuple[int, int]] = None,
        width: int = 640,
        height: int = 360,
        **camera: Unpack[CameraKeywords],
    ) -> Explanation:
        """Explains why a ray has the hit that it has: the nodes, the triangles, each decision.
        Print the result to read it.

        Args:
          origin, direction: a single ray, with the other arguments of `cast`. Or instead of these:
          pixel: column and row, from the top left, of a picture of `width` and `height`; the ray
            goes through the pixel's centre. The camera's arguments are those of `render`; sides,
            skip, mask and skip_instance are those of `cast`.
          any: True to explain `any` instead of `cast`.

        Raises:
          ValueError: neither a ray nor a pixel, or both; more than one ray; a pixel outside of
            the picture.
        """
        hit_filter = Filter(sides, skip, mask, skip_instance)
        if pixel is None:
            if origin is None or direction is None:
                raise ValueError("explain: give origin and direction, or pixel")
            if any_on_gpu(origin, direction, t_min, t_max, world):
                raise TypeError("explain: expected a ray in host memory")
            rays = RayArrays(origin, direction, t_min, t_max, world, hit_filter)
            return explain_ray(self, rays, any)
        if origin is not None or direction is not None:
            raise ValueError("explain: give origin and direction, or pixel, not both")
        return explain_pixel(self, pixel, (width, height), CameraArguments(camera), any, hit_filter)
