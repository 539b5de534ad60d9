#include "render/hashes.hpp"

namespace ballotcast {

namespace {

class Fnv1a {
 public:
  void add(u8 byte) { state_ = (state_ ^ byte) * 0x100000001b3ull; }
  void add(u32 word) {
    for (int shift = 0; shift < 32; shift += 8) add(static_cast<u8>(word >> shift));
  }
  std::string digits() const {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[state_ >> shift & 15u];
    return text;
  }

 private:
  u64 state_ = 0xcbf29ce484222325ull;
};

}  // namespace

std::string hash_of(const Image<Rgb8>& image) {
  Fnv1a hash;
  for (const Rgb8 p : image.pixels)
    for (const u8 channel : {p.r, p.g, p.b}) hash.add(channel);
  return hash.digits();
}

std::string hash_of(std::span<const Hit> hits) {
  Fnv1a hash;
  for (const Hit& h : hits)
    for (const u32 word : {bits_of(h.t), h.primitive, bits_of(h.u), bits_of(h.v)}) hash.add(word);
  return hash.digits();
}

}  // namespace ballotcast
