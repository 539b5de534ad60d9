#include <algorithm>
#include <array>
#include <cmath>

#include "scene/formats/obj/mtl_materials.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

/// An option of `map_` lines. It takes up to `most` numbers; if `most` is 0, one word.
struct MapOption {
  std::string_view name;
  int most;
};

constexpr std::array<MapOption, 12> kMapOptions = {{{"-s", 3},
                                                    {"-o", 3},
                                                    {"-t", 3},
                                                    {"-mm", 2},
                                                    {"-bm", 1},
                                                    {"-boost", 1},
                                                    {"-texres", 1},
                                                    {"-clamp", 0},
                                                    {"-blendu", 0},
                                                    {"-blendv", 0},
                                                    {"-cc", 0},
                                                    {"-imfchan", 0}}};

const MapOption* map_option_called(std::string_view name) {
  for (const MapOption& option : kMapOptions)
    if (option.name == name) return &option;
  return nullptr;
}

/// Removes the values of an option from the front of `rest` and applies them to `map`, or records
/// there that they are not supported. The last word of the line is never removed, because it is the
/// file name.
void take_option(const MapOption& option, std::string_view& rest, MtlMap& map) {
  std::vector<double> numbers;
  std::string_view word;
  for (int i = 0; i < std::max(option.most, 1); ++i) {
    std::string_view after = rest;
    word = next_word(after);
    const std::optional<double> number = number_of(word);
    if (trimmed(after).empty() || (option.most > 0 && !number)) break;
    rest = after;
    if (number) numbers.push_back(*number);
  }
  const auto number = [&](std::size_t i, double missing) {
    return static_cast<float>(i < numbers.size() ? numbers[i] : missing);
  };
  const auto all_are = [&](double value) {
    for (const double listed : numbers)
      if (listed != value) return false;
    return true;
  };
  const auto place = [&](vec2& to, double missing) {
    const vec2 numbers_of_map{number(0, missing), number(1, missing)};
    if (is_finite(numbers_of_map)) to = numbers_of_map;
    return is_finite(numbers_of_map);
  };
  bool honored = true;
  if (option.name == "-s")
    honored = place(map.scale, 1.0);
  else if (option.name == "-o")
    honored = place(map.offset, 0.0);
  else if (option.name == "-clamp")
    map.clamps = word == "on";
  else if (option.name == "-bm")
    map.bumpiness = clamp_to(number(0, 1.0), -1000.0f, 1000.0f);
  else if (option.name == "-t")
    honored = all_are(0.0);
  else if (option.name == "-mm")
    honored = number(0, 0.0) == 0.0f && number(1, 1.0) == 1.0f;
  else if (option.name == "-boost" || option.name == "-imfchan" || option.name == "-cc")
    honored = word == "off";
  if (!honored) map.not_honored += (map.not_honored.empty() ? "" : " ") + std::string(option.name);
}

MtlMap map_of(std::string_view rest, u32 line) {
  MtlMap map;
  map.line = line;
  for (;;) {
    rest = trimmed(rest);
    std::string_view after = rest;
    const MapOption* option = map_option_called(next_word(after));
    if (!option || trimmed(after).empty()) break;
    rest = after;
    take_option(*option, rest, map);
  }
  map.name = unquoted(rest);
  return map;
}

/// Parses `word` as a finite number that is not negative.
std::optional<double> amount_of(std::string_view word) {
  const std::optional<double> number = number_of(word);
  return number && *number >= 0.0 && std::isfinite(*number) ? number : std::nullopt;
}

/// Parses three amounts. If the second or third is missing, it equals the one before.
std::optional<dvec3> color_of(std::string_view text) {
  dvec3 color(0.0);
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = next_word(text);
    if (word.empty() && i > 0) {
      color[i] = color[i - 1];
      continue;
    }
    const std::optional<double> amount = amount_of(word);
    if (!amount) return std::nullopt;
    color[i] = *amount;
  }
  return color;
}

/// A key with a single number, and the largest value that is used.
struct NumberKey {
  std::string_view key;
  std::optional<double> MtlMaterial::*number;
  double most;
};
constexpr std::array<NumberKey, 5> kNumbers = {{{"ns", &MtlMaterial::exponent, 1e9},
                                                {"pr", &MtlMaterial::roughness, 1.0},
                                                {"pm", &MtlMaterial::metallic, 1.0},
                                                {"ni", &MtlMaterial::refraction, 1e3},
                                                {"illum", &MtlMaterial::illumination, 1e9}}};

/// A key with a colour whose components are between 0 and 1.
struct ColorKey {
  std::string_view key;
  std::optional<dvec3> MtlMaterial::*color;
};
constexpr std::array<ColorKey, 2> kColors = {
    {{"ks", &MtlMaterial::specular}, {"tf", &MtlMaterial::transmitted}}};

/// Keys with two names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSameKeys = {
    {{"bump", "map_bump"}, {"map_kn", "norm"}}};

/// The row of `table` with this key, or null.
template <class Table>
const auto* row_of(const Table& table, std::string_view key) {
  for (const auto& row : table)
    if (lowered(std::string(row.key)) == key) return &row;
  return static_cast<decltype(&table[0])>(nullptr);
}

/// True if a line with this key has an effect on the picture.
bool is_drawn(std::string_view key) {
  return key == "kd" || key == "ke" || key == "d" || key == "tr" || row_of(kNumbers, key) ||
         row_of(kColors, key) || row_of(kMtlMaps, key);
}

