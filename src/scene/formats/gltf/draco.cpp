// Decodes meshes of glTF files that Draco compressed. Only this file includes the library.
#include <algorithm>
#include <memory>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/meshes.hpp"
#ifdef BALLOTCAST_HAS_DRACO
#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>
#endif

namespace ballotcast::detail {

#ifdef BALLOTCAST_HAS_DRACO

bool has_draco() { return true; }

namespace {

/// The largest number of triangles per byte that a file may claim. Real files have one or less.
constexpr u64 kMostTrianglesPerByte = 32;

/// The numbers of triangles and vertices that compressed bytes claim.
struct Claim {
  u32 triangles, vertices;
};

/// Reads only the header of the compressed bytes. (Google, Draco Bitstream Specification 2.2,
/// sections 3 to 5.)
Claim claim_of(const Section& in, draco::DecoderBuffer buffer) {
  constexpr u8 kEdgebreaker = 1;
  draco::DracoHeader header;
  if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok())
    in.fail("has no Draco mesh in its buffer view");
  const u32 version = DRACO_BITSTREAM_VERSION(header.version_major, header.version_minor);
  if (version < DRACO_BITSTREAM_VERSION(2, 2))
    in.fail("is Draco " + std::to_string(header.version_major) + "." +
            std::to_string(header.version_minor) + "; 2.2 is read");
  if (header.encoder_type != draco::TRIANGULAR_MESH) in.fail("is no mesh of triangles");
  buffer.set_bitstream_version(static_cast<std::uint16_t>(version));
  draco::GeometryMetadata metadata;
  bool good = (header.flags & METADATA_FLAG_MASK) == 0 ||
              draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata);
  u8 traversal = 0;
  if (header.encoder_method == kEdgebreaker) good = good && buffer.Decode(&traversal);
  u32 first = 0, second = 0;
  good = good && draco::DecodeVarint(&first, &buffer) && draco::DecodeVarint(&second, &buffer);
  if (!good) in.fail("is a damaged Draco mesh");
  if (header.encoder_method == kEdgebreaker) return {second, first};
  return {first, second};
}

std::unique_ptr<draco::Mesh> decoded(const Section& in, std::span<const u8> bytes) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Claim claim = claim_of(in, buffer);
  const u64 most = std::min<u64>(kMostInGltf, 65536 + kMostTrianglesPerByte * bytes.size());
  if (claim.triangles > most || claim.vertices > 3 * most)
    in.fail("claims " + std::to_string(claim.triangles) + " triangles and " +
            std::to_string(claim.vertices) + " vertices in " + std::to_string(bytes.size()) +
            " bytes");
  auto mesh = draco::Decoder().DecodeMeshFromBuffer(&buffer);
  if (!mesh.ok()) in.fail("is a damaged Draco mesh: " + mesh.status().error_msg_string());
  return std::move(mesh).value();
}

/// The values of an attribute for each vertex, converted according to the accessor `in`.
GltfNumbers numbers_of(const Section& in, const draco::Mesh& mesh, draco::PointAttribute& from) {
  GltfNumbers numbers;
  const std::string type = in.text("type");
  numbers.width = from.num_components();
  if (type != (numbers.width == 1 ? "SCALAR" : "VEC" + std::to_string(numbers.width)))
    in.fail("type", "is not that of the compressed attribute, which has " +
                        std::to_string(numbers.width) + " components");
  // The library does not check the end of the values.
  const i64 end = from.byte_offset() + from.byte_stride() * static_cast<i64>(from.size());
  if (end > static_cast<i64>(from.buffer()->data_size())) in.fail("has too few compressed values");
  from.set_normalized(in.has("normalized") && in.flag("normalized"));
  numbers.values.resize(u64{mesh.num_points()} * numbers.width);
  for (u32 i = 0; i < mesh.num_points(); ++i) {
    const draco::AttributeValueIndex at = from.mapped_index(draco::PointIndex(i));
    if (at.value() >= from.size() ||
        !from.ConvertValue<float>(at, static_cast<std::int8_t>(numbers.width),
                                  numbers.values.data() + u64{i} * numbers.width))
      in.fail("has a compressed attribute that is damaged, or of an unknown type");
  }
  return numbers;
}

}  // namespace

std::vector<u32> decode_draco(GltfFile& file, const Section& in, const Section& attributes,
                              GltfAttributes& all) {
  const std::unique_ptr<draco::Mesh> mesh =
      decoded(in, file.view(file.index(in, "bufferView", "bufferViews")));
  const Section ids = in.object("attributes");
  for (const auto& [name, id] : in.at("attributes").items()) {
    if (!attributes.has(name.c_str())) continue;
    const u32 accessor = file.index(attributes, name.c_str(), "accessors");
    const i32 index = mesh->GetAttributeIdByUniqueId(ids.count(name.c_str(), 0, 0x7fffffff));
    if (index < 0) ids.fail(name, "is not in the compressed mesh");
    all.put(accessor, numbers_of(file.item("accessors", accessor), *mesh, *mesh->attribute(index)));
  }
  std::vector<u32> corners;
  corners.reserve(u64{mesh->num_faces()} * 3);
  for (u32 i = 0; i < mesh->num_faces(); ++i)
    for (const draco::PointIndex& corner : mesh->face(draco::FaceIndex(i)))
      corners.push_back(corner.value());
  return corners;
}

#else

bool has_draco() { return false; }

std::vector<u32> decode_draco(GltfFile&, const Section& in, const Section&, GltfAttributes&) {
  in.fail("is compressed by Draco, and this program was built without libdraco-dev");
}

#endif

}  // namespace ballotcast::detail
