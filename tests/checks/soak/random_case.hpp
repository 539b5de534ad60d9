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
  std::string layout;  // a name of layouts(), or "auto"
};

/// A step of a motion: the vertices or instances are moved to random places, or back to where they
/// were, and the tree follows. Some instances are hidden meanwhile.
struct RandomStep {
  u32 seed;  // seed of the random places; 0: moves back
  Follow how;
};

/// How to draw one picture.
struct RandomChoice {
  std::optional<RandomPack> pack;  // if set, a packed copy of the scene is drawn
  RendererOptions renderer;        // all options but the device
  std::vector<RandomStep> motion;  // the steps before the picture; the last one moves back
  CastOptions cast;
  u32 threads;

  std::string text() const;
};

/// Makes a random scene. One in three consists of instances.
std::shared_ptr<const SceneData> random_scene(testing::Random& random);

/// Chooses random settings for a picture of `scene`, always with RenderSettings::keep_hits.
RenderSettings random_settings(const SceneData& scene, testing::Random& random);

/// Chooses a random builder, layout, pipeline, strategy, block size, loop and number of threads.
/// One picture in four is drawn from a packed copy, and every second copy has the tree that the
/// options ask for. For one in three, vertices or instances have moved before; of the others, one
/// in three is drawn in parts. Scenes of instances can't be packed.
RandomChoice random_choice(const SceneData& scene, testing::Random& random);

/// Sets the vertices or the transforms of `renderer` to random ones; does not refit or rebuild the
/// tree. `seed` 0: sets those of the original scene.
void set_pose(Renderer& renderer, u32 seed);

/// Makes a scene that has the vertices or transforms of set_pose() from the start.
std::shared_ptr<const SceneData> posed(const Scene& scene, u32 seed);

/// Moves the vertices or the instances of `renderer`.
void move(Renderer& renderer, const std::vector<RandomStep>& motion);

/// `scene`, packed in a temporary file and loaded from there. The file is gone afterwards.
std::shared_ptr<const SceneData> packed_copy(const std::shared_ptr<const SceneData>& scene,
                                             const RandomPack& pack);

}  // namespace ballotcast::detail::soak
