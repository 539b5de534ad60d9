#include <algorithm>
#include <cmath>

#include "ballotcast/camera.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail::fuzz {

/// The input is a transforms.json, or COLMAP's cameras.txt and images.txt.
void run_cameras(std::span<const u8> input) {
  std::string path;
  if (!input.empty() && input[0] == '{') {
    path = folder().write("transforms.json", input);
  } else {
    path = folder().write("cameras.txt", next_part(input));
    folder().write("images.txt", input);
  }
  read_or_refused([&] {
    std::vector<FileCamera> cameras = read_cameras(path, 64, 48);
    cameras.resize(std::min<std::size_t>(cameras.size(), 4));
    for (const FileCamera& camera : cameras) {
      require(!camera.name.empty() && camera.name.find('/') == std::string::npos,
              "a name that is none of a file");
      Camera whole;
      override_with(whole, camera.settings());
      for (const dvec3& d : precise_rays(whole, 8, 6).directions)
        require(std::isnan(d.x) || dot(d, d) > 0.0, "a ray without a direction");
    }
  });
}

}  // namespace ballotcast::detail::fuzz
