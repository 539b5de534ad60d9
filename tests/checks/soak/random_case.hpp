// Random scenes, cameras and options, made from a seed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::soak {

/// The tree in a packed copy of a scene.
struct RandomPack {
  std::string builder;
  std::string layout;  // or "auto"
};

/// A step of a motion: the vertices or instances are moved to random places, or back to where they
/// were, and the tree follows. Some instances are hidden meanwhile.
struct RandomStep {
  u32 seed;  // of the places; 0: back
  Follow how;
};

/// How to draw one picture.
struct RandomChoice {
  std::optional<RandomPack> pack;  // if set, a packed copy of the scene is drawn
  RendererOptions renderer;        // without the device
  std::vector<RandomStep> motion;  // what happens first; the last step leads back
  CastOptions cast;
  u32 threads;

  std::string text() const;
};

/// One scene in three consists of instances.
std::shared_ptr<const SceneData> random_scene(testing::Random& random);

/// Random settings for `scene`; they keep the hits.
RenderSettings random_settings(const SceneData& scene, testing::Random& random);

/// A random builder, layout, pipeline, strategy, block size, loop and number of threads; one time
/// in four of a packed copy, of which every second has the tree that is asked for; one time in
/// three after vertices or instances have moved, else one time in three in parts. Scenes of
/// instances can't be packed.
RandomChoice random_choice(const SceneData& scene, testing::Random& random);

/// Sets the vertices or the transforms of `renderer` to random ones; the tree does not follow.
/// `seed` 0: to those of its scene.
void set_pose(Renderer& renderer, u32 seed);

/// A scene that has had these vertices or transforms from the start.
std::shared_ptr<const SceneData> posed(const Scene& scene, u32 seed);

/// Moves the vertices or the instances of `renderer`.
void move(Renderer& renderer, const std::vector<RandomStep>& motion);

/// `scene`, packed in a temporary file and loaded from there. The file is gone afterwards.
std::shared_ptr<const SceneData> packed_copy(const std::shared_ptr<const SceneData>& scene,
                                             const RandomPack& pack);

}  // namespace ballotcast::detail::soak
