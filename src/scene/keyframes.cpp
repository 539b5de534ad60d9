#include "scene/keyframes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "scene/json_section.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char *kKeyframes = "keyframes", *kBetween = "between", *kFrame = "frame";

/// A number over time: ascending frames, and the value at each.
struct Track {
  std::vector<double> frames, values;

  double slope(std::size_t i) const {
    return (values[i + 1] - values[i]) / (frames[i + 1] - frames[i]);
  }

  /// The slope of a smooth curve at key i: 0 at both ends and at turning points, and nowhere so
  /// steep that the curve goes beyond its keys (F. Fritsch, R. Carlson, Monotone Piecewise Cubic
  /// Interpolation, 1980).
  double tangent(std::size_t i) const {
    if (i == 0 || i + 1 == values.size()) return 0.0;
    const double before = slope(i - 1), after = slope(i);
    if (before * after <= 0.0) return 0.0;
    const double mean = (values[i + 1] - values[i - 1]) / (frames[i + 1] - frames[i - 1]);
    const double most = 3.0 * std::min(std::abs(before), std::abs(after));
    return std::clamp(mean, -most, most);
  }

  double at(double frame, bool smooth) const {
    if (frame <= frames.front()) return values.front();
    if (frame >= frames.back()) return values.back();
    std::size_t i = 0;
    while (frames[i + 1] <= frame) ++i;
    const double width = frames[i + 1] - frames[i], s = (frame - frames[i]) / width;
    const double change = values[i + 1] - values[i];
    if (!smooth) return values[i] + change * s;
    const double a = tangent(i) * width, b = tangent(i + 1) * width;
    return values[i] + s * (a + s * ((3.0 * change - 2.0 * a - b) + s * (a + b - 2.0 * change)));
  }
};

/// The numbers of one key over time: several, if its value is a list.
struct KeyTracks {
  bool is_list = false;
  std::vector<Track> numbers;

  void add(const Section& in, const std::string& key, const Json& value, double frame) {
    const std::vector<double> now = numbers_in(in, key, value);
    if (numbers.empty()) {
      is_list = value.is_array();
      numbers.resize(now.size());
    }
    if (is_list != value.is_array() || numbers.size() != now.size())
      in.fail(key, "must have the form that it has in the keyframes before");
    for (std::size_t i = 0; i < now.size(); ++i) {
      numbers[i].frames.push_back(frame);
      numbers[i].values.push_back(now[i]);
    }
  }

  Json at(double frame, bool smooth) const {
    if (!is_list) return numbers[0].at(frame, smooth);
    Json list = Json::array();
    for (const Track& track : numbers) list.push_back(track.at(frame, smooth));
    return list;
  }

 private:
  static std::vector<double> numbers_in(const Section& in, const std::string& key,
                                        const Json& value) {
    std::vector<double> numbers;
    if (value.is_number()) numbers.push_back(value.get<double>());
    if (value.is_array())
      for (const Json& element : value) {
        if (!element.is_number()) break;
        numbers.push_back(element.get<double>());
      }
    if (numbers.empty() || (value.is_array() && numbers.size() != value.size()))
      in.fail(key, "can't change from frame to frame: it must be a number or a list of numbers");
    return numbers;
  }
};

bool is_smooth(const Section& in) {
  if (!in.has(kBetween)) return false;
  const std::string between = in.text(kBetween);
  if (between != "linear" && between != "smooth") in.fail(kBetween, "must be linear or smooth");
  return between == "smooth";
}

}  // namespace

bool has_keyframes(const Json& object) {
  return object.is_object() && (object.contains(kKeyframes) || object.contains(kBetween));
}

Json in_frame(const Json& object, const std::string& file, const std::string& name, u32 frame) {
  if (!has_keyframes(object)) return object;
  const Section in(object, file, name);
  const std::vector<Section> keyframes = in.parts(kKeyframes);
  if (keyframes.empty()) in.fail(kKeyframes, "must be a list of at least one keyframe");
  std::map<std::string, KeyTracks> tracks;
  double last = -1.0;
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    const Section& key = keyframes[i];
    const u32 at = key.count(kFrame, 0, kLastFrame);
    if (at <= last) key.fail(kFrame, "must be above that of the keyframe before");
    last = at;
    for (const auto& [name_of_value, value] : in.at(kKeyframes)[i].items())
      if (name_of_value != kFrame) tracks[name_of_value].add(key, name_of_value, value, at);
  }
  const bool smooth = is_smooth(in);
  Json still = object;
  still.erase(kKeyframes);
  still.erase(kBetween);
  for (const auto& [key, values] : tracks) still[key] = values.at(frame, smooth);
  return still;
}

}  // namespace ballotcast::detail
