#include "scene/request.hpp"

#include <cmath>
#include <string>

#include "scene/scene.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

// A number may not overflow the float that it becomes.
bool is_finite(double number) { return std::abs(number) <= 1e30; }
bool is_finite(const Vec3d& v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }

[[noreturn]] void refuse(const std::string& setting, const std::string& why) {
  throw UsageError(setting + " must " + why);
}

void require_direction(const std::string& setting, const std::optional<Vec3d>& v) {
  if (v && (!is_finite(*v) || *v == Vec3d(0.0, 0.0, 0.0)))
    refuse(setting, "be three finite numbers, not all 0");
}

void require_color(const std::string& setting, const std::optional<Vec3f>& v) {
  if (v && !(v->x >= 0.0f && v->y >= 0.0f && v->z >= 0.0f &&
             is_finite(Vec3d(double{v->x}, double{v->y}, double{v->z}))))
    refuse(setting, "be three finite numbers of at least 0");
}

template <class Number>
void require_within(const std::string& setting, const std::optional<Number>& number, u32 most) {
  if (number && !(*number >= Number(0) && *number <= Number(most)))
    refuse(setting, "be from 0 to " + std::to_string(most));
}

}  // namespace

void require_sensible(const SceneRequest& request) {
  require_direction("the sun's direction", request.sun.direction);
  require_color("the sun's colour", request.sun.color);
  require_within("the sun's strength", request.sun.strength, kMostLight);
  require_color("the sky's zenith", request.sky.zenith);
  require_color("the sky's horizon", request.sky.horizon);
  require_color("the sky's ground", request.sky.ground);
  require_within("the sky's strength", request.sky.strength, kMostLight);
  if (request.sky.file && (request.sky.zenith || request.sky.horizon || request.sky.ground))
    refuse("the sky", "be a picture or three colours, not both");
  if (request.sky.turn && !is_finite(*request.sky.turn))
    refuse("the sky's turn", "be a finite number");
  require_direction("the up direction", request.up);
  require_within("exposure", request.exposure, kMostLight);
  require_within("crease_angle", request.crease_angle, 180);
  for (const PlacedFile& mesh : request.meshes) {
    const Placement& place = mesh.placement;
    if (!(place.scale > 0.0 && is_finite(place.scale)))
      refuse(mesh.file + ": the scale", "be above 0");
    if (!is_finite(place.rotate_y) || !is_finite(place.translate))
      refuse(mesh.file + ": the placement", "consist of finite numbers");
  }
}

}  // namespace ballotcast::detail
