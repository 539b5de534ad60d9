// Random scenes, cameras and options, made from a seed.
#pragma once

#include <memory>
#include <string>

#include "helpers/meshes.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast::detail::soak {

/// How to draw one picture. The names point into tables that live as long as the program.
struct RandomChoice {
  RendererOptions renderer;  // without the device
  CastOptions cast;
  u32 threads;

  std::string text() const;
};

std::shared_ptr<const SceneData> random_scene(testing::Random& random);

/// Random settings for `scene`; they keep the hits.
RenderSettings random_settings(const SceneData& scene, testing::Random& random);

/// A random builder, layout, pipeline, strategy, block size, loop and number of threads.
RandomChoice random_choice(testing::Random& random);

}  // namespace ballotcast::detail::soak
