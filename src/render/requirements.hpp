// What calls of a Renderer require of their arguments.
#pragma once

#include <string>

#include "render/renderer_state.hpp"

namespace ballotcast::detail {

/// Throws UsageError unless there is room for as many results as things are given.
inline void require_as_many(const char* call, std::size_t given, const char* of_what,
                            std::size_t results, const char* what) {
  if (given != results)
    throw UsageError(std::string(call) + ": " + std::to_string(given) + " " + of_what +
                     ", but room for " + std::to_string(results) + " " + what);
}

/// Throws UsageError unless all these worlds exist. `what` and `all`: of what they are.
inline void require_worlds(const RendererState& state, std::size_t count_of,
                           const RayWorlds& worlds, const std::string& what = "ray",
                           const std::string& all = "rays into ") {
  const u32 count = state.prepared->arrays.world_count > 0 ? state.prepared->arrays.world_count : 1;
  const auto require = [count](u32 world, const std::string& whose) {
    if (world >= count)
      throw UsageError(whose + "world " + std::to_string(world) + ", but the scene has " +
                       std::to_string(count));
  };
  if (!worlds.each) return require(worlds.all, all);
  for (std::size_t i = 0; i < count_of; ++i)
    require(worlds.each[i], what + " " + std::to_string(i) + ": ");
}

}  // namespace ballotcast::detail
