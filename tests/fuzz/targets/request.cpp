#include "view/request.hpp"

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "view/uploads.hpp"

namespace ballotcast::detail::fuzz {

/// The input is the address of a request to the viewer. If it is accepted, the requested picture
/// must be small.
void run_request(std::span<const u8> input) {
  const std::string text(input.begin(), input.end());
  read_or_refused([&] {
    const Address address = parsed_address(text);
    const PictureRequest request = request_in(UrlQuery(address.values));
    const u64 pixels = u64{request.settings.width} * request.settings.height;
    require(pixels > 0 && pixels <= kMostViewPixels, "a picture that is too large");
    require(pixels * request.settings.samples <= kMostViewRays, "too many rays");
    if (address.values.contains("name"))
      Upload::add(std::make_shared<Upload>(), address.values.at("name"));
  });
}

}  // namespace ballotcast::detail::fuzz
