// The tables of choices: the names that options accept.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// One of the values that an option accepts.
struct Choice {
  std::string name;     ///< the name that options accept
  std::string summary;  ///< one line
};

/// A device that casts rays.
struct Device {
  std::string name;      ///< cuda, cpu, emulated
  std::string summary;   ///< one line
  std::string unusable;  ///< the reason why it can't be used here; "" if it can
};

/// How much time to spend on a tree, and the builder that this means.
struct Effort {
  std::string name;     ///< fast, balanced, best
  std::string on_host;  ///< the builder where the host builds: devices cpu and emulated
  std::string on_cuda;  ///< the builder on device cuda
};

/// Every device, whether usable here or not. See RendererOptions::device.
BALLOTCAST_API std::vector<Device> devices();
/// Every shading; the first is the default. See RenderSettings::shading.
BALLOTCAST_API std::vector<Choice> shadings();
/// Every kind of numbers about pixels. See Renderer::outputs.
BALLOTCAST_API std::vector<Choice> outputs();
/// Every convention for the axes of a camera. See set_pose().
BALLOTCAST_API std::vector<Choice> pose_conventions();
/// Every projection of a camera. See set_projection().
BALLOTCAST_API std::vector<Choice> projections();
/// Every pipeline. CastOptions::pipeline takes these names, and auto.
BALLOTCAST_API std::vector<Choice> pipelines();
/// Every atomic strategy, from the fewest atomics to the most. CastOptions::atomics takes these
/// names, and auto.
BALLOTCAST_API std::vector<Choice> strategies();
/// Every layout of trees in memory. See RendererOptions::layout.
BALLOTCAST_API std::vector<Choice> layouts();
/// Every builder, the fastest first. See RendererOptions::builder. Those with rounds of reinsertion
/// also take their number behind a slash: ploc-reinserted/12.
BALLOTCAST_API std::vector<Choice> builders();
/// Every effort, the fastest first. RendererOptions::builder takes these names, too.
BALLOTCAST_API std::vector<Effort> efforts();

}  // namespace ballotcast
