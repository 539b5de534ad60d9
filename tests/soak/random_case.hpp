// Scenes, cameras and options at random, from a seed.
#pragma once

#include <memory>
#include <string>

#include "helpers/meshes.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast::detail::soak {

/// How one picture is drawn; names point into tables that live as long as the program.
struct RandomChoice {
  RendererOptions renderer;  // but for the device
  CastOptions cast;
  u32 threads;

  std::string text() const;
};

std::shared_ptr<const SceneData> random_scene(testing::Random& random);

/// Of `scene`; keeps hits.
RenderSettings random_settings(const SceneData& scene, testing::Random& random);

/// Builder, layout, pipeline, strategy, block size, loop and threads.
RandomChoice random_choice(testing::Random& random);

}  // namespace ballotcast::detail::soak
