// Parses the request of a page: the path and the parameters of its URL, and the picture that they
// request. All values come from outside, so all are checked here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ballotcast/options.hpp"
#include "ballotcast/scene.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// The parameters of a request, by name. Their names are those of the options of `ballotcast
/// render`. The functions throw UsageError, which names the parameter, for values that are out of
/// range or can't be parsed. All except text() return nothing for an absent parameter.
class UrlQuery {
 public:
  using Values = std::map<std::string, std::string>;

  explicit UrlQuery(Values values) : values_(std::move(values)) {}

  /// Throws UsageError for a parameter that is not among `known`.
  void require_only(const std::vector<std::string_view>& known) const;

  bool has(const std::string& name) const { return values_.contains(name); }
  /// The value as text; "" if the parameter is absent.
  std::string text(const std::string& name) const;
  std::optional<double> number(const std::string& name, double low, double high) const;
  std::optional<u32> count(const std::string& name, u32 low, u32 high) const;
  /// The value as three numbers: x,y,z.
  std::optional<Vec3d> vector(const std::string& name) const;
  /// The value as two numbers with `between` between them: 640x360, or 12,7.
  std::optional<std::pair<u32, u32>> pair(const std::string& name, char between, u32 low,
                                          u32 high) const;
  /// Calls `set` with the value, if the parameter is present.
  template <class Set>
  void with(const std::string& name, const Set& set) const {
    if (has(name)) set(text(name));
  }

 private:
  Values values_;
};

/// The parts of the URL of a request.
struct Address {
  std::string path;
  UrlQuery::Values values;
};

/// Parses a URL such as "/picture?eye=1,2,3&shade=lit", and decodes + and %20. Throws UsageError if
/// a parameter is given twice, or if a % is not followed by two hexadecimal digits.
Address parsed_address(std::string_view target);

/// Limits for pages: the pixels of a picture, and the samples per pixel and per picture.
inline constexpr u32 kMostViewPixels = u32{1} << 24, kMostViewSamples = 4096;
inline constexpr u64 kMostViewRays = u64{1} << 32;

/// The format in which a picture is sent.
struct Sending {
  bool jpeg = false;  // true for JPEG; false for PNG, which keeps every bit
  u32 quality = 80;   // quality of a JPEG, from 1 to 100
};

/// A picture that a page requests.
struct PictureRequest {
  RenderSettings settings;
  /// The settings of device and tree that the page has chosen: the text for each row of
  /// cast_settings(), by its key. All other settings are those with which the program was started.
  std::map<std::string, std::string, std::less<>> machine_and_tree;
  u32 frame = 0;  // number of the frame, in a scene that moves
  Sending sending;
  std::string page;     // the page's name, which it has chosen itself
  u64 number = 0;       // number of the request, counted by the page
  bool urgent = false;  // true for a moving camera: answered before other requests

  /// The device that the page has chosen; "" for the program's device.
  std::string device() const {
    const auto chosen = machine_and_tree.find("device");
    return chosen == machine_and_tree.end() ? "" : chosen->second;
  }
};

/// Makes the request from its parameters. Throws UsageError for unknown parameters, for values that
/// can't be parsed, and for pictures that are too large.
PictureRequest request_in(const UrlQuery& query);

/// The camera settings among the parameters. Members without a parameter are left empty.
CameraSettings camera_in(const UrlQuery& query);

}  // namespace ballotcast::detail
