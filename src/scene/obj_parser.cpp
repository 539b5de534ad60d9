// This is the only file that includes tinyobjloader.
//
// It uses the callback interface, which skips single bad faces instead of rejecting the whole file,
// and which keeps polygons whole (see polygon.hpp). tinyobjloader gets one line at a time, so the
// line number of each element is known. Invalid indices are replaced beforehand. Numbers are parsed
// again, because tinyobjloader computes them with pow and so does not round them correctly.
#include "scene/obj_parser.hpp"

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <istream>
#include <limits>
#include <span>
#include <streambuf>
#include <unordered_map>

#include "scene/vertex_color.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

using i64 = std::int64_t;

/// Keywords of free-form curves and surfaces.
constexpr std::array<std::string_view, 21> kCurves = {
    "vp",   "cstype", "deg", "bmat", "step",    "curv", "curv2", "surf", "parm", "trim", "hole",
    "scrv", "sp",     "end", "con",  "curv_2d", "res",  "bsp",   "bzp",  "cdc",  "cdp"};

/// Keywords that have no effect on the picture.
constexpr std::array<std::string_view, 14> kIgnored = {
    "o",   "g",          "s",         "mg",    "bevel", "c_interp", "d_interp",
    "lod", "shadow_obj", "trace_obj", "ctech", "stech", "maplib",   "usemap"};

bool among(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// `text` up to the first word that starts with `#`.
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || is_blank(text[i - 1]))) return text.substr(0, i);
  return text;
}

/// Stands for an invalid index. It counts back from the end, farther than any list is long, so
/// `resolve` gives kInvalid.
constexpr std::string_view kNoIndex = "-2000000000";

bool is_index(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  constexpr std::size_t kMostDigits = 9;  // no file can contain more elements than that
  return !text.empty() && text.size() <= kMostDigits &&
         text.find_first_not_of("0123456789") == text.npos &&
         text.find_first_not_of('0') != text.npos;
}

/// Appends a corner `1`, `1/2`, `1//3` or `1/2/3`, with kNoIndex in place of invalid indices.
void append_corner(std::string_view corner, std::string& to) {
  if (std::count(corner.begin(), corner.end(), '/') > 2) {
    to += kNoIndex;
    return;
  }
  for (bool first = true;; first = false) {
    const std::size_t slash = corner.find('/');
    const std::string_view part = corner.substr(0, slash);
    if (!part.empty() || first) to += is_index(part) ? part : kNoIndex;
    if (slash == corner.npos) return;
    to += '/';
    corner.remove_prefix(slash + 1);
  }
}

/// The stream that tinyobjloader reads from, and the callbacks that it calls.
class Parser : std::streambuf {
 public:
  Parser(std::vector<u8>& bytes, const std::string& name) : lines_(bytes), name_(name) {
    obj_.material_names.emplace_back();
    obj_.material_lines.push_back(0);
  }

  ObjText parse() {
    std::istream stream(this);
    // The stream would otherwise swallow exceptions that `underflow` throws.
    stream.exceptions(std::ios::badbit);
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = [](void* self, double, double, double, double) {
      Parser& p = of(self);
      p.mesh_.positions.push_back(p.numbers(3));
      p.add_color();
    };
    callbacks.normal_cb = [](void* self, double, double, double) {
      Parser& p = of(self);
      p.mesh_.normals.push_back(p.numbers(3));
    };
    callbacks.texcoord_cb = [](void* self, double, double, double) {
      Parser& p = of(self);
      const dvec3 place = p.numbers(1);
      p.mesh_.texcoords.emplace_back(static_cast<float>(place.x), static_cast<float>(place.y));
    };
    callbacks.index_cb = [](void* self, tinyobj::index_t* indices, int count) {
      of(self).add_face({indices, static_cast<std::size_t>(count)});
    };
    callbacks.usemtl_cb = [](void* self, const char*, int) { of(self).use_material(); };
    tinyobj::LoadObjWithCallback(stream, callbacks, this);
    if (!mesh_.colors.empty()) mesh_.colors.resize(mesh_.positions.size(), vec3(1.0f));
    mesh_.has_lines_or_points = obj_.lines_and_points.count != 0;
    return std::move(obj_);
  }

 private:
  static Parser& of(void* self) { return *static_cast<Parser*>(self); }

  /// Gives tinyobjloader its next line.
  int_type underflow() override {
    do {
      if (!lines_.next()) return traits_type::eof();
    } while (!prepare());
    fed_ += '\n';
    setg(fed_.data(), fed_.data(), fed_.data() + fed_.size());
    return traits_type::to_int_type(fed_.front());
  }

