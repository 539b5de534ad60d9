// Checks what a packed file says about a scene.
#pragma once

#include "scene/scene.hpp"
#include "support/packed_file.hpp"

namespace ballotcast::detail {

/// Throws InputError, which names `file`, unless kernels can use every index, number and size of
/// `scene`, which was read from it: what the loaders promise about scenes must hold, because a file
/// with right checksums may still be made to do harm.
void require_usable(const SceneData& scene, const PackedFile& file);

}  // namespace ballotcast::detail
