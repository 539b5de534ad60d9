// What a page wishes to see: the parameters of its requests as settings.
#pragma once

#include <string>

#include "ballotcast/options.hpp"
#include "view/query.hpp"

namespace ballotcast::detail {

/// The largest picture that a page may ask for, and the most samples per pixel and in a picture.
inline constexpr u32 kMostViewPixels = u32{1} << 24, kMostViewSamples = 4096;
inline constexpr u64 kMostViewRays = u64{1} << 32;

/// How a picture is sent.
struct Sending {
  bool jpeg = false;  // else PNG, which keeps every bit
  u32 quality = 80;   // of a JPEG: 1 to 100
};

/// A picture that a page wishes.
struct Wish {
  RenderSettings settings;
  std::string device;           // "": that of the program
  std::string layout, builder;  // "": those of the program
  u32 frame = 0;                // of a scene that moves
  Sending sending;
  std::string page;     // a name that the page has given itself
  u64 number = 0;       // of the request, counted by the page
  bool urgent = false;  // true: the camera moves
};

/// The wish that the parameters state. Throws UsageError for unknown parameters, for values of
/// another form, and for pictures that are too large. Names of rows are checked when it is drawn.
Wish wish_in(const UrlQuery& query);

/// The camera that the parameters state, as far as they do.
CameraSettings camera_in(const UrlQuery& query);

}  // namespace ballotcast::detail
