// Accessors of glTF files: typed arrays in their buffers.
#pragma once

#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// The content of an accessor: `width` numbers per element. Integers that are normalized are
/// fractions already.
struct GltfNumbers {
  u32 width = 0;
  std::vector<float> values;

  u32 count() const { return width == 0 ? 0 : static_cast<u32>(values.size() / width); }
  const float* at(u32 index) const { return values.data() + std::size_t{index} * width; }
};

/// Reads an accessor of scalars or vectors, with what its sparse part replaces.
/// Throws InputError, which names the part of the file, if the file does not have its bytes.
GltfNumbers read_numbers(GltfFile& file, u32 accessor);

/// Reads an accessor of indices: integers of any size.
std::vector<u32> read_indices(GltfFile& file, u32 accessor);

}  // namespace ballotcast::detail
