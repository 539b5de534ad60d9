// Decides whether lamps shine alone, as those of a room do, or beside sun and sky.
#pragma once

#include "backends/scene/prepare.hpp"
#include "kernels/frame_settings.hpp"
#include "scene/light.hpp"

namespace ballotcast::detail {

/// True if the scene is a room with lamps. The camera of frame_scene looks at it, whatever camera
/// the picture has; then less than a third of the even light that falls on what is seen there would
/// come from the sky. The rays that tell are always the same ones, and cast on the CPU, so the
/// answer depends on neither picture nor device.
bool is_lamplit_room(const PreparedScene& scene);

/// True if the answer of is_lamplit_room matters: there are lamps, and not both of sun and sky are
/// stated.
bool may_be_lamplit(const SceneData& scene);

/// Puts out sun and sky of a frame, as far as nothing is stated about them.
void put_out_daylight(const SceneData& scene, FrameSettings& frame);

}  // namespace ballotcast::detail
