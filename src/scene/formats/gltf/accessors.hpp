// The typed arrays in the buffers of a glTF file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// The content of an accessor, which is a typed array in a buffer: `width` numbers per element.
/// Normalized integers are converted to fractions.
struct GltfNumbers {
  u32 width = 0;
  std::vector<float> values;

  u32 count() const { return width == 0 ? 0 : static_cast<u32>(values.size() / width); }
  const float* at(u32 index) const { return values.data() + std::size_t{index} * width; }
};

/// Reads an accessor of scalars, vectors or matrices (column by column), and applies its sparse
/// part. Throws InputError, which names the part of the file, if the file does not contain all its
/// bytes.
GltfNumbers read_numbers(GltfFile& file, u32 accessor);

/// Reads an accessor of indices: integers of any size.
std::vector<u32> read_indices(GltfFile& file, u32 accessor);

/// Reads the attributes of vertices and of instances. Each accessor is read once.
class GltfAttributes {
 public:
  explicit GltfAttributes(GltfFile& file) : file_(file) {}

  /// The attribute `name`: vectors of `low` to `high` numbers. The reference is valid until `clear`
  /// is called.
  const GltfNumbers& get(const Section& attributes, const std::string& name, u32 low, u32 high);
  /// An attribute that may be missing, with one element for each of `count` vertices.
  GltfNumbers get_if(const Section& attributes, const std::string& name, u32 low, u32 high,
                     u32 count);
  /// Colours, which may be missing. Integers are converted to fractions, as the format requires,
  /// even if the file does not mark them as normalized.
  GltfNumbers colors_if(const Section& attributes, const std::string& name, u32 count);
  /// The number of values that `get` has read.
  u64 number_count() const { return number_count_; }
  /// Frees the attributes that were read. A later `get` reads them again.
  void clear() { read_.clear(); }
  /// Sets the content of an accessor, which is then not read from the file.
  void put(u32 accessor, GltfNumbers numbers) { read_[accessor] = std::move(numbers); }

 private:
  GltfFile& file_;
  std::map<u32, GltfNumbers> read_;  // by the index of the accessor
  u64 number_count_ = 0;
};

// Compressed parts of glTF files. If the program was built without the library that decodes them,
// there is an error.

/// True if the program was built with libdraco.
bool has_draco();

/// Decodes a primitive that `in`, its extension KHR_draco_mesh_compression, describes. Returns the
/// corners of its triangles, and stores the values of its attributes in `all`. Throws InputError,
/// which names the part of the file, if the primitive is damaged, or far larger than its bytes
/// allow.
std::vector<u32> decode_draco(GltfFile& file, const Section& in, const Section& attributes,
                              GltfAttributes& all);

/// True if the program was built with libmeshoptimizer.
bool has_meshopt();

/// The layout of a buffer view that EXT_meshopt_compression compresses.
struct MeshoptShape {
  u32 count, stride;  // number of elements, and bytes per element
  std::string mode, filter;
};

/// Decodes a compressed buffer view. `in` is the extension, for messages. Throws InputError as
/// decode_draco does.
std::vector<u8> decode_meshopt(const Section& in, const MeshoptShape& shape,
                               std::span<const u8> bytes);

}  // namespace ballotcast::detail
