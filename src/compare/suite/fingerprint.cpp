#include "compare/suite/fingerprint.hpp"

#include "support/fnv.hpp"

namespace ballotcast::detail {

std::string fingerprint(std::string_view bytes) {
  Fnv1a hash;
  for (const char byte : bytes) hash.add(static_cast<std::uint8_t>(byte));
  return hash.digits();
}

std::string fingerprint(const std::vector<u8>& bytes) {
  return fingerprint({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string fingerprint(const SampledImage& image) {
  Fnv1a hash;
  for (const u32 word : {image.width, image.height, image.channels, image.depth}) hash.add(word);
  for (const u16 sample : image.samples) {
    hash.add(static_cast<u8>(sample));
    if (image.depth > 8) hash.add(static_cast<u8>(sample >> 8));
  }
  return hash.digits();
}

}  // namespace ballotcast::detail
