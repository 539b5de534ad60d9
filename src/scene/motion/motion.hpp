// How the scene of a file moves, as its animations say.
#pragma once

#include <optional>
#include <vector>

#include "scene/camera/camera.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/placement.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// What moves in the scene of a file, as it is at some time. The triangles stay the same.
struct MovedFile {
  std::optional<Pose> pose;           // absent: `instances` move
  std::vector<PlacedPart> instances;  // all of them
  std::optional<Camera> camera;       // of the file
  SunSettings sun;
};

/// The motion of one file. Calls must not overlap.
class FileMotion {
 public:
  virtual ~FileMotion() = default;
  /// The scene at a time, in seconds. Before the first and after the last key of an animation,
  /// things stay where they are then. Throws InputError, which names the file and the animation, if
  /// something is moved to where it can't be.
  virtual MovedFile at(double seconds) = 0;
  /// The time of the last key.
  virtual double end() const = 0;
};

}  // namespace ballotcast::detail
