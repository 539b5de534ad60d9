#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "view/address.hpp"
#include "view/uploads.hpp"
#include "view/wish.hpp"

namespace ballotcast::detail::fuzz {

/// The input is the address of a request to the viewer. What it wishes must be moderate.
void run_request(std::span<const u8> input) {
  const std::string text(input.begin(), input.end());
  read_or_refused([&] {
    const Address address = parsed_address(text);
    const Wish wish = wish_in(UrlQuery(address.values));
    const u64 pixels = u64{wish.settings.width} * wish.settings.height;
    require(pixels > 0 && pixels <= kMostViewPixels, "a picture that is too large");
    require(pixels * wish.settings.samples <= kMostViewRays, "too many rays");
    if (address.values.contains("name"))
      Upload::add(std::make_shared<Upload>(), address.values.at("name"));
  });
}

}  // namespace ballotcast::detail::fuzz
