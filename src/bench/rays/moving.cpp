#include "bench/rays/moving.hpp"

#include <cmath>

#include "math/vec.hpp"
#include "support/error.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {

CameraMotion motion_of(const std::string& text) {
  if (text.empty()) return {};
  if (text == "step") return {0.0, 0.001};
  const std::string turn = "turn:";
  if (text.compare(0, turn.size(), turn) == 0) {
    const std::optional<double> degrees = finite_number(text.substr(turn.size()));
    if (degrees && std::abs(*degrees) > 0.0 && std::abs(*degrees) <= 360.0) return {*degrees, 0.0};
  }
  throw UsageError("moving '" + text + "' is no motion of a camera: turn:DEGREES per cast, or step",
                   "moving");
}

Camera moved(const Camera& camera, const CameraMotion& motion, u32 number, double diagonal) {
  const dvec3 sight = dvec3(camera.look_at) - dvec3(camera.eye);
  const dvec3 up = dvec3(camera.up) / std::sqrt(dot(dvec3(camera.up), dvec3(camera.up)));
  // Turned around `up` (O. Rodrigues, 1840).
  const double angle = motion.degrees * number * 3.14159265358979323846 / 180.0;
  const dvec3 turned = sight * std::cos(angle) + cross(up, sight) * std::sin(angle) +
                       up * (dot(up, sight) * (1.0 - std::cos(angle)));
  const dvec3 ahead = sight * (motion.step * number * diagonal / std::sqrt(dot(sight, sight)));
  const dvec3 eye = dvec3(camera.eye) + ahead, at = eye + turned;
  Camera out = camera;
  out.eye = {eye.x, eye.y, eye.z};
  out.look_at = {at.x, at.y, at.z};
  return out;
}

}  // namespace ballotcast::detail
