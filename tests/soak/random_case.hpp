// Random scenes, cameras and options, made from a seed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "helpers/meshes.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast::detail::soak {

/// The tree in a packed copy of a scene.
struct RandomPack {
  std::string_view builder;
  std::string_view layout;  // or "auto"
};

/// How to draw one picture. The names point into tables that live as long as the program.
struct RandomChoice {
  std::optional<RandomPack> pack;  // if set, a packed copy of the scene is drawn
  RendererOptions renderer;        // without the device
  CastOptions cast;
  u32 threads;

  std::string text() const;
};

std::shared_ptr<const SceneData> random_scene(testing::Random& random);

/// Random settings for `scene`; they keep the hits.
RenderSettings random_settings(const SceneData& scene, testing::Random& random);

/// A random builder, layout, pipeline, strategy, block size, loop and number of threads; one time
/// in four of a packed copy, of which every second has the tree that is asked for.
RandomChoice random_choice(testing::Random& random);

/// `scene`, packed in a temporary file and loaded from there. The file is gone afterwards.
std::shared_ptr<const SceneData> packed_copy(const std::shared_ptr<const SceneData>& scene,
                                             const RandomPack& pack);

}  // namespace ballotcast::detail::soak
