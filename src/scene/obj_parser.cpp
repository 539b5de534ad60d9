#include "scene/obj_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <unordered_map>

#include "support/error.hpp"

namespace ballotcast {
namespace {

using i64 = std::int64_t;

/// Of free-form curves and surfaces, and what belongs to them.
constexpr std::array<std::string_view, 17> kCurves = {
    "vp",   "cstype", "deg",  "bmat", "step", "curv", "curv2",   "surf", "parm",
    "trim", "hole",   "scrv", "sp",   "end",  "con",  "curv_2d", "res"};

/// What says nothing about what is drawn here.
constexpr std::array<std::string_view, 19> kIgnored = {
    "o",    "g",          "s",         "mg",    "bevel", "c_interp", "d_interp",
    "lod",  "shadow_obj", "trace_obj", "ctech", "stech", "maplib",   "usemap",
    "call", "csh",        "bsp",       "bzp",   "cdc"};

bool among(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// `text` up to the first word that begins a comment.
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || is_blank(text[i - 1]))) return text.substr(0, i);
  return text;
}

class Parser {
 public:
  Parser(std::vector<u8>& bytes, const std::string& name) : lines_(bytes), name_(name) {
    obj_.material_names.emplace_back();
    obj_.material_lines.push_back(0);
  }

  ObjText parse() {
    while (lines_.next()) read_line();
    return std::move(obj_);
  }

 private:
  void read_line() {
    std::string_view text = lines_.line();
    const std::string_view word = next_word(text);
    if (word.empty() || word.front() == '#') return;
    if (word == "v" || word == "vn" || word == "vt" || word == "f" || word == "fo" || word == "l" ||
        word == "p") {
      const std::size_t skip = static_cast<std::size_t>(text.data() - lines_.line().data());
      lines_.join_continued();
      text = lines_.line().substr(skip);
      text = without_comment(text);
    }
    if (word == "v") {
      obj_.positions.push_back(vector(text));
    } else if (word == "f" || word == "fo") {
      read_face(text);
    } else if (word == "vn") {
      obj_.normals.push_back(vector(text));
    } else if (word == "vt") {
      const dvec3 place = numbers(text, 1);
      obj_.texcoords.emplace_back(static_cast<float>(place.x), static_cast<float>(place.y));
    } else if (word == "usemtl") {
      use_material(std::string(trimmed(text)));
    } else if (word == "mtllib") {
      add_library(std::string(trimmed(text)));
    } else if (word == "l" || word == "p") {
      obj_.lines_and_points.note(lines_.number());
    } else if (among(word, kCurves)) {
      obj_.curves.note(lines_.number());
    } else if (!among(word, kIgnored)) {
      obj_.unknown.note(lines_.number());
    }
  }

  dvec3 vector(std::string_view text) { return numbers(text, 3); }

  /// The first three numbers of `text`, of which `needed` should be there; missing ones are 0.
  dvec3 numbers(std::string_view text, int needed) {
    dvec3 v(0.0);
    bool all_numbers = true;
    int given = 0;
    for (; given < 3; ++given) {
      const std::string_view word = next_word(text);
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

  /// An index from 0 of one that counts from 1, or backwards from the `count` given so far; takes
  /// it off the front of `text`.
  static i32 take_index(std::string_view& text, std::size_t count) {
    i64 index = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (error != std::errc() || index == 0) return kInvalid;
    const i64 place = index > 0 ? index - 1 : static_cast<i64>(count) + index;
    const bool fits = place >= 0 && place <= std::numeric_limits<i32>::max();
    return fits ? static_cast<i32>(place) : kInvalid;
  }

  /// A corner is `1`, `1/2`, `1//3` or `1/2/3`.
  ObjCorner corner_of(std::string_view word) const {
    ObjCorner corner{take_index(word, obj_.positions.size()), kAbsent, kAbsent};
    const auto take_slash = [&] {
      if (!word.starts_with('/')) return false;
      word.remove_prefix(1);
      return true;
    };
    if (take_slash()) {
      if (!word.empty() && word.front() != '/')
        corner.texcoord = take_index(word, obj_.texcoords.size());
      if (take_slash() && !word.empty()) corner.normal = take_index(word, obj_.normals.size());
    }
    if (!word.empty()) corner.position = kInvalid;
    return corner;
  }

  void read_face(std::string_view text) {
    const std::size_t first = obj_.corners.size();
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text))
      obj_.corners.push_back(corner_of(word));
    if (obj_.corners.size() > std::numeric_limits<u32>::max())
      throw InputError(name_ + ": more face corners than 32 bits can number");
    obj_.faces.push_back({static_cast<u32>(first), static_cast<u32>(obj_.corners.size() - first),
                          lines_.number(), material_});
  }

  void use_material(const std::string& name) {
    const auto [entry, is_new] =
        material_index_.try_emplace(name, static_cast<u32>(obj_.material_names.size()));
    if (is_new) {
      obj_.material_names.push_back(name);
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
  ObjText obj_;
  std::unordered_map<std::string, u32> material_index_{{"", 0}};
  u32 material_ = 0;
};

}  // namespace

ObjText parse_obj(std::vector<u8> bytes, const std::string& name) {
  require_bytewise(bytes, name);
  return Parser(bytes, name).parse();
}

}  // namespace ballotcast
