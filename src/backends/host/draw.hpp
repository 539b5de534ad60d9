// Draws frames on machines in host memory. The code is compiled once for each machine, and not for
// each kind of scene.
#pragma once

#include "backends/host/host_machine.hpp"
#include "kernels/drawn_frame.hpp"
#include "kernels/frame_settings.hpp"

namespace ballotcast::detail {

class CpuMachine;

/// What to draw, and who casts its rays; see draw_frame (kernels/frame.hpp).
struct HostDrawing {
  const SceneView& scene;
  const FrameSettings& settings;
  u32 at_once;
  CastForFrame cast;
  const Progress& report;
  const std::vector<RawFilm>* films = nullptr;
};

/// Draws with the kernels as they are.
DrawnFrame draw_on(HostMachine& machine, const HostDrawing& drawing);
/// Draws the same pixels in the lanes of vectors.
DrawnFrame draw_on(CpuMachine& machine, const HostDrawing& drawing);

}  // namespace ballotcast::detail
