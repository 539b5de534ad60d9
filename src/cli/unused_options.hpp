// Options of `render` that were given and change nothing.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/frame.hpp"
#include "cli/options.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The same options; each adds its name to `given` when it is set.
std::vector<Option> noting(std::vector<Option> table, std::vector<std::string>& given);

/// Those of the given options that have no effect on this picture of this scene: "--a, --b", or "".
/// `settings` are resolved.
std::string unused_options(const std::vector<std::string>& given, const RenderSettings& settings,
                           const SceneData& scene);

}  // namespace ballotcast::detail
