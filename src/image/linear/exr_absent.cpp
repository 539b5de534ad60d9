// Stands in for exr.cpp in programs that are built without OpenEXR.
#include "image/checks.hpp"
#include "image/linear/linear_image.hpp"

namespace ballotcast::detail {

namespace {
constexpr const char* kAbsence =
    "OpenEXR is not built in; this program was built without libopenexr-dev";
}

std::vector<u8> encode_exr_channels(u32, u32, const std::vector<ImageChannel>&,
                                    const std::vector<std::pair<std::string, std::string>>&) {
  throw UsageError(kAbsence);
}

LinearFormat exr_format() {
  return {"exr",
          kAbsence,
          [](const std::vector<u8>& bytes) { return begins_with(bytes, "\x76\x2f\x31\x01"); },
          nullptr,
          nullptr,
          nullptr};
}

}  // namespace ballotcast::detail