/// Keys of lines that name a picture, in addition to keys that begin with map_.
constexpr std::array<std::string_view, 3> kPictures = {"disp", "decal", "refl"};

bool names_picture(std::string_view key) {
  return key.starts_with("map_") ||
         std::find(kPictures.begin(), kPictures.end(), key) != kPictures.end();
}

class MtlParser {
 public:
  explicit MtlParser(std::vector<u8>& bytes) : lines_(bytes) {}

  MtlText parse() {
    while (lines_.next()) read_line();
    return std::move(text_);
  }

 private:
  void read_line() {
    std::string_view text = lines_.line();
    const std::string_view word = next_word(text);
    if (word.empty() || word.front() == '#') return;
    text_.says_anything = true;
    std::string key = lowered(std::string(word));
    for (const auto& [other, usual] : kSameKeys)
      if (key == other) key = usual;
    if (key == "newmtl") {
      MtlMaterial& begun = text_.materials.emplace_back();
      begun.name = trimmed(text);
      begun.line = lines_.number();
      has_dissolve_ = false;
    }
    if (text_.materials.empty()) {
      if (is_drawn(key)) text_.nowhere.note(lines_.number());
      if (names_picture(key)) note_picture(text);
      return;
    }
    MtlMaterial& to = text_.materials.back();
    if (key == "kd") {
      const std::optional<dvec3> color = color_of(text);
      to.has_color = set(to.color, color) || to.has_color;
      if (color) note_above_one(std::max({color->x, color->y, color->z}));
    } else if (key == "ke") {
      const std::optional<dvec3> color = color_of(text);
      set(to.emission, color);
      if (color && std::max({color->x, color->y, color->z}) > kBrightest)
        text_.too_bright.note(lines_.number());
    } else if (key == "d") {
      if (trimmed(text).starts_with("-halo")) {
        text_.halos.note(lines_.number());
        return;
      }
      const std::optional<double> opacity = amount_of(next_word(text));
      has_dissolve_ = set(to.opacity, opacity) || has_dissolve_;
      if (opacity) to.opacity_line = lines_.number();
      note_above_one(opacity.value_or(0.0));
    } else if (key == "tr" && !has_dissolve_) {
      double transparency = 0.0;
      if (set(transparency, amount_of(next_word(text)))) {
        to.opacity = 1.0 - transparency;
        to.opacity_line = lines_.number();
      }
      note_above_one(transparency);
    } else if (!read_listed(key, text, to) && names_picture(key)) {
      note_picture(text);
    }
  }

  /// Reads a line whose key is in one of the tables. Returns false if no table has the key.
  bool read_listed(std::string_view key, std::string_view text, MtlMaterial& to) {
    if (const NumberKey* const number_key = row_of(kNumbers, key)) {
      double number = 0.0;
      if (!set(number, amount_of(next_word(text)))) return true;
      to.*number_key->number = std::min(number, number_key->most);
      if (number_key->most == 1.0) note_above_one(number);
      return true;
    }
    if (const ColorKey* const color_key = row_of(kColors, key)) {
      dvec3 color(0.0);
      if (!set(color, color_of(text))) return true;
      to.*color_key->color = color;
      note_above_one(std::max({color.x, color.y, color.z}));
      return true;
    }
    const NamedMtlMap* const map_key = row_of(kMtlMaps, key);
    if (map_key) to.*map_key->map = named_map(text);
    return map_key != nullptr;
  }

  /// Records the picture that a line names. If the line has several words, the last word is also
  /// recorded as a name, because unknown options may precede the name.
  void note_picture(std::string_view text) {
    text_.other_pictures.push_back(map_of(text, lines_.number()).name);
    const std::string_view whole = trimmed(text);
    const std::size_t blank = whole.find_last_of(" \t");
    if (blank != whole.npos) text_.other_pictures.emplace_back(whole.substr(blank + 1));
  }

  MtlMap named_map(std::string_view text) {
    MtlMap map = map_of(text, lines_.number());
    if (map.name.empty()) text_.unnamed.note(lines_.number());
    return map;
  }

  /// Sets `to` and returns true. If there is no value, records the line as unusable and returns
  /// false.
  template <class Value>
  bool set(Value& to, const std::optional<Value>& value) {
    if (value)
      to = *value;
    else
      text_.unusable.note(lines_.number());
    return value.has_value();
  }

  void note_above_one(double value) {
    constexpr double kRounding = 1e-3;  // exporters write numbers that are slightly above 1
    if (value > 1.0 + kRounding) text_.above_one.note(lines_.number());
  }

  Lines lines_;
  MtlText text_;
  bool has_dissolve_ = false;  // true if the current material has a `d` line
};

}  // namespace

std::vector<std::string> pictures_of(const MtlText& text) {
  std::vector<std::string> names = text.other_pictures;
  for (const MtlMaterial& material : text.materials)
    for (const NamedMtlMap& row : kMtlMaps)
      if (const std::string& name = (material.*row.map).name; !name.empty()) names.push_back(name);
  return names;
}

MtlText parse_mtl(std::vector<u8> bytes, const std::string& name) {
  require_bytewise(bytes, name);
  return MtlParser(bytes).parse();
}

}  // namespace ballotcast::detail
