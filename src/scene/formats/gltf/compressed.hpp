// Compressed parts of glTF files. Each library that decodes them may be missing from a program; the
// files *_absent.cpp stand in for it.
#pragma once

#include <string>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"

namespace ballotcast::detail {

/// True if the program was built with libdraco.
bool has_draco();

/// Decodes a primitive that `in`, its extension KHR_draco_mesh_compression, describes. Returns the
/// corners of its triangles, and gives `all` what the accessors of its attributes hold. Throws
/// InputError, which names the part of the file, if it is damaged, or far larger than its bytes.
std::vector<u32> decode_draco(GltfFile& file, const Section& in, const Section& attributes,
                              GltfAttributes& all);

/// True if the program was built with libmeshoptimizer.
bool has_meshopt();

/// The layout of a buffer view that EXT_meshopt_compression compresses.
struct MeshoptShape {
  u32 count, stride;  // elements, and bytes of each
  std::string mode, filter;
};

/// Decodes such a view from `bytes`. `in` is the extension, for messages. Throws InputError as
/// above.
std::vector<u8> decode_meshopt(const Section& in, const MeshoptShape& shape,
                               std::span<const u8> bytes);

}  // namespace ballotcast::detail
