// Packs scenes for tests, and loads packed scenes.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backends/pack/packed_tree.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/error.hpp"
#include "scene/assemble.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail::testing {

/// Packs a scene that was made in memory. Returns `path`.
inline std::string pack(const std::string& path, const PreparedScene& scene) {
  write_packed(path, scene, {}, true);
  return path;
}
inline std::string pack(const std::string& path, SceneData scene, std::string_view builder = "fast",
                        std::string_view layout = "auto") {
  const auto shared = std::make_shared<const SceneData>(std::move(scene));
  write_packed(path, *prepare(shared, builder, layout), {}, layout == "auto");
  return path;
}

/// Packs the scene that is read from files. Returns `path`.
inline std::string pack_files(const std::string& path, const SceneRequest& request,
                              std::string_view builder = "fast") {
  const std::int64_t started = begin_reading();
  const auto scene = std::make_shared<const SceneData>(assemble(request));
  write_packed(path, *prepare(scene, builder), sources_of(*scene, started, path), true);
  return path;
}

inline std::shared_ptr<const SceneData> loaded(const SceneRequest& request) {
  return std::make_shared<const SceneData>(assemble(request));
}

/// The message with which a packed file is refused.
inline std::string refusal_to_load(const std::string& path) {
  const std::string message = message_of<InputError>(
      [&] { prepare_as_packed(loaded({path}), kDefaultBuilder, "auto", {}); });
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  return message;
}

}  // namespace ballotcast::detail::testing
