// Cameras that move from cast to cast, so that each cast has rays that were never cast before.
#pragma once

#include <string>

#include "ballotcast/scene.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// How a camera moves.
struct CameraMotion {
  double degrees = 0.0;  // turned to the side by so many per cast
  double step = 0.0;     // moved ahead by so much per cast, in diagonals of the scene's box

  bool moves() const { return degrees != 0.0 || step != 0.0; }
};

/// So many casts are measured.
inline constexpr u32 kMovingCasts = 256;

/// The motion that a text says: "turn:DEGREES", "step", or "" for none. Throws UsageError for
/// another text.
CameraMotion motion_of(const std::string& text);

/// The camera at cast `number`. `diagonal`: of the scene's box.
Camera moved(const Camera& camera, const CameraMotion& motion, u32 number, double diagonal);

}  // namespace ballotcast::detail
