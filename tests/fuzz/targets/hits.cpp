#include <algorithm>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "render/hits_file.hpp"

namespace ballotcast::detail::fuzz {

/// A file that can be read as hits must give the same bytes when written again.
void run_hits(std::span<const u8> input) {
  const std::string path = folder().write("a.hits", input);
  read_or_refused([&] {
    const HitsFile file = read_hits(path);
    const std::vector<u8> again = encode_hits(file.width, file.height, file.samples, file.hits);
    require(std::ranges::equal(again, input), "hits that change when they are written");
  });
}

}  // namespace ballotcast::detail::fuzz
