// Decodes buffers of glTF files that meshoptimizer compressed. Only this file includes the library.
#include "scene/formats/gltf/accessors.hpp"
#ifdef BALLOTCAST_HAS_MESHOPT
#include <meshoptimizer.h>
#endif

namespace ballotcast::detail {

#ifdef BALLOTCAST_HAS_MESHOPT

bool has_meshopt() { return true; }

namespace {

/// The largest number of bytes that one compressed byte may become. The codec of vertices stores 16
/// constant bytes in 2 bits, which is a factor of 64, and the other codecs compress less. The limit
/// is twice this factor, because the ends of streams differ.
constexpr u64 kMostGrowth = 128;

/// Throws InputError for defects about which the library only asserts.
void require_shape(const Section& in, const MeshoptShape& shape, u64 bytes) {
  const u32 stride = shape.stride;
  const bool fits = shape.mode == "ATTRIBUTES" ? stride % 4 == 0 && stride <= 256
                    : shape.mode == "TRIANGLES"
                        ? (stride == 2 || stride == 4) && shape.count % 3 == 0
                    : shape.mode == "INDICES" ? stride == 2 || stride == 4
                                              : false;
  if (!fits || stride == 0)
    in.fail("has an unknown mode, or a count or byteStride that does not fit");
  const std::string& filter = shape.filter;
  const bool filters = filter == "NONE"          ? true
                       : filter == "OCTAHEDRAL"  ? stride == 4 || stride == 8
                       : filter == "QUATERNION"  ? stride == 8
                       : filter == "EXPONENTIAL" ? stride % 4 == 0
                                                 : false;
  if (!filters || (filter != "NONE" && shape.mode != "ATTRIBUTES"))
    in.fail("has an unknown filter, or a byteStride that does not fit it");
  if (u64{shape.count} * stride > kMostGrowth * (bytes + 64))
    in.fail("count", "claims " + std::to_string(u64{shape.count} * stride) + " bytes in " +
                         std::to_string(bytes));
}

}  // namespace

std::vector<u8> decode_meshopt(const Section& in, const MeshoptShape& shape,
                               std::span<const u8> bytes) {
  require_shape(in, shape, bytes.size());
  const u32 count = shape.count, stride = shape.stride;
  std::vector<u8> out(u64{count} * stride);
  int (*decode)(void*, std::size_t, std::size_t, const u8*, std::size_t) =
      meshopt_decodeVertexBuffer;
  if (shape.mode == "TRIANGLES") decode = meshopt_decodeIndexBuffer;
  if (shape.mode == "INDICES") decode = meshopt_decodeIndexSequence;
  if (decode(out.data(), count, stride, bytes.data(), bytes.size()) != 0)
    in.fail("is damaged, or compressed by a later version of meshoptimizer");
  if (shape.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(out.data(), count, stride);
  if (shape.filter == "QUATERNION") meshopt_decodeFilterQuat(out.data(), count, stride);
  if (shape.filter == "EXPONENTIAL") meshopt_decodeFilterExp(out.data(), count, stride);
  return out;
}

#else

bool has_meshopt() { return false; }

std::vector<u8> decode_meshopt(const Section& in, const MeshoptShape&, std::span<const u8>) {
  in.fail("is compressed, and this program was built without libmeshoptimizer-dev");
}

#endif

}  // namespace ballotcast::detail
