#include "ballotcast/frame.hpp"
#include "math/ray.hpp"
#include "support/fnv.hpp"

namespace ballotcast {

using namespace detail;

std::string hash_of(const Image<Rgb8>& image) {
  Fnv1a hash;
  for (const Rgb8 p : image.pixels)
    for (const u8 channel : {p.r, p.g, p.b}) hash.add(channel);
  return hash.digits();
}

std::string hash_of(Span<const Hit> hits) {
  Fnv1a hash;
  for (const Hit& h : hits)
    for (const u32 word : {bits_of(h.t), h.triangle, bits_of(h.u), bits_of(h.v)}) hash.add(word);
  return hash.digits();
}

}  // namespace ballotcast
