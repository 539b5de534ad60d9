#include <array>

#include "ballotcast/frame.hpp"
#include "math/ray.hpp"
#include "support/parallel_fnv.hpp"

namespace ballotcast {

using namespace detail;

std::string hash_of(const Image<Rgb8>& image) {
  Fnv1a hash;
  for (const Rgb8 p : image.pixels)
    for (const u8 channel : {p.r, p.g, p.b}) hash.add(channel);
  return hash.digits();
}

std::string hash_of(Span<const Hit> hits) {
  const auto words_of = [](const Hit& h) {
    return std::array<u32, 4>{bits_of(h.t), h.triangle, bits_of(h.u), bits_of(h.v)};
  };
  return ParallelFnv(hits.data(), hits.size(), words_of).after({}).digits();
}

}  // namespace ballotcast
