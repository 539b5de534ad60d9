#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "image/codec.hpp"

namespace ballotcast::detail::fuzz {

void run_texture(std::span<const u8> input) {
  read_or_refused([&] {
    const Image<Rgba8> image = decode_image({input.begin(), input.end()}, "a.png");
    require(image.width > 0 && image.height > 0 &&
                image.pixels.size() == u64{image.width} * image.height,
            "a picture without all of its pixels");
  });
}

}  // namespace ballotcast::detail::fuzz
