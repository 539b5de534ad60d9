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

/// Throws UsageError unless all worlds of a query exist.
inline void require_worlds(const RendererState& state, const Query& query) {
  const RayWorlds& worlds = query.worlds;
  const u32 count = state.prepared->arrays.world_count > 0 ? state.prepared->arrays.world_count : 1;
  const auto require = [count](u32 world, const std::string& whose) {
    if (world >= count)
      throw UsageError(whose + "world " + std::to_string(world) + ", but the scene has " +
                       std::to_string(count));
  };
  const bool points = query.is_about_points();
  if (!worlds.each) return require(worlds.all, points ? "points in " : "rays into ");
  for (std::size_t i = 0; i < query.count; ++i)
    require(worlds.each[i], (points ? "point " : "ray ") + std::to_string(i) + ": ");
}

}  // namespace ballotcast::detail
