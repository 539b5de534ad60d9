// A request of a page: the path and the parameters of its URL, and the picture that they ask for.
// All values come from outside, so all are checked here.
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
/// render`. The functions throw UsageError, which names the parameter, for values of another form
/// or out of range. All except text() return nothing for an absent parameter.
class UrlQuery {
 public:
  using Values = std::map<std::string, std::string>;

  explicit UrlQuery(Values values) : values_(std::move(values)) {}

  /// Throws UsageError for a parameter that is not among `known`.
  void require_only(const std::vector<std::string_view>& known) const;

  bool has(const std::string& name) const { return values_.contains(name); }
  /// A text; "" if the parameter is absent.
  std::string text(const std::string& name) const;
  std::optional<double> number(const std::string& name, double low, double high) const;
  std::optional<u32> count(const std::string& name, u32 low, u32 high) const;
  /// Three numbers: x,y,z.
  std::optional<Vec3d> vector(const std::string& name) const;
  /// Two numbers with `between` between them: 640x360, or 12,7.
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

/// The URL of a request, taken apart.
struct Address {
  std::string path;
  UrlQuery::Values values;
};

/// Parses "/picture?eye=1,2,3&shade=lit" and decodes + and %20. Throws UsageError if a parameter is
/// given twice, or if two hexadecimal digits do not follow a %.
Address parsed_address(std::string_view target);

/// The largest picture that a page may ask for, and the most samples per pixel and in a picture.
inline constexpr u32 kMostViewPixels = u32{1} << 24, kMostViewSamples = 4096;
inline constexpr u64 kMostViewRays = u64{1} << 32;

/// How a picture is sent.
struct Sending {
  bool jpeg = false;  // else PNG, which keeps every bit
  u32 quality = 80;   // of a JPEG: 1 to 100
};

/// A picture that a page asks for.
struct PictureRequest {
  RenderSettings settings;
  /// The settings of device and tree that the page states: texts for rows of cast_settings(), by
  /// their keys. The program's settings apply to all others.
  std::map<std::string, std::string, std::less<>> where;
  u32 frame = 0;  // of a scene that moves
  Sending sending;
  std::string page;     // a name that the page has given itself
  u64 number = 0;       // of the request, counted by the page
  bool urgent = false;  // true: answered before others, for a moving camera

  /// The device that the page states; "" if it states none, which means the program's device.
  std::string device() const {
    const auto given = where.find("device");
    return given == where.end() ? "" : given->second;
  }
};

/// The request that the parameters state. Throws UsageError for unknown parameters, for values of
/// another form, and for pictures that are too large.
PictureRequest request_in(const UrlQuery& query);

/// The camera settings among the parameters; members without a parameter stay empty.
CameraSettings camera_in(const UrlQuery& query);

}  // namespace ballotcast::detail
