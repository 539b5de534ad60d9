// Hits files, and the hashes by which hits and pixels are compared.
#include "render/hits_file.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "ballotcast/frame.hpp"
#include "image/color.hpp"
#include "math/ray.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "hits are copied as they are");

constexpr char kMagic[] = {'B', 'C', 'H', 'I', 'T', 'S', '\r', '\n'};
constexpr u32 kHitsVersion = 1;

/// The header of a hits file.
struct Header {
  char magic[8];
  u32 version;
  u32 width;
  u32 height;
  u32 samples;
  u64 count;
};
static_assert(sizeof(Header) == 32);

}  // namespace

std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits) {
  Header header{{}, kHitsVersion, width, height, samples, hits.size()};
  if (header.count != u64{width} * height * samples)
    throw UsageError("hits file: " + std::to_string(hits.size()) + " hits for " +
                     std::to_string(width) + "x" + std::to_string(height) + " pixels of " +
                     std::to_string(samples) + " samples");
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::vector<u8> bytes(sizeof header + hits.size() * sizeof(Hit));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!hits.empty())
    std::memcpy(bytes.data() + sizeof header, hits.data(), hits.size() * sizeof(Hit));
  return bytes;
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::string hash_of(const Image<Rgb8>& image) {
  Fnv1a hash;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Rgb8 p = image.pixels[i];
    for (const u8 channel : {p.r, p.g, p.b}) hash.add(channel);
    if (!image.alpha.empty()) hash.add(plain_code(image.alpha[i]));
  }
  return hash.digits();
}

std::string hash_of(Span<const Hit> hits) {
  const auto words_of = [](const Hit& h) {
    return std::array<u32, 4>{bits_of(h.t), h.triangle, bits_of(h.u), bits_of(h.v)};
  };
  return ParallelFnv(hits.data(), hits.size(), words_of).after({}).digits();
}

}  // namespace ballotcast
