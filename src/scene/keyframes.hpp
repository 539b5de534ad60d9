// Keyframes: numbers in a scene file that change from frame to frame.
//
//   "camera": {"look_at": [0, 1, 0], "between": "smooth",
//              "keyframes": [{"frame": 0, "eye": [0, 1, 5]}, {"frame": 100, "eye": [5, 1, 0]}]}
//
//   in frame 50:  {"look_at": [0, 1, 0], "eye": [2.5, 1, 2.5]}
//
// Each key that a keyframe states has its own values over time, so not every keyframe must state
// all keys. Before its first keyframe and after its last a key keeps its value. Between keyframes
// it changes evenly ("linear"), or it starts and ends slowly ("smooth"), without going beyond the
// two.
#pragma once

#include <string>

#include "math/portable.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// The greatest number of a frame.
inline constexpr u32 kLastFrame = 1'000'000;

/// True if an object of a scene file has keyframes.
bool has_keyframes(const Json& object);

/// An object of a scene file as it is in a frame, without keyframes. `name` is its key. Throws
/// InputError, which names `file` and the key at fault.
Json in_frame(const Json& object, const std::string& file, const std::string& name, u32 frame);

}  // namespace ballotcast::detail