  /// Prepares the current line for tinyobjloader: puts it into `fed_`, and the part after its
  /// keyword into `rest_`. Returns false if tinyobjloader does not need the line; then it has been
  /// handled here.
  bool prepare() {
    rest_ = lines_.line();
    const std::string_view word = next_word(rest_);
    if (word.empty() || word.front() == '#') return false;
    const bool is_face = word == "f" || word == "fo";
    const bool is_numbers = word == "v" || word == "vn" || word == "vt";
    if (is_face || is_numbers || word == "l" || word == "p") {
      const std::size_t skip = static_cast<std::size_t>(rest_.data() - lines_.line().data());
      lines_.join_continued();
      rest_ = without_comment(lines_.line().substr(skip));
    }
    if (is_face) return feed_face();
    if (is_numbers || word == "usemtl") {
      // Numbers and names are read from `rest_`, so tinyobjloader gets a constant.
      fed_.assign(word);
      fed_ += " 0 0 0";
      return true;
    }
    if (word == "mtllib")
      add_library(std::string(trimmed(rest_)));
    else if (word == "l" || word == "p")
      obj_.lines_and_points.note(lines_.number());
    else if (among(word, kCurves))
      obj_.curves.note(lines_.number());
    else if (word == "call" || word == "csh")
      obj_.commands.note(lines_.number());
    else if (!among(word, kIgnored))
      obj_.unknown.note(lines_.number());
    return false;
  }

  bool feed_face() {
    fed_ = "f";
    for (std::string_view word = next_word(rest_); !word.empty(); word = next_word(rest_)) {
      fed_ += ' ';
      append_corner(word, fed_);
    }
    if (fed_.size() > 1) return true;
    add_face({});  // tinyobjloader does not report a face without corners
    return false;
  }

  /// The first three numbers of the line. Missing numbers are 0; if fewer than `needed` are there,
  /// the line is noted. Words that are not numbers become NaN, and the line is noted, except for
  /// the third of a texture coordinate.
  dvec3 numbers(int needed) {
    dvec3 v(0.0);
    bool all_numbers = true;
    int given = 0;
    for (; given < 3; ++given) {
      const std::string_view word = next_word(rest_);
      if (word.empty()) break;
      const std::optional<double> number = number_of(word);
      all_numbers = all_numbers && (number || given >= std::max(needed, 2));
      v[given] = number.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    if (!all_numbers)
      obj_.no_numbers.note(lines_.number());
    else if (given < needed)
      obj_.too_few.note(lines_.number());
    return v;
  }

  /// Reads the colour behind the coordinates of a vertex, if there is one. A single number there is
  /// a weight, which has no effect.
  void add_color() {
    dvec3 color(0.0);
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = next_word(rest_);
      if (word.empty()) return;
      color[i] = number_of(word).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    bool fits = true;
    mesh_.colors.resize(mesh_.positions.size() - 1, vec3(1.0f));
    mesh_.colors.push_back(linear_vertex_color(color, fits));
    if (!fits) obj_.colors.note(lines_.number());
  }

  /// Converts an index of the file to an index from 0. In the file, positive indices count from 1,
  /// and negative ones count back from the last of the `count` elements so far.
  static i32 resolve(int index, std::size_t count) {
    if (index > 0) return index - 1;
    const i64 from_end = static_cast<i64>(count) + index;
    return index == 0 || from_end < 0 ? kInvalid : static_cast<i32>(from_end);
  }

  void add_face(std::span<const tinyobj::index_t> corners) {
    if (mesh_.corners.size() + corners.size() > std::numeric_limits<u32>::max())
      throw InputError(name_ + ": too many face corners (more than 2^32)");
    mesh_.faces.push_back({static_cast<u32>(mesh_.corners.size()), static_cast<u32>(corners.size()),
                           material_, lines_.number()});
    // tinyobjloader gives 0 for an index that is left out.
    const auto optional = [](int index, std::size_t count) {
      return index == 0 ? kAbsent : resolve(index, count);
    };
    for (const tinyobj::index_t& given : corners)
      mesh_.corners.push_back({resolve(given.vertex_index, mesh_.positions.size()),
                               optional(given.texcoord_index, mesh_.texcoords.size()),
                               optional(given.normal_index, mesh_.normals.size())});
  }

  void use_material() {
    const auto [entry, is_new] = material_index_.try_emplace(
        std::string(trimmed(rest_)), static_cast<u32>(obj_.material_names.size()));
    if (is_new) {
      obj_.material_names.push_back(entry->first);
      obj_.material_lines.push_back(lines_.number());
    }
    material_ = entry->second;
  }

  void add_library(const std::string& names) {
    if (obj_.libraries.empty() || obj_.libraries.back().names != names)
      obj_.libraries.push_back({names, lines_.number()});
  }

  Lines lines_;
  const std::string& name_;
  std::string fed_;        // the line that tinyobjloader gets
  std::string_view rest_;  // the rest of the line in the file
  ObjText obj_;
  FileMesh& mesh_ = obj_.mesh;
  std::unordered_map<std::string, u32> material_index_{{"", 0}};
  u32 material_ = 0;
};

}  // namespace

ObjText parse_obj(std::vector<u8> bytes, const std::string& name) {
  require_bytewise(bytes, name);
  return Parser(bytes, name).parse();
}

}  // namespace ballotcast::detail
